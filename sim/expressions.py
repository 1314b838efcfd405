"""The expression language of `expect:`: arithmetic over the initial inputs, nothing else.

An expression is read with Python's `ast` module and walked by this file; it is never given to
`eval`.  What is not listed here (attributes, strings, lambdas, unknown names, …) is refused with
its position before the run.

Values are arrays (or single numbers) of int64 or float64.  Integer arithmetic stays in 64-bit
integers and wraps as the machine does; a value of u64 is its bit pattern; `u8(x)` and its like wrap
to narrower types.  Everything else is evaluated in f64.  `//` and `%` floor, `/` always gives a
float, comparisons give 0 or 1.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from machines.diagnostics import InputError, Location, input_error, nearest
from sim.quantities import (
    FUNCTIONS,
    MOST_ELEMENTS,
    Quantity,
    elements,
    integers,
    quantity,
    shape_text,
    single_integer,
)

LONGEST = 4000  # characters of an expression
DEEPEST = 60  # nested operations


@dataclass(frozen=True)
class Expression:
    """A checked expression; `where` is the position of its first character in `source`."""

    text: str
    tree: ast.expr
    where: Location | None
    source: str | None

    def refuse(self, node: ast.AST, message: str, hint: str | None = None) -> InputError:
        """The error for one node, pointing at it."""
        return input_error(message, self._place(node), source=self.source, hint=hint)

    def _place(self, node: ast.AST) -> Location | None:
        if self.where is None or not hasattr(node, "col_offset"):
            return self.where
        length = max(1, (node.end_col_offset or 0) - node.col_offset)
        column = self.where.column + node.col_offset
        return Location(self.where.file, self.where.line, column, length)


def parse(
    text: str, names: Iterable[str], where: Location | None = None, source: str | None = None
) -> Expression:
    """Read and check an expression over `names`.

    Raises InputError (with the position inside `source`) for anything outside the language.
    """
    line = text.replace("\n", " ")
    if len(line) > LONGEST:
        message = f"the expression has {len(line)} characters; at most {LONGEST} are read"
        raise input_error(message, where, source=source, hint="name an oracle or a file instead")
    try:
        tree = ast.parse(line.strip(), mode="eval").body
    except SyntaxError as error:
        place = where
        if where and error.offset:
            place = Location(where.file, where.line, where.column + error.offset - 1)
        message = f"the expression cannot be read: {error.msg}"
        raise input_error(message, place, source=source) from None
    except (RecursionError, MemoryError, ValueError) as error:
        message = f"the expression cannot be read: {type(error).__name__}"
        raise input_error(message, where, source=source) from None
    expression = Expression(line.strip(), tree, where, source)
    _check(expression, tree, frozenset(names), depth=0)
    return expression


def evaluate(expression: Expression, inputs: Mapping[str, np.ndarray]) -> Quantity:
    """The expression's value over the inputs; raises InputError at the operation that has none."""
    with np.errstate(all="ignore"):
        return _value(expression, expression.tree, inputs)


# ---- What an expression may contain -----------------------------------------------------------

CONSTANTS = {"pi": np.pi, "inf": np.inf, "nan": np.nan}

