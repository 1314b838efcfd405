"""From IR to programs of `scalar5`: rows of the IR in a line, labels resolved to their places."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compiler.costs import Cost, Costs
from compiler.ir.memory_spaces import program_buffer
from compiler.ir.module import Function, Instruction, Module
from compiler.ir.printer import print_instruction
from compiler.targets import Emit, Listed, Target
from machines.diagnostics import Location
from machines.operations.row import Operation
from machines.program import Parameter, ProgramBuffer
from scalar5.fields import Scalar5
from scalar5.refusals import findings
from scalar5.registers import Frame

PASSES = (
    "leave_ssa",
    "inline_calls",
    "simplify_control_flow",
    "rotate_loops",
    "construct_ssa",
    "propagate_constants",
    "propagate_copies",
    "number_values",
    "move_invariants",
    "reduce_strength",
    "remove_dead_code",
    "leave_ssa",
    "simplify_control_flow",
    "lay_out_blocks",
    "give_registers",
)


@dataclass(frozen=True)
class Line:
    """An instruction in its place.

    guard    register and the value for which it has an effect, if it has one
    results  registers that it writes
    reads    registers, numbers and names of buffers that it reads
    targets  places to which it may go
    """

    operation: Operation
    guard: tuple[str, int] | None
    results: tuple[str, ...]
    reads: tuple[int | float | str, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True)
class Scalar5Program:
    """A program; see `machines.program.Program`."""

    name: str
    code: tuple[Line, ...]
    texts: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    result: tuple[str, object] | None
    buffers: tuple[ProgramBuffer, ...]
    locations: tuple[Location | None, ...]
    labels: dict[int, str] = field(default_factory=dict)
    kind: str = "scalar5"

    @property
    def content_hash(self) -> str:
        """SHA-256 of the code and the buffers."""
        return hashlib.sha256(
            repr((self.texts, self.parameters, self.buffers)).encode()
        ).hexdigest()


def emit(functions: Sequence[Function], module: Module, description: Scalar5) -> Scalar5Program:
    """The program of one function."""
    (function,) = functions
    starts: dict[str, int] = {}
    for block in function.blocks.values():
        starts[block.name] = sum(len(function.blocks[name].instructions) for name in starts)
    code = [instruction for _, instruction in function.instructions()]
    buffers = [b for b in module.buffers.values() if b.space in ("global", "constant")]
    return Scalar5Program(
        function.name,
        tuple(_line(instruction, starts) for instruction in code),
        tuple(print_instruction(instruction) for instruction in code),
        tuple(
            Parameter(name, type, register)
            for (name, type), register in zip(
                function.parameters, function.frame.parameters, strict=True
            )
        ),
        ("return", function.result) if function.result else None,
        (*map(program_buffer, buffers), *function.frame.slots),
        tuple(instruction.location for instruction in code),
        {place: name for name, place in starts.items()},
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


def listing(program: Scalar5Program, description: Scalar5) -> Iterator[Listed]:
    """The program as text, an instruction a line with its place."""
    for place, text in enumerate(program.texts):
        if place in program.labels:
            yield Listed(f"{program.labels[place]}:")
        yield Listed(f"{place:5}  {text}", place)


def standalone(
    program: Scalar5Program,
    description: Scalar5,
    arrays: Sequence[ProgramBuffer],
    scalars: dict[str, int | float],
) -> str:
    """The listing with the arguments above it."""
    given = [f"; {name} = {value}" for name, value in scalars.items()]
    given += [f"; {array.name}: {array.size} bytes" for array in arrays]
    code = (line.text for line in listing(program, description))
    return "\n".join([*given, *code, ""])


def usage(path: Path, program: Any, arrays: Sequence[ProgramBuffer]) -> str:
    """What to do with the file."""
    return f"see {path}"


TARGET = Target(
    passes=PASSES,
    lowers={"arrays": ("vectorize", "lower_graph")},
    last_form="allocated",
    verify=lambda function, form, description: findings(function),
    called=lambda function: (),
    emit=emit,
    listing=listing,
    calls=False,
    records=(Frame,),
    costs=Costs(product=Cost(1, 4), short_product=Cost(1, 4)),
    emits=(Emit((".lst",), "a listing with its arguments", standalone, usage),),
)
