"""Loops: `for name in range(…)` and `while`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.frontends.python.flow import (
    attempt,
    copy_state,
    merge,
    read_names,
    stored_names,
)
from compiler.python_syntax import conversions
from compiler.python_syntax.errors import Refused
from compiler.python_syntax.expressions import check, check_condition
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.scope import Scope
from compiler.python_syntax.tree import Constant, For, Statement, Value, While

CheckStatements = Callable[[Scope, list[ast.stmt]], list[Statement]]


def check_while(scope: Scope, node: ast.While, check_statements: CheckStatements) -> While:
    """`while`; one whose test is a true constant is left by break and return only."""
    _refuse_else(scope, node)
    test = attempt(check_condition, scope, node.test)
    before = copy_state(scope.assigned)
    scope.loops.append([])
    body = check_statements(scope, node.body)
    breaks = scope.loops.pop()
    endless = isinstance(test, Constant) and test.value != 0
    scope.assigned = merge(breaks) if endless else before
    if test is None:
        raise Refused
    return While(test, body, location=scope.source.locate(node))


def check_for(scope: Scope, node: ast.For, check_statements: CheckStatements) -> For:
    """`for name in range(…)`; the body may run no time, so it assigns nothing for certain."""
    _refuse_else(scope, node)
    header = attempt(_header, scope, node)
    before = copy_state(scope.assigned)
    if header is None:
        scope.broken |= stored_names([node]) - scope.kernel.variables.keys()
    elif scope.assigned is not None:
        scope.assigned.add(node.target.id)
    scope.loops.append([])
    body = check_statements(scope, node.body)
    scope.loops.pop()
    scope.assigned = before
    if header is None:
        raise Refused
    start, stop, step, type = header
    changed = stored_names(node.body)
    name = node.target.id
    return For(
        name,
        type,
        start,
        stop,
        step,
        body,
        own_counter=name in changed or (before is not None and name in before),
        copy_range=bool(read_names(node.iter) & (changed | {name})),
        location=scope.source.locate(node.iter),
    )


def _refuse_else(scope: Scope, node: ast.For | ast.While) -> None:
    if node.orelse:
        scope.source.report(
            node.orelse[0],
            "else after a loop is not in the language",
            "set a variable before break, and test it after the loop",
        )


def _header(scope: Scope, node: ast.For) -> tuple[Value, Value, int | Value, Scalar]:
    """Start, stop, step and type of the loop variable, which is declared."""
    source, location = scope.source, scope.source.locate(node.iter)
    arguments = _range_arguments(scope, node)
    if not isinstance(node.target, ast.Name):
        source.refuse(node.target, "a loop has one variable", "write for i in range(…)")
    step = check(scope, arguments[2]) if len(arguments) == 3 else Constant(1, location=location)
    texts = arguments[:2] if len(arguments) > 1 else [node.iter, arguments[0]]
    stop = check(scope, texts[1])
    zero = Constant(0, location=stop.location)
    start = check(scope, texts[0]) if len(arguments) > 1 else zero
    name = node.target.id
    known = scope.kernel.variables.get(name)
    if known is None:
        scope.require_free(node.target)
        if step.type is not None and start.type is None and stop.type is None:
            stop, _ = conversions.meet(source, node.iter, stop, step)
        start, stop = conversions.meet(source, node.iter, start, stop)
        conversions.refuse_mixed_signs(source, node.iter, start, stop, "a range from")
        start, stop, known = conversions.unify(source, node.iter, start, stop)
    else:
        what, hint = f"'{name}'", "use a new name, whose type will be that of the range"
        start = conversions.assignable(source, texts[0], start, known, what, hint)
        stop = conversions.assignable(source, texts[1], stop, known, what, hint)
    if not known.is_integer:
        source.refuse(node.iter, f"range needs integers, not {known}", "cast them: i64(…)")
    scope.kernel.variables[name] = known
    scope.kernel.assigned.add(name)
    return start, stop, _step(scope, node.iter.args[-1], step, known), known


def _range_arguments(scope: Scope, node: ast.For) -> list[ast.expr]:
    source, iterated = scope.source, node.iter
    is_range = isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name)
    if not is_range or iterated.func.id != "range":
        source.refuse(
            iterated,
            f"a for loop runs over range(…), not {source.quote(iterated)}",
            "write for i in range(n), and index with i",
        )
    if iterated.keywords or not 1 <= len(iterated.args) <= 3:
        source.refuse(
            iterated, "range takes one to three arguments", "write range(start, stop, step)"
        )
    return iterated.args


def _step(scope: Scope, node: ast.expr, step: Value, type: Scalar) -> int | Value:
    """A constant step of either sign, or a value of the loop's type, taken to be positive."""
    source = scope.source
    if not isinstance(step, Constant):
        hint = f"cast start and stop to {step.type}: their type is the loop variable's"
        return conversions.assignable(source, node, step, type, "the loop variable", hint)
    if not isinstance(step.value, int):
        source.refuse(node, "the step of a range must be an integer")
    if step.value == 0:
        source.refuse(node, "the step of a range cannot be 0")
    if abs(step.value) > type.highest:
        source.refuse(node, f"the step does not fit {type}, the type of the loop variable")
    return step.value
