"""The language's functions of arrays, each with what reads its calls."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.levels.arrays.language.calls import (
    LANGUAGE,
    OF_NUMBERS,
    converted,
    invoke,
    numbers_of,
    reduced,
    row_of,
)
from compiler.levels.arrays.language.expressions import callee, evaluate, index
from compiler.levels.arrays.language.iteration import array, enumerate_, over, pairs, range_
from compiler.levels.arrays.language.kinds import ArrayOf, Found, Kind, Made
from compiler.levels.arrays.language.scope import Scope
from compiler.levels.arrays.operations.calls import Fold
from compiler.levels.arrays.operations.indexed import Filter, Gather, Scatter, ScatterReduce
from compiler.levels.arrays.operations.reductions import Reduce, Scan
from compiler.levels.arrays.operations.scalars import Row
from compiler.levels.arrays.operations.structural import (
    Flatten,
    Iota,
    Item,
    Length,
    MakeTuple,
    Replicate,
    Rows,
)
from compiler.python_syntax import conversions
from compiler.python_syntax.scalars import BOOLEAN, I64, Scalar, fits, promote
from compiler.python_syntax.tree import Value


def _sum(scope: Scope, node: ast.Call) -> Value:
    """From zero, or from a start; narrow integers and booleans are added as i32."""
    xs = numbers_of(scope, node.args[0], "sum")
    kind = xs.kind.element
    if len(node.args) > 1:
        what = "the start of the sum"
        value = scope.assign(node.args[1], evaluate(scope, node.args[1]), kind, what)
        return reduced(scope, xs, scope.hold(node, value)[0], "add")
    return reduced(scope, xs, scope.graph.constant(0, kind.type), "add")


def _truths(row: str, start: bool) -> Callable[[Scope, ast.Call], Found]:
    """`any` and `all` of booleans."""

    def made(scope: Scope, node: ast.Call) -> Found:
        name = node.func.id
        xs = array(scope, node.args[0], name)
        if xs.kind.element != BOOLEAN:
            hint = f"write {name}([x != 0 for x in {scope.source.quote(node.args[0])}])"
            scope.source.refuse(
                node.args[0], f"{name} needs an array of booleans, not {xs.kind}", hint
            )
        begin = scope.graph.constant(int(start), BOOLEAN.type)
        return scope.value(scope.add(Reduce(row), begin, xs.symbol), BOOLEAN)

    return made


def _start(scope: Scope, node: ast.expr, xs: Made) -> Found:
    """A start value; literals take the elements' type, promoted."""
    found, element = evaluate(scope, node), xs.kind.element
    if isinstance(found, Value) and found.type is None and isinstance(element, Scalar):
        found = _adopted(found, promote(element))
    return scope.held(node, found)


def _adopted(found: Value, kind: Scalar) -> Value:
    """Literals as such a type, if they fit it."""
    if all(fits(number, kind) for number in conversions.literals(found)):
        return conversions.settle(found, kind)
    return found


def _combined(scope: Scope, node: ast.Call) -> tuple[str | None, int, int, int, Kind, Made]:
    """For `reduce` and `scan`: the row that combines, if one does; both parameters, the result
    and type of the function otherwise."""
    xs = array(scope, node.args[2], node.func.id)
    function = callee(scope, node.args[0])
    start = _start(scope, node.args[1], xs)
    symbol, kind = scope.hold(node.args[1], start)
    state, left = scope.parameter("a", kind)
    element, right = scope.parameter("b", xs.kind.element)
    operands = [(node.args[1], left), (node.args[2], right)]
    with scope.perhaps():
        made = invoke(scope, node.args[0], function, operands)
    made = scope.assign(node.args[0], made, kind, f"what {node.func.id} goes on with")
    result, _ = scope.hold(node.args[0], made)
    body = scope.graph[result]
    row = body.operation.name if isinstance(body.operation, Row) else None
    plain = row and body.arguments == (state, element) and not body.operation.may_fault
    if not plain or kind != xs.kind.element:
        row = None
    both = scope.graph.function([element, state], scope.add(MakeTuple(), result))
    return row, symbol, both, result, kind, xs


def _reduce(scope: Scope, node: ast.Call) -> Found:
    """One row of the operation table is a reduction; everything else a fold."""
    row, start, function, _, kind, xs = _combined(scope, node)
    if row is not None:
        return scope.value(scope.add(Reduce(row), start, xs.symbol), kind)
    folded = scope.add(Fold(), function, xs.symbol, start)
    return scope.value(scope.add(Item(0), folded), kind)


def _scan(scope: Scope, node: ast.Call) -> Found:
    row, start, _, _, kind, xs = _combined(scope, node)
    if row is None:
        scope.source.refuse(
            node.args[0],
            "scan combines with one operation of the elements' type",
            "write lambda a, b: a + b, or with * & | ^, min, max",
        )
    return Made(scope.add(Scan(row), start, xs.symbol), ArrayOf(kind))


