"""The language of graphs: what each construct means, where nodes stand, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compiler.frontends.python.frontend import read
from compiler.levels.arrays import language
from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.calls import Fold, Lambda, Map
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from machines.diagnostics import InputError, Location

SPMV = """
@function
def spmv(rows: tuple[i32, f32][:][:], x: f32[:]) -> f32[:]:
    return [sum([v * x[j] for j, v in row]) for row in rows]
"""


def run(text: str, *arguments, name: str | None = None):
    """What a file's last function (or that of a name) gives."""
    graph = read_functions(text, "f.py")
    return evaluate(graph, graph.functions[name or list(graph.functions)[-1]], arguments)


def body(parameters: str, result: str, *lines: str) -> str:
    """A function `f` of these lines."""
    inner = "\n".join(f"    {line}" for line in lines)
    return f"@function\ndef f({parameters}) -> {result}:\n{inner}\n"


def test_rows_of_a_sparse_matrix():
    rows = [[(0, 1.0), (1, 2.0)], [], [(1, 0.5)]]
    assert run(SPMV, rows, [3.0, 4.0]) == [11.0, 0.0, 2.0]


XS = "xs: i32[:]"
EXPRESSIONS = [
    # parameters, result, expression, arguments, value
    ("a: i32, b: i32", "i32", "a // b * 100 + a % b", (-7, 2), -399),
    ("a: u8, b: u8", "i32", "a - b", (1, 2), -1),
    ("a: u32", "u32", "a >> 1", (-1,), 0x7FFFFFFF),
    ("a: i32", "i64", "a * 2", (5,), 10),
    ("a: f32", "f32", "a * 0.5 + a ** 3", (2.0,), 9.0),
    ("a: f64", "f64", "sqrt(a) + fma(a, a, 1.0) + abs(-a)", (4.0,), 23.0),
    ("a: i64", "i32", "i32(a)", ((1 << 32) + 5,), 5),
    ("a: f64", "u8", "u8(a)", (300.7,), -1),
    ("a: i32", "boolean", "0 <= a < 10", (10,), 0),
    ("a: i32", "boolean", "not a", (0,), 1),
    ("a: boolean, b: boolean", "boolean", "a and not b or b and not a", (0, 1), 1),
    ("a: i32", "i32", "100 // a if a else -1", (0,), -1),
    ("a: i32", "i32", "a + (1 if a > 2 else 2)", (3,), 4),
    ("a: u8", "u8", "a if a > 3 else 0", (3,), 0),
    ("a: i32, b: i32", "i32", "min(a, b, 3) + max(a, b)", (5, 9), 12),
    ("xs: i64[:]", "u64[:]", "[y // 2 for y in [u64(x) for x in xs]]", ([-1],), [(1 << 63) - 1]),
    (XS, "boolean", "len(xs) > 0 and xs[0] == 7", ([],), 0),
    (XS, "boolean", "0 < len(xs) < xs[0]", ([],), 0),
    ("t: tuple[i32, f32]", "f32", "t[1] + t[0]", ((1, 0.5),), 1.5),
    ("a: i32", "tuple[i64, f32]", "(a, 1)", (3,), (3, 1.0)),
    ("t: tuple[i32, i32]", "tuple[i64, i32]", "t", ((3, 4),), (3, 4)),
    (XS, "i32", "sum(xs)", ([1, 2, 3],), 6),
    ("xs: u8[:]", "i32", "sum(xs)", ([-1, 1],), 256),
    ("xs: boolean[:]", "i32", "sum(xs)", ([1, 0, 1],), 2),
    (XS, "i32", "sum(xs, 10)", ([1, 2, 3],), 16),
    (XS, "i32", "min(xs) * 100 + max(xs)", ([4, 2, 3],), 204),
    ("xs: u32[:]", "u32", "max(xs)", ([4, -2, 3],), -2),
    (XS, "i32", "max(xs)", ([],), None),
    (XS, "i32", "reduce(lambda a, b: a * b, 1, xs)", ([4, 2, 3],), 24),
    (XS, "i32", "reduce(lambda a, b: a // b, 100, xs)", ([4, 2],), 12),
    (XS, "i32", "reduce(max, 0, xs)", ([4, 2],), 4),
    ("xs: u8[:]", "i32", "reduce(lambda a, b: a + b, 0, xs)", ([4, 2],), 6),
    (XS, "i32[:]", "scan(lambda a, b: a + b, 10, xs)", ([4, 2],), [14, 16]),
    (XS, "i32[:]", "[x * x for x in xs]", ([4, 2],), [16, 4]),
    (XS, "i32[:]", "[x for x in xs if x > 1 if x < 4]", ([4, 2, 0],), [2]),
    (XS, "i32[:]", "[x * y for x in xs for y in xs if y > x]", ([2, 3],), [6]),
    ("xss: i32[:][:]", "i32[:]", "[x + 1 for xs in xss for x in xs]", ([[1], [], [3]],), [2, 4]),
    (XS, "i64[:]", "[i * x for i, x in enumerate(xs)]", ([4, 2],), [0, 2]),
    (XS, "i32[:]", "[a - b for a, b in zip(xs, xs)]", ([4, 2],), [0, 0]),
    ("xs: i32[:], ys: i32[:]", "tuple[i32, i32][:]", "zip(xs, ys)", ([4], [2]), [(4, 2)]),
    ("xs: i32[:], ys: i32[:]", "tuple[i32, i32][:]", "zip(xs, ys)", ([4], []), None),
    (XS, "i32[:]", "map(lambda x: x + 1, xs)", ([4, 2],), [5, 3]),
    ("xs: i32[:], ys: i32[:]", "i32[:]", "map(lambda x, y: x - y, xs, ys)", ([4], [1]), [3]),
    ("n: i32", "i64[:]", "[i64(i) for i in range(n)]", (3,), [0, 1, 2]),
    ("n: i32", "i32[:]", "range(n)", (-3,), []),
    ("n: i64", "i64[:]", "range(2, n)", (5,), [2, 3, 4]),
    ("n: i64", "i64[:]", "range(n, 2)", (5,), []),
    ("n: i64", "i64[:]", "range(1, n, 3)", (8,), [1, 4, 7]),
    ("n: i64", "i64[:]", "range(n, 0, -2)", (5,), [5, 3, 1]),
    ("n: i64", "i64[:]", "range(3, 9, 2)", (0,), [3, 5, 7]),
    ("n: i64", "i64[:]", "iota(n)", (3,), [0, 1, 2]),
    ("n: i64", "i64[:]", "iota(n)", (-3,), None),
    ("n: i32", "f32[:]", "replicate(f32(n), n)", (2,), [2.0, 2.0]),
    ("xs: f32[:], js: u8[:]", "f32[:]", "gather(xs, js)", ([5.0, 6.0], [1, 1]), [6.0, 6.0]),
    ("xs: f32[:], js: i32[:]", "f32[:]", "scatter(xs, js, xs)", ([5.0, 6.0], [1, 0]), [6.0, 5.0]),
    ("xs: f32[:], js: i8[:]", "f32[:]", "scatter_add(xs, js, xs)", ([5.0, 6.0], [1, 1]), [5, 17]),
    ("xs: u32[:], js: i64[:]", "u32[:]", "scatter_max(xs, js, xs)", ([5, -6], [0, 0]), [-6, -6]),
    ("xs: i32[:], js: i64[:]", "i32[:]", "scatter_min(xs, js, xs)", ([5, -6], [0, 0]), [-6, -6]),
    (XS, "i32[:]", "filter([x > 2 for x in xs], xs)", ([1, 3],), [3]),
    ("xss: i32[:][:]", "i32[:]", "flatten(xss)", ([[1], [2, 3]],), [1, 2, 3]),
    ("xs: i32[:], n: i32[:]", "i32[:][:]", "rows(xs, n)", ([1, 2, 3], [1, 2]), [[1], [2, 3]]),
    ("m: f32[:, :]", "f32", "m[1, 0] + m[0][1]", ([[1.0, 2.0], [3.0, 4.0]],), 5.0),
    (XS, "i32[:]", "xs if len(xs) > 1 else [x + 1 for x in xs]", ([1],), [2]),
]  # fmt: skip


