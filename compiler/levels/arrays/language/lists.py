"""Arrays that are written out, and constant tables."""

from __future__ import annotations

import ast

from compiler.levels.arrays.language.expressions import evaluate, scalar
from compiler.levels.arrays.language.kinds import ArrayOf, Made, Written
from compiler.levels.arrays.language.scope import Scope
from compiler.levels.arrays.operations.structural import MakeArray
from compiler.python_syntax.scalars import SCALARS, Scalar

LONGEST = 4096
"""Elements of one array that is written out: each is computed and stored."""


def written(scope: Scope, node: ast.List) -> Written:
    """`[a, b, c]`."""
    elements = _elements(scope, node)
    return Written(tuple(elements), tuple(evaluate(scope, element) for element in elements))


def _elements(scope: Scope, node: ast.List) -> list[ast.expr]:
    if not node.elts:
        scope.source.refuse(node, "an empty list has no type", "write replicate(i64(0), 0)")
    if len(node.elts) > LONGEST:
        message = f"a list of {len(node.elts)} elements is longer than {LONGEST}"
        scope.source.refuse(node, message, "give it as an argument of the workload")
    return node.elts


def table(scope: Scope, node: ast.AnnAssign) -> Made:
    """The value of `NAME: i32[2, 3] = [[…], […]]` at module level."""
    annotation = node.annotation
    sizes = annotation.slice
    sizes = sizes.elts if isinstance(sizes, ast.Tuple) else [sizes]
    return _rows(scope, node.value, SCALARS[annotation.value.id], sizes)


def is_table(node: ast.AnnAssign) -> bool:
    """Whether a declaration is one of a constant table: an element type, and lengths."""
    annotation = node.annotation
    is_array = isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name)
    return is_array and annotation.value.id in SCALARS and isinstance(node.value, ast.List)


def _rows(scope: Scope, node: ast.expr, element: Scalar, sizes: list[ast.expr]) -> Made:
    if not isinstance(node, ast.List):
        scope.source.refuse(node, "a table's value is a list of numbers", "write [1, 2, 3]")
    first, *rest = sizes
    wanted = getattr(scalar(scope, first, "a length"), "value", None)
    if len(_elements(scope, node)) != wanted:
        message = f"the list has {len(node.elts)} elements, its type says {wanted}"
        scope.source.refuse(node, message)
    if rest:
        rows = [_rows(scope, row, element, rest) for row in node.elts]
        return Made(scope.add(MakeArray(), *(row.symbol for row in rows)), ArrayOf(rows[0].kind))
    return scope.assign(node, written(scope, node), ArrayOf(element), "the table")
