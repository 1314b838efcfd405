"""Annotations: scalar types, and array types with their dimensions."""

from __future__ import annotations

import ast
import copy

from compiler.python_syntax import conversions
from compiler.python_syntax.expressions import check
from compiler.python_syntax.scalars import I64, SCALARS, Scalar
from compiler.python_syntax.scope import Scope
from compiler.python_syntax.tree import Array, Constant, Value
from machines.diagnostics import nearest

_PYTHON_TYPES = {"int": "i64", "float": "f64", "bool": "boolean"}
_IN_DIMENSIONS = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.Load),
    *(ast.Add, ast.Sub, ast.Mult, ast.FloorDiv),
)


def check_type(scope: Scope, node: ast.expr, name: str, *, fixed: bool = False) -> Scalar | Array:
    """The type an annotation gives `name`; `fixed` wants every dimension to be a constant."""
    if not isinstance(node, ast.Subscript):
        return _scalar(scope, node)
    element = _scalar(scope, node.value)
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not indices:
        scope.source.refuse(node, "an array needs at least one dimension", f"write {element}[:]")
    dimensions, sizes = [], []
    for axis, index in enumerate(indices):
        dimension, size = _dimension(scope, index, axis, fixed)
        dimensions.append(dimension)
        sizes.append(size)
    location = scope.source.locate(node)
    return Array(name, element, tuple(dimensions), tuple(sizes), location)


def _scalar(scope: Scope, node: ast.expr) -> Scalar:
    source = scope.source
    if isinstance(node, ast.Name) and node.id in SCALARS:
        scope.declarations.require_import(node, node.id)
        return SCALARS[node.id]
    if isinstance(node, ast.Name) and node.id in _PYTHON_TYPES:
        source.refuse(node, f"'{node.id}' is not a kernel type", f"write {_PYTHON_TYPES[node.id]}")
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        source.refuse(node, "a type is not written as a string", f"write {node.value}")
    if isinstance(node, ast.Name):
        source.refuse(node, f"'{node.id}' is not a kernel type", nearest(node.id, SCALARS))
    return source.refuse(
        node, f"'{source.quote(node)}' is not a kernel type", f"types are {', '.join(SCALARS)}"
    )


def _dimension(
    scope: Scope, node: ast.expr, axis: int, fixed: bool
) -> tuple[int | Value | None, int | str | None]:
    source = scope.source
    if isinstance(node, ast.Slice):
        if node.lower or node.upper or node.step:
            source.refuse(node, "a dimension is one size, or ':'", "write the size alone")
        if axis:
            source.refuse(node, "only the first dimension may be ':'", "name a parameter: [:, m]")
        if fixed:
            source.refuse(node, "the size must be a constant here", "write a number")
        return None, None
    value = check(scope, node)
    if isinstance(value, Constant):
        if not isinstance(value.value, int) or value.value <= 0:
            source.refuse(node, "a dimension must be a positive integer")
        return value.value, value.value
    if fixed:
        source.refuse(node, "the size must be a constant here", "write a number")
    for part in ast.walk(node):
        if not isinstance(part, _IN_DIMENSIONS):
            source.refuse(
                node,
                "a dimension is an integer expression of parameters and constants",
                "use names, numbers and + - * //",
            )
    if value.type is None or not value.type.is_integer:
        source.refuse(node, f"a dimension must be an integer, not {value.type}")
    constants = {name: c.value for name, c in scope.declarations.constants.items()}
    text = ast.unparse(_PutConstants(constants).visit(copy.deepcopy(node)))
    return conversions.convert(value, I64), text


class _PutConstants(ast.NodeTransformer):
    def __init__(self, constants: dict[str, int | float]) -> None:
        self.constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.constants:
            return node
        return ast.copy_location(ast.Constant(self.constants[node.id]), node)
