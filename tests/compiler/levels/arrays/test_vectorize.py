"""What vectorization must hold beside what random programs show: cases by hand."""

from __future__ import annotations

import pytest

from compiler.levels.arrays import depth
from compiler.levels.arrays.interpret import Counter, evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.parsing import parse_graph
from compiler.levels.arrays.printing import print_graph
from compiler.levels.arrays.rewriting import Rewriter
from compiler.levels.arrays.simplify import simplified
from compiler.levels.arrays.vectorize import Vectorized, default_rules, vectorize
from compiler.levels.arrays.verify import verify_graph
from machines.diagnostics import InputError
from tests.programs.lane_judge import bits


def vectorized(text: str, over: list[str], name: str = "P", **options) -> Vectorized:
    """/P/ of the program of a text."""
    made = vectorize(read_functions(text, "p.py"), name, over, **options)
    assert verify_graph(made.graph) == []
    return made


def run(made: Vectorized, *arguments, counter: Counter | None = None, limit: int = 10**6):
    return evaluate(made.graph, made.function, list(arguments), counter, limit)


GUARDED = """
@function
def P(x: u32, y: u32) -> u32:
    return x // y if y != 0 else u32(7)
"""


@pytest.mark.parametrize("over", [["x", "y"], ["y"]])
def test_a_cheap_arm_that_may_fault_is_for_its_own_lanes(over):
    made = vectorized(GUARDED, over)
    x = [9, 9, 9] if "x" in over else 9
    assert run(made, x, [2, 0, 3]) == [4, 7, 3]


PARTIAL = """
@function
def P(x: i64, n: i64, xs: i64[:]) -> i64:
    return x // n + xs[n]
"""


def test_what_is_uniform_and_faults_does_nothing_for_no_lane():
    made = vectorized(PARTIAL, ["x"])
    assert run(made, [], 0, []) == []
    assert run(made, [6, 8], 2, [0, 0, 5]) == [8, 9]
    with pytest.raises(GraphFault) as fault:
        run(made, [6], 0, [1])
    assert fault.value.kind == "division by zero"
    assert fault.value.location.line == 4


ON_LINE_6 = {
    "arm": """
    y = 0
    if n > 0:
        y = x // n
    return y + x // n""",
    "other arm": """
    if n > 0:
        y = x // n
    else:
        y = 1 + x // n
    return y""",
    "arm that returns": """
    if n > 0:
        return x // n
    y = 1
    return y + x // n""",
    "choice": """
    y = x // n if n > 0 else x
    z = 1

    return y + z + x // n""",
    "and": """
    y = 1 if n > 0 and x // n > 1 else 0
    z = 1

    return y + z + x // n""",
    "or as a value": """
    b = n == 0 or x // n > 1
    y = 1 if b else 0

    return y + x // n""",
    "chain": """
    y = 1 if 0 < n < x // n else 0
    z = 1

    return y + z + x // n""",
    "comprehension": """
    y = sum([x // n + e for e in xs])
    z = 1

    return y + z + x // n""",
    "for": """
    y = 0
    for e in xs:
        y = y + x // n
    return y + x // n""",
    "while": """
    y = 0
    while y < n:
        y = y + 1 + abs(x // n)
    return y + x // n""",
    "reduce": """
    y = reduce(lambda a, b: a + b * (x // n), 0, xs)
    z = 1

    return y + z + x // n""",
}


@pytest.mark.parametrize("form", ON_LINE_6)
def test_a_fault_has_the_place_that_was_come_to(form):
    """And not that of the same expression where it was not computed."""
    head = "@function\ndef P(x: i64, n: i64, xs: i64[:]) -> i64:"
    graph = read_functions(f"{head}{ON_LINE_6[form]}\n", "p.py")
    assert verify_graph(graph) == []
    rewriter = Rewriter(default_rules().rewrites, frozenset())
    alone = simplified(graph, graph.functions["P"], rewriter)
    for made, function in [(graph, graph.functions["P"]), alone]:
        with pytest.raises(GraphFault) as fault:
            evaluate(made, function, [6, 0, []])
        assert fault.value.location.line == 6
    for over in (["n"], ["x", "n", "xs"]):
        for rewrites in (True, False):
            made = vectorize(graph, "P", over, rewrites=rewrites)
            assert verify_graph(made.graph) == []
            lanes = {"x": 6, "n": 0, "xs": []}
            with pytest.raises(GraphFault) as fault:
                run(made, *([value] if name in over else value for name, value in lanes.items()))
            assert fault.value.location.line == 6


