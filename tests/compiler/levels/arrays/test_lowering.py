"""What functions of arrays become: how many loops, what is stored, and what is checked."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.ir.copy import copy_function
from compiler.ir.module import Function
from compiler.levels.arrays.lowering import lowering
from compiler.levels.arrays.programs import lower_function, parse
from machines.diagnostics import InputError
from tests.programs.lowered_functions import Ended, interpreted, lowered

HEAD = "from compiler.kernel import {}\n\n"
NAMES = (
    "boolean, f32, f64, filter, function, gather, i32, i64, iota, reduce, replicate, rows, scan, "
    "scatter, scatter_add, sqrt"
)


def code(text: str, over: str = "", **more: Any) -> Function:
    """The IR of the last function of a text, vectorized over parameters."""
    text = HEAD.format(NAMES) + text
    entry = text.rpartition("def ")[2].partition("(")[0]
    return lowered(text, entry, [over.split(",")] if over else [], **more)


def loops(function: Function) -> int:
    """How many there are: blocks that one behind them, or they themselves, lead back to."""
    order = list(function.blocks)
    backward = [
        target
        for k, name in enumerate(order)
        for target in function.blocks[name].successors
        if order.index(target) <= k
    ]
    return len(set(backward))


def count(function: Function, row: str) -> int:
    """How many instructions are of a row, by the begin of its name."""
    return sum(i.operation.name.startswith(row) for _, i in function.instructions())


def gives(function: Function, *values: Any) -> Any:
    ended = interpreted(function)(list(values))
    if ended.fault is not None:
        return ended.fault
    outputs = {name: array.tolist() for name, array in ended.outputs.items()}
    return outputs["return"] if list(outputs) == ["return"] else outputs


SAXPY = "@function\ndef saxpy(a: f32, x: f32, y: f32) -> f32:\n    return a * x + y\n"


def test_elementwise_chains_are_one_loop():
    f = code(SAXPY, "x,y")
    assert loops(f) == 1 and count(f, "store.f32") == 1
    assert gives(f, 2.0, [1.0, 2.0], [3.0, 4.0]) == [5.0, 8.0]
    assert gives(f, 2.0, [1.0], []) == "unequal lengths"


def test_a_chain_and_the_fold_at_its_end_are_one_loop():
    f = code("""
@function
def norm(xs: f64[:], ys: f64[:]) -> f64:
    return sum([d * d for d in [x - y for x, y in zip(xs, ys)]])
""")
    assert loops(f) == 1 and count(f, "store.f64") == 1  # of the result
    assert gives(f, [4.0, 1.0], [1.0, 5.0]) == 25.0


def test_a_sum_of_every_row_is_a_loop_in_a_loop():
    f = code("""
@function
def spmv(rows: tuple[i32, f32][:][:], x: f32[:]) -> f32[:]:
    return [sum([v * x[j] for j, v in row]) for row in rows]
""")
    assert loops(f) == 2 and count(f, "store.f32") == 1
    assert gives(f, [[(0, 1.0), (1, 2.0)], []], [3.0, 4.0]) == [11.0, 0.0]


ARMS = """
@function
def root(x: f64, table: f64[:]) -> f64:
    if x > 0:
        y = table[i64(x)]
    else:
        y = -x
    return y
"""


def test_arms_that_were_packed_and_merged_are_a_branch_in_the_loop():
    f = code(ARMS, "x")
    assert loops(f) == 1 and count(f, "store.f64") == 1
    assert gives(f, [1.0, -2.0], [7.0, 8.0]) == [8.0, 2.0]
    assert gives(f, [-1.0, 2.0], [7.0, 8.0]) == "index out of range"
    assert gives(f, [-1.0, -2.0], []) == [1.0, 2.0]


def test_few_operations_are_a_select():
    f = code(
        "@function\ndef clip(x: i32, low: i32) -> i32:\n    return low if x < low else x\n", "x"
    )
    assert count(f, "select.i32") == 1 and loops(f) == 1


LANES_LOOP = """
@function
def halvings(n: i64) -> i64:
    k = 0
    while n > 0:
        n = n // 2
        k += 1
    return k
"""


def test_a_loop_of_lanes_is_a_loop_in_each_lane():
    f = code(LANES_LOOP, "n")
    assert loops(f) == 2
    assert gives(f, [8, 0, 1]) == [4, 0, 1]


def test_what_a_map_captures_is_computed_once():
    """Also if it may fault: but only if the map has an element."""
    f = code("""
@function
def scaled(xs: f64[:], ys: f64[:]) -> f64[:]:
    most = max(xs)
    return [y / most for y in ys]
""")
    assert loops(f) == 2
    assert gives(f, [2.0, 4.0], [8.0]) == [2.0]
    assert gives(f, [], [8.0]) == "index out of range"
    assert gives(f, [], []) == []


def test_what_a_lambda_captures_that_another_one_calls_is_computed_once():
    f = code("""
