"""What random programs that are written as text have in common."""

from __future__ import annotations

from random import Random


class RandomText:
    """`lines` of a function's body, and the random choices that make them."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.number = 0

    def emit(self, line: str) -> None:
        self.lines.append("    " + line)

    def block(self, name: str) -> None:
        self.lines.append(name + ":")

    def fresh(self, hint: str) -> str:
        self.number += 1
        return f"{hint}_{self.number}"

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability
