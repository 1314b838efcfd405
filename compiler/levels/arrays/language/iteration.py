"""What is gone through: comprehensions, ranges, and the names that elements are bound to."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.levels.arrays.language.expressions import condition, evaluate, index, scalar
from compiler.levels.arrays.language.kinds import ArrayOf, Closure, Found, Made, Named, Written
from compiler.levels.arrays.language.scope import Scope
from compiler.levels.arrays.operations.calls import Map
from compiler.levels.arrays.operations.indexed import Filter
from compiler.levels.arrays.operations.structural import Flatten, Iota, Length, Zip
from compiler.python_syntax import conversions
from compiler.python_syntax.scalars import BOOLEAN, I64, Scalar, common
from compiler.python_syntax.tree import Binary, Constant, Value


def array(scope: Scope, node: ast.expr, what: str = "this") -> Made:
    """An expression that comes to an array."""
    found = evaluate(scope, node)
    if isinstance(found, Written):
        return scope.held(node, found)
    if not isinstance(found, Made) or not isinstance(found.kind, ArrayOf):
        kind = scope.kind(node, found)
        hint = f"write range({scope.source.quote(node)})" if str(kind)[0] in "iu" else None
        scope.source.refuse(node, f"{what} needs an array, not {kind}", hint)
    return found


def bind(scope: Scope, target: ast.expr, found: Found, put: Callable[..., None]) -> None:
    """Gives the names of a target their values: `put(name node, value)`."""
    if isinstance(target, ast.Name):
        put(target, found)
        return
    if not isinstance(target, ast.Tuple | ast.List):
        scope.source.refuse(
            target,
            f"'{scope.source.quote(target)}' cannot be assigned: values do not change",
            "assign names; an array with other elements is scatter(xs, is, vs)",
        )
    parts = None if isinstance(found, Closure | Named) else scope.parts(found)
    wanted = len(target.elts)
    if parts is None or len(parts) != wanted:
        kind = scope.kind(target, found)
        scope.source.refuse(target, f"{wanted} names for {kind}", "give a name for every part")
    for part, value in zip(target.elts, parts, strict=True):
        bind(scope, part, value, put)


def over(
    scope: Scope, xs: Made, body: Callable[[Scope, Found], Found], node: ast.AST, name: str = "x"
) -> Made:
    """A map: `body` gives the value for an element, in a scope of its own."""
    with scope.at(node):
        symbol, element = scope.parameter(name, xs.kind.element)
        with scope.perhaps():
            result, kind = scope.hold(node, body(scope.inner(), element))
        if result == symbol:
            return Made(xs.symbol, ArrayOf(kind))
        function = scope.graph.function([symbol], result)
        return Made(scope.add(Map(), function, xs.symbol), ArrayOf(kind))


def comprehension(scope: Scope, node: ast.ListComp) -> Made:
    """A map over what its conditions keep; of two `for`s, the rows of the second, flattened."""
    return _generate(scope, node, node.generators)


def _generate(scope: Scope, node: ast.ListComp, generators: list[ast.comprehension]) -> Made:
    first, *rest = generators
    if first.is_async:
        scope.source.refuse(node, "async for is not in the language", "write for")
    xs = array(scope, first.iter, "for")
    name = first.target.id if isinstance(first.target, ast.Name) else "element"

    def body(expression: Callable[[Scope], Found]) -> Callable[[Scope, Found], Found]:
        def bound(inner: Scope, element: Found) -> Found:
            bind(inner, first.target, element, lambda n, v: inner.values.__setitem__(n.id, v))
            return expression(inner)

        return bound

    for test in first.ifs:
        keep = over(
            scope, xs, body(lambda s, t=test: s.value(condition(s, t), BOOLEAN)), test, name
        )
        with scope.at(test):
            xs = Made(scope.add(Filter(), xs.symbol, keep.symbol), xs.kind)
    if not rest:
        return over(scope, xs, body(lambda s: evaluate(s, node.elt)), node, name)
    made = over(scope, xs, body(lambda s: _generate(s, node, rest)), node, name)
    with scope.at(node):
        return Made(scope.add(Flatten(), made.symbol), made.kind.element)


def pairs(scope: Scope, node: ast.AST, arrays: list[Made]) -> Made:
    """Arrays of one length as one of tuples."""
    kind = ArrayOf(scope.tuple_of(node, [a.kind.element for a in arrays]))
    return Made(scope.add(Zip(), *(a.symbol for a in arrays)), kind)


def enumerate_(scope: Scope, node: ast.Call) -> Made:
    """`enumerate(xs)`: each element behind its index."""
    xs = array(scope, node.args[0], "enumerate")
    numbers = scope.add(Iota(), scope.add(Length(), xs.symbol))
    return pairs(scope, node, [Made(numbers, ArrayOf(I64)), xs])


def range_(scope: Scope, node: ast.Call) -> Made:
    """`range(…)`: as in Python empty if there is nothing between its ends.

    The elements have the common type of the ends, i64 if both are literals.
    """
    step = _step(scope, node)
    ends = node.args[:2] if len(node.args) > 1 else node.args
    found = [scalar(scope, end, "range") for end in ends]
    kind = _range_kind(scope, node, found)
    wide = [scope.value(index(scope, end, "range"), I64) if value.type is not None else
            conversions.assignable(scope.source, end, value, I64, "range")
            for end, value in zip(ends, found, strict=True)]  # fmt: skip
    start = wide[0] if len(wide) > 1 else None
    count = wide[-1] if start is None and step == 1 else _count(scope, node, start, wide[-1], step)
    if isinstance(count, Constant):
        count = Constant(max(0, count.value), type=I64, location=count.location)
    elif not isinstance(scope.graph[int(count.name)].operation, Length):
        count = _do(scope, "max", count, _number(scope, 0))
    numbers = Made(scope.add(Iota(), scope.hold(node, count)[0]), ArrayOf(I64))
    if start is None and step == 1 and kind == I64:
        return numbers

    def element(inner: Scope, i: Value) -> Value:
        if step != 1:
            i = _do(inner, "mul", i, _number(inner, step))
        if start is not None:
            i = _do(inner, "add", i, start)
        return conversions.convert(i, kind)

    return over(scope, numbers, element, node, "i")


def _range_kind(scope: Scope, node: ast.Call, found: list[Value]) -> Scalar:
    types = [value.type for value in found if value.type is not None]
    for type in types:
        if not type.is_integer:
            scope.source.refuse(node, f"range needs integers, not {type}", "cast: i64(…)")
    return common(*types) if len(types) == 2 else types[0] if types else I64


def _step(scope: Scope, node: ast.Call) -> int:
    if len(node.args) < 3:
        return 1
    step = scalar(scope, node.args[2], "range")
    value = step.value if isinstance(step, Constant) else None
    if not isinstance(value, int) or not value or abs(value) >= 1 << 62:
        scope.source.refuse(node.args[2], "the step of range must be a constant, not zero")
    return value


def _count(scope: Scope, node: ast.Call, start: Value | None, stop: Value, step: int) -> Value:
    """How many numbers a range has, or a negative number: the distance, rounded up in steps."""
    start = start or _number(scope, 0)
    first, last = (start, stop) if step > 0 else (stop, start)
    if isinstance(first, Constant) and isinstance(last, Constant):
        return _number(scope, -((first.value - last.value) // abs(step)))
    distance = _do(scope, "sub", last, first)
    if abs(step) == 1:
        return distance
    rounded = _do(scope, "add", distance, _number(scope, abs(step) - 1))
    return _do(scope, "floor", rounded, _number(scope, abs(step)))


def _number(scope: Scope, value: int) -> Constant:
    return Constant(value, type=I64, location=scope.graph.place)


def _do(scope: Scope, operation: str, a: Value, b: Value) -> Value:
    """An i64 operation."""
    made = Binary(operation, a, b, type=I64, location=scope.graph.place)
    return scope.held(ast.Pass(), made)
