"""From typed expressions to IR values.

A value goes to a fresh variable, or straight to the `result` the caller names, which is written by
the last instruction only, so that an expression may read the variable it is assigned to.
"""

from __future__ import annotations

from compiler.frontends.python.frame import Frame, Lowering
from compiler.frontends.python.lower_functions import paste
from compiler.ir.module import Value as Operand
from compiler.python_syntax.arithmetic import (
    is_cheap,
    lower_binary,
    lower_conversion,
    lower_power,
    lower_unary,
)
from compiler.python_syntax.scalars import BOOLEAN, Scalar
from compiler.python_syntax.tree import (
    Binary,
    Call,
    Compare,
    Conditional,
    Constant,
    Convert,
    Current,
    Element,
    FunctionCall,
    FusedMultiplyAdd,
    Kernel,
    Length,
    Logic,
    Not,
    Power,
    Read,
    Shared,
    ThreadOperation,
    Unary,
    Value,
)
from machines.types import I8

_ORDERED = {"lt", "le", "gt", "ge"}


def lower(code: Lowering, frame: Frame, value: Value, result: str | None = None) -> Operand:
    """Emit what computes `value`; returns the literal or the variable that holds it."""
    match value:
        case Constant():
            return _deliver(code, frame, value, value.value, result)
        case Read():
            return _deliver(code, frame, value, frame.variable(code, value.name), result)
        case Current():
            return _deliver(code, frame, value, frame.current, result)
        case Shared():
            if value not in frame.shared:
                frame.shared[value] = lower(code, frame, value.a)
            return _deliver(code, frame, value, frame.shared[value], result)
        case Length():
            return _deliver(code, frame, value, frame.dimensions[value.array.name, 0], result)
        case Element():
            return load(code, value, address(code, frame, value), result)
        case Convert():
            return _convert(code, frame, value, result)
        case Unary():
            return lower_unary(code, value, lower(code, frame, value.a), result)
        case Power():
            return lower_power(code, value, lower(code, frame, value.a), result)
        case Binary():
            a, b = lower(code, frame, value.a), lower(code, frame, value.b)
            return lower_binary(code, value, a, b, result)
        case FusedMultiplyAdd():
            operands = [lower(code, frame, part) for part in (value.a, value.b, value.c)]
            return code.emit(
                f"fma.{value.type.type}", *operands, result=result, location=value.location
            )
        case Compare():
            return _compare(code, frame, value, result)
        case Not():
            return code.emit(
                "not.i1", lower(code, frame, value.a), result=result, location=value.location
            )
        case Logic():
            return _logic(code, frame, value, result)
        case Conditional():
            return _conditional(code, frame, value, result)
        case ThreadOperation():
            operands = [address(code, frame, value.element)] if value.element else []
            operands += [lower(code, frame, part) for part in value.operands]
            return code.emit(value.row, *operands, result=result, location=value.location)
        case Call():
            return code.inline(code, frame, value, result)
        case FunctionCall():
            operands = [lower(code, frame, part) for part in value.arguments]
            return _deliver(code, frame, value, paste(code, value, operands), result)
    raise TypeError(f"no lowering for {type(value).__name__}")


def _deliver(
    code: Lowering, frame: Frame, value: Value, held: Operand, result: str | None
) -> Operand:
    if result is None or held == result:
        return held
    row = "const" if isinstance(held, int | float) else "copy"
    return code.emit(f"{row}.{value.type.type}", held, result=result, location=value.location)


def _convert(code: Lowering, frame: Frame, value: Convert, result: str | None) -> Operand:
    if value.a.type.type is value.type.type:
        return lower(code, frame, value.a, result)
    held = lower(code, frame, value.a)
    return lower_conversion(code, held, value.a.type, value.type, value.location, result)


def _compare(code: Lowering, frame: Frame, value: Compare, result: str | None) -> Operand:
    scalar = value.a.type
    a, b = lower(code, frame, value.a), lower(code, frame, value.b)
    sign = ""
    if value.relation in _ORDERED and not scalar.is_float:
        sign = "_s" if scalar.signed else "_u"
    row = f"{value.relation}{sign}.{scalar.type}"
    return code.emit(row, a, b, result=result, location=value.location)


# Choices ---------------------------------------------------------------------------------------


