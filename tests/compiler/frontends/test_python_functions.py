"""Kernels that call functions of arrays: scalars go in and come out, in place of the call."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import sim
from compiler.frontends.python import frame, frontend
from compiler.interpret.functions import interpret, memory_for
from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.python_syntax.scope import LIBRARY_NAMES
from machines.diagnostics import InputError

IMPORTS = f"from compiler.kernel import function, {', '.join(LIBRARY_NAMES)}\n"
LOGISTIC = """
@function
def logistic(x: f32) -> f32:
    return 1 / (1 + exp(-x))
"""
ACTIVATE = f"""{LOGISTIC}
@kernel
def activate(n: i64, x: f32[:], y: f32[:]):
    for i in range(n):
        y[i] = logistic(x[i])
"""
STEPS = """
@function
def steps(n: i64) -> i64:
    count = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        count += 1
    return count
"""
GRADE = """
@function
def grade(x: i64, is_high: boolean) -> i64:
    if x > 10:
        if is_high:
            found = x * 3
        elif x > 100:
            found = 1000 // (x - 200)
        else:
            found = 7
    else:
        found = -x
    return found
"""
ARGUMENTS = np.array(
    [0.0, -0.0, 1.0, -1.0, 0.3, 1.5, -2.75, 7.0, 50.0, -60.0, 88.0, -104.5, 1e-30, 3e38, 1e10,
     math.inf, -math.inf, math.nan, 1e-45],
    np.float32,
)  # fmt: skip


def steps(n: int) -> int:
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def grade(x: int, is_high: bool) -> int:
    if x <= 10:
        return -x
    return x * 3 if is_high else 1000 // (x - 200) if x > 100 else 7


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x.astype(np.float64)))


def bits(values: np.ndarray) -> list[int]:
    """Patterns, in which one NaN is as good as another."""
    values = np.asarray(values, np.float32)
    return np.where(np.isnan(values), np.float32(np.nan), values).view(np.uint32).tolist()


# What they compute -------------------------------------------------------------------------------


def test_a_function_in_a_loop(run):
    x = np.linspace(-30, 30, 61, dtype=np.float32)
    y = run(IMPORTS + ACTIVATE, n=61, x=x, y=np.zeros(61, np.float32)).arrays["y"]
    np.testing.assert_allclose(y, logistic(x), rtol=1e-6)


@pytest.mark.parametrize("name", LIBRARY_NAMES)
def test_the_library_has_the_bits_that_its_graph_says(run, name):
    text = f"""
@kernel
def f(n: i64, x: f32[:], y: f32[:]):
    for i in range(n):
        y[i] = {name}(x[i])
"""
    graph = read_functions(f"@function\ndef f(x: f32) -> f32:\n    return {name}(x)\n", "f.py")
    wanted = [evaluate(graph, graph.functions["f"], [float(x)]) for x in ARGUMENTS]
    given = {"n": len(ARGUMENTS), "x": ARGUMENTS, "y": np.zeros_like(ARGUMENTS)}
    assert bits(run(IMPORTS + text, **given).arrays["y"]) == bits(wanted)


def test_a_function_with_a_loop_and_one_with_nested_choices(run):
    text = f"""{STEPS}{GRADE}
@kernel
def f(n: i64, x: i64[:], y: i64[:]) -> i64:
    found = 0
    for i in range(n):
        y[i] = grade(x[i], True) * 100000 + grade(x[i], i % 2 == 0) * 1000 + steps(i + 1)
        if steps(i + 1) > 6 and grade(x[i], False) != 7 or steps(x[i] * x[i] + 1) == 0:
            found += 1
    while steps(found + 1) < 16 and not 5 < grade(found, False) <= 7:
        found += 1
    return found if grade(found, False) > 0 or steps(found + 1) > 0 else -1
