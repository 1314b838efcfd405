"""Sums of products in Einstein's notation, as products of matrices.

Operands are taken in one after the other.  Of two, letters are of four sorts: those of both that
are kept (batches), those of both that no one else needs (summed in the product), those of one that
are kept (rows and columns), and those of one that no one else needs (summed before).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from compiler.frontends.onnx.emitting.call import FLOATS, I32, I64, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, known

FAMILY = Family("einsum")
row = FAMILY.row


@row("Einsum", 28, (*FLOATS, I32, I64))
def einsum(call: Call) -> Value:
    code, operands = call.code, call.all
    terms, result = _parsed(call.required("equation"), [x.rank for x in operands])
    extents: dict[str, int] = {}
    for term, x in zip(terms, operands, strict=True):
        for letter, extent in zip(term, x.shape, strict=True):
            other = extents.setdefault(letter, extent)
            if extent != other and 1 not in (extent, other):
                raise Refusal("malformed", f"'{letter}' is {other} and {extent}")
            extents[letter] = max(extent, other)
    parts = []
    for term, x in zip(terms, operands, strict=True):
        wide = code.broadcast(x, [extents[letter] for letter in term])
        parts.append(_diagonal(code, wide, term))
    total, letters = parts[0]
    for k, (right, its) in enumerate(parts[1:], 1):
        needed = set(result).union(*(term for term in terms[k + 1 :]))
        total, letters = _pair(code, (total, letters), (right, its), needed, extents)
    return _brought(code, total, letters, result)


def _parsed(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The letters of every operand, and of the result; an ellipsis is Greek letters."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise Refusal("malformed", f"{len(ranks)} operands for '{equation}'")
    hidden = [rank - len(term.replace("...", "")) for term, rank in zip(terms, ranks, strict=True)]
    signs = "αβγδεζηθικλμνξοπρστυφχψω"
    most = max((h for h, term in zip(hidden, terms, strict=True) if "..." in term), default=0)
    if most > len(signs):
        raise Refusal("malformed", f"{most} dimensions in an ellipsis")
    found = []
    for term, count in zip(terms, hidden, strict=True):
        if count < 0 or (count and "..." not in term):
            raise Refusal("malformed", f"'{term}' of '{equation}' has not the operand's dimensions")
        found.append(term.replace("...", signs[most - count : most]))
    if arrow:
        return found, right.replace("...", signs[:most])
    once = sorted(c for c in set(left) - set(",.") if left.count(c) == 1)
    return found, (signs[:most] if "..." in left else "") + "".join(once)


def _diagonal(code: Code, x: Value, letters: str) -> tuple[Value, str]:
    """With every letter once: of one that stands twice the diagonal."""
    for letter in letters:
        if letters.count(letter) == 1:
            continue
        first, second = (k for k, c in enumerate(letters) if c == letter)
        rest = [k for k in range(x.rank) if k not in (first, second)]
        front = code.transpose(x, (first, second, *rest))
        extent = x.shape[first]
        flat = code.reshape(front, (extent * extent, *front.shape[2:]))
        places = known(np.arange(extent, dtype=np.int32) * (extent + 1))
        shorter = letter + "".join(letters[k] for k in rest)
        return _diagonal(code, code.gather(flat, places, 0), shorter)
    return x, letters


def _pair(
    code: Code,
    left: tuple[Value, str],
    right: tuple[Value, str],
    needed: set[str],
    extents: Mapping[str, int],
) -> tuple[Value, str]:
    (a, of_a), (b, of_b) = (_summed(code, *one, needed | set(other[1])) for one, other in (
        (left, right), (right, left)
    ))  # fmt: skip
    both = [c for c in of_a if c in of_b]
    batch = [c for c in both if c in needed]
    inner = [c for c in both if c not in needed]
    rows, columns = ([c for c in one if c not in both] for one in (of_a, of_b))

    def extent(letters: Sequence[str]) -> int:
        return math.prod(extents[c] for c in letters)

    a = code.transpose(a, [of_a.index(c) for c in (*batch, *rows, *inner)])
    b = code.transpose(b, [of_b.index(c) for c in (*batch, *inner, *columns)])
    a = code.reshape(a, (extent(batch), extent(rows), extent(inner)))
    b = code.reshape(b, (extent(batch), extent(inner), extent(columns)))
    letters = "".join((*batch, *rows, *columns))
    found = code.matmul(a, b)
    return code.reshape(found, [extents[c] for c in letters]), letters


def _summed(code: Code, x: Value, letters: str, needed: set[str]) -> tuple[Value, str]:
    axes = [k for k, c in enumerate(letters) if c not in needed]
    return code.reduce("sum", x, axes), "".join(c for c in letters if c in needed)


def _brought(code: Code, x: Value, letters: str, result: str) -> Value:
    """Summed and put in the order of the result."""
    if not set(result) <= set(letters) or len(set(result)) < len(result):
        raise Refusal("malformed", f"the result '{result}' of '{letters}'")
    x, letters = _summed(code, x, letters, set(result))
    return code.transpose(x, [letters.index(c) for c in result])
