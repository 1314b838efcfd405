"""Integers of 65 to 128 bits: two words of 64.

    add i128 %a, %b   ->   low = a0 + b0;  high = a1 + b1 + (low < a0)
    shl i128 %a, %n   ->   low = a0 << n;  high = a1 << n | a0 >> (64 - n) | a0 << (n - 64)

Counts of shifts are unsigned, and one at or past the width gives 0: so each part of a shift is 0
where it is not wanted.  Quotients, and what floats become and come from, are functions of the C
library, as compilers have them: `__udivti3` and its like.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.frontends.llvm.lowering.code import Code, Scalar, Value
from compiler.frontends.llvm.lowering.lower_bits import (
    Lower,
    known,
    leading_zeros,
    ones,
    reverse_bits,
    reverse_bytes,
    trailing_zeros,
)
from compiler.frontends.llvm.lowering.passing import call_library
from compiler.frontends.llvm.lowering.widths import ONES, Words, as_i64, from_words, words
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Operand, Statement
from compiler.frontends.llvm.reading.types import Integer
from machines.types import F32, F64, I64, Type

DIVISIONS = {"udiv": "__udivti3", "urem": "__umodti3", "sdiv": "__divti3", "srem": "__modti3"}
TO_FLOAT = {("sitofp", F64): "__floattidf", ("uitofp", F64): "__floatuntidf",
            ("sitofp", F32): "__floattisf", ("uitofp", F32): "__floatuntisf"}  # fmt: skip
FROM_FLOAT = {"s": "__fixdfti", "u": "__fixunsdfti"}


class Emit:
    """Short names for what is done to words."""

    def __init__(self, code: Code):
        self.code = code

    def __call__(self, name: str, *operands: Scalar) -> Scalar:
        return self.code.emit(f"{name}.i64", *operands)

    def bit(self, condition: Scalar) -> Scalar:
        return self.code.emit("zext.i1.i64", condition)

    def choose(self, condition: Scalar, a: Words, b: Words) -> Words:
        low, high = (
            x if x == y else self("select", condition, x, y) for x, y in zip(a, b, strict=True)
        )
        return low, high

    def add(self, a: Words, b: Words) -> Words:
        low = self("add", a[0], b[0])
        return low, self("add", self("add", a[1], b[1]), self.bit(self("lt_u", low, a[0])))

    def subtract(self, a: Words, b: Words) -> Words:
        borrow = self.bit(self("lt_u", a[0], b[0]))
        return self("sub", a[0], b[0]), self("sub", self("sub", a[1], b[1]), borrow)

    def negate(self, a: Words) -> Words:
        return self.subtract((0, 0), a)

    def multiply(self, a: Words, b: Words) -> Words:
        high = self("mul_high_u", a[0], b[0])
        for x, y in ((a[0], b[1]), (a[1], b[0])):
            if 0 not in (x, y):
                high = self("add", high, self("mul", x, y))
        return self("mul", a[0], b[0]), high

    def bitwise(self, name: str, a: Words, b: Words) -> Words:
        return self(name, a[0], b[0]), self(name, a[1], b[1])

    def below(self, a: Words, b: Words, sign: str) -> Scalar:
        """a < b, of signed ('s') or unsigned ('u') numbers."""
        same = self.code.emit("and.i1", self("eq", a[1], b[1]), self("lt_u", a[0], b[0]))
        return self.code.emit("or.i1", self(f"lt_{sign}", a[1], b[1]), same)

    def equal(self, a: Words, b: Words) -> Scalar:
        differ = self("or", *(self("xor", x, y) for x, y in zip(a, b, strict=True)))
        return self("eq", differ, 0)

    def _counts(self, n: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """n, 64 - n and n - 64, as counts of shifts."""
        if isinstance(n, int):
            return n, (64 - n) & ONES, (n - 64) & ONES
        return n, self("sub", 64, n), self("sub", n, 64)

    def shift_left(self, a: Words, n: Scalar) -> Words:
        near, rest, far = self._counts(n)
        carried = self("or", self("shr_u", a[0], rest), self("shl", a[0], far))
        return self("shl", a[0], near), self("or", self("shl", a[1], near), carried)

    def shift_right(self, a: Words, n: Scalar) -> Words:
        near, rest, far = self._counts(n)
        carried = self("or", self("shl", a[1], rest), self("shr_u", a[1], far))
        return self("or", self("shr_u", a[0], near), carried), self("shr_u", a[1], near)

    def shift_right_signed(self, a: Words, n: Scalar) -> Words:
        near, rest, far = self._counts(n)
        low = self("or", self("shr_u", a[0], near), self("shl", a[1], rest))
        inside = self("lt_u", near, 64)
        return (
            self("select", inside, low, self("shr_s", a[1], far)), self("shr_s", a[1], near)
        )  # fmt: skip


Function = Callable[[Emit, Words, Words, Integer], Words]
ARITHMETIC: dict[str, Function] = {
    "add": lambda e, a, b, t: e.add(a, b),
    "sub": lambda e, a, b, t: e.subtract(a, b),
    "mul": lambda e, a, b, t: e.multiply(a, b),
    "shl": lambda e, a, b, t: e.shift_left(a, b[0]),
    "lshr": lambda e, a, b, t: e.shift_right(a, b[0]),
    **{
        name: (lambda e, a, b, t, name=name: e.bitwise(name, a, b)) for name in ("and", "or", "xor")
    },
}


def lower(code: Code, statement: Statement, lower: Lower) -> Value | None:
    """The value of an operation with an operand or a result of more than 64 bits."""
    opcode = statement.opcode
    if opcode in ARITHMETIC:
        a, b = _given(code, statement, False)
        return from_words(
            code, ARITHMETIC[opcode](Emit(code), a, b, statement.type), statement.type
        )
    found = LOWER.get(opcode) or known(statement.callee, CALLS)
    if found is None:
        raise Refused(
            f"'{statement.callee or opcode}' of integers beyond 64 bits is not supported",
            "see LLVM.md for what is",
        )
    return found(code, statement)


def _given(code: Code, statement: Statement, signed: bool) -> list[Words]:
    return [words(code, code.value(o), o.type, signed) for o in statement.operands]


def _shift_signed(code: Code, statement: Statement) -> Value:
    a, count = statement.operands
    value = words(code, code.value(a), a.type, True)
    n = as_i64(code, code.value(count), count.type, False)
    return from_words(code, Emit(code).shift_right_signed(value, n), statement.type)


def _divide(code: Code, statement: Statement) -> Value:
    signed = statement.opcode.startswith("s")
    return from_words(
        code, _called(code, DIVISIONS[statement.opcode], *_given(code, statement, signed)),
        statement.type,
    )  # fmt: skip


def _called(code: Code, name: str, *given: Words) -> Words:
    """A function of the library that takes and gives 128 bits."""
    operands = [Operand(I64, word) for pair in given for word in pair]
    return call_library(code, name, Integer(128), operands)


def _compare(code: Code, statement: Statement) -> Value:
    predicate = statement.word
    a, b = _given(code, statement, predicate.startswith("s"))
    emit = Emit(code)
    if predicate in ("eq", "ne"):
        same = emit.equal(a, b)
        return same if predicate == "eq" else code.emit("not.i1", same)
    if predicate[1:] in ("gt", "le"):
        a, b = b, a
    less = emit.below(a, b, predicate[0])
    return less if predicate[1:] in ("lt", "gt") else code.emit("not.i1", less)


def _resize(code: Code, statement: Statement) -> Value:
    """zext, sext, trunc, and integers and pointers as each other."""
    [pair] = _given(code, statement, statement.opcode == "sext")
    return from_words(code, pair, statement.type)


def _to_float(code: Code, statement: Statement) -> Value:
    [pair] = _given(code, statement, statement.opcode == "sitofp")
    name = TO_FLOAT[statement.opcode, statement.type]
    return call_library(code, name, statement.type, [Operand(I64, word) for word in pair])


def _from_float(code: Code, statement: Statement) -> Value:
    """fptosi and fptoui, also those that saturate: the library's do at 128 bits."""
    [operand], kind = statement.operands, statement.type
    value = code.value(operand)
    if operand.type is F32:
        value = code.emit("extend.f32.f64", value)
    sign = "u" if "fptoui" in (statement.opcode, statement.callee[5:11]) else "s"
    pair = call_library(code, FROM_FLOAT[sign], Integer(128), [Operand(F64, value)])
    if kind.bits < 128 and statement.callee:
        pair = _clamped(code, pair, kind, sign)
    return from_words(code, pair, kind)


