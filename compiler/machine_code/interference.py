"""The interference graph of a function's registers: which of them may not share a register.

    add %x = %a, %b       (%c, r8 and %y are alive after it)
    %x - %c, %x - %y      edges between virtual registers, by number; %x may not have r8

Two registers interfere if one is written while the other is alive, unless the write is a move from
one to the other (Chaitin, *Register allocation & spilling via graph coloring*, 1982); what is
alive where a function begins was written before it, together.  Edges are kept as pairs of numbers,
and as one bit set of real registers for each virtual one; edges between real ones are not needed.
After spilling only the blocks that changed are walked again, and only what is written there for
the first time brings edges: a register that lives in memory leaves the edges of the others as they
were.
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
from compiler.machine_code.colouring import Node
from compiler.machine_code.liveness import MachineLiveness
from compiler.machine_code.loops import block_weights

_Facts = tuple[Instruction, Collection[str], Collection[str]]
"""An instruction, the registers that it writes, and those that it reads."""


class Interference:
    """The graph while registers are spilled.

    names       the virtual registers that are left, in order of first appearance
    numbers     of each by name, in order of discovery; files: of each by name
    weight      by number, how often a register is read or written, by loop depth: what spilling it
                would cost
    moves       (weight, result, source) of the plain moves between registers
    copies      the registers that moves join to each, in order of appearance
    appearing   the virtual registers that a block names, in order
    bits        of each real register its bit
    forbidden   by number, the real registers of its bank that a virtual one may not have
    visits      instructions walked so far
    """

    def __init__(self, function: Function, live: MachineLiveness, slot_base: str | None = None):
        """`slot_base` is the real register that code of spilling reads, if there is one."""
        self._function = function
        self._live, self._operands = live, live.operands
        self._weight_of_block = block_weights(function)
        self.files: dict[str, str] = {}
        self.numbers: dict[str, int] = {}
        self.weight: list[float] = []
        self.forbidden: list[int] = []
        self.bits: dict[str, int] = {}
        self.appearing: dict[str, list[str]] = {}
        self.visits = 0
        self._slot_base = slot_base
        self._leading_to_slots: set[str] = set()
        self._following = dict(pairwise(function.blocks))
        self._banks: dict[str, str] = {}
        self._members = dict.fromkeys(self._operands.banks.values(), 0)
        self._pairs: list[tuple[np.ndarray, np.ndarray]] = []
        self._moves: dict[str, list[tuple[float, str, str]]] = {}
        self._walk(function.blocks)

    def spilled(self, names: Collection[str], blocks: Collection[str]) -> None:
        """Forget registers that live in memory now; the code of `blocks` has changed for it, and
        the base of the slots is alive wherever control may come to it."""
        for name in names:
            del self.numbers[name], self.files[name], self._banks[name]
        code = self._function.blocks
        before = predecessors(self._function)
        reached = [
            b for b in blocks if any(self._slot_base in i.operands for i in code[b].instructions)
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

    def nodes(self) -> list[Node]:
        """The graph to be coloured: a node for each of `names`."""
        files, numbers = self.files, self.numbers
        return [
            Node([name], files[name], weight, forbidden, beside)
            for name, beside in zip(self.names, self._neighbours(), strict=True)
            for weight, forbidden in [(self.weight[numbers[name]], self.forbidden[numbers[name]])]
        ]

    def _neighbours(self) -> list[list[int]]:
        """The neighbours of each of `names`, by position among them, ascending."""
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
        starts = np.searchsorted(first, np.arange(size + 1)).tolist()
        neighbours = second.tolist()
        return [neighbours[begin:end] for begin, end in pairwise(starts)]

    def _walk(self, blocks: Iterable[str]) -> None:
        """Take in the code of some blocks, and what it names for the first time."""
        first = len(self.weight)
        facts = {name: self._facts(name) for name in blocks}
        pairs = _Pairs()
        for name, code in facts.items():
            self._scan(name, code, first, pairs)
        if not self._pairs:
            self._begin(pairs)
        self._pairs.append(pairs.arrays())
        appearing = (self.appearing[name] for name in self._function.blocks)
        self.names = [n for n in dict.fromkeys(chain(*appearing)) if n in self.numbers]
        self.moves = [move for name in self._function.blocks for move in self._moves[name]]
        self.copies: dict[str, list[str]] = {}
        for _, result, source in self.moves:
            self.copies.setdefault(result, []).append(source)
            self.copies.setdefault(source, []).append(result)

    def _facts(self, block: str) -> list[_Facts]:
        """What the instructions of a block write and read; numbers what is new."""
        operands = self._operands
        found: list[_Facts] = []
        appearing: dict[str, None] = {}
        for instruction in self._function.blocks[block].instructions:
            for name, file in operands.named(instruction):
                self._enter(name, file)
            written, read = operands.written(instruction), operands.read(instruction)
            appearing.update(dict.fromkeys(written))
            appearing.update(dict.fromkeys(read))
            found.append((instruction, written, read))
        self.appearing[block] = [name for name in appearing if operands.is_virtual(name)]
        self.visits += len(found)
        return found

    def _enter(self, name: str, file: str) -> None:
        if name in self.numbers or name in self.bits:
            return
        bank = self._operands.banks[file]
        if self._operands.is_virtual(name):
            self.numbers[name], self.files[name] = len(self.weight), file
            self._banks[name] = bank
            self.weight.append(0.0)
            self.forbidden.append(0)
        else:
            self._members[bank] |= self.bit(name)

    def _begin(self, pairs: _Pairs) -> None:
        """Edges among what is alive where the function begins."""
        alive = _Alive(self.numbers, self._banks, self.bits, self._members)
        alive.add(self._alive_in(self._function.entry.name))
        for bank, together in alive.virtual.items():
            for number in together:
                self.forbidden[number] |= alive.real & self._members[bank]
                pairs.add(number, together, -1)

    def _scan(self, block: str, code: list[_Facts], first: int, pairs: _Pairs) -> None:
        """Walk a block backwards with what is alive: the virtual registers of each bank, and the
        real ones.  What has a number below `first` has its edges: a register that spilling made is
        alive only beside the instruction that it was made for."""
        weight = self._weight_of_block[block]
        operands = self._operands
        alive = _Alive(self.numbers, self._banks, self.bits, self._members)
        if block in self._following:
            alive.add(self._alive_in(self._following[block]))
        moves = self._moves[block] = []
        for instruction, written, read in reversed(code):
            source = operands.move_source(instruction)
            if source is not None:
                moves.append((weight, instruction.results[0], source))
            self._write(written, alive, source if instruction.guard is None else None, first, pairs)
            if instruction.operation.control:
                if leads_away(instruction):
                    alive.clear()
                for label in targets(instruction):
                    alive.add(self._alive_in(label))
            if not operands.keeps_old_value(instruction):
                alive.remove(written)
            alive.add(read)
            for name in (*written, *read):
                number = self.numbers.get(name, -1)
                if number >= first:
                    self.weight[number] += weight

    def _alive_in(self, block: str) -> list[str]:
        """What is alive at a block's head."""
        found = self._live.names(self._live.live_in[block])
        return [*found, self._slot_base] if block in self._leading_to_slots else found

    def _write(
        self, written: Collection[str], alive: _Alive, source: str | None, first: int, pairs: _Pairs
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
            bank = self._banks[name]
            self.forbidden[number] |= real & self._members[bank]
            if number < first:
                continue
            pairs.add(number, alive.virtual[bank], spared)
            if len(written) > 1:
                beside = {self.numbers[n] for n in written if self._banks.get(n) == bank}
                pairs.add(number, beside, spared)
        if together:
            for bank, members in self._members.items():
                if together & members:
                    for number in alive.virtual[bank]:
                        if number != spared:
                            self.forbidden[number] |= together & members


class _Alive:
    """What is alive at a place: virtual registers of each bank by number, real ones as bits."""

    def __init__(
        self,
        numbers: dict[str, int],
        banks: dict[str, str],
        bits: dict[str, int],
        every_bank: Iterable[str],
    ):
        self._numbers, self._banks, self._bits = numbers, banks, bits
        self._every_bank = tuple(every_bank)
        self.clear()

    def clear(self) -> None:
        self.virtual: dict[str, set[int]] = {bank: set() for bank in self._every_bank}
        self.real = 0

    def add(self, names: Iterable[str]) -> None:
        for name in names:
            number = self._numbers.get(name)
            if number is not None:
                self.virtual[self._banks[name]].add(number)
            else:
                self.real |= self._bits.get(name, 0)

    def remove(self, names: Iterable[str]) -> None:
        for name in names:
            number = self._numbers.get(name)
            if number is not None:
                self.virtual[self._banks[name]].discard(number)
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
