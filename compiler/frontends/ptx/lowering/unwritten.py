"""Registers of the source that are read although nothing can have written them before.

A compiler says of some that they have no value: `// implicit-def: %r1`.  What it gives to assembly
of the source without a value is read there alone.  Both become the function's `valueless`, and are
not reported.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from compiler.analyses.unwritten_reads import unwritten_reads
from compiler.frontends.ptx.findings import Source
from compiler.frontends.ptx.lowering.code import Code
from compiler.frontends.ptx.reading.tree import Routine

_IMPLICIT = re.compile(r"//\s*implicit-def:\s*([%$\w]+)")


def unwritten_registers(
    code: Code, routines: Sequence[Routine], source: Source
) -> Iterator[tuple[str, int]]:
    """The registers and where they are read; `routines` are the kernel and those it calls."""
    if valueless := _valueless(routines, source.text):
        code.function.valueless = tuple(
            variable
            for variable, (name, at) in code.registers.items()
            if variable in code.function.types and (name, _routine_at(routines, at)) in valueless
        )
    successors = {label: block.successors for label, block in code.function.blocks.items()}
    found = unwritten_reads(
        code.function,
        successors,
        lambda i: (name for name in i.variables_read if name in code.registers),
        lambda i: i.results,
        code.function.valueless,
    )
    places = [(variable, code.positions[id(reader)]) for variable, reader in found]
    outside = _read_outside_of_assembly(code, source) if places else set()
    inside = dict.fromkeys(variable for variable, _ in places if variable not in outside)
    code.function.valueless += tuple(inside)
    for variable, at in places:
        if variable in outside:
            yield code.registers[variable][0], at


def _read_outside_of_assembly(code: Code, source: Source) -> set[str]:
    """The variables that some row reads which is not of assembly of the source."""
    return {
        name
        for _, row in code.function.instructions()
        if not source.in_assembly(code.positions.get(id(row), 0))
        for name in row.variables_read
    }


def _valueless(routines: Sequence[Routine], text: str) -> set[tuple[str, str]]:
    """Registers that a comment says to have no value, with the function they are in."""
    return {
        (found[1], routine.name)
        for routine in routines
        for found in _IMPLICIT.finditer(text, routine.at, routine.end)
    }


def _routine_at(routines: Sequence[Routine], at: int) -> str:
    """The function in which a position of the text is."""
    ordered = sorted(routines, key=lambda routine: routine.at)
    index = bisect_right([routine.at for routine in ordered], at) - 1
    return ordered[max(index, 0)].name
