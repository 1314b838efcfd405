"""What kernels may not say: each finding with its message, the text it points at, and its hint."""

from __future__ import annotations

import pytest

from machines.diagnostics import InputError


def findings(read, text: str) -> list[tuple[str, str, str]]:
    """(message, marked text, hint) of each finding, in source order."""
    with pytest.raises(InputError) as caught:
        read(text)
    lines = ["", "", *text.split("\n")]  # line 1 holds the imports
    found = []
    for finding in caught.value.diagnostics:
        place = finding.location
        line = lines[place.line]
        assert finding.source_line == line
        found.append(
            (
                finding.message,
                line[place.column - 1 : place.column - 1 + place.length],
                finding.hint or "",
            )
        )
    return found


IN_BODY = [
    # Statement in a kernel with n: i64, m: i32, u: u32, c: u8, t: f32, d: f64, x: f32[:], b: u8[:]
    # -> message contains, text marked, hint contains
    ("print(n)", "no function or kernel 'print'", "print", "store what you want to see"),
    ("s = 'text'", "strings are not", "'text'", "array of u8"),
    ("s = f'{n}'", "strings are not", "f'{n}'", "array of u8"),
    ("s = [1, 2]", "lists are not", "[1, 2]", "scratch array"),
    ("s = [i for i in range(3)]", "comprehensions", "[i for i in range(3)]", "for loop"),
    ("s = {1: 2}", "dictionaries", "{1: 2}", "array"),
    ("s = (1, 2)", "tuples are not values", "(1, 2)", "assign each name"),
    ("s = lambda: 1", "lambda", "lambda: 1", "write a kernel"),
    ("s = x[1:3]", "slices", "1:3", "loop over the elements"),
    ("s = x.sum()", "'x.sum' is not", "x.sum", "add up in a loop"),
    ("s = math.sqrt(d)", "'math.sqrt' is not", "math.sqrt", "write sqrt(…)"),
    ("s = np.float32(d)", "'np.float32'", "np.float32", "write f32(…)"),
    ("s = x.shape", "attributes are not", "x.shape", "plain names"),
    ("s = int(d)", "no function or kernel 'int'", "int", "write i64(…)"),
    ("s = sqr(d)", "no function or kernel 'sqr'", "sqr", "did you mean 'sqrt'?"),
    ("s = (v := 3)", "':='", "v := 3", "a line of its own"),
    ("s = await n", "await", "await n", "start to end"),
    ("s = None", "None is not a value", "None", "a number"),
    ("s = 1j", "complex", "1j", "two floats"),
    ("s = ...", "'Ellipsis' is not a value", "...", "write a number"),
    ("...", "'...' is not", "...", "write pass"),
    ("s = n is m", "'is' is not", "n is m", "=="),
    ("s = n in x", "'in' is not", "n in x", "loop"),
    ("s = n @ m", "matrix multiplication", "n @ m", "loops"),
    ("s = n / m", "'/' of two integers", "n / m", "n // m"),
    ("s = 1 / 2", "'/' of two integers", "1 / 2", "1 // 2"),
    ("s = d // 2.0", "'//' needs integers, not f64", "d // 2.0", "i64(…)"),
    ("s = d % 2.0", "'%' needs integers", "d % 2.0", "i64(…)"),
    ("s = n // 0", "division by zero", "n // 0", ""),
    ("s = 1 % 0", "division by zero", "1 % 0", ""),
    ("s = d & 1", "bitwise operations need integers", "d & 1", "cast"),
    ("s = 1.5 | 1", "bitwise operations need integers", "1.5 | 1", ""),
    ("s = ~d", "'~' needs an integer, not f64", "~d", "~i64(…)"),
    ("s = ~(n > 1)", "'~' of a boolean", "~(n > 1)", "not n > 1"),
    ("s = d << 1", "shifts need integers, not f64", "d", "i64(…)"),
    ("s = u << 32", "cannot shift u32 by 32", "32", "0 … 31"),
    ("s = n << -1", "cannot shift i64 by -1", "-1", "0 … 63"),
    ("s = 1 << 65", "cannot shift by 65", "1 << 65", "0 … 64"),
    ("s = n ** m", "the exponent of '**'", "m", "multiply in a loop"),
    ("s = n ** 65", "the exponent of '**' must be a constant from 0 to 64", "65", "in a loop"),
    ("s = 9 ** 9 ** 9", "the exponent of '**' must be a constant from 0 to 64", "9 ** 9", "loop"),
    ("s = d ** 0.5", "the exponent of '**'", "0.5", "multiply in a loop"),
    ("s = 10 ** 30", "does not fit in 64 bits", "10 ** 30", ""),
    ("s = 99999999999999999999", "does not fit in 64 bits", "99999999999999999999", ""),
    ("s = m < u", "comparing i32 with u32", "m < u", "cast one side"),
    ("s = 0 <= m < u", "comparing i32 with u32", "m < u", "cast one side"),
    ("s = min(n, u64(u))", "min of i64 with u64", "min(n, u64(u))", "cast one side"),
    ("s = m if n else u", "choosing between i32 with u32", "m if n else u", "cast one side"),
    ("s = n and m > 1", "need booleans, not i64", "n", "n != 0"),
    ("s = max(n)", "at least two", "max(n)", "max(a, b)"),
    ("s = abs(n, m)", "expected 1 argument(s), got 2", "abs(n, m)", "abs(x)"),
    ("s = sqrt(n)", "sqrt needs a float, not i64", "sqrt(n)", "sqrt(f64(n))"),
    ("s = sqrt(-1)", "negative number", "sqrt(-1)", ""),
    ("s = fma(n, m, 1)", "fma needs floats", "fma(n, m, 1)", "a * b + c"),
    ("s = f32(value=d)", "keyword arguments", "value=d", "in order"),
    ("s = min(*x)", "'*' before a value", "*x", "write the values out"),
    ("s = len(n)", "len needs an array", "n", ""),
    ("s = len(x)", "the length of 'x' is not known", "len(x)", "x: f32[n]"),
    ("s = range(3)", "range stands only in for loops", "range(3)", "for i in range"),
    ("s = v", "unknown name 'v'", "v", "valid names"),
    ("s = cc", "unknown name 'cc'", "cc", "did you mean 'c'?"),
    ("s = x", "'x' is an array", "x", "x[i]"),
    ("s = min", "'min' is a built-in function", "min", "call it"),
    ("s = n[0]", "'n' is not an array", "n", ""),
    ("s = x[0][1]", "an element is not an array", "x[0][1]", "a[i, j]"),
    ("s = x[0, 1]", "has 1 dimension(s), but is indexed with 2", "x[0, 1]", "x[i]"),
    ("s = x[-1]", "the index -1 is negative", "-1", "x[n - 1]"),
    ("s = x[d]", "an index must be an integer, not f64", "d", "i64(…)"),
    ("s = x[1.0]", "an index must be an integer", "1.0", ""),
    ("s = TABLE[4]", "past the end of i32[4]", "4", ""),
    ("TABLE[0] = 1", "'TABLE' is a constant table", "TABLE[0]", "scratch array"),
    ("SIZE = 3", "'SIZE' is a module constant", "SIZE", "another name"),
    ("abs = 3", "'abs' is a built-in function", "abs", "another name"),
    ("other = 3", "'other' is a kernel", "other", "another name"),
    ("zeros = 3", "'zeros' is a reserved word", "zeros", "another name"),
    ("x = 3", "'x' is an array", "x", "x[i] = …"),
    ("c = c + 1", "'c' is u8, which does not hold every i32", "c + 1", "write u8(c + 1)"),
    ("c += 1", "'c' is u8, which does not hold every i32", "c += 1", "write u8(c + 1)"),
    ("b[n] += 1", "an element of b is u8", "b[n] += 1", "u8(b[n] + 1)"),
    ("b[n] = n", "an element of b is u8, which does not hold every i64", "n", "u8(n)"),
    ("t = d", "'t' is f32, which does not hold every f64", "d", "write f32(d)"),
    ("t = m", "'t' is f32, which does not hold every i32", "m", "write f32(m)"),
    ("n = d", "'n' is i64, which does not hold every f64", "d", "write i64(d)"),
    ("m = u", "'m' is i32, which does not hold every u32", "u", "write i32(u)"),
    ("c = 256", "256 does not fit 'c', which is u8 (0 … 255)", "256", "u8(256)"),
    ("c = -1", "-1 does not fit 'c'", "-1", "u8(-1)"),
    ("n = 2.0", "2.0 is not an integer", "2.0", "i64(2.0)"),
    ("t = 1e300", "beyond the range of f32", "1e300", "f64"),
    ("v = t + 1e300", "beyond the range of f32", "t + 1e300", "f64(…)"),
    ("p: boolean = n", "'p' is boolean, which does not hold every i64", "n", "n != 0"),
    ("n: i32 = 1", "'n' is i64 already", "n: i32 = 1", "another name"),
    ("v: int = 1", "'int' is not a kernel type", "int", "write i64"),
    ("v: f16 = 1", "'f16' is not a kernel type", "f16", "did you mean"),
    ("v: 'u8' = 1", "not written as a string", "'u8'", "write u8"),
    ("h: i32[n]", "the size must be a constant here", "n", "a number"),
    ("h: i32[0]", "a dimension must be a positive integer", "0", ""),
    ("h: f64[1 << 40]", "with 'f.h' the program's buffers are larger than 256 GiB",
     "f64[1 << 40]", "no machine has so much"),
    ("h: i32[4] = 0", "takes no value", "0", "constant table"),
    ("x: i32[4]", "'x' is declared already", "x", "another name"),
    ("n = m = 1", "chained assignment", "n = m = 1", "a line for each"),
    ("n, m = 1", "2 targets need 2 values", "n, m = 1", "separated by commas"),
    ("n, *m = 1, 2", "'*' before a value", "*m", ""),
    ("x.y = 1", "attributes are not", "x.y", ""),
    ("n + 1", "the value is not used", "n + 1", "assign it"),
    ("min(n, 1)", "the value is not used", "min(n, 1)", "assign it"),
    ("s = nothing()", "nothing returns nothing", "nothing()", "return type"),
    ("s = other(n)", "expected 2 argument(s), got 1", "other(n)", "other(k, values)"),
    ("s = other(m, n)", "'n' is not an array", "n", "whole array"),
    ("s = other(d, x)", "parameter k of other is i32", "d", "i32(d)"),
    ("s = other(m, b)", "'b' is u8[:], which does not match", "b", ""),
    ("return d", "the result of f is i64, which does not hold every f64", "d", "i64(d)"),
    ("return", "f must return i64", "return", "return a value"),
    ("break", "break outside a loop", "break", "return"),
    ("continue", "continue outside a loop", "continue", "return"),
    ("assert n > 0", "assert is not", "assert n > 0", "expect:"),
    ("raise n", "raise is not", "raise n", "return a code"),
    ("global n", "global is not", "global n", "array of one element"),
    ("del n", "del is not", "del n", ""),
    ("import math", "imports inside a kernel", "import math", "at the top"),
    ("yield n", "yield is not", "yield n", "arrays"),
    ("for i in x: pass", "a for loop runs over range(…), not x", "x", "range(n)"),
    ("for i, j in range(3): pass", "a loop has one variable", "i, j", ""),
    ("for i in range(d): pass", "range needs integers, not f64", "range(d)", "i64(…)"),
    ("for i in range(0, 9, 0): pass", "the step of a range cannot be 0", "0", ""),
    ("for i in range(0, u, -1.0): pass", "the step of a range must be an integer", "-1.0", ""),
    ("for i in range(0, m, n): pass", "the loop variable is i32", "n", "start and stop to i64"),
    ("for i in range(m, u): pass", "a range from i32 with u32", "range(m, u)", "cast one side"),
    ("for i in range(): pass", "one to three arguments", "range()", "start, stop, step"),
    ("for m in range(n): pass", "'m' is i32, which does not hold every i64", "n", "a new name"),
    ("for c in range(256): pass", "256 does not fit 'c', which is u8", "256", "a new name"),
]  # fmt: skip