_BINARY: dict[type, tuple[Callable, str]] = {
    ast.Add: (operator.add, "+"),
    ast.Sub: (operator.sub, "-"),
    ast.Mult: (operator.mul, "*"),
    ast.Div: (operator.truediv, "/"),
    ast.FloorDiv: (operator.floordiv, "//"),
    ast.Mod: (operator.mod, "%"),
    ast.Pow: (np.power, "**"),
    ast.MatMult: (operator.matmul, "@"),
    ast.BitAnd: (operator.and_, "&"),
    ast.BitOr: (operator.or_, "|"),
    ast.BitXor: (operator.xor, "^"),
    ast.LShift: (operator.lshift, "<<"),
    ast.RShift: (operator.rshift, ">>"),
}
_UNARY: dict[type, Callable] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_COMPARE: dict[type, Callable] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _check(whole: Expression, node: ast.AST, names: frozenset[str], depth: int) -> None:
    """Refuse every node that is not part of the language."""
    if depth > DEEPEST:
        raise whole.refuse(node, f"the expression nests deeper than {DEEPEST} operations")
    match node:
        case ast.Constant(value=value):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise whole.refuse(node, "only numbers may stand here")
            if isinstance(value, int) and value >= 1 << 64:
                raise whole.refuse(node, "the number does not fit into 64 bits")
            return
        case ast.Name(id=name):
            if name not in names and name not in CONSTANTS:
                hint = nearest(name, [*names, *CONSTANTS])
                raise whole.refuse(node, f"'{name}' is not an argument of the workload", hint)
            return
        case ast.UnaryOp(op=op, operand=operand):
            if type(op) not in _UNARY:
                raise whole.refuse(node, "this operator is not part of the expression language")
            parts: list[ast.AST] = [operand]
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) not in _BINARY:
                raise whole.refuse(node, "this operator is not part of the expression language")
            parts = [left, right]
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            if len(ops) > 1 or type(ops[0]) not in _COMPARE:
                hint = "write two comparisons joined by &"
                raise whole.refuse(node, "only single comparisons are understood", hint)
            parts = [left, *comparators]
        case ast.Subscript(value=value, slice=index):
            parts = [value, *_index_parts(index)]
        case ast.Call(func=function, args=arguments, keywords=keywords):
            _check_call(whole, node, function, len(arguments))
            if keywords:
                raise whole.refuse(keywords[0].value, "functions take no named arguments here")
            parts = list(arguments)
        case _:
            hint = "write numbers, argument names, operators, slices and " + ", ".join(FUNCTIONS)
            message = f"{_kind_of(node)} is not part of the expression language"
            raise whole.refuse(node, message, hint)
    for part in parts:
        _check(whole, part, names, depth + 1)


def _check_call(whole: Expression, node: ast.Call, function: ast.expr, count: int) -> None:
    if not isinstance(function, ast.Name):
        message = "only the functions of the expression language may be called"
        raise whole.refuse(function, message, "functions: " + ", ".join(FUNCTIONS))
    known = FUNCTIONS.get(function.id)
    if known is None:
        message = f"there is no function '{function.id}' in the expression language"
        raise whole.refuse(function, message, nearest(function.id, FUNCTIONS))
    if not known.fewest <= count <= known.most:
        wanted = str(known.fewest)
        if known.most != known.fewest:
            wanted += f" to {known.most}"
        message = f"'{function.id}' takes {wanted} arguments, not {count}"
        raise whole.refuse(node, message, known.sentence)


def _kind_of(node: ast.AST) -> str:
    words = {"Attribute": "an attribute", "Lambda": "a lambda", "IfExp": "'if … else'"}
    kind = type(node).__name__
    return words.get(kind, f"this ({kind})")


def _index_parts(index: ast.expr) -> list[ast.AST]:
    """The expressions inside the brackets of a subscript."""
    axes = index.elts if isinstance(index, ast.Tuple) else [index]
    parts: list[ast.AST] = []
    for axis in axes:
        if isinstance(axis, ast.Slice):
            parts += [end for end in (axis.lower, axis.upper, axis.step) if end is not None]
        else:
            parts.append(axis)
    return parts


# ---- Evaluation ---------------------------------------------------------------------------------