@function
def f(xs: f64[:]) -> f64[:]:
    mean = sum(xs) / f64(len(xs))
    centred = [x - mean for x in xs]
    variance = sum([c * c for c in centred])
    return [c / sqrt(variance) for c in centred]
""")
    assert loops(f) == 3
    assert gives(f, [1.0, 3.0]) == [-1 / 2**0.5, 1 / 2**0.5]


def test_what_a_lambda_in_a_map_captures_may_need_what_the_map_needs():
    f = code("""
@function
def f(xs: i64[:], d: i64) -> i64[:]:
    q = 100 // d
    r = q // d
    return [(r if x > 0 else 0) + q for x in xs]
""")
    assert gives(f, [1, -1], 5) == [24, 20] and gives(f, [], 0) == []
    assert gives(f, [-1], 0) == "division by zero"


INDEX = """
@function
def f(xs: f64[:], ys: f64[:]) -> f64:
    n = len(xs)
    return sum([{} for k in range({})])
"""


@pytest.mark.parametrize(
    "element, bounds, checks",
    [
        ("xs[k]", "n", 0),
        ("xs[k - 1] + xs[k + 1]", "1, n - 1", 0),
        ("xs[k + 1]", "n", 1),
        ("ys[k]", "n", 1),
        ("ys[k - 1]", "1, n", 1),
        ("xs[k * 2]", "n", 1),
        ("xs[n - 1 - k]", "n", 1),
        ("xs[k - 1]", "n", 1),
        ("xs[k] if k < 3 else ys[k]", "n", 1),
    ],
)
def test_checks_of_indices(element: str, bounds: str, checks: int):
    f = code(INDEX.format(element, bounds))
    faults = [i for _, i in f.instructions() if i.operation.name == "branch"]
    assert sum(any(to.startswith("fault") for to in i.labels) for i in faults) == checks
    short = [1.0, 2.0, 3.0, 4.0]
    for xs, ys in ((short, short), (short, short[:3]), (short, []), ([], []), (short[:1], short)):
        n = len(xs)
        span = eval(f"range({bounds})", {"n": n})

        def one(k: int, xs=xs, ys=ys, n=n) -> float:
            return eval(element, {"k": k, "n": n, "xs": Strict(xs), "ys": Strict(ys)})

        try:
            wanted: Any = sum((one(k) for k in span), 0.0)
        except IndexError:
            wanted = "index out of range"
        assert gives(f, xs, ys) == wanted, (xs, ys)


class Strict(list):
    """A list that does not count from its end."""

    def __getitem__(self, index: int) -> float:
        if index < 0:
            raise IndexError
        return super().__getitem__(index)


def test_a_check_that_every_iteration_would_make_stands_before_the_loop():
    f = code(INDEX.format("ys[k] * xs[k]", "n"))
    inside = {t for name, b in f.blocks.items() for t in b.successors if t == name}
    assert loops(f) == 1 and inside  # the loop is one block: nothing leaves it in the middle


def test_indices_are_not_checked_where_that_is_allowed():
    text = HEAD.format(NAMES) + INDEX.format("xs[k * 2]", "n")
    f = lowered(text, "f", [], allow=("unchecked",))
    assert not any(name.startswith("fault") for name in f.blocks)


GROWING = """
@function
def turned(n: i64, xs: i64[:]) -> i64[:]:
    for k in range(n):
        xs = [x + k for x in xs]
    return xs
"""


def test_a_loop_with_arrays_as_state_needs_no_more_memory_for_more_iterations():
    f = code(GROWING)
    few, many = (peak(f, n, list(range(50))) for n in (3, 300))
    assert few == many
    assert gives(f, 300, [1, 2]) == [1 + 44850, 2 + 44850]


def peak(f: Function, *values: Any) -> int:
    """The smallest arena, in steps of 64 bytes, in which a call ends well."""
    low, high = 0, 1 << 14
    while low < high:
        middle = (low + high) // 2
        ended = run_in(f, middle * 64, *values)
        if ended.fault is None:
            high = middle
        else:
            assert ended.fault == "scratch memory too small"
            low = middle + 1
    return low


def run_in(f: Function, size: int, *values: Any) -> Ended:
    return interpreted(f, size or 8)(list(values)) if size >= 256 else Ended(None, TOO_SMALL, 1)


TOO_SMALL = "scratch memory too small"


LAST = """
@function
def last(n: i64, xs: i64[:]) -> i64[:]:
    return [xs[len(xs) - 1] for xs in [[x + k for x in xs if x > 3] for k in range(n)]]
