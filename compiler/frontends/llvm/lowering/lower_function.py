"""A function of the tree as a function of our IR.

Blocks are written in an order in which definitions come before their uses; the operands of phis
follow when all blocks are there, because a block may have become several.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from compiler.frontends.llvm.lowering import (
    lower_arithmetic,
    lower_atomics,
    lower_floats,
    lower_memory,
    lower_moves,
    lower_vectors,
    lower_widths,
    variadic,
)
from compiler.frontends.llvm.lowering.code import Code, Value, each, scalars, type_hint
from compiler.frontends.llvm.lowering.locations import Locations
from compiler.frontends.llvm.lowering.lower_calls import call
from compiler.frontends.llvm.lowering.lower_memory import moved, store_scalar, trap
from compiler.frontends.llvm.lowering.passing import parameters_of, variable_arguments
from compiler.frontends.llvm.lowering.widths import wrapped
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import LlvmFunction, Operand, Statement
from compiler.frontends.llvm.reading.types import UnsupportedType, alignment_of, leaves_of, size_of
from compiler.ir.module import Instruction
from machines.diagnostics import InputError, input_error
from machines.types import I64, PTR

LOWER = {
    **lower_arithmetic.LOWER, **lower_atomics.LOWER, **lower_floats.LOWER, **lower_memory.LOWER,
    **lower_vectors.LOWER, **variadic.LOWER, "call": call,
}  # fmt: skip


def lower_value(code: Code, statement: Statement) -> Value | None:
    """The value of an instruction that ends no block and is no phi, or of a constant expression."""
    if lower_vectors.is_by_element(statement):
        return lower_vectors.by_element(code, statement, _lower_scalar)
    return _lower_scalar(code, statement)


def _lower_scalar(code: Code, statement: Statement) -> Value | None:
    lower = LOWER[statement.opcode]
    if lower_widths.is_of_other_width(statement):
        return lower_widths.lower(code, statement, lower)
    return lower(code, statement)


@dataclass(slots=True)
class Phi:
    """A phi that has no operands yet; an aggregate has an instruction for each of its scalars."""

    statement: Statement
    instructions: list[Instruction] = field(default_factory=list)


def lower_body(
    code: Code, function: LlvmFunction, blocks: Mapping[str, list[Statement]], locations: Locations
) -> None:
    """Write all blocks that can be reached; raises InputError at the first construct that cannot
    be had."""
    phis: list[Phi] = []
    finish = None
    start = locations.of_function(function.name, function.debug)
    for label in reverse_postorder(blocks):
        code.begin(label)
        code.builder.location = start
        if finish is None:
            finish = _begin(code, function)
        for statement in blocks[label]:
            code.builder.location = locations.at(statement.debug) or code.builder.location
            code.last = None
            try:
                _statement(code, statement, phis)
            except (Refused, UnsupportedType) as error:
                raise refusal(error, statement.text, code.builder.location, locations) from None
    finish()
    for phi in phis:
        _complete(code, phi)
    layout = [block.name for label in blocks if label in code.owned for block in code.owned[label]]
    code.builder.order(layout)


def _begin(code: Code, function: LlvmFunction) -> Callable[[], None]:
    """What stands before a function's first statement; to be called behind its last one."""
    given = iter(parameters_of(code, code.heads[code.builder.function.name]))
    for parameter in function.parameters:
        whole = each(parameter.type, lambda _: next(given))
        code.values[parameter.name] = wrapped(code, whole, parameter.type)
    if function.variadic:
        code.more = variable_arguments(code)
    finish = lower_memory.enter(code) if code.stacked else lambda: None
    for parameter in function.parameters:
        if parameter.copied is not None:
            given = Operand(PTR, code.values[parameter.name], alignment_of(parameter.copied))
            size = size_of(parameter.copied)
            own = Operand(PTR, code.local(parameter.name, size), given.alignment)
            lower_moves.copy(code, Statement("call", operands=(own, given, Operand(I64, size))))
            code.values[parameter.name] = own.value
    return finish


def refusal(error: Exception, text: str, location, locations: Locations) -> InputError:
    """The one error for a construct that cannot be had; `text` is how LLVM writes it."""
    if isinstance(error, UnsupportedType):
        message, hint = f"the type {error.type} is not supported", type_hint(error.type)
    else:
        message, hint = str(error), getattr(error, "hint", None)
    return input_error(f"{message}: {text}", location, source=locations.source, hint=hint)


def reverse_postorder(blocks: Mapping[str, list[Statement]]) -> list[str]:
    """The blocks that can be reached; each stands behind all that dominate it."""
    entry = next(iter(blocks))
    done, seen = [], {entry}
    stack = [(entry, iter(blocks[entry][-1].labels))]
    while stack:
        label, successors = stack[-1]
        following = next((s for s in successors if s not in seen), None)
        if following is None:
            done.append(label)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(blocks[following][-1].labels)))
    return done[::-1]


def _statement(code: Code, statement: Statement, phis: list[Phi]) -> None:
    if statement.opcode in _ENDS:
        _ENDS[statement.opcode](code, statement)
    elif statement.opcode == "phi":
        phis.append(_phi(code, statement))
    else:
        value = lower_value(code, statement)
        if statement.name is not None:
            code.name_result(statement.name, value)


def _phi(code: Code, statement: Statement) -> Phi:
    found = Phi(statement)

    def one(kind) -> str:
        name = code.emit(f"phi.{kind}")
        found.instructions.append(code.last)
        return name

    code.name_result(statement.name, each(statement.type, one))
    return found


def _complete(code: Code, phi: Phi) -> None:
    """Give a phi its operands; what a constant needs computed is computed in the block it comes
    from."""
    operands: list[list] = [[] for _ in phi.instructions]
    for label, held in dict(zip(phi.statement.labels, phi.statement.operands, strict=True)).items():
        if label not in code.owned:
            continue
        last = code.owned[label][-1]
        code.builder.at(last, len(last.instructions) - 1)
        code.builder.location = last.terminator.location
        for row, value in zip(operands, scalars(code.value(held)), strict=True):
            row += [last.name, value]
    for instruction, row in zip(phi.instructions, operands, strict=True):
        code.builder.change(instruction, operands=tuple(row))


def _branch(code: Code, statement: Statement) -> None:
    targets = [code.first_block(label) for label in statement.labels]
    if len(set(targets)) == 1:
        code.builder.jump(targets[0])
    else:
        code.builder.branch(code.value(statement.operands[0]), *targets)


def _return(code: Code, statement: Statement) -> None:
    """A result that is more than one scalar stays in memory until the caller takes it."""
    values = [code.value(operand) for operand in statement.operands]
    if code.stacked:
        lower_memory.leave(code)
    if code.builder.function.result is not None:
        code.builder.return_(*scalars(values[0]))
        return
    for operand, value in zip(statement.operands, values, strict=True):
        leaves = leaves_of(operand.type)
        for k, ((leaf, _), part) in enumerate(zip(leaves, scalars(value), strict=True)):
            pointer = code.emit("address.ptr", code.variables.result())
            store_scalar(code, leaf, moved(code, pointer, 8 * k), part, leaf.bytes)
    code.builder.return_()


def _unreachable(code: Code, statement: Statement) -> None:
    """What C leaves undefined, or the end of a call that does not return: a fault."""
    trap(code)
    result = code.builder.function.result
    code.builder.return_(*([] if result is None else [0.0 if result.is_float else 0]))


_ENDS = {"br": _branch, "ret": _return, "unreachable": _unreachable}
