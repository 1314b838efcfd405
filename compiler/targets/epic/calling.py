"""Where a function's arguments arrive and where its result goes."""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.epic.registers import PREFIX
from machines.diagnostics import input_error
from machines.kinds.epic import Epic
from machines.types import Type


def argument_file(t: Type) -> str:
    """Floats travel in floating registers, everything else (booleans too) in general ones."""
    return "floating" if t.is_float else "general"


def argument_registers(function: Function, description: Epic) -> list[str]:
    """The register of each parameter: the next argument register of its file.

    Raises InputError if the machine has too few.
    """
    free = {
        file: [n for n in registers.arguments if n < registers.count]
        for file, registers in description.registers.items()
    }
    found = []
    for name, t in function.parameters:
        file = argument_file(t)
        if not free[file]:
            what = "floats" if file == "floating" else "integers and arrays"
            count = len(description.registers[file].arguments)
            raise input_error(
                f"{description.name} has registers for {count} arguments that are {what}, "
                f"and none for '{name}'",
                function.places.get(name, function.location),
                hint=f"put several scalars into one array; registers.{file}.arguments of the "
                "machine says which registers there are",
            )
        found.append(f"{PREFIX[file]}{free[file].pop(0)}")
    return found


def result_register(function: Function, description: Epic) -> str | None:
    """The register a function returns its result in, None if it returns nothing."""
    if function.result is None:
        return None
    file = argument_file(function.result)
    number = description.registers[file].result
    if number is None:
        raise input_error(
            f"{description.name} has no register for the result of '{function.name}'",
            function.location,
            hint=f"the machine's registers.{file}.result names it",
        )
    return f"{PREFIX[file]}{number}"
