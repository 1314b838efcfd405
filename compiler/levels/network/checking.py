"""What an operator is applied to, checked: how many operands, which attributes, of what types."""

from __future__ import annotations

from compiler.levels.network.network import (
    Attribute,
    AttributeKind,
    Attributes,
    Operator,
    TensorType,
    Types,
    Unfit,
)
from machines.diagnostics import nearest
from machines.types import Type

_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    int | float: "a number",
    str: "a word",
    Type: "an element type",
    tuple: "whole numbers in parentheses",
}


def applied(
    operator: Operator, types: Types, given: Attributes
) -> tuple[dict[str, Attribute], tuple[TensorType, ...]]:
    """All attributes, those that are not given too, and the types of the results.

    Raises Unfit where operands or attributes do not fit the operator.
    """
    _check_count(operator, len(types))
    for name in given:
        if name not in operator.attributes:
            hint = nearest(name, operator.attributes)
            raise Unfit(f"it has no attribute '{name}': {hint}")
    found: dict[str, Attribute] = {}
    for name, kind in operator.attributes.items():
        if name in given:
            found[name] = _checked(name, kind, given[name])
        elif kind.default is None:
            raise Unfit(f"its attribute '{name}' is not given: {_WORDS[kind.type]}")
        else:
            found[name] = kind.default(types, found) if callable(kind.default) else kind.default
    return found, operator.types(types, found)


def _check_count(operator: Operator, count: int) -> None:
    *most, last = operator.operands
    least = len(most) + (last[-1] != "?")
    if count < least or (count > len(operator.operands) and last[-1] != "*"):
        wanted = (
            f"{least} or more"
            if last[-1] == "*"
            else " or ".join(map(str, range(least, len(operator.operands) + 1)))
        )
        raise Unfit(f"it takes {wanted} operands ({', '.join(operator.operands)}), not {count}")


def _checked(name: str, kind: AttributeKind, value: Attribute) -> Attribute:
    if kind.type is float and type(value) is int:
        value = float(value)
    fits = isinstance(value, kind.type) and (kind.type is bool or not isinstance(value, bool))
    if fits and kind.type is tuple:
        fits = all(type(item) is int for item in value)
    if not fits:
        raise Unfit(f"its attribute '{name}' is {_WORDS[kind.type]}, not {value!r}")
    return value