def _clamped(code: Code, pair: Words, kind: Integer, sign: str) -> Words:
    emit = Emit(code)
    highest = kind.mask >> (sign == "s")
    limit = _number(highest)
    pair = emit.choose(emit.below(limit, pair, sign), limit, pair)
    if sign == "s":
        lowest = _number(~highest)
        pair = emit.choose(emit.below(pair, lowest, sign), lowest, pair)
    return pair


def _number(value: int) -> Words:
    return value & ONES, value >> 64 & ONES


# Functions of LLVM


def _extreme(name: str) -> Lower:
    def lower(code: Code, statement: Statement) -> Value:
        a, b = _given(code, statement, name[0] == "s")
        emit = Emit(code)
        less = emit.below(a, b, name[0])
        first, second = (a, b) if name[1:] == "min" else (b, a)
        return from_words(code, emit.choose(less, first, second), statement.type)

    return lower


def _magnitude(code: Code, statement: Statement) -> Value:
    operand, emit = statement.operands[0], Emit(code)
    a = words(code, code.value(operand), operand.type, True)
    found = emit.choose(emit("lt_s", a[1], 0), emit.negate(a), a)
    return from_words(code, found, statement.type)


def _of_bits(compute: Callable[[Emit, Words, Integer], Words]) -> Lower:
    def lower(code: Code, statement: Statement) -> Value:
        operand, emit = statement.operands[0], Emit(code)
        pair = words(code, code.value(operand), operand.type, False)
        return from_words(code, compute(emit, pair, operand.type), statement.type)

    return lower


