"""Random nests of counted loops that load and store at sums of their counters.

Counters are i64 or i32, go up or down, from numbers or arguments, and are tested at the top or at
the bottom; subscripts are sums of products of counters, numbers and arguments.  Pointers are two
arrays (which may be given the same memory) and buffers that are large, or so small that accesses
run off their end and fault; a program uses a few of them.  The same seed gives the same text in
every process.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tests.programs.random_text import RandomText

HEAD = """
wide: i64[512] in global
small: i64[8] in global
other: i32[12] in global

func @loops(p: ptr, q: ptr, n: i64, m: i32, c: i1) -> i64 {
entry:
    sum = const.i64 0
    at_wide = address.ptr wide
    middle = add.ptr at_wide, 2048
    at_small = address.ptr small
    at_other = address.ptr other
    at_p = add.ptr p, 2048
    at_q = add.ptr q, 2048
"""
BASES = ("at_p", "at_q", "middle", "at_small", "at_other", "at_p", "middle")
SIZES = {"i8": 1, "i16": 2, "i32": 4, "i64": 8}


class RandomLoops(RandomText):
    """`text` is the program; `statements` bounds its length."""

    def __init__(self, seed: int, statements: int = 9):
        super().__init__(seed)
        self.left = statements
        self.counters: list[tuple[str, str]] = []  # name and type
        self.bases = self.random.sample(BASES, self.random.choice((1, 2, 3)))
        while self.left > 0:
            self.loop(0)
        self.emit("return sum")
        self.text = HEAD + "\n".join(self.lines) + "\n}\n"

    def loop(self, depth: int) -> None:
        choose = self.random.choice
        kind = choose(("i64", "i64", "i32"))
        counter, test, body = self.fresh("i"), self.fresh("t"), self.fresh("body")
        head, latch, done = self.fresh("head"), self.fresh("latch"), self.fresh("done")
        step, trips = choose((1, 1, 1, 2, 3, -1, -2)), self.random.randrange(1, 7 - depth)
        symbol = "n" if kind == "i64" else "m"
        start = choose(("0", "0", "0", "2", "-3", symbol))
        self.emit(f"{counter} = {'copy' if start == symbol else 'const'}.{kind} {start}")
        end = str(int(start) + step * trips) if start != symbol else None
        if end is None or (self.chance(0.4) and step > 0 and start == "0"):
            end = symbol if start != symbol else self.fresh("end")
            if end != symbol:
                self.emit(f"{end} = add.{kind} {symbol}, {step * trips}")
        relation = choose(("lt_s", "lt_s", "le_s")) if step > 0 else choose(("gt_s", "ge_s"))
        top = self.chance(0.5)
        self.emit(f"jump {head if top else body}")
        if top:
            self.block(head)
            self.emit(f"{test} = {relation}.{kind} {counter}, {end}")
            self.emit(f"branch {test}, {body}, {done}")
        self.block(body)
        self.counters.append((counter, kind))
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth + 1)
        self.counters.pop()
        self.emit(f"jump {latch}")
        self.block(latch)
        self.emit(f"{counter} = add.{kind} {counter}, {step}")
        if top:
            self.emit(f"jump {head}")
        else:
            self.emit(f"{test} = {relation}.{kind} {counter}, {end}")
            self.emit(f"branch {test}, {body}, {done}")
        self.block(done)

    def statement(self, depth: int) -> None:
        self.left -= 1
        if depth < 3 and self.chance(0.25):
            self.loop(depth)
        elif self.chance(0.15):
            then, join = self.fresh("then"), self.fresh("join")
            self.emit(f"branch {self.condition()}, {then}, {join}")
            self.block(then)
            self.access()
            self.emit(f"jump {join}")
            self.block(join)
        else:
            self.access()
            if self.chance(0.6):
                self.access()

    def condition(self) -> str:
        if self.chance(0.3):
            return "c"
        name, kind = self.random.choice(self.counters)
        bit, test = self.fresh("bit"), self.fresh("odd")
        self.emit(f"{bit} = and.{kind} {name}, 1")
        self.emit(f"{test} = ne.{kind} {bit}, 0")
        return test

    def access(self) -> None:
        base, kind = self.random.choice(self.bases), self.random.choice(("i64", "i64", "i32", "i8"))
        place, guard = self.fresh("at"), "@c " if self.chance(0.1) else ""
        scale = SIZES[kind] if self.chance(0.9) else 8
        offset = self.subscript(scale)
        self.emit(f"{place} = add.ptr {base}, {offset}")
        if self.chance(0.5):
            value = self.fresh("value")
            self.emit(f"{guard}{value} = load.{kind} {place}")
        else:
            self.emit(f"{guard}store.{kind} {place}, {self.random.randrange(9)}")

    def subscript(self, scale: int) -> str:
        """A variable that holds a multiple of `scale`."""
        total = self.fresh("s")
        self.emit(f"{total} = const.i64 {self.random.choice((0, 0, 0, 1, 2, -1, 5))}")
        for name, kind in self.counters:
            if self.chance(0.75):
                self.emit(f"{total} = add.i64 {total}, {self.term(name, kind)}")
        if self.chance(0.1):
            self.emit(f"{total} = sub.i64 {total}, n")
        scaled = self.fresh("o")
        if self.chance(0.5):
            self.emit(f"{scaled} = mul.i64 {total}, {scale}")
        else:
            self.emit(f"{scaled} = shl.i64 {total}, {scale.bit_length() - 1}")
        return scaled

    def term(self, name: str, kind: str) -> str:
        """A counter as an i64, now and then times a number or an argument."""
        if kind == "i32":
            if self.chance(0.3):
                more = self.fresh("more")
                self.emit(f"{more} = add.i32 {name}, {self.random.choice((1, 3))}")
                name = more
            wide = self.fresh("wide")
            self.emit(f"{wide} = {self.random.choice(('sext', 'sext', 'zext'))}.i32.i64 {name}")
            name = wide
        if self.chance(0.5):
            return name
        factor = self.random.choice(("2", "3", "-1", "4", "n"))
        product = self.fresh("by")
        self.emit(f"{product} = mul.i64 {name}, {factor}")
        return product


def arguments(seed: int) -> dict[str, object]:
    """Arguments for the program of a seed; every third time both arrays are the same memory."""
    random = Random(seed)
    return {
        "p": np.arange(512, dtype=np.int64),
        "q": "p" if seed % 3 == 0 else "wide" if seed % 3 == 1 else "small",
        "n": random.randrange(-1, 6),
        "m": random.randrange(-1, 6),
        "c": random.randrange(2),
    }