"""
TURNS = """
@function
def iterations(n: i64, xs: i64[:]) -> i64:
    total = 0
    for k in range(n):
        ys = [x + k for x in xs if x > 3]
        total += ys[len(ys) - 1]
    return total
"""


@pytest.mark.parametrize("text, size", [(LAST, 8), (TURNS, 0)], ids=["map", "for"])
def test_temporaries_of_an_iteration_are_given_back(text: str, size: int):
    """Each iteration's own array lies in memory, as its last element is taken."""
    f, xs = code(text), list(range(20))
    assert gives(f, 3, xs) == ([19, 20, 21] if size else 60)
    small, large = peak(f, 10, xs), peak(f, 100, xs)
    assert (large - small) * 64 <= 90 * size + 64
    assert small * 64 > 16 * 8


def test_checks_of_an_arm_stay_in_it():
    """Of ys there are as many as lanes that need one: before the loop, the check would fault."""
    f = code("""
@function
def f(xs: i64[:], ys: i64[:]) -> i64[:]:
    return [ys[i] if x > 0 else x for i, x in enumerate(xs)]
""")
    assert gives(f, [1, 2, -3, 0], [7, 8]) == [7, 8, -3, 0]
    assert gives(f, [1, 2, 3, 0], [7, 8]) == "index out of range"


def test_what_a_fault_needs_is_computed_although_nobody_uses_it():
    f = code("""
@function
def first(xs: i64[:], d: i64) -> i64:
    return [x // d for x in xs][0] + len([x % d for x in xs])
""")
    assert gives(f, [6, 8], 2) == 5
    assert gives(f, [6, 8], 0) == "division by zero"
    g = code("""
@function
def length(xs: i64[:], ys: i64[:]) -> i64:
    return len([ys[x] for x in xs])
""")
    assert gives(g, [0, 1], [5, 5]) == 2
    assert gives(g, [0, 2], [5, 5]) == "index out of range"


PART = """
@function
def helper(xs: i64[:], ys: i64[:]) -> tuple[i64[:], i64]:
    return ([ys[x] for x in xs], 5)

@function
def main({}, ys: i64[:]) -> {}:
    return {}
"""


def test_a_part_of_a_tuple_that_nobody_uses_may_fault():
    f = code(PART.format("xs: i64[:]", "i64", "helper(xs, ys)[1]"))
    assert (gives(f, [0, 1], [1, 2]), gives(f, [5], [1, 2])) == (5, "index out of range")
    lanes = code(PART.format("xs: i64[:]", "i64", "helper(xs, ys)[1]"), "xs")
    rows = code(PART.format("xss: i64[:][:]", "i64[:]", "[helper(xs, ys)[1] for xs in xss]"))
    for f in (lanes, rows):
        assert gives(f, [[0, 1], []], [1, 2]) == [5, 5]
        assert gives(f, [[], [5]], [1, 2]) == "index out of range"


SPREAD = """func f(y: i64[:], n: i64[:]) -> i64 {
    s1 = const.i64 10
    s2 = length(y): i64
    s3 = replicate(s1, s2): i64[:]
    s4 = each.div_s.i64(s3, y): i64[:]
    s5 = spread(s4, n): i64[:]
    s6 = const.i64 0
    s7 = reduce[add.i64](s6, s5): i64
    return s7
}
"""


def test_what_is_spread_along_an_empty_row_may_fault():
    f = copy_function(parse(SPREAD, "f.graph").functions["f"])
    lower_function(f, ())
    assert gives(f, [1, 2], [3, 0]) == 30
    assert gives(f, [1, 0], [3, 0]) == gives(f, [1, 0], [3, 1]) == "division by zero"


def test_the_length_of_what_is_packed_is_counted_only_as_a_number():
    f = code("""
@function
def kept(xs: f64[:]) -> f64:
    return sum([x for x in xs if x > 0])
""")
    assert loops(f) == 1
    g = code("""
@function
def mean(xs: f64[:]) -> f64:
    ys = [x for x in xs if x > 0]
    return sum(ys) / len(ys)
""")
    assert gives(g, [1.0, -1.0, 3.0]) == 2.0


def test_places_among_what_is_packed_are_counted_if_they_are_needed():
    """Lowering begins anew when it finds that they are."""
    f = code("""
@function
def numbered(xs: i64[:]) -> i64:
    ys = [x for x in xs if x > 0]
    return sum([k * y for k, y in enumerate(ys)])
""")
    assert gives(f, [5, -1, 6, 7]) == 6 + 14