"""
    x = [5, 50, 500, 150, -4, 0, 11, 10, 120, 199, 12, 13]
    n = len(x)
    done = run(IMPORTS + text, n=n, x=np.array(x), y=np.zeros(n, np.int64))
    for i, value in enumerate(x):
        wanted = grade(value, True) * 100000 + grade(value, i % 2 == 0) * 1000 + steps(i + 1)
        assert done.arrays["y"][i] == wanted
    found = sum(
        (steps(i + 1) > 6 and grade(v, False) != 7) or steps(v * v + 1) == 0
        for i, v in enumerate(x)
    )
    while steps(found + 1) < 16 and not 5 < grade(found, False) <= 7:
        found += 1
    assert done.value == found > 1


def test_signs_literals_and_narrow_types_are_those_of_the_header(run):
    text = """
@function
def half(x: u8, by: u32) -> u8:
    return u8(x // 2 + (0 if by > 4000000000 else 100))

@function
def same(x: i8) -> i8:
    return x

@function
def either(p: boolean, q: boolean) -> boolean:
    return p or q

@kernel
def f(big: u32, out: i64[:]):
    out[0] = half(255, big)
    out[1] = half(255, 5)
    out[2] = same(-128)
    out[3] = i64(either(True, False)) + i64(either(False, big < 5)) * 10
    out[5] = half(9, big) - half(10, 7)
    x = same(3)
    x = same(x)
    y: i64 = x
    x, y = same(4), x
    out[4] = y * 10 + x
"""
    out = run(IMPORTS + text, big=2**32 - 1, out=np.zeros(6, np.int64)).arrays["out"]
    assert out.tolist() == [127, 227, -128, 1, 34, 4 - 105]


def test_what_needs_no_memory_may_use_arrays(run):
    text = """
@function
def squares(n: i64) -> i64:
    return sum([k * k for k in range(n)])

@function
def odd(n: i64) -> i64:
    kept = [k for k in range(n) if k % 2 == 1]
    return sum([j * k for j, k in enumerate(kept)])

@kernel
def f(n: i64) -> i64:
    return squares(n) * 1000 + odd(n)
"""
    kept = [1, 3, 5, 7, 9]
    wanted = sum(k * k for k in range(10)) * 1000 + sum(j * k for j, k in enumerate(kept))
    assert run(IMPORTS + text, n=10).value == wanted
    assert run(IMPORTS + text, n=-1).value == 0


def test_variables_of_two_copies_are_two(run):
    text = f"""{STEPS}
@kernel
def f(a: i64, b: i64) -> i64:
    return steps(a) * steps(b) - (steps(steps(a)) - steps(b + 1))
"""
    wanted = steps(27) * steps(5) - (steps(steps(27)) - steps(6))
    assert run(IMPORTS + text, a=27, b=5).value == wanted


def test_a_test_that_is_long_stands_once(read):
    """Where it is short a loop tests at its begin and again at its end."""
    text = f"""{STEPS}
@kernel
def f(a: i64) -> i64:
    while steps(a) > 3:
        a += 1
    return a
"""
    rows = [i.operation.name for _, i in read(IMPORTS + text).functions["f"].instructions()]
    assert rows.count("mul.i64") == 1


def test_a_fault_of_the_machine_names_the_line_of_the_function(run):
    text = f"{GRADE}\n@kernel\ndef f(x: i64) -> i64:\n    return grade(x, False)\n"
    fault = run(IMPORTS + text, x=200).fault
    assert fault.kind == "division by zero"
    line = ("\n" + IMPORTS + text).split("\n")[fault.location.line - 1]
    assert line.strip() == "found = 1000 // (x - 200)"


def test_the_library_stands_where_it_is_called(read):
    module = read(f"{IMPORTS}\n@kernel\ndef f(x: f32) -> f32:\n    y = x * 2\n    return sin(y)\n")
    places = {(i.location.file, i.location.line) for _, i in module.functions["f"].instructions()}
    assert places == {("kernels.py", 6), ("kernels.py", 7)}


def test_functions_may_call_the_primitives_of_rules(tmp_path: Path):
    (tmp_path / "mine.py").write_text(
        "@primitive\ndef hypot2(x: f32, y: f32) -> f32:\n    return x * x + y * y\n"
    )
    text = (
        "from compiler.kernel import f32, function, kernel\n"
        "@function\ndef g(x: f32) -> f32:\n    return hypot2(x, 1) - x\n"
        "@kernel\ndef f(x: f32) -> f32:\n    return g(x)\n"
    )
    module = frontend.read(text, "k.py", options={"rules": str(tmp_path / "mine.py")})
    outcome = interpret(module.functions["f"], {"x": 3.0}, memory_for(module, {}))
    assert outcome.value == 3.0 * 3.0 + 1.0 - 3.0


def test_a_name_of_the_library_is_free_where_it_is_not_imported(run):
    text = "@kernel\ndef exp(log: i64) -> i64:\n    sin = log + 1\n    return sin\n"
    assert run(text, log=4).value == 5


def test_a_function_of_the_file_is_called_instead_of_the_library_s(run):
    own = "from compiler.kernel import function\n@function\ndef exp(x: f32) -> f32:\n    return x\n"
    assert run(f"{own}@kernel\ndef f() -> f32:\n    return exp(3)\n").value == 3.0


@pytest.mark.parametrize(
    ("name", "meaning"),
    [("abs", "a built-in function"), ("max", "a built-in function"), ("i32", "a type"),
     ("nan", "a reserved word of the IR"), ("tanh", "a name of compiler.kernel"),
     ("A", "a module constant")],
)  # fmt: skip
def test_a_function_is_not_called_as_something_else_is(read, name, meaning):
    """A kernel would have called the other one, without a word."""
    own = (
        f"from compiler.kernel import function, tanh\nA = 3\n@function\ndef {name}(x: f32) -> f32:"
    )
    kernel = f"@kernel\ndef f(x: f32) -> f32:\n    return {name}(x)\n"
    found = findings(read, f"{own}\n    return x * 100\n{kernel}")
    assert found[0] == (f"'{name}' is {meaning} already", name, "use another name")


def test_kernels_that_call_no_function_do_not_wait_for_graphs():
    program = (
        "import sys\nfrom compiler.frontends.python import frontend\n"
        "frontend.read(sys.argv[1], 'k.py')\n"
        "print([m for m in sys.modules if m.startswith('compiler.levels.arrays')])\n"
    )
    text = f"from compiler.kernel import *\n{LOGISTIC}@kernel\ndef f():\n    pass\n".replace(
        "*", "exp, f32, function, i64, kernel"
    )
    given = [sys.executable, "-c", program, text]
    out = subprocess.run(given, capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


# On machines -------------------------------------------------------------------------------------


def ran(folder: Path, machine: str, text: str, arguments: dict, **more) -> sim.Result:
    names = "boolean, f32, grid, i64, kernel"
    (folder / "k.py").write_text(f"from compiler.kernel import {names}\n{IMPORTS}{text}")
    about = {"workload": "calls", "program": "k.py", "machine": machine, "arguments": arguments}
    path = folder / "workload.yaml"
    path.write_text(yaml.safe_dump({**about, **more}))
    result = sim.run(path)
    assert result.status == "done", result.fault
    return result


def test_on_a_processor(tmp_path: Path):
    text = f"""{GRADE}{ACTIVATE}    y[0] = logistic(2.0) if grade(50, False) == 7 else 0.0
"""
    x = np.linspace(-9, 9, 40, dtype=np.float32)
    arguments = {
        "n": 40,
        "x": {"dtype": "f32", "values": x.tolist()},
        "y": {"dtype": "f32", "shape": [40], "value": 0},
    }
    found = ran(tmp_path, "itanium2", text, arguments).outputs["y"]
    x[0] = 2.0
    np.testing.assert_allclose(found, logistic(x), rtol=1e-6)


def test_on_a_gpu_in_a_device_kernel(tmp_path: Path):
    text = f"""{LOGISTIC}{STEPS}
@function
def both(p: boolean, q: boolean) -> boolean:
    if p:
        found = q and steps(5) == 5
    else:
        found = False
    return found

@kernel
def gated(x: f32, i: i64) -> f32:
    if steps(i + 1) > 3 and logistic(x) < 0.7:
        return tanh(x)
    return logistic(x)

@kernel
def activate(n: i64, x: f32[:], y: f32[:], z: i64[:]):
    i = i64(grid(1))
    if i < n and both(True, i < n):
        y[i] = gated(x[i], i)
        z[i] = steps(i + 1)
"""
    x = np.linspace(-3, 3, 40, dtype=np.float32)
    arguments = {
        "n": 40,
        "x": {"dtype": "f32", "values": x.tolist()},
        "y": {"dtype": "f32", "shape": [40], "value": 0},
        "z": {"dtype": "i64", "shape": [40], "value": 0},
    }
    launch = {"kernel": "activate", "grid": [2], "block": [32], "arguments": [*arguments]}
    found = ran(tmp_path, "teaching_gpu", text, arguments, launches=[launch]).outputs
    turns = np.array([steps(i + 1) for i in range(40)])
    wanted = np.where((turns > 3) & (logistic(x) < 0.7), np.tanh(x), logistic(x))
    np.testing.assert_allclose(found["y"], wanted, rtol=1e-5)
    assert found["z"].tolist() == turns.tolist()


# What is refused ---------------------------------------------------------------------------------

FUNCTIONS = """
@function
def whole(x: f32[:]) -> f32:
    return sum(x)

@function
def many(x: f32) -> f32[:]:
    return replicate(x, 3)

@function
def pair(x: f32) -> tuple[f32, f32]:
    return x, x

@function
def sums(n: i64) -> i64:
    return max(scan(lambda a, b: a + b, 0, iota(max(n, 1))))

@function
def third(n: i64) -> i64:
    return iota(4)[n]

@function
def square(x: f32) -> f32:
    return x * x
"""
REFUSED = [
    # statement, message, text marked, hint
    ("v = whole(x)", "kernels call functions of scalars, but parameter x of whole is f32[:]",
     "whole(x)", "write a loop that calls a function of one element"),
    ("v = many(t)", "kernels call functions of scalars, but the result of many is f32[:]",
     "many(t)", "write a loop"),
    ("v = pair(t)", "kernels call functions of scalars, but the result of pair is tuple[f32, f32]",
     "pair(t)", "write a loop"),
    ("v = sums(n)", "sums needs memory of its own", "sums(n)", "with a scratch array"),
    ("v = third(n)", 'third may fault with "index out of range" in line 23; kernels', "third(n)",
     "compute it so that it cannot"),
    ("v = square(t, t)", "expected 1 argument(s), got 2", "square(t, t)", "write square(x)"),
    ("v = square(d)", "parameter x of square is f32, which does not hold every f64", "d",
     "write f32(d)"),
    ("v = square(x)", "'x' is an array", "x", "index it"),
    ("v = third(1.5)", 'third may fault', "third(1.5)", ""),
    ("v = sin(d)", "parameter x of sin is f32, which does not hold every f64", "d", "write f32(d)"),
    ("v = sin(t, t)", "expected 1 argument(s), got 2", "sin(t, t)", "write sin(x)"),
    ("v = sin", "'sin' is a name of compiler.kernel, not a value", "sin", "call it"),
    ("v = square", "'square' is a function of arrays, not a value", "square", "call it"),
    ("square = 1", "'square' is a function of arrays", "square", "use another name"),
    ("sin = 1", "'sin' is a name of compiler.kernel", "sin", "use another name"),
    ("square(t)", "the value is not used", "square(t)", "assign it"),
    ("v = sqare(t)", "there is no function or kernel 'sqare'", "sqare", "did you mean 'square'?"),
    ("v = math.exp(t)", "'math.exp' is not in the language", "math.exp", "write exp(…), of an f32"),
]  # fmt: skip


def findings(read, text: str) -> list[tuple[str, str, str]]:
    with pytest.raises(InputError) as caught:
        read(IMPORTS + text)
    lines = ["", "", *(IMPORTS + text).split("\n")]
    found = []
    for finding in caught.value.diagnostics:
        place = finding.location
        start = place.column - 1
        marked = lines[place.line][start : start + place.length]
        found.append((finding.message, marked, finding.hint or ""))
    return found


@pytest.mark.parametrize(("statement", "message", "marked", "hint"), REFUSED)
def test_what_is_refused(read, statement, message, marked, hint):
    extra = "from compiler.kernel import replicate, scan, iota\n"
    text = (
        f"{extra}{FUNCTIONS}\n@kernel\ndef f(n: i64, t: f32, d: f64, x: f32[:]):\n    {statement}"
    )
    [found] = findings(read, text)
    assert found[0].startswith(message) and found[1] == marked and hint in found[2]


def test_the_library_has_to_be_imported(read):
    with pytest.raises(InputError) as caught:
        read("@kernel\ndef f(t: f32) -> f32:\n    return exp(t)\n")
    [finding] = caught.value.diagnostics
    assert finding.message == "'exp' is not imported"
    assert finding.hint == "write: from compiler.kernel import exp"


@pytest.mark.parametrize("wrong", ["return g(x)", "return x + y", "return h(x)"])
def test_findings_of_the_functions_come_with_the_kernel_s(read, wrong):
    """A call of a function that is wrong adds no finding, nor does a second call."""
    text = f"""
@function
def g(x: f32) -> f32:
    {wrong}

@kernel
def h(t: f32) -> f32:
    v = g(t) + g(t)
    w: i64 = t
    return v
"""
    messages = {
        "return g(x)": "recursion is not in the language: g calls g",
        "return x + y": "unknown name 'y'",
        "return h(x)": "'h' is a kernel, which functions do not call",
    }
    first, second = findings(read, text)
    assert first[0].startswith(messages[wrong])
    assert second[0] == "'w' is i64, which does not hold every f32"


def test_what_both_readers_find_is_said_once(read):
    text = """
N = 1 / 2

@function
def g(x: f32) -> f32:
    return x * N

@kernel
def h(t: f32) -> f32:
    return g(t)
"""
    [(message, marked, _)] = findings(read, text)
    assert message == "'/' of two integers is not in the language" and marked == "1 / 2"


@pytest.mark.parametrize("entries", [(), ("f",)])
def test_a_kernel_and_a_function_of_one_name(entries):
    text = (
        "from compiler.kernel import f32, function, kernel\n\n"
        "@function\ndef f(x: f32) -> f32:\n    return x\n\n@kernel\ndef f():\n    pass\n"
    )
    with pytest.raises(InputError) as caught:
        frontend.read(text, "k.py", None, entries)
    assert str(caught.value).split("\n")[0] == (
        "k.py:8:5: error: 'f' is a function of arrays already  [python-kernel]"
    )
    assert caught.value.diagnostics[0].hint == "use another name"


def test_too_many_calls_are_too_much(read, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(frame, "MOST_INLINED", 100)
    calls = " + ".join(["logistic(x)"] * 50)
    lines = "".join(f"    y += {calls}\n" for _ in range(3))
    text = f"{LOGISTIC}\n@kernel\ndef f(x: f32) -> f32:\n    y = x\n{lines}    return y\n"
    [(message, marked, hint)] = findings(read, text)
    assert message == "more than 100 calls are inlined into f"
    assert marked == "logistic(x)" and hint == "call from a loop instead of from many places"
