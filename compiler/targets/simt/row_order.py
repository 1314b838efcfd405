"""What must stay before what in a block of `ptx` rows.

    0  ld.global.b32 %x, [%p]        1 waits for 0 (it reads %x), and 2 for 1
    1  add.s32       %y, %x, 1       3 may go before 1 and 2 only if [%p] and [%q+4] cannot meet
    2  st.global.b32 [%p], %y
    3  ld.global.b32 %z, [%q+4]

Two accesses of which one stores keep their order unless they name different spaces, or the same
base register and other bytes; attribute 'constant' of a load says that none changes what it reads.
No access crosses what orders memory or may end the kernel, nor one with the attribute 'ordered'
(`volatile` of PTX); rows of a whole warp keep their order; nothing crosses a read of the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compiler.analyses.liveness import kills
from compiler.ir.module import Instruction, Value
from compiler.targets.simt.combination.values import address_of
from compiler.targets.simt.registers.operands import reads, writes
from machines.instructions.ptx_operands import CLOCKS
from machines.operations.row import Access


@dataclass(frozen=True, slots=True)
class Footprint:
    """The bytes of an access: `size` at `offset` from what a register held in its `version`."""

    space: str
    base: Value
    version: int
    offset: int
    size: int
    stores: bool

    def may_meet(self, other: Footprint) -> bool:
        if not (self.stores or other.stores):
            return False
        if self.space != other.space:
            return _share(self.space, other.space)
        if isinstance(self.base, str) or isinstance(other.base, str):
            if (self.base, self.version) != (other.base, other.version):
                return True
            first, second = self.offset, other.offset
        else:
            first, second = self.base + self.offset, other.base + other.offset
        return first < second + other.size and second < first + self.size

    def stands_for(self, other: Footprint) -> bool:
        """Whether whatever may meet another may meet this: a store to all of its bytes."""
        return (
            self.stores
            and (self.space, self.base, self.version) == (other.space, other.base, other.version)
            and self.offset <= other.offset
            and other.offset + other.size <= self.offset + self.size
        )


def _share(space: str, other: str) -> bool:
    """Whether accesses of two spaces may touch the same bytes."""
    return space == other or "generic" in (space, other)


def order(code: list[Instruction]) -> list[dict[int, bool]]:
    """For each row the rows before it that it has to follow -> whether it reads what they write."""
    return list(_Order().rows(code))


class _Order:
    """What has been seen of a block so far; registers by name, accesses by space and whether they
    store."""

    def __init__(self) -> None:
        self.writer: dict[str, int] = {}
        self.readers: dict[str, list[int]] = {}
        self.versions: dict[str, int] = {}
        self.footprints: dict[tuple[str, bool], list[tuple[int, Footprint]]] = {}
        self.fence: int | None = None
        self.together: int | None = None
        self.wall: int | None = None

    def rows(self, code: list[Instruction]) -> Iterator[dict[int, bool]]:
        for number, instruction in enumerate(code):
            before: dict[int, bool] = {}
            self._registers(instruction, number, before)
            self._memory(instruction, number, before)
            if self.wall is not None:
                before.setdefault(self.wall, False)
            if is_wall(instruction) or instruction.operation.is_terminator:
                before.update((k, before.get(k, False)) for k in range(number))
                self.wall = number
            yield before

    def _registers(self, instruction: Instruction, number: int, before: dict[int, bool]) -> None:
        read = dict.fromkeys(name for name, _ in reads(instruction))
        written = dict.fromkeys(name for name, _ in writes(instruction))
        if not kills(instruction):
            read |= written  # the old value stays if the guard is false
        for name in read:
            if name in self.writer:
                before[self.writer[name]] = True
        for name in written:
            for other in (*self.readers.get(name, ()), self.writer.get(name, number)):
                if other != number:
                    before.setdefault(other, False)
        for name in read:
            self.readers.setdefault(name, []).append(number)
        for name in written:
            self.writer[name] = number
            self.readers[name] = []
            self.versions[name] = self.versions.get(name, 0) + 1

    def _memory(self, instruction: Instruction, number: int, before: dict[int, bool]) -> None:
        row = instruction.operation
        if row.is_convergent:
            if self.together is not None:
                before.setdefault(self.together, False)
            self.together = number
        if row.orders_memory or row.fault is not None or "ordered" in instruction.attributes:
            for seen in self.footprints.values():
                before.update((other, before.get(other, False)) for other, _ in seen)
            if self.fence is not None:
                before.setdefault(self.fence, False)
            self.footprints.clear()
            self.fence = number
        else:
            for access in row.accesses:
                if not _is_constant(instruction, access):
                    self._access(instruction, access, number, before)

    def _access(
        self, instruction: Instruction, access: Access, number: int, before: dict[int, bool]
    ) -> None:
        if self.fence is not None:
            before.setdefault(self.fence, False)
        footprint = self._footprint(instruction, access, number)
        for (space, stores), seen in self.footprints.items():
            if (stores or footprint.stores) and _share(space, footprint.space):
                for other, earlier in seen:
                    if other != number and footprint.may_meet(earlier):
                        before.setdefault(other, False)
            if footprint.stores and space == footprint.space:
                seen[:] = [one for one in seen if not footprint.stands_for(one[1])]
        here = footprint.space, footprint.stores
        self.footprints.setdefault(here, []).append((number, footprint))

    def _footprint(self, instruction: Instruction, access: Access, number: int) -> Footprint:
        size = access.bytes * access.elements
        if instruction.operation.is_convergent:  # what other lanes name, this one does not know
            return Footprint(access.space, "", number, 0, size, access.kind != "load")
        base = address_of(instruction, access)
        names = [operand.name for operand in instruction.operation.reads]
        offset = instruction.operands[names.index(access.offset)]
        # The row may have written its own address: it read the version before.
        own = base in instruction.results
        version = self.versions.get(base, 0) - own if isinstance(base, str) else 0
        return Footprint(access.space, base, version, offset, size, access.kind != "load")


def _is_constant(instruction: Instruction, access: Access) -> bool:
    """Whether nothing changes what a load reads."""
    return access.space == "param" or "constant" in instruction.attributes


def is_wall(instruction: Instruction) -> bool:
    """Whether nothing moves across a row: reads of the clock bracket what is measured."""
    return any(name in CLOCKS for name in instruction.operation.implicit_reads)
