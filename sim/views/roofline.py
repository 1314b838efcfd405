"""View `roofline`: what a run used of what its machine can do at most, and what bounds it."""

from __future__ import annotations

from typing import Any

from machines.description.load import machine_names
from machines.diagnostics import input_error
from sim.results.roofline_text import text_of
from sim.results.vocabulary import vocabularies, vocabulary_of
from sim.views import RUNNABLE, Option, Shown, View


def show(compiled: Any, variant: str | None = None) -> Shown:
    """Run a case; raises InputError of a machine whose kind says of no roofs."""
    from sim.prepared_case import prepare
    from sim.runner import execute

    machine = compiled.machine
    if vocabulary_of(machine.kind).roofline is None:
        others = [name for kind, one in vocabularies().items() if one.roofline is not None
                  for name in machine_names(kind)]  # fmt: skip
        message = f"{machine.name}, a machine of kind '{machine.kind}', has no roofline"
        raise input_error(message, hint=f"choose another by --machine: {', '.join(others)}")
    result = execute(prepare(compiled, compiled.workload.case(variant)))
    return Shown(text_of(result), result.to_dict().get("roofline", {}))


VIEWS = (
    View(
        "roofline",
        "What a run used of what its machine can do at most, and what bounds it (it runs a case).",
        RUNNABLE,
        show,
        options=(Option("variant", "The case that runs, of several.", "NAME"),),
    ),
)
