"""Random loops of one block: recurrences, conditions, memory, copies between variables.

    loop:  t_1 = load.i64 at_2            variables a, b, c (i64), s, t (f64) and f, g (i1) are
           c_3 = lt_s.i64 t_1, b          carried from one iteration to the next and looked at
           @c_3 a = add.i64 a, t_1        after the loop; the loop counts, or goes on while
           b = copy.i64 a                 something it computed holds, at most `n` times
           …
           branch more, loop, done

Subscripts stay inside their arrays, unless the program is to fault now and then.  The same seed
gives the same text in every process.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tests.programs.random_text import RandomText

HEAD = """
table: i64[64] in global
other: f64[64] in global

func @body(p: ptr, q: ptr, n: i64, k: i64, x: f64, e: i1) -> i64 {
entry:
    at_table = address.ptr table
    at_other = address.ptr other
    a = copy.i64 k
    b = const.i64 3
    c = const.i64 -7
    s = copy.f64 x
    t = const.f64 0.5
    f = copy.i1 e
    g = const.i1 1
    i = const.i64 0
    some = gt_s.i64 n, 0
    branch some, loop, done
loop:
"""
TAIL = """
done:
    total = copy.i64 a
    total = xor.i64 total, b
    fives = mul.i64 c, 5
    total = add.i64 total, fives
    @f total = add.i64 total, 77
    @g total = xor.i64 total, 1000
    total = add.i64 total, i
    store.f64 at_other, s
    behind = add.ptr at_other, 8
    store.f64 behind, t
    return total
}
"""
INTEGERS, FLOATS, FLAGS = ("a", "b", "c"), ("s", "t"), ("f", "g")


class RandomBody(RandomText):
    """`text` is the program."""

    def __init__(self, seed: int, statements: int = 8, faults: bool = False):
        super().__init__(seed)
        self.faults = faults
        self.values = {"i64": [*INTEGERS, "i", "k"], "f64": [*FLOATS, "x"], "i1": [*FLAGS, "e"]}
        self.number_of_statements = self.random.randrange(1, statements)
        for _ in range(self.number_of_statements):
            self.statement()
        self.control()
        self.text = HEAD + "\n".join(self.lines) + TAIL

    def pick(self, kind: str) -> str:
        """A value there is: mostly a late one."""
        known = self.values[kind]
        return self.random.choice(known[-5:] if self.chance(0.5) else known)

    def guard(self) -> str:
        if self.chance(0.7):
            return ""
        return f"@{self.random.choice(('', '', '!'))}{self.pick('i1')} "

    def target(self, kind: str, guard: str) -> str:
        """A variable of the loop, or a new one, which has no old value to keep."""
        carried = {"i64": INTEGERS, "f64": FLOATS, "i1": FLAGS}[kind]
        if guard or self.chance(0.5):
            return self.random.choice(carried)
        name = self.fresh("v")
        self.values[kind].append(name)
        return name

    def statement(self) -> None:
        choice = self.random.choice
        choice((self.integer, self.integer, self.floating, self.flag, self.copy, self.memory))()

    def integer(self) -> None:
        guard, a, b = self.guard(), self.pick("i64"), self.pick("i64")
        operation = self.random.choice(("add", "sub", "xor", "and", "add", "min_s", "mul"))
        if self.chance(0.2):
            operation, b = self.random.choice((("shr_u", "1"), ("shl", "3"), ("add", "8")))
        self.emit(f"{guard}{self.target('i64', guard)} = {operation}.i64 {a}, {b}")

    def floating(self) -> None:
        guard, a, b = self.guard(), self.pick("f64"), self.pick("f64")
        operation = self.random.choice(("add", "sub", "mul"))
        if self.chance(0.04):
            operation = "div"
        self.emit(f"{guard}{self.target('f64', guard)} = {operation}.f64 {a}, {b}")

    def flag(self) -> None:
        guard = self.guard()
        kind = self.random.choice(("i64", "i64", "f64", "i1"))
        a, b = self.pick(kind), self.pick(kind)
        relation = {"i64": ("lt_s", "eq", "ge_s"), "f64": ("lt", "ge"), "i1": ("and", "or", "xor")}
        operation = self.random.choice(relation[kind])
        self.emit(f"{guard}{self.target('i1', guard)} = {operation}.{kind} {a}, {b}")

    def copy(self) -> None:
        kind, names = self.random.choice((("i64", INTEGERS), ("f64", FLOATS), ("i1", FLAGS)))
        a, b = self.random.sample(names, 2)
        if self.chance(0.3):  # they trade places
            between = self.fresh("v")
            self.emit(f"{between} = copy.{kind} {a}")
            self.emit(f"{a} = copy.{kind} {b}")
            self.emit(f"{b} = copy.{kind} {between}")
        else:
            self.emit(f"{self.guard()}{a} = copy.{kind} {b}")

    def memory(self) -> None:
        guard, at = self.guard(), self.fresh("at")
        kind = self.random.choice(("i64", "i64", "f64"))
        base = self.random.choice(("p", "q", "at_table" if kind == "i64" else "at_other"))
        self.emit(f"{at} = add.ptr {base}, {self.subscript()}")
        if self.chance(0.5):
            self.emit(f"{guard}{self.target(kind, guard)} = load.{kind} {at}")
        else:
            self.emit(f"{guard}store.{kind} {at}, {self.pick(kind)}")

    def subscript(self) -> str:
        place, offset = self.fresh("place"), self.fresh("o")
        by = self.random.choice(("i", "i", self.pick("i64")))
        self.emit(f"{place} = add.i64 {by}, {self.random.randrange(3)}")
        if not self.faults or self.chance(0.8):
            self.emit(f"{place} = and.i64 {place}, 63")
        self.emit(f"{offset} = shl.i64 {place}, 3")
        return offset

    def control(self) -> None:
        self.emit("i = add.i64 i, 1")
        self.emit("more = lt_s.i64 i, n")
        if self.chance(0.5):
            self.emit(
                f"@more more = {self.random.choice(('ne', 'ge_s'))}.i64 {self.pick('i64')}, 5"
            )
        self.emit("branch more, loop, done")


def arguments(seed: int, trips: int) -> dict[str, object]:
    """Arguments for at most so many iterations; some share their memory."""
    random = Random(seed)
    return {
        "p": np.arange(64, dtype=np.int64) * random.choice((0, 1, 1, 3)),
        "q": random.choice(("table", "p", "other")),
        "n": trips,
        "k": random.randrange(-3, 9),
        "x": random.choice((0.25, 1.0, -2.0)),
        "e": random.randrange(2),
    }
