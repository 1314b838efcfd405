"""Random programs in which few places are loaded, stored, filled and copied over and over.

Scalars and tensor operations meet in three small buffers and behind two pointers, which may point
to the same memory or into one of the buffers; offsets are mostly numbers, now and then masked
variables, and sometimes out of bounds or misaligned.  Divisors may be 0.  Loops count, tested at
the top or at the bottom.  The same seed gives the same text in every process.
"""

from __future__ import annotations

import numpy as np

from tests.programs.random_text import RandomText

HEAD = """
a: i32[4] in global
b: i64[4] in global = [1, 2, 3, 4]
f: f32[4] in global

func @memory(q: ptr, r: ptr, n: i64, m: i64, k: i32, c: i1, d: i1) -> i64 {
entry:
    at_a = address.ptr a
    at_b = address.ptr b
    at_f = address.ptr f
    v0 = const.i64 0
    v1 = copy.i64 n
    v2 = copy.i64 m
    w0 = copy.i32 k
    w1 = const.i32 7
    g0 = const.f32 1.5
    g1 = const.f32 0.0
    e = copy.i1 c
"""
POOLS = {
    "i64": ("v0", "v1", "v2"),
    "i32": ("w0", "w1"),
    "f32": ("g0", "g1"),
    "i1": ("c", "d", "e"),
}
LITERALS = {"i64": ("0", "5", "-1"), "i32": ("0", "3", "-8"), "f32": ("0.0", "-0.0", "2.5")}
BASES = ("at_a", "at_b", "at_f", "q", "r")
SIZES = {"i64": 8, "i32": 4, "f32": 4}
BUFFERS = {"a": "i32", "b": "i64", "f": "f32"}


