"""The meaning of a row, parsed once: what it reads, assigns and calls, and its text with other text
in the place of its names.

    meaning = parsed("d = wrap(a + b, 32)")
    meaning.reads, meaning.assigns, meaning.calls                  # {'a', 'b'}, {'d'}, {'wrap'}
    meaning.placed({"a": "x[0]", "b": "(-7)"}, {"d": "y[1]"})      # 'y[1] = wrap(x[0] + (-7), 32)'

Meanings are Python: assignments of expressions of names, numbers, operators and calls of the
functions of a vocabulary (see `machines.operations.row`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import NamedTuple


class _Part(NamedTuple):
    """Text that may be another: a name that is read or assigned, or a whole number that a function
    is given."""

    begin: int
    end: int
    kind: str
    text: str


READ, ASSIGNED, NUMBER = "read", "assigned", "number"


class Meaning:
    """A text and what it names."""

    def __init__(self, text: str):
        assert text.isascii(), text
        self.text = text
        self._tree = ast.parse(text)
        starts = [0]
        for line in text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._parts = sorted(_parts(self._tree, text, starts))

    @cached_property
    def reads(self) -> frozenset[str]:
        """Names of values, also those that it has assigned before."""
        return self._names(READ)

    @cached_property
    def assigns(self) -> frozenset[str]:
        return self._names(ASSIGNED)

    @cached_property
    def calls(self) -> frozenset[str]:
        """Names of functions."""
        found = (node.func for node in ast.walk(self._tree) if isinstance(node, ast.Call))
        return frozenset(function.id for function in found if isinstance(function, ast.Name))

    @property
    def names(self) -> frozenset[str]:
        """All but those of functions."""
        return self.reads | self.assigns

    @property
    def is_one_assignment(self) -> bool:
        """Whether it is one assignment to one name."""
        body = self._tree.body
        return len(body) == 1 and isinstance(body[0].targets[0], ast.Name)

    @cached_property
    def value(self) -> Meaning:
        """Of one assignment: the expression whose value is assigned."""
        assert self.is_one_assignment, self.text
        return Meaning(ast.get_source_segment(self.text, self._tree.body[0].value))

    def placed(
        self,
        values: Mapping[str, str],
        targets: Mapping[str, str] | None = None,
        number: str | None = None,
    ) -> str:
        """The text with other text where names stand.

        values   for what is read: names, calls, or expressions in parentheses
        targets  for what is assigned; the values if None is given
        number   format of whole numbers that functions are given: "int64({})"
        """
        of = {READ: values, ASSIGNED: values if targets is None else targets}
        text, done = [], 0
        for begin, end, kind, name in self._parts:
            text.append(self.text[done:begin])
            if kind == NUMBER:
                text.append(name if number is None else number.format(name))
            else:
                text.append(of[kind].get(name, name))
            done = end
        return "".join([*text, self.text[done:]])

    def _names(self, kind: str) -> frozenset[str]:
        return frozenset(part.text for part in self._parts if part.kind == kind)


def _parts(tree: ast.AST, text: str, starts: list[int]) -> Iterator[_Part]:
    functions = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    numbers = {
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for argument in node.args
        if _is_number(argument)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node not in functions:
            kind = ASSIGNED if isinstance(node.ctx, ast.Store) else READ
        elif node in numbers:
            kind = NUMBER
        else:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        yield _Part(begin, end, kind, text[begin:end])


def _is_number(node: ast.expr) -> bool:
    """Whether it is a whole number, with a sign or without."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and type(inner.value) is int


@cache
def parsed(text: str) -> Meaning:
    """A row's meaning, or the condition of its fault."""
    return Meaning(text)
