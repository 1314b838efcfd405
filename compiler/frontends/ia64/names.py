"""What names mean from a statement on: constants, registers, rotating names, numbered labels.

Before, and what `Scope.resolved` makes of it after `.rotr a[4]` and one label `1:`:

    ld8 a[1] = [a[2]], 8          ld8 r33 = [r34], 8
    br.cloop.sptk 1b              br.cloop.sptk .L1$1
    br.call.sptk b0 = sum#        br.call.sptk b0 = sum
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from compiler.frontends.ia64.expressions import ExpressionError, evaluate
from compiler.frontends.ia64.registers import ROTATING, Frame, RegisterNames

NAMES_HINT = "a name is an integer, a register, or another name of a label"
_NUMBERED_LABEL = re.compile(r"(?<![\w.$])(\d+)([bf])(?![\w.$])")
_MARKED_NAME = re.compile(r"([A-Za-z_.$][\w.$]*)#")
_INDEXED = re.compile(r"(?<![\w.$])([A-Za-z_.$][\w.$]*)\s*\[([^\[\]]+)\]")
_ROTATING_NAME = re.compile(r"\s*([A-Za-z_.$][\w.$]*)\s*\[([^\]]+)\]\s*")


def numbered_label(number: str, instance: int) -> str:
    """The name of the n-th label of a number; like all that begin with .L it is not shown."""
    return f".L{number}${instance}"


@dataclass(frozen=True)
class Scope:
    """What names mean at a statement; `numbered`: how many labels of each number came before."""

    constants: Mapping[str, int] = field(default_factory=dict)
    registers: RegisterNames = field(default_factory=RegisterNames)
    numbered: Mapping[str, int] = field(default_factory=dict)

    def value(self, text: str) -> int:
        """The value of a constant expression; raises ExpressionError."""
        return evaluate(text, self.constants)

    def resolved(self, text: str) -> str:
        """The text with indexed rotating names, numbered labels and marked names replaced.

        Raises ExpressionError for an index that is none.
        """
        text = _MARKED_NAME.sub(r"\1", text)
        if self.registers.rotating:
            text = _INDEXED.sub(self._rotating, text)
        return _NUMBERED_LABEL.sub(self._numbered, text)

    def _rotating(self, match: re.Match) -> str:
        name, index = match.groups()
        if name not in self.registers.rotating:
            return match.group()
        letter, first, count = self.registers.rotating[name]
        number = self.value(index)
        if not 0 <= number < count:
            raise ExpressionError(f"there is no {name}[{number}]: it has {count} registers")
        return f"{letter}{first + number}"

    def _numbered(self, match: re.Match) -> str:
        number, direction = match.groups()
        return numbered_label(number, self.numbered.get(number, 0) + (direction == "f"))

    def with_label(self, number: str) -> Scope:
        """After a numbered label."""
        count = self.numbered.get(number, 0) + 1
        return replace(self, numbered={**self.numbered, number: count})

    def with_frame(self, parts: list[str]) -> Scope:
        """After the four expressions of a frame; raises ExpressionError."""
        if len(parts) != 4:
            raise ExpressionError(f"a frame has four sizes, not {len(parts)}")
        frame = Frame(*(self.value(part) for part in parts))
        return replace(self, registers=replace(self.registers, frame=frame))

    def with_name(self, name: str, text: str) -> Scope:
        """After `name = text`, a register or a constant; raises ExpressionError."""
        constants = {k: v for k, v in self.constants.items() if k != name}
        equal = {k: v for k, v in self.registers.equal.items() if k != name}
        if register := self.registers.find(text):
            equal[name] = register
        else:
            constants[name] = self.value(text)
        return replace(self, constants=constants, registers=replace(self.registers, equal=equal))

    def with_rotating(self, letter: str, text: str) -> Scope:
        """After `.rotr`, `.rotf` or `.rotp`, whose names replace those of an earlier one.

        Raises ExpressionError.
        """
        old = self.registers
        rotating = {name: given for name, given in old.rotating.items() if given[0] != letter}
        first, most = ROTATING[letter]
        most = min(most, old.frame.rotating) if letter == "r" else most
        used = 0
        for part in text.split(","):
            match = _ROTATING_NAME.fullmatch(part)
            count = self.value(match.group(2)) if match else 0
            if count < 1:
                raise ExpressionError(f"'{part.strip()}' is not of the form name[count]")
            rotating[match.group(1)] = (letter, first + used, count)
            used += count
        if used > most:
            said = " (alloc says how many)" if letter == "r" else ""
            raise ExpressionError(f"{used} names for {most} rotating registers{said}")
        return replace(self, registers=replace(old, rotating=rotating))