NEGATIVE = """
func P(x: i64) -> i64 {
    s1 = const.i64 -1
    s2 = ARRAY: i64[:]
    s3 = length(s2): i64
    s4 = add.i64(x, s3): i64
    return s4
}
"""


@pytest.mark.parametrize("array", ["iota(s1)", "replicate(x, s1)"])
def test_an_array_of_a_negative_length_does_nothing_for_no_lane(array):
    made = vectorize(parse_graph(NEGATIVE.replace("ARRAY", array), "p.graph"), "P", ["x"])
    assert run(made, []) == []
    with pytest.raises(GraphFault) as fault:
        run(made, [1])
    assert fault.value.kind == "negative length"


ENDLESS = """
@function
def P(x: i64, n: i64) -> i64:
    k = n
    y = x
    while k != 3:
        k = k * 1
        y += 1
    return y
"""


def test_a_uniform_loop_that_does_not_end_ends_for_no_lane():
    made = vectorized(ENDLESS, ["x"])
    assert "while(" in print_graph(made.graph, [made.function])
    assert run(made, [], 0) == []
    assert run(made, [4, 5], 3) == [4, 5]


SPMV = """
@function
def P(row: tuple[i32, f32][:], x: f32[:]) -> f32:
    return sum([v * x[j] for j, v in row])
"""


@pytest.mark.parametrize("rewrites", [True, False])
def test_a_captured_array_is_never_copied(rewrites):
    made = vectorized(SPMV, ["row"], rewrites=rewrites)
    counts = []
    for length in (10, 10_000):
        counter = Counter()
        rows = [[(j % 10, 1.5) for j in range(i % 4)] for i in range(50)]
        run(made, rows, [2.0] * length, counter=counter)
        counts.append(counter.operations)
    assert counts[0] == counts[1]


TWICE = """
@function
def f(t: f32) -> f32:
    return t * t

@function
def P(x: f32) -> f32:
    return f(x) + f(x + 1)
"""


def test_a_lambda_is_vectorized_once():
    text = print_graph((made := vectorized(TWICE, ["x"])).graph, [made.function])
    assert text.count("lambda") == 1 and text.count("apply(") == 2


INVARIANT = """
@function
def P(xs: f64[:]) -> f64[:]:
    total = sum(xs)
    return [x / total for x in xs]
"""


def test_what_a_map_captures_is_computed_once_a_lane():
    made = vectorized(INVARIANT, ["xs"])
    counter = Counter()
    run(made, [[1.0] * 100, [], [2.0] * 100], counter=counter)
    assert counter.operations <= 3 * 400


LOOP_TWICE = """
@function
def P(a: i64) -> i64:
    k = i64(0)
    while k < i64(5):
        k = k + i64(1)
    return k + a if k > i64(3) else i64(3)
"""


def test_a_loop_in_two_places_has_parameters_of_its_own_in_each():
    for over in (["a"],):
        made = vectorized(LOOP_TWICE, over)
        assert run(made, [1, 2]) == [6, 7]


BECOMES_VARYING = """
@function
def P(x: i64) -> i64:
    total = i64(0)
    y = x
    for _ in range(3):
        total += y
        y += 1
    return total
"""


def test_a_state_that_begins_the_same_in_all_lanes_may_vary_by_way_of_another():
    assert run(vectorized(BECOMES_VARYING, ["x"]), [1, 2]) == [6, 9]


LOOP_IN_LOOP = """
@function
def P(n: i64, xs: i64[:]) -> i64:
    s = n
    k = i64(0)
    while k < 3:
        {inner}
        k += 1
    return s
"""


