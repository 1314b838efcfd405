"""Programs of chips of clusters: what each core executes, and where buffers stand.

A program has kernels.  Every core that computes for a task of a kernel runs the same code, and so
does every MEM core.  An instruction is a row of
the operation table over registers, of which a core has as many as the code names; a row that works
on intervals of memory is a *command*: it is given to a queue, and the core goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from machines.diagnostics import Location
from machines.instructions.cluster_control import is_send
from machines.operations.row import Operation
from machines.program import Parameter, ProgramBuffer
from machines.types import Type


class Register(NamedTuple):
    """A scalar of a core, by its number."""

    number: int

    def __str__(self) -> str:
        return f"r{self.number}"


Scalar = Register | int | float
"""What a scalar operand is."""


class Interval(NamedTuple):
    """Elements low … high - 1 of a buffer; with steps so many segments, each a stride on."""

    buffer: str
    low: Scalar
    high: Scalar
    steps: tuple[tuple[Scalar, Scalar], ...] = ()

    def __str__(self) -> str:
        steps = "".join(f", {count} by {stride}" for count, stride in self.steps)
        return f"{self.buffer}[{self.low}:{self.high}{steps}]"


@dataclass(frozen=True, slots=True)
class StreamInstruction:
    """One instruction.

    results   registers written, in the order of `row.writes`
    operands  in the order of `row.reads`, labels left out
    targets   where it may go on, as positions in the code, in the order of its labels
    guard     a register, and the value that lets it take effect; None: it always does
    queue     that takes it; None of what the core does itself
    layer     that it belongs to, among those of the program; None: to none
    """

    row: Operation
    results: tuple[int, ...] = ()
    operands: tuple[Scalar | Interval, ...] = ()
    targets: tuple[int, ...] = ()
    guard: tuple[int, bool] | None = None
    queue: str | None = None
    layer: int | None = None

    def __str__(self) -> str:
        guard = "" if self.guard is None else f"@{'' if self.guard[1] else '!'}r{self.guard[0]} "
        results = ", ".join(f"r{number}" for number in self.results)
        words = [*map(str, self.operands), *(f"@{target}" for target in self.targets)]
        text = f"{results} = " if results else ""
        return f"{guard}{text}{self.row.name} {', '.join(words)}".rstrip()


@dataclass(frozen=True, slots=True)
class CoreCode:
    """What the cores of a role execute, from position 0 on.

    name        of the function
    parameters  of the kernel, which it takes in these registers, by name
    registers   the type of each
    first       where its instructions begin in the locations of the program
    """

    role: str
    name: str
    parameters: tuple[tuple[str, int], ...]
    registers: tuple[Type, ...]
    code: tuple[StreamInstruction, ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class ScratchpadBuffer:
    """A buffer in a scratchpad: every one of these memories has it at the same address."""

    name: str
    dtype: Type
    count: int
    space: str
    address: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.dtype.size(self.count)


class Layer(NamedTuple):
    """A part of a kernel of which results tell what it costs; `least_bytes`: what it moves from and
    to DRAM at least, None if that is not known."""

    kernel: str
    name: str
    least_bytes: int | None = None


@dataclass(frozen=True)
class Kernel:
    """What the cores of a task run.

    codes        that of the cores that compute first
    scratchpads  buffers on the chip
    """

    name: str
    codes: tuple[CoreCode, ...]
    scratchpads: tuple[ScratchpadBuffer, ...]
    parameters: tuple[Parameter, ...] = ()

    @cached_property
    def sends(self) -> bool:
        """Whether its cores write where others are."""
        return any(is_send(i.row) for code in self.codes for i in code.code)

    @cached_property
    def written(self) -> frozenset[str]:
        """The buffers that its cores write."""
        return frozenset(
            value.buffer
            for code in self.codes
            for instruction in code.code
            for operand, value in zip(instruction.row.reads, instruction.operands, strict=False)
            if isinstance(value, Interval) and operand.kind.access == "store"
        )

    @cached_property
    def parts(self) -> dict[str, str]:
        """Of every scratchpad buffer the first of those with which it has bytes in common, or has
        through others."""
        found: dict[str, str] = {}
        space, end, first = "", 0, ""
        for buffer in sorted(self.scratchpads, key=lambda one: (one.space, one.address)):
            if buffer.space != space or buffer.address >= end:
                space, end, first = buffer.space, 0, buffer.name
            found[buffer.name] = first
            end = max(end, buffer.address + buffer.size)
        return found


@dataclass(frozen=True)
class ClusterProgram:
    """A program; see `machines.program.Program`.  Arguments fill its parameters and its buffers.

    entry      the kernel that runs where nothing is said; None if there are several
    buffers    buffers in DRAM, which all kernels have in common
    locations  of the instructions of all codes, one code behind the other
    layers     of all kernels, those of each in their order; of a kernel that has none all of it is
               one, unless no kernel has any
    """

    name: str
    kernels: tuple[Kernel, ...]
    buffers: tuple[ProgramBuffer, ...]
    locations: Sequence[Location | None] = ()
    entry: str | None = None
    layers: tuple[Layer, ...] = ()
    result: None = None
    kind: str = "cluster"

    def kernel(self, name: str) -> Kernel:
        """One by its name."""
        return next(kernel for kernel in self.kernels if kernel.name == name)

    @property
    def codes(self) -> tuple[CoreCode, ...]:
        """Those of all kernels."""
        return tuple(code for kernel in self.kernels for code in kernel.codes)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those of all kernels: of one name there is one, of the first kernel that has it."""
        found: dict[str, Parameter] = {}
        for kernel in self.kernels:
            for parameter in kernel.parameters:
                found.setdefault(parameter.name, parameter)
        return tuple(found.values())

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of what runs."""
        told = [
            (kernel.name if len(self.kernels) > 1 else "", kernel.scratchpads, kernel.parameters,
             [(code.role, code.parameters, [t.name for t in code.registers],
               [(str(i), i.queue) for i in code.code]) for code in kernel.codes])
            for kernel in self.kernels
        ]  # fmt: skip
        if self.layers:
            told += [self.layers, [[i.layer for i in code.code] for code in self.codes]]
        return hashlib.sha256(repr((told, self.buffers)).encode()).hexdigest()
