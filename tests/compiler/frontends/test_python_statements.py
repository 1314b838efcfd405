"""What statements of kernels do: loops, choices, assignments, arrays, tables."""

from __future__ import annotations

import numpy as np
import pytest


def collect(header: str, parameters: str = "") -> str:
    """A kernel that notes each value of `i` in a loop, and how many there were."""
    return f"""
@kernel
def f({parameters}seen: i64[:]) -> i64:
    count = 0
    {header}:
        seen[count] = i64(i)
        count += 1
    return count
"""


RANGES = [
    (0, 5, 1), (5, 0, 1), (3, 3, 1), (-2, 2, 1), (0, 10, 3), (0, 9, 3), (5, 0, -1), (0, 5, -1),
    (10, 0, -3), (9, 0, -3), (9, -1, -3), (4, 3, -1), (0, 1, 100), (-5, 7, 4),
]  # fmt: skip


@pytest.mark.parametrize("start, stop, step", RANGES)
def test_range_counts_as_in_python(run, start, stop, step):
    """By literals, by variables with a constant step, and (upward) with a variable step."""
    forms = [(collect(f"for i in range({start}, {stop}, {step})"), {})]
    bounds = {"a": start, "b": stop}
    forms.append((collect(f"for i in range(a, b, {step})", "a: i64, b: i64, "), bounds))
    if step > 0:
        text = collect("for i in range(a, b, s)", "a: i64, b: i64, s: i64, ")
        forms.append((text, {**bounds, "s": step}))
    for text, arguments in forms:
        done = run(text, **arguments, seen=np.zeros(12, np.int64))
        expected = list(range(start, stop, step))
        assert done.arrays["seen"][: done.value].tolist() == expected


@pytest.mark.parametrize(
    "type, start, stop, step",
    [
        ("i8", 120, 127, 5), ("i8", -120, -128, -5), ("u8", 250, 255, 4), ("u8", 3, 0, -2),
        ("u8", 0, 2, 7), ("i8", -128, -127, 100), ("u8", 254, 255, 1), ("u8", 1, 0, -1),
    ],
)  # fmt: skip
def test_ranges_end_at_the_end_of_their_type(run, type, start, stop, step):
    """The counter must not wrap past the stop; by literals and by variables."""
    for bounds in (f"{start}, {stop}", "a, b"):
        text = f"""
@kernel
def f(a: {type}, b: {type}, seen: i64[:]) -> i64:
    count = 0
    i: {type} = 0
    for i in range({bounds}, {step}):
        seen[count] = i
        count += 1
    return count
"""
        done = run(text, a=start, b=stop, seen=np.zeros(8, np.int64))
        assert done.arrays["seen"][: done.value].tolist() == list(range(start, stop, step))


@pytest.mark.parametrize("step", [0, -1])
def test_variable_step_must_be_positive(run, step):
    text = collect("for i in range(0, 3, s)", "s: i64, ")
    fault = run(text, s=step, seen=np.zeros(4, np.int64)).fault
    assert (fault.kind, fault.location.line) == ("division by zero", 6)


def test_body_may_change_the_loop_variable_and_the_bounds(run):
    """Python's range goes on undisturbed, and remembers its bounds."""
    text = """
@kernel
def f(n: i64, seen: i64[:]) -> i64:
    count = 0
    for i in range(n):
        n = 0
        i *= 10
        seen[count] = i
        count += 1
    return count
"""
    done = run(text, n=3, seen=np.zeros(3, np.int64))
    assert (done.value, done.arrays["seen"].tolist()) == (3, [0, 10, 20])


def test_loop_variable_keeps_its_last_value(run):
    """Assigned before, so it has a value after the loop: the last, not one past it."""
    text = """
@kernel
def f(n: i64) -> i64:
    i = -7
    for i in range(n):
        pass
    return i
"""
    assert (run(text, n=3).value, run(text, n=0).value) == (2, -7)