BODY = """
TABLE: i32[4] = [1, 2, 3, 4]
SIZE = 8

@kernel
def nothing():
    pass

@kernel
def other(k: i32, values: f32[:]) -> i32:
    return k

@kernel
def f(n: i64, m: i32, u: u32, c: u8, t: f32, d: f64, x: f32[:], b: u8[:]) -> i64:
    {}
    return 0
"""


@pytest.mark.parametrize("statement, message, marked, hint", IN_BODY, ids=[r[0] for r in IN_BODY])
def test_refused_in_a_kernel(read, statement, message, marked, hint):
    [(found, text, advice)] = findings(read, BODY.format(statement))
    assert message in found
    assert text == marked
    assert hint in advice


BLOCKS = [
    ("try:\n        pass\n    finally:\n        pass", "try is not", "try:"),
    ("with n:\n        pass", "with is not", "with n:"),
    ("class C:\n        pass", "classes are not", "class C:"),
    ("def g():\n        pass", "a kernel cannot contain a function", "def g():"),
    ("match n:\n        case 1: pass", "match is not", "match n:"),
    ("for i in range(3):\n        pass\n    else:\n        n = 1", "else after a loop", "n = 1"),
    ("while n > 1:\n        n -= 1\n    else:\n        n = 1", "else after a loop", "n = 1"),
    ("if n > 1:\n        v = 1\n    n = v", "'v' may be read before it is assigned", "v"),
    ("for i in range(n):\n        v = 1\n    n = v", "'v' may be read before", "v"),
    ("for i in range(n):\n        pass\n    n = i", "'i' may be read before", "i"),
    ("while n > 0:\n        v = 1\n        break\n    n = v", "'v' may be read before", "v"),
    ("v: i64\n    v += 1", "'v' may be read before", "v"),
]


