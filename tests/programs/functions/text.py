"""Expressions, each written twice: for the language, and for who judges it.

What judges calls functions of the names that `lane_judge.NAMES` has, and says no more than they do;
so other modules that have the same names judge the same programs by other means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.programs.functions.types import Type, array


@dataclass(frozen=True)
class Expression:
    """One expression, for the language and for the judge."""

    text: str
    judged: str
    type: Type


def is_simple(value: Expression) -> bool:
    return value.text.isidentifier()


def number(value: int) -> Expression:
    return Expression(f"i64({value})", f"cast('i64', {value})", "i64")


def joined(op: str, a: Expression, b: Expression) -> Expression:
    type = "boolean" if op[0] in "=!<>" else a.type
    judged = f"binary({op!r}, {a.judged}, {b.judged})"
    is_call = op in ("min", "max")
    text = f"{op}({a.text}, {b.text})" if is_call else f"({a.text} {op} {b.text})"
    return Expression(text, judged, type)


def alone(op: str, a: Expression) -> Expression:
    text = f"{op}({a.text})" if op in ("abs", "sqrt") else f"({op} {a.text})"
    return Expression(text, f"unary({op!r}, {a.judged})", a.type)


def converted(type: str, a: Expression) -> Expression:
    return Expression(f"{type}({a.text})", f"cast({type!r}, {a.judged})", type)


def chosen(test: Expression, then: Expression, other: Expression) -> Expression:
    return Expression(
        f"({then.text} if {test.text} else {other.text})",
        f"choose({test.judged}, lambda: {then.judged}, lambda: {other.judged})",
        then.type,
    )


def tupled(parts: Sequence[Expression]) -> Expression:
    text = ", ".join(p.text for p in parts)
    judged = ", ".join(p.judged for p in parts)
    type = ("tuple", *(p.type for p in parts))
    return Expression(f"({text})", f"make({judged})", type)


def renamed(name: str, judge: str, type: Type, *parts: Expression) -> Expression:
    text, judged = (", ".join(getattr(p, side) for p in parts) for side in ("text", "judged"))
    return Expression(f"{name}({text})", f"{judge}({judged})", type)


def called(name: str, type: Type, *parts: Expression) -> Expression:
    return renamed(name, name, type, *parts)


def length(values: Expression) -> Expression:
    return Expression(f"len({values.text})", f"length({values.judged})", "i64")


def indexed(values: Expression, at: Expression) -> Expression:
    judged = f"index({values.judged}, {at.judged})"
    return Expression(f"{values.text}[{at.text}]", judged, values.type[1])


@dataclass(frozen=True)
class Clause:
    """A `for` of a comprehension.

    target  what is written for the names of an element's parts
    judged  an array for each name
    test    what is kept, if not all is
    """

    names: list[str]
    target: str
    over: str
    judged: list[str]
    test: Expression | None = None

    @classmethod
    def plain(cls, name: str, over: Expression) -> Clause:
        return cls([name], name, over.text, [over.judged])


def mapped(made: Expression, *clauses: Clause) -> Expression:
    """A comprehension."""
    text, judged = made.text, made.judged
    for clause in clauses:
        kept = "" if clause.test is None else f" if {clause.test.text}"
        text += f" for {clause.target} in {clause.over}{kept}"
    for clause in reversed(clauses):
        head = f"lambda {', '.join(clause.names)}"
        keeps = "None" if clause.test is None else f"{head}: {clause.test.judged}"
        is_row = clause is not clauses[-1]
        judged = f"each({head}: {judged}, {keeps}, {', '.join(clause.judged)})"
        judged = f"flatten({judged})" if is_row else judged
    return Expression(f"[{text}]", judged, array(made.type))
