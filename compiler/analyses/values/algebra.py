"""Identities of single operations that hold bit for bit, and one order of their operands.

    add.i32 x, 0        ->  x             in_order:  add.i32 5, x   ->  add.i32 x, 5
    and.i8 x, 0         ->  0                        gt_s.i64 a, b  ->  lt_s.i64 b, a
    select.f64 p, y, y  ->  y

Zero has a sign and NaN equals nothing, so of the floats' rules few are left: x + -0 and x - +0 are
x (but -0 + +0 is +0), x * 1 and x / 1 are x (NaN has no payload), min and max of x and x or NaN are
x.  Not: x - x (of infinities), x * 0 (-0, NaN), eq x, x (NaN), min x, inf (of NaN it is inf).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache

from compiler.ir.builder import canonical
from compiler.ir.module import Value
from machines.instructions import operations
from machines.operations.row import Operation
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type
from machines.vocabulary.numbers import bits_from_f64

_EQUAL_OPERANDS = """
    eq x x = 1
    ne x x = 0
    lt_u x x = 0
    le_u x x = 1
    gt_u x x = 0
    ge_u x x = 1
"""

_CHOICE = """
    select p x x = x
    select 1 x y = x
    select 0 x y = y
"""

_LOGIC = """
    and x x = x
    and x 0 = 0
    and x ones = x
    or x x = x
    or x 0 = x
    or x ones = ones
    xor x 0 = x
    xor x x = 0
"""

_INTEGERS = """
    add x 0 = x
    sub x 0 = x
    sub x x = 0
    mul x 0 = 0
    mul x 1 = x
    shl x 0 = x
    shl 0 x = 0
    shr_s x 0 = x
    shr_s 0 x = 0
    shr_s ones x = ones
    shr_u x 0 = x
    shr_u 0 x = 0
    shr_u x x = 0
    div_s x 1 = x
    div_u x 1 = x
    rem_s x 1 = 0
    rem_s x ones = 0
    rem_u x 1 = 0
    min_s x x = x
    min_s x lowest = lowest
    min_s x highest = x
    max_s x x = x
    max_s x lowest = x
    max_s x highest = highest
    min_u x x = x
    min_u x 0 = 0
    min_u x ones = x
    max_u x x = x
    max_u x 0 = x
    max_u x ones = ones
    lt_s x x = 0
    le_s x x = 1
    gt_s x x = 0
    ge_s x x = 1
    lt_s x lowest = 0
    le_s x highest = 1
    gt_s x highest = 0
    ge_s x lowest = 1
    lt_u x 0 = 0
    le_u x ones = 1
    gt_u x ones = 0
    ge_u x 0 = 1
"""

_POINTERS = """
    add p 0 = p
    sub p p = 0
"""

_FLOATS = """
    add x -0.0 = x
    sub x 0.0 = x
    mul x 1.0 = x
    div x 1.0 = x
    min x x = x
    max x x = x
    min x nan = x
    max x nan = x
    lt x x = 0
    gt x x = 0
"""

_TRUTH = """
    select p 1 0 = p
"""

RULES: tuple[tuple[str, tuple[Type, ...]], ...] = (
    (_INTEGERS + _LOGIC + _EQUAL_OPERANDS + _CHOICE, (I8, I16, I32, I64)),
    (_LOGIC + _CHOICE + _TRUTH, (I1,)),
    (_POINTERS + _EQUAL_OPERANDS + _CHOICE, (PTR,)),
    (_FLOATS + _CHOICE, (F32, F64)),
)
"""`operation operands = result`, for rows of these types.  A letter stands for any value, twice the
same for the same value; `ones` is the number of all ones, lowest and highest are signed."""

Pattern = tuple[Value, ...]


def identity(value: Value) -> Hashable:
    """Equal for operands that are the same: tells -0.0 from 0.0, and NaN is NaN.

    >>> identity(0.0) == identity(-0.0), identity(float("nan")) == identity(-float("nan"))
    (False, True)
    """
    return ("float", bits_from_f64(value)) if isinstance(value, float) else value


def simplify(row: Operation, operands: Sequence[Value]) -> Value | None:
    """The operand or number that an operation always gives, None if no rule says.

    What a rule fits cannot fault.
    """
    for pattern, result in _rules().get(row.name, ()):
        found = _match(pattern, operands)
        if found is not None:
            return found[result] if isinstance(result, str) else result
    return None


def _match(pattern: Pattern, operands: Sequence[Value]) -> dict[str, Value] | None:
    """What the letters of the pattern stand for."""
    found: dict[str, Value] = {}
    for wanted, value in zip(pattern, operands, strict=True):
        if isinstance(wanted, str):
            if identity(found.setdefault(wanted, value)) != identity(value):
                return None
        elif isinstance(value, str) or identity(wanted) != identity(value):
            return None
    return found


_MIRRORED = {
    "gt": "lt", "ge": "le", "gt_s": "lt_s", "ge_s": "le_s", "gt_u": "lt_u", "ge_u": "le_u",
}  # fmt: skip
_MIRRORED_TOO = _MIRRORED | {other: one for one, other in _MIRRORED.items()}


@cache
def _rules() -> dict[str, list[tuple[Pattern, Value]]]:
    """For each row its rules, those of exchanged operands included."""
    found: dict[str, list[tuple[Pattern, Value]]] = {}
    for text, types in RULES:
        for line in filter(None, text.splitlines()):
            left, result = line.strip().split(" = ")
            name, *pattern = left.split()
            for t in types:
                row = operations()["ir", f"{name}.{t}"]
                kinds = [operand.kind for operand in row.reads]
                wanted = tuple(map(_word, pattern, kinds))
                gives = _word(result, row.writes[0].kind)
                found.setdefault(row.name, []).append((wanted, gives))
                mirrored = name if row.commutes else _MIRRORED_TOO.get(name)
                if mirrored and pattern[0] != pattern[1]:
                    found.setdefault(f"{mirrored}.{t}", []).append((wanted[::-1], gives))
    return found


def _word(word: str, t: Type) -> Value:
    """A letter, or a number of the type."""
    if word in "xyp":
        return word
    if t.is_float:
        return float(word)
    ones = 1 if t is I1 else -1
    lowest = -(1 << (t.bits - 1))
    return canonical({"ones": ones, "lowest": lowest, "highest": ~lowest}.get(word) or int(word), t)


def in_order(row: Operation, operands: tuple[Value, ...]) -> tuple[str, tuple[Value, ...]]:
    """A row's name and its operands in the one order in which equal operations are written.

    Names come before numbers; `a > b` is `b < a`, of floats too.
    """
    if row.commutes and _rank(operands[0]) > _rank(operands[1]):
        return row.name, (operands[1], operands[0], *operands[2:])
    relation, _, of_type = row.name.partition(".")
    if relation in _MIRRORED:
        return f"{_MIRRORED[relation]}.{of_type}", operands[::-1]
    return row.name, operands


def _rank(value: Value) -> tuple[bool, str]:
    return not isinstance(value, str), str(value)
