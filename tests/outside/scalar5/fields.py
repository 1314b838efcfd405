"""The fields of a `scalar5` machine, and the rule across them."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from machines.description.schema import Cycles, Description, MachineDescription, Problem, figure
from machines.operations.row import Operation

DIVISIONS = ("div", "rem", "sqrt")


class Execute(Description):
    """How long operations keep the stage EX; those that are not named keep it a cycle."""

    multiply: Cycles = figure(ge=1, description="Integer products.")
    divide: Cycles = figure(ge=1, description="Divisions, remainders and square roots.")
    floating: Cycles = figure(ge=1, description="Other operations on floats.")


class Scalar5(MachineDescription):
    """A pipeline IF ID EX MEM WB that issues one instruction a cycle, in order."""

    forwarding: bool = figure(
        description="Whether results reach EX from EX and MEM, and not only through registers."
    )
    load_delay: Cycles = figure(description="Cycles by which a load is later than other results.")
    branch_delay: Cycles = figure(description="Cycles lost behind a taken branch.")
    registers: int = figure(ge=4, le=256, description="Registers, of integers and floats alike.")
    execute: Execute = Field(description="Operations that take longer than a cycle.")

    def delay(self, is_load: bool) -> int:
        """Cycles that must lie between an instruction's last in EX and one that reads its
        result."""
        return (0 if self.forwarding else 2) + (self.load_delay if is_load else 0)


def cycles_in_ex(row: Operation, machine: Scalar5) -> int:
    """How long an operation keeps EX."""
    kind, times = row.name.split(".")[0], machine.execute
    if kind.startswith(DIVISIONS):
        return times.divide
    is_float = any(getattr(o.kind, "is_float", False) for o in row.reads)
    if is_float and not row.access and not row.control and kind != "copy":
        return times.floating
    return times.multiply if kind.startswith("mul") else 1


def branches_are_decided(machine: Scalar5) -> Iterator[Problem]:
    """A branch is decided in EX at the latest: two instructions behind it are there by then."""
    if machine.branch_delay > 2:
        message = "behind IF and ID a taken branch loses at most two cycles"
        yield ("branch_delay",), message, "from 0 to 2 cycles"


RULES = (branches_are_decided,)
