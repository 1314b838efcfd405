"""From a polynomial to a function of arrays, which every kind that lowers those can run."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.levels import level_of


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    """Write Horner's rule as the text of a graph, and let the level `arrays` read it."""
    x, coefficients = function.body.variable, function.body.coefficients
    code = [f"n = length({x}): i64"]
    total = ""
    for number, coefficient in enumerate(coefficients):
        code += [f"c{number} = const.f32 {coefficient!r}"]
        code += [f"k{number} = replicate(c{number}, n): f32[:]"]
        if total:
            code += [f"p{number} = each.mul.f32({total}, {x}): f32[:]"]
            code += [f"t{number} = each.add.f32(p{number}, k{number}): f32[:]"]
        total = f"t{number}" if total else "k0"
    head = f"func {function.name}({x}: f32[:]) -> f32[:] {{"
    text = "\n    ".join([head, *code, f"return {total}"]) + "\n}\n"
    module = level_of("arrays").function("parse")(text, f"{function.name}.graph")
    function.body = module.functions[function.name].body
    changes = Changes()
    changes.count("coefficients", len(coefficients))
    return changes


PASSES = (
    Pass(
        "the_name_to_arrays",
        "Make a function of arrays of a polynomial.",
        run,
        forms={"the_name": "arrays"},
    ),
)
