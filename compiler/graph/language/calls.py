"""Calls: casts, functions of the language, of the file, and lambdas."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.frontends.python import check_conversions as conversions
from compiler.frontends.python.check_calls import check_call
from compiler.frontends.python.check_expressions import check as check_operator
from compiler.frontends.python.scalars import I64, SCALARS, Scalar, fits, promote
from compiler.frontends.python.scope import LIBRARY_NAMES
from compiler.frontends.python.tree import Value
from compiler.frontends.python.unsupported import function_hint, refuse_syntax
from compiler.graph.language.expressions import callee, evaluate, given, index, scalar, settled
from compiler.graph.language.iteration import array, enumerate_, over, pairs, range_
from compiler.graph.language.kinds import ArrayOf, Closure, Found, Kind, Made, Named
from compiler.graph.language.scope import Scope
from compiler.graph.operations.calls import Apply, Fold
from compiler.graph.operations.each import Each
from compiler.graph.operations.indexed import Filter, Gather, Index, Scatter, ScatterReduce
from compiler.graph.operations.reductions import Reduce, Scan
from compiler.graph.operations.scalars import Row
from compiler.graph.operations.structural import (
    Flatten,
    Iota,
    Item,
    Length,
    MakeTuple,
    Replicate,
    Rows,
)
from machines.diagnostics import nearest

MOST_INLINED = 10_000
"""Lambdas that call each other twice at every level multiply."""
_OF_NUMBERS = (*SCALARS, "min", "max", "abs", "sqrt", "fma")


def call(scope: Scope, node: ast.Call) -> Found:
    """The value of a call."""
    source = scope.source
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            refuse_syntax(source, argument)
    if node.keywords:
        source.refuse(
            node.keywords[0],
            "keyword arguments are not in the language",
            "give the arguments in order",
        )
    if isinstance(node.func, ast.Attribute):
        text = source.quote(node.func)
        source.refuse(node.func, f"'{text}' is not in the language", function_hint(node.func.attr))
    function = callee(scope, node.func)
    if isinstance(function, Named) and function.name in _LANGUAGE:
        least, most, form, made = _LANGUAGE[function.name]
        if not least <= len(node.args) <= most:
            source.refuse(node, f"{function.name} is given {len(node.args)} arguments", form)
        return made(scope, node)
    if isinstance(function, Named) and function.name in _OF_NUMBERS:
        if function.name in ("min", "max") and len(node.args) == 1:
            return _extremum(scope, node, function.name)
        return _of_numbers(scope, node)
    return invoke(scope, node, function, [(a, evaluate(scope, a)) for a in node.args])


def invoke(
    scope: Scope, node: ast.AST, function: Closure | Named, values: list[tuple[ast.AST, Found]]
) -> Found:
    """A function of such values: a lambda's body in place of it, or a call of a file's function."""
    source = scope.source
    if isinstance(function, Closure):
        return _inline(scope, node, function, values)
    name = function.name
    if name in ("min", "max") and name not in scope.program.headers:
        for argument, value in values:
            if not isinstance(value, Value):
                kind = scope.kind(argument, value)
                source.refuse(argument, f"{name} of two needs numbers, not {kind}")
        names = [given(scope, *_named(argument, value)) for argument, value in values]
        return _of_given(scope, node, name, names)
    scope.broken(name)
    primitive = scope.program.primitives.get(name)
    if primitive is not None:
        symbols = _passed(scope, node, name, primitive.meaning.kinds, values)
        return scope.value(scope.add(primitive, *symbols), primitive.meaning.kind)
    if name in scope.program.kernels:
        source.refuse(node, f"'{name}' is a kernel, which functions do not call", "write @function")
    if name not in scope.program.headers and not scope.program.find(name):
        declared = [*scope.program.headers, *scope.program.primitives]
        known = [*_LANGUAGE, *_OF_NUMBERS, *LIBRARY_NAMES, *declared]
        hint = nearest(name, known)
        if not hint.startswith("did"):
            hint = function_hint(name) or hint
        source.refuse(node, f"there is no function '{name}'", hint)
    parameters, result = scope.program.headers[name]
    symbols = _passed(scope, node, name, parameters, values)
    symbol = scope.program.function(node, name)
    return scope.value(scope.add(Apply(), symbol, *symbols), result)


def _passed(
    scope: Scope,
    node: ast.AST,
    name: str,
    parameters: dict[str, Kind],
    values: list[tuple[ast.AST, Found]],
) -> list[int]:
    """The arguments of a call, each of its parameter's type."""
    _count(scope, node, f"{name}({', '.join(parameters)})", len(parameters), len(values))
    symbols = []
    for (argument, value), (parameter, kind) in zip(values, parameters.items(), strict=True):
        held = scope.assign(argument, value, kind, f"parameter {parameter} of {name}")
        symbols.append(scope.hold(argument, held)[0])
    return symbols