@pytest.mark.parametrize("case", EXPRESSIONS, ids=lambda case: case[2])
def test_expressions(case):
    parameters, result, expression, arguments, value = case
    text = body(parameters, result, f"return {expression}")
    if value is None:
        with pytest.raises(GraphFault):
            run(text, *arguments)
    else:
        assert run(text, *arguments) == value


STATEMENTS = {
    "a while": (
        body("n: u64", "i64", "count = 0", "rest = n", "while rest != 0:",
             "    rest //= 10", "    count += 1", "return count"),
        [((9075,), 4), ((0,), 0)],
    ),
    "a for": (
        body("xs: i32[:]", "i64", "total = 0", "for x in xs:", "    total = total * 10 + x",
             "return total"),
        [(([1, 2, 3],), 123), (([],), 0)],
    ),
    "a for of pairs": (
        body("a: f32[:], b: f32[:]", "f32", "d: f32 = 0", "for x, y in zip(a, b):",
             "    p = x * y", "    d += p", "return d"),
        [(([1.0, 2.0], [3.0, 4.0]), 11.0)],
    ),
    "nested loops": (
        body("n: i64", "i64", "total = 0", "for i in range(n):", "    for j in range(i):",
             "        if (i + j) % 2 == 0:", "            total += i * j", "return total"),
        [((5,), sum(i * j for i in range(5) for j in range(i) if (i + j) % 2 == 0))],
    ),
    "a loop variable that was there": (
        body("n: i64", "i64", "i = -1", "for i in range(n):", "    pass", "return i"),
        [((3,), 2), ((0,), -1)],
    ),
    "an if of two variables": (
        body("a: i32, b: i32", "i32", "if a > b:", "    a, b = b, a", "return a * 10 + b"),
        [((1, 2), 12), ((2, 1), 12)],
    ),
    "names of both arms": (
        body("a: i32", "i32", "if a > 3:", "    low = a - 3", "elif a > 1:", "    low = a",
             "else:", "    low = 0", "return low"),
        [((5,), 2), ((2,), 2), ((1,), 0)],
    ),
    "returns": (
        body("a: i32", "i32", "'A docstring.'", "if a > 3:", "    return 1", "b = a + 1",
             "if b > 2:", "    return 2", "else:", "    return 100 // (b - 2)"),
        [((5,), 1), ((3,), 2), ((0,), -100)],
    ),
    "a local lambda": (
        body("a: i32", "i32", "twice = lambda x: x + x", "return twice(twice(a))"),
        [((5,), 20)],
    ),
    "a later function": (
        "N = 3\nSCALE: f32 = 0.5\n" + body("a: f32", "f32", "return g(a, N) * SCALE")
        + "@function\ndef g(a: f32, n: i64) -> f32:\n    return a * n\n",
        [((2.0,), 3.0)],
    ),
    "a function for map and reduce": (
        body("xs: i32[:]", "i32", "return reduce(g, 0, map(h, xs))")
        + "@function\ndef g(a: i32, b: i32) -> i32:\n    return a + b\n"
        + "@function\ndef h(a: i32) -> i32:\n    return a * a\n",
        [(([1, 2, 3],), 14)],
    ),
    "what is not taken cannot fault": (
        body("xs: i32[:], i: i64", "i32", "y = xs[i]", "z = 0", "if i < len(xs):", "    z = i32(y)",
             "return i32(z)"),
        [(([7], 0), 7), (([7], 3), 0)],
    ),
    "tuples in an array": (
        body("xs: i32[:]", "tuple[i32, i64][:]", "return [(x, i) for i, x in enumerate(xs)]"),
        [(([5, 6],), [(5, 0), (6, 1)])],
    ),
    "a tuple as the state": (
        body("n: i64", "i64", "t = (0, 1)", "for i in range(n):", "    t = (t[1], t[0] + t[1])",
             "return t[0]"),
        [((10,), 55)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name):
    text, cases = STATEMENTS[name]
    for arguments, value in cases:
        assert run(text, *arguments, name="f") == value


def test_one_row_is_a_reduction_and_more_are_a_fold():
    def kinds(expression: str) -> set[type]:
        graph = read_functions(body("xs: i32[:]", "i32", f"return {expression}"), "f.py")
        reached = graph.reached(graph.functions.values())
        return {type(graph[s].operation) for s in reached} & {Reduce, Fold, Map, Scan}

    assert kinds("reduce(lambda a, b: a + b, 0, xs)") == {Reduce}
    assert kinds("reduce(lambda a, b: b - a, 0, xs)") == {Fold}
    assert kinds("reduce(lambda a, b: a + b * b, 0, xs)") == {Fold}
    assert kinds("sum([x * x for x in xs])") == {Map, Reduce}
    assert kinds("sum([x for x in xs])") == {Reduce}


def test_every_node_has_its_place():
    graph = read_functions(SPMV, "spmv.py")
    nodes = [graph[s] for s in graph.reached(graph.functions.values())]
    assert all(node.location is not None for node in nodes)
    places = {str(node.operation): node.location for node in nodes}
    assert places["mul.f32"] == Location("spmv.py", 4, 18, len("v * x[j]"))
    assert isinstance(graph[graph.functions["spmv"]].operation, Lambda)


REFUSED = [
    ("a: i32", "i32", "return b", "unknown name 'b'"),
    ("a: i32", "i32", "return foo(a)", "there is no function 'foo'"),
    ("a: i32", "i32", "return iot(a)", "did you mean 'iota'?"),
    ("a: i64", "i32", "return a", "the result is i32, which does not hold every i64"),
    ("a: i64", "i32", "return a", "write i32(a)"),
    ("a: i64[:]", "i32[:]", "return a", "write [i32(x) for x in a]"),
    ("a: i64", "tuple[i64, tuple[i32, i64]]", "return a, (a + 1, a)", "write i32(a + 1)"),
    ("a: tuple[i64, i64]", "tuple[i64, i32]", "return a", "make a tuple of converted parts of a"),
    ("a: i32, b: u32", "boolean", "return a < b", "would take a negative value as a large one"),
    ("a: i32", "i32", "return a / a", "'/' of two integers is not in the language"),
    ("a: i32[:]", "i32[:]", "return a + 1", "an operator needs a number, not i32[:]"),
    ("a: i32", "i32", "return a[0]", "'a' is i32, which has no elements"),
    ("a: i32[:]", "i32", "return a[-1]", "an index is negative: -1"),
    ("a: i32[:]", "i32", "return a[0.5]", "an index must be an integer"),
    ("a: i32[:]", "i32[:]", "return a[1:2]", "slices are not in the language"),
    ("a: tuple[i32, i32]", "i32", "return a[2]", "named by a constant from 0 to 1"),
    ("a: i32", "i32", "while a > 0:\n        break\n    return a", "break in a loop"),
    ("a: i32", "i32", "while a > 0:\n        return a\n    return a", "return in a loop"),
    ("a: i32", "i32", "for i in a:\n        a += 1\n    return a", "write range(a)"),
    ("a: i32", "i32", "if a:\n        b = 1\n    return b", "may be read before it is assigned"),
    ("a: i32", "i32", "if a:\n        return 1", "the function can end without return"),
    ("a: i32", "i32", "a = 1", "but can end without return"),
    ("a: i32[:]", "i32[:]", "a[0] = 1\n    return a", "scatter(xs, is, vs)"),
    ("a: i32[:]", "i32", "x, y = a\n    return x", "2 names for i32[:]"),
    ("a: i32[:]", "i32[:]", "return scan(lambda a, b: a + b * b, 0, a)", "scan combines with one"),
    ("a: i32", "i32", "return f(a)", "recursion is not in the language: f calls f"),
    ("a: i32", "i32", "g = lambda x: x\n    return g", "a function is called, not stored"),
    ("a: i32", "i32", "g = lambda x: x\n    return g(a, a)", "expected 1 argument(s), got 2"),
    ("a: i32", "i32", "return f", "'f' is a function, not a value"),
    ("a: i32", "i32", "return sum(a)", "sum needs an array, not i32"),
    ("a: i32", "i32", "return len(a, a)", "len is given 2 arguments"),
    ("a: i32[:]", "i32[:]", "return filter(a, a)", "the mask is boolean[:], not i32[:]"),
    ("a: i32[:]", "i32[:]", "return []", "an empty list has no type"),
    ("a: i32[:]", "i32[:]", "return [1, 2.5]", "an element of the list is i32"),
    ("a: i32[:]", "i32[:]", "return [1, a]", "an element of the list is i32, not i32[:]"),
    ("a: i32[:]", "i32[:]", "return a + [1.0]", "an element of the list is i32"),
    ("a: i32[:]", "i32[:]", "return [a, a]", "an element of the list is i32, not i32[:]"),
    ("a: i32[:]", "boolean", "return any(a)", "write any([x != 0 for x in a])"),
    ("a: i32", "i32", "return 'text'", "strings are not in the language"),
    ("a: i32", "i32", "import os\n    return a", "imports inside a kernel"),
    ("a: i32", "i32", "return math.sqrt(a)", "'math.sqrt' is not in the language"),
    ("a: int", "i32", "return a", "write i64"),
    ("a", "i32", "return a", "parameter 'a' has no type"),
    ("a: f32[3]", "i32", "return 1", "the lengths of arrays are not part of types"),
    ("a: i32", "i32", "a = f32(a)\n    return a", "'a' is i32, which does not hold every f32"),
    ("a: i32", "i32", "return a and a", "'and' and 'or' as a value need booleans"),
    ("a: i32", "i32", "return range(0, a, 0)", "the step of range must be a constant"),
    ("a: i32", "i32", "return (a", "not Python"),
    ("a: i32, a: i32", "i32", "return a", "there are two parameters 'a'"),
    ("a: i32[:]", "i32", "return reduce(max, (1, 2), a)", "max needs numbers, not tuple"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[2].replace("\n", ";"))
def test_refused_programs(case):
    parameters, result, lines, message = case
    with pytest.raises(InputError, match=r"f.py:[0-9]+:[0-9]+: error: ") as refused:
        read_functions(body(parameters, result, lines), "f.py")
    assert message in str(refused.value)


NAMED = [
    ("@function\ndef sum(x: f32) -> f32:\n    return x\n", "'sum' is a function of the language"),
    ("@function\ndef abs(x: f32) -> f32:\n    return x\n", "'abs' is a function of the language"),
    ("@function\ndef i32(x: f32) -> f32:\n    return x\n", "'i32' is a function of the language"),
    ("@function\ndef nan(x: f32) -> f32:\n    return x\n", "'nan' is a reserved word"),
    ("@function\ndef g(func: f32) -> f32:\n    return func\n", "'func' is a reserved word"),
    ("@function\ndef g(ä: f32) -> f32:\n    return ä\n", "'ä' is not plain ASCII"),
    ("f = 3\n", "'f' is a module constant already"),
    ("a = 3\na = 4\n", "'a' is a module constant already"),
    ("from compiler.kernel import exp\n@function\ndef exp(x: f32) -> f32:\n    return x\n",
     "'exp' is a name of compiler.kernel already"),
    ("@kernel\ndef f(x: f32):\n    pass\n", "'f' is a kernel already"),
    ("@function\n@kernel\ndef g(x: f32) -> f32:\n    return x\n", "no decorator but @function"),
    ("@kernel\n@function\ndef g(x: f32) -> f32:\n    return x\n", "no decorator but @function"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "message"), NAMED, ids=lambda text: text.replace("\n", ";"))
def test_a_name_means_one_thing_in_a_file(more: str, message: str):
    with pytest.raises(InputError) as refused:
        read_functions(more + body("x: f32", "f32", "return x"), "f.py")
    assert message in str(refused.value)


def test_a_cycle_is_named():
    text = body("a: i32", "i32", "return g(a)") + body("a: i32", "i32", "return f(a)").replace(
        "def f", "def g"
    )
    with pytest.raises(InputError, match="f calls g calls f"):
        read_functions(text, "f.py")


def test_findings_of_all_functions_come_together():
    text = body("a: i32", "i32", "return b") + body("a: i32", "i32", "return c").replace("f(", "g(")
    with pytest.raises(InputError) as refused:
        read_functions(text, "f.py")
    assert [d.location.line for d in refused.value.diagnostics] == [3, 6]


@pytest.mark.parametrize("text", ["", "x = 1\n", "@kernel\ndef k(n: i64):\n    pass\n"])
def test_a_file_without_functions(text):
    with pytest.raises(InputError, match="the file has no function"):
        read_functions(text, "f.py")


def test_deep_nesting_is_a_finding():
    text = body("a: i32", "i32", "return " + " + ".join(["a"] * 5000))
    with pytest.raises(InputError, match="nested too deeply"):
        read_functions(text, "f.py")


def test_what_doubles_with_every_line_is_refused():
    lambdas = [f"f{i + 1} = lambda x: f{i}(f{i}(x))" for i in range(60)]
    with pytest.raises(InputError, match="more than 10000 calls"):
        read_functions(
            body("a: i32", "i32", "f0 = lambda x: x + x", *lambdas, "return f60(a)"), "f.py"
        )
    tuples = [f"t{i + 1} = (t{i}, t{i})" for i in range(60)]
    with pytest.raises(InputError, match="more than 256 parts"):
        read_functions(body("t0: i32", "i32", *tuples, "return t0"), "f.py")


def test_kernels_and_functions_stand_in_one_file():
    header = "from compiler.kernel import function, kernel, i64\n"
    kernel = "@kernel\ndef k(n: i64) -> i64:\n    return n\n"
    text = header + kernel + body("n: i64", "i64", "return n")
    assert list(read(text, "f.py").functions) == ["k"]
    assert list(read_functions(text, "f.py").functions) == ["f"]
    assert read(text, "f.py").form != "arrays"
    assert read(header + body("n: i64", "i64", "return n"), "f.py").form == "arrays"


def test_a_file_can_be_imported():
    names = "f32, function, i32, reduce, scan, iota, rows, filter, scatter_add"
    text = f"from __future__ import annotations\nfrom compiler.kernel import {names}\n{SPMV}"
    space: dict = {}
    exec(text, space)
    with pytest.raises(TypeError, match="spmv is compiled"):
        space["spmv"]([], [])
    with pytest.raises(TypeError, match="iota"):
        space["iota"](3)


def test_the_examples_of_the_page():
    page = (Path(language.__file__).parents[1] / "LANGUAGE.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(examples) == 5
    for text in examples:
        graph = read_functions(text, "page.py")
        claims = re.findall(r"^# (\w+)(\(.*\)) = (.*)$", text, re.M)
        assert claims
        for name, arguments, value in claims:
            given = eval(arguments[:-1] + ",)")
            assert evaluate(graph, graph.functions[name], given) == eval(value)
