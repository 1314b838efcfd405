"""Registers that are read although nothing can have written them before.

    add.s32 %r2, %r1, 1;     and no way from the entry leads over a statement that writes %r1

What only some ways write is not reported: nvcc leaves such registers where the value cannot matter.
A compiler says of others that they have no value: `// implicit-def: %r1`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from functools import reduce
from operator import or_

from compiler.analyses.control_flow import control_flow
from compiler.frontends.ptx.code import Code
from compiler.frontends.ptx.tree import Routine
from compiler.ir.module import Block, Instruction

_IMPLICIT = re.compile(r"//\s*implicit-def:\s*([%$\w]+)")


def unwritten_reads(
    code: Code, routines: Sequence[Routine], text: str
) -> Iterator[tuple[str, int]]:
    """The registers and where they are read; `routines` are the kernel and those it calls."""
    blocks = code.function.blocks
    exposed = {label: _exposed(block, code.registers) for label, block in blocks.items()}
    numbers: dict[str, int] = {}
    for names in exposed.values():
        for name in names:
            numbers.setdefault(name, 1 << len(numbers))
    writes = {
        label: reduce(or_, (numbers.get(n, 0) for i in block.instructions for n in i.results), 0)
        for label, block in blocks.items()
    }
    before = dict.fromkeys(blocks, 0)
    valueless = _valueless(routines, text)
    for variable, bit in numbers.items():
        name, at = code.registers[variable]
        if valueless and (name, _routine_at(routines, at)) in valueless:
            before[code.function.entry.name] |= bit
    order = control_flow(code.function).reverse_postorder
    is_stable = False
    while not is_stable:
        is_stable = True
        for label in order:
            after = before[label] | writes[label]
            for other in blocks[label].successors:
                is_stable &= not after & ~before[other]
                before[other] |= after
    for label, names in exposed.items():
        for name, reader in names.items():
            if not numbers[name] & before[label]:
                yield code.registers[name][0], code.places[id(reader)]


def _exposed(block: Block, registers: Container[str]) -> dict[str, Instruction]:
    """The registers that a block reads before it writes them, and what reads them first."""
    found: dict[str, Instruction] = {}
    written: set[str] = set()
    for instruction in block.instructions:
        for name in instruction.variables_read:
            if name in registers and name not in written:
                found.setdefault(name, instruction)
        written.update(instruction.results)
    return found


def _valueless(routines: Sequence[Routine], text: str) -> set[tuple[str, str]]:
    """Registers that a comment says to have no value, with the function they are in."""
    return {
        (found[1], routine.name)
        for routine in routines
        for found in _IMPLICIT.finditer(text, routine.at, routine.end)
    }


def _routine_at(routines: Sequence[Routine], at: int) -> str:
    """The function in which a place of the text is."""
    ordered = sorted(routines, key=lambda routine: routine.at)
    place = bisect_right([routine.at for routine in ordered], at) - 1
    return ordered[max(place, 0)].name
