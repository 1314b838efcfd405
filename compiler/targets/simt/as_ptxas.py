"""Which machines' code is made as ptxas makes it."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.transformation import option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class AsPtxasOptions:
    """Of a pass that does what ptxas does for chips that have certain instructions."""

    always: bool = option(False, "Also for machines without a compute capability.")


def is_wanted(machine: Machine, options: AsPtxasOptions) -> bool:
    """Whether ptxas compiles for a machine, or another wish is told."""
    return machine.description.compute_capability is not None or options.always