def _value(whole: Expression, node: ast.AST, inputs: Mapping[str, np.ndarray]) -> Quantity:
    match node:
        case ast.Constant(value=value):
            return quantity(np.uint64(value) if isinstance(value, int) else value)
        case ast.Name(id=name):
            return quantity(inputs[name] if name in inputs else CONSTANTS[name])
        case ast.UnaryOp(op=op, operand=operand):
            inner = _value(whole, operand, inputs)
            return Quantity(np.asarray(_UNARY[type(op)](inner.value)), inner.terms)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(whole, left, inputs), _value(whole, right, inputs)
            return _combine(whole, node, type(op), a, b)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            a, b = _value(whole, left, inputs), _value(whole, right, inputs)
            _check_shapes(whole, node, a, b)
            return quantity(_COMPARE[type(op)](a.value, b.value))
        case ast.Subscript(value=value, slice=index):
            return _subscript(whole, node, _value(whole, value, inputs), index, inputs)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            values = [_value(whole, argument, inputs) for argument in arguments]
            try:
                return FUNCTIONS[name].apply(*values)
            except (ValueError, IndexError, TypeError) as error:
                raise whole.refuse(node, f"'{name}' cannot be computed: {error}") from None
    raise AssertionError(f"unchecked node {node}")


def _combine(whole: Expression, node: ast.AST, op: type, a: Quantity, b: Quantity) -> Quantity:
    """One binary operation, with the scale of its rounding error."""
    function, symbol = _BINARY[op]
    both_integer = a.value.dtype.kind == b.value.dtype.kind == "i"
    if op is ast.MatMult:
        return _matrix_product(whole, node, a, b)
    _check_shapes(whole, node, a, b)
    if op in (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift) and not both_integer:
        raise whole.refuse(node, f"'{symbol}' takes integers")
    if op in (ast.LShift, ast.RShift) and np.any((b.value < 0) | (b.value > 63)):
        raise whole.refuse(node, "a shift count is not between 0 and 63")
    if op in (ast.FloorDiv, ast.Mod) and both_integer and np.any(b.value == 0):
        raise whole.refuse(node, f"'{symbol}' divides by zero")
    if op is ast.Pow and both_integer and np.any(b.value < 0):
        raise whole.refuse(node, "an integer has a negative power", "write float(x) ** y")
    value = np.asarray(function(a.value, b.value))
    if op in (ast.Add, ast.Sub):
        terms = a.terms + b.terms
    elif op is ast.Mult:
        terms = a.terms * b.terms
    elif op is ast.Div:
        terms = a.terms / np.abs(b.value)
    elif op is ast.Pow:
        terms = np.power(a.terms, b.value.astype(np.float64))
    else:
        terms = np.maximum(np.abs(value.astype(np.float64)), a.terms)
    return Quantity(value, terms)


def _matrix_product(whole: Expression, node: ast.AST, a: Quantity, b: Quantity) -> Quantity:
    try:
        return Quantity(np.asarray(a.value @ b.value), np.asarray(a.terms @ b.terms))
    except ValueError:
        message = f"'@' cannot multiply shapes {shape_text(a)} and {shape_text(b)}"
        raise whole.refuse(node, message, "reshape(x, rows, columns) gives x a shape") from None


def _check_shapes(whole: Expression, node: ast.AST, a: Quantity, b: Quantity) -> None:
    try:
        extents = np.broadcast_shapes(a.value.shape, b.value.shape)
    except ValueError:
        message = f"shapes {shape_text(a)} and {shape_text(b)} do not fit together"
        raise whole.refuse(node, message) from None
    if elements(extents) > MOST_ELEMENTS:
        raise whole.refuse(node, f"the result would have more than {MOST_ELEMENTS} elements")


def _subscript(
    whole: Expression, node: ast.Subscript, array: Quantity, index: ast.expr, inputs: Mapping
) -> Quantity:
    def number(part: ast.expr | None) -> int | None:
        return None if part is None else single_integer(_value(whole, part, inputs))

    try:
        axes = []
        for axis in index.elts if isinstance(index, ast.Tuple) else [index]:
            if isinstance(axis, ast.Slice):
                axes.append(slice(number(axis.lower), number(axis.upper), number(axis.step)))
            else:
                axes.append(integers(_value(whole, axis, inputs)))
        return Quantity(*(np.asarray(part[tuple(axes)]) for part in array))
    except (IndexError, ValueError) as error:
        raise whole.refuse(
            node, f"shape {shape_text(array)} has no such element: {error}"
        ) from None
