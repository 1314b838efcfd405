"""The IR function being written: instructions, loops, choices, and what faults.

What has been computed is known (`remember`) until the end of the *region* in which it was: the arm
of a choice, the body of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from compiler.graph.lowering.staged import Operand
from compiler.graph.operations import Row
from compiler.ir.builder import Builder, canonical
from machines.diagnostics import Location
from machines.types import I1, I64, Type


class Code:
    """Emits instructions at the source place that is set.

    faults  what the function may end with, in the order of the numbers that it returns, from 1
    """

    def __init__(self, builder: Builder):
        self.builder = builder
        self.faults: list[tuple[str, Location | None]] = []
        self._log: list[tuple[dict, Any]] = []

    # Instructions

    def emit(self, row: str, *operands: Operand, result: str | None = None) -> Operand:
        """An instruction's result; of literals alone, the literal that it comes to."""
        if result is None and all(not isinstance(o, str) for o in operands):
            folded = _folded(row, operands)
            if folded is not None:
                return folded
        return self.builder.emit(row, *operands, result=result)

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
        self, condition: Operand, then: Callable[[], None], other: Callable[[], None] | None = None
    ) -> None:
        """Do one thing if a condition holds, else another."""
        if not isinstance(condition, str):
            chosen = then if condition else other
            if chosen is not None:
                chosen()
            return
        arm, after = self.block("then"), self.block("after")
        left = self.block("else") if other is not None else after
        self.builder.branch(condition, arm, left)
        for name, do in ((arm, then), (left, other)):
            if do is None:
                continue
            self.builder.block(name, self.builder.location)
            with self.region():
                do()
            self.builder.jump(after)
        self.builder.block(after, self.builder.location)

    def count(
        self,
        length: Operand,
        body: Callable[[Operand], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """For 0 … length - 1; `before` is done once if there is a turn."""
        if length == 0:
            return
        if length == 1:
            before()
            body(0)
            return
        loop, after = self.block("loop"), self.block("after")
        with self.region():
            if isinstance(length, str):
                entered = self.block("enter")
                self.builder.branch(self.emit("gt_s.i64", length, 0), entered, after)
                self.builder.block(entered, self.builder.location)
            before()
            counter = self.variable("k", I64, 0)
            self.arrive(loop)
            with self.region():
                body(counter)
            self.builder.emit("add.i64", counter, 1, result=counter)
            self.builder.branch(self.emit("lt_s.i64", counter, length), loop, after)
        self.builder.block(after, self.builder.location)

    def repeat(
        self,
        test: Callable[[], Operand],
        body: Callable[[], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        """While a test holds; `before` is done once if there is a turn."""
        loop, after = self.block("loop"), self.block("after")
        with self.region():
            with self.region():
                self._branch(test(), loop + ".enter", after)
            self.builder.block(loop + ".enter", self.builder.location)
            before()
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
        fault = (kind, self.builder.location)
        if fault not in self.faults:
            self.faults.append(fault)
        following = self.block("on")
        self._branch(condition, f"fault.{self.faults.index(fault) + 1}", following)
        self.builder.block(following, self.builder.location)

    def finish(self, end: Callable[[int], None]) -> None:
        """The blocks in which the function ends with a fault, of which `end` tells the number."""
        for number, (_, location) in enumerate(self.faults, 1):
            self.builder.block(f"fault.{number}", location)
            self.builder.location = location
            end(number)


def _folded(name: str, operands: tuple[Operand, ...]) -> Operand | None:
    """What a row of scalars comes to for literals; None if it faults or has no such meaning."""
    try:
        row = Row(name).row
    except KeyError:
        return None
    from compiler.graph.operations import GraphFault

    try:
        value = Row(name).compute(*operands)
    except GraphFault:
        return None
    return canonical(value, row.writes[0].kind)