def _ones(emit: Emit, a: Words, kind: Integer) -> Words:
    return emit("add", *(ones(emit.code, word, I64) for word in a)), 0


def _leading(emit: Emit, a: Words, kind: Integer) -> Words:
    low = emit("add", leading_zeros(emit.code, a[0], I64), 64)
    found = emit("select", emit("eq", a[1], 0), low, leading_zeros(emit.code, a[1], I64))
    return emit("sub", found, 128 - kind.bits), 0


def _trailing(emit: Emit, a: Words, kind: Integer) -> Words:
    high = a[1] if kind.bits == 128 else emit("or", a[1], 1 << (kind.bits - 64))
    above = emit("add", trailing_zeros(emit.code, high, I64), 64)
    return emit("select", emit("eq", a[0], 0), above, trailing_zeros(emit.code, a[0], I64)), 0


def _reversed(word: Callable[[Code, Scalar, Type], Scalar]):
    def compute(emit: Emit, a: Words, kind: Integer) -> Words:
        low, high = (word(emit.code, x, I64) for x in a)
        return emit.shift_right((high, low), 128 - kind.bits)

    return compute


def _funnel(left: bool) -> Lower:
    """fshl and fshr: the count counts modulo the width."""

    def lower(code: Code, statement: Statement) -> Value:
        emit, kind = Emit(code), statement.type
        high, low, count = _given(code, statement, False)
        near = _modulo(emit, count, kind.bits)
        far = kind.bits - near if isinstance(near, int) else emit("sub", kind.bits, near)
        up, down = (near, far) if left else (far, near)
        found = emit.bitwise("or", emit.shift_left(high, up), emit.shift_right(low, down))
        return from_words(code, found, kind)

    return lower


def _modulo(emit: Emit, a: Words, bits: int) -> Scalar:
    """An unsigned number modulo a width."""
    low, high = a
    if isinstance(low, int) and isinstance(high, int):
        return ((high & ONES) << 64 | low & ONES) % bits
    if bits == 128:
        return emit("and", low, 127)
    upper = emit("mul", emit("rem_u", high, bits), (1 << 64) % bits)
    return emit("rem_u", emit("add", upper, emit("rem_u", low, bits)), bits)


def _checked(name: str, sign: str) -> Callable[[Code, Statement], tuple[Words, Scalar]]:
    """The wrapped result of a sum, difference or product, and whether it wrapped."""

    def compute(code: Code, statement: Statement) -> tuple[Words, Scalar]:
        kind, emit = statement.operands[0].type, Emit(code)
        a, b = _given(code, statement, sign == "s")
        if name == "mul":
            return _checked_product(emit, a, b, kind, sign)
        exact = emit.add(a, b) if name == "add" else emit.subtract(a, b)
        result = _refitted(code, exact, kind, sign)
        if kind.bits < 128:
            return result, code.emit("not.i1", emit.equal(exact, result))
        if sign == "u":
            return result, emit.below(*((exact, a) if name == "add" else (a, b)), "u")
        against = emit("xor", (b if name == "add" else a)[1], (exact if name == "add" else b)[1])
        signs = emit("and", emit("xor", a[1], exact[1]), against)
        return result, emit("lt_s", signs, 0)

    return compute


def _refitted(code: Code, pair: Words, kind: Integer, sign: str) -> Words:
    """What is left of 128 bits in a type, extended again."""
    return words(code, from_words(code, pair, kind), kind, sign == "s")


def _checked_product(
    emit: Emit, a: Words, b: Words, kind: Integer, sign: str
) -> tuple[Words, Scalar]:
    """Of signed numbers: the product of their magnitudes, and how large that may be."""
    code = emit.code
    if sign == "u":
        product, beyond = _product_beyond(emit, a, b)
        return product, code.emit("or.i1", beyond, emit.below(_number(kind.mask), product, "u"))
    below = [emit("lt_s", x[1], 0) for x in (a, b)]
    sizes = [emit.choose(c, emit.negate(x), x) for c, x in zip(below, (a, b), strict=True)]
    negative = code.emit("xor.i1", *below)
    product, beyond = _product_beyond(emit, *sizes)
    most = emit.add(_number(kind.mask >> 1), (emit.bit(negative), 0))
    beyond = code.emit("or.i1", beyond, emit.below(most, product, "u"))
    return emit.choose(negative, emit.negate(product), product), beyond


