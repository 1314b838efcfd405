"""From IR to programs: the rows of a function in a line, labels resolved to their places."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compiler.ir.memory_spaces import program_buffer
from compiler.ir.module import Function, Instruction, Module
from compiler.ir.printer import print_instruction
from compiler.targets import Listed, Target
from machines.diagnostics import Diagnostic, InputError, Location
from machines.operations.row import Operation
from machines.program import Parameter, ProgramBuffer

from .fields import TheName


@dataclass(frozen=True)
class Line:
    """An instruction in its place.

    guard    variable and the value for which it has an effect, if it has one
    reads    variables and numbers
    targets  places to which it may go
    """

    operation: Operation
    guard: tuple[str, int] | None
    results: tuple[str, ...]
    reads: tuple[int | float | str, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Code:
    """A program; see `machines.program.Program`."""

    name: str
    lines: tuple[Line, ...]
    texts: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    result: tuple[str, object] | None
    buffers: tuple[ProgramBuffer, ...]
    locations: tuple[Location | None, ...]
    kind: str = "the_name"

    @property
    def content_hash(self) -> str:
        """SHA-256 of the code and the buffers."""
        told = repr((self.texts, self.parameters, self.buffers))
        return hashlib.sha256(told.encode()).hexdigest()


def findings(function: Function) -> Iterator[Diagnostic]:
    """What this machine cannot do: calls, threads, tensors."""
    for _, instruction in function.instructions():
        row = instruction.operation
        if row.calls or row.regions or row.is_of_many or row.implicit_reads:
            message = f"the_name does not execute '{row.name}'"
            yield Diagnostic(message, instruction.location, hint="choose another with --machine")


def emit(functions: Sequence[Function], module: Module, description: TheName) -> Code:
    """The program of one function; raises InputError for what the machine cannot do."""
    (function,) = functions
    problems = list(findings(function))
    if problems:
        raise InputError(problems)
    starts: dict[str, int] = {}
    for block in function.blocks.values():
        starts[block.name] = sum(len(function.blocks[name].instructions) for name in starts)
    code = [instruction for _, instruction in function.instructions()]
    return Code(
        function.name,
        tuple(_line(instruction, starts) for instruction in code),
        tuple(print_instruction(instruction) for instruction in code),
        tuple(Parameter(name, type, name) for name, type in function.parameters),
        ("return", function.result) if function.result else None,
        tuple(program_buffer(b) for b in module.buffers.values()),
        tuple(instruction.location for instruction in code),
    )


def _line(instruction: Instruction, starts: dict[str, int]) -> Line:
    guard = instruction.guard
    return Line(
        instruction.operation,
        (guard.name, int(not guard.negated)) if guard else None,
        instruction.results,
        instruction.operands,
        tuple(starts[name] for name in instruction.labels),
    )


def listing(program: Code, description: TheName) -> Iterator[Listed]:
    """The program as text, an instruction a line with its place."""
    for place, text in enumerate(program.texts):
        yield Listed(f"{place:5}  {text}", place)


TARGET = Target(
    passes=("leave_ssa", "inline_calls", "simplify_control_flow"),
    last_form="ir",
    lowers={"arrays": ("vectorize", "lower_graph")},
    verify=lambda function, form, description: findings(function),
    called=lambda function: (),
    emit=emit,
    listing=listing,
    calls=False,
)
