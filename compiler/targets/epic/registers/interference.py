"""The interference graph of a function's registers: who may not share a register with whom.

    add %x = %a, %b       (%c, r8 and %y are alive after it)
    %x - %c, %x - %y      edges between virtual registers, by number; %x may not have r8

Two registers interfere if one is written while the other is alive, unless the write is a move from
one to the other.  Edges are kept as pairs of numbers, and as one bit set of real registers for each
virtual one; nobody asks about two real ones.  After spilling only the blocks that changed are
walked again, and only what is written there for the first time brings edges: a register that lives
in memory leaves the edges of the others as they were.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from functools import reduce
from itertools import chain, pairwise
from operator import or_

import numpy as np

from compiler.analyses.code_flow import leads_away, predecessors, targets
from compiler.ir.module import Function, Instruction
from compiler.targets.epic.flow import block_weights, machine_liveness
from compiler.targets.epic.frame import outputs
from compiler.targets.epic.kernels import kept_still, rotating_registers, turning_blocks
from compiler.targets.epic.registers.operands import (
    FILES,
    PREFIX,
    files_of,
    is_virtual,
    keeps_old_value,
    move_source,
    reads,
    writes,
)
from machines.kinds.epic.fields import Epic

_Facts = tuple[Instruction, list[str], list[str]]
"""An instruction, the registers that it writes, and those that it reads."""


class Interference:
    """The graph while registers are spilled.

    names       the virtual registers that are left, in order of first appearance
    numbers     of each by name, in order of discovery; files: of each by name
    weight      by number, how often a register is read or written, by loop depth: what spilling it
                would cost
    copies      registers that a plain move joins, for each name in order of appearance
    outputs     how many of the last general registers calls need for arguments
    still       names that may have no rotating register; rotating: those there are, by file
    bits        of each real register its bit
    forbidden   by number, the real registers of its file that a virtual one may not have
    visits      instructions walked so far
    """

    def __init__(self, function: Function, description: Epic):
        self._function = function
        self._live = machine_liveness(function)
        self._weight_of_block = block_weights(function)
        self.outputs = outputs(function)
        self._turning = turning_blocks(function, description)
        self.still = kept_still(function, self._turning)
        self.rotating = {f: rotating_registers(function, description, f) for f in PREFIX}
        self.files: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.weight: list[float] = []
        self.forbidden: list[int] = []
        self.bits: dict[str, int] = {}
        self.visits = 0
        pointer = description.registers["general"].stack_pointer
        self._pointer = f"{PREFIX['general']}{pointer}"
        self._leading_to_slots: set[str] = set()
        self._following = dict(pairwise(function.blocks))
        self._members = dict.fromkeys(PREFIX, 0)
        self._pairs: list[tuple[np.ndarray, np.ndarray]] = []
        self._appearing: dict[str, list[str]] = {}
        self._moves: dict[str, list[tuple[str, str]]] = {}
        self._walk(function.blocks)

    def spilled(self, names: Collection[str], blocks: Collection[str]) -> None:
        """Forget registers that live in memory now; the code of `blocks` has changed for it, and
        the stack pointer is alive wherever control may come to it."""
        for name in names:
            del self.numbers[name], self.files[name]
        code = self._function.blocks
        before = predecessors(self._function)
        reached = [
            b for b in blocks if any(self._pointer in i.operands for i in code[b].instructions)
        ]
        changed = set(blocks)
        while reached:
            block = reached.pop()
            if block not in self._leading_to_slots:
                self._leading_to_slots.add(block)
                reached += before[block]
                changed.update(before[block])
        self._walk([name for name in code if name in changed])

    def bit(self, register: str) -> int:
        """The bit of a real register, be it named in the code or not."""
        return self.bits.setdefault(register, 1 << len(self.bits))

    def edges(self) -> tuple[list[int], list[int]]:
        """The edges between registers of one file, by position in `names`: where the neighbours of
        each begin in the second list (and, last, its length), and the neighbours, ascending."""
        size = len(self.names)
        position = np.full(len(self.weight), -1, dtype=np.int64)
        position[[self.numbers[name] for name in self.names]] = np.arange(size)
        ends = [position[np.concatenate(ends)] for ends in zip(*self._pairs, strict=True)]
        one, other = ends
        kept = (one >= 0) & (other >= 0) & (one != other)
        one, other = one[kept], other[kept]
        keys = np.sort(np.concatenate([one * size + other, other * size + one]))
        keys = keys[np.diff(keys, prepend=-1) != 0]
        first, second = np.divmod(keys, max(size, 1))
        starts = np.searchsorted(first, np.arange(size + 1))
        return starts.tolist(), second.tolist()

    def _walk(self, blocks: Iterable[str]) -> None:
        """Take in the code of some blocks, and what it names for the first time."""
        first = len(self.weight)
        facts = {name: self._facts(name) for name in blocks}
        pairs = _Pairs()
        for name, code in facts.items():
            self._scan(name, code, first, pairs)
        self._pairs.append(pairs.arrays())
        appearing = (self._appearing[name] for name in self._function.blocks)
        self.names = [n for n in dict.fromkeys(chain(*appearing)) if n in self.numbers]
        self.copies: dict[str, list[str]] = {}
        for name in self._function.blocks:
            for result, source in self._moves[name]:
                self.copies.setdefault(result, []).append(source)
                self.copies.setdefault(source, []).append(result)

    def _facts(self, block: str) -> list[_Facts]:
        """What the instructions of a block write and read; numbers what is new."""
        found: list[_Facts] = []
        appearing: dict[str, None] = {}
        for instruction in self._function.blocks[block].instructions:
            for name, file in files_of(instruction):
                self._enter(name, file)
            for name in instruction.attributes.get("clobbers", ()):
                self._enter(name, FILES[name[0]])
            written = [name for name, _ in writes(instruction)]
            read = [name for name, _ in reads(instruction)]
            appearing.update(dict.fromkeys(written))
            appearing.update(dict.fromkeys(read))
            found.append((instruction, written, read))
        self._appearing[block] = [name for name in appearing if is_virtual(name)]
        if block in self._turning:
            self.still |= set(self._appearing[block])
        self.visits += len(found)
        return found

    def _enter(self, name: str, file: str) -> None:
        if not is_virtual(name):
            if name not in self.bits:
                self.bits[name] = 1 << len(self.bits)
                self._members[file] |= self.bits[name]
        elif name not in self.numbers:
            self.numbers[name], self.files[name] = len(self.weight), file
            self.weight.append(0.0)
            self.forbidden.append(0)

    def _scan(self, block: str, code: list[_Facts], first: int, pairs: _Pairs) -> None:
        """Walk a block backwards with what is alive: the virtual registers of each file, and the
        real ones.  What has a number below `first` has its edges: a register that spilling made is
        alive only beside the instruction that it was made for."""
        weight = self._weight_of_block[block]
        alive = _Alive(self.numbers, self.files, self.bits)
        if block in self._following:
            alive.add(self._alive_in(self._following[block]))
        moves = self._moves[block] = []
        for instruction, written, read in reversed(code):
            source = move_source(instruction)
            if source is not None:
                moves.append((instruction.results[0], source))
            self._write(written, alive, source if instruction.guard is None else None, first, pairs)
            if instruction.operation.control:
                if leads_away(instruction):
                    alive.clear()
                for label in targets(instruction):
                    alive.add(self._alive_in(label))
            if not keeps_old_value(instruction):
                alive.remove(written)
            alive.add(read)
            for name in (*written, *read):
                number = self.numbers.get(name, -1)
                if number >= first:
                    self.weight[number] += weight

    def _alive_in(self, block: str) -> list[str]:
        """What is alive at a block's head."""
        found = self._live.names(self._live.live_in[block])
        return [*found, self._pointer] if block in self._leading_to_slots else found

    def _write(
        self, written: list[str], alive: _Alive, source: str | None, first: int, pairs: _Pairs
    ) -> None:
        """Edges from what an instruction writes; `source` is what it moves there, if it does."""
        together = reduce(or_, (self.bits.get(name, 0) for name in written), 0)
        real = alive.real | together
        if source in self.bits:
            real &= ~self.bits[source]
        spared = self.numbers.get(source, -1)
        for name in written:
            number = self.numbers.get(name)
            if number is None:
                continue
            file = self.files[name]
            self.forbidden[number] |= real & self._members[file]
            if number < first:
                continue
            pairs.add(number, alive.virtual[file], spared)
            if len(written) > 1:
                beside = {self.numbers[n] for n in written if self.files.get(n) == file}
                pairs.add(number, beside, spared)
        if together:
            for file, members in self._members.items():
                if together & members:
                    for number in alive.virtual[file]:
                        if number != spared:
                            self.forbidden[number] |= together & members


