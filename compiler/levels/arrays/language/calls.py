"""Calls: casts, functions of the language, of the file, and lambdas."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

from compiler.levels.arrays.language.expressions import callee, evaluate, given, scalar, settled
from compiler.levels.arrays.language.iteration import array
from compiler.levels.arrays.language.kinds import (
    ArrayOf,
    Callee,
    Closure,
    Found,
    FunctionOf,
    Kind,
    Made,
    Named,
)
from compiler.levels.arrays.language.scope import Scope
from compiler.levels.arrays.language.statements import block
from compiler.levels.arrays.operations.calls import Apply
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.indexed import Index
from compiler.levels.arrays.operations.reductions import Reduce
from compiler.levels.arrays.operations.scalars import Row
from compiler.python_syntax.calls import check_call
from compiler.python_syntax.expressions import check as check_operator
from compiler.python_syntax.scalars import I64, SCALARS, Scalar, promote
from compiler.python_syntax.scope import LIBRARY_NAMES
from compiler.python_syntax.tree import Value
from compiler.python_syntax.unsupported import function_hint, refuse_syntax
from machines.diagnostics import nearest

MOST_INLINED = 10_000
"""Lambdas that call each other twice at every level multiply."""
LANGUAGE: dict[str, tuple[int, int, str, Callable[[Scope, ast.Call], Found]]] = {}
"""Functions of arrays: name -> the fewest and most arguments, how it is written, and what reads it
(`array_functions` puts them in)."""
OF_NUMBERS = (*SCALARS, "min", "max", "abs", "sqrt", "fma")


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
    if function.kind is None and isinstance(function, Named) and function.name in LANGUAGE:
        least, most, form, made = LANGUAGE[function.name]
        if not least <= len(node.args) <= most:
            source.refuse(node, f"{function.name} is given {len(node.args)} arguments", form)
        return made(scope, node)
    if function.kind is None and isinstance(function, Named) and function.name in OF_NUMBERS:
        if function.name in ("min", "max") and len(node.args) == 1:
            return _extremum(scope, node, function.name)
        return _of_numbers(scope, node)
    return invoke(scope, node, function, _arguments(scope, node, function))


def _arguments(
    scope: Scope, node: ast.Call, function: Closure | Named
) -> list[tuple[ast.AST, Found | Callee]]:
    """Those of a call; where a function takes a function, that."""
    takes: list[Kind | FunctionOf] = []
    if isinstance(function, Named) and function.name in scope.program.takers:
        takes = list(scope.program.headers[function.name][0].values())
    return [
        (a, callee(scope, a) if isinstance(kind, FunctionOf) else evaluate(scope, a))
        for a, kind in zip_longest(node.args, takes[: len(node.args)])
    ]


def invoke(
    scope: Scope,
    node: ast.AST,
    function: Closure | Named,
    values: list[tuple[ast.AST, Found | Callee]],
) -> Found:
    """A function of such values: a lambda's body in place of it, or a call of a file's function."""
    source = scope.source
    if function.kind is not None:
        return _as_said(scope, node, function, values)
    if isinstance(function, Closure):
        return _inline(scope, node, function, values)
    name = function.name
    if name in LANGUAGE:
        return _of_found(scope, node, name, values)
    if name in OF_NUMBERS:
        if name in ("min", "max") and len(values) == 1:
            return _of_found(scope, node, name, values)
        for argument, value in values:
            if not isinstance(value, Value):
                kind = scope.kind(argument, value)
                source.refuse(argument, f"{name} needs numbers, not {kind}")
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
        known = [*LANGUAGE, *OF_NUMBERS, *LIBRARY_NAMES, *declared]
        hint = nearest(name, known)
        if not hint.startswith("did"):
            hint = function_hint(name) or hint
        source.refuse(node, f"there is no function '{name}'", hint)
    if name in scope.program.takers:
        return _of_taker(scope, node, name, values)
    parameters, result = scope.program.headers[name]
    symbols = _passed(scope, node, name, parameters, values)
    symbol = scope.program.function(node, name)
    return scope.value(scope.add(Apply(), symbol, *symbols), result)


def _as_said(
    scope: Scope, node: ast.AST, function: Closure | Named, values: list[tuple[ast.AST, Found]]
) -> Found:
    """A function that was taken, of values of the types that its taker says."""
    wanted = function.kind
    _count(scope, node, str(wanted), len(wanted.parameters), len(values))
    given = [
        (argument, scope.assign(argument, value, kind, "an argument of the function"))
        for (argument, value), kind in zip(values, wanted.parameters, strict=True)
    ]
    made = invoke(scope, node, replace(function, kind=None), given)
    return scope.assign(node, made, wanted.result, "what the function gives")


def _of_taker(
    scope: Scope, node: ast.AST, name: str, values: list[tuple[ast.AST, Found | Callee]]
) -> Found:
    """A call of a function that takes functions: its body, in place of it."""
    program = scope.program
    parameters, result = program.headers[name]
    _count(scope, node, f"{name}({', '.join(parameters)})", len(parameters), len(values))
    if name in program.taking:
        cycle = [*program.taking[program.taking.index(name) :], name]
        message = f"recursion is not in the language: {' calls '.join(cycle)}"
        scope.source.refuse(node, message, "write a while loop")
    _count_inlined(scope, node)
    inner = Scope(program, {}, {}, result)
    for (argument, value), (parameter, kind) in zip(values, parameters.items(), strict=True):
        if isinstance(kind, FunctionOf):
            inner.values[parameter] = replace(_taken(scope, argument, value), kind=kind)
            continue
        held = scope.assign(argument, value, kind, f"parameter {parameter} of {name}")
        inner.values[parameter] = scope.held(argument, held)
        inner.kinds[parameter] = kind
    program.taking.append(name)
    body = program.takers[name]
    found = block(inner, body.body, set())
    if found is None:
        message = f"{name} returns {result}, but can end without return"
        scope.source.refuse(body, message, "return a value")
    program.taking.pop()
    return found


def _taken(scope: Scope, node: ast.AST, value: Found | Callee) -> Closure | Named:
    """A function that is given where one must be."""
    if isinstance(value, Closure | Named):
        return value
    kind = scope.kind(node, value)
    return scope.source.refuse(node, f"a function is taken here, not {kind}", "pass a lambda")


def _of_found(scope: Scope, node: ast.AST, name: str, values: list[tuple[ast.AST, Found]]) -> Found:
    """A function of the language of values that have no syntax of their own: `map(sum, rows)`."""
    inner, arguments = scope.inner(), []
    for k, (argument, value) in enumerate(values):
        own = ast.copy_location(ast.Name(f"{name} argument {k}", ast.Load()), argument)
        inner.values[own.id] = value
        arguments.append(own)
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return call(inner, ast.copy_location(ast.Call(function, arguments, []), node))


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
    _count_inlined(scope, node)
    names = [parameter.arg for parameter in arguments.args]
    if len(set(names)) < len(names):
        scope.source.refuse(function.node, "two parameters have one name")
    _count(scope, node, f"f({', '.join(names)})", len(names), len(values))
    inner = function.scope.inner()
    for name, (argument, value) in zip(names, values, strict=True):
        inner.values[name] = scope.held(argument, value)
    return evaluate(inner, function.node.body)


def _count_inlined(scope: Scope, node: ast.AST) -> None:
    scope.program.inlined += 1
    if scope.program.inlined > MOST_INLINED:
        scope.source.refuse(
            node,
            f"lambdas are put in place of more than {MOST_INLINED} calls",
            "write it as a function of the file",
        )


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
    xs = numbers_of(scope, node.args[0], name)
    zero = scope.graph.constant(0, I64.type)
    first = scope.add(Index(), xs.symbol, zero)
    return reduced(scope, xs, first, name)


def numbers_of(scope: Scope, node: ast.expr, what: str) -> Made:
    """An array of numbers, promoted as in arithmetic."""
    xs = array(scope, node, what)
    if not isinstance(xs.kind.element, Scalar):
        scope.source.refuse(node, f"{what} needs an array of numbers, not {xs.kind}")
    kind = promote(xs.kind.element)
    return converted(scope, xs, kind)


def converted(scope: Scope, xs: Made, kind: Scalar) -> Made:
    """An array whose integers become wider ones."""
    source = xs.kind.element
    if source.type is kind.type:
        return Made(xs.symbol, ArrayOf(kind))
    row = f"{'sext' if source.signed else 'zext'}.{source.type}.{kind.type}"
    return Made(scope.add(Each(Row(row)), xs.symbol), ArrayOf(kind))


def row_of(kind: Scalar, name: str) -> str:
    sign = "" if kind.is_float or name == "add" else "_s" if kind.signed else "_u"
    return f"{name}{sign}.{kind.type}"


def reduced(scope: Scope, xs: Made, start: int, name: str) -> Value:
    kind = xs.kind.element
    return scope.value(scope.add(Reduce(row_of(kind, name)), start, xs.symbol), kind)
