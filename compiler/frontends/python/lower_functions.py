"""Functions of arrays in kernels: a copy of the function's code stands in place of each call."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.frontends.python.frame import Lowering
from compiler.ir.module import Function, Instruction
from compiler.ir.module import Value as Operand
from compiler.python_syntax.tree import FunctionCall
from machines.diagnostics import Location
from machines.operations.row import Label


def paste(code: Lowering, call: FunctionCall, arguments: Sequence[Operand]) -> Operand:
    """Emit the code of a function here; gives what it returns, at its end."""
    code.count_inlined(call.location)
    function, builder = call.function.code, code.builder
    names = _names(code, function, arguments)
    blocks = list(function.blocks.values())
    labels = {block.name: builder.fresh_block(f"{function.name}.{block.name}") for block in blocks}
    for block in blocks:
        if block is not function.entry:
            builder.block(labels[block.name], _place(code, call, block.location))
        for instruction in block.instructions:
            operands = _operands(instruction, names, labels)
            if instruction.operation.control == "return":
                return operands[0]
            builder.emit(
                instruction.operation,
                *operands,
                result=[names[name] for name in instruction.results],
                attributes=instruction.attributes,
                location=_place(code, call, instruction.location),
            )
    raise ValueError(f"{function.name} does not return")


def _names(code: Lowering, function: Function, arguments: Sequence[Operand]) -> dict[str, Operand]:
    """What stands for the function's variables: for parameters, which it never assigns, the
    arguments, for the others new ones."""
    names = dict(zip(dict(function.parameters), arguments, strict=True))
    for name, type in function.types.items():
        if name not in names:
            names[name] = code.builder.fresh(f"{function.name}.{name}", type)
    return names


def _operands(
    instruction: Instruction, names: dict[str, Operand], labels: dict[str, str]
) -> list[Operand]:
    kinds = [operand.kind for operand in instruction.operation.reads]
    return [
        labels[value] if k < len(kinds) and isinstance(kinds[k], Label) else value
        for k, value in enumerate(instruction.operands_with(names.__getitem__))
    ]


def _place(code: Lowering, call: FunctionCall, location: Location | None) -> Location:
    """Where code comes from: the call, if not from the file itself, as all of the library."""
    return location if location and location.file == code.source.file else call.location