class RandomMemory(RandomText):
    """`text` is the program, in variable form, and `arguments` are what to call it with."""

    def __init__(self, seed: int, faults: bool, statements: int = 24):
        super().__init__(seed)
        self.faults, self.left = faults, statements
        while self.left > 0:
            self.statement(0)
        self.emit("return v0")
        self.text = HEAD + "\n".join(self.lines) + "\n}\n"
        self.arguments = self.some_arguments()

    def some_arguments(self) -> dict[str, object]:
        pick = self.random.choice
        numbers = np.array([3, -1, 4, 9], np.int64)
        q = pick((numbers, "a", "b", "f"))
        return {
            "q": q,
            "r": pick((numbers[::-1].copy(), "a", "b", "q" if q is numbers else q)),
            "n": pick((0, 1, 3, 8)),
            "m": pick((0, 2, -1, 16)),
            "k": pick((0, 1, -5)),
            "c": pick((0, 1)),
            "d": pick((0, 1)),
        }

    def value(self, t: str) -> str:
        literal = t in LITERALS and self.chance(0.3)
        return self.random.choice(LITERALS[t] if literal else POOLS[t])

    def guard(self) -> str:
        sign = self.random.choice(("", "!"))
        return f"@{sign}{self.value('i1')} " if self.chance(0.15) else ""

    def address(self, t: str) -> str:
        size, name = SIZES[t], self.fresh("p")
        base = self.random.choice(BASES)
        if self.chance(0.3):
            masked = self.fresh("o")
            self.emit(f"{masked} = and.i64 {self.value('i64')}, {16 - size}")
            offset: object = masked
        else:
            offset = self.random.randrange(0, 16, size)
        if self.faults and self.chance(0.05):
            offset = self.random.choice((2, 13, 30, -4, "v1"))
        self.emit(f"{name} = add.ptr {base}, {offset}")
        return name

    # Statements

    def statement(self, depth: int) -> None:
        self.left -= 1
        choices = [(self.load, 4), (self.store, 7), (self.compute, 5), (self.tensor, 4)]
        if depth < 3:
            choices += [(lambda: self.loop(depth), 2), (lambda: self.conditional(depth), 2)]
        make, weights = zip(*choices, strict=True)
        self.random.choices(make, weights)[0]()

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randrange(1, 7)):
            self.statement(depth)

    def load(self) -> None:
        t = self.random.choice(tuple(SIZES))
        address = self.address(t)
        self.emit(f"{self.guard()}{self.random.choice(POOLS[t])} = load.{t} {address}")

    def store(self) -> None:
        t = self.random.choice(tuple(SIZES))
        address = self.address(t)
        self.emit(f"{self.guard()}store.{t} {address}, {self.value(t)}")

    def compute(self) -> None:
        t = self.random.choice(tuple(POOLS))
        result = self.guard() + self.random.choice(POOLS[t])
        if t == "i1":
            if self.chance(0.3):
                self.emit(f"{result} = opaque.i1")
                return
            self.emit(f"{result} = lt_s.i64 {self.value('i64')}, {self.value('i64')}")
        elif t == "f32":
            self.emit(f"{result} = div.f32 {self.value(t)}, {self.value(t)}")
        elif self.chance(0.3):
            divisor = self.value(t)
            if not (self.faults and self.chance(0.5)):
                self.emit(f"odd_{t} = or.{t} {divisor}, 1")
                divisor = f"odd_{t}"
            self.emit(f"{result} = div_s.{t} {self.value(t)}, {divisor}")
        else:
            self.emit(f"{result} = add.{t} {self.value(t)}, {self.value(t)}")

    def tensor(self) -> None:
        buffer = self.random.choice(tuple(BUFFERS))
        t = BUFFERS[buffer]
        low = self.random.randrange(4)
        size = self.random.randrange(1, 5 - low)
        other = self.random.randrange(5 - size)
        into, of = f"{buffer}[{low}:{low + size}]", f"{buffer}[{other}:{other + size}]"
        what = self.random.choice(("fill", "fill", "copy", "add", "sum", "any"))
        guard = self.guard()
        if what == "fill":
            high = "v2" if self.faults and self.chance(0.1) else low + size
            self.emit(f"{guard}tensor.fill.{t} {buffer}[{low}:{high}], {self.value(t)}")
        elif what == "any":
            self.emit(f"{guard}tensor.fill.{t} any({into}, {of}), {self.value(t)}")
        elif what == "copy":
            self.emit(f"{guard}tensor.copy.{t} {into}, {of}")
        elif what == "add":
            self.emit(f"{guard}tensor.add.{t} {into}, {of}, {into}")
        else:
            self.emit(f"{guard}{self.random.choice(POOLS[t])} = tensor.sum.{t} {of}")

    def conditional(self, depth: int) -> None:
        then, other, join = (self.fresh(name) for name in ("then", "other", "join"))
        one_sided = self.chance(0.5)
        condition = self.random.choice((*POOLS["i1"], "opaque"))
        self.emit(f"branch {condition}, {then}, {join if one_sided else other}")
        for name in (then,) if one_sided else (then, other):
            self.block(name)
            self.statements(depth + 1)
            self.emit(f"jump {join}")
        self.block(join)

    def loop(self, depth: int) -> None:
        """At most four times round, none if it is tested at the top and the limit is 0."""
        i, limit, test = (self.fresh(name) for name in ("i", "limit", "test"))
        head, body, after = (self.fresh(name) for name in ("head", "body", "after"))
        at_top = self.chance(0.4)
        self.emit(f"{i} = const.i64 0")
        self.emit(f"{limit} = and.i64 {self.value('i64')}, 3")
        self.emit(f"jump {head if at_top else body}")
        if at_top:
            self.block(head)
            self.emit(f"{test} = lt_s.i64 {i}, {limit}")
            self.emit(f"branch {test}, {body}, {after}")
        self.block(body)
        self.statements(depth + 1)
        if self.chance(0.2):
            stay = self.fresh("stay")
            self.emit(f"branch {self.value('i1')}, {stay}, {after}")
            self.block(stay)
        self.emit(f"{i} = add.i64 {i}, 1")
        if at_top:
            self.emit(f"jump {head}")
        else:
            self.emit(f"{test} = lt_s.i64 {i}, {limit}")
            self.emit(f"branch {test}, {body}, {after}")
        self.block(after)
