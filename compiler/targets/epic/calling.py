"""How functions call each other: where arguments and results are, and what a call changes.

    caller        its stacked registers: r32 … are inputs and locals, behind them stand the outputs
    arguments     floats: f8 …; all else: the outputs in order, which are the callee's r32 …
    result        r8 or f8
    changed       everything but the caller's stacked registers and the stack pointer
    kept          so what is alive during a call is in a stacked register or in memory

The numbers are those of the machine's `registers`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from compiler.ir.module import Function
from compiler.targets.epic.registers.operands import OUTPUT, PREFIX
from compiler.targets.epic.registers.pressure import allocatable
from machines.diagnostics import Location, input_error
from machines.kinds.epic.fields import Epic
from machines.types import Type


def argument_file(t: Type) -> str:
    """Floats travel in floating registers, everything else (booleans too) in general ones."""
    return "floating" if t.is_float else "general"


@dataclass(frozen=True)
class Convention:
    """The calls of one machine."""

    description: Epic

    def arguments(self, function: Function) -> list[str]:
        """The register in which each parameter arrives: the next argument register of its file.

        Raises InputError if the machine has too few.
        """
        free = {
            file: [n for n in registers.arguments if n < registers.count]
            for file, registers in self.description.registers.items()
        }
        found = []
        for name, t in function.parameters:
            file = argument_file(t)
            if not free[file]:
                self._refuse(function, name, file)
            found.append(f"{PREFIX[file]}{free[file].pop(0)}")
        return found

    def _refuse(self, function: Function, name: str, file: str) -> None:
        what = "floats" if file == "floating" else "integers and arrays"
        description = self.description
        raise input_error(
            f"{description.name} has registers for {len(description.registers[file].arguments)} "
            f"arguments that are {what}, and none for '{name}'",
            function.locations.get(name, function.location),
            hint=f"put several scalars into one array; registers.{file}.arguments of the machine "
            "says which registers there are",
        )

    def result(self, function: Function) -> str | None:
        """The register a function returns its result in, None if it returns nothing."""
        if function.result is None:
            return None
        file = argument_file(function.result)
        number = self.description.registers[file].result
        if number is None:
            raise input_error(
                f"{self.description.name} has no register for the result of '{function.name}'",
                function.location,
                hint=f"the machine's registers.{file}.result names it",
            )
        return f"{PREFIX[file]}{number}"

    def passing(self, callee: Function, location: Location | None) -> list[str]:
        """Where a caller puts each argument: an output, or a floating register.

        Raises InputError if the machine has no register stack.
        """
        if not self.description.largest_frame:
            raise input_error(
                f"{self.description.name} has no register stack, so @{callee.name} cannot be "
                "called",
                location,
                hint="registers.general.rotating of the machine says what is stacked",
            )
        return [self._passed(register) for register in self.arguments(callee)]

    def _passed(self, register: str) -> str:
        number = int(register[1:]) - self._first_stacked
        is_output = register[0] == PREFIX["general"] and number >= 0
        return f"{OUTPUT}{number}" if is_output else register

    @property
    def _first_stacked(self) -> int:
        region = self.description.registers["general"].rotating
        return region[0] if region else self.description.registers["general"].count

    @cached_property
    def clobbered(self) -> tuple[str, ...]:
        """The registers that a callee may change."""
        return tuple(
            f"{prefix}{number}"
            for file, prefix in PREFIX.items()
            for number in allocatable(self.description, file)
            if file != "general" or number < self._first_stacked
        )