def _product_beyond(emit: Emit, a: Words, b: Words) -> tuple[Words, Scalar]:
    """The product of unsigned numbers modulo 2**128, and whether that is not all of it."""
    code = emit.code
    both = code.emit("and.i1", emit("ne", a[1], 0), emit("ne", b[1], 0))
    lost = emit("or", emit("mul_high_u", a[0], b[1]), emit("mul_high_u", a[1], b[0]))
    low, high = emit("mul", a[0], b[0]), emit("mul_high_u", a[0], b[0])
    cross = emit("add", emit("mul", a[0], b[1]), emit("mul", a[1], b[0]))
    whole = emit("add", high, cross)
    beyond = code.emit("or.i1", both, emit("ne", lost, 0))
    return (low, whole), code.emit("or.i1", beyond, emit("lt_u", whole, high))


def _with_overflow(name: str, sign: str) -> Lower:
    def lower(code: Code, statement: Statement) -> Value:
        result, beyond = _checked(name, sign)(code, statement)
        return from_words(code, result, statement.operands[0].type), beyond

    return lower


def _saturated(name: str, sign: str) -> Lower:
    def lower(code: Code, statement: Statement) -> Value:
        emit, kind = Emit(code), statement.type
        result, beyond = _checked(name, sign)(code, statement)
        highest = kind.mask >> (sign == "s")
        limit = _number(highest if name == "add" or sign == "s" else 0)
        if sign == "s":
            operand = statement.operands[0]
            a = words(code, code.value(operand), operand.type, True)
            limit = emit.choose(emit("lt_s", a[1], 0), _number(~highest), limit)
        return from_words(code, emit.choose(beyond, limit, result), kind)

    return lower


def _shift_saturated(sign: str) -> Lower:
    """A shift that loses bits gives the limit of its sign."""

    def lower(code: Code, statement: Statement) -> Value:
        emit, kind = Emit(code), statement.type
        a, n = _given(code, statement, sign == "s")
        result = _refitted(code, emit.shift_left(a, n[0]), kind, sign)
        back = emit.shift_right_signed if sign == "s" else emit.shift_right
        limit = _number(kind.mask >> (sign == "s"))
        if sign == "s":
            limit = emit.choose(emit("lt_s", a[1], 0), _number(~(kind.mask >> 1)), limit)
        kept = emit.equal(back(result, n[0]), a)
        return from_words(code, emit.choose(kept, result, limit), kind)

    return lower


def _three_way(sign: str) -> Lower:
    """scmp and ucmp: -1, 0 or 1."""

    def lower(code: Code, statement: Statement) -> Value:
        emit = Emit(code)
        a, b = _given(code, statement, sign == "s")
        order = emit("sub", *(emit.bit(emit.below(x, y, sign)) for x, y in ((b, a), (a, b))))
        return from_words(code, (order, emit("shr_s", order, 63)), statement.type)

    return lower


LOWER: dict[str, Lower] = {
    "ashr": _shift_signed, "icmp": _compare,
    **dict.fromkeys(DIVISIONS, _divide),
    **dict.fromkeys(("zext", "sext", "trunc", "ptrtoint", "inttoptr", "ptrtoaddr"), _resize),
    **dict.fromkeys(("sitofp", "uitofp"), _to_float),
    **dict.fromkeys(("fptosi", "fptoui"), _from_float),
}  # fmt: skip
CALLS: dict[str, Lower] = {
    **{f"llvm.{name}": _extreme(name) for name in ("smax", "smin", "umax", "umin")},
    "llvm.abs": _magnitude, "llvm.ctpop": _of_bits(_ones), "llvm.ctlz": _of_bits(_leading),
    "llvm.cttz": _of_bits(_trailing), "llvm.bswap": _of_bits(_reversed(reverse_bytes)),
    "llvm.bitreverse": _of_bits(_reversed(reverse_bits)),
    "llvm.fshl": _funnel(True), "llvm.fshr": _funnel(False),
    **{
        f"llvm.{s}{n}.with.overflow": _with_overflow(n, s)
        for s in "su"
        for n in ("add", "sub", "mul")
    },
    **{f"llvm.{s}{n}.sat": _saturated(n, s) for s in "su" for n in ("add", "sub")},
    "llvm.sshl.sat": _shift_saturated("s"), "llvm.ushl.sat": _shift_saturated("u"),
    "llvm.fptosi.sat": _from_float, "llvm.fptoui.sat": _from_float,
    "llvm.scmp": _three_way("s"), "llvm.ucmp": _three_way("u"),
}  # fmt: skip
