"""Walks along the tokens of a text; what is not as expected is a `Refused` at its position."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.reading.constants import expression
from compiler.frontends.ptx.reading.lexer import NUMBER, STRING, WORD, Real, number_of
from compiler.frontends.ptx.reading.tokens import Tokens

Item = TypeVar("Item")


class Cursor(Tokens):
    """A position among tokens, and what begins there."""

    def separated(self, read: Callable[[Cursor], Item]) -> list[Item]:
        """One or more of what `read` reads, with commas between."""
        found = [read(self)]
        while self.accept(","):
            found.append(read(self))
        return found

    def string(self, what: str) -> str:
        if self.token.kind != STRING:
            raise self.unexpected(what)
        return self.take().text[1:-1]

    def integer(self, what: str) -> int:
        """The value of a constant expression that is an integer."""
        at = self.token
        value = self.number(what)
        if isinstance(value, Real):
            raise Refused(f"{what} is an integer, not '{at.text}'", at=at.at, length=len(at.text))
        return value

    def natural(self, what: str) -> int:
        """An integer literal."""
        token = self.token
        if token.kind != NUMBER:
            raise self.unexpected(what)
        value = number_of(self.take().text)
        if isinstance(value, Real):
            message = f"{what} is an integer, not '{token.text}'"
            raise Refused(message, at=token.at, length=len(token.text))
        return value

    def number(self, what: str) -> int | Real:
        """The value of a constant expression: `-4`, `1.5`, `3*4+(1<<2)`."""
        return expression(self, what)

    def names_since(self, index: int) -> set[str]:
        """The words from a token on up to here that may be names."""
        passed = self.tokens[index : self.index]
        return {t.text for t in passed if t.kind == WORD and not t.text.startswith(".")}

    def skip_statement(self) -> None:
        """Past the next ';', but not past a brace, unless it is an operand's: `[t, {%r1}]`."""
        while not self.at(";", "{", "}") and not self.is_at_end:
            is_list = self.at(",", "[", "(") and self.following.text == "{"
            self.index += 1
            if is_list:
                self.skip_braces()
        self.accept(";")

    def skip_braces(self) -> None:
        """Past '{ … }', whatever is in it."""
        depth = 0
        while not self.is_at_end:
            token = self.take()
            depth += (token.text == "{") - (token.text == "}")
            if depth == 0:
                return
        raise self.unexpected("'}'")
