"""The same tile program in other words: what is read must be the same program.

    tensor.copy.f32 n1[0:64], x[v4:v5]   ->   tensor.copy n1, x[v4 +: v5 - v4]

Numbers become expressions and constants, types are left out, whole buffers are called by their
names, and some commands are put into functions that take their buffers.
"""

from __future__ import annotations

import random
import re

COMMAND = re.compile(r"(@!?\w+ )?((?:\w+ = )?)(tensor\.\w+)((?:\.\w+)+) (.+)")
INTERVAL = re.compile(r"(\w+)\[(\w+):(\w+)((?:, \w+ by -?\w+)*)\]")
NAMES = 4


def in_other_words(text: str, seed: int) -> str:
    """The text with other words for the same program."""
    return _Words(random.Random(f"words {seed}"), text).text()


class _Words:
    def __init__(self, draw: random.Random, text: str):
        self.draw, self.lines = draw, text.splitlines()
        self.counts = {m[1]: int(m[2]) for m in re.finditer(r"^(\w+): \w+\[(\d+)\]", text, re.M)}
        self.constants = {f"K{k}": draw.randrange(1, 70) for k in range(NAMES)}
        self.functions: list[str] = []

    def text(self) -> str:
        found = [self.line(line) for line in self.lines]
        named = [f"const {name} = {value}" for name, value in self.constants.items()]
        head = [line for line in named if self.draw.random() < 0.5]
        tail = [line for line in named if line not in head]
        return "\n".join([*head, *found, *self.functions, *tail, ""])

    def line(self, line: str) -> str:
        match = COMMAND.fullmatch(line.strip())
        if match is None:
            return line
        guard, result, name, types, rest = match.groups()
        if self.draw.random() < 0.6 and "any(" not in rest:
            types = ""
        if guard is None and not result and self.draw.random() < 0.2:
            return self.called(name + types, rest)
        return (guard or "") + result + name + types + " " + INTERVAL.sub(self.interval, rest)

    def called(self, name: str, rest: str) -> str:
        """A function that takes the intervals that are not strided, and does it."""
        given, inside = [], []
        number = len(self.functions)

        def taken(match: re.Match) -> str:
            if match[4] or self.draw.random() < 0.2:
                return match[0]
            given.append(self.interval(match))
            inside.append(f"b{len(inside)}: T{len(inside)}[n{len(inside)}]")
            return f"b{len(inside) - 1}"

        rest = re.sub(r"\b([sv]\d+)\b(?![:\]])", lambda m: m[0], rest)
        body = INTERVAL.sub(taken, rest)
        free = {m[0] for m in re.finditer(r"\b[a-z]\d+\b", body) if not m[0].startswith("b")}
        free -= {name for name in free if name in self.counts}
        if free or not given:
            return name + " " + INTERVAL.sub(self.interval, rest)
        self.functions.append(f"func @made{number}({', '.join(inside)}) {{\n{name} {body}\n}}")
        return f"call @made{number}({', '.join(given)})"

    def interval(self, match: re.Match) -> str:
        name, low, high, steps = match.groups()
        if not steps and low == "0" and high == str(self.counts.get(name)) and self.chance():
            return name
        if not steps and low == "0" and self.chance(0.2):
            return f"{name}[:{self.number(high)}]"
        if self.chance(0.3):
            size = f"{high} - {low}" if not (low + high).isdigit() else str(int(high) - int(low))
            return f"{name}[{self.number(low)} +: {size}{self.steps(steps)}]"
        return f"{name}[{self.number(low)}:{self.number(high)}{self.steps(steps)}]"

    def steps(self, text: str) -> str:
        number = r"-?\w+"
        return re.sub(
            rf"({number}) by ({number})",
            lambda m: f"{self.number(m[1])} by {self.number(m[2])}",
            text,
        )

    def chance(self, p: float = 0.5) -> bool:
        return self.draw.random() < p

    def number(self, word: str) -> str:
        """A bound in other words."""
        k, name = self.draw.randrange(1, 9), self.draw.choice(list(self.constants))
        other = self.constants[name]
        if not word.lstrip("-").isdigit():
            return self.draw.choice(
                (word, word, f"{word} + {k} - {k}", f"{k + 1} * {word} - {k} * {word}",
                 f"{word} + {name} - {other}", f"({word} + 0)")
            )  # fmt: skip
        value = int(word)
        return self.draw.choice(
            (word, word, f"{value - k} + {k}", f"{value * k} / {k}", f"{value - other} + {name}",
             f"{name} - {other - value}", f"({value + k}-{k})", f"min({value}, {value + k})",
             f"{value + 100 * abs(value)} % {100 * abs(value) or 1}" if value > 0 else word)
        )  # fmt: skip
