"""How functions pass arguments and results to each other.

    f(1, 2.5)              what fits into registers is a parameter of our IR
    f(1, …, 9)             the ninth integer or pointer, and the ninth float, stand in the buffer
                           `c.arguments` until the callee has begun
    f({1, {2, 3}})         aggregates go in parts
    printf("%d", 7)        variable arguments are an array; its address stands there too
    r = g()                a result of several parts stands in `c.result` until it is taken

So a call says nothing of whether its callee takes variable arguments: in C `int (*f)()` may or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from compiler.frontends.llvm.lowering.code import Code, Scalar, Value, each, scalars
from compiler.frontends.llvm.lowering.lower_memory import load_scalar, moved, store_scalar, trap
from compiler.frontends.llvm.reading.heads import Head
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Operand, Statement, Zero
from compiler.frontends.llvm.reading.types import LlvmType, leaves_of
from machines.types import PTR, Type

IN_REGISTERS = 8
"""Arguments that are floats, and that are anything else: IA-64 and its like have registers for
them, and at the least for these."""


def beyond_registers(kinds: Sequence[Type]) -> tuple[int, ...]:
    """The positions of arguments for which no register is left."""
    left = {True: IN_REGISTERS, False: IN_REGISTERS}
    found = []
    for position, kind in enumerate(kinds):
        if not left[kind.is_float]:
            found.append(position)
        else:
            left[kind.is_float] -= 1
    return tuple(found)


def call_function(
    code: Code, statement: Statement, head: Head, operands: Sequence[Operand],
    through: Scalar | None = None,
) -> Value | None:  # fmt: skip
    """A call of a function, or of the one that `through` points to, of which it is the prototype;
    raises Refused if they do not fit."""
    kinds = _kinds(operands)
    values = [value for operand in operands for value in scalars(code.value(operand))]
    _check_fit(statement, head, operands)
    if statement.fixed is not None:
        fixed = len(head.kinds)
        more = _variable_arguments(code, kinds[fixed:], values[fixed:])
        store_scalar(code, PTR, _stored_at(code, 0), more, PTR.bytes)
    for k, position in enumerate(head.stored, start=1):
        store_scalar(
            code, kinds[position], _stored_at(code, k), values[position], kinds[position].bytes
        )
    given = [values[position] for position in range(len(head.kinds)) if position not in head.stored]
    base = "call" if through is None else "call_through"
    row = f"{base}.{head.result}" if head.result else base
    got = code.emit(row, head.name, *([] if through is None else [through]), *given)
    if statement.type is None:
        return None
    parts = _leaves(statement.type)
    if isinstance(statement.type, Type) or not parts:
        return got
    return each(statement.type, lambda _: got) if len(parts) == 1 else _taken(code, statement.type)


def _check_fit(statement: Statement, head: Head, operands: Sequence[Operand]) -> None:
    """LLVM takes calls that do not fit their function, and calls them undefined."""
    kinds, shown = _kinds(operands), _kinds(operands[: statement.fixed])
    wrong = None
    if len(shown) != len(head.kinds):
        wrong = f"takes {len(head.kinds)} arguments, and is called with {len(kinds)}"
    elif shown != head.kinds:
        wrong = "is called with other arguments than it takes"
    elif statement.type is not None and _result(statement) is not head.result:
        wrong = "is called for another result than it gives"
    if wrong is not None:
        raise Refused(f"'{statement.callee}' {wrong}", "declare it as it is defined")


def call_library(
    code: Code, name: str, result: LlvmType, operands: Sequence[Operand]
) -> Value | None:
    """A call of a function of the C library that the program itself does not name."""
    statement = Statement("call", result, tuple(operands), callee=name)
    return call_function(code, statement, code.callee(name), operands)


def call_through(code: Code, statement: Statement) -> Value | None:
    """Some function of the file with these parameters and this result says how the call is done;
    where there is none, no pointer can be right."""
    pointer, *operands = statement.operands
    wanted = _kinds(operands[: statement.fixed]), _result(statement)
    for head in code.heads.values():
        if (head.kinds, head.result) == wanted:
            return call_function(code, statement, head, operands, code.value(pointer))
    trap(code)
    zero = Operand(statement.type, Zero()) if statement.type is not None else None
    return zero and code.value(zero)


def parameters_of(code: Code, head: Head) -> list[Scalar]:
    """All that a function is given, in order: what stands in memory is loaded here, before
    anything else is called."""
    given = iter(code.builder.function.parameters)
    return [
        load_scalar(code, kind, _stored_at(code, 1 + head.stored.index(position)), kind.bytes)
        if position in head.stored
        else next(given)[0]
        for position, kind in enumerate(head.kinds)
    ]


def variable_arguments(code: Code) -> Scalar:
    """Where those of this function are, as it begins."""
    return load_scalar(code, PTR, _stored_at(code, 0), PTR.bytes)


def _stored_at(code: Code, k: int) -> Scalar:
    words = 1 + max(len(head.stored) for head in code.heads.values())
    return moved(code, code.emit("address.ptr", code.variables.arguments(words)), 8 * k)


def _taken(code: Code, type: LlvmType) -> Value:
    """A result that was left in memory."""
    pointer, place = code.emit("address.ptr", code.variables.result()), count()
    return each(
        type,
        lambda leaf: load_scalar(code, leaf, moved(code, pointer, 8 * next(place)), leaf.bytes),
    )


def _variable_arguments(code: Code, kinds: Sequence[Type], values: Sequence[Scalar]) -> Scalar:
    """As x86-64 Linux has them in memory: 8 bytes each."""
    pointer = code.local("arguments", 8 * len(values))
    for k, (kind, value) in enumerate(zip(kinds, values, strict=True)):
        store_scalar(code, kind, moved(code, pointer, 8 * k), value, kind.bytes)
    return pointer


def _kinds(operands: Sequence[Operand]) -> tuple[Type, ...]:
    return tuple(leaf for operand in operands for leaf in _leaves(operand.type))


def _result(statement: Statement) -> Type | None:
    """What a call gives, if that is one scalar."""
    parts = _leaves(statement.type) if statement.type is not None else []
    return parts[0] if len(parts) == 1 else None


def _leaves(type: LlvmType) -> list[Type]:
    return [leaf for leaf, _ in leaves_of(type)]