def _named(node: ast.AST, value: Found) -> tuple[ast.expr, Found]:
    return (node if isinstance(node, ast.Name | ast.Constant) else ast.Name("…")), value


def _count(scope: Scope, node: ast.AST, form: str, wanted: int, found: int) -> None:
    if wanted != found:
        scope.source.refuse(node, f"expected {wanted} argument(s), got {found}", f"write {form}")


def _inline(
    scope: Scope, node: ast.AST, function: Closure, values: list[tuple[ast.AST, Found]]
) -> Found:
    arguments = function.node.args
    odd = (arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.posonlyargs)
    if any(odd) or arguments.defaults:
        scope.source.refuse(function.node, "a lambda takes plain parameters", "lambda a, b: …")
    scope.program.inlined += 1
    if scope.program.inlined > MOST_INLINED:
        scope.source.refuse(
            node,
            f"lambdas are put in place of more than {MOST_INLINED} calls",
            "write it as a function of the file",
        )
    names = [parameter.arg for parameter in arguments.args]
    if len(set(names)) < len(names):
        scope.source.refuse(function.node, "two parameters have one name")
    _count(scope, node, f"f({', '.join(names)})", len(names), len(values))
    inner = function.scope.inner()
    for name, (argument, value) in zip(names, values, strict=True):
        inner.values[name] = scope.held(argument, value)
    return evaluate(inner, function.node.body)


# Numbers -----------------------------------------------------------------------------------------


def _of_numbers(scope: Scope, node: ast.Call) -> Value:
    names = [given(scope, a, scalar(scope, a, node.func.id)) for a in node.args]
    return _of_given(scope, node, node.func.id, names)


def _of_given(scope: Scope, node: ast.AST, name: str, names: list[ast.Name]) -> Value:
    """A cast, or a function that kernels have too."""
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    made = ast.copy_location(ast.Call(function, names, []), node)
    return settled(scope, node, check_call(scope, made, check_operator))


def _extremum(scope: Scope, node: ast.Call, name: str) -> Value:
    """The least or greatest of an array, which has one: no element is a fault."""
    xs = _numbers(scope, node.args[0], name)
    zero = scope.graph.constant(0, I64.type)
    first = scope.add(Index(), xs.symbol, zero)
    return _reduce_row(scope, xs, first, name)


def _sum(scope: Scope, node: ast.Call) -> Value:
    """From zero, or from a start; narrow integers and booleans are added as i32."""
    xs = _numbers(scope, node.args[0], "sum")
    kind = xs.kind.element
    if len(node.args) > 1:
        what = "the start of the sum"
        value = scope.assign(node.args[1], evaluate(scope, node.args[1]), kind, what)
        return _reduce_row(scope, xs, scope.hold(node, value)[0], "add")
    return _reduce_row(scope, xs, scope.graph.constant(0, kind.type), "add")


def _numbers(scope: Scope, node: ast.expr, what: str) -> Made:
    """An array of numbers, promoted as in arithmetic."""
    xs = array(scope, node, what)
    if not isinstance(xs.kind.element, Scalar):
        scope.source.refuse(node, f"{what} needs an array of numbers, not {xs.kind}")
    kind = promote(xs.kind.element)
    return _converted(scope, xs, kind)


def _converted(scope: Scope, xs: Made, kind: Scalar) -> Made:
    """An array whose integers become wider ones."""
    source = xs.kind.element
    if source.type is kind.type:
        return Made(xs.symbol, ArrayOf(kind))
    row = f"{'sext' if source.signed else 'zext'}.{source.type}.{kind.type}"
    return Made(scope.add(Each(Row(row)), xs.symbol), ArrayOf(kind))


def _row(kind: Scalar, name: str) -> str:
    sign = "" if kind.is_float or name == "add" else "_s" if kind.signed else "_u"
    return f"{name}{sign}.{kind.type}"


def _reduce_row(scope: Scope, xs: Made, start: int, name: str) -> Value:
    kind = xs.kind.element
    return scope.value(scope.add(Reduce(_row(kind, name)), start, xs.symbol), kind)


# Functions of arrays -----------------------------------------------------------------------------


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
    return _converted(scope, found, I64)


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
            op = ScatterReduce(_row(element, operation))
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


_LANGUAGE: dict[str, tuple[int, int, str, Callable[[Scope, ast.Call], Found]]] = {
    "sum": (1, 2, "write sum(xs) or sum(xs, start)", _sum),
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
"""Name -> the fewest and most arguments, how it is written, and what reads it."""
NAMES = (*_LANGUAGE, *_OF_NUMBERS)
"""What the language calls functions, which no primitive may be called."""
