"""Calls: casts, built-in functions, other kernels, functions of arrays."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from compiler.python_syntax import conversions
from compiler.python_syntax.conversions import literals
from compiler.python_syntax.errors import Refused, Unfit
from compiler.python_syntax.scalars import F64, I64, SCALARS, Scalar, fits, promote
from compiler.python_syntax.scope import LIBRARY_NAMES, Scope
from compiler.python_syntax.threads import FUNCTIONS as THREAD_FUNCTIONS
from compiler.python_syntax.tree import (
    Array,
    Binary,
    Call,
    Constant,
    FunctionCall,
    FusedMultiplyAdd,
    Kernel,
    Length,
    Unary,
    Value,
)
from compiler.python_syntax.unsupported import function_hint, method_hint, refuse_syntax
from machines.diagnostics import InputError, nearest

Check = Callable[[Scope, ast.expr], Value]


def check_call(scope: Scope, node: ast.Call, check: Check) -> Value:
    """The typed tree of a call; `check` checks an argument."""
    source = scope.source
    if isinstance(node.func, ast.Attribute):
        name = node.func.attr
        source.refuse(
            node.func, f"'{source.quote(node.func)}' is not in the language", method_hint(name)
        )
    if not isinstance(node.func, ast.Name):
        refuse_syntax(source, node.func)
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            refuse_syntax(source, argument)
    if node.keywords:
        source.refuse(
            node.keywords[0],
            "keyword arguments are not in the language",
            "give the arguments in order",
        )
    name = node.func.id
    if name in scope.declarations.broken:
        raise Refused
    if name in SCALARS:
        scope.declarations.require_import(node.func, name)
        return _cast(scope, node, SCALARS[name], check)
    if name in _BUILTINS:
        return _BUILTINS[name](scope, node, check)
    if name in THREAD_FUNCTIONS and not scope.names(name):
        scope.declarations.require_import(node.func, name)
        return THREAD_FUNCTIONS[name](scope, node, check)
    if name in scope.declarations.kernels:
        return _call(scope, node, scope.declarations.kernels[name], check)
    if name in scope.declarations.functions:
        return _call_function(scope, node, name, check)
    if name in LIBRARY_NAMES:
        scope.declarations.require_import(node.func, name)
        return _call_function(scope, node, name, check)
    if name == "range":
        source.refuse(node, "range stands only in for loops", "write for i in range(…)")
    declared = (*scope.declarations.kernels, *scope.declarations.functions)
    known = [*SCALARS, *_BUILTINS, *THREAD_FUNCTIONS, *LIBRARY_NAMES, *declared]
    hint = function_hint(name) or nearest(name, known)
    return source.refuse(node.func, f"there is no function or kernel '{name}'", hint)


def _arguments(scope: Scope, node: ast.Call, count: int, form: str) -> list[ast.expr]:
    if len(node.args) != count:
        scope.source.refuse(
            node, f"expected {count} argument(s), got {len(node.args)}", f"write {form}"
        )
    return node.args


def _cast(scope: Scope, node: ast.Call, target: Scalar, check: Check) -> Value:
    """Casts convert as the machine does; of a literal, when it is compiled."""
    source = scope.source
    (argument,) = _arguments(scope, node, 1, f"{target}(x)")
    value = check(scope, argument)
    if value.type is None and all(fits(number, target) for number in literals(value)):
        return conversions.settle(value, target)
    if target.is_boolean:
        return conversions.truth(value)
    if conversions.is_literal(value) and isinstance(value.value, int) and target.is_integer:
        wrapped = value.value & ((1 << target.bits) - 1)
        if target.signed and wrapped > target.highest:
            wrapped -= 1 << target.bits
        return Constant(wrapped, type=target, location=value.location)
    value = conversions.alone(source, argument, value)
    return conversions.convert(value, target)


def _extremum(operation: str) -> Callable[[Scope, ast.Call, Check], Value]:
    choose = min if operation == "min" else max

    def checked(scope: Scope, node: ast.Call, check: Check) -> Value:
        source = scope.source
        if len(node.args) < 2:
            source.refuse(
                node, f"{operation} needs at least two numbers", f"write {operation}(a, b)"
            )
        result = check(scope, node.args[0])
        for argument in node.args[1:]:
            other = check(scope, argument)
            location = source.locate(node)
            if conversions.is_literal(result) and conversions.is_literal(other):
                result = Constant(choose(result.value, other.value), location=location)
                continue
            a, b = conversions.meet(source, node, result, other)
            conversions.refuse_mixed_signs(source, node, a, b, f"{operation} of")
            a, b, common = conversions.unify(source, node, a, b)
            result = Binary(operation, a, b, type=common, location=location)
        return result

    return checked


def _absolute(scope: Scope, node: ast.Call, check: Check) -> Value:
    source = scope.source
    (argument,) = _arguments(scope, node, 1, "abs(x)")
    value = check(scope, argument)
    if conversions.is_literal(value):
        return Constant(abs(value.value), location=source.locate(node))
    value = conversions.alone(source, argument, value)
    result = promote(value.type)
    value = conversions.convert(value, result)
    if not result.signed:
        return value
    return Unary("abs", value, type=result, location=source.locate(node))


def _square_root(scope: Scope, node: ast.Call, check: Check) -> Value:
    source = scope.source
    scope.declarations.require_import(node.func, "sqrt")
    (argument,) = _arguments(scope, node, 1, "sqrt(x)")
    value = check(scope, argument)
    if conversions.is_literal(value):
        if value.value < 0:
            source.refuse(node, "the square root of a negative number")
        return Constant(math.sqrt(value.value), location=source.locate(node))
    value = conversions.alone(source, argument, value)
    if not value.type.is_float:
        source.refuse(
            node,
            f"sqrt needs a float, not {value.type}",
            f"write sqrt(f64({source.quote(argument)}))",
        )
    return Unary("sqrt", value, type=value.type, location=source.locate(node))


def _fused(scope: Scope, node: ast.Call, check: Check) -> Value:
    source = scope.source
    scope.declarations.require_import(node.func, "fma")
    arguments = _arguments(scope, node, 3, "fma(a, b, c)")
    values = [check(scope, argument) for argument in arguments]
    floats = [value.type for value in values if value.type is not None and value.type.is_float]
    if not floats and any(value.type is not None for value in values):
        source.refuse(node, "fma needs floats", "write a * b + c for integers")
    result = max(floats, key=lambda scalar: scalar.bits, default=F64)
    for index, (argument, value) in enumerate(zip(arguments, values, strict=True)):
        if value.type is None:
            value = conversions.assignable(source, argument, value, result, "the operand of fma")
        values[index] = conversions.convert(value, result)
    return FusedMultiplyAdd(*values, type=result, location=source.locate(node))


def _length(scope: Scope, node: ast.Call, check: Check) -> Value:
    source = scope.source
    (argument,) = _arguments(scope, node, 1, "len(a)")
    array = scope.array(argument.id) if isinstance(argument, ast.Name) else None
    if array is None:
        source.refuse(argument, f"len needs an array, not '{source.quote(argument)}'")
    size = array.dimensions[0]
    if size is None:
        source.refuse(
            node,
            f"the length of '{array.name}' is not known: its type is {array}",
            f"pass the length as a parameter: {array.name}: {array.element}[n]",
        )
    if isinstance(size, int):
        return Constant(size, type=I64, location=source.locate(node))
    scope.kernel.measured[array.name, 0] = array
    return Length(array, location=source.locate(node))


def _call(scope: Scope, node: ast.Call, callee: Kernel, check: Check) -> Call:
    """A call of a kernel: scalars convert as in an assignment, arrays must match."""
    source = scope.source
    form = f"{callee.name}({', '.join(callee.parameters)})"
    arguments = _arguments(scope, node, len(callee.parameters), form)
    location = source.locate(node)
    scope.kernel.calls.setdefault(callee.name, location)
    passed: list[Value | Array] = []
    for argument, (name, wanted) in zip(arguments, callee.parameters.items(), strict=True):
        if isinstance(wanted, Array):
            array = _array_argument(scope, argument, callee, wanted)
            scope.passed.append((callee.name, name, array, argument))
            passed.append(array)
            continue
        value = check(scope, argument)
        what = f"parameter {name} of {callee.name}"
        passed.append(conversions.assignable(source, argument, value, wanted, what))
    return Call(callee.name, passed, type=callee.result, location=location)


def _call_function(scope: Scope, node: ast.Call, name: str, check: Check) -> FunctionCall:
    """A call of a function of arrays, whose parameters and result are scalars."""
    source, declarations = scope.source, scope.declarations
    try:
        callee = declarations.find(name, name in declarations.functions)
    except InputError as found:
        source.adopt(found.diagnostics)
        declarations.broken |= declarations.functions
        raise Refused from None
    except Unfit as unfit:
        source.refuse(node, unfit.message, unfit.hint)
    form = f"{name}({', '.join(callee.parameters)})"
    arguments = _arguments(scope, node, len(callee.parameters), form)
    passed = [
        conversions.assignable(
            source, argument, check(scope, argument), wanted, f"parameter {parameter} of {name}"
        )
        for argument, (parameter, wanted) in zip(arguments, callee.parameters.items(), strict=True)
    ]
    return FunctionCall(callee, passed, type=callee.result, location=source.locate(node))


def _array_argument(scope: Scope, node: ast.expr, callee: Kernel, wanted: Array) -> Array:
    source = scope.source
    array = scope.array(node.id) if isinstance(node, ast.Name) else None
    what = f"parameter {wanted.name} of {callee.name}, {wanted}"
    if array is None:
        source.refuse(
            node,
            f"'{source.quote(node)}' is not an array, which {what}, needs",
            "pass the whole array, and a start index as a further parameter",
        )
    matches = array.element == wanted.element and len(array.dimensions) == len(wanted.dimensions)
    sizes = zip(array.dimensions, wanted.dimensions, strict=False)
    if not matches or any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in sizes):
        source.refuse(node, f"'{array.name}' is {array}, which does not match {what}")
    return array


_BUILTINS: dict[str, Callable[[Scope, ast.Call, Check], Value]] = {
    "min": _extremum("min"),
    "max": _extremum("max"),
    "abs": _absolute,
    "sqrt": _square_root,
    "fma": _fused,
    "len": _length,
}
