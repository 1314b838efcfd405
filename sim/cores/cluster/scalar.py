"""What a core does by itself, as a Python generator that stops where others are concerned.

    0  r1 = add.i64 r0, 1                     def run(core_id, …, r0):
    1  tensor.copy.f32 a[r0:r1], x[0:1]           …
    2  branch r2, 0, 3               ->            r1 = wrap(r0 + (1), 64)
                                                   r3 = yield 1, 2, (r0, r1, 0, 1)
                                                   pc = 0 if r2 else 3

It yields the position of a command, wait or barrier, the cycles since it was there the last time,
and the scalars of the operands; it is sent the result, if the instruction has one.  Cycles are
those that the machine gives for scalar operations, one after the other.  Code that runs on without
commands stops now and then, with the position NOWHERE.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from types import CodeType

import numpy as np

from machines.cache.results import cached
from machines.kinds.cluster.program import CoreCode, Interval, Register, Scalar, StreamInstruction
from machines.operations.evaluate import NAMESPACE, python_literal
from machines.operations.meaning import parsed
from machines.operations.row import Label, Operation
from machines.tensors.work import Number

NOWHERE = -1
LONG = 100_000
"""Characters of a text whose code is kept."""
STRETCH = 10_000
"""Cycles after which a core that gives no command stops once."""

Front = Generator[tuple[int, int, tuple], "Number | None", int]


class ScalarFault(Exception):
    """An operation that is not possible, at a position of the code, so many cycles after it stopped
    the last time."""

    def __init__(self, kind: str, position: int, cycles: int):
        super().__init__(kind, position, cycles)
        self.kind, self.position, self.cycles = kind, position, cycles


def scalar_arguments(instruction: StreamInstruction) -> Iterator[Scalar]:
    """The scalars among its operands: bounds and steps of intervals as well, in their order."""
    for operand in instruction.operands:
        if isinstance(operand, Interval):
            yield from (operand.low, operand.high)
            for step in operand.steps:
                yield from step
        else:
            yield operand


class Translated:
    """The code of a role as Python, for all cores that run it.

    cycles  that a scalar operation takes
    """

    def __init__(self, code: CoreCode, cycles: Callable[[Operation], int]):
        writer = _Writer(code, cycles)
        self.compiled = _compiled(writer.text(), f"<{code.role} @{code.name}>")
        self.counted = writer.counted

    def begin(
        self, identities: Mapping[str, int], arguments: Mapping[str, Number]
    ) -> tuple[Front, Stretches]:
        """The code of one core in flight, which gives the position of the return that ends it; and
        how often its instructions were carried out, those left out at which it stops.

        identities  what the core is, by the names of the rows that ask for it
        arguments   by register
        """
        stretches = Stretches(self.counted)
        space = {**NAMESPACE, **identities, "Fault": ScalarFault, "times": stretches.times}
        exec(self.compiled, space)
        return space["run"](**arguments), stretches


class Stretches:
    """Instructions that are carried out one after the other, and how often they were."""

    def __init__(self, bounds: Sequence[tuple[int, int]]):
        self.bounds, self.times = bounds, [0] * len(bounds)

    def add_to(self, executed: np.ndarray) -> None:
        """`executed` is int64[instructions]."""
        for (begin, end), times in zip(self.bounds, self.times, strict=True):
            executed[begin:end] += times


def stops(row: Operation) -> bool:
    """Whether others are concerned: commands, waits and barriers."""
    return row.walk is not None or row.is_convergent


def _compiled(text: str, name: str) -> CodeType:
    """Python takes long to read the text of a whole network, so that is kept."""
    if len(text) < LONG:
        return compile(text, name, "exec")
    key = [hashlib.sha256(text.encode()).hexdigest(), name, sys.version]

    def read() -> bytes:
        return marshal.dumps(compile(text, name, "exec"))

    return marshal.loads(cached("scalar", key, read, packages=()))


class _Writer:
    def __init__(self, code: CoreCode, cycles: Callable[[Operation], int]):
        self.code, self.cycles = code, cycles
        self.lines: list[str] = []
        self.counted: list[tuple[int, int]] = []
        targets = {target for i in code.code for target in i.targets}
        self.heads = sorted({0, *targets})

    def text(self) -> str:
        parameters = ", ".join(f"r{number}" for _, number in self.code.parameters)
        self.line(0, f"def run({parameters}):")
        given = {number for _, number in self.code.parameters}
        for number, type in enumerate(self.code.registers):
            if number not in given:
                self.line(1, f"r{number} = {0.0 if type.is_float else 0}")
        self.line(1, "pc = t = 0")
        self.line(1, "while True:")
        self.decision(2, 0, len(self.heads))
        return "\n".join(self.lines) + "\n"

    def line(self, depth: int, text: str) -> None:
        self.lines.append(" " * depth + text)

    def decision(self, depth: int, first: int, end: int) -> None:
        """Choose among the stretches of code that begin at `heads[first:end]`."""
        if end - first == 1:
            self.stretch(depth, first)
            return
        middle = (first + end) // 2
        self.line(depth, f"if pc < {self.heads[middle]}:")
        self.decision(depth + 1, first, middle)
        self.line(depth, "else:")
        self.decision(depth + 1, middle, end)

    def stretch(self, depth: int, number: int) -> None:
        begin = self.heads[number]
        end = self.heads[number + 1] if number + 1 < len(self.heads) else len(self.code.code)
        uncounted = begin
        for position in range(begin, end):
            instruction = self.code.code[position]
            if stops(instruction.row):
                self.count(depth, uncounted, position)
                uncounted = position + 1
            elif instruction.row.is_terminator:
                self.count(depth, uncounted, position + 1)
                self.terminator(depth, position, instruction)
                return
            self.instruction(depth, position, instruction)
        self.count(depth, uncounted, end)
        self.line(depth, f"pc = {end}")

    def count(self, depth: int, begin: int, end: int) -> None:
        """Instructions that are carried out one after the other."""
        if begin < end:
            self.line(depth, f"times[{len(self.counted)}] += 1")
            self.counted.append((begin, end))

    def instruction(self, depth: int, position: int, instruction: StreamInstruction) -> None:
        row = instruction.row
        if instruction.guard is not None:
            register, value = instruction.guard
            self.line(depth, f"if {'' if value else 'not '}r{register}:")
            depth += 1
        if stops(row):
            self.stop(depth, position, instruction)
            return
        names = self.names(instruction)
        self.line(depth, f"t += {self.cycles(row)}")
        if row.faults_if:
            condition = parsed(row.faults_if).placed(names)
            self.line(depth, f"if {condition}: raise Fault({row.fault!r}, {position}, t)")
        for written, number in zip(row.writes, instruction.results, strict=True):
            names[written.name] = f"r{number}"
        for text in parsed(row.meaning).placed(names).splitlines():
            self.line(depth, text)

    def stop(self, depth: int, position: int, instruction: StreamInstruction) -> None:
        scalars = "".join(f"{_text(value)}, " for value in scalar_arguments(instruction))
        results = "".join(f"r{number} = " for number in instruction.results)
        self.line(depth, f"{results}yield {position}, t, ({scalars})")
        self.line(depth, "t = 0")

    def terminator(self, depth: int, position: int, instruction: StreamInstruction) -> None:
        row = instruction.row
        self.line(depth, f"t += {self.cycles(row)}")
        if row.control == "return":
            self.line(depth, f"yield {NOWHERE}, t, ()")
            self.line(depth, f"return {position}")
            return
        if row.control == "branch":
            self.line(depth, parsed(row.meaning).placed(self.names(instruction)))
            then, other = instruction.targets
            self.line(depth, f"pc = {then} if taken else {other}")
        else:
            self.line(depth, f"pc = {instruction.targets[0]}")
        self.line(depth, f"if t >= {STRETCH}:")
        self.line(depth + 1, f"yield {NOWHERE}, t, ()")
        self.line(depth + 1, "t = 0")

    def names(self, instruction: StreamInstruction) -> dict[str, str]:
        """The names of the row's operands, each with what stands for it here."""
        names = {name: name for name in instruction.row.implicit_reads}
        scalars = [o for o in instruction.row.reads if not isinstance(o.kind, Label)]
        for operand, value in zip(scalars, instruction.operands, strict=True):
            names[operand.name] = _text(value)
        return names


def _text(value: Scalar) -> str:
    return str(value) if isinstance(value, Register) else python_literal(value)
