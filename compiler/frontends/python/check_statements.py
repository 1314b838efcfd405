"""Statements: names get types, paths are followed to see what is assigned where."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.frontends.python.check_loops import check_for, check_while
from compiler.frontends.python.check_types import check_type
from compiler.frontends.python.flow import attempt, copy_state, mark_assigned, merge, stored_names
from compiler.python_syntax import conversions
from compiler.python_syntax.errors import Refused
from compiler.python_syntax.expressions import (
    check,
    check_any_call,
    check_condition,
    check_stored_element,
    combine,
)
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.scope import Scope
from compiler.python_syntax.threads import declared_array, grid_values
from compiler.python_syntax.tree import (
    Array,
    Assign,
    Break,
    Call,
    Continue,
    Current,
    Element,
    Evaluate,
    If,
    Return,
    Statement,
    ThreadOperation,
    Update,
    Value,
)
from compiler.python_syntax.unsupported import refuse_syntax


def check_statements(scope: Scope, nodes: list[ast.stmt]) -> list[Statement]:
    """The typed statements; a refused one is left out, and the findings tell."""
    checked: list[Statement] = []
    for node in nodes:
        try:
            statement = _statement(scope, node)
        except Refused:
            _forgive(scope, node)
            continue
        except RecursionError:
            scope.source.report_nesting(scope.source.locate(node))
            _forgive(scope, node)
            continue
        if statement is not None:
            checked.append(statement)
    return checked


def _statement(scope: Scope, node: ast.stmt) -> Statement | None:
    checker = _CHECKERS.get(type(node))
    if checker is None:
        refuse_syntax(scope.source, node)
    return checker(scope, node)


def _forgive(scope: Scope, node: ast.stmt) -> None:
    """Names that a refused statement would have given a value cause no further findings."""
    for name in stored_names([node]):
        if name not in scope.kernel.variables:
            scope.broken.add(name)
        elif scope.assigned is not None:
            scope.assigned.add(name)


# Assignments -----------------------------------------------------------------------------------


def _assign(scope: Scope, node: ast.Assign) -> Statement:
    source, location = scope.source, scope.source.locate(node)
    if len(node.targets) > 1:
        source.refuse(node, "chained assignment is not in the language", "write a line for each")
    (target,) = node.targets
    if isinstance(target, ast.Name):
        array = declared_array(scope, target.id, node.value, check)
        if array is not None:
            return _declare(scope, target, array)
    if not isinstance(target, ast.Tuple | ast.List):
        value = _into(scope, target, node.value)
        return Assign([_target(scope, target)], [value], location=location)
    if (indices := grid_values(scope, node.value)) and len(indices) == len(target.elts):
        return _grid_indices(scope, node, target, indices)
    if not isinstance(node.value, ast.Tuple) or len(node.value.elts) != len(target.elts):
        source.refuse(
            node,
            f"{len(target.elts)} targets need {len(target.elts)} values",
            "write as many values, separated by commas, as targets",
        )
    # All values are computed before the first name gets its new one.
    values = [check(scope, value) for value in node.value.elts]
    pairs = zip(target.elts, node.value.elts, values, strict=True)
    stored = [_store(scope, part, text, value) for part, text, value in pairs]
    return Assign([_target(scope, part) for part in target.elts], stored, location=location)


def _grid_indices(
    scope: Scope, node: ast.Assign, target: ast.Tuple | ast.List, indices: list[Value]
) -> Statement:
    """`i, j = grid(2)`."""
    pairs = zip(target.elts, indices, strict=True)
    stored = [_store(scope, part, node.value, value) for part, value in pairs]
    parts = [_target(scope, part) for part in target.elts]
    return Assign(parts, stored, location=scope.source.locate(node))


def _into(scope: Scope, target: ast.expr, value: ast.expr) -> Value:
    return _store(scope, target, value, check(scope, value))


def _target(scope: Scope, node: ast.expr) -> str | Element:
    """Where the value goes; the value must have been stored first, since that declares names."""
    return node.id if isinstance(node, ast.Name) else check_stored_element(scope, node)


def _store(scope: Scope, target: ast.expr, text: ast.expr, value: Value) -> Value:
    """The value, converted for the target; a new name is declared by it."""
    source = scope.source
    if isinstance(target, ast.Name):
        return assign_name(scope, target, text, value)
    if isinstance(target, ast.Subscript):
        element = check_stored_element(scope, target)
        what = f"an element of {element.array.name}"
        return conversions.assignable(source, text, value, element.type, what)
    return refuse_syntax(source, target)


def assign_name(scope: Scope, node: ast.Name, text: ast.expr, value: Value) -> Value:
    """Give a scalar variable a value: its first assignment gives it its type."""
    name = node.id
    known = scope.kernel.variables.get(name)
    if known is None:
        scope.require_free(node)
        value = conversions.alone(scope.source, text, value)
        scope.kernel.variables[name] = value.type
    else:
        value = conversions.assignable(scope.source, text, value, known, f"'{name}'")
    mark_assigned(scope, name)
    return value


def _annotated(scope: Scope, node: ast.AnnAssign) -> Statement | None:
    """`x: u32 = 0` declares a scalar, `hist: i32[256]` a scratch array."""
    source, target = scope.source, node.target
    if not isinstance(target, ast.Name):
        source.refuse(target, "only a plain name can be declared", "assign without the type")
    name = target.id
    declared = check_type(scope, node.annotation, name, fixed=True)
    if isinstance(declared, Array):
        return _scratch(scope, node, declared)
    return _declared_scalar(scope, node, target, declared)


def _scratch(scope: Scope, node: ast.AnnAssign, array: Array) -> None:
    if node.value is not None:
        scope.source.refuse(
            node.value,
            "a scratch array starts as zeros and takes no value",
            "assign its elements, or write a constant table at module level",
        )
    _declare(scope, node.target, array)


def _declare(scope: Scope, node: ast.Name, array: Array) -> None:
    """Give the kernel an array of its own."""
    if array.name in scope.kernel.variables or array.name in scope.arrays:
        scope.source.refuse(node, f"'{array.name}' is declared already", "use another name")
    scope.require_free(node)
    array.buffer = f"{scope.kernel.name}.{array.name}"
    scope.arrays[array.name] = array
    scope.kernel.scratch.append(array)


def _declared_scalar(
    scope: Scope, node: ast.AnnAssign, target: ast.Name, declared: Scalar
) -> Statement | None:
    source, name = scope.source, target.id
    known = scope.kernel.variables.get(name)
    if known is not None and known != declared:
        source.refuse(node, f"'{name}' is {known} already", "use another name")
    if known is None:
        scope.require_free(target)
        scope.kernel.variables[name] = declared
    if node.value is None:
        return None
    return Assign([name], [_into(scope, target, node.value)], location=source.locate(node))


def _augmented(scope: Scope, node: ast.AugAssign) -> Statement:
    """`a[i] += x` is `a[i] = a[i] + x` with the element found once."""
    source, location = scope.source, scope.source.locate(node)
    operation = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
    if isinstance(node.target, ast.Name):
        before = scope.read(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        value = combine(scope, operation, before, check(scope, node.value))
        if node.target.id not in scope.kernel.variables:
            scope.require_free(node.target)
        return Assign(
            [node.target.id], [assign_name(scope, node.target, operation, value)], location=location
        )
    if not isinstance(node.target, ast.Subscript):
        refuse_syntax(source, node.target)
    element = check_stored_element(scope, node.target)
    before = Current(type=element.type, location=element.location)
    value = combine(scope, operation, before, check(scope, node.value))
    what = f"an element of {element.array.name}"
    value = conversions.assignable(source, operation, value, element.type, what)
    return Update(element, value, location=location)


# Control flow ----------------------------------------------------------------------------------


def _if(scope: Scope, node: ast.If) -> Statement:
    test = attempt(check_condition, scope, node.test)
    before = copy_state(scope.assigned)
    then = check_statements(scope, node.body)
    after_then, scope.assigned = scope.assigned, before
    otherwise = check_statements(scope, node.orelse)
    scope.assigned = merge([after_then, scope.assigned])
    if test is None:
        raise Refused
    return If(test, then, otherwise, location=scope.source.locate(node))


def _break(scope: Scope, node: ast.Break) -> Statement:
    if not scope.loops:
        scope.source.refuse(node, "break outside a loop", "return leaves a kernel")
    if scope.assigned is not None:
        scope.loops[-1].append(scope.assigned)
    scope.assigned = None
    return Break(location=scope.source.locate(node))


def _continue(scope: Scope, node: ast.Continue) -> Statement:
    if not scope.loops:
        scope.source.refuse(node, "continue outside a loop", "return leaves a kernel")
    scope.assigned = None
    return Continue(location=scope.source.locate(node))


def _return(scope: Scope, node: ast.Return) -> Statement:
    source, kernel = scope.source, scope.kernel
    location = source.locate(node)
    value = None
    try:
        if node.value is not None and kernel.result is None:
            source.refuse(
                node,
                f"{kernel.name} has no result type, but returns a value",
                "write it after the parameters: -> i64",
            )
        if node.value is None and kernel.result is not None:
            source.refuse(node, f"{kernel.name} must return {kernel.result}", "return a value")
        if node.value is not None:
            what = f"the result of {kernel.name}"
            found = check(scope, node.value)
            value = conversions.assignable(source, node.value, found, kernel.result, what)
    finally:
        scope.assigned = None
    return Return(value, location=location)


def _expression(scope: Scope, node: ast.Expr) -> Statement | None:
    source, value = scope.source, node.value
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return None
    if isinstance(value, ast.Constant) and value.value is Ellipsis:
        source.refuse(node, "'...' is not in the language", "write pass")
    if not isinstance(value, ast.Call):
        check(scope, value)
        source.refuse(node, "the value is not used", "assign it, or delete the line")
    call = check_any_call(scope, value)
    if not (isinstance(call, Call) or (isinstance(call, ThreadOperation) and call.acts)):
        source.refuse(node, "the value is not used", "assign it, or delete the line")
    return Evaluate(call, location=source.locate(node))


_CHECKERS: dict[type[ast.stmt], Callable[..., Statement | None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: lambda scope, node: check_for(scope, node, check_statements),
    ast.While: lambda scope, node: check_while(scope, node, check_statements),
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Expr: _expression,
    ast.Pass: lambda scope, node: None,
}