@pytest.mark.parametrize(
    "inner",
    ["for x in xs: s += x // (k + 1)", "while s < xs[k]: s += k + 1"],
    ids=["for", "while"],
)
@pytest.mark.parametrize("over", [["n", "xs"], ["xs"]])
def test_a_loop_of_live_lanes_in_one_of_all_is_vectorized_again(inner, over):
    text = LOOP_IN_LOOP.format(inner=inner)
    graph = read_functions(text, "p.py")
    once = vectorized(text, over)
    twice = vectorize(once.graph, "/P/", over)
    assert verify_graph(twice.graph) == []
    lanes = [[5, 0, 2], [9, 9, 3], [7, 1, 8]]
    wanted = [evaluate(graph, graph.functions["P"], [2, xs]) for xs in lanes]
    rows = [lanes[:2], [], lanes[2:]]
    n = [[2] * len(row) for row in rows] if "n" in over else 2
    assert run(twice, n, rows) == [wanted[:2], [], wanted[2:]]


FORGOTTEN = """
@function
def P(x: u32, y: u32) -> u32:
    return (x // y) * 0
"""


def test_a_rewrite_forgets_no_fault():
    """For every element a replicated 0 has the length of what it replaces, and so its faults."""
    graph = read_functions(FORGOTTEN, "p.py")
    made, function = simplified(graph, graph.functions["P"], Rewriter(default_rules().rewrites))
    with pytest.raises(GraphFault):
        evaluate(made, function, [1, 0])
    assert evaluate(made, function, [1, 1]) == 0
    with pytest.raises(GraphFault):
        run(vectorized(FORGOTTEN, ["x", "y"]), [1, 1], [1, 0])


SEVERAL = """
func P(xs: i64[:], ys: i64[:]) -> i64[:] {
    s2 = lambda (a: i64, b: i64) -> i64 {
        s1 = sub.i64(a, b)
        return s1
    }
    s3 = map(s2, xs, ys)
    return s3
}
"""


@pytest.mark.parametrize("rewrites", [True, False])
def test_a_map_of_several_arrays_faults_where_one_lane_does(rewrites):
    """Even if all lanes together have as many elements of each."""
    made = vectorize(parse_graph(SEVERAL, "p.graph"), "P", ["xs", "ys"], rewrites=rewrites)
    assert run(made, [[9], [8, 7]], [[1], [2, 3]]) == [[8], [6, 4]]
    with pytest.raises(GraphFault) as fault:
        run(made, [[9], [8, 7]], [[1, 2], [3]])
    assert fault.value.kind == "unequal lengths" and fault.value.location.line == 7


REWRITTEN = {
    "times_one": "x * 1",
    "minus_zero": "x - 0.0",
    "plus_negative_zero": "x + -0.0",
    "minus_nothing": "f64(k - 0)",
    "plus_nothing": "f64(k + 0)",
    "minus_itself": "f64(k - k)",
    "times_nothing": "f64(k * 0)",
    "contracted": "x * x + x",
    "gather_of_all": "sum(gather(xs, iota(len(xs))))",
    "length_of_map": "f64(len([y * y for y in xs]))",
    "length_of_replicated": "f64(len(replicate(x, len(xs))))",
    "map_of_map": "sum([z * z for z in [y * y for y in xs]])",
    "sum_of_replicated": "f64(sum(replicate(k, len(xs))))",
}
OF_LANES = {
    "captured_array": "shared[k]",
    "uniform_work": "sum([x * y for y in shared])",
    "flatten_of_rows": "sum([z * z for z in [y * y for y in xs]])",
    "flatten_of_replicated": "sum([y * x for y in replicate(x, len(xs))])",
    "lengths_of_rows": "f64(len([y * y for y in xs]))",
    "lengths_of_replicated": "f64(len(replicate(x, len(xs))))",
    "length_of_each": "x + f64((k + 1) * 0)",
    "parts_of_tuples": "loop",
}
"""Functions that some rewrites are for: when a graph is copied, and when lanes are made of it."""
BODY = """
@function
def P(x: f64, k: i64, xs: f64[:], u: f64, shared: f64[:]) -> f64:
    return {}
"""
LOOP = """
@function
def P(x: f64, n: i64) -> f64:
    y = x
    for _ in range(n):
        y = y * x
    return y
"""


