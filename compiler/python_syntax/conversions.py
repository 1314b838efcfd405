"""Types meeting types: what a literal becomes, which type an operation has, what may be stored."""

from __future__ import annotations

import ast

from compiler.python_syntax.errors import Source
from compiler.python_syntax.scalars import (
    BOOLEAN,
    F64,
    I64,
    Scalar,
    changes_sign,
    common,
    fits,
    is_lossless,
    literal_type,
    promote,
)
from compiler.python_syntax.tree import Compare, Conditional, Constant, Convert, Value


def literals(value: Value) -> list[int | float]:
    """The numbers a flexible value may be."""
    if isinstance(value, Conditional):
        return literals(value.a) + literals(value.b)
    assert isinstance(value, Constant), "only literals and choices between them are flexible"
    return [value.value]


def is_literal(value: Value) -> bool:
    """True for a number that nothing has given a type yet."""
    return isinstance(value, Constant) and value.type is None


def settle(value: Value, target: Scalar) -> Value:
    """A flexible value, all of whose literals fit, as a `target`."""
    if isinstance(value, Conditional):
        a, b = settle(value.a, target), settle(value.b, target)
        return Conditional(value.test, a, b, type=target, location=value.location)
    assert isinstance(value, Constant), "only literals and choices between them are flexible"
    number = float(value.value) if target.is_float else value.value
    return Constant(number, type=target, location=value.location)


def alone(source: Source, node: ast.AST, value: Value) -> Value:
    """The value with a type, even if nothing gives its literals one."""
    if value.type is not None:
        return value
    numbers = literals(value)
    found = [literal_type(number) for number in numbers]
    wanted = F64 if F64 in found else max(found, key=lambda t: (t is not None, t != I64))
    if wanted is None or not all(fits(number, wanted) for number in numbers):
        source.refuse(node, "the integer does not fit in 64 bits")
    return settle(value, wanted)


def convert(value: Value, target: Scalar) -> Value:
    """A typed value as a `target`, whatever is lost."""
    if value.type == target:
        return value
    return Convert(value, type=target, location=value.location)


def unify(source: Source, node: ast.AST, a: Value, b: Value) -> tuple[Value, Value, Scalar]:
    """Both operands of an arithmetic operation or comparison in their common type."""
    a, b = meet(source, node, a, b)
    result = common(a.type, b.type)
    return convert(a, result), convert(b, result), result


def meet(source: Source, node: ast.AST, a: Value, b: Value) -> tuple[Value, Value]:
    """Both operands with types: a literal takes the other's (promoted) type if it fits."""
    if a.type is None and b.type is not None:
        a = _adopt(source, node, a, promote(b.type))
    elif b.type is None and a.type is not None:
        b = _adopt(source, node, b, promote(a.type))
    return alone(source, node, a), alone(source, node, b)


def _adopt(source: Source, node: ast.AST, value: Value, other: Scalar) -> Value:
    numbers = literals(value)
    if all(fits(number, other) for number in numbers):
        return settle(value, other)
    if other.is_float:
        source.refuse(node, f"the literal is beyond the range of {other}", "write f64(…) around it")
    return value


def refuse_mixed_signs(source: Source, node: ast.AST, a: Value, b: Value, what: str) -> None:
    """Refuse an operation whose common type would turn a negative operand into a huge number."""
    result = common(a.type, b.type)
    for value in (a, b):
        harmless = isinstance(value, Constant) and value.value >= 0
        if changes_sign(value.type, result) and not harmless:
            source.refuse(
                node,
                f"{what} {a.type} with {b.type} would take a negative value as a large one",
                f"cast one side, so that both are signed or both unsigned: {_cast_hint(a, b)}",
            )


def _cast_hint(a: Value, b: Value) -> str:
    signed, unsigned = (a, b) if a.type.signed else (b, a)
    return f"{signed.type}(…) around the {unsigned.type}, or the other way round"


def assignable(
    source: Source,
    node: ast.expr,
    value: Value,
    target: Scalar,
    what: str,
    hint: str | None = None,
) -> Value:
    """The value as the `target` type of `what`, if nothing can be lost; refuses otherwise.

    The hint is the cast, unless the caller has a better one.
    """
    if value.type is None:
        for number in literals(value):
            if not fits(number, target):
                message, cast = _literal_misfit(number, target, what)
                source.refuse(node, message, hint or cast)
        return settle(value, target)
    if is_lossless(value.type, target):
        return convert(value, target)
    text = source.quote(node)
    cast = f"{text} != 0" if target.is_boolean else f"{target}({text})"
    return source.refuse(
        node,
        f"{what} is {target}, which does not hold every {value.type}",
        hint or f"write {cast}",
    )


def _literal_misfit(number: int | float, target: Scalar, what: str) -> tuple[str, str]:
    if target.is_float:
        return f"{number} is beyond the range of {target} ({what})", "use a smaller value, or f64"
    if isinstance(number, float):
        return f"{number} is not an integer, but {what} is {target}", f"write {target}({number})"
    limits = f"{target.lowest} … {target.highest}"
    return (
        f"{number} does not fit {what}, which is {target} ({limits})",
        f"write {target}({number}) to wrap it" if not target.is_boolean else "write True or False",
    )


def truth(value: Value) -> Value:
    """The value as a condition: not equal to zero, as in C and Python."""
    if value.type == BOOLEAN:
        return value
    if is_literal(value):
        return Constant(int(bool(value.value)), type=BOOLEAN, location=value.location)
    if value.type is None:
        return Conditional(
            value.test, truth(value.a), truth(value.b), type=BOOLEAN, location=value.location
        )
    zero = Constant(0.0 if value.type.is_float else 0, type=value.type, location=value.location)
    return Compare("ne", value, zero, location=value.location)
