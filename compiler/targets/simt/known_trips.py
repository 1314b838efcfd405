"""Loops that run a number of times that the code says, and how often ptxas writes their rows.

    %n = mov.b32 0                 64 times; of a row of 24 sums ptxas writes 10 copies in the loop,
    loop: …                        which run 6 times, and 4 behind it
          add.s32 %n, %n, 1
          setp.ne.s32 %p, %n, 64
          bra %p, loop, out

The rule is read off ptxas 13.0 for sm_90, of loops of 4 to 100 sums, of loads or stores with a sum
each, and of both, that run 63, 64 and 1 000 times; in none of these cases, and of 72 more with 96
and 200 times, is the number of copies another one.  An access counts as two, and what only counts,
or is an address that does, not at all.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.dominators import dominators
from compiler.analyses.loops import loops
from compiler.ir.module import Function
from compiler.targets.simt.counted_loops import RANGES, CountedLoop, constant_steps
from compiler.targets.simt.registers.operands import copied, writes
from machines.kinds.simt.fields import Simt

MOST_OF_LOOP = 75
"""Of rows that a loop may have to be unrolled: of 72, not of 80."""
MOST_TOGETHER = 350
"""Of rows of all copies together."""
MOST_WITHOUT_LOOP = 1152
"""Of rows of all iterations, if no loop is left: of 1 152, not of 1 197."""
ACCESS = 2


@dataclass(frozen=True, slots=True)
class Copies:
    """Of a loop's rows: `inside` the loop that is left, which runs `times` times, and `behind` it;
    of a loop that runs once there is none."""

    inside: int
    times: int
    behind: int


@dataclass(frozen=True, slots=True)
class Trips:
    """How often a loop runs each time that it is entered, and what its counter is then."""

    count: int
    end: int


def copies(trips: int, rows: int) -> Copies | None:
    """How a loop of so many rows is written that runs so many times; None: as it is."""
    rows = max(1, rows)
    if rows * trips <= MOST_WITHOUT_LOOP:
        return Copies(trips, 1, 0)
    if rows > MOST_OF_LOOP:
        return None
    most = MOST_TOGETHER // rows
    for inside in range(min(most, trips), 1, -1):
        if inside + trips % inside <= most:
            return Copies(inside, trips // inside, trips % inside)
    return None


def rows_of(loop: CountedLoop, description: Simt) -> int:
    """Rows of an iteration, as ptxas seems to count them."""
    code = loop.block.instructions[:-1]
    counted, total = constant_steps(code), 0
    for instruction in code:
        is_counter = any(name in counted for name in instruction.results)
        if is_counter or instruction is loop.test or copied(instruction) is not None:
            continue
        slots = description.classes[instruction.operation.scheduling_class].slots
        total += ACCESS if instruction.operation.accesses else slots
    return total


def trips_of(function: Function, loop: CountedLoop) -> Trips | None:
    """How often a loop runs, if that is known and its counter does not wrap."""
    first = _value_before(function, loop)
    if first is None or not isinstance(loop.bound, int):
        return None
    lowest, highest = RANGES[loop.kind]
    span = highest - lowest + 1
    first, bound = ((number - lowest) % span + lowest for number in (first, loop.bound))
    distance, step = (bound - first, loop.step) if loop.step > 0 else (first - bound, -loop.step)
    _, relation, _ = loop.test.operation.name.split(".")
    if relation in ("ne", "eq"):
        trips = distance // step if distance > 0 and distance % step == 0 else 0
    else:
        includes = relation in ("le", "ge") if _goes_on(loop) else relation in ("lt", "gt")
        trips = max(1, -(-(distance + includes) // step))
    end = first + trips * loop.step
    return Trips(trips, end) if trips and lowest <= end <= highest else None


def _goes_on(loop: CountedLoop) -> bool:
    """Whether the loop goes on where its test is true."""
    return loop.block.terminator.operands[1] == loop.block.name


def _value_before(function: Function, loop: CountedLoop) -> int | None:
    """What the counter is whenever the loop is entered, if that is a constant."""
    name, found = loop.block.name, []
    for block in function.blocks.values():
        for instruction in block.instructions:
            if block is not loop.block and loop.counter in (n for n, _ in writes(instruction)):
                found.append((block.name, instruction))
    if len(found) != 1:
        return None
    home, setting = found[0]
    nest = loops(function)
    around = nest.by_header[name].parent if name in nest.by_header else None
    is_once = nest.innermost.get(home, "") == around and dominators(function).dominates(home, name)
    is_constant = setting.operation.name == "mov.b32" and setting.guard is None
    value = setting.operands[0] if is_once and is_constant else None
    return value if isinstance(value, int) else None
