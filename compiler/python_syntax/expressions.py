"""Expressions: from Python's syntax to typed trees, by the rules of PYTHON.md."""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.python_syntax import conversions
from compiler.python_syntax.calls import check_call
from compiler.python_syntax.conversions import literals
from compiler.python_syntax.errors import Refused
from compiler.python_syntax.fold import (
    check_exponent,
    check_size,
    fold,
    quotient_of_integers,
)
from compiler.python_syntax.scalars import BOOLEAN, I64, fits, promote
from compiler.python_syntax.scope import Scope
from compiler.python_syntax.threads import (
    check_attribute,
    check_method,
    check_warp_built_in,
)
from compiler.python_syntax.tree import (
    Array,
    Binary,
    Call,
    Compare,
    Conditional,
    Constant,
    Element,
    Logic,
    Not,
    Power,
    Read,
    Shared,
    ThreadOperation,
    Unary,
    Value,
)
from compiler.python_syntax.unsupported import refuse_syntax

ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floor",
    ast.Mod: "modulo",
}
BITWISE: dict[type[ast.operator], str] = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
SHIFTS: dict[type[ast.operator], str] = {ast.LShift: "shl", ast.RShift: "shr"}
RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}


def check(scope: Scope, node: ast.expr) -> Value:
    """The typed tree of an expression that must have a value; refuses what is not in the language.

    The result may be flexible (`type` None): a literal that its context will give a type.
    """
    checker = _CHECKERS.get(type(node))
    if checker is None:
        refuse_syntax(scope.source, node)
    value = checker(scope, node)
    if isinstance(value, Call) and value.type is None:
        scope.source.refuse(
            node,
            f"{value.kernel} returns nothing, so its call has no value",
            f"give {value.kernel} a return type, or call it in a line of its own",
        )
    if isinstance(value, ThreadOperation) and value.row in ("barrier", "fence"):
        text = scope.source.quote(node)
        scope.source.refuse(node, f"{text} has no value", "write it in a line of its own")
    return value


def check_typed(scope: Scope, node: ast.expr) -> Value:
    """An expression whose literals, if nothing else gives them a type, are i64 or f64."""
    return conversions.alone(scope.source, node, check(scope, node))


def check_condition(scope: Scope, node: ast.expr) -> Value:
    """An expression in a place where only its truth counts: any scalar is true unless zero."""
    if isinstance(node, ast.BoolOp):
        return _logic(scope, node, [check_condition(scope, term) for term in node.values])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _negation(scope, node)
    return conversions.truth(check(scope, node))


def check_element(scope: Scope, node: ast.Subscript) -> Element:
    """An array element, to be read or stored to."""
    source = scope.source
    array = scope.array(node.value.id) if isinstance(node.value, ast.Name) else None
    if array is None:
        if isinstance(node.value, ast.Subscript):
            source.refuse(node, "an element is not an array", "write all indices at once: a[i, j]")
        if not isinstance(node.value, ast.Name):
            refuse_syntax(source, node.value)
        if node.value.id in scope.broken:
            raise Refused
        source.refuse(node.value, f"'{source.quote(node.value)}' is not an array")
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if len(indices) != len(array.dimensions):
        source.refuse(
            node,
            f"'{array.name}' has {len(array.dimensions)} dimension(s), "
            f"but is indexed with {len(indices)}",
            f"write {array.name}[{', '.join('ijklmn'[: len(array.dimensions)])}]",
        )
    checked = [_check_index(scope, array, axis, index) for axis, index in enumerate(indices)]
    for axis in range(1, len(indices)):
        scope.kernel.measured[array.name, axis] = array
    return Element(array, checked, type=array.element, location=source.locate(node))


def check_stored_element(scope: Scope, node: ast.Subscript) -> Element:
    """An array element that is written."""
    element = check_element(scope, node)
    array = element.array
    if array.constant:
        scope.source.refuse(
            node,
            f"'{array.name}' is a constant table",
            f"declare a scratch array in the kernel: name: {array}",
        )
    if array.buffer is None:
        scope.kernel.stored.add(array.name)
    return element


def check_any_call(scope: Scope, node: ast.Call) -> Value:
    """A call of a function, a kernel, or a method of `atomic`."""
    found = check_method(scope, node, check, check_stored_element)
    return found or check_call(scope, node, check)


def _check_index(scope: Scope, array: Array, axis: int, node: ast.expr) -> Value:
    source = scope.source
    if isinstance(node, ast.Slice | ast.Starred):
        refuse_syntax(source, node)
    index = check(scope, node)
    if index.type is None:
        size = array.dimensions[axis]
        for number in literals(index):
            if isinstance(number, float):
                source.refuse(node, "an index must be an integer")
            if number < 0:
                hint = f"count from the start: {array.name}[n - {-number}]"
                source.refuse(node, f"the index {number} is negative", hint)
            if isinstance(size, int) and number >= size:
                source.refuse(node, f"the index {number} is past the end of {array}")
        return conversions.settle(index, I64)
    if not index.type.is_integer:
        source.refuse(node, f"an index must be an integer, not {index.type}", "cast it: i64(…)")
    return conversions.convert(index, I64)