def _map(scope: Scope, node: ast.Call) -> Found:
    function = callee(scope, node.args[0])
    arrays = [array(scope, a, "map") for a in node.args[1:]]
    xs = arrays[0] if len(arrays) == 1 else pairs(scope, node, arrays)

    def body(inner: Scope, element: Found) -> Found:
        values = [element] if len(arrays) == 1 else inner.parts(element)
        return invoke(inner, node, function, list(zip(node.args[1:], values, strict=True)))

    return over(scope, xs, body, node)


def _indices(scope: Scope, node: ast.expr, what: str) -> Made:
    """An array of indices or lengths, as i64."""
    found = array(scope, node, what)
    element = found.kind.element
    if not isinstance(element, Scalar) or not element.is_integer:
        scope.source.refuse(node, f"{what} needs an array of integers, not {found.kind}")
    return converted(scope, found, I64)


def _scatter(operation: str | None) -> Callable[[Scope, ast.Call], Found]:
    def made(scope: Scope, node: ast.Call) -> Found:
        name = node.func.id
        xs, places = array(scope, node.args[0], name), _indices(scope, node.args[1], name)
        values = array(scope, node.args[2], name)
        values = scope.assign(node.args[2], values, xs.kind, f"the array that {name} changes")
        element = xs.kind.element
        if operation is None:
            op = Scatter()
        elif isinstance(element, Scalar) and not element.is_boolean:
            op = ScatterReduce(row_of(element, operation))
        else:
            scope.source.refuse(node, f"{name} needs arrays of numbers, not {xs.kind}")
        return Made(scope.add(op, xs.symbol, places.symbol, values.symbol), xs.kind)

    return made


def _gather(scope: Scope, node: ast.Call) -> Found:
    xs, places = array(scope, node.args[0], "gather"), _indices(scope, node.args[1], "gather")
    return Made(scope.add(Gather(), xs.symbol, places.symbol), xs.kind)


def _filter(scope: Scope, node: ast.Call) -> Found:
    mask, xs = (array(scope, a, "filter") for a in node.args)
    if str(mask.kind) != "boolean[:]":
        scope.source.refuse(
            node.args[0], f"the mask is boolean[:], not {mask.kind}", "write filter(mask, xs)"
        )
    return Made(scope.add(Filter(), xs.symbol, mask.symbol), xs.kind)


def _flatten(scope: Scope, node: ast.Call) -> Found:
    xs = array(scope, node.args[0], "flatten")
    if not isinstance(xs.kind.element, ArrayOf):
        scope.source.refuse(node, f"flatten needs an array of arrays, not {xs.kind}")
    return Made(scope.add(Flatten(), xs.symbol), xs.kind.element)


def _rows(scope: Scope, node: ast.Call) -> Found:
    xs, lengths = array(scope, node.args[0], "rows"), _indices(scope, node.args[1], "rows")
    return Made(scope.add(Rows(), xs.symbol, lengths.symbol), ArrayOf(xs.kind))


def _length(scope: Scope, node: ast.Call) -> Found:
    return scope.value(scope.add(Length(), array(scope, node.args[0], "len").symbol), I64)


def _iota(scope: Scope, node: ast.Call) -> Found:
    return Made(scope.add(Iota(), index(scope, node.args[0], "a length")), ArrayOf(I64))


def _replicate(scope: Scope, node: ast.Call) -> Found:
    symbol, kind = scope.hold(node.args[0], evaluate(scope, node.args[0]))
    length = index(scope, node.args[1], "a length")
    return Made(scope.add(Replicate(), symbol, length), ArrayOf(kind))


def _zip(scope: Scope, node: ast.Call) -> Found:
    return pairs(scope, node, [array(scope, a, "zip") for a in node.args])


LANGUAGE |= {
    "sum": (1, 2, "write sum(xs) or sum(xs, start)", _sum),
    "any": (1, 1, "write any(xs)", _truths("or.i1", False)),
    "all": (1, 1, "write all(xs)", _truths("and.i1", True)),
    "reduce": (3, 3, "write reduce(lambda a, b: …, start, xs)", _reduce),
    "scan": (3, 3, "write scan(lambda a, b: a + b, start, xs)", _scan),
    "map": (2, 99, "write map(f, xs)", _map),
    "filter": (2, 2, "write filter(mask, xs)", _filter),
    "len": (1, 1, "write len(xs)", _length),
    "range": (1, 3, "write range(n)", range_),
    "zip": (1, 99, "write zip(xs, ys)", _zip),
    "enumerate": (1, 1, "write enumerate(xs)", enumerate_),
    "iota": (1, 1, "write iota(n)", _iota),
    "replicate": (2, 2, "write replicate(value, n)", _replicate),
    "gather": (2, 2, "write gather(xs, indices)", _gather),
    "scatter": (3, 3, "write scatter(xs, indices, values)", _scatter(None)),
    "scatter_add": (3, 3, "write scatter_add(xs, indices, values)", _scatter("add")),
    "scatter_min": (3, 3, "write scatter_min(xs, indices, values)", _scatter("min")),
    "scatter_max": (3, 3, "write scatter_max(xs, indices, values)", _scatter("max")),
    "flatten": (1, 1, "write flatten(xss)", _flatten),
    "rows": (2, 2, "write rows(values, lengths)", _rows),
}
NAMES = (*LANGUAGE, *OF_NUMBERS)
"""What the language calls functions, which no primitive may be called."""
