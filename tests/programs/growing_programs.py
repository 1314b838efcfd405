"""Programs of one shape and any size, to see how work grows: each shape grows one thing.

    straight   one block
    diamonds   if-else, one behind the other
    loops      short counted loops, one behind the other
    loop_nest  loops in loops, up to 300 deep, and then the next nest
    if_nest    conditions in conditions, up to 300 deep
    live       diamonds under which a twentieth of all variables stay alive
    webs       variables that change places in loops and arms, so that phis feed phis

Every program is `func @grow(n: i64, p: ptr)` in variable form, the same at each call; it reads and
writes the buffer that p points to, and leaves its result there.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import Buffer, Module
from machines.types import I64, PTR

WORDS = 512
DEEPEST = 300
VARIABLES = [f"v{k}" for k in range(10)]
_SUMS = ("add.i64", "sub.i64", "xor.i64", "or.i64", "and.i64")


def growing(shape: str, size: int) -> Module:
    """The program of a shape (a key of `SHAPES`) with about `size` instructions."""
    writer = _Writer(size)
    SHAPES[shape](writer)
    return writer.finish()


class _Writer:
    """Writes statements until the program has its size."""

    def __init__(self, size: int):
        self.module, self.size, self.random = Module(), size, Random(1)
        add_buffer(self.module, Buffer("words", I64, WORDS))
        self.builder: Builder = add_function(self.module, "grow", [("n", I64), ("p", PTR)])
        self.builder.block("entry")
        self.blocks = self.written = 0
        for number, name in enumerate(VARIABLES):
            self.emit("mul.i64", "n", 2 * number + 3, result=name)

    @property
    def is_long_enough(self) -> bool:
        return self.written >= self.size

    def emit(self, operation: str, *operands, result: str | None = None) -> None:
        self.builder.emit(operation, *operands, result=result)
        self.written += 1

    def block(self) -> str:
        self.blocks += 1
        return f"b{self.blocks}"

    def to(self, name: str) -> None:
        self.builder.block(name)

    def statements(self, count: int) -> None:
        """Sums of variables; one of eight loads or stores."""
        for _ in range(count):
            a, b, c = (self.random.choice(VARIABLES) for _ in range(3))
            kind = self.random.randrange(16)
            if kind < 2:
                offset = 8 * self.random.randrange(WORDS)
                self.emit("add.ptr", "p", offset, result="q")
                if kind:
                    self.emit("load.i64", "q", result=a)
                else:
                    self.emit("store.i64", "q", a)
            else:
                self.emit(self.random.choice(_SUMS), b, c, result=a)

    def condition(self) -> str:
        name = f"c{self.blocks}"
        self.emit("lt_s.i64", *self.random.sample(VARIABLES, 2), result=name)
        return name

    def branch(self, *labels: str, condition: str | None = None) -> None:
        self.builder.branch(condition or self.condition(), *labels)
        self.written += 1

    def jump(self, label: str) -> None:
        self.builder.jump(label)
        self.written += 1

    def count(self, counter: str, head: str, after: str) -> None:
        """The end of a loop that runs nine times."""
        self.emit("add.i64", counter, 1, result=counter)
        condition = f"c{self.blocks}.{counter}"
        self.emit("lt_s.i64", counter, 9, result=condition)
        self.branch(head, after, condition=condition)

    def finish(self) -> Module:
        for name in VARIABLES[1:]:
            self.emit("xor.i64", VARIABLES[0], name, result=VARIABLES[0])
        self.emit("store.i64", "p", VARIABLES[0])
        self.builder.return_()
        return self.module


def _straight(w: _Writer) -> None:
    while not w.is_long_enough:
        w.statements(1)


def _diamond(w: _Writer, write: Callable[[], None]) -> None:
    then, other, after = w.block(), w.block(), w.block()
    w.branch(then, other)
    for arm in (then, other):
        w.to(arm)
        write()
        w.jump(after)
    w.to(after)


def _diamonds(w: _Writer) -> None:
    while not w.is_long_enough:
        _diamond(w, lambda: w.statements(3))
        w.statements(1)


def _loops(w: _Writer) -> None:
    while not w.is_long_enough:
        head, after = w.block(), w.block()
        w.emit("const.i64", 0, result="i")
        w.jump(head)
        w.to(head)
        w.statements(6)
        w.count("i", head, after)
        w.to(after)


def _loop_nest(w: _Writer) -> None:
    while not w.is_long_enough:
        depth = max(3, min(DEEPEST, (w.size - w.written) // 8))
        heads = []
        for level in range(depth):
            heads.append(w.block())
            w.emit("const.i64", 0, result=f"i{level}")
            w.jump(heads[-1])
            w.to(heads[-1])
            w.statements(1)
        for level in reversed(range(depth)):
            after = w.block()
            w.count(f"i{level}", heads[level], after)
            w.to(after)


def _if_nest(w: _Writer) -> None:
    while not w.is_long_enough:
        depth = max(3, min(DEEPEST, (w.size - w.written) // 8))
        joins = []
        for _ in range(depth):
            then, join = w.block(), w.block()
            joins.append(join)
            w.statements(1)
            w.branch(then, join)
            w.to(then)
        for join in reversed(joins):
            w.statements(3)
            w.jump(join)
            w.to(join)


def _live(w: _Writer) -> None:
    kept = [f"k{number}" for number in range(w.size // 20)]
    for number, name in enumerate(kept):
        w.emit("mul.i64", w.random.choice(VARIABLES), number + 3, result=name)
    while w.written < w.size - len(kept):
        _diamond(w, lambda: w.statements(3))
    for name in kept:
        w.emit("xor.i64", VARIABLES[0], name, result=VARIABLES[0])


def _turn(w: _Writer) -> None:
    """Three variables change places."""
    a, b, c = w.random.sample(VARIABLES, 3)
    for target, source in (("t", a), (a, b), (b, c), (c, "t")):
        w.emit("copy.i64", source, result=target)


def _webs(w: _Writer) -> None:
    while not w.is_long_enough:
        head, after = w.block(), w.block()
        w.emit("const.i64", 0, result="i")
        w.jump(head)
        w.to(head)
        _diamond(w, lambda: _turn(w))
        w.count("i", head, after)
        w.to(after)
        _diamond(w, lambda: _turn(w))


SHAPES: dict[str, Callable[[_Writer], None]] = {
    "straight": _straight,
    "diamonds": _diamonds,
    "loops": _loops,
    "loop_nest": _loop_nest,
    "if_nest": _if_nest,
    "live": _live,
    "webs": _webs,
}
