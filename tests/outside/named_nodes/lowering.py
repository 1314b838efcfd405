"""From a list of nodes to a function of arrays, which every kind that lowers those can run."""

from __future__ import annotations

from typing import Any

from compiler.ir.module import Function
from compiler.transformation import Changes, NoOptions, Pass
from machines.levels import level_of


def run(function: Function, machine: Any, options: NoOptions) -> Changes:
    """Write the list as the text of a graph, a node a line, and let the level `arrays` read it."""
    body, lines, symbols = function.body, [], {name: name for name in function.body.inputs}
    for number, node in enumerate(body.nodes, start=1):
        operands = ", ".join(symbols[name] for name in node.operands)
        lines.append(f"    s{number} = each.{node.operation}.f32({operands}): f32[:]")
        symbols[node.name] = f"s{number}"
    parameters = ", ".join(f"{name}: f32[:]" for name in body.inputs)
    head = f"func {function.name}({parameters}) -> f32[:] {{"
    text = "\n".join([head, *lines, f"    return {symbols[body.output]}", "}\n"])
    module = level_of("arrays").function("parse")(text, f"{function.name}.graph")
    function.body = module.functions[function.name].body
    changes = Changes()
    changes.count("nodes", len(body.nodes))
    return changes


PASSES = (
    Pass("nodes_to_arrays", "Make a function of arrays of a list of nodes.", run,
         forms={"nodes": "arrays"}),
)  # fmt: skip