class _Alive:
    """What is alive at a place: virtual registers of each file by number, real ones as bits."""

    def __init__(self, numbers: dict[str, int], files: dict[str, str], bits: dict[str, int]):
        self._numbers, self._files, self._bits = numbers, files, bits
        self.clear()

    def clear(self) -> None:
        self.virtual: dict[str, set[int]] = {file: set() for file in PREFIX}
        self.real = 0

    def add(self, names: Iterable[str]) -> None:
        for name in names:
            number = self._numbers.get(name)
            if number is not None:
                self.virtual[self._files[name]].add(number)
            else:
                self.real |= self._bits.get(name, 0)

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            number = self._numbers.get(name)
            if number is not None:
                self.virtual[self._files[name]].discard(number)
            else:
                self.real &= ~self._bits.get(name, 0)


class _Pairs:
    """Edges in the making, each of a register with a set of others."""

    def __init__(self):
        self._ones, self._counts, self._others = array("i"), array("i"), array("i")

    def add(self, one: int, others: set[int], spared: int) -> None:
        """Edges from one to the others, but for one of these."""
        self._ones.append(one)
        self._counts.append(len(others) - (spared in others))
        self._others.extend(others if spared not in others else others - {spared})

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """int32: both ends of each edge."""
        ones, counts, others = (
            np.array(a, dtype=np.intc) for a in (self._ones, self._counts, self._others)
        )
        return np.repeat(ones, counts), others
