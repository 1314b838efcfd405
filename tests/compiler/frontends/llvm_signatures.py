"""Random LLVM functions that call each other with arguments and results of every kind.

Each takes how deep it may still call, and up to 23 arguments: integers, floats, pointers,
structures and arrays by value.  It computes one number of them, calls one by its name and one
through a table of pointers with arguments made of that number, and of what they give and its own
arguments makes its result.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SCALARS = ("i1", "i8", "i16", "i32", "i64", "float", "double", "ptr")
AGGREGATES = {
    "{ i32, double }": ("i32", "double"), "[2 x i16]": ("i16", "i16"),
    "{ ptr, float }": ("ptr", "float"),
}  # fmt: skip
LENGTHS = (0, 1, 3, 7, 8, 9, 12, 23)
WORDS = "@words = global [8 x i64] [i64 3, i64 -1, i64 77, i64 1234567, i64 5, i64 0, i64 9, i64 2]"


@dataclass(frozen=True)
class Signature:
    """`i32 @g1(i64, float, ptr)`; the first parameter says how deep."""

    name: str
    result: str
    parameters: tuple[str, ...]


class Body:
    """The lines of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def new(self, text: str) -> str:
        self.lines.append(f"  %v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def add(self, number: str, kind: str, value: str) -> str:
        """The number, 31 times, and what is held in a value."""
        for k, part in enumerate(AGGREGATES.get(kind, ())):
            number = self.add(number, part, self.new(f"extractvalue {kind} {value}, {k}"))
        if kind in AGGREGATES:
            return number
        if kind == "ptr":
            value = self.new(f"load i64, ptr {value}")
        elif kind in ("float", "double"):
            whole = "i32" if kind == "float" else "i64"
            value, kind = self.new(f"bitcast {kind} {value} to {whole}"), whole
        if kind not in ("i64", "ptr"):
            value = self.new(f"zext {kind} {value} to i64")
        return self.new(f"add i64 {self.new(f'mul i64 {number}, 31')}, {value}")

    def made(self, kind: str, number: str, turn: int) -> str:
        """A value of a type, made of some bits of a number."""
        number = self.new(f"lshr i64 {number}, {turn % 40}")
        if kind in AGGREGATES:
            whole = "undef"
            for k, part in enumerate(AGGREGATES[kind]):
                value = self.made(part, number, k)
                whole = self.new(f"insertvalue {kind} {whole}, {part} {value}, {k}")
            return whole
        if kind == "ptr":
            index = self.new(f"and i64 {number}, 7")
            return self.new(f"getelementptr i64, ptr @words, i64 {index}")
        if kind in ("float", "double"):
            return self.new(f"sitofp i16 {self.new(f'trunc i64 {number} to i16')} to {kind}")
        return number if kind == "i64" else self.new(f"trunc i64 {number} to {kind}")

    def call(self, callee: str, to: Signature, depth: str, number: str) -> str:
        """A number made of what a call gives."""
        given = [f"{t} {self.made(t, number, 3 * k)}" for k, t in enumerate(to.parameters)]
        got = self.new(f"call {to.result} {callee}({', '.join([f'i64 {depth}', *given])})")
        return self.add(number, to.result, got)


def program(seed: int) -> str:
    """The text of a module; `i64 @f(i64)` begins."""
    draw = random.Random(seed)
    functions = _signatures(draw)
    table = ", ".join(f"ptr @{to.name}" for to in functions)
    texts = [WORDS, f"@table = global [{len(functions)} x ptr] [{table}]"]
    texts += [_function(own, functions, draw) for own in functions]
    entry = Body()
    result = entry.call("@g0", functions[0], "5", "%a")
    return "\n".join([*texts, "define i64 @f(i64 %a) {", *entry.lines, f"  ret i64 {result}\n}}\n"])


def _signatures(draw: random.Random) -> list[Signature]:
    """Often the last one is the first one with some of its parameters in another order."""
    kinds = (*SCALARS, *AGGREGATES)
    found = [
        Signature(f"g{k}", draw.choice(kinds), tuple(draw.choices(kinds, k=draw.choice(LENGTHS))))
        for k in range(draw.randrange(2, 5))
    ]
    if draw.random() < 0.6:
        moved = draw.sample(found[0].parameters, len(found[0].parameters))
        found.append(Signature(f"g{len(found)}", found[0].result, tuple(moved)))
    return found


def _function(own: Signature, functions: list[Signature], draw: random.Random) -> str:
    body, (by_name, place) = Body(), draw.choices(range(len(functions)), k=2)
    given = [(t, f"%p{k}") for k, t in enumerate(own.parameters)]
    number = "%depth"
    for kind, value in given:
        number = body.add(number, kind, value)
    deeper = body.new("icmp sgt i64 %depth, 0")
    body.lines.append(f"  br i1 {deeper}, label %deep, label %done\ndeep:")
    less = body.new("sub i64 %depth, 1")
    after = body.call(f"@{functions[by_name].name}", functions[by_name], less, number)
    callee = body.new(f"getelementptr ptr, ptr @table, i64 {place}")
    callee = body.new(f"load ptr, ptr {callee}")
    after = body.call(callee, functions[place], less, after)
    for kind, value in given:
        after = body.add(after, kind, value)
    body.lines.append("  br label %done\ndone:")
    last = body.new(f"phi i64 [{number}, %entry], [{after}, %deep]")
    result = body.made(own.result, last, 1)
    parameters = ", ".join(["i64 %depth", *(f"{t} {name}" for t, name in given)])
    head = f"define {own.result} @{own.name}({parameters}) {{\nentry:"
    return "\n".join([head, *body.lines, f"  ret {own.result} {result}\n}}"])
