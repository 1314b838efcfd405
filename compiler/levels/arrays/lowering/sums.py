"""Reductions and scans by all threads of a team.

Each thread takes its positions; a warp's threads exchange what they have come to (shuffles), and
put it into memory; groups of as many warps do the same once more.  Then every warp can add up what
it needs of both columns, so that no thread waits for one that does it for all.

    positions   0 1 2 3 4 5 …            each thread's own, every so many or a stretch
    warps       | warp 0 | warp 1 | …     a column: what each has come to
    groups      | warps 0 … 31 | …        a column: what each has come to

A scan goes through its stretches twice: to learn what each comes to, and with what all before it
have come to.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.levels.arrays.lowering.code import Code
from compiler.levels.arrays.lowering.staged import Operand
from compiler.levels.arrays.lowering.team import Team
from machines.levels.arrays.types import size_in_memory
from machines.types import F32, F64, I32, I64, Type

_SHUFFLED = {I32, I64, F32, F64}
_IDEMPOTENT = {"min_s", "max_s", "min_u", "max_u", "min", "max", "and", "or"}
_NEUTRAL = {"add": 0, "mul": 1, "xor": 0}
_NEUTRAL_FLOATS = {"add": -0.0, "mul": 1.0}
_ATOMIC = {"add", "min_s", "min_u", "max_s", "max_u", "and", "or", "xor"}


def any_order(row: str, type: Type, allow: frozenset[str]) -> bool:
    """Whether operands of a reduction may be taken in any order, by many threads."""
    name = row.partition(".")[0]
    if type not in _SHUFFLED:
        return False
    if type.is_float:
        return "reassociate" in allow and name in {*_NEUTRAL_FLOATS, *_IDEMPOTENT}
    return name in {*_NEUTRAL, *_IDEMPOTENT}


def changes_atomically(row: str, type: Type) -> bool:
    """Whether an operation of integers changes memory in any order, as atomics do."""
    return type in (I32, I64) and row.partition(".")[0] in _ATOMIC


def reduce(
    team: Team,
    row: str,
    type: Type,
    start: Operand,
    length: Operand,
    each: Callable[[Operand, Callable[[Operand], None]], None],
) -> Operand:
    """What a start and what belongs to positions 0 … length - 1 come to; each(position, add) adds
    what belongs to one."""
    code, emit = team.code, team.code.builder.emit
    sums = _Sums(team, row, type, start)
    held = code.variable("acc", type, sums.neutral)

    def combine(k: Operand) -> None:
        each(k, lambda value: emit(row, held, value, result=held))

    team.share(length, combine, begin=lambda: code.assign(held, type, sums.neutral))
    sums.note(held)
    return code.emit(row, start, sums.of_all())


def scan(
    team: Team,
    row: str,
    type: Type,
    start: Operand,
    length: Operand,
    element: Callable[[Operand], Operand],
    put: Callable[[Operand, Operand, Operand], None],
) -> Operand:
    """What a start and elements 0 … length - 1 come to; put(position, before, after) is told of
    each what it came to until then."""
    code, emit = team.code, team.code.builder.emit
    sums = _Sums(team, row, type, start)
    stretch = _parts(code, length, team.threads)
    first = emit("mul.i64", team.rank, stretch)
    end = emit("min_s.i64", length, emit("add.i64", first, stretch))
    held = code.variable("acc", type, sums.neutral)

    def combine(k: Operand) -> None:
        emit(row, held, element(k), result=held)

    def change(k: Operand) -> None:
        before = emit(f"copy.{type}", held)
        combine(k)
        put(k, before, emit(f"copy.{type}", held))

    team.share(end, combine, begin=lambda: code.assign(held, type, sums.neutral), first=first)
    own = emit(f"copy.{type}", held)
    sums.note(held)
    begun = code.emit(row, start, sums.before(own))
    team.share(end, change, begin=lambda: code.assign(held, type, begun), first=first)
    return code.emit(row, start, sums.of_all())


class _Sums:
    """What warps, and groups of warps, come to by an operation."""

    def __init__(self, team: Team, row: str, type: Type, start: Operand):
        self.team, self.row, self.type = team, row, type
        neutral = _NEUTRAL_FLOATS if type.is_float else _NEUTRAL
        self.neutral = neutral.get(row.partition(".")[0], start)
        code, emit, width = team.code, team.code.builder.emit, team.width
        self._warps = _parts(code, team.threads, width)
        self._groups = _parts(code, self._warps, width)
        size = size_in_memory(type)
        self._of_warps, self._of_groups = (
            team.arena.base(team.arena.take(count, size)) for count in (self._warps, self._groups)
        )
        self._lane = emit("sext.i32.i64", emit("laneid"))
        self._warp = emit("div_s.i64", team.rank, width)
        self._group = emit("div_s.i64", self._warp, width)

    def note(self, held: str) -> None:
        """What each thread holds becomes known to all."""
        team, code, emit = self.team, self.team.code, self.team.code.builder.emit
        self._over_warp(held)
        self._put(self._of_warps, self._warp, held)

        def of_a_group() -> None:
            mine = emit("add.i64", emit("mul.i64", self._warp, team.width), self._lane)
            code.assign(held, self.type, self.neutral)
            is_there = emit("lt_s.i64", mine, self._warps)
            code.choose(is_there, lambda: self._add(held, self._of_warps, mine))
            self._over_warp(held)
            self._put(self._of_groups, self._warp, held)

        team.before_load(self._of_warps)
        code.choose(emit("lt_s.i64", self._warp, self._groups), of_a_group)
        team.before_load(self._of_groups)

    def of_all(self) -> Operand:
        """What all threads come to."""
        held = self.team.code.variable("acc", self.type, self.neutral)
        self._add_all(held, self._of_groups, self._lane, self._groups)
        self._over_warp(held)
        return self.team.code.builder.emit(f"copy.{self.type}", held)

    def before(self, own: Operand) -> Operand:
        """What all threads before this one come to, of which it holds its own."""
        team, code, emit = self.team, self.team.code, self.team.code.builder.emit
        held = code.variable("acc", self.type, self.neutral)
        self._add_all(held, self._of_groups, self._lane, self._group)
        mine = emit("add.i64", emit("mul.i64", self._group, team.width), self._lane)
        self._add_all(held, self._of_warps, mine, self._warp)
        self._over_warp(held)
        running, distance = code.variable("acc", self.type, own), 1
        while distance < team.width:
            below = emit(f"shuffle_up.{self.type}", running, distance)
            is_there = emit("ge_s.i64", self._lane, distance)
            code.choose(is_there, lambda v=below: emit(self.row, v, running, result=running))
            distance *= 2
        below = emit(f"shuffle_up.{self.type}", running, 1)
        is_there = emit("gt_s.i64", self._lane, 0)
        code.choose(is_there, lambda: emit(self.row, held, below, result=held))
        return emit(f"copy.{self.type}", held)

    def _over_warp(self, held: str) -> None:
        """What the threads of a warp hold comes together, in all of them."""
        emit, distance = self.team.code.builder.emit, self.team.width // 2
        while distance:
            emit(self.row, held, emit(f"shuffle_xor.{self.type}", held, distance), result=held)
            distance //= 2

    def _add_all(self, held: str, column: str, first: Operand, end: Operand) -> None:
        """Add elements of a column, each lane every so many."""
        code = self.team.code
        pending = code.pending
        code.count_by(first, end, self.team.width, lambda k: self._add(held, column, k))
        code.pending = pending.but(read=True)

    def _add(self, held: str, column: str, k: Operand) -> None:
        code, emit = self.team.code, self.team.code.builder.emit
        value = emit(f"load.{self.type}", code.address(column, k, size_in_memory(self.type)))
        emit(self.row, held, value, result=held)

    def _put(self, column: str, k: Operand, held: str) -> None:
        """The first lane stores what its warp has come to."""
        code, emit = self.team.code, self.team.code.builder.emit
        pointer = code.address(column, k, size_in_memory(self.type))
        is_first = emit("eq.i64", self._lane, 0)
        code.choose(is_first, lambda: emit(f"store.{self.type}", pointer, held))
        code.pending = code.pending.but(written=True)


def _parts(code: Code, count: Operand, size: Operand) -> Operand:
    """How many parts of a size a number makes, the last one perhaps smaller."""
    emit = code.builder.emit
    return emit("div_s.i64", emit("add.i64", count, emit("sub.i64", size, 1)), size)
