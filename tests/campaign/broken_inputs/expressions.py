"""Random expressions of workloads: most are well formed, not all have a value."""

from __future__ import annotations

from random import Random

_FUNCTIONS = {
    1: [
        "sum",
        "cumsum",
        "min",
        "max",
        "zeros",
        "arange",
        "transpose",
        "length",
        "abs",
        "int",
        "i8",
        "i16",
        "i32",
        "u8",
        "u16",
        "u32",
        "float",
        "f32",
        "sqrt",
        "exp",
        "log",
        "sin",
        "cos",
        "floor",
        "ceil",
        "eval",
        "u64",
    ],
    2: ["dot", "reshape", "min", "max", "concatenate", "arange"],
    3: ["where", "concatenate", "open"],
}
_OPERATORS = [
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "<",
    "<=",
    "==",
    "!=",
    ">",
    ">=",
]
_NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "8",
    "0.5",
    "1e308",
    "1e-320",
    "2**63",
    "2**64",
    "9223372036854775807",
    "9223372036854775808",
    "255",
    "nan",
    "inf",
    "pi",
    "10**9",
    "99999999999999999999",
]


def expression(draw: Random, names: list[str], depth: int = 3) -> str:
    """A text."""
    if depth == 0 or draw.random() < 0.2:
        return draw.choice(names if draw.random() < 0.6 else _NUMBERS)

    def inner() -> str:
        return expression(draw, names, depth - 1)

    match draw.randrange(12):
        case 0 | 1 | 2 | 3 | 4:
            return f"({inner()} {draw.choice(_OPERATORS)} {inner()})"
        case 5 | 6 | 7:
            count = draw.choice((1, 1, 1, 1, 2, 3))
            inside = ", ".join(inner() for _ in range(count + (draw.random() < 0.05)))
            return f"{draw.choice(_FUNCTIONS[count])}({inside})"
        case 8:
            small = ["", "1", "-1", "2", "0", "n", "99"]
            pieces = [inner() if draw.random() < 0.1 else draw.choice(small) for _ in range(3)]
            return f"{draw.choice(names)}[{':'.join(pieces[: draw.choice((2, 2, 3))])}]"
        case 9:
            return f"{draw.choice(names)}[{draw.choice([*'01n', '-1', inner()])}]"
        case 10:
            return f"{draw.choice('---+~')}{inner()}"
        case _:
            odd = [f"[{inner()}, {inner()}]", f"{inner()} if x else y", "", "x.y", "lambda: x"]
            return draw.choice([*odd, *[f"({inner()})"] * 10])
