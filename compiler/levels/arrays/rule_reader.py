"""Rules as declarations in the source language: staged once, looked up by root operation.

    @rewrite(x * 1)                     @vectorize(terminal(*a))
    def times_one(x):                   def for_every_lane(*a):
        return x                            return each(*a)

A pattern's names are variables; `*a` takes any number of arguments, `*replicate(a, n)` as many that
all look so (a names what they hold, n is the same in all), `(r := …)` names a part.  Operations
have the names that the graph's text has, without their types; `+ - * /` are those of any type.  In
what replaces, `op` is the operation at the root, `each(…)` that operation for every element,
`inner` what the one at the root does for every element; `first(a)` is the first of the arguments
that a name holds, `part(a)` the one that an `item` at the root takes, `like(n, x)` a length as an
integer of x's type, `compose(f, g)` the lambda of x that is f(g(x)).

A condition is made by `and` and `not` of `total(x, …)`: values that cannot fault;
`total(inner(x, …))`: nor can what is done for every element of them; `allowed(contract)`;
`integer(x)` and `floating(x)`: the type of a scalar or of elements; `constant(x)`: a literal;
`cheap(f)`: a lambda of a few operations of scalars.

A rule of scalar operations holds lane by lane: its operations may be `each.` ones, all of them,
with literals replicated.
"""

from __future__ import annotations

import ast
import warnings
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from compiler.levels.arrays.language.array_functions import NAMES
from compiler.levels.arrays.language.module import read_primitive
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import Elementwise, Terminal
from compiler.levels.arrays.operations.names import CALLS, STRUCTURES
from compiler.levels.arrays.operations.scalars import scalar_rows
from compiler.levels.arrays.patterns import Form, Literal, Star, Variable, names_of
from compiler.levels.arrays.rewriting import LANES, UNIFORM, Rule, RuleBase
from compiler.levels.arrays.rule_terms import OPERATORS, SPECIAL, TermReader, row_keys
from compiler.levels.arrays.table import Graph
from compiler.python_syntax.parsing import is_marked
from machines.diagnostics import Location, input_error, nearest
from machines.reading import MOST_SOURCE, read_text

_COMBINING = ("reduce", "scan", "scatter_reduce")
_COUNTED = ("item", "while.each", "fold.each")
_CLASSES = {"terminal": Terminal, "elementwise": Elementwise, "each": Each}


def read_rules(path: Path, own: bool = False) -> RuleBase:
    """The rules of a file, which may be simrun's `own` or a package's; raises InputError."""
    return parse_rules(read_text(path, MOST_SOURCE, own=own), str(path))