@pytest.mark.parametrize("block, message, marked", BLOCKS)
def test_refused_blocks(read, block, message, marked):
    [(found, text, _)] = findings(read, BODY.format(block))
    assert message in found and text == marked


MODULES = [
    ("import numpy as np", "nothing but compiler.kernel", "import numpy as np"),
    ("from math import sqrt", "nothing but compiler.kernel", "from math import sqrt"),
    ("from compiler.kernel import kernal", "compiler.kernel has no 'kernal'", "kernal"),
    ("from compiler.kernel import *", "imported one by one", "*"),
    ("from compiler.kernel import f32 as real", "under their own name", "f32 as real"),
    ("class K:\n    pass", "classes are not", "class K:"),
    ("if True:\n    pass", "only imports, constants, tables and kernels", "if True:"),
    ("def g(n: i64):\n    pass", "the function 'g' is not a kernel", "g"),
    ("@kernel\n@other\ndef g():\n    pass", "no decorator but one @kernel", "other"),
    ("@kernel\n@kernel\ndef g():\n    pass", "no decorator but one @kernel", "kernel"),
    ("@kernel\ndef g(n):\n    pass", "parameter 'n' has no type", "n"),
    ("@kernel\ndef g(n: i64 = 3):\n    pass", "default values", "3"),
    ("@kernel\ndef g(*n: i64):\n    pass", "'*n' is not in the language", "n: i64"),
    ("@kernel\ndef g(**n: i64):\n    pass", "'**n' is not in the language", "n: i64"),
    ("@kernel\ndef g(*, n: i64):\n    pass", "no '*' or '/'", "n: i64"),
    ("@kernel\ndef g(n: i64[:, :]):\n    pass", "only the first dimension may be ':'", ":"),
    ("@kernel\ndef g(n: i64[m]):\n    pass", "unknown name 'm'", "m"),
    ("@kernel\ndef g(d: f64, n: i64[d]):\n    pass", "a dimension must be an integer", "d"),
    ("@kernel\ndef g(m: i64, n: i64[m % 2]):\n    pass", "a dimension is an integer expr", "m % 2"),
    ("@kernel\ndef g(n: list):\n    pass", "'list' is not a kernel type", "list"),
    ("@kernel\ndef g() -> f32[:]:\n    pass", "cannot return an array", "f32[:]"),
    ("@kernel\ndef g() -> f32:\n    pass", "can end without return", "g"),
    ("@kernel\ndef g():\n    return 1", "g has no result type", "return 1"),
    ("@kernel\ndef g(min: i64):\n    pass", "'min' is a built-in function already", "min: i64"),
    ("@kernel\ndef g():\n    pass\n@kernel\ndef g():\n    pass", "'g' is a kernel already", "g"),
    ("@kernel\ndef g(größe: i64):\n    pass", "not plain ASCII", "größe: i64"),
    ("A = [1, 2]", "the table 'A' has no type", "[1, 2]"),
    ("A: i64[2] = [1, 2, 3]", "3 values for 2 elements", "[1, 2, 3]"),
    ("A: i64[2, 2] = [[1, 2], [3]]", "1 values for 2 elements", "[3]"),
    ("A: u8[2] = [1, 256]", "256 does not fit an element of A", "256"),
    ("A: u8[2] = 7", "a table's value is a list of numbers", "7"),
    ("A: u8[2] = [0] * 3", "the list is longer than 2", "[0] * 3"),
    ("A: u8[1 << 40] = [0] * (1 << 40)", "longer than 1048576", "[0] * (1 << 40)"),
    ("A: u8[2]", "'A' has no value", "A: u8[2]"),
    ("A = B + 1", "unknown name 'B'", "B"),
    ("A: u8 = 300", "300 does not fit 'A'", "300"),
    ("A = 'x'", "strings are not", "'x'"),
    ("@kernel\ndef g(x: i64):\n    g(x)", "recursion is not in the language: g → g", "g(x)"),
    ("A = 1\nA = 2", "'A' is a module constant already", "A = 2"),
    ("g += 1", "only imports, constants", "g += 1"),
]  # fmt: skip


