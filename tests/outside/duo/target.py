"""From tensor operations of the IR to the two queues of `duo`, with what each command waits for.

    tensor.copy.f32 pad0[0:64], x[0:64]            copy     0
    tensor.add.f32 pad1[0:64], pad0[0:64], …  ->   compute  0   waits for copy 0
    tensor.copy.f32 y[0:64], pad1[0:64]            copy     1   waits for compute 0

Buffers in space `pad` stand in the scratchpad.  A command waits for the last one of
the other queue before it that touches the same bytes, if one of the two writes them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compiler.ir.memory_spaces import program_buffer
from compiler.ir.module import Descriptor, Function, Instruction, Module
from compiler.ir.printer import print_instruction
from compiler.targets import Emit, Listed, Target
from duo.code import PAD
from duo.fields import Duo
from machines.diagnostics import Diagnostic, InputError, Location, input_error
from machines.operations.row import Region
from machines.program import Parameter, ProgramBuffer

COMPUTE, COPY = "compute", "copy"


@dataclass(frozen=True)
class Command:
    """A tensor operation in its queue.

    waits  place in the other queue of the command that has to end first, None if none has
    bytes  that it reads and writes; elements: of its largest interval
    """

    engine: str
    instruction: Instruction
    text: str
    waits: int | None
    bytes: int
    elements: int


@dataclass(frozen=True)
class DuoProgram:
    """A program; see `machines.program.Program`.  Its arguments fill its buffers."""

    name: str
    queues: dict[str, tuple[Command, ...]]
    buffers: tuple[ProgramBuffer, ...]
    parameters: tuple[Parameter, ...] = ()
    result: None = None
    locations: tuple[Location | None, ...] = ()
    kind: str = "duo"

    @property
    def content_hash(self) -> str:
        """SHA-256 of the commands and the buffers."""
        told = [(c.engine, c.text, c.waits) for queue in self.queues.values() for c in queue]
        return hashlib.sha256(repr((told, self.buffers)).encode()).hexdigest()


def findings(function: Function) -> Iterator[Diagnostic]:
    """What this machine cannot do: all but tensor operations on fixed intervals, in a line."""
    for block, instruction in function.instructions():
        if block is function.entry and instruction.operation.control == "return":
            continue
        intervals = [o for o in instruction.operands if isinstance(o, Descriptor)]
        fixed = all(one.is_exact and not one.steps for one in intervals)
        if not intervals or not fixed or instruction.results or instruction.guard:
            message = f"duo does not execute '{instruction.operation.name}' here"
            hint = "tensor operations on intervals that are known, one after the other"
            yield Diagnostic(message, instruction.location, hint=hint)
        elif _engine(instruction, function) == COMPUTE and not all(
            _in_pad(one, function) for one in intervals
        ):
            message = "the compute engine reaches the scratchpad alone"
            hint = f"copy to a buffer in {PAD} before"
            yield Diagnostic(message, instruction.location, hint=hint)


def _in_pad(interval: Descriptor, function: Function) -> bool:
    return function.buffers[interval.buffer].space == PAD


def _engine(instruction: Instruction, function: Function) -> str:
    places = {_in_pad(one, function) for one in instruction.operands if isinstance(one, Descriptor)}
    is_copy = instruction.operation.name.startswith("tensor.copy.")
    return COPY if is_copy and len(places) == 2 else COMPUTE


def emit(functions: Sequence[Function], module: Module, description: Duo) -> DuoProgram:
    """The two queues; raises InputError for what the machine cannot do."""
    (function,) = functions
    problems = list(findings(function))
    if problems:
        raise InputError(problems)
    every = {**module.buffers, **function.buffers}
    pads = sum(b.size for b in every.values() if b.space == PAD)
    if pads > description.scratchpad:
        message = f"{pads} bytes do not fit in a scratchpad of {description.scratchpad}"
        raise input_error(message, function.location, hint="make the buffers smaller")
    queues: dict[str, list[Command]] = {COMPUTE: [], COPY: []}
    for _, instruction in function.instructions():
        if instruction.operation.control is None:
            engine = _engine(instruction, function)
            other = queues[COPY if engine == COMPUTE else COMPUTE]
            queues[engine].append(_command(engine, instruction, other))
    buffers = tuple(program_buffer(b) for b in every.values())
    return DuoProgram(function.name, {name: tuple(q) for name, q in queues.items()}, buffers)


def _command(engine: str, instruction: Instruction, other: Sequence[Command]) -> Command:
    waits = [k for k, earlier in enumerate(other) if _touch(earlier.instruction, instruction)]
    sizes = [(one.high - one.low, kind.type.bytes) for one, kind in intervals_of(instruction)]
    return Command(
        engine,
        instruction,
        print_instruction(instruction),
        waits[-1] if waits else None,
        sum(count * size for count, size in sizes),
        max(count for count, _ in sizes),
    )


def intervals_of(instruction: Instruction) -> list[tuple[Descriptor, Region]]:
    reads = instruction.operation.reads
    pairs = zip(instruction.operands, (operand.kind for operand in reads), strict=True)
    return [(value, kind) for value, kind in pairs if isinstance(value, Descriptor)]


def _touch(first: Instruction, second: Instruction) -> bool:
    """Whether two instructions touch the same bytes, and one of them writes them."""
    return any(
        a.buffer == b.buffer
        and a.low < b.high
        and b.low < a.high
        and "store" in (kind_a.access, kind_b.access)
        for a, kind_a in intervals_of(first)
        for b, kind_b in intervals_of(second)
    )


def listing(program: DuoProgram, description: Duo) -> Iterator[Listed]:
    """Both queues, a command a line."""
    for name, queue in program.queues.items():
        other = COPY if name == COMPUTE else COMPUTE
        for place, command in enumerate(queue):
            waits = "" if command.waits is None else f"  waits for {other} {command.waits}"
            yield Listed(f"{name:8}{place:4}  {command.text}{waits}")


def standalone(
    program: DuoProgram,
    description: Duo,
    arrays: Sequence[ProgramBuffer],
    scalars: dict[str, int | float],
) -> str:
    """The queues, and how many bytes each array has."""
    given = [f"; {array.name}: {array.size} bytes" for array in arrays]
    return "\n".join([*given, *(line.text for line in listing(program, description)), ""])


def usage(path: Path, program: Any, arrays: Sequence[ProgramBuffer]) -> str:
    """What to do with the file."""
    return f"see {path}"


TARGET = Target(
    passes=("leave_ssa", "inline_calls", "simplify_control_flow"),
    last_form="ir",
    lowers={"arrays": ("vectorize", "to_commands")},
    verify=lambda function, form, description: findings(function),
    called=lambda function: (),
    emit=emit,
    listing=listing,
    calls=False,
    emits=(Emit((".queues",), "both queues as text", standalone, usage),),
)
