"""Registers of the source that are read although nothing can have written them before.

A compiler says of some that they have no value: `// implicit-def: %r1`.  They become the function's
`valueless`, and are not reported.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from compiler.analyses.unwritten_reads import unwritten_reads
from compiler.frontends.ptx.lowering.code import Code
from compiler.frontends.ptx.reading.tree import Routine

_IMPLICIT = re.compile(r"//\s*implicit-def:\s*([%$\w]+)")


def unwritten_registers(
    code: Code, routines: Sequence[Routine], text: str
) -> Iterator[tuple[str, int]]:
    """The registers and where they are read; `routines` are the kernel and those it calls."""
    if valueless := _valueless(routines, text):
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
    for variable, reader in found:
        yield code.registers[variable][0], code.positions[id(reader)]


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