def used(text: str, over: list[str]) -> set[str]:
    """The rewrites that vectorizing P uses."""
    made = vectorized(text, over, allow=["contract"])
    return {name for step in made.steps for name, _, _ in step.rewrites}


@pytest.mark.parametrize("rule", REWRITTEN)
def test_a_rewrite_is_used(rule):
    graph = read_functions(BODY.format(REWRITTEN[rule]), "p.py")
    rewriter = Rewriter(default_rules().rewrites, frozenset({"contract"}))
    simplified(graph, graph.functions["P"], rewriter)
    assert rule in {name for name, _, _ in rewriter.used}


ALMOST = ["x + 0.0", "0.0 - x", "x - x", "x * 0.0", "x * -1", "x / x"]
"""Functions that a rewrite would be wrong for."""
NUMBERS = [0.0, -0.0, 1.5, 5e-324, float("inf"), float("-inf"), float("nan")]


@pytest.mark.parametrize("expression", [*REWRITTEN.values(), *ALMOST])
def test_a_rewrite_changes_no_bit(expression):
    graph = read_functions(BODY.format(expression), "p.py")
    rewritten = simplified(graph, graph.functions["P"], Rewriter(default_rules().rewrites))
    for x in NUMBERS:
        for k, xs in (0, []), (-(2**63), [x, 0.5]):
            arguments = [x, k, xs, 0.5, [x]]
            found = evaluate(*rewritten, arguments)
            assert bits(found) == bits(evaluate(graph, graph.functions["P"], arguments))


@pytest.mark.parametrize("rule", OF_LANES)
def test_a_rewrite_is_used_for_lanes(rule):
    text = OF_LANES[rule]
    if text == "loop":
        assert rule in used(LOOP, ["x"])
    else:
        assert rule in used(BODY.format(text), ["x", "k", "xs"])


PAIR = """
func P(x: f64, k: i64) -> f64 {
    s1 = tuple(x, k)
    s2 = item[0](s1)
    return s2
}
"""


def test_a_part_of_a_tuple_is_that_part():
    graph = parse_graph(PAIR, "p.graph")
    rewriter = Rewriter(default_rules().rewrites)
    made, function = simplified(graph, graph.functions["P"], rewriter)
    assert [name for name, _, _ in rewriter.used] == ["part_of_tuple"]
    assert evaluate(made, function, [2.5, 1]) == 2.5


def test_every_rewrite_has_such_a_function():
    assert {*REWRITTEN, *OF_LANES, "part_of_tuple"} == {
        rule.name for rule in default_rules().rewrites.rules
    }


CERTAIN = """
@function
def P(xs: i64[:], ys: i64[:]) -> i64[:]:
    most = max(xs)
    return [y // most for y in ys]
"""


def test_what_a_map_certainly_needs_and_may_fault_is_computed_once_a_lane():
    """And only in lanes that have an element."""
    made, counter = vectorized(CERTAIN, ["xs", "ys"]), Counter()
    xs, ys = [[1] * 50, [], [2] * 50], [[4] * 50, [], [4] * 50]
    assert run(made, xs, ys, counter=counter) == [[4] * 50, [], [2] * 50]
    assert counter.operations <= 3000
    with pytest.raises(GraphFault):
        run(made, [[1], []], [[1], [1]])
    again = vectorize(made.graph, "/P/", ["xs", "ys"])
    assert run(again, [xs, []], [ys, []]) == [[[4] * 50, [], [2] * 50], []]


def test_calls_far_inside_each_other(monkeypatch):
    count = 200
    lines = ["@function", "def call0(x: i64, y: i64) -> i64:", "    return x * 1 + y", ""]
    for k in range(1, count + 1):
        lines += ["@function", f"def call{k}(x: i64, y: i64) -> i64:"]
        lines += [f"    return call{k - 1}(x + 1, y * 1)", ""]
    graph = read_functions("\n".join(lines), "f.py")
    made = vectorize(graph, f"call{count}", ["x"])
    assert evaluate(made.graph, made.function, [[1, -5], 2]) == [count + 3, count - 3]
    monkeypatch.setattr(depth, "_DEPTH", 0)
    with pytest.raises(InputError, match="definitions are nested too deeply to be vectorized"):
        vectorize(graph, f"call{count}", ["x"])
