"""A position among the tokens of a text; what is not as expected is a `Refused` there."""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.reading.lexer import END, STRING, WORD, Token


class Tokens:
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

    def word(self, what: str) -> Token:
        if self.token.kind != WORD:
            raise self.unexpected(what)
        return self.take()

    def unexpected(self, wanted: str) -> Refused:
        token = self.token
        found = token.text if token.kind == END else f"'{token.text}'"
        return Refused(f"expected {wanted}, found {found}", at=token.at, length=len(token.text))
