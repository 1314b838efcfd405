"""Annotations: `f32`, `f32[:]`, `f32[:][:]`, `f32[:, :]`, `tuple[i32, f32][:]`."""

from __future__ import annotations

import ast

from compiler.levels.arrays.language.kinds import ArrayOf, FunctionOf, Kind, TupleOf
from compiler.python_syntax.errors import Source
from compiler.python_syntax.scalars import SCALARS
from machines.diagnostics import nearest

_PYTHON_TYPES = {"int": "i64", "float": "f64", "bool": "boolean"}


def read_parameter(source: Source, node: ast.expr) -> Kind | FunctionOf:
    """The type of a parameter, which may be a function: `Callable[[i64], f64]`."""
    match node:
        case ast.Subscript(
            value=ast.Name(id="Callable"), slice=ast.Tuple(elts=[ast.List(elts=taken), given])
        ):
            parameters = tuple(read_kind(source, part) for part in taken)
            return FunctionOf(parameters, read_kind(source, given))
        case ast.Name(id="Callable") | ast.Subscript(value=ast.Name(id="Callable")):
            message = "a function that is taken says what it takes and gives"
            source.refuse(node, message, "write Callable[[i64, f64], f64]")
    return read_kind(source, node)


def read_kind(source: Source, node: ast.expr) -> Kind:
    """The type an annotation names."""
    if isinstance(node, ast.Name) and node.id in SCALARS:
        return SCALARS[node.id]
    if isinstance(node, ast.Name):
        instead = _PYTHON_TYPES.get(node.id)
        hint = f"write {instead}" if instead else nearest(node.id, [*SCALARS, "tuple"])
        source.refuse(node, f"'{node.id}' is not a type", hint)
    if not isinstance(node, ast.Subscript):
        source.refuse(node, f"'{source.quote(node)}' is not a type", "write f32, or f32[:]")
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if isinstance(node.value, ast.Name) and node.value.id == "tuple":
        if not places:
            source.refuse(node, "a tuple has parts", "write tuple[i32, f32]")
        return TupleOf(tuple(read_kind(source, part) for part in places))
    kind = read_kind(source, node.value)
    for place in places:
        if not isinstance(place, ast.Slice) or place.lower or place.upper or place.step:
            source.refuse(
                place, "the lengths of arrays are not part of types", "write f32[:], or f32[:, :]"
            )
        kind = ArrayOf(kind)
    return kind
