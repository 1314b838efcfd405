"""IR rows: constants, copies, arithmetic, comparisons, conversions.

Rows are named `operation.type`.  Integer operations exist for every integer width; those whose
result depends on the sign say so (`div_s`, `lt_u`).  See docs in compiler/NUMBERS.md.
"""

from __future__ import annotations

from machines.operations.row import Operand, Operation, Symbol
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type

WIDTHS = (I8, I16, I32, I64)
FLOATS = (F32, F64)


def _row(name, result: Type, reads, meaning: str, sentence: str, **fields) -> Operation:
    """A row with one result `d` and the operands named in `reads`: (('a', I32), …)."""
    operands = (Operand("d", result, "w"), *(Operand(n, kind) for n, kind in reads))
    return Operation(name, "ir", operands, meaning, sentence, **fields)


def _constants_and_copies():
    for t in (I1, *WIDTHS, *FLOATS, PTR):
        yield _row(f"copy.{t}", t, (("a", t),), "d = a", "Copy a value.")
        yield _row(
            f"select.{t}",
            t,
            (("p", I1), ("a", t), ("b", t)),
            "d = a if p else b",
            "The second operand if the first is true, else the third; both are evaluated.",
        )
    for t in (I1, *WIDTHS, *FLOATS):
        yield _row(
            f"const.{t}", t, (("a", t),), "d = a", "A literal.", flags=frozenset({"literal"})
        )
    yield _row("address.ptr", PTR, (("a", Symbol()),), "d = a", "The address of a buffer.")
    yield Operation(
        "opaque.i1",
        "ir",
        (Operand("d", I1, "w"),),
        "d = opaque",
        "A condition nothing is known of; the interpreter draws it from a seeded stream.",
        implicit_reads=("opaque",),
    )


def _integer_arithmetic(t: Type):
    n = t.bits
    two = (("a", t), ("b", t))

    def row(name, meaning, sentence, **fields):
        return _row(f"{name}.{t}", t, two, f"d = {meaning}", sentence, **fields)

    def narrow(text):
        return f"sign_extend({text}, {n})"

    def unsigned(name):
        return f"zero_extend({name}, {n})"

    yield row("add", narrow("a + b"), "Sum, wrapping.", commutes=True)
    yield row("sub", narrow("a - b"), "Difference, wrapping.")
    yield row("mul", narrow("a * b"), "Product, wrapping.", commutes=True)
    yield row("and", "a & b", "Bitwise and.", commutes=True)
    yield row("or", "a | b", "Bitwise or.", commutes=True)
    yield row("xor", "a ^ b", "Bitwise exclusive or.", commutes=True)
    yield row(
        "shl",
        narrow(f"shift_left(a, {unsigned('b')})"),
        "Shift left; a count at or past the width gives 0.",
    )
    yield row(
        "shr_s",
        f"shift_right(a, {unsigned('b')})",
        "Arithmetic shift right; a count at or past the width gives the sign.",
    )
    yield row(
        "shr_u",
        narrow(f"shift_right_unsigned({unsigned('a')}, {unsigned('b')})"),
        "Logical shift right; a count at or past the width gives 0.",
    )
    by_zero = {"faults_if": "b == 0", "fault": "division by zero"}
    yield row(
        "div_s",
        narrow("divide(a, b)"),
        "Signed quotient, truncated; MIN / -1 wraps; by zero faults.",
        **by_zero,
    )
    yield row(
        "rem_s",
        narrow("remainder(a, b)"),
        "Signed remainder with the dividend's sign; by zero faults.",
        **by_zero,
    )
    yield row(
        "div_u",
        narrow(f"divide_unsigned({unsigned('a')}, {unsigned('b')})"),
        "Unsigned quotient; by zero faults.",
        **by_zero,
    )
    yield row(
        "rem_u",
        narrow(f"remainder_unsigned({unsigned('a')}, {unsigned('b')})"),
        "Unsigned remainder; by zero faults.",
        **by_zero,
    )
    yield row("min_s", "a if a < b else b", "Signed minimum.", commutes=True)
    yield row("max_s", "a if a > b else b", "Signed maximum.", commutes=True)
    yield row("min_u", "a if below(a, b) else b", "Unsigned minimum.", commutes=True)
    yield row("max_u", "b if below(a, b) else a", "Unsigned maximum.", commutes=True)
    yield _row(f"neg.{t}", t, (("a", t),), f"d = {narrow('-a')}", "Negation; MIN wraps.")
    yield _row(f"not.{t}", t, (("a", t),), "d = ~a", "Bitwise complement.")


