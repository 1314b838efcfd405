"""Where definitions stand when a graph is written down: in which lambda's body, in what order.

A graph has no places: a node is where its value is needed.  Text and drawings need one for each;
this is the rule.  What depends on a lambda's parameters stands in the body of the innermost such
lambda; what depends on none, in the innermost body that contains all its uses.  Functions of the
program stand for themselves, so none is entered from another.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from compiler.levels.arrays.operations.calls import Lambda
from compiler.levels.arrays.operations.scalars import Parameter
from compiler.levels.arrays.table import Graph, Symbol, arguments_first

TOP: Symbol = 0
"""The body of the function itself; no node has this symbol."""

_NOT_NAME = re.compile(r"[^A-Za-z0-9_.]", re.ASCII)
_VECTORIZED = re.compile(r"/+[A-Za-z_][\w.]*/+", re.ASCII)  # /P/, //P//
_SYMBOL = re.compile(r"s\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Places:
    """A function's definitions.

    parameters  the function's; of a root that is no closed lambda, what it depends on
    result      what the function gives
    bodies      definitions by lambda, `TOP` the function's own, each behind what it depends on
    """

    parameters: tuple[Symbol, ...]
    result: Symbol
    bodies: dict[Symbol, list[Symbol]]


def places(graph: Graph, root: Symbol, named: Collection[Symbol]) -> Places:
    """Where everything that a root needs stands; `named` are functions that stand elsewhere."""
    parameters, result = signature(graph, root)
    order = _needed(graph, result, named)
    owner = dict.fromkeys(parameters, TOP)
    for symbol in order:
        owner.update(dict.fromkeys(getattr(graph[symbol].operation, "parameters", ()), symbol))
    body, depth = {}, {TOP: 0}  # a definition's body; a body's depth
    used_in = {result: TOP}
    for symbol in reversed(order):  # users first, so that all uses and owners are known
        node = graph[symbol]
        around = [owner[p] for p in node.free if p in owner]
        inside = body[symbol] = max(around, key=depth.__getitem__) if around else used_in[symbol]
        if isinstance(node.operation, Lambda):
            depth[symbol] = depth[inside] + 1
            inside = symbol
        for argument in node.arguments:
            used_in[argument] = _common(used_in.get(argument, inside), inside, body, depth)
    bodies: dict[Symbol, list[Symbol]] = {inside: [] for inside in depth}
    for symbol in order:
        bodies[body[symbol]].append(symbol)
    return Places(parameters, result, bodies)


def signature(graph: Graph, root: Symbol) -> tuple[tuple[Symbol, ...], Symbol]:
    """Parameters and result of a closed lambda; of any other root, what it depends on and itself,
    so that a part of a program is written as a function too."""
    node = graph[root]
    if isinstance(node.operation, Lambda) and not node.free:
        return node.operation.parameters, node.arguments[0]
    return tuple(sorted(node.free)), root


def _needed(graph: Graph, result: Symbol, named: Collection[Symbol]) -> list[Symbol]:
    """What a result depends on, arguments first, without parameters and named functions."""

    def needs(symbol: Symbol) -> Sequence[Symbol] | None:
        node = graph[symbol]
        is_left_out = symbol in named or isinstance(node.operation, Parameter)
        return None if is_left_out else node.arguments

    return arguments_first([result], needs)


def _common(
    one: Symbol, other: Symbol, body: dict[Symbol, Symbol], depth: dict[Symbol, int]
) -> Symbol:
    """The innermost body that contains both."""
    while one != other:
        if depth[one] >= depth[other]:
            one = body[one]
        else:
            other = body[other]
    return one


class Names:
    """Names no two of which are alike: `x`, `x.2`, …  What is named like a symbol is renamed."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def new(self, wanted: str) -> str:
        """The name, with what the text form does not allow replaced."""
        base = name = wanted if _VECTORIZED.fullmatch(wanted) else _NOT_NAME.sub("_", wanted)
        if not base or base[0].isdigit() or base[0] == ".":
            base = name = f"_{base}"
        count = 1
        while name in self.taken or _SYMBOL.fullmatch(name):
            count += 1
            name = f"{base}.{count}"
        self.taken.add(name)
        return name


def functions_by_symbol(graph: Graph) -> dict[Symbol, str]:
    """The closed functions of a program by symbol, as text calls them."""
    names, found = Names(), {}
    for name, symbol in graph.functions.items():
        text = names.new(name)
        if signature(graph, symbol)[1] != symbol:
            found.setdefault(symbol, text)
    return found


def roots_with_names(graph: Graph, roots: Iterable[Symbol] | None) -> list[tuple[str, Symbol]]:
    """What to write, by name: what the roots (all functions, if none are given) call stands before
    them.  A lambda without a name, and any other root, is called `value`."""
    names, called = Names(), functions_by_symbol(graph)
    wanted: dict[Symbol, list[str]] = {}
    for name, symbol in graph.functions.items():
        text = names.new(name)
        if roots is None or symbol in called:
            wanted.setdefault(symbol, []).append(text)
    given = list(graph.functions.values() if roots is None else roots)
    for symbol in given:
        if symbol not in wanted:
            operation = graph[symbol].operation
            name = operation.name if isinstance(operation, Lambda) else ""
            wanted[symbol] = [names.new(name or "value")]
    return [(name, symbol) for symbol in graph.reached(given) for name in wanted.get(symbol, ())]