def branch_on(code: Lowering, frame: Frame, test: Value, then: str, otherwise: str) -> None:
    """End the block: go to `then` if the boolean is true, else to `otherwise`."""
    match test:
        case Constant():
            code.jump(then if test.value else otherwise, test)
        case Not():
            branch_on(code, frame, test.a, otherwise, then)
        case Logic():
            code.forget_shared(frame, test)
            for term in test.terms[:-1]:
                following = code.builder.fresh_block(test.operation)
                if test.operation == "and":
                    branch_on(code, frame, term, following, otherwise)
                else:
                    branch_on(code, frame, term, then, following)
                code.arrive(following)
            branch_on(code, frame, test.terms[-1], then, otherwise)
        case _:
            code.branch(lower(code, frame, test), then, otherwise, test)


def _logic(code: Lowering, frame: Frame, value: Logic, result: str | None) -> Operand:
    """Without branches if nothing after the first term can fault or costs much."""
    code.forget_shared(frame, value)
    if not all(is_cheap(term) for term in value.terms[1:]):
        return _by_branches(code, frame, value, _TRUE, _FALSE, BOOLEAN, result)
    held = lower(code, frame, value.terms[0])
    for index, term in enumerate(value.terms[1:], start=2):
        target = result if index == len(value.terms) else None
        operand = lower(code, frame, term)
        held = code.emit(
            f"{value.operation}.i1", held, operand, result=target, location=value.location
        )
    return held


_TRUE, _FALSE = 1, 0


def _conditional(code: Lowering, frame: Frame, value: Conditional, result: str | None) -> Operand:
    """A select if both arms are cheap and cannot fault, else two blocks."""
    if not all(is_cheap(part) for part in (value.test, value.a, value.b)):
        return _by_branches(code, frame, value.test, value.a, value.b, value.type, result)
    test = lower(code, frame, value.test)
    a, b = lower(code, frame, value.a), lower(code, frame, value.b)
    return code.emit(
        f"select.{value.type.type}", test, a, b, result=result, location=value.location
    )


def _by_branches(
    code: Lowering,
    frame: Frame,
    test: Value,
    a: Value | int,
    b: Value | int,
    scalar: Scalar,
    result: str | None,
) -> str:
    target = result or code.builder.fresh("choice", scalar.type)
    then, otherwise, join = (code.builder.fresh_block(n) for n in ("then", "else", "join"))
    branch_on(code, frame, test, then, otherwise)
    for block, arm in ((then, a), (otherwise, b)):
        code.arrive(block)
        value = Constant(arm, type=scalar, location=test.location) if isinstance(arm, int) else arm
        lower(code, frame, value, target)
        code.jump(join, test)
    code.arrive(join)
    return target


# Memory ----------------------------------------------------------------------------------------


def address(code: Lowering, frame: Frame, element: Element) -> Operand:
    """The address of an element: base + (((i * m) + j) << k), with literals folded."""
    array, location = element.array, element.location
    linear = lower(code, frame, element.indices[0])
    for axis, index in enumerate(element.indices[1:], start=1):
        linear = code.arithmetic("mul", linear, frame.dimensions[array.name, axis], location)
        linear = code.arithmetic("add", linear, lower(code, frame, index), location)
    offset = code.arithmetic("mul", linear, array.element.type.bytes, location)
    base = frame.base(code, array)
    return base if offset == 0 else code.emit("add.ptr", base, offset, location=location)


def load(code: Lowering, element: Element, pointer: Operand, result: str | None = None) -> Operand:
    """The element at an address; a boolean is a byte that is not 0."""
    location = element.location
    if not element.type.is_boolean:
        return code.emit(f"load.{element.type.type}", pointer, result=result, location=location)
    byte = code.emit("load.i8", pointer, location=location)
    return code.emit("ne.i8", byte, 0, result=result, location=location)


def store(code: Lowering, element: Element, pointer: Operand, held: Operand) -> None:
    """Store a value of the element's type; a boolean as the byte 0 or 1."""
    type = element.type.type
    if element.type.is_boolean:
        type = I8
        if isinstance(held, str):
            held = code.emit("zext.i1.i8", held, location=element.location)
    code.emit(f"store.{type}", pointer, held, location=element.location)


def measure(code: Lowering, frame: Frame, kernel: Kernel) -> None:
    """Compute the dimensions that the kernel's indexing needs, where the kernel begins."""
    for (name, axis), array in kernel.measured.items():
        size = array.dimensions[axis]
        if isinstance(size, Value):
            held = lower(code, frame, size)
            # The size is that of the call, even if the kernel assigns the parameter later.
            if isinstance(held, str) and any(
                held == frame.names.get(assigned) for assigned in kernel.assigned
            ):
                held = code.emit("copy.i64", held, location=size.location)
            size = held
        frame.dimensions[name, axis] = size
