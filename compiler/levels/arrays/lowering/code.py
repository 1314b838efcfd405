"""The IR function being written: instructions, loops, choices, and what faults.

What has been computed is known (`remember`) until the end of the *region* in which it was: the arm
of a choice, the body of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any, Protocol

from compiler.ir.builder import Builder, canonical
from compiler.ir.module import Block
from compiler.levels.arrays.lowering.bounds import Fact, Sum, at_most, distance, said_by
from compiler.levels.arrays.lowering.staged import Operand
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.operations.scalars import Row
from machines.diagnostics import Location
from machines.types import I1, I64, Type

_MOST_TURNS = 4
"""Of a loop that is written out, iteration by iteration."""
_MOST_COPIES = 16
"""Of the body of such a loop, with those around it."""


@dataclass(slots=True)
class Loop:
    """A loop that is being written.

    counter  of one that counts from 0
    length   the number of its iterations
    before   the block that leads into it, if it has an iteration at all
    names    how many variables there were before it
    arms     how many choices it is inside of
    checks   conditions that end the function before the loop: a < b, and the fault's number
    once     what iterations of it have computed for all later ones (`lowering.once`)
    """

    counter: str | None
    length: Operand
    before: Block
    names: int
    arms: int
    checks: dict[tuple[Operand, Operand, int], None] = field(default_factory=dict)
    once: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pending:
    """What threads that work together have done since all last waited for all, perhaps.

    read     loaded what some may write
    written  stored what others may load
    """

    read: bool = False
    written: bool = False

    def but(self, **changed: bool) -> Pending:
        """The same with other values."""
        return replace(self, **changed)

    def __or__(self, other: Pending) -> Pending:
        return Pending(self.read or other.read, self.written or other.written)


class Threads(Protocol):
    """What code has to know of threads that execute it together (`lowering.team.Team`).

    region  what each does alone, if that is written now; faults there lead to its `end`
    """

    region: Any

    def before_load(self, base: str) -> None:
        """Something is loaded from there next."""


NOTHING_PENDING = Pending()
ALL_PENDING = Pending(True, True)


class Code:
    """Emits instructions at the source place that is set.

    equal    pairs of numbers that were found to be equal
    lengths  variables that hold lengths, which are not negative
    loops    those that are being written, the outermost first
    team     the threads that execute the function together, if there are several
    pending  what they have done since all waited for all
    """

    def __init__(self, builder: Builder):
        self.builder = builder
        self.team: Threads | None = None
        self.pending = NOTHING_PENDING
        self._ends: dict[str, tuple[int, str]] = {}
        self._faults: dict[tuple[str, Location | None], int] = {}
        self.equal: dict[frozenset[Operand], bool] = {}
        self._log: list[tuple[dict, Any]] = []
        self.loops: list[Loop] = []
        self._arms = 0
        self._copies = 1
        self._sums: dict[str, tuple[Operand, int]] = {}
        self._tests: dict[str, tuple[str, tuple[Operand, ...]]] = {}
        self._facts: dict[Fact, bool] = {}
        self.lengths: set[str] = set()
        self._fixed: set[str] = {name for name, _ in builder.function.parameters}

    # Instructions

    def emit(self, row: str, *operands: Operand, result: str | None = None) -> Operand:
        """An instruction's result; of literals alone, the literal that it comes to."""
        if result is None and all(not isinstance(o, str) for o in operands):
            folded = _folded(row, operands)
            if folded is not None:
                return folded
        made = self.builder.emit(row, *operands, result=result)
        if result is None:
            self._note_sum(row, made, operands)
            self._fixed.add(made)
            if self.builder.function.types[made] is I1:
                self._tests[made] = row, operands
        return made

    def _note_sum(self, row: str, made: str, operands: tuple[Operand, ...]) -> None:
        a, b = operands if len(operands) == 2 else (None, None)
        if row == "add.i64" and isinstance(a, int):
            a, b = b, a
        if row == "max_s.i64" and 0 in operands:
            self._sums[made] = self.sum(a if b == 0 else b)  # where it matters it is not 0
        elif row in ("add.i64", "sub.i64") and isinstance(b, int):
            root, offset = self.sum(a)
            self._sums[made] = root, offset + (b if row == "add.i64" else -b)

    def sum(self, value: Operand) -> tuple[Operand, int]:
        """A number as another one and a literal; of a maximum with 0, the other one."""
        if isinstance(value, int):
            return 0, value
        return self._sums.get(value, (value, 0))

    def add(self, a: Operand, b: Operand) -> Operand:
        """a + b as i64; a sum with a literal is one with one literal."""
        if isinstance(a, int):
            a, b = b, a
        return a if isinstance(b, int) and b == 0 else self.emit("add.i64", a, b)

    def times(self, a: Operand, size: int) -> Operand:
        """a times a power of two as i64."""
        return a if size == 1 else self.emit("shl.i64", a, size.bit_length() - 1)

    def address(self, base: str, index: Operand, size: int) -> str:
        """The address of an element of a column."""
        offset = self.times(index, size)
        return base if offset == 0 else self.builder.emit("add.ptr", base, offset)

    def variable(self, hint: str, type: Type, value: Operand) -> str:
        """A variable that may be assigned again."""
        name = self.builder.fresh(hint, type)
        self.assign(name, type, value)
        return name

    def assign(self, name: str, type: Type, value: Operand) -> None:
        """Give a variable another value."""
        row = "copy" if isinstance(value, str) else "const"
        self.builder.emit(f"{row}.{type}", value, result=name)

    # What is known

    def remember(self, known: dict, key: Any, value: Any) -> Any:
        """Note a value until the end of the region."""
        known[key] = value
        self._log.append((known, key))
        return value

    @contextmanager
    def region(self) -> Iterator[None]:
        """What is noted inside is forgotten at its end."""
        begin = len(self._log)
        yield
        while len(self._log) > begin:
            known, key = self._log.pop()
            known.pop(key, None)

    # Control

    def block(self, hint: str) -> str:
        """A name for a block; it is entered by `arrive`."""
        return self.builder.fresh_block(hint)

    def arrive(self, name: str) -> None:
        """Go on in a block, to which the current one leads if it has no end yet."""
        if not self.builder.is_terminated:
            self.builder.jump(name)
        self.builder.block(name, self.builder.location)

    def choose(
        self,
        condition: Operand,
        then: Callable[[], None],
        other: Callable[[], None] | None = None,
        back_to: str = "",
    ) -> None:
        """Do one thing if a condition holds, else another; `back_to` is a block that is gone to
        after the one thing."""
        if not isinstance(condition, str):
            chosen = then if condition else other
            if chosen is not None:
                chosen()
            return
        arm, after = self.block("then"), self.block("after")
        left = self.block("else") if other is not None else after
        self.builder.branch(condition, arm, left)
        pending, ends = self.pending, []
        for name, do, is_true in ((arm, then, True), (left, other, False)):
            if do is None:
                continue
            self.builder.block(name, self.builder.location)
            self._arms += 1
            self.pending = pending
            with self.region():
                self._learn(condition, is_true)
                do()
            self._arms -= 1
            goes_back = is_true and back_to
            ends.append(pending if goes_back else self.pending)
            self.builder.jump(back_to if goes_back else after)
        self.pending = ends[0] | (ends[1] if other is not None else pending)
        self.builder.block(after, self.builder.location)

    def count(
        self,
        length: Operand,
        body: Callable[[Operand], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """For 0 … length - 1, literals if few; `before` is done once if there is an iteration."""
        if length == 0:
            return
        if length == 1:
            before()
            body(0)
            return
        if self.unrolls(length):
            before()
            self._copies *= length
            for k in range(length):
                with self.region():
                    body(k)
            self._copies //= length
            return
        loop, after = self.block("loop"), self.block("after")
        with self.region():
            if isinstance(length, str):
                entered = self.block("enter")
                self.builder.branch(self.emit("gt_s.i64", length, 0), entered, after)
                self.builder.block(entered, self.builder.location)
            before()
            self._count(0, length, 1, body, loop, after)
        self.builder.block(after, self.builder.location)

    def count_by(
        self, first: Operand, length: Operand, step: Operand, body: Callable[[Operand], None]
    ) -> None:
        """For first, first + step, … below a length; `first` is not negative."""
        loop, after = self.block("loop"), self.block("after")
        with self.region():
            entered = self.block("enter")
            self._branch(self.emit("lt_s.i64", first, length), entered, after)
            self.builder.block(entered, self.builder.location)
            self._count(first, length, step, body, loop, after)
        self.builder.block(after, self.builder.location)

    def _count(
        self,
        first: Operand,
        length: Operand,
        step: Operand,
        body: Callable[[Operand], None],
        loop: str,
        after: str,
    ) -> None:
        counter = self.variable("k", I64, first)
        with self._loop(counter, length):
            self.arrive(loop)
            with self.region():
                body(counter)
        self.builder.emit("add.i64", counter, step, result=counter)
        self.builder.branch(self.emit("lt_s.i64", counter, length), loop, after)

    def unrolls(self, length: Operand) -> bool:
        """Whether so few iterations are written one after the other, each with its literal."""
        is_short = isinstance(length, int) and length <= _MOST_TURNS
        return is_short and self._copies * length <= _MOST_COPIES

    @contextmanager
    def _loop(self, counter: str | None, length: Operand) -> Iterator[None]:
        """What is emitted inside is a loop, which is entered from the current block."""
        before = self.builder.current
        names = len(self.builder.function.types)
        self.loops.append(Loop(counter, length, before, names, self._arms))
        pending, self.pending = self.pending, ALL_PENDING  # an iteration follows another
        yield
        self.pending |= pending
        self._write_checks(self.loops.pop())

    def _write_checks(self, loop: Loop) -> None:
        """Check before a loop what every iteration would check."""
        if not loop.checks:
            return
        here, entry = self.builder.current, loop.before.instructions[-1]
        self.builder.remove(loop.before, entry)
        self.builder.at(loop.before)
        for a, b, number in loop.checks:
            following = self.block("on")
            self._branch(self.emit("lt_s.i64", a, b), self._end_with(number), following)
            self.builder.block(following, self.builder.location)
        self.builder.insert(entry)
        self.builder.at(here)

    def repeat(
        self,
        test: Callable[[], Operand],
        body: Callable[[], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """While a test holds; `before` is done once if there is an iteration."""
        loop, after = self.block("loop"), self.block("after")
        with self.region():
            with self.region():
                self._branch(test(), loop + ".enter", after)
            self.builder.block(loop + ".enter", self.builder.location)
            before()
            with self._loop(None, 0):
                self.arrive(loop)
                with self.region():
                    body()
                with self.region():
                    self._branch(test(), loop, after)
        self.builder.block(after, self.builder.location)

    def _branch(self, condition: Operand, then: str, other: str) -> None:
        if not isinstance(condition, str):
            condition = self.variable("always", I1, condition)
        self.builder.branch(condition, then, other)

    # Faults

    def fault_if(self, condition: Operand, kind: str) -> None:
        """End the function with a fault if a condition holds."""
        if condition == 0 and not isinstance(condition, str):
            return
        following = self.block("on")
        self._branch(condition, self._end_with(self._fault(kind)), following)
        self.builder.block(following, self.builder.location)

    def _end_with(self, number: int) -> str:
        """The block that a fault leads to: of a region of threads, one that leads to its end."""
        region = self.team.region if self.team is not None else None
        name = f"fault.{number}" if region is None else f"fault.{number}.{region.end}"
        self._ends[name] = number, "" if region is None else region.end
        return name

    def _fault(self, kind: str) -> int:
        return self._faults.setdefault((kind, self.builder.location), len(self._faults) + 1)

    def fault_unless_equal(self, a: Operand, b: Operand, kind: str) -> None:
        """End the function with a fault if two numbers differ, and nobody has found that they are
        equal already."""
        pair = frozenset((a, b))
        if len(pair) > 1 and pair not in self.equal:
            self.fault_if(self.emit("ne.i64", a, b), kind)
            for both in map(frozenset, product(self._equal_to(a), self._equal_to(b))):
                if both not in self.equal:
                    self.remember(self.equal, both, True)

    def _equal_to(self, number: Operand) -> set[Operand]:
        """What is known to be equal to a number, itself included."""
        return {number}.union(*(pair for pair in self.equal if number in pair))

    def fault_outside(
        self, index: Operand, length: Operand, kind: str, is_length: Callable[[Operand], bool]
    ) -> None:
        """End the function with a fault if an index is not below the length of an array.

        It is not checked if conditions and counters say that it is in range.  An index that is a
        loop's counter and a literal is not checked if that is below the length in every iteration,
        and before the loop if each iteration would check it.  Sums of what is not negative
        (`is_length`) and of literals do not wrap unnoticed: what is as long as one that wrapped has
        a negative length.
        """
        if self._is_inside(index, length, is_length):
            return
        root, offset = self.sum(index)
        loop = next((one for one in self.loops if one.counter == root), None)
        if loop is not None and offset >= 0:
            last, more = self.sum(loop.length)
            limit, least = self.sum(length)
            is_one = limit == length or is_length(limit)
            if last == limit and is_one and more + offset <= least:
                return
            if loop is self.loops[-1] and self._arms == loop.arms and self.is_before(length, loop):
                most = self._sum_before(loop, length, -offset)
                loop.checks[most, loop.length, self._fault(kind)] = None
                return
        self.fault_if(self.emit("ge_u.i64", index, length), kind)

    def stays(self, name: str) -> None:
        """Note that a variable is given a value once."""
        self._fixed.add(name)

    def _learn(self, condition: Operand, is_true: bool) -> None:
        """Note until the end of the region what a condition says of numbers that stay."""
        facts = said_by(condition, is_true, self._tests.get, self._exact, self._least)
        for fact in list(facts):
            if fact not in self._facts and all(map(self._is_fixed, fact[:2])):
                self.remember(self._facts, fact, True)

    def _is_fixed(self, root: Operand) -> bool:
        """Whether a number is the same wherever it is known: given once, or a loop's counter."""
        return root == 0 or root in self._fixed or self._counts(root)

    def _counts(self, root: Operand) -> bool:
        return any(loop.counter == root for loop in self.loops)

    def _least(self, root: Operand) -> int | None:
        """What a number is certainly not below."""
        if root == 0:
            return 0
        known = distance(self._all_facts(), 0, root)
        return None if known is None else -known

    def _exact(self, value: Operand) -> Sum:
        """A number as a sum that does not wrap, of a counter or a length and a literal."""
        root, offset = self.sum(value)
        is_exact = root == 0 or root in self.lengths or self._counts(root)
        return (root, offset) if is_exact else (value, 0)

    def _all_facts(self) -> list[Fact]:
        """Those of conditions, of counters, and of numbers that were found to be equal."""
        found = list(self._facts)
        for loop in self.loops:
            if loop.counter is not None:
                found.append(at_most((0, 0), (loop.counter, 0)))
                found.append(at_most((loop.counter, 1), self._exact(loop.length)))
        for pair in self.equal:
            a, b = map(self._exact, pair)
            found += [at_most(a, b), at_most(b, a)]
        return found

    def _is_inside(
        self, index: Operand, length: Operand, is_length: Callable[[Operand], bool]
    ) -> bool:
        """Whether an index is certainly one of an array's."""
        (root, offset), (limit, more) = self._exact(index), self._exact(length)
        facts = self._all_facts()
        facts += [at_most((0, 0), (end, 0)) for end in (root, limit) if is_length(end)]
        below, least = distance(facts, root, limit), distance(facts, 0, root)
        is_below = below is not None and below + offset < more
        return is_below and least is not None and least <= offset

    def is_before(self, value: Operand, loop: Loop) -> bool:
        """Whether a value is there before a loop, and the same in it."""
        if not isinstance(value, str):
            return True
        types = self.builder.function.types
        return value in islice(types, loop.names)

    def begin_before(self, loop: Loop, type: Type, hint: str, value: Operand) -> str:
        """A variable that has a value before a loop, and may be assigned again."""
        return self.begin_at_end(loop.before, type, hint, value)

    def begin_at_end(self, block: Block, type: Type, hint: str, value: Operand) -> str:
        """A variable that has a value at the end of a block, and may be assigned again."""
        here = self.builder.current
        self.builder.at(block, len(block.instructions) - 1)
        name = self.variable(hint, type, value)
        self.builder.at(here)
        return name

    def _sum_before(self, loop: Loop, value: Operand, offset: int) -> Operand:
        """A number and a literal, added before the loop."""
        here = self.builder.current
        self.builder.at(loop.before, len(loop.before.instructions) - 1)
        made = self.add(value, offset)
        self.builder.at(here)
        return made

    @property
    def faults(self) -> tuple[tuple[str, Location | None], ...]:
        """What the function may end with: in the order of the numbers that it returns, from 1."""
        return tuple(self._faults)

    def finish(self, end: Callable[[int], None], note: Callable[[int], None]) -> None:
        """The blocks that faults lead to: `end` ends the function with a number, `note` only tells
        it, as the thread goes on to the end of its region."""
        places = {number: location for (_, location), number in self._faults.items()}
        for name, (number, region) in self._ends.items():
            self.builder.block(name, places[number])
            self.builder.location = places[number]
            if region:
                note(number)
                self.builder.jump(region)
            else:
                end(number)


def _folded(name: str, operands: tuple[Operand, ...]) -> Operand | None:
    """What a row of scalars comes to for literals; None if it faults or has no such meaning."""
    try:
        row = Row(name).row
    except KeyError:
        return None
    try:
        value = Row(name).compute(*operands)
    except GraphFault:
        return None
    return canonical(value, row.writes[0].kind)