@lru_cache(maxsize=16)
def parse_rules(text: str, file: str) -> RuleBase:
    """The rules of a text: functions marked `@vectorize(pattern)` or `@rewrite(pattern, where=…)`,
    and the primitives, marked `@primitive`.

    Raises InputError at what is neither.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (RecursionError, MemoryError):
        message = "expressions nest too deep"
        raise input_error(message, Location(file, 1), hint="write smaller rules") from None
    except (SyntaxError, ValueError) as error:
        place = Location(
            file, getattr(error, "lineno", 1) or 1, max(1, getattr(error, "offset", 1) or 1)
        )
        message = f"not Python: {getattr(error, 'msg', error)}"
        hint = "a file of rules has Python's syntax"
        raise input_error(message, place, source=text, hint=hint) from None
    reader, base = _Reader(text, file), RuleBase()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            try:
                reader.declaration(statement, base)
            except RecursionError:
                reader.refuse("expressions nest too deep", statement, "write smaller rules")
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            reader.refuse(
                "a file of rules has rules and primitives only",
                statement,
                "mark functions @primitive, @vectorize(pattern) or @rewrite(pattern, where=…)",
            )
    return base


class _Reader(TermReader):
    """Reads declarations and patterns."""

    def declaration(self, function: ast.FunctionDef, base: RuleBase) -> None:
        if is_marked(function, "primitive"):
            self.primitive(function)
            base.primitives = self.primitives
        else:
            self.rule(function, base)

    def primitive(self, function: ast.FunctionDef) -> None:
        """A primitive, whose meaning is read in its place: all else of the text is left blank."""
        name = function.name
        if name in self.primitives:
            place = self.primitives[name].meaning.location
            message = f"there is a primitive '{name}' already, at {place}"
            self.refuse(message, function, "use another name")
        if not (name.isascii() and name.isidentifier()):
            message = f"a primitive cannot be called '{name}'"
            self.refuse(message, function, "use letters, digits and '_'")
        if name in _operation_keys() or name in _taken():
            self.refuse(f"'{name}' is an operation already", function, "use another name")
        first = min(mark.lineno for mark in function.decorator_list)
        lines = self.text.split("\n")
        text = "\n" * (first - 1) + "\n".join(lines[first - 1 : function.end_lineno])
        self.primitives[name] = read_primitive(text, self.file, name, self.primitives)

    def rule(self, function: ast.FunctionDef, base: RuleBase) -> None:
        sorts = {"vectorize": base.vectorization, "rewrite": base.rewrites}
        marks = [d for d in function.decorator_list if isinstance(d, ast.Call)]
        if len(marks) != 1 or len(function.decorator_list) != 1 or len(marks[0].args) != 1:
            self.refuse(
                f"'{function.name}' is no rule",
                function,
                "mark it @primitive, @vectorize(pattern) or @rewrite(pattern, where=…)",
            )
        (mark,) = marks
        name = mark.func.id if isinstance(mark.func, ast.Name) else ""
        if name not in sorts:
            self.refuse(
                f"'{ast.unparse(mark.func)}' is no sort of rule", mark, "vectorize, rewrite"
            )
        rules = sorts[name]
        if function.name in rules.order:
            self.refuse(f"there is a rule '{function.name}' already", function, "rename one")
        pattern = self.pattern(mark.args[0])
        if not isinstance(pattern, Form):
            self.refuse("the pattern of a rule is an operation", mark.args[0], "op(x, y)")
        if rules is base.vectorization:
            self.check_names(pattern, mark.args[0])
        elif pattern.key == UNIFORM:
            self.refuse(f"'{UNIFORM}' is no operation", mark.args[0], "mark it @vectorize")
        for keyword in (k for k in mark.keywords if k.arg != "where"):
            self.refuse("a rule says nothing but where=…", keyword, "where=total(x)")
        where = next((k.value for k in mark.keywords if k.arg == "where"), None)
        body = [s for s in function.body if not _is_docstring(s)]
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            self.refuse(f"rule '{function.name}' has one statement", function, "return term")
        bound = names_of(pattern) | ({LANES} if pattern.key == UNIFORM else set())
        # The rewriter goes on with what a rewrite makes, wherever that leads.
        add = Graph.insert if rules is base.rewrites else Graph.add
        rules.add(
            Rule(
                function.name,
                pattern,
                self.condition(where, bound) if where is not None else lambda b, c: True,
                self.term(body[0].value, bound, add),
                Location(self.file, function.lineno, function.col_offset + 1),
                self.is_scalar(pattern),
            )
        )

    # Patterns

    def check_names(self, pattern: Form, tree: ast.expr) -> None:
        """That a vectorization rule is for all of an operation, with as many names as it takes."""
        arguments = pattern.arguments
        plain = all(isinstance(a, Variable | Star) for a in arguments)
        plain = plain and all(a.pattern is None for a in arguments if isinstance(a, Star))
        names = [a.name for a in arguments if isinstance(a, Variable | Star)]
        if not plain or not arguments or len(set(names)) < len(names):
            self.refuse(
                "a vectorization rule is for all arguments of an operation",
                tree,
                "name each once: op(x, y), or all: op(*a)",
            )
        primitive = self.primitives.get(pattern.key)
        many = isinstance(arguments[0], Star)
        if primitive is not None and not many and len(arguments) != len(primitive.types):
            wanted = len(primitive.types)
            message = f"{pattern.key} takes {wanted} arguments, not {len(arguments)}"
            self.refuse(message, tree, "name each once")

    def is_scalar(self, pattern: Any) -> bool:
        """Whether a pattern is of rows and primitives of scalars alone."""
        if not isinstance(pattern, Form):
            return not isinstance(pattern, Star)
        primitive = self.primitives.get(pattern.key)
        is_row = any(f"{pattern.key}.{type}" in scalar_rows() for type in ("f32", "i32", "i1"))
        fits = primitive.is_scalar if primitive is not None else is_row
        return fits and all(self.is_scalar(a) for a in pattern.arguments)

    def check_key(self, key: str, tree: ast.expr) -> None:
        plain = key
        while plain.startswith("each."):
            plain = plain.removeprefix("each.")
        known = {*_operation_keys(), *self.primitives, *_CLASSES, UNIFORM}
        if plain not in known:
            self.refuse(f"there is no operation '{key}'", tree, nearest(plain, known))

    def pattern(self, tree: ast.expr) -> Any:
        match tree:
            case ast.Name(id=name):
                return Variable(name)
            case ast.Constant(value=int() | float() as value):
                return Literal(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return Literal(-value)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                key = OPERATORS[type(op)]
                return Form(key, None, (self.pattern(left), self.pattern(right)))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                form = self.pattern(value)
                if not isinstance(form, Form):
                    self.refuse("':=' names an operation", tree, "(r := op(x))")
                return Form(form.key, form.of_class, form.arguments, name)
            case ast.Call(func=func, args=args, keywords=[]):
                key = ast.unparse(func)
                self.check_key(key, func)
                if len(args) == 1 and isinstance(args[0], ast.Starred):
                    arguments: tuple = (self.star(args[0]),)
                else:
                    arguments = tuple(self.pattern(a) for a in args)
                return Form(key, _CLASSES.get(key), arguments)
        hint = "a pattern is op(x, y) of names, literals, patterns, or op(*a)"
        return self.refuse(f"'{ast.unparse(tree)}' is no pattern", tree, hint)

    def star(self, tree: ast.Starred) -> Star:
        if isinstance(tree.value, ast.Name):
            return Star(tree.value.id)
        form = self.pattern(tree.value)
        if not isinstance(form, Form) or not isinstance([*form.arguments, None][0], Variable):
            message = "a starred pattern is a name, or an operation of names"
            self.refuse(message, tree, "op(*a) or op(*replicate(a, n))")
        return Star(form.arguments[0].name, form)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@cache
def _operation_keys() -> frozenset[str]:
    """What patterns call operations: see `key_of`."""
    combining = {f"{kind}.{row}" for kind in _COMBINING for row in row_keys()}
    return frozenset({*row_keys(), *combining, *STRUCTURES, *CALLS, *_COUNTED, "const", "lambda"})


def _taken() -> frozenset[str]:
    """Other names that mean something in rules or in the language."""
    return frozenset({*NAMES, *SPECIAL, *_CLASSES, *_COMBINING, UNIFORM, LANES})
