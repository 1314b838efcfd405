"""From functions in stream form to a program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compiler.ir.memory_spaces import flat_buffers, program_buffer
from compiler.ir.module import Descriptor, Function, Instruction, Module, Value
from compiler.targets.cluster.layers import layer_findings, layers_of, numbered
from compiler.targets.cluster.roles import role_of
from machines.diagnostics import Diagnostic, InputError, diagnostic
from machines.kinds.cluster.code import ADDRESSES, BESIDE
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import (
    ClusterProgram,
    CoreCode,
    Interval,
    Kernel,
    Register,
    Scalar,
    ScratchpadBuffer,
    StreamInstruction,
)
from machines.kinds.cluster.queues import IPU
from machines.operations.row import Label
from machines.program import Parameter
from machines.types import PTR


def emit_program(
    functions: Sequence[Function], module: Module, description: Cluster
) -> ClusterProgram:
    """The program of kernels, the entry first, and of what runs beside each; raises InputError for
    what is missing."""
    entries = [function for function in functions if role_of(function) == IPU]
    of_kernels = [[entry, *_beside(entry, functions)] for entry in entries]
    problems = [problem for own in of_kernels for f in own for problem in _problems(f, own[0])]
    problems += _no_room(module, description)
    if problems:
        source = module.source
        raise InputError(diagnostic(p.message, p.location, source=source, hint=p.hint, code=p.code)
                         for p in problems)  # fmt: skip
    kernels, locations, layers = [], [], layers_of(of_kernels)
    for own in of_kernels:
        codes = []
        for function, numbers in zip(own, numbered(own, layers), strict=True):
            codes.append(_code(function, len(locations), numbers))
            locations += [i.location for _, i in function.instructions()]
        kernels.append(_kernel(own, tuple(codes)))
    buffers = tuple(map(program_buffer, flat_buffers(module.buffers)))
    name = entries[0].name
    return ClusterProgram(name, tuple(kernels), buffers, locations, name, layers)


def _beside(entry: Function, functions: Sequence[Function]) -> list[Function]:
    return [function for function in functions if function.name in BESIDE.of(entry).values()]


def _kernel(functions: Sequence[Function], codes: tuple[CoreCode, ...]) -> Kernel:
    """Of an entry and what runs beside it."""
    entry, *_ = functions
    placed = {
        name: ScratchpadBuffer(name, buffer.dtype, buffer.count, buffer.space, address)
        for function in functions
        for name, address in ADDRESSES.of(function).items()
        for buffer in [function.buffers[name]]
    }
    parameters = (Parameter(name, type, f"r{k}") for k, (name, type) in enumerate(entry.parameters))
    return Kernel(entry.name, codes, tuple(placed.values()), tuple(parameters))


def _problems(function: Function, entry: Function) -> list[Diagnostic]:
    """What it is given and gives back, and layers that are none."""
    found = []
    if function.result is not None:
        message = f"@{function.name} returns {function.result}, and a core has nobody to return to"
        found.append(Diagnostic(message, function.location, hint="let it write to a buffer"))
    known = dict(entry.parameters)
    for name, type in function.parameters:
        location = function.locations.get(name, function.location)
        if type is PTR:
            message = f"'{name}' is a pointer, and commands work on buffers"
            hint = f"declare a buffer: '{name}: f32[1024] in dram'"
            found.append(Diagnostic(message, location, hint=hint))
        elif known.get(name) is not type:
            message = f"'{name}: {type}' is no parameter of @{entry.name}, beside which this runs"
            found.append(Diagnostic(message, location, hint="both get the same arguments, by name"))
    return [*found, *layer_findings(function, entry)]


def _no_room(module: Module, chip: Cluster) -> Iterator[Diagnostic]:
    """Buffers in DRAM that are larger than it, together: said of the largest."""
    buffers = flat_buffers(module.buffers)
    size = sum(buffer.size for buffer in buffers)
    if size > chip.dram.size:
        largest = max(buffers, key=lambda buffer: buffer.size)
        message = f"{size} bytes of buffers do not fit in {chip.dram.size} of dram"
        hint = f"'{largest.name}' is the largest, {largest.size} bytes"
        yield Diagnostic(message, largest.location, hint=hint)


def _code(function: Function, first: int, layers: Sequence[int | None]) -> CoreCode:
    registers = {name: k for k, name in enumerate(_names(function))}
    starts, at = {}, 0
    for block in function.blocks.values():
        starts[block.name] = at
        at += len(block.instructions)
    return CoreCode(
        role_of(function),
        function.name,
        tuple((name, registers[name]) for name, _ in function.parameters),
        tuple(function.types[name] for name in registers),
        tuple(
            _instruction(i, registers, starts, layer)
            for (_, i), layer in zip(function.instructions(), layers, strict=True)
        ),
        first,
    )


def _names(function: Function) -> list[str]:
    """Its variables, parameters first."""
    named = [name for _, i in function.instructions() for name in (*i.results, *i.variables_read)]
    return list(dict.fromkeys([name for name, _ in function.parameters] + named))


def _instruction(
    instruction: Instruction,
    registers: Mapping[str, int],
    starts: Mapping[str, int],
    layer: int | None,
) -> StreamInstruction:
    row, guard = instruction.operation, instruction.guard
    kinds = [operand.kind for operand in row.reads]
    pairs = list(zip(kinds, instruction.operands, strict=True))
    return StreamInstruction(
        row,
        tuple(registers[name] for name in instruction.results),
        tuple(_operand(v, registers) for kind, v in pairs if not isinstance(kind, Label)),
        tuple(starts[str(value)] for kind, value in pairs if isinstance(kind, Label)),
        None if guard is None else (registers[guard.name], not guard.negated),
        instruction.attributes.get("queue"),
        layer,
    )


def _operand(value: Value, registers: Mapping[str, int]) -> Scalar | Interval:
    def scalar(one: Value) -> Scalar:
        return Register(registers[one]) if isinstance(one, str) else one

    if isinstance(value, Descriptor):
        steps = tuple((scalar(count), scalar(stride)) for count, stride in value.steps)
        return Interval(value.buffer, scalar(value.low), scalar(value.high), steps)
    return scalar(value)