def test_range_may_read_its_own_variable(run):
    text = """
@kernel
def f(i: i64) -> i64:
    total = 0
    for i in range(i, i + 3):
        total = total * 10 + i
    return total
"""
    assert run(text, i=4).value == 456


def test_break_and_continue(run):
    text = """
@kernel
def f(n: i64) -> i64:
    total = 0
    for i in range(n):
        if i % 2 == 1:
            continue
        if i > 6:
            break
        j = 0
        while True:
            j += 1
            if j == 2:
                continue
            if j > i:
                break
            total += 1
        total += 100
    return total
"""

    def meaning(n):
        total = 0
        for i in range(n):
            if i % 2 == 1:
                continue
            if i > 6:
                break
            total += len([j for j in range(1, i + 1) if j != 2]) + 100
        return total

    assert [run(text, n=n).value for n in range(12)] == [meaning(n) for n in range(12)]


def test_elif_and_nested_choices(run):
    text = """
@kernel
def f(a: i64) -> i64:
    if a < 0:
        return -1
    elif a == 0:
        result = 10
    elif a < 5:
        if a == 3:
            result = 33
        else:
            result = 20
    else:
        result = 30
    return result
"""
    assert [run(text, a=a).value for a in (-5, 0, 1, 3, 4, 5)] == [-1, 10, 20, 33, 20, 30]


def test_constant_conditions_choose_when_compiled(run, read):
    text = """
WIDE = 1
@kernel
def f(a: i64) -> i64:
    if WIDE == 1 and not False:
        return a * 2
    else:
        return a
"""
    assert run(text, a=4).value == 8
    assert len(read(text).functions["f"].blocks) == 2


def test_tuple_assignment_computes_all_values_first(run):
    text = """
@kernel
def f(a: i64, b: i64, x: i64[2]) -> i64:
    a, b = b, a
    x[0], x[1] = x[1], x[0]
    i, x[i_of(b)] = 1, a
    c, d, e = a, b, a + b + i
    c, d, e = d, e, c
    return c * 10000 + d * 100 + e

@kernel
def i_of(b: i64) -> i64:
    return b - 1
"""
    done = run(text, entry="f", a=1, b=2, x=np.array([5, 6]))
    assert (done.value, done.arrays["x"].tolist()) == (10000 + 400 + 2, [2, 5])


