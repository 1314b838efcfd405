"""Views `graph`, `vectorized` and `context`: a function as a graph, its version for all lanes, and
how that came about."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.module import Function
from compiler.levels.arrays.drawing import dot_of, json_of
from compiler.levels.arrays.passes.vectorize import names
from compiler.levels.arrays.printing import print_graph, symbol_names
from compiler.levels.arrays.rule_files import rules_with
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.vectorize import Vectorized, vectorize
from sim.views import BODY, DOT, JSON, TEXT, Option, Shown, View
from sim.views.tables import aligned

OVER = Option("over", "The parameters that differ between lanes (all).", "NAMES")
RULES = Option(
    "rules",
    "A file of primitives and of rules that come before those that ship, or 'none': no rewrites.",
    "FILE",
)
ALLOW = Option("allow", "What rewrites may change: reassociate, contract, unchecked.", "NAMES")


def show_graph(function: Function, rules: str = "") -> Shown:
    """The function, and what it calls; it may use the primitives of a file of rules."""
    return _shown(function.body.graph, function.body.symbol)


def show_vectorized(function: Function, over: str = "", rules: str = "", allow: str = "") -> Shown:
    """/P/ over the parameters that `over` names, with a file of rules more, or no rewrites."""
    made = _vectorized(function, over, rules, allow)
    return _shown(made.graph, made.function)


def show_context(function: Function, over: str = "", rules: str = "", allow: str = "") -> Shown:
    """Each step of the staged evaluation: what was added to the context, and by which rule."""
    made = _vectorized(function, over, rules, allow)
    here = _names_in(function.body.graph, function.body.symbol)
    there = _names_in(made.graph, made.function)
    rows = [*_steps(function.body.graph, made, here, there)]
    head = ("node", "operation", "rule", "arguments", "symbol", "rewrites")
    context = [f"{here[old]} -> {there.get(new, '…')}" for old, new in made.context.items()]
    table = "\n".join(line.rstrip() for line in aligned([head, *rows]))
    content = [dict(zip(head, row, strict=True)) for row in rows]
    return Shown(f"{table}\n\ncontext at the end: {', '.join(context)}\n", content)


def _shown(graph: Graph, symbol: Symbol) -> Shown:
    return Shown(print_graph(graph, [symbol]), json_of(graph, [symbol]), dot_of(graph, [symbol]))


def _vectorized(function: Function, over: str, rules: str, allow: str) -> Vectorized:
    varying = names(over) or list(function.body.parameters)
    base = rules_with(rules)
    return vectorize(
        function.body.graph, function.name, varying, base, rules != "none", allow=names(allow)
    )


def _names_in(graph: Graph, root: Symbol) -> dict[Symbol, str]:
    """What the texts of all functions call symbols; those of others than the root with its name."""
    found: dict[Symbol, str] = {}
    for name, symbol in graph.functions.items():
        own = symbol_names(graph, symbol)
        found.update({s: f"{name}.{text}" for s, text in own.items() if s not in found})
    return {**found, **symbol_names(graph, root)}


def _steps(
    graph: Graph, made: Vectorized, here: dict[Symbol, str], there: dict[Symbol, str]
) -> Iterator[tuple[str, ...]]:
    """What the texts of both functions call `here` and `there` is called so; what was replaced has
    no name there, and is written as the operation that it is."""

    def written(symbol: Symbol) -> str:
        return there.get(symbol) or f"{made.graph[symbol].operation}(…)"

    for step in made.steps:
        node = graph[step.source]
        operands = ", ".join(here[a] for a in node.arguments)
        yield (
            here[step.source],
            f"{node.operation}({operands})",
            step.rule,
            ", ".join(written(a) for a in step.arguments),
            written(step.symbol),
            "; ".join(
                f"{name}: {written(old)} -> {written(new)}" for name, old, new in step.rewrites
            ),
        )


VIEWS = (
    View(
        "graph",
        "A function as a graph: the table of its nodes.",
        BODY,
        show_graph,
        (TEXT, JSON, DOT),
        (RULES,),
    ),
    View(
        "vectorized",
        "The version of a function for all lanes, by staged evaluation.",
        BODY,
        show_vectorized,
        (TEXT, JSON, DOT),
        (OVER, RULES, ALLOW),
    ),
    View(
        "context",
        "How a function was vectorized: node, rule, arguments, new symbol, rewrites.",
        BODY,
        show_context,
        (TEXT, JSON),
        (OVER, RULES, ALLOW),
    ),
)
