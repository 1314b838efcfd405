"""Random statements of one thread: computation, and every way that threads can part.

    if x & 3 < 2: …                      ifs, with and without another side
    loop: … branch c, out, on …          loops, left and continued from anywhere in several levels
    return                               early
    region.1 -> region.3, region.2 …     blocks that go to each other at random until their fuel is
                                         spent: irreducible for the most part

What a statement may do besides computing is given as `actions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random

from compiler.ir.builder import Builder
from compiler.ir.module import Guard
from machines.types import I32

RELATIONS = ("eq", "ne", "lt_s", "ge_s", "lt_u", "gt_u")
ARITHMETIC = ("add", "sub", "mul", "and", "or", "xor", "min_s", "max_u", "shl", "shr_u", "rem_u")
EXTREMES = (-(1 << 31), (1 << 31) - 1, 1 << 16)


@dataclass(frozen=True, slots=True)
class Options:
    """What may appear.

    size       statements, roughly
    depth      of nested statements
    shuffles   exchange values within warps; only in blocks of full warps of `warp_width` lanes
    ends_early  threads may return before others meet; a stack of meeting places keeps such threads
               apart for ever
    unassigned  a variable may be read that nothing has assigned
    """

    size: int = 24
    depth: int = 4
    barriers: bool = True
    warp_operations: bool = True
    shuffles: bool = True
    atomics: bool = True
    early_returns: bool = True
    regions: bool = True
    calls: bool = True
    guards: bool = True
    ends_early: bool = False
    unassigned: bool = False
    warp_width: int = 32


@dataclass(slots=True)
class Loop:
    """Where `continue` and `break` go."""

    again: str
    after: str


@dataclass
class Body:
    """Writes statements of one function.

    numbers  its i32 variables
    left     how many statements are still to come
    leave    writes a return; None where nothing may return early
    actions  what a statement may be besides a computation
    """

    random: Random
    options: Options
    b: Builder
    left: int
    leave: Callable[[], None] | None = None
    numbers: list[str] = field(default_factory=list)
    actions: list[Callable[[], None]] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def emit(self, row: str, *operands, **more) -> str | None:
        return self.b.emit(row, *operands, **more)

    # Values

    def number(self) -> str:
        return self.random.choice(self.numbers)

    def operand(self) -> str | int:
        if self.chance(0.7):
            return self.number()
        return self.random.choice(EXTREMES) if self.chance(0.1) else self.random.randint(-9, 40)

    def condition(self) -> str:
        """A fresh condition, which differs from thread to thread more often than not."""
        relation = self.random.choice(RELATIONS)
        bits = self.emit("and.i32", self.number(), self.random.choice((1, 3, 7, 15)))
        return self.emit(f"{relation}.i32", bits, self.random.randint(0, 7))

    def computation(self) -> None:
        kinds = (self.arithmetic, self.arithmetic, self.wide, self.floating, self.chosen)
        self.random.choice(kinds)(self.number())

    def arithmetic(self, target: str) -> None:
        name = self.random.choice(ARITHMETIC)
        a, b = self.number(), self.operand()
        if name.startswith("sh"):
            b = self.emit("and.i32", b, 31)
        if name == "rem_u":
            b = self.emit("or.i32", b, 1)
        guard = self.guard()
        self.emit(f"{name}.i32", a, b, result=target, guard=guard)

    def guard(self) -> Guard | None:
        if self.options.guards and self.chance(0.15):
            return Guard(self.condition(), self.chance(0.5))
        return None

    def wide(self, target: str) -> None:
        a, b = (self.emit("sext.i32.i64", self.number()) for _ in range(2))
        product = self.emit(f"{self.random.choice(('mul', 'add', 'xor'))}.i64", a, b)
        shifted = self.emit("shr_s.i64", product, self.random.randint(0, 40))
        self.emit("trunc.i64.i32", shifted, result=target)

    def floating(self, target: str) -> None:
        t = self.random.choice(("f32", "f64"))
        a = self.emit(f"float_s.i32.{t}", self.number())
        b = self.emit(f"float_s.i32.{t}", self.number())
        name = self.random.choice(("add", "mul", "div", "max"))
        self.emit(f"int_s.{t}.i32", self.emit(f"{name}.{t}", a, b), result=target)

    def chosen(self, target: str) -> None:
        self.emit("select.i32", self.condition(), self.number(), self.operand(), result=target)

    # Statements that threads may run apart

    def statements(self, depth: int, most: int) -> None:
        for _ in range(self.random.randint(1, most)):
            if self.left > 0:
                self.statement(depth)

    def statement(self, depth: int) -> None:
        self.left -= 1
        choices = [(self.computation, 5), *((action, 2) for action in self.actions)]
        if depth > 0:
            nested = [(self.if_, 4), (self.loop, 3), (self.region, 2 * self.options.regions)]
            choices += [(partial(write, depth - 1), weight) for write, weight in nested]
        if self.loops:
            choices.append((self.jump_out, 2))
        if self.leave:
            choices.append((self.return_early, 1))
        actions, weights = zip(*choices, strict=True)
        self.random.choices(actions, weights)[0]()

    @contextmanager
    def part(self, name: str, then: str) -> Iterator[None]:
        """Write a block that goes on to `then`."""
        self.b.block(name)
        yield
        self.b.jump(then)

    def if_(self, depth: int) -> None:
        then, other, join = (self.b.fresh_block(n) for n in ("then", "else", "join"))
        has_other = self.chance(0.5)
        self.b.branch(self.condition(), then, other if has_other else join)
        with self.part(then, join):
            self.statements(depth, 3)
        if has_other:
            with self.part(other, join):
                self.statements(depth, 3)
        self.b.block(join)

    def loop(self, depth: int) -> None:
        """A few turns, as many as the thread's values say; it may run none."""
        head, again, after = (self.b.fresh_block(n) for n in ("loop", "again", "after"))
        count = self.b.fresh("count", I32)
        bits = self.emit("and.i32", self.number(), self.random.choice((1, 3, 3)))
        self.emit("add.i32", bits, self.random.randint(0, 2), result=count)
        if self.chance(0.5):
            self.b.branch(self.emit("gt_s.i32", count, 0), head, after)
        else:
            self.b.jump(head)
        with self.part(head, again):
            self.loops.append(Loop(again, after))
            self.statements(depth, 4)
            self.loops.pop()
        self.b.block(again)
        self.emit("sub.i32", count, 1, result=count)
        self.b.branch(self.emit("gt_s.i32", count, 0), head, after)
        self.b.block(after)

    def jump_out(self) -> None:
        """Leave or go on with a loop, the innermost one or any around it, if a condition holds."""
        loop = self.random.choice(self.loops)
        to = loop.after if self.chance(0.6) else loop.again
        on = self.b.fresh_block("on")
        self.b.branch(self.condition(), to, on)
        self.b.block(on)

    def return_early(self) -> None:
        out, on = self.b.fresh_block("leave"), self.b.fresh_block("on")
        self.b.branch(self.condition(), out, on)
        self.b.block(out)
        self.computation()
        self.leave()
        self.b.block(on)

    def region(self, depth: int) -> None:
        """Blocks of plain statements that go to each other at random until the fuel is spent."""
        names = [self.b.fresh_block("region") for _ in range(self.random.randint(3, 7))]
        after, fuel = self.b.fresh_block("after"), self.b.fresh("fuel", I32)
        self.emit("const.i32", self.random.randint(4, 14), result=fuel)
        self.b.branch(self.condition(), *self.random.choices(names, k=2))
        for name in names:
            self.b.block(name)
            self.emit("sub.i32", fuel, 1, result=fuel)
            for _ in range(self.random.randint(1, 2)):
                self.random.choice([self.computation, self.computation, *self.actions])()
            go_on = self.b.fresh_block("on")
            self.b.branch(self.emit("gt_s.i32", fuel, 0), go_on, after)
            self.b.block(go_on)
            targets = self.random.choices([*names, *([after] if self.chance(0.3) else [])], k=2)
            self.b.branch(self.condition(), *targets)
        self.b.block(after)
