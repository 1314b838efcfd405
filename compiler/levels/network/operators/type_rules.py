"""What type and shape rules of operators are made of; all raise `Unfit` with one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from compiler.levels.network.network import (
    AttributeKind,
    Attributes,
    Operator,
    TensorType,
    Types,
    Unfit,
)
from machines.instructions import operations
from machines.types import TYPES, Type

Shape = tuple[int, ...]
Values = Sequence[np.ndarray]
MOVED = "tensor.copy"
"""The row whose types are those of elements that are moved, not computed with."""


def operator(
    family: str,
    name: str,
    sentence: str,
    operands: str,
    types: Callable[[Types, Attributes], Any],
    evaluate: Callable[[Values, Attributes, Types], Any],
    **attributes: AttributeKind,
) -> Operator:
    """A row of the table; `types` and `evaluate` may give one result in place of a tuple of one."""

    def all_types(given: Types, chosen: Attributes) -> tuple[TensorType, ...]:
        found = types(given, chosen)
        return found if isinstance(found, tuple) else (found,)

    @np.errstate(all="ignore")
    def all_values(arrays: Values, chosen: Attributes, results: Types) -> tuple[np.ndarray, ...]:
        found = evaluate(arrays, chosen, results)
        return tuple(map(np.asarray, found if isinstance(found, tuple) else (found,)))

    return Operator(
        name, sentence, tuple(operands.split()), all_types, all_values, attributes, family
    )


# Types of elements ---------------------------------------------------------------------------


@cache
def types_of_row(row: str) -> tuple[Type, ...]:
    """The element types that a tensor row has, `tensor.exp` say, in the order of the table."""
    rows = operations().family("ir")
    return tuple(type for type in TYPES.values() if f"{row}.{type}" in rows)


def require_row(type: TensorType, row: str) -> None:
    """There has to be a tensor row for the elements."""
    require_element(type, types_of_row(row))


def require_element(type: TensorType, valid: Iterable[Type]) -> None:
    if type.element not in (valid := tuple(valid)):
        raise Unfit(f"elements are of {listed(valid, 'or')}, not of {type.element}")


def require_one_element(types: Types) -> Type:
    """All operands have elements of one type, which is the result."""
    found = tuple(dict.fromkeys(type.element for type in types))
    if len(found) > 1:
        raise Unfit(f"all operands have elements of one type, not of {listed(found)}")
    return found[0]


def listed(items: Iterable[object], word: str = "and") -> str:
    """'a, b and c'."""
    *most, last = map(str, items)
    return f"{', '.join(most)} {word} {last}" if most else last


# Shapes --------------------------------------------------------------------------------------


def shown(shape: Sequence[int]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def broadcast_shape(shapes: Iterable[Shape]) -> Shape:
    """The shape to which all of some are broadcast, as numpy does it."""
    shapes = tuple(shapes)
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        message = f"the shapes {listed(map(shown, shapes))} are not broadcast to one"
        raise Unfit(message) from None


def require_rank(type: TensorType, name: str, ranks: Iterable[int], form: str) -> None:
    if len(type.shape) not in ranks:
        raise Unfit(f"'{name}' is {form}, not {shown(type.shape)}")


def require_axis(axis: int, rank: int, name: str = "axis") -> None:
    if not 0 <= axis < rank:
        valid = f"0 to {rank - 1}" if rank else "none: it is one number"
        raise Unfit(f"'{name}' is {axis}; a tensor of {rank} dimensions has axes {valid}")


def require_count(values: Sequence[int], count: int, name: str, of: str) -> None:
    if len(values) != count:
        raise Unfit(f"'{name}' has {len(values)} numbers, not {count}: {of}")


def require_least(values: Sequence[int], least: int, name: str) -> None:
    if any(value < least for value in values):
        raise Unfit(f"'{name}' has a number less than {least}: {shown(values)}")


def accumulated(sources: Types, attributes: Attributes, row: str) -> Type:
    """The type in which a product of matrices is accumulated and given."""
    source, target = require_one_element(sources), attributes["to"]
    rows = operations().family("ir")
    valid = [t for t in TYPES.values() if product_row(row, source, t) in rows]
    if not valid:
        raise Unfit(f"there are no products of elements of {source}")
    if target not in valid:
        raise Unfit(f"'to' is {target}; products of {source} give {listed(valid, 'or')}")
    return target


def product_row(row: str, source: Type, target: Type) -> str:
    return f"{row}.{source}" if source is target else f"{row}.{source}.{target}"


def given_element(types: Types, attributes: Attributes) -> Type:
    """The element type of the first operand, as a default."""
    return types[0].element