def _high_halves():
    two = (("a", I64), ("b", I64))
    for sign, function in (("s", "multiply_high"), ("u", "multiply_high_unsigned")):
        yield _row(
            f"mul_high_{sign}.i64",
            I64,
            two,
            f"d = {function}(a, b)",
            f"The upper 64 bits of the {'' if sign == 's' else 'un'}signed product of 128.",
            commutes=True,
        )


INTEGER_RELATIONS = {
    "eq": ("a == b", "Equal."),
    "ne": ("a != b", "Not equal."),
    "lt_s": ("a < b", "Signed less than."),
    "le_s": ("a <= b", "Signed less than or equal."),
    "gt_s": ("a > b", "Signed greater than."),
    "ge_s": ("a >= b", "Signed greater than or equal."),
    "lt_u": ("below(a, b)", "Unsigned less than."),
    "le_u": ("not below(b, a)", "Unsigned less than or equal."),
    "gt_u": ("below(b, a)", "Unsigned greater than."),
    "ge_u": ("not below(a, b)", "Unsigned greater than or equal."),
}

FLOAT_RELATIONS = {
    "eq": ("a == b", "Equal; false if either is NaN."),
    "ne": ("a != b", "Not equal; true if either is NaN."),
    "lt": ("a < b", "Less than; false if either is NaN."),
    "le": ("a <= b", "Less than or equal; false if either is NaN."),
    "gt": ("a > b", "Greater than; false if either is NaN."),
    "ge": ("a >= b", "Greater than or equal; false if either is NaN."),
}


def _relations(t: Type, relations: dict[str, tuple[str, str]]):
    for name, (test, sentence) in relations.items():
        yield _row(
            f"{name}.{t}",
            I1,
            (("a", t), ("b", t)),
            f"d = 1 if {test} else 0",
            sentence,
            commutes=name in ("eq", "ne"),
        )


def _logic():
    two = (("a", I1), ("b", I1))
    yield _row("and.i1", I1, two, "d = a & b", "Logical and; both are evaluated.", commutes=True)
    yield _row("or.i1", I1, two, "d = a | b", "Logical or; both are evaluated.", commutes=True)
    yield _row("xor.i1", I1, two, "d = a ^ b", "Exclusive or.", commutes=True)
    yield _row("not.i1", I1, (("a", I1),), "d = 1 - a", "Negation.")


def _pointers():
    yield _row(
        "add.ptr",
        PTR,
        (("a", PTR), ("b", I64)),
        "d = wrap(a + b)",
        "A pointer moved by a number of bytes.",
    )
    yield _row(
        "sub.ptr",
        I64,
        (("a", PTR), ("b", PTR)),
        "d = wrap(a - b)",
        "The distance between two pointers in bytes.",
    )
    for name in ("eq", "ne", "lt_u", "le_u", "gt_u", "ge_u"):
        yield from _relations(PTR, {name: INTEGER_RELATIONS[name]})
    yield _row("int.ptr.i64", I64, (("a", PTR),), "d = a", "A pointer as an integer.")
    yield _row("ptr.i64.ptr", PTR, (("a", I64),), "d = a", "An integer as a pointer.")


def _integer_conversions():
    for source in WIDTHS:
        for target in WIDTHS:
            if source.bits < target.bits:
                yield _row(
                    f"sext.{source}.{target}", target, (("a", source),), "d = a", "Sign extension."
                )
                yield _row(
                    f"zext.{source}.{target}",
                    target,
                    (("a", source),),
                    f"d = zero_extend(a, {source.bits})",
                    "Zero extension.",
                )
            elif source.bits > target.bits:
                yield _row(
                    f"trunc.{source}.{target}",
                    target,
                    (("a", source),),
                    f"d = sign_extend(a, {target.bits})",
                    "The low bits.",
                )
    for target in WIDTHS:
        yield _row(f"zext.i1.{target}", target, (("a", I1),), "d = a", "False is 0, true is 1.")


