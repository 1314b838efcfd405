"""Rewriting fused with vectorization, against vectorizing first and simplifying after.

    python -m tests.benchmarks.vectorizer --graphs 200

Both ways have the same matcher, rules and hash table, so that only the place of rewriting differs.
For random functions of 10³ to 10⁵ nodes it prints nodes created, CPU seconds and size of the
result, then the geometric mean of the times' ratios and the cost of a node by size.  Before them
come the functions of `workloads/functions`, vectorized over all their parameters, without seconds.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import chain

from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.calls import Apply, Map
from compiler.levels.arrays.operations.indexed import Gather
from compiler.levels.arrays.operations.reductions import Reduce
from compiler.levels.arrays.operations.scalars import Row
from compiler.levels.arrays.operations.structural import Iota, Item, Length, MakeTuple
from compiler.levels.arrays.parsing import parse_graph
from compiler.levels.arrays.rewriting import Rewriter
from compiler.levels.arrays.simplify import simplified
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array
from compiler.levels.arrays.vectorize import default_rules, vectorize
from machines.types import F32, I64
from tests.benchmarks._command import WORKLOADS, command_line

OVER = ("a", "b", "xs")
"""The parameters of random functions that vary."""
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def random_graph(size: int, seed: int) -> Graph:
    """P(a, b, u, v, xs): arithmetic of varying and uniform integers and floats, arrays mapped,
    gathered and summed; about `size` nodes."""
    draw, graph = random.Random(seed), Graph()
    add = graph.add
    parameters = [graph.parameter(name, I64) for name in "abuv"]
    xs = graph.parameter("xs", Array(F32))
    integers = [*parameters, graph.constant(0, I64), graph.constant(1, I64)]
    floats = [add(Reduce("add.f32"), graph.constant(0.0, F32), xs), graph.constant(1.0, F32)]
    while len(graph) < size:
        recent = integers[-200:], floats[-200:]
        a, b = draw.choice(recent[0]), draw.choice([*recent[0], *integers[:6]])
        x, y = draw.choice(recent[1]), draw.choice([*recent[1], *floats[:2]])
        match draw.randrange(12):
            case 0 | 1 | 2 | 3 | 4:
                integers.append(add(Row(draw.choice(("add.i64", "sub.i64", "mul.i64"))), a, b))
            case 5 | 6 | 7 | 8:
                floats.append(add(Row(draw.choice(("add.f32", "sub.f32", "mul.f32"))), x, y))
            case 9:
                floats.append(add(Row("float_s.i64.f32"), a))
            case 10:
                p = graph.parameter("p", F32)
                scaled = graph.function([p], add(Row("mul.f32"), p, x))
                mapped = add(Map(), scaled, xs)
                same = add(Gather(), mapped, add(Iota(), add(Length(), mapped)))
                floats.append(add(Reduce("add.f32"), x, same))
            case _:
                q = graph.parameter("q", I64)
                called = graph.function([q], add(Row("mul.i64"), q, a))
                pair = add(MakeTuple(), add(Apply(), called, b), x)
                integers.append(add(Item(0), pair))
    total: Symbol = floats[-1]
    for value in floats[-50:]:
        total = add(Row("add.f32"), total, value)
    for value in integers[-50:]:
        total = add(Row("add.f32"), total, add(Row("float_s.i64.f32"), value))
    graph.function([*parameters, xs], total, "P")
    return graph


def fused(graph: Graph, name: str = "P", over: Sequence[str] = OVER) -> tuple[int, int, float]:
    """Nodes created, size of the result, CPU seconds."""
    begin = time.process_time()
    made = vectorize(graph, name, over)
    seconds = time.process_time() - begin
    return len(made.graph), len(made.graph.reached([made.function])), seconds


def after(graph: Graph, name: str = "P", over: Sequence[str] = OVER) -> tuple[int, int, float]:
    """The same, with the rewrites after the vectorization."""
    begin = time.process_time()
    made = vectorize(graph, name, over, rewrites=False)
    rewriter = Rewriter(default_rules().rewrites)
    result, function = simplified(made.graph, made.function, rewriter)
    seconds = time.process_time() - begin
    return len(made.graph) + len(result), len(result.reached([function])), seconds


def of_workloads() -> Iterator[str]:
    """A line for each function of the workloads."""
    for path in sorted((WORKLOADS / "functions").glob("*/*.py")):
        read = parse_graph if path.suffix == ".graph" else read_functions
        graph = read(path.read_text(), str(path))
        for name, symbol in graph.functions.items():
            over = [graph[p].operation.name for p in graph[symbol].operation.parameters]
            (nodes, left, _), (nodes2, left2, _) = (
                way(graph, name, over) for way in (fused, after)
            )
            yield f"{name:12} nodes: created {nodes:5} / {nodes2:5}, left {left:5} / {left2:5}"


def report(count: int, sizes: Sequence[int]) -> Iterator[str]:
    """A line for each graph, and what they come to."""
    for way in (fused, after):  # rules are read once
        way(random_graph(1_000, 0))
    ratios, worse = [], 0
    costs: dict[int, list[float]] = {size: [] for size in sizes}
    for seed in range(count):
        size = sizes[seed % len(sizes)]
        graph = random_graph(size, seed)
        source = len(graph.reached([graph.functions["P"]]))
        order = (fused, after) if seed % 2 else (after, fused)
        ways = {way: way(graph) for way in order}
        (nodes, left, seconds), (nodes2, left2, seconds2) = ways[fused], ways[after]
        ratios.append(seconds / seconds2)
        worse += nodes > nodes2 or left > left2
        costs[size].append(seconds / source * 1e6)
        yield (
            f"{source:7} nodes: created {nodes:7} / {nodes2:7}, left {left:7} / {left2:7}, "
            f"{seconds:7.3f} / {seconds2:7.3f} s"
        )
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    yield f"CPU time fused / after: {mean:.2f} (geometric mean of {count}); worse in nodes: {worse}"
    for size, some in costs.items():
        if some:
            yield f"about {size:7} nodes: {sum(some) / len(some):.1f} us a node"


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--graphs", type=int, default=200, help="how many random functions")
    options = parser.parse_args(words)
    lines = report(2, SIZES[:2]) if options.shortest else report(options.graphs, SIZES)
    for line in chain(of_workloads(), lines):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