@pytest.mark.parametrize("text, message, marked", MODULES, ids=[r[0] for r in MODULES])
def test_refused_at_module_level(read, text, message, marked):
    [(found, pointed, _)] = findings(read, text)
    assert message in found and pointed == marked


def test_mutual_recursion_names_the_cycle(read):
    chain = "".join(
        f"@kernel\ndef {a}(x: i64) -> i64:\n    return {b}(x)\n" for a, b in ("ab", "bc", "ca")
    )
    [(message, marked, hint)] = findings(read, chain)
    assert message == "recursion is not in the language: a → b → c → a"
    assert marked == "b(x)" and "stack" in hint


def test_constant_table_passed_to_a_kernel_that_stores(read):
    text = """
TABLE: i64[2] = [1, 2]

@kernel
def inner(x: i64[:]):
    x[0] = 1

@kernel
def outer(y: i64[:]):
    inner(y)

@kernel
def f():
    outer(TABLE)
"""
    [(message, marked, _)] = findings(read, text)
    assert message == "outer stores to 'y', but 'TABLE' is a constant table"
    assert marked == "TABLE"


def test_all_findings_come_together_in_source_order(read):
    text = """
A = 1 / 2

@kernel
def g(n: int) -> i64:
    return n

@kernel
def f(n: i64) -> i64:
    s = n / 2
    for i in range(s, n, 0):
        t = 'x'
        n = s + t + i + g(n)
    while n < unknown:
        n = 2.5
    if A:
        return None
    return s
"""
    found = findings(read, text)
    assert [message.split(" ")[0] for message, _, _ in found] == [
        "'/'", "'int'", "'/'", "strings", "unknown", "2.5", "None",
    ]  # fmt: skip


