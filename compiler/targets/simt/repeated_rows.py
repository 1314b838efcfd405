"""The rows of a loop's block several times, one after the other, as straight code.

    ld.global.b32 %a, [%p+0]              ld.global.b32 %a.1, [%p+0]
    add.f32       %s, %s, %a              add.f32       %s.1, %s, %a.1
    add.s64       %p, %p, 4       ->      ld.global.b32 %a, [%p+4]
                                          add.f32       %s, %s.1, %a
                                          add.s64       %p, %p, 8

Each time values have registers of their own, the last time those of the loop, so that nothing waits
for a register; but a register that a guarded row may leave as it is is the same each time.  What
only grows by a constant is counted from what it was at first, and within the offset of an access,
so that no access waits for the one before.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.analyses.liveness import kills
from compiler.ir.builder import Builder
from compiler.ir.module import Guard, Instruction, Value
from compiler.targets.simt.combination.values import row
from compiler.targets.simt.counted_loops import constant_steps

MOST_OFFSET = 1 << 23
"""Of an access, from its address: 24 bits with a sign, as instructions of sm_70 to sm_90 have."""


class RepeatedRows:
    """Writes the rows `count` times.

    rows   those of the loop without its end
    """

    def __init__(self, builder: Builder, rows: list[Instruction], count: int):
        self.builder, self.rows, self.count = builder, rows, count
        writers: dict[str, list[int]] = {}
        for number, instruction in enumerate(rows):
            for name in instruction.results:
                writers.setdefault(name, []).append(number)
        self._last = {name: found[-1] for name, found in writers.items()}
        self._kept = {n for one in rows if not kills(one) for n in one.results}
        self._steps = constant_steps(rows)
        self._own = {name for name in self._steps if name in rows[writers[name][0]].operands}
        self._now: dict[str, Value] = {}
        self._ahead: dict[str, int] = {}
        self._counted: dict[tuple[str, int], str] = {}
        self.code: list[Instruction] = []

    def written(self) -> list[Instruction]:
        for time in range(self.count):
            for number, instruction in enumerate(self.rows):
                (counted,) = instruction.results if len(instruction.results) == 1 else ("",)
                if counted in self._own:
                    self._count(counted, instruction, time)
                elif counted in self._steps and time:
                    self._follow(number, counted, instruction, time)
                else:
                    self._copy(number, instruction, is_last=time == self.count - 1)
        return self.code

    def _count(self, name: str, instruction: Instruction, time: int) -> None:
        """A counter is where it is later; the last time the register is what it then is."""
        self._ahead[name] = self._steps[name] * (time + 1)
        if time == self.count - 1:
            operands = (name, self._ahead.pop(name))
            self.code.append(replace(instruction, operands=operands))

    def _follow(self, number: int, name: str, instruction: Instruction, time: int) -> None:
        """What is made of a counter is as far ahead of what it was the first time as that is; the
        last time the register is made once more, for those behind the loop."""
        if time == self.count - 1:
            first = self._now[name]
            self._copy(number, instruction, is_last=True)
            self._now[name] = first
        self._ahead[name] = self._steps[name] * time

    def _copy(self, number: int, instruction: Instruction, is_last: bool) -> None:
        operands = list(instruction.operands)
        names = [operand.name for operand in instruction.operation.reads]
        for access in instruction.operation.accesses:
            if access.offset is None:
                continue
            address, offset = names.index(access.address), names.index(access.offset)
            ahead = self._ahead.get(operands[address], 0)
            if ahead and abs(operands[offset] + ahead) < MOST_OFFSET:
                operands[offset] += ahead
                operands[address] = self._now.get(operands[address], operands[address])
            else:
                operands[address] = self._value(operands[address], instruction)
        addresses = {
            names.index(access.address)
            for access in instruction.operation.accesses
            if access.offset is not None
        }
        for position, value in enumerate(operands):
            if position not in addresses:
                operands[position] = self._value(value, instruction)
        guard = instruction.guard
        if guard is not None:
            guard = Guard(self._now.get(guard.name, guard.name), guard.negated)
        results = tuple(
            self._result(name, is_last and self._last[name] == number)
            for name in instruction.results
        )
        self.code.append(
            replace(
                instruction, results=results, operands=tuple(operands), guard=guard,
                attributes=dict(instruction.attributes),
            )
        )  # fmt: skip

    def _result(self, name: str, is_last: bool) -> str:
        if is_last or name in self._kept:
            self._now[name] = name
        else:
            self._now[name] = self.builder.fresh(name, self.builder.function.types[name])
        return self._now[name]

    def _value(self, value: Value, reader: Instruction) -> Value:
        """An operand as it is this time."""
        if not isinstance(value, str):
            return value
        ahead = self._ahead.get(value, 0)
        if not ahead:
            return self._now.get(value, value)
        key = value, ahead
        if key not in self._counted:
            kind = self.builder.function.types[value]
            self._counted[key] = name = self.builder.fresh(value, kind)
            add = row(f"add.s{kind.bits}")
            first = self._now.get(value, value)
            self.code.append(Instruction(add, (name,), (first, ahead), location=reader.location))
        return self._counted[key]
