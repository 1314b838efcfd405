"""Expressions: from Python's syntax to values and the nodes they stand for.

Operators on scalars are checked by what kernels share (`expressions.check`): each operand
is read first, and stands in the operator's syntax as a name that holds it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.levels.arrays.language.kinds import (
    ArrayOf,
    Closure,
    Found,
    Made,
    Named,
    Parts,
    Written,
)
from compiler.levels.arrays.language.scope import Scope
from compiler.levels.arrays.operations.calls import If
from compiler.levels.arrays.operations.indexed import Index
from compiler.levels.arrays.operations.structural import Flatten, MakeArray
from compiler.python_syntax import conversions
from compiler.python_syntax.expressions import check as check_operator
from compiler.python_syntax.scalars import BOOLEAN, I64
from compiler.python_syntax.tree import Conditional, Constant, Not, Value
from compiler.python_syntax.unsupported import refuse_syntax
from machines.diagnostics import nearest

_COMPOUND = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda)
_INSTEAD: dict[type, tuple[str, str]] = {
    ast.Slice: ("slices are not in the language", "write gather(xs, range(a, b))"),
    ast.GeneratorExp: (
        "generator expressions are not in the language",
        "write a comprehension in [ ]",
    ),
    ast.Lambda: ("a lambda stands alone in an assignment, or is passed", "name it: f = lambda …"),
}


def evaluate(scope: Scope, node: ast.expr) -> Found:
    """What an expression comes to; nodes that are added stand at its place."""
    reader = READERS.get(type(node))
    if reader is None:
        if type(node) in _INSTEAD:
            scope.source.refuse(node, *_INSTEAD[type(node)])
        refuse_syntax(scope.source, node)
    with scope.at(node):
        return reader(scope, node)


def callee(scope: Scope, node: ast.expr) -> Closure | Named:
    """What stands where a function must."""
    if isinstance(node, ast.Lambda):
        return Closure(node, scope.branch())
    if isinstance(node, ast.Name):
        found = scope.values.get(node.id, Named(node.id))
        if isinstance(found, Closure | Named):
            return found
    return scope.source.refuse(
        node, f"'{scope.source.quote(node)}' is not a function", "pass a lambda or a function"
    )


def scalar(scope: Scope, node: ast.expr, what: str = "this") -> Value:
    """An expression that comes to a number; literals keep their freedom."""
    return as_number(scope, node, evaluate(scope, node), what)


def as_number(scope: Scope, node: ast.expr, found: Found, what: str = "this") -> Value:
    """What an expression came to, which is a number."""
    if not isinstance(found, Value):
        kind = scope.kind(node, found)
        hint = (
            f"write [… for x in {scope.source.quote(node)}]" if isinstance(kind, ArrayOf) else None
        )
        scope.source.refuse(node, f"{what} needs a number, not {kind}", hint)
    return found


def given(scope: Scope, node: ast.expr, found: Value) -> ast.Name:
    """An operand that has been read, as syntax: messages quote it as it was written."""
    text = ast.unparse(node)
    name = ast.Name(f"({text})" if isinstance(node, _COMPOUND) else text, ast.Load())
    name.held = found
    return ast.copy_location(name, node)


def checked(scope: Scope, node: ast.expr) -> Value:
    """A scalar expression whose operands are given, computed."""
    return settled(scope, node, check_operator(scope, node))


def settled(scope: Scope, node: ast.AST, found: Value) -> Value:
    """A checked value as nodes, unless it is literals, which wait for what they meet."""
    if isinstance(found, Constant) or found.type is None:
        return found
    return scope.held(node, found)


def condition(scope: Scope, node: ast.expr) -> int:
    """The symbol of a truth: any number is true unless zero."""
    with scope.at(node):
        if isinstance(node, ast.BoolOp):
            return _logic(scope, node, [lambda n=n: condition(scope, n) for n in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return _negation(scope, node)
        value = conversions.truth(scalar(scope, node, "a condition"))
        return scope.hold(node, value)[0]


def index(scope: Scope, node: ast.expr, what: str = "an index") -> int:
    """The symbol of an index or a length, as i64."""
    found = scalar(scope, node, what)
    source = scope.source
    if found.type is None:
        for number in conversions.literals(found):
            if isinstance(number, float):
                source.refuse(node, f"{what} must be an integer")
            if number < 0:
                source.refuse(node, f"{what} is negative: {number}", "nothing counts from the end")
        found = conversions.assignable(source, node, found, I64, what)
    if not found.type.is_integer:
        source.refuse(node, f"{what} must be an integer, not {found.type}", "cast it: i64(…)")
    return scope.hold(node, conversions.convert(found, I64))[0]


def _truth(scope: Scope, symbol: int) -> Value:
    return scope.value(symbol, BOOLEAN)


def _negation(scope: Scope, node: ast.UnaryOp) -> int:
    inner = condition(scope, node.operand)
    held = Not(_truth(scope, inner), location=scope.source.locate(node))
    return scope.hold(node, held)[0]


def _logic(scope: Scope, node: ast.BoolOp, terms: list[Callable[[], int]]) -> int:
    """`a and b` is `b if a else False`; `a or b` is `True if a else b`."""
    found = [terms[0]()]
    with scope.perhaps():
        found += [term() for term in terms[1:]]
    held = found[-1]
    is_and = isinstance(node.op, ast.And)
    other = scope.arm(scope.graph.constant(not is_and, BOOLEAN.type))
    for test in reversed(found[:-1]):
        arm = scope.arm(held)
        held = scope.add(If(), test, *((arm, other) if is_and else (other, arm)))
    return held


def _constant(scope: Scope, node: ast.Constant) -> Found:
    return check_operator(scope, node)


def _name(scope: Scope, node: ast.Name) -> Found:
    name, source = node.id, scope.source
    scope.broken(name)
    if name in scope.values:
        found = scope.values[name]
        if isinstance(found, Closure | Named):
            scope.typed(node, found)
        return found
    if name in scope.kinds:
        source.refuse(
            node,
            f"'{name}' may be read before it is assigned",
            f"assign {name} on every path before this, or before the loop or if",
        )
    if name in scope.declarations.constants:
        constant = scope.declarations.constants[name]
        return Constant(constant.value, type=constant.type, location=source.locate(node))
    if name in scope.program.tables:
        return READERS[ast.AnnAssign](scope, scope.program.tables[name])
    if name in scope.program.headers:
        source.refuse(node, f"'{name}' is a function, not a value", f"call it: {name}(…)")
    known = [*scope.values, *scope.declarations.constants]
    return source.refuse(node, f"unknown name '{name}'", nearest(name, known))


def _unary(scope: Scope, node: ast.UnaryOp) -> Found:
    if isinstance(node.op, ast.Not):
        return _truth(scope, _negation(scope, node))
    operand = given(scope, node.operand, scalar(scope, node.operand, "an operator"))
    return checked(scope, ast.copy_location(ast.UnaryOp(node.op, operand), node))


def binary(scope: Scope, node: ast.AST, left: ast.expr, op: ast.operator, right: ast.expr) -> Found:
    """An operator of two operands, which may be those of an augmented assignment."""
    found = [(side, evaluate(scope, side)) for side in (left, right)]
    if isinstance(op, ast.Add) and all(_is_array(value) for _, value in found):
        return _behind(scope, *found[0], *found[1])
    a, b = (given(scope, side, as_number(scope, side, f, "an operator")) for side, f in found)
    return checked(scope, ast.copy_location(ast.BinOp(a, op, b), node))


def _is_array(found: Found) -> bool:
    is_made = isinstance(found, Made) and isinstance(found.kind, ArrayOf)
    return is_made or isinstance(found, Written)


def _behind(scope: Scope, at: ast.expr, one: Found, node: ast.expr, other: Found) -> Made:
    """One array behind the other."""
    if isinstance(one, Written):
        one = scope.assign(at, one, scope.kind(node, other), "what stands before an array")
    other = scope.assign(node, other, one.kind, "what stands behind an array")
    rows = scope.add(MakeArray(), one.symbol, scope.hold(node, other)[0])
    return Made(scope.add(Flatten(), rows), one.kind)


def _compare(scope: Scope, node: ast.Compare) -> Found:
    """Each link of a chain; those behind a false one are not looked at."""
    operands = [node.left, *node.comparators]
    values = [scalar(scope, operand, "a comparison") for operand in operands[:2]]
    with scope.perhaps():
        values += [scalar(scope, operand, "a comparison") for operand in operands[2:]]
    for i in range(1, len(values) - 1):
        values[i] = scope.held(operands[i], values[i])
    names = [given(scope, *pair) for pair in zip(operands, values, strict=True)]
    links = []
    for left, op, right in zip(names, node.ops, names[1:], strict=False):
        links.append(checked(scope, ast.copy_location(ast.Compare(left, [op], [right]), node)))
    if len(links) == 1:
        return links[0]
    symbols = [scope.hold(node, link)[0] for link in links]
    chain = ast.copy_location(ast.BoolOp(ast.And(), operands), node)
    return _truth(scope, _logic(scope, chain, [lambda s=s: s for s in symbols]))


def _boolean(scope: Scope, node: ast.BoolOp) -> Found:

    def truth(term: ast.expr) -> int:
        value = scope.typed(term, scalar(scope, term, "'and' and 'or'"))
        if value.type != BOOLEAN:
            scope.source.refuse(
                term,
                f"'and' and 'or' as a value need booleans, not {value.type}",
                f"write {scope.source.quote(term)} != 0",
            )
        return scope.hold(term, value)[0]

    return _truth(scope, _logic(scope, node, [lambda t=t: truth(t) for t in node.values]))


def _conditional(scope: Scope, node: ast.IfExp) -> Found:
    """Numbers meet as in kernels; arrays and tuples have one type."""
    source, location = scope.source, scope.source.locate(node)
    test = _truth(scope, condition(scope, node.test))
    arms = []
    for side in (node.body, node.orelse):
        with scope.perhaps():
            arms.append(evaluate(scope, side))
    if all(isinstance(arm, Value) for arm in arms):
        if all(arm.type is None for arm in arms):
            return Conditional(test, *arms, location=location)
        sides = (node.test, node.body, node.orelse)
        names = [given(scope, *p) for p in zip(sides, (test, *arms), strict=True)]
        return checked(scope, ast.copy_location(ast.IfExp(*names), node))
    (a, kind), (b, other) = (
        scope.hold(side, arm) for side, arm in zip((node.body, node.orelse), arms, strict=True)
    )
    if kind != other:
        source.refuse(node, f"the arms are {kind} and {other}", "give both the same type")
    return scope.value(scope.add(If(), int(test.name), scope.arm(a), scope.arm(b)), kind)


def _tuple(scope: Scope, node: ast.Tuple) -> Found:
    if not node.elts:
        scope.source.refuse(node, "an empty tuple is not a value")
    return Parts(tuple(evaluate(scope, part) for part in node.elts))


def _subscript(scope: Scope, node: ast.Subscript) -> Found:
    source = scope.source
    found = evaluate(scope, node.value)
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for place in places:
        found = _element(scope, node, found, place)
    if not places:
        source.refuse(node, "an index is missing")
    return found


def _element(scope: Scope, node: ast.Subscript, found: Found, place: ast.expr) -> Found:
    source = scope.source
    if isinstance(found, Written):
        found = scope.held(node.value, found)
    parts = scope.parts(found)
    if parts is not None:
        at = scalar(scope, place, "an index")
        number = at.value if isinstance(at, Constant) else None
        if not isinstance(number, int) or not 0 <= number < len(parts):
            source.refuse(
                place,
                f"a part of {scope.kind(node.value, found)} is named by a constant"
                f" from 0 to {len(parts) - 1}",
            )
        return parts[number]
    if not isinstance(found, Made):
        kind = scope.kind(node.value, found)
        source.refuse(node, f"'{source.quote(node.value)}' is {kind}, which has no elements")
    symbol = scope.add(Index(), found.symbol, index(scope, place))
    return scope.value(symbol, found.kind.element)


READERS: dict[type[ast.expr], Callable[..., Found]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.UnaryOp: _unary,
    ast.BinOp: lambda scope, node: binary(scope, node, node.left, node.op, node.right),
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.IfExp: _conditional,
    ast.Tuple: _tuple,
    ast.Subscript: _subscript,
}
"""What reads an expression; `module` puts calls and comprehensions in, which read expressions."""
