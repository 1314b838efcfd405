"""Random integer expressions mean what a second reading of PYTHON.md's rules says.

The reference computes with Python's unbounded integers and brings every result into its type; it
shares nothing with the front end.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.campaign.seeds import short_form

BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64}


@dataclass(frozen=True)
class Reference:
    """Source text, value and type of an expression; a literal has no type."""

    text: str
    value: int
    type: str | None


class Undefined(Exception):
    """The operation is refused or faults."""


def limits(type: str) -> tuple[int, int]:
    bits = BITS[type]
    return (0, 2**bits - 1) if type[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def wrap(value: int, type: str) -> int:
    value %= 2 ** BITS[type]
    return value - 2 ** BITS[type] if value > limits(type)[1] else value


def promoted(type: str) -> str:
    return type if BITS[type] >= 32 else "i32"


def typed(a: Reference, partner: str | None) -> tuple[int, str]:
    """Value and type of an operand that meets a `partner`."""
    if a.type is not None:
        return a.value, promoted(a.type)
    if partner is not None:
        lowest, highest = limits(promoted(partner))
        if lowest <= a.value <= highest:
            return a.value, promoted(partner)
    return a.value, "i64"


def meet(a: Reference, b: Reference) -> tuple[int, int, str, bool]:
    """Both values in their common type, and whether a signed operand became unsigned."""
    (x, s), (y, t) = typed(a, b.type), typed(b, a.type)
    common = s if BITS[s] > BITS[t] or (BITS[s] == BITS[t] and s[0] == "u") else t
    mixed = common[0] == "u" and any(may_be_negative(ref) for ref in (a, b))
    return wrap(x, common), wrap(y, common), common, mixed


def may_be_negative(a: Reference) -> bool:
    return a.value < 0 if a.type is None else a.type[0] == "i"


def combine(operator: str, a: Reference, b: Reference) -> Reference:
    text = f"({a.text} {operator} {b.text})"
    if a.type is None and b.type is None:
        raise Undefined
    if operator in ("<<", ">>"):
        x, type = typed(a, None)
        if b.type is None and not 0 <= b.value < BITS[type]:
            raise Undefined
        count = b.value % 2 ** BITS[type]
        if operator == "<<":
            value = wrap(x << count, type) if count < BITS[type] else 0
        else:
            value = x >> min(count, BITS[type])
        return Reference(text, value, type)
    x, y, type, mixed = meet(a, b)
    if operator in ("//", "%"):
        if y == 0:
            raise Undefined
        value = x // y if operator == "//" else x % y
    elif operator in ("min", "max"):
        if mixed:
            raise Undefined
        text, value = f"{operator}({a.text}, {b.text})", (min if operator == "min" else max)(x, y)
    elif operator == "<":
        if mixed:
            raise Undefined
        return Reference(f"i32({a.text} < {b.text})", int(x < y), "i32")
    else:
        value = {"+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y}[operator]
    return Reference(text, wrap(value, type), type)


def cast(type: str, a: Reference) -> Reference:
    return Reference(f"{type}({a.text})", wrap(a.value, type), type)


OPERATORS = ["+", "-", "*", "&", "|", "^", "//", "%", "<<", ">>", "min", "max", "<"]


@st.composite
def expressions(draw) -> tuple[Reference, dict[str, tuple[str, int]]]:
    """An expression over typed variables, grown by random operations."""
    variables: dict[str, tuple[str, int]] = {}
    pool: list[Reference] = []
    for index in range(draw(st.integers(1, 4))):
        type = draw(st.sampled_from(sorted(BITS)))
        lowest, highest = limits(type)
        corner = st.sampled_from([lowest, highest, 0, 1, highest // 2])
        value = draw(st.one_of(corner, st.integers(lowest, highest)))
        variables[f"v{index}"] = (type, value)
        pool.append(Reference(f"v{index}", value, type))
    for _ in range(draw(st.integers(1, 8))):
        a = draw(st.sampled_from(pool))
        kind = draw(st.integers(0, 9))
        try:
            if kind == 0:
                made = cast(draw(st.sampled_from(sorted(BITS))), a)
            elif kind == 1:
                type = promoted(a.type)
                made = Reference(f"(-{a.text})", wrap(-a.value, type), type)
            elif kind == 2:
                type = promoted(a.type)
                made = Reference(f"(~{a.text})", wrap(~a.value, type), type)
            else:
                number = draw(st.sampled_from([0, 1, 3, 8, 31, 200, 65536, 2**32, -1, -5]))
                literal = Reference(f"({number})", number, None)
                b = draw(st.sampled_from([*pool, literal]))
                a, b = draw(st.sampled_from([(a, b), (b, a)]))
                made = combine(draw(st.sampled_from(OPERATORS)), a, b)
        except Undefined:
            continue
        pool.append(made)
    return pool[-1], variables


@pytest.mark.parametrize("examples", short_form([40, 400], 1))
def test_random_integer_expressions(run_once, examples: int):
    @settings(max_examples=examples)
    @given(expressions())
    def check(made):
        expression, variables = made
        parameters = ", ".join(f"{name}: {type}" for name, (type, _) in variables.items())
        text = f"@kernel\ndef f({parameters}) -> {expression.type}:\n    return {expression.text}\n"
        arguments = {name: value for name, (_, value) in variables.items()}
        assert run_once(text, **arguments).value == expression.value

    check()
