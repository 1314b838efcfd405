"""Random kernels do what Python does with the same text.

Python executes the text itself, with stand-ins for what compiler.kernel offers.  Every assigned
value is kept below 1009, so that 64 bits never overflow.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.campaign.seeds import short_form

NAMES = ["a", "b", "c", "d"]
ARRAY = 8


class Writer:
    """Writes one kernel file: a helper kernel with early returns, and the entry."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0
        self.lines: list[str] = []

    def expression(self, depth: int = 2) -> str:
        pick, choice = self.random.random(), self.random.choice
        if depth == 0 or pick < 0.25:
            return choice([*NAMES, "i", str(choice([0, 1, 2, 7, -3]))])
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        if pick < 0.55:
            return f"({a} {choice(['+', '-', '*', '&', '|', '^'])} {b})"
        if pick < 0.65:
            return f"({a} {choice(['//', '%'])} {choice(['4', '3', '-2', f'(abs({b}) + 1)'])})"
        if pick < 0.75:
            return f"x[{a} & {ARRAY - 1}]"
        if pick < 0.85:
            return f"({a} if {self.condition(depth - 1)} else {b})"
        if pick < 0.92:
            return f"{choice(['min', 'max'])}({a}, {b})"
        return f"helper(({a}) % 50, {b}, x)" if self.calls else f"({a} >> 1)"

    def condition(self, depth: int = 2) -> str:
        pick, choice = self.random.random(), self.random.choice
        a, b = self.expression(1), self.expression(1)
        if depth == 0 or pick < 0.4:
            return f"{a} {choice(['<', '<=', '==', '!=', '>', '>='])} {b}"
        if pick < 0.55:
            return f"({a} < {b} <= {self.expression(1)})"
        if pick < 0.65:
            return f"not ({self.condition(depth - 1)})"
        link = choice([" and ", " or "])
        return f"({self.condition(depth - 1)}{link}{self.condition(depth - 1)})"

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def block(self, indent: int, budget: int, in_loop: bool) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, budget, in_loop)

    def statement(self, indent: int, budget: int, in_loop: bool) -> None:
        pick, choice = self.random.random(), self.random.choice
        if budget == 0 or pick < 0.35:
            target = choice([*NAMES, f"x[{self.expression(1)} & {ARRAY - 1}]"])
            self.line(indent, f"{target} = ({self.expression()}) % 1009")
        elif pick < 0.45:
            a, b = self.random.sample(NAMES, 2)
            self.line(indent, f"{a}, {b} = {b}, ({self.expression(1)}) % 1009")
        elif pick < 0.52:
            self.line(indent, f"x[{self.expression(1)} & {ARRAY - 1}] ^= {choice(NAMES)} & 1023")
        elif pick < 0.70:
            self.line(indent, f"if {self.condition()}:")
            self.block(indent + 1, budget - 1, in_loop)
            if self.random.random() < 0.5:
                self.line(indent, f"elif {self.condition(1)}:")
                self.block(indent + 1, budget - 1, in_loop)
            if self.random.random() < 0.5:
                self.line(indent, "else:")
                self.block(indent + 1, budget - 1, in_loop)
        elif pick < 0.85:
            step = choice(["1", "2", "-1", "-3", "1", "(abs(c) & 3) + 1"])
            bounds = f"{self.expression(1)} % 7, {self.expression(1)} % 9"
            variable = choice(["i", "i", choice(NAMES)])
            self.line(indent, f"for {variable} in range({bounds}, {step}):")
            self.block(indent + 1, budget - 1, True)
        elif pick < 0.93:
            self.loops += 1
            fuel = f"fuel_{self.loops}"
            self.line(indent, f"{fuel} = 0")
            test = choice([f"({self.condition(1)}) and {fuel} < 5", f"{fuel} < 4", "True"])
            self.line(indent, f"while {test}:")
            self.line(indent + 1, f"{fuel} += 1")
            self.line(indent + 1, f"if {fuel} > 6:")
            self.line(indent + 2, "break")
            self.block(indent + 1, budget - 1, True)
        elif in_loop:
            self.line(indent, f"if {self.condition(1)}:")
            self.line(indent + 1, choice(["break", "continue"]))
        else:
            self.line(indent, f"if {self.condition(1)}:")
            self.line(indent + 1, f"return {choice(NAMES)}")

    def kernel(self, name: str, budget: int) -> None:
        self.calls = name == "f"
        self.line(0, "@kernel")
        self.line(0, f"def {name}(a: i64, b: i64, x: i64[:]) -> i64:")
        self.line(1, "c, d, i = a, 1, 2")
        for _ in range(3 if self.calls else 2):
            self.statement(1, budget, False)
        self.line(1, "return (a + 3 * b + 5 * c + 7 * d + 11 * i) % 100003")

    def write(self) -> str:
        self.kernel("helper", 1)
        self.kernel("f", 3)
        return "\n".join(self.lines) + "\n"


class _Type:
    def __getitem__(self, sizes: object) -> _Type:
        return self


def in_python(text: str, a: int, b: int, x: list[int]) -> tuple[int, list[int]]:
    space = {"kernel": lambda function: function, "i64": _Type()}
    exec(text, space)
    return space["f"](a, b, x), x


@pytest.mark.parametrize("seed", short_form(range(150), 4))
def test_random_kernels(run, seed):
    text = Writer(seed).write()
    for a, b in ((3, 5), (-4, 100)):
        x = [(7 * k * k + seed) % 50 for k in range(ARRAY)]
        done = run(text, entry="f", a=a, b=b, x=np.array(x, np.int64))
        assert (done.value, done.arrays["x"].tolist()) == in_python(text, a, b, x), text