def test_findings_point_at_characters_not_bytes(read):
    text = "@kernel\ndef f(n: i64) -> i64:\n    '''äöü'''; return n / 2  # é\n"
    [(_, marked, _)] = findings(read, text)
    assert marked == "n / 2"


NOT_PYTHON = [
    ("def f(:\n", "not Python: invalid syntax"),
    ("@kernel\ndef f():\n  x = 1\n   y = 2\n", "not Python: unexpected indent"),
    ("x = " + "(" * 300 + "1" + ")" * 300, "not Python: too many nested parentheses"),
    ("x = 1\0", "not Python: source code string cannot contain null bytes"),
    ("x = '", "not Python: unterminated string literal"),
    ("SIZE = 3\n", "the file has no kernel"),
]  # fmt: skip


@pytest.mark.parametrize("text, message", NOT_PYTHON, ids=[r[1] for r in NOT_PYTHON])
def test_files_that_cannot_be_read(read, text, message):
    with pytest.raises(InputError) as caught:
        read(text)
    [finding] = caught.value.diagnostics
    assert message in str(finding)


@pytest.mark.parametrize(
    "text",
    [
        "return " + "-" * 5000 + "n",
        "return " + "n + " * 5000 + "n",
        "return " + "not " * 5000 + "n",
        "return (n +\n" + "n +\n" * 5000 + "n)",
    ],
    ids=("signs", "sum", "words", "lines"),
)
def test_nesting_that_python_cannot_read(read, text):
    before = "T: i64[6] = [1, 2, 3, 4, 5, 6]\n@kernel\ndef f(n: i64) -> i64:\n"
    [(message, marked, _)] = findings(read, f"{before}    n = n + 1\n    {text}\n")
    # Newer Pythons read it, and the expression is refused as a whole.
    assert "nested too deeply" in message and (marked == "r" or marked.startswith("return"))


