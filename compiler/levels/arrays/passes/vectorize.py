"""From a function of one lane its version for all lanes, by staged evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.module import Function
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class VectorizeOptions:
    """Nothing in `over`: the function stays one of one lane, and is rewritten."""

    over: str = option("", "The parameters that differ between lanes: x,y.")
    rules: str = option("", "A file of rules that come before those that ship, or 'none'.")
    allow: str = option("", "What rewrites may change: reassociate,contract,unchecked.")


def names(text: str) -> list[str]:
    """What stands between commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def run(function: Function, machine: Machine | None, options: VectorizeOptions) -> Changes:
    # Here, as programs that are no graphs do without it.
    from compiler.levels.arrays.programs import rewrite_function, vectorize_function

    changes, allow = Changes(), names(options.allow)
    if options.over:
        steps = vectorize_function(function, names(options.over), options.rules, allow)
        changes.count("definitions vectorized", steps)
    elif options.rules != "none":
        changes.count("rewrites", rewrite_function(function, options.rules, allow))
    return changes


PLUGIN = Pass(
    "vectorize",
    "Vectorize a function of arrays over some of its parameters.",
    run,
    forms={"arrays": "arrays"},
    options=VectorizeOptions,
)
