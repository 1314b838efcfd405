"""Registers of 128 bits, which are pairs of 64: what moves, loads and stores them.

mov.b128 %rq1, {%rd1, %rd2};      ->   mov.b64 %rq1, %rd1;  mov.b64 %rq1.high, %rd2
ld.global.b128 %rq1, [%rd1];      ->   ld.global.v2.b64 %rq1, %rq1.high, %rd1, 0
"""

from __future__ import annotations

from dataclasses import replace

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.lower_memory import (
    address_of,
    promises,
    shape_of,
    without_policy,
)
from compiler.frontends.ptx.lowering.operands import Context, take
from compiler.frontends.ptx.lowering.parameters import Passed
from compiler.frontends.ptx.lowering.scope import KernelInput, Register
from compiler.frontends.ptx.reading.tree import Constant, Operand, Operation, Vector
from compiler.frontends.ptx.types import B32, TYPES, WIDE
from compiler.ir.module import Value
from machines.types import I64

_HALF = TYPES["b64"]


def is_wide(operation: Operation) -> bool:
    """Whether an instruction is of 128 bits."""
    return operation.parts[-1:] == (WIDE.name,)


def mov(context: Context, operation: Operation) -> None:
    """Move a register, a number, or two halves; into a register or two halves."""
    if len(operation.parts) != 1:
        raise Refused(f"'{operation.text}' is no form of mov", "mov.b128 d, a")
    d, a = take(operation, 2)
    if isinstance(a, Vector):
        values = _packed(context, a)
    elif isinstance(a, Constant):
        number = context.read(a, _HALF)
        if not isinstance(number, int):
            raise Refused("a floating literal cannot be a .b128", at=a.at)
        values = [number, 0]  # so ptxas: a number has 64 bits, whatever its sign
    else:
        values = list(_halves(_register(context, a)))
    if isinstance(d, Vector):
        _unpack(context, d, values)
        return
    for result, value in zip(_halves(_register(context, d)), values, strict=True):
        context.code.emit("mov.b64", (result,), (value,))


def _packed(context: Context, vector: Vector) -> list[Value]:
    """The halves that two or four registers are, in new variables: a half may be written first."""
    if len(vector.items) == 2:
        given = [context.read(item, _HALF) for item in vector.items]
        return [context.code.compute("mov.b64", I64, value) for value in given]
    words = [context.read(item, B32) for item in _four(vector)]
    return [context.code.compute("mov.pack.b64", I64, *words[k : k + 2]) for k in (0, 2)]


def _unpack(context: Context, vector: Vector, values: list[Value]) -> None:
    if len(vector.items) == 2:
        for item, value in zip(vector.items, values, strict=True):
            context.code.emit("mov.b64", (context.write(item, _HALF),), (value,))
        return
    results = [context.write(item, B32) for item in _four(vector)]
    for k, value in enumerate(values):
        context.code.emit("mov.unpack.b64", results[2 * k : 2 * k + 2], (value,))


def load(context: Context, operation: Operation) -> None:
    """`ld.b128`: as two of 64 bits, which are aligned to both."""
    target, address = without_policy(context, operation, 2)
    space, place = _place(context, operation, address)
    results = _halves(_register(context, target))
    context.code.emit(f"ld.{space}.v2.b64", results, place, promises(operation))


def store(context: Context, operation: Operation) -> None:
    """`st.b128`: likewise."""
    address, source = without_policy(context, operation, 2)
    space, place = _place(context, operation, address)
    values = _halves(_register(context, source))
    context.code.emit(f"st.{space}.v2.b64", (), (*place, *values), promises(operation))


def _place(
    context: Context, operation: Operation, address: Operand
) -> tuple[str, tuple[Value, int]]:
    """The space, and the operands that say where in it."""
    halves = replace(operation, parts=(*operation.parts[:-1], _HALF.name))
    _, space, elements = shape_of(halves)
    if elements > 1:
        raise Refused(f"'{operation.text}' has more than 128 bits")
    space, base, offset = address_of(context, operation, address, space)
    if isinstance(base, (KernelInput, Passed)):
        raise unsupported(f"'{operation.text}' of a parameter is not supported", "ld.param.v2.b64")
    return space, (base, offset)


def _register(context: Context, operand: Operand) -> Register:
    register = context.register(operand)
    if register.type is not WIDE:
        message = f"'{operand.text}' is a {register.type} register, the instruction takes {WIDE}"
        raise Refused(message, at=operand.at, length=len(operand.text))
    return register


def _halves(register: Register) -> tuple[str, str]:
    return register.variable, register.high


def _four(vector: Vector) -> tuple[Operand, ...]:
    if len(vector.items) != 4:
        count = len(vector.items)
        raise Refused(f"a {WIDE} has two or four parts, not {count}", at=vector.at)
    return vector.items


HANDLERS = {"mov": mov, "ld": load, "st": store}
