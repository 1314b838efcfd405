"""Random functions that call each other, themselves included, with values of all types alive.

The first parameter of each is fuel: a function calls only if it has some, and passes on less, so
that a program ends.  Integers, floats and conditions are computed before calls and read after them.
Some calls go through a pointer that one of two functions is chosen by.
The same seed gives the same text in every process.
"""

from __future__ import annotations

from tests.programs.random_text import RandomText

TYPES = ("i64", "i64", "i32", "i8", "f64", "f64", "f32", "i1")
BUFFER = "cells: f64[8] in global = [0.5, 1.5, -2.25, 3.0, 4.125, -5.5, 6.0, 7.75]\n"


class RandomCalls(RandomText):
    """`text` is the program; `f0` is to be run, with the fuel `n`."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.signatures: list[tuple[list[str], str]] = []
        for number in range(self.random.randrange(1, 5)):
            self.signatures.append(self.signature(number))
        for number in range(len(self.signatures)):
            self.function(number)
        count = len(self.signatures)
        described = "".join(f"d{k}: i64[2] in constant = @f{k}\n" for k in range(count))
        table = f"table: ptr[{count}] in global\n"
        self.text = BUFFER + described + table + "\n".join(self.lines) + "\n"

    def signature(self, number: int) -> tuple[list[str], str]:
        """Types of the parameters behind the fuel, and of the result ('' for none)."""
        if number == 0:
            return [], "i64"
        if number > 1 and self.chance(0.4):
            return self.random.choice(self.signatures)
        count = self.random.randrange(0, 6)
        kinds = [self.random.choice(TYPES) for _ in range(count)]
        return kinds, self.random.choice((*TYPES, ""))

    def function(self, number: int) -> None:
        kinds, result = self.signatures[number]
        self.values: dict[str, list[str]] = {kind: [] for kind in dict.fromkeys(TYPES)}
        head = ["n: i64"]
        for place, kind in enumerate(kinds):
            self.values[kind].append(f"a{place}")
            head.append(f"a{place}: {kind}")
        arrow = f" -> {result}" if result else ""
        self.lines.append(f"func @f{number}({', '.join(head)}){arrow} {{")
        self.block("entry")
        if number == 0:
            self.fill_table()
        self.values["i64"].append("n")
        for kind in self.values:
            self.emit(f"v_{kind} = {self.constant(kind)}")
            self.values[kind].append(f"v_{kind}")
        self.computations(4)
        self.emit("poor = le_s.i64 n, 0")
        self.emit("branch poor, done, rich")
        self.block("rich")
        self.emit(f"less = sub.i64 n, {self.random.choice((1, 1, 2))}")
        self.emit("turn = const.i64 0")
        self.emit("jump loop")
        self.block("loop")
        for _ in range(self.random.randrange(1, 3)):
            self.call()
            self.computations(3)
        self.emit("turn = add.i64 turn, 1")
        turns = 1 if number == 0 else self.random.choice((1, 1, 2))
        self.emit(f"again = lt_s.i64 turn, {turns}")
        self.emit("branch again, loop, done")
        self.block("done")
        self.computations(2)
        self.leave(result)
        self.lines.append("}")

    def constant(self, kind: str) -> str:
        if kind == "i1":
            return f"const.i1 {self.random.randrange(2)}"
        number = self.random.randrange(-100, 100)
        return f"const.{kind} {number / 8 if kind[0] == 'f' else number}"

    def computations(self, most: int) -> None:
        for _ in range(self.random.randrange(most)):
            self.computation()

    def computation(self) -> None:
        kind = self.random.choice(TYPES)
        a, b = (self.random.choice(self.values[kind]) for _ in "ab")
        target = f"v_{kind}"
        if kind == "i1":
            x, y = (self.random.choice(self.values["i64"]) for _ in "xy")
            self.emit(f"{target} = lt_s.i64 {x}, {y}")
        else:
            guard = f"@{self.random.choice(self.values['i1'])} " if self.chance(0.3) else ""
            name = self.random.choice(("add", "sub") if kind[0] == "f" else ("add", "xor", "mul"))
            self.emit(f"{guard}{target} = {name}.{kind} {a}, {b}")

    def call(self) -> None:
        number = self.random.randrange(len(self.signatures))
        kinds, result = self.signatures[number]
        arguments = ["less"]
        for kind in kinds:
            literal = self.constant(kind).split()[1]
            arguments.append(literal if self.chance(0.2) else self.random.choice(self.values[kind]))
        guard = f"@{self.random.choice(self.values['i1'])} " if self.chance(0.3) else ""
        called = "call"
        if self.chance(0.4):
            called = "call_through"
            arguments.insert(0, self.pointer(number))
        target, suffix = (f"v_{result} = ", f".{result}") if result else ("", "")
        self.emit(f"{guard}{target}{called}{suffix} @f{number}({', '.join(arguments)})")

    def pointer(self, number: int) -> str:
        """A variable that points to a function, or to another that takes the same."""
        alike = [k for k, one in enumerate(self.signatures) if one == self.signatures[number]]
        at = self.fresh("callee")
        if self.chance(0.5):
            self.emit(f"{at} = address.ptr d{number}")
        else:
            self.emit(f"{at} = load.ptr {self.entry_of_table(number)}")
        if self.chance(0.7):
            other = self.fresh("callee")
            self.emit(f"{other} = address.ptr d{self.random.choice(alike)}")
            condition = self.random.choice(self.values["i1"])
            self.emit(f"@{condition} {at} = copy.ptr {other}")
        return at

    def fill_table(self) -> None:
        for number in range(len(self.signatures)):
            described = self.fresh("described")
            self.emit(f"{described} = address.ptr d{number}")
            self.emit(f"store.ptr {self.entry_of_table(number)}, {described}")

    def entry_of_table(self, number: int) -> str:
        """A variable that points to where the table has a function's address."""
        at = self.fresh("entry")
        self.emit(f"{at}_base = address.ptr table")
        self.emit(f"{at} = add.ptr {at}_base, {8 * number}")
        return at

    def leave(self, result: str) -> None:
        at, where = self.fresh("at"), self.fresh("where")
        self.emit(f"{at} = and.i64 v_i64, 56")
        self.emit(f"{where}_base = address.ptr cells")
        self.emit(f"{where} = add.ptr {where}_base, {at}")
        self.emit(f"store.f64 {where}, v_f64")
        if result == "i64":
            self.emit("low = sext.i32.i64 v_i32")
            self.emit("bit = zext.i1.i64 v_i1")
            self.emit("sum = add.i64 v_i64, low")
            self.emit("sum = add.i64 sum, bit")
            self.emit("return sum")
        else:
            self.emit(f"return v_{result}" if result else "return")
