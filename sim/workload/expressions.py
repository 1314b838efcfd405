"""The expression language of `expect:`: arithmetic over the initial inputs, nothing else.

An expression is read with Python's `ast` module and walked by this file; it is never given to
`eval`.  What is not listed here (attributes, strings, lambdas, unknown names, …) is refused with
its position before the run.

Values are arrays (or single numbers) of integers or floats.  Integers are exact, whatever their
size: nothing wraps until `i64(x)`, `u8(x)` and their like say so.  What meets a float is evaluated
in f64, beside a bound on the rounding errors of a program that computes the same in the type of its
output (`quantities.py`).  `//` and `%` floor, `/` always gives a float, comparisons give 0 or 1.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, Location, input_error, nearest
from machines.later import Later
from machines.types import F64, Type
from sim.workload.functions import FUNCTIONS
from sim.workload.integers import negative
from sim.workload.operators import binary
from sim.workload.quantities import (
    MOST_ELEMENTS,
    Quantity,
    Rounding,
    elements,
    integer,
    integers,
    like,
    shape_text,
    single_integer,
)

np = Later("numpy")

LONGEST = 4000  # characters of an expression
DEEPEST = 60  # nested operations
ARGUMENTS = "an argument of the workload"
_WORD = re.compile(r"[^\W\d]\w*")
NAMED = "letters, digits, _; no word of Python, and no letter that it takes for another"


def can_be_named(name: str) -> bool:
    """Whether expressions can name it: Python takes some letters for others (PEP 3131)."""
    is_itself = unicodedata.normalize("NFKC", name) == name
    return name.isidentifier() and is_itself and not keyword.iskeyword(name)


@dataclass(frozen=True)
class Expression:
    """A checked expression; `where` is the position of its first character in `source`."""

    text: str
    tree: ast.expr
    where: Location | None
    source: str | None
    names_are: str = ARGUMENTS

    def refuse(self, node: ast.AST, message: str, hint: str | None = None) -> InputError:
        """The error for one node, pointing at it."""
        return input_error(message, self._location(node), source=self.source, hint=hint)

    def _location(self, node: ast.AST) -> Location | None:
        if self.where is None or not hasattr(node, "col_offset"):
            return self.where
        length = max(1, (node.end_col_offset or 0) - node.col_offset)
        column = self.where.column + node.col_offset
        return Location(self.where.file, self.where.line, column, length)


def parse(
    text: str,
    names: Iterable[str],
    where: Location | None = None,
    source: str | None = None,
    names_are: str = ARGUMENTS,
) -> Expression:
    """Read and check an expression over `names`; `names_are` is what a message calls one.

    Raises InputError (with the position inside `source`) for anything outside the language.
    """
    line = text.replace("\n", " ")
    if len(line) > LONGEST:
        message = f"the expression has {len(line)} characters; at most {LONGEST} are read"
        raise input_error(message, where, source=source, hint="name an oracle or a file instead")
    names = frozenset(names)
    instead = _instead_of_words(line, names)
    try:
        tree = ast.parse(_with(line.strip(), instead), mode="eval").body
    except SyntaxError as error:
        location = where
        if where and error.offset:
            location = Location(where.file, where.line, where.column + error.offset - 1)
        message = f"the expression cannot be read: {error.msg}"
        raise input_error(message, location, source=source) from None
    except (RecursionError, MemoryError, ValueError) as error:
        message = f"the expression cannot be read: {type(error).__name__}"
        raise input_error(message, where, source=source) from None
    written = {alias: word for word, alias in instead.items()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = written.get(node.id, node.id)
    expression = Expression(line.strip(), tree, where, source, names_are)
    _check(expression, tree, names, depth=0)
    return expression


def _instead_of_words(line: str, names: frozenset[str]) -> dict[str, str]:
    """For each name that is a word of Python, which no expression has a use for, one as long that
    nothing in the line is called."""
    taken = {*names, *_WORD.findall(line), *CONSTANTS, *FUNCTIONS, *keyword.kwlist}
    found: dict[str, str] = {}
    for word in sorted(name for name in names if keyword.iskeyword(name)):
        letters = product(ascii_lowercase, repeat=len(word))
        found[word] = next(name for name in map("".join, letters) if name not in taken)
        taken.add(found[word])
    return found


def _with(line: str, instead: dict[str, str]) -> str:
    """A line with other words in place of some; the places of all others stay."""
    return _WORD.sub(lambda match: instead.get(match[0], match[0]), line) if instead else line


def parse_node(node: Node, names: Iterable[str], names_are: str = ARGUMENTS) -> Expression:
    """The expression in a node; positions are exact if it stands on one line."""
    location = node.location
    lines = node.text.splitlines()
    line = lines[location.line - 1] if location.line <= len(lines) else ""
    if line[location.column - 1 : location.column] in ("'", '"'):
        location = Location(location.file, location.line, location.column + 1, location.length)
    return parse(str(node.value), names, location, node.text, names_are)


def evaluate(
    expression: Expression, inputs: Mapping[str, np.ndarray], type: Type = F64
) -> Quantity:
    """The expression's value over the inputs, with the error of a program that computes it in
    floats of a type; raises InputError at the operation that has none.
    """
    with np.errstate(all="ignore"):
        return _Evaluation(expression, inputs, Rounding(type)).value(expression.tree)


# ---- What an expression may contain -----------------------------------------------------------

CONSTANTS = {"pi": math.pi, "inf": math.inf, "nan": math.nan}

_BINARY: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_UNARY = (ast.UAdd, ast.USub)
_COMPARE: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def _check(whole: Expression, node: ast.AST, names: frozenset[str], depth: int) -> None:
    """Refuse every node that is not part of the language."""
    if depth > DEEPEST:
        raise whole.refuse(node, f"the expression nests deeper than {DEEPEST} operations")
    match node:
        case ast.Constant(value=value):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise whole.refuse(node, "only numbers may stand here")
            return
        case ast.Name(id=name):
            if name not in names and name not in CONSTANTS:
                hint = nearest(name, [*names, *CONSTANTS])
                raise whole.refuse(node, f"'{name}' is not {whole.names_are}", hint)
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
                hint = "write two comparisons in parentheses, like (a < b) & (b < c)"
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


@dataclass(frozen=True)
class _Evaluation:
    """The walk over a checked expression."""

    whole: Expression
    inputs: Mapping[str, np.ndarray]
    rounding: Rounding

    def value(self, node: ast.AST) -> Quantity:
        match node:
            case ast.Constant(value=number):
                return self.rounding.given(np.asarray(number, _TYPES[type(number)]))
            case ast.Name(id=name):
                known = self.inputs[name] if name in self.inputs else CONSTANTS[name]
                return self.rounding.given(known)
            case ast.UnaryOp(op=op, operand=operand):
                inner = self.value(operand)
                return _negated(inner) if isinstance(op, ast.USub) else inner
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(node, _BINARY[type(op)], self.value(left), self.value(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._binary(node, _COMPARE[type(op)], self.value(left), self.value(right))
            case ast.Subscript(value=array, slice=index):
                return self._subscript(node, self.value(array), index)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                values = [self.value(argument) for argument in arguments]
                try:
                    return FUNCTIONS[name].apply(self.rounding, *values)
                except (ValueError, IndexError, TypeError, OverflowError) as error:
                    message = f"'{name}' cannot be computed: {error}"
                    raise self.whole.refuse(node, message) from None
        raise AssertionError(f"unchecked node {node}")

    def _binary(self, node: ast.AST, symbol: str, a: Quantity, b: Quantity) -> Quantity:
        if symbol != "@":
            self._check_shapes(node, a, b)
        try:
            return binary(self.rounding, symbol, a, b)
        except ValueError as error:
            raise self.whole.refuse(node, str(error), _HINTS.get(symbol)) from None

    def _check_shapes(self, node: ast.AST, a: Quantity, b: Quantity) -> None:
        try:
            extents = np.broadcast_shapes(a.value.shape, b.value.shape)
        except ValueError:
            message = f"shapes {shape_text(a)} and {shape_text(b)} do not fit together"
            raise self.whole.refuse(node, message) from None
        if elements(extents) > MOST_ELEMENTS:
            message = f"the result would have more than {MOST_ELEMENTS} elements"
            raise self.whole.refuse(node, message)

    def _subscript(self, node: ast.Subscript, array: Quantity, index: ast.expr) -> Quantity:
        def number(part: ast.expr | None) -> int | None:
            return None if part is None else single_integer(self.value(part))

        try:
            axes = []
            for axis in index.elts if isinstance(index, ast.Tuple) else [index]:
                if isinstance(axis, ast.Slice):
                    axes.append(slice(number(axis.lower), number(axis.upper), number(axis.step)))
                else:
                    axes.append(integers(self.value(axis)))
            return like(array, *(part[tuple(axes)] for part in array[:2]))
        except (IndexError, ValueError) as error:
            message = f"shape {shape_text(array)} has no such element: {error}"
            raise self.whole.refuse(node, message) from None


_TYPES = {int: object, float: float}
"""numpy's type for a number that is written in an expression."""
_HINTS = {"@": "reshape(x, rows, columns) gives x a shape", "**": "write float(x) ** y"}


def _negated(q: Quantity) -> Quantity:
    return integer(negative(q.value), q.error) if q.is_integer else q._replace(value=-q.value)