def _constant(scope: Scope, node: ast.Constant) -> Value:
    source, value = scope.source, node.value
    if not isinstance(value, bool | int | float):
        refuse_syntax(source, node)
    if isinstance(value, bool):
        return Constant(int(value), type=BOOLEAN, location=source.locate(node))
    return Constant(check_size(source, node, value), location=source.locate(node))


def _name(scope: Scope, node: ast.Name) -> Value:
    return check_warp_built_in(scope, node) or scope.read(node)


def _subscript(scope: Scope, node: ast.Subscript) -> Value:
    return check_element(scope, node)


def _unary(scope: Scope, node: ast.UnaryOp) -> Value:
    source, location = scope.source, scope.source.locate(node)
    if isinstance(node.op, ast.Not):
        return _negation(scope, node)
    operand = check(scope, node.operand)
    if conversions.is_literal(operand):
        return Constant(_fold_unary(scope, node, operand.value), location=location)
    operand = conversions.alone(source, node.operand, operand)
    if operand.type.is_boolean and isinstance(node.op, ast.Invert):
        text = source.quote(node.operand)
        source.refuse(node, "'~' of a boolean is not in the language", f"write not {text}")
    result = promote(operand.type)
    operand = conversions.convert(operand, result)
    if isinstance(node.op, ast.UAdd):
        return operand
    if isinstance(node.op, ast.USub):
        return Unary("neg", operand, type=result, location=location)
    if result.is_float:
        source.refuse(node, f"'~' needs an integer, not {result}", "cast it: ~i64(…)")
    return Unary("not", operand, type=result, location=location)


def _negation(scope: Scope, node: ast.UnaryOp) -> Value:
    operand, location = check_condition(scope, node.operand), scope.source.locate(node)
    if isinstance(operand, Constant):
        return Constant(1 - operand.value, type=BOOLEAN, location=location)
    return Not(operand, location=location)


def _fold_unary(scope: Scope, node: ast.UnaryOp, value: int | float) -> int | float:
    if isinstance(node.op, ast.Invert):
        if isinstance(value, float):
            scope.source.refuse(node, "'~' needs an integer")
        return ~value
    return -value if isinstance(node.op, ast.USub) else value


def _binary(scope: Scope, node: ast.BinOp) -> Value:
    a, b = check(scope, node.left), check(scope, node.right)
    return combine(scope, node, a, b)


def combine(scope: Scope, node: ast.BinOp, a: Value, b: Value) -> Value:
    """The typed tree of `a op b`, for a binary operator or an augmented assignment."""
    source, location, operator = scope.source, scope.source.locate(node), type(node.op)
    if conversions.is_literal(a) and conversions.is_literal(b):
        return Constant(fold(source, node, a.value, b.value), location=location)
    if operator is ast.Pow:
        return _power(scope, node, a, b)
    if operator in SHIFTS:
        return _shift(scope, node, a, b)
    if operator in BITWISE and a.type == b.type == BOOLEAN:
        return Binary(BITWISE[operator], a, b, type=BOOLEAN, location=location)
    operation = BITWISE.get(operator) or ARITHMETIC.get(operator)
    if operation is None:
        refuse_syntax(source, node)
    a, b, result = conversions.unify(source, node, a, b)
    if operator in BITWISE and result.is_float:
        source.refuse(node, f"bitwise operations need integers, not {result}", "cast: i64(…)")
    if operation == "div" and not result.is_float:
        source.refuse(node, *quotient_of_integers(source, node))
    if operation in ("floor", "modulo") and result.is_float:
        sign = "//" if operation == "floor" else "%"
        source.refuse(
            node,
            f"'{sign}' needs integers, not {result}",
            "divide with /, and cut with i64(…), which truncates",
        )
    if operation in ("floor", "modulo") and isinstance(b, Constant) and b.value == 0:
        source.refuse(node, "division by zero")
    return Binary(operation, a, b, type=result, location=location)


def _shift(scope: Scope, node: ast.BinOp, a: Value, b: Value) -> Value:
    """The left operand's promoted type is the result's; the count is converted to it."""
    source = scope.source
    a = conversions.alone(source, node.left, a)
    if b.type is None:
        for count in literals(b):
            if not isinstance(count, int) or not 0 <= count < promote(a.type).bits:
                limit = promote(a.type).bits - 1
                source.refuse(node.right, f"cannot shift {a.type} by {count}", f"use 0 … {limit}")
        b = conversions.settle(b, promote(a.type))
    for side, value in ((node.left, a), (node.right, b)):
        if value.type.is_float:
            source.refuse(side, f"shifts need integers, not {value.type}", "cast it: i64(…)")
    result = promote(a.type)
    a, b = conversions.convert(a, result), conversions.convert(b, result)
    return Binary(SHIFTS[type(node.op)], a, b, type=result, location=source.locate(node))