def _float_arithmetic(t: Type):
    two, three = (("a", t), ("b", t)), (("a", t), ("b", t), ("c", t))

    def exact(text):
        return text if t is F64 else f"round_f32({text})"

    def row(name, reads, meaning, sentence, **fields):
        return _row(f"{name}.{t}", t, reads, f"d = {meaning}", sentence, **fields)

    yield row("add", two, exact("a + b"), "Sum, rounded to nearest even.", commutes=True)
    yield row("sub", two, exact("a - b"), "Difference.")
    yield row("mul", two, exact("a * b"), "Product.", commutes=True)
    yield row("div", two, exact("divide_f64(a, b)"), "Quotient; by zero gives an infinity or NaN.")
    yield row("sqrt", (("a", t),), exact("sqrt_f64(a)"), "Square root; of a negative number NaN.")
    yield row("fma", three, f"fma_{t}(a, b, c)", "a * b + c, rounded once.")
    yield row("neg", (("a", t),), "-a", "Negation.")
    yield row("abs", (("a", t),), "abs(a)", "Magnitude.")
    yield row(
        "min",
        two,
        "minimum(a, b)",
        "Minimum; the other operand if one is NaN; -0 < +0.",
        commutes=True,
    )
    yield row(
        "max",
        two,
        "maximum(a, b)",
        "Maximum; the other operand if one is NaN; -0 < +0.",
        commutes=True,
    )


def _float_conversions():
    yield _row("extend.f32.f64", F64, (("a", F32),), "d = a", "Exact widening.")
    yield _row("round.f64.f32", F32, (("a", F64),), "d = round_f32(a)", "Rounded to nearest even.")
    for i in WIDTHS:
        for f in FLOATS:
            convert = "f64" if f is F64 else "f32"
            yield _row(
                f"float_s.{i}.{f}",
                f,
                (("a", i),),
                f"d = {convert}_from_signed(a)",
                "Signed integer to float, rounded to nearest even.",
            )
            yield _row(
                f"float_u.{i}.{f}",
                f,
                (("a", i),),
                f"d = {convert}_from_unsigned(zero_extend(a, {i.bits}))",
                "Unsigned integer to float, rounded to nearest even.",
            )
            yield _row(
                f"int_s.{f}.{i}",
                i,
                (("a", f),),
                f"d = truncate_signed(a, {i.bits})",
                "Float to signed integer: truncated, saturated, NaN gives 0.",
            )
            yield _row(
                f"int_u.{f}.{i}",
                i,
                (("a", f),),
                f"d = sign_extend(truncate_unsigned(a, {i.bits}), {i.bits})",
                "Float to unsigned integer: truncated, saturated, NaN gives 0.",
            )
    yield _row("bits.f64.i64", I64, (("a", F64),), "d = bits_from_f64(a)", "The encoding.")
    yield _row("bits.i64.f64", F64, (("a", I64),), "d = f64_from_bits(a)", "The decoded bits.")
    yield _row(
        "bits.f32.i32", I32, (("a", F32),), "d = sign_extend(bits_from_f32(a), 32)", "The encoding."
    )
    yield _row(
        "bits.i32.f32",
        F32,
        (("a", I32),),
        "d = f32_from_bits(zero_extend(a, 32))",
        "The decoded bits.",
    )


def _rows():
    yield from _constants_and_copies()
    yield from _logic()
    for t in WIDTHS:
        yield from _integer_arithmetic(t)
        yield from _relations(t, INTEGER_RELATIONS)
    yield from _high_halves()
    yield from _pointers()
    yield from _integer_conversions()
    for t in FLOATS:
        yield from _float_arithmetic(t)
        yield from _relations(t, FLOAT_RELATIONS)
    yield from _float_conversions()


ROWS = tuple(_rows())