def test_a_constant_nested_too_deeply(read):
    text = "A = " + "-" * 900 + "1\n@kernel\ndef f(n: i64) -> i64:\n    return n + A\n"
    [(message, marked, _)] = findings(read, text)
    assert "nested too deeply" in message and marked.startswith("A = ---")


def test_kernels_that_call_each_other_too_deeply(read):
    """They are checked one by one; inlining nests them."""
    first = "@kernel\ndef k0(n: i64) -> i64:\n    return n\n"
    text = first + "".join(
        f"@kernel\ndef k{k}(n: i64) -> i64:\n    return k{k - 1}(n)\n" for k in range(1, 600)
    )
    [(message, marked, _)] = findings(read, text)
    assert "nested too deeply" in message and marked[0] == "k" and int(marked[1:]) > 20


def test_nesting_that_python_reads_but_is_too_deep_for_us(read):
    [(message, marked, _)] = findings(read, "@kernel\ndef f(n: i64):\n    x = " + "-" * 700 + "n\n")
    assert "nested too deeply" in message and marked.startswith("x = ---")


def test_names_must_be_imported():
    from compiler.frontends.python import PLUGIN

    text = (
        "from compiler.kernel import i64\n@kernel\ndef f(d: f64) -> i64:\n    return i64(sqrt(d))\n"
    )
    with pytest.raises(InputError) as caught:
        PLUGIN.read(text, "f.py")
    assert [d.message for d in caught.value.diagnostics] == [
        "'kernel' is not imported", "'f64' is not imported", "'sqrt' is not imported",
    ]  # fmt: skip
    assert caught.value.diagnostics[0].hint == "write: from compiler.kernel import kernel"