def _power(scope: Scope, node: ast.BinOp, a: Value, b: Value) -> Value:
    source = scope.source
    exponent = b.value if isinstance(b, Constant) else None
    check_exponent(source, node, exponent)
    a = conversions.alone(source, node.left, a)
    result = promote(a.type)
    a = conversions.convert(a, result)
    return Power(a, exponent, type=result, location=source.locate(node))


def _compare(scope: Scope, node: ast.Compare) -> Value:
    """`a < b < c` is `a < b and b < c` with b evaluated once."""
    source = scope.source
    for operator in node.ops:
        if type(operator) not in RELATIONS:
            source.refuse(node, *_not_a_relation(operator))
    operands = [node.left, *node.comparators]
    values = [check(scope, operand) for operand in operands]
    for index in range(1, len(values) - 1):
        value = values[index]
        if not isinstance(value, Constant | Read):
            value = conversions.alone(source, operands[index], value)
            values[index] = Shared(value, type=value.type, location=value.location)
    links = []
    for operator, (left, a), (right, b) in zip(
        node.ops,
        zip(operands, values, strict=True),
        zip(operands[1:], values[1:], strict=True),
        strict=False,
    ):
        link = node if len(node.ops) == 1 else _span(left, right)
        links.append(_link(scope, link, operator, a, b))
    if len(links) == 1:
        return links[0]
    return Logic("and", links, location=source.locate(node))


def _not_a_relation(operator: ast.cmpop) -> tuple[str, str]:
    words = {ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
    instead = (
        "compare with == or !=" if isinstance(operator, ast.Is | ast.IsNot) else "write a loop"
    )
    return f"'{words[type(operator)]}' is not in the language", instead


def _span(left: ast.expr, right: ast.expr) -> ast.Compare:
    """A node that stands where one link of a chain stands."""
    node = ast.Compare(left, [ast.Eq()], [right])
    ast.copy_location(node, left)
    node.end_lineno, node.end_col_offset = right.end_lineno, right.end_col_offset
    return node


def _link(scope: Scope, node: ast.AST, operator: ast.cmpop, a: Value, b: Value) -> Value:
    source = scope.source
    relation = RELATIONS[type(operator)]
    if conversions.is_literal(a) and conversions.is_literal(b):
        return Constant(int(_RELATE[relation](a.value, b.value)), type=BOOLEAN, location=a.location)
    a, b = conversions.meet(source, node, a, b)
    conversions.refuse_mixed_signs(source, node, a, b, "comparing")
    a, b, _ = conversions.unify(source, node, a, b)
    return Compare(relation, a, b, location=source.locate(node))


_RELATE: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def _boolean_operation(scope: Scope, node: ast.BoolOp) -> Value:
    """As a value, `and` and `or` want booleans: Python would yield one of the operands."""
    terms = []
    for term in node.values:
        value = check_typed(scope, term)
        if not value.type.is_boolean:
            scope.source.refuse(
                term,
                f"'and' and 'or' as a value need booleans, not {value.type}",
                f"write {scope.source.quote(term)} != 0",
            )
        terms.append(value)
    return _logic(scope, node, terms)


def _logic(scope: Scope, node: ast.BoolOp, terms: list[Value]) -> Value:
    """Constant terms that decide nothing are dropped; one that comes first may decide all."""
    operation, neutral = ("and", 1) if isinstance(node.op, ast.And) else ("or", 0)
    left = [t for t in terms if not (isinstance(t, Constant) and t.value == neutral)]
    if not left or isinstance(left[0], Constant):
        value = left[0].value if left else neutral
        return Constant(value, type=BOOLEAN, location=scope.source.locate(node))
    if len(left) == 1:
        return left[0]
    return Logic(operation, left, location=scope.source.locate(node))


def _conditional(scope: Scope, node: ast.IfExp) -> Value:
    """Arms of one type keep it; otherwise they meet as in arithmetic."""
    source = scope.source
    test = check_condition(scope, node.test)
    a, b = check(scope, node.body), check(scope, node.orelse)
    location = source.locate(node)
    if a.type is None and b.type is None:
        return Conditional(test, a, b, location=location)
    for flexible, other in ((a, b), (b, a)):
        if flexible.type is None and all(fits(n, other.type) for n in literals(flexible)):
            settled = conversions.settle(flexible, other.type)
            a, b = (settled, b) if flexible is a else (a, settled)
            break
    if a.type == b.type:
        return Conditional(test, a, b, type=a.type, location=location)
    a, b = conversions.meet(source, node, a, b)
    conversions.refuse_mixed_signs(source, node, a, b, "choosing between")
    a, b, result = conversions.unify(source, node, a, b)
    return Conditional(test, a, b, type=result, location=location)


_CHECKERS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Subscript: _subscript,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _compare,
    ast.BoolOp: _boolean_operation,
    ast.IfExp: _conditional,
    ast.Call: lambda scope, node: check_any_call(scope, node),
    ast.Attribute: check_attribute,
}