def test_augmented_assignment_finds_its_element_once(run):
    text = """
@kernel
def index(calls: i64[1]) -> i64:
    calls[0] += 1
    return calls[0]

@kernel
def f(calls: i64[1], x: i64[:]):
    x[index(calls)] += 10
    x[0] -= 1
    x[0] *= 3
    x[0] //= 2
    x[0] %= 7
    x[0] <<= 3
    x[0] >>= 1
    x[0] |= 1
    x[0] &= 29
    x[0] ^= 2
    x[0] **= 2
"""
    done = run(text, calls=np.zeros(1, np.int64), x=np.array([9, 1, 2]))
    assert done.arrays["calls"][0] == 1
    value = ((((((9 - 1) * 3) // 2) % 7 << 3) >> 1 | 1) & 29) ^ 2
    assert done.arrays["x"].tolist() == [value**2, 11, 2]


@pytest.mark.parametrize(
    "dtype", ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "boolean"]
)
def test_arrays_of_every_type(run, dtype):
    """Elements arrive with their sign, and are written back as they were read."""
    numpy_type = {"boolean": "bool", "f": "float", "i": "int", "u": "uint"}
    name = "bool" if dtype == "boolean" else numpy_type[dtype[0]] + dtype[1:]
    values = [True, False, True] if dtype == "boolean" else [1, 0, 100]
    array = np.array(values).astype(name)
    if dtype[0] in "iu":
        array[1] = np.iinfo(name).min
        array[2] = np.iinfo(name).max
    text = f"""
@kernel
def f(n: i64, x: {dtype}[:], y: {dtype}[:], wide: f64[:]):
    for i in range(n):
        element = x[i]
        y[n - 1 - i] = element
        wide[i] = f64(element)
"""
    done = run(text, n=3, x=array, y=np.zeros_like(array), wide=np.zeros(3))
    assert done.arrays["y"].tolist() == array[::-1].tolist()
    assert done.arrays["wide"].tolist() == array.astype(float).tolist()


def test_rows_of_arrays_lie_one_after_another(run):
    text = """
DEPTH = 3
@kernel
def f(n: i32, m: i32, a: i32[n, m + 1], b: i64[:, m, DEPTH]):
    rows = n
    n = 0
    m = 0
    for i in range(rows):
        a[i, 2] = i
        b[i, 1, DEPTH - 1] = len(a)
"""
    a, b = np.zeros((3, 5), np.int32), np.zeros((3, 4, 3), np.int64)
    done = run(text, n=3, m=4, a=a, b=b)
    a[:, 2], b[:, 1, 2] = [0, 1, 2], 3
    assert (done.arrays["a"] == a).all() and (done.arrays["b"] == b).all()


def test_indices_of_any_integer_type(run):
    text = """
@kernel
def f(i: u8, j: i16, k: u64, x: i64[:]) -> i64:
    return x[i] * 100 + x[j] * 10 + x[k]
"""
    x = np.zeros(256, np.int64)
    x[[200, 3, 4]] = [1, 2, 3]
    assert run(text, i=200, j=3, k=4, x=x).value == 123


def test_tables_and_constants(run):
    text = """
SIZE = 2 * 4
HALF: f32 = 0.5
MASK: u32 = 0xFF00FF00
POWERS: u32[SIZE // 2] = [1, 2, 4, SIZE]
ZEROS: u8[:] = [7, 8] * 3
MATRIX: i64[2, 3] = [[1, 2, 3], [-4, -5, -6]]
FLAGS: boolean[2] = [True, False]

@kernel
def f(i: i64, out: f64[:]) -> u32:
    out[0] = POWERS[i] * HALF
    out[1] = f64(MATRIX[1, i - 1] + ZEROS[5])
    out[2] = f64(len(ZEROS) + len(MATRIX))
    out[3] = 1 if FLAGS[0] and not FLAGS[1] else 0
    return MASK | POWERS[0]
"""
    done = run(text, i=3, out=np.zeros(4))
    assert done.arrays["out"].tolist() == [4.0, 2.0, 8.0, 1.0]
    assert done.value == 0xFF00FF01


def test_scratch_arrays_begin_as_zeros_and_keep_their_contents(run):
    """As C's static: a kernel called twice finds what it left."""
    text = """
@kernel
def count(k: i64) -> i32:
    seen: i32[2, 4]
    seen[1, k] += 1
    return seen[1, k]

@kernel
def f() -> i32:
    return count(1) * 100 + count(1) * 10 + count(2)
"""
    assert run(text).value == 121


def test_out_of_bounds_faults_at_the_element(run):
    text = """
@kernel
def f(x: i64[:]) -> i64:
    return 1 + x[2]
"""
    fault = run(text, x=np.zeros(2, np.int64)).fault
    place = fault.location
    assert (fault.kind, place.line, place.column, place.length) == ("out of bounds", 5, 16, 4)


def test_declared_without_value(run):
    text = """
@kernel
def f(a: i64) -> u8:
    x: u8
    if a > 0:
        x = 1
    else:
        x = 255
    return x
"""
    assert (run(text, a=1).value, run(text, a=0).value) == (1, 255)


def test_endless_loop_assigns_what_its_breaks_do(run):
    text = '''
@kernel
def f(n: i64) -> i64:
    """Docstrings are allowed."""
    i = 0
    while True:
        i += 1
        if i > n:
            found = i * 2
            break
    return found
'''
    assert run(text, n=5).value == 12
