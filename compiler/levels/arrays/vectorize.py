"""From a function P : T -> R its version /P/ : Array[T] -> Array[R], by staged evaluation.

The *graph interpreter* walks definitions in the order of their dependence and holds the context:
the map from symbols of the source graph to symbols of the result graph.  A terminal it hands, with
the context, to the *staged evaluator*, which looks the node up, maps its arguments, selects the
rule of its operation and applies it.  Lambdas and what calls them it does itself
(`compiler.levels.arrays.vectorize_calls`).  Source: spec 3, from the seed's figures 4, 8, 9 and 11.

What does not vary over the lanes and cannot fault keeps its value as it is ("uniform"); a rule sees
it as `replicate(value, lanes)`.  What does not vary but may fault is done for every lane, as with
no lane nothing may fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from compiler.analyses.cache import collector_paused
from compiler.levels.arrays.depth import deep
from compiler.levels.arrays.graph_interpreter import (
    Context,
    GraphInterpreter,
    StagedEvaluator,
    Step,
    lanes_of,
)
from compiler.levels.arrays.rewriting import Rewriter, RuleBase, allowances
from compiler.levels.arrays.rule_reader import read_rules
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.vectorize_calls import call
from compiler.levels.arrays.verify import refuse_functions
from machines.diagnostics import input_error, nearest

RULES = Path(__file__).parent / "rules"
"""The built-in rules; read as text, never imported."""


@cache
def default_rules() -> RuleBase:
    """The vectorization rules and rewrites that ship."""
    return RuleBase(
        read_rules(RULES / "vectorization.py", own=True).vectorization,
        read_rules(RULES / "rewrites.py", own=True).rewrites,
    )


@dataclass(frozen=True)
class Vectorized:
    """What vectorizing a function made.

    graph     holds /P/ under its name; P stays where it was, in the source graph
    function  the symbol of /P/
    steps     one for each symbol that was added to the context, in order
    context   symbols of P -> symbols of /P/, at the end
    """

    graph: Graph
    function: Symbol
    steps: tuple[Step, ...]
    context: dict[Symbol, Symbol]


@collector_paused()
def vectorize(
    graph: Graph,
    name: str,
    over: Sequence[str],
    rules: RuleBase | None = None,
    rewrites: bool = True,
    allow: Sequence[str] = (),
) -> Vectorized:
    """The vectorized version of a function of the graph, over some of its parameters.

    over      names of the parameters that differ between lanes; the others are the same in all
    rules     in place of those that ship
    rewrites  whether new nodes are rewritten as they are added
    allow     'reassociate', 'contract', 'unchecked'
    Raises InputError if it has no such function or parameter, or a primitive has no rule.
    """
    rules = rules or default_rules()
    if name not in graph.functions:
        raise input_error(f"there is no function '{name}'", hint=nearest(name, graph.functions))
    function = graph.functions[name]
    node = graph[function]
    names = [graph[p].operation.name for p in node.operation.parameters]
    for wanted in over:
        if wanted not in names:
            message = f"'{name}' has no parameter '{wanted}'"
            raise input_error(message, node.location, hint=nearest(wanted, names))
    if not over:
        raise input_error(
            f"no parameter of '{name}' varies",
            node.location,
            hint=f"say over which it is vectorized: {', '.join(names) or 'it has none'}",
        )
    refuse_functions(graph, function)
    allowed = allowances(allow)
    rewriter = Rewriter(rules.rewrites, allowed) if rewrites else None
    result = Graph(rewrite=rewriter, apart=graph.apart)
    evaluator = StagedEvaluator(graph, result, rules.vectorization)
    interpreter = GraphInterpreter(graph, result, evaluator, rewriter, call)
    varying = frozenset(
        p for p, called in zip(node.operation.parameters, names, strict=True) if called in over
    )
    parameters, vectors, uniform = [], {}, {}
    for symbol, called in zip(node.operation.parameters, names, strict=True):
        type = graph.type(symbol)
        result.place = graph[symbol].location
        new = result.parameter(called, evaluator.lift(type) if called in over else type)
        (vectors if called in over else uniform)[symbol] = new
        parameters.append(new)
    first = next(iter(vectors.values()))
    context = Context(lambda: lanes_of(result, first), varying, vectors, uniform)
    context.strict.update(dict.fromkeys(vectors))
    with deep(node.location, "vectorized"):
        made = interpreter.many(node.arguments[0], context)
    new = result.function(parameters, made, f"/{name}/")
    return Vectorized(result, new, tuple(interpreter.steps), dict(context.vector))
