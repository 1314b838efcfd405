"""Loops of one block that count, and what tells that several iterations follow each other.

    loop: …                               while %n < limit, four iterations follow each other,
          add.s32     %n, %n, 1           where limit is %m - 3, if that does not wrap:
          setp.lt.s32 %p, %n, %m          max.s32 %t, %m, -2147483645
          bra %p, loop, out               add.s32 %limit, %t, -3

Counters have 32 bits, and wrap.  What is asked of the counter at the head of the loop says that
none of the tests in between ends it, for all values that counter and bound may have: that of
`setp.ne` is asked of it as of an upper or a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Instruction, Value
from compiler.targets.simt.combination.values import row
from machines.types import I1, I32

OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "ne": "eq", "eq": "ne"}
RANGES = {"s32": (-(1 << 31), (1 << 31) - 1), "u32": (0, (1 << 32) - 1)}
MOST_STEP = 1 << 28
"""Of a counter: of no few iterations the steps together wrap."""


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """A loop of one block.

    block, out  the block, and where control goes from it otherwise
    counter     the register that is counted up or down by `step`, before it is tested
    kind, bound of the test: 's32' or 'u32'; the loop goes on while the counter is below the bound
                if `step` is positive, above it otherwise, or while it is not the bound
    test        the row that tests
    """

    block: Block
    out: str
    counter: str
    step: int
    kind: str
    bound: Value
    test: Instruction

    def many_follow(self, builder: Builder, count: int) -> Callable[[], str]:
        """Emit what has to be known, and give what emits the test at the loop's head of whether
        `count` iterations follow each other, and gives its predicate."""
        reach = abs(self.step) * (count - 1)
        limit = self._limit(builder, reach)
        compare = row(f"setp.{'lt' if self.step > 0 else 'gt'}.{self.kind}")

        def test() -> str:
            name = builder.fresh("%many", I1)
            return builder.emit(
                compare, self.counter, limit, result=name, location=self.test.location
            )

        return test

    def _limit(self, builder: Builder, reach: int) -> Value:
        """The bound less `reach`, or more if the loop counts down, kept from wrapping."""
        lowest, highest = RANGES[self.kind]
        up = self.step > 0
        edge = lowest + reach if up else highest - reach
        if isinstance(self.bound, int):
            bound = _of_range(self.bound, self.kind)
            return max(bound, edge) - reach if up else min(bound, edge) + reach
        keep = row(f"{'max' if up else 'min'}.{self.kind}")
        kept, limit = builder.fresh("%limit", I32), builder.fresh("%limit", I32)
        at = self.test.location
        builder.emit(keep, self.bound, edge, result=kept, location=at)
        builder.emit(row("add.s32"), kept, -reach if up else reach, result=limit, location=at)
        return limit


def counted_loop(block: Block) -> CountedLoop | None:
    """The loop that a block is, if it counts."""
    last = block.terminator
    if last.operation.control != "branch" or block.name not in block.successors:
        return None
    predicate, taken, otherwise = last.operands
    if taken == otherwise or not isinstance(predicate, str):
        return None
    writers: dict[str, list[int]] = {}
    for number, instruction in enumerate(block.instructions):
        for name in instruction.results:
            writers.setdefault(name, []).append(number)
    test = _only(block, writers, predicate)
    parts = test.operation.name.split(".") if test else []
    if len(parts) != 3 or parts[0] != "setp" or parts[2] not in RANGES:
        return None
    compare = parts[1] if taken == block.name else OPPOSITE.get(parts[1], "")
    counter, bound = test.operands
    if not isinstance(counter, str) or bound in writers or not isinstance(bound, str | int):
        return None
    step = constant_step(counter, _only(block, writers, counter))
    goes_on = ("lt", "le", "ne") if step > 0 else ("gt", "ge", "ne")
    counted_first = step and writers[counter] < writers[predicate]
    if not counted_first or abs(step) > MOST_STEP or compare not in goes_on:
        return None
    out = otherwise if taken == block.name else taken
    return CountedLoop(block, out, counter, step, parts[2], bound, test)


def _only(block: Block, writers: dict[str, list[int]], name: str) -> Instruction | None:
    """The one row of a block that writes a register, if it always does."""
    found = writers.get(name, [])
    if len(found) != 1 or block.instructions[found[0]].guard is not None:
        return None
    return block.instructions[found[0]]


def constant_step(name: str, writer: Instruction | None) -> int:
    """By what a row adds to the register that it writes, 0 if it does something else."""
    if writer is None or writer.guard is not None:
        return 0
    if writer.operation.name not in ("add.s32", "add.s64"):
        return 0
    first, second = writer.operands
    if first == name and isinstance(second, int):
        return _of_range(second, "s32") if writer.operation.name == "add.s32" else second
    return 0


def _of_range(number: int, kind: str) -> int:
    """The number of 32 bits, as a test of a kind takes it."""
    lowest, _ = RANGES[kind]
    return (number - lowest) % (1 << 32) + lowest


BY_LAST = ("mad.wide.s32", "mad.wide.u32")
"""Rows that only add to their last operand what they make of the others."""


def constant_steps(rows: Sequence[Instruction]) -> dict[str, int]:
    """The registers of a loop's rows that grow by a constant in each iteration, with it: what
    counts itself, and what is a sum of one such and of what does not change."""
    writers: dict[str, list[Instruction]] = {}
    for instruction in rows:
        for name in instruction.results:
            writers.setdefault(name, []).append(instruction)
    single = {name: found[0] for name, found in writers.items() if len(found) == 1}
    steps = {name: step for name, one in single.items() if (step := constant_step(name, one))}
    counters = dict(steps)
    for name, one in single.items():
        if name in steps or one.guard is not None or len(one.results) != 1:
            continue
        changing = [value for value in one.operands if value in writers]
        is_sum = one.operation.name == "add.s64"
        is_last = one.operation.name in BY_LAST and changing == [one.operands[-1]]
        if len(changing) == 1 and changing[0] in counters and (is_sum or is_last):
            steps[name] = counters[changing[0]]
    return steps
