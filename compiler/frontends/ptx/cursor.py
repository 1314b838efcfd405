"""Walks along the tokens of a text; what is not as expected is a `Refused` at its position."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.lexer import END, NUMBER, STRING, WORD, Real, Token, number_of

Item = TypeVar("Item")


class Cursor:
    """A position among tokens."""

    def __init__(self, tokens: list[Token]):
        self.tokens, self.index = tokens, 0

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def following(self) -> Token:
        """The token behind the next one."""
        return self.tokens[min(self.index + 1, len(self.tokens) - 1)]

    @property
    def is_at_end(self) -> bool:
        return self.token.kind == END

    @property
    def end(self) -> int:
        """Where the last token taken ends in the text."""
        last = self.tokens[max(self.index - 1, 0)]
        return last.at + len(last.text)

    def at(self, *texts: str) -> bool:
        """Whether the next token is one of these marks or words."""
        return self.token.text in texts and self.token.kind != STRING

    def take(self) -> Token:
        token = self.token
        if token.kind != END:
            self.index += 1
        return token

    def accept(self, text: str) -> bool:
        if self.at(text):
            self.index += 1
            return True
        return False

    def expect(self, text: str, where: str) -> Token:
        if not self.at(text):
            raise self.unexpected(f"'{text}' {where}")
        return self.take()

    def separated(self, read: Callable[[Cursor], Item]) -> list[Item]:
        """One or more of what `read` reads, with commas between."""
        found = [read(self)]
        while self.accept(","):
            found.append(read(self))
        return found

    def word(self, what: str) -> Token:
        if self.token.kind != WORD:
            raise self.unexpected(what)
        return self.take()

    def string(self, what: str) -> str:
        if self.token.kind != STRING:
            raise self.unexpected(what)
        return self.take().text[1:-1]

    def integer(self, what: str) -> int:
        """An integer, perhaps with signs before it."""
        at = self.token
        value = self.number(what)
        if isinstance(value, Real):
            raise Refused(f"{what} is an integer, not '{at.text}'", at=at.at, length=len(at.text))
        return value

    def natural(self, what: str) -> int:
        """An integer without a sign."""
        if self.token.kind != NUMBER:
            raise self.unexpected(what)
        return self.integer(what)

    def number(self, what: str) -> int | Real:
        """A number, perhaps with signs before it: `-4`, `+-4`, `~0`."""
        signs = []
        while self.at("-", "+", "~"):
            signs.append(self.take().text)
        if self.token.kind != NUMBER:
            raise self.unexpected(what)
        value = number_of(self.take().text)
        for sign in reversed(signs):
            if sign == "-" and isinstance(value, Real):
                value = Real(value.bits ^ 1 << (value.width - 1), value.width)
            elif sign == "~" and isinstance(value, Real):
                raise Refused("'~' takes an integer", at=self.token.at)
            elif sign != "+":
                value = -value if sign == "-" else ~value
        return value

    def unexpected(self, wanted: str) -> Refused:
        token = self.token
        found = token.text if token.kind == END else f"'{token.text}'"
        return Refused(f"expected {wanted}, found {found}", at=token.at, length=len(token.text))

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
