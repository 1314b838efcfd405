"""The pass `select`, which every target with instructions of its own has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compiler.ir.module import Function
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def selection(kind: str, select: Callable[[Function, Any], None]) -> Pass:
    """The pass for machines of a kind; `select(function, description)` turns IR operations into
    machine operations over virtual registers, in place."""

    def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
        before = sum(len(block.instructions) for block in function.blocks.values())
        select(function, machine.description)
        after = sum(len(block.instructions) for block in function.blocks.values())
        return Changes({"IR operations": before, "machine operations": after})

    return Pass(
        "select",
        "Replace IR operations by machine operations over virtual registers.",
        run,
        forms={"ir": "virtual"},
        kinds=(kind,),
    )