def test_reductions_in_several_chains():
    text = HEAD.format(NAMES) + "@function\ndef f(xs: f64[:]) -> f64:\n    return sum(xs)\n"
    f = lowered(text, "f", [], allow=("reassociate",))
    for n in range(10):
        xs = [float(k + 1) for k in range(n)]
        assert gives(f, xs) == sum(xs)
    negative = text.replace("sum(xs)", "sum(xs, -0.0)")
    zeros = lowered(negative, "f", [], allow=("reassociate",))
    assert [gives(zeros, [-0.0] * n).hex() for n in (0, 1, 4, 5)] == ["-0x0.0p+0"] * 4
    large = [1e100, -1e100, 1.0, 1.0] * 2
    assert gives(f, large) == 4.0 and gives(lowered(text, "f", []), large) == 2.0
    other = text.replace("sum(xs)", "reduce(lambda a, b: a - b, 0.0, xs)")
    g = lowered(other, "f", [], allow=("reassociate",))
    assert gives(g, [1.0, 2.0, 3.0, 4.0, 5.0]) == -15.0


def test_scatters_check_equal_indices_unless_they_cannot_be_equal():
    f = code("""
@function
def shifted(xs: i64[:], ys: i64[:]) -> i64[:]:
    return scatter(xs, range(1, len(ys) + 1), ys)
""")
    assert gives(f, [1, 2, 3], [8, 9]) == [1, 8, 9]
    assert gives(f, [1, 2], [8, 9]) == "index out of range"
    assert count(f, "store.i8") == 0
    g = code("@function\ndef put(xs: i64[:], k: i64[:]) -> i64[:]:\n    return scatter(xs, k, k)\n")
    assert gives(g, [0, 0, 0], [2, 1]) == [0, 1, 2]
    assert gives(g, [0, 0, 0], [1, 1]) == "equal indices"


def test_too_many_calls_are_refused(monkeypatch):
    """With a tenth of the usual limit, which takes seconds to reach."""
    monkeypatch.setattr(lowering, "MOST_VARIABLES", 20_000)
    text = "".join(
        f"@function\ndef f{k}(x: f64) -> f64:\n    return f{k - 1}(x + 1) * f{k - 1}(x - 1)\n\n"
        for k in range(1, 19)
    )
    text = "@function\ndef f0(x: f64) -> f64:\n    return x * x + 1\n\n" + text
    with pytest.raises(InputError, match="more than 20000 variables, as every call is inlined"):
        code(text)


def test_without_rewrites_it_does_the_same():
    f, g = code(ARMS, "x"), code(ARMS, "x", rules="none")
    for xs in ([1.0, -2.0], [], [-1.0]):
        assert gives(f, xs, [7.0, 8.0]) == gives(g, xs, [7.0, 8.0])


STATES = """
@function
def f(n: i64, xs: i64[:], ys: i64[:]) -> tuple[i64[:], i64[:]]:
    for k in range(n):
        t = [xs[len(xs) - 1 - i] + k for i in range(len(xs))]
        xs = ys
        ys = t
    return (xs, ys)
"""
GRIDS = """
@function
def f(n: i64, g: i64[:][:]) -> i64[:][:]:
    for k in range(n):
        turned = [g[(r + 1) % len(g)] for r in iota(len(g))]
        rows = zip(iota(len(g)), turned)
        g = [[x + k for x in row] if len(row) > r + k % 2 else row for r, row in rows]
    return g
"""


def test_states_that_are_passed_on_are_not_made_over():
    f, xs, ys = code(STATES), [1, 2, 3], [10, 20, 30]
    for n in range(7):
        assert gives(f, n, [1, 2, 3], [10, 20, 30]) == {"return.0": xs, "return.1": ys}
        xs, ys = ys, [x + n for x in xs[::-1]]


def test_rows_of_states_that_are_passed_on_are_not_made_over():
    f, g = code(GRIDS), [[1, 2, 3], [10], [], [5, 6], [7, 7, 7, 7]]
    given = list(g)
    for n in range(9):
        lengths, values = [len(row) for row in g], [x for row in g for x in row]
        assert gives(f, n, given) == {"return.lengths": lengths, "return.values": values}
        turned = [g[(r + 1) % 5] for r in range(5)]
        g = [[x + n for x in row] if len(row) > r + n % 2 else row for r, row in enumerate(turned)]


def test_loops_with_arrays_that_end_in_the_second_half_do_not_lose_the_first():
    """A hundred of them, two iterations each: each would take half of what is left."""
    f = code("""
@function
def f(n: i64, xs: i64[:]) -> i64[:][:]:
    return [turned(k, xs) for k in range(n)]

@function
def turned(k: i64, xs: i64[:]) -> i64[:]:
    for j in range(2):
        xs = [x * k + j for x in xs]
    return xs

@function
def main(n: i64, xs: i64[:]) -> i64[:][:]:
    return f(n, xs)
""")
    rows = [[(x * k) * k + 1 for x in (1, 2)] for k in range(100)]
    found = run_in(f, 1 << 14, 100, [1, 2]).outputs
    assert found["return.values"].tolist() == [x for row in rows for x in row]
