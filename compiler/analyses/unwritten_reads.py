"""Registers and variables that are read although nothing can have written them before.

    add.s32 %r2, %r1, 1     and no way from the entry leads over an instruction that writes %r1

What only some ways write is not found: compilers leave such reads where the value cannot matter.
A guarded write counts as one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from compiler.analyses.control_flow import reverse_postorder
from compiler.ir.module import Function, Instruction

Names = Callable[[Instruction], Iterable[str]]


def unwritten_reads(
    function: Function,
    successors: Mapping[str, tuple[str, ...]],
    reads: Names,
    writes: Names,
    given: Collection[str] = (),
) -> Iterator[tuple[str, Instruction]]:
    """The names, and what reads each first in its block, in the order of blocks.

    reads, writes  what an instruction reads and writes
    given          what is written before the function begins
    """
    blocks = function.blocks
    exposed = {
        label: _exposed(block.instructions, reads, writes) for label, block in blocks.items()
    }
    numbers: dict[str, int] = {}
    for names in exposed.values():
        for name in names:
            numbers.setdefault(name, 1 << len(numbers))
    written = {
        label: reduce(or_, (numbers.get(n, 0) for i in block.instructions for n in writes(i)), 0)
        for label, block in blocks.items()
    }
    before = dict.fromkeys(blocks, 0)
    entry = function.entry.name
    before[entry] = reduce(or_, (numbers.get(name, 0) for name in given), 0)
    order = reverse_postorder(entry, successors)
    is_changed = True
    while is_changed:
        is_changed = False
        for label in order:
            after = before[label] | written[label]
            for other in successors[label]:
                if after & ~before[other]:
                    before[other] |= after
                    is_changed = True
    seen = set(order)
    for label, names in exposed.items():
        for name, reader in names.items():
            if label in seen and not numbers[name] & before[label]:
                yield name, reader


def _exposed(code: Iterable[Instruction], reads: Names, writes: Names) -> dict[str, Instruction]:
    """The names that code reads before it writes them, and what reads them first."""
    found: dict[str, Instruction] = {}
    written: set[str] = set()
    for instruction in code:
        for name in reads(instruction):
            if name not in written:
                found.setdefault(name, instruction)
        written.update(writes(instruction))
    return found
