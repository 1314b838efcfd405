"""ptx rows: integer arithmetic, carry chains, logic and shifts.

    mad.lo.s32 d, a, b, c        d = a * b + c

A quotient or remainder by zero is all ones, as the code that nvcc generates leaves it.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import (
    BITS,
    INTEGERS,
    SIGNED,
    SOFTWARE,
    by_width,
    computed,
    lanes,
    less,
    read,
    row,
    width,
    write,
)


def _multiply_class(kind: str) -> str:
    return by_width(kind, "integer_multiply", "integer_multiply64")


def _wide_class(kind: str) -> str:
    return "integer_multiply_wide" if width(kind) == 32 else _multiply_class(kind)


LEAST, MOST = -(1 << 31), (1 << 31) - 1
"""Of s32."""


def high_half(kind: str) -> str:
    """The upper half of a * b as an expression."""
    if kind == "s64":
        return "multiply_high(a, b)"
    if kind == "u64":
        return "multiply_high_unsigned(a, b)"
    if kind == "u32":
        return "shift_right_unsigned(wrap(a * b), 32)"
    return f"shift_right(a * b, {width(kind)})"


def _sums_and_products():
    for kind in SIGNED:
        alu, multiply = by_width(kind, "alu", "integer_wide"), _multiply_class(kind)
        total = by_width(kind, "integer_sum", "integer_wide")
        yield computed(f"add.{kind}", lanes(kind, "a", "b"), "a + b", "Sum.", total, commutes=True)
        yield computed(f"sub.{kind}", lanes(kind, "a", "b"), "a - b", "Difference.", total)
        yield computed(
            f"mul.lo.{kind}",
            lanes(kind, "a", "b"),
            "a * b",
            "Low half of the product.",
            multiply,
            commutes=True,
        )
        yield computed(
            f"mad.lo.{kind}",
            lanes(kind, "a", "b", "c"),
            "a * b + c",
            "Low half of the product, plus the third operand.",
            multiply,
            commutes=True,
        )
        yield computed(f"neg.{kind}", lanes(kind, "a"), "-a", "Negation; MIN stays.", alu)
        yield computed(
            f"abs.{kind}",
            lanes(kind, "a"),
            "-a if a < 0 else a",
            "Absolute value; MIN stays.",
            alu,
        )
    for kind in INTEGERS:
        multiply = _wide_class(kind)
        yield computed(
            f"mul.hi.{kind}",
            lanes(kind, "a", "b"),
            high_half(kind),
            "High half of the product.",
            multiply,
            commutes=True,
        )
        yield computed(
            f"mad.hi.{kind}",
            lanes(kind, "a", "b", "c"),
            f"{high_half(kind)} + c",
            "High half of the product, plus the third operand.",
            multiply,
            commutes=True,
        )
    whole = f"{high_half('s32')} + c"
    yield computed(
        "mad.hi.sat.s32",
        lanes("s32", "a", "b", "c"),
        f"{MOST} if {whole} > {MOST} else ({LEAST} if {whole} < {LEAST} else {whole})",
        "High half of the product, plus the third operand; clamped.",
        "integer_multiply_wide",
        commutes=True,
    )
    for kind in ("s16", "u16", "s32", "u32"):
        wide = f"{kind[0]}{2 * width(kind)}"
        multiply = "integer_multiply_wide" if width(kind) == 32 else "integer_multiply"
        operands = (write("d", wide), read("a", kind), read("b", kind))
        yield computed(
            f"mul.wide.{kind}",
            operands,
            "wrap(a * b)",
            f"The whole product, of {2 * width(kind)} bits.",
            multiply,
            commutes=True,
        )
        yield computed(
            f"mad.wide.{kind}",
            (*operands, read("c", wide)),
            "a * b + c",
            f"The whole product plus an operand of {2 * width(kind)} bits.",
            multiply,
            commutes=True,
        )
    for kind in ("s32", "u32"):
        extend = "sign_extend" if kind == "s32" else "zero_extend"
        product = f"{extend}(a, 24) * {extend}(b, 24)"
        for half, value in (("lo", product), ("hi", f"shift_right({product}, 16)")):
            which = "Low 32 bits" if half == "lo" else "Bits 16 to 47"
            yield computed(
                f"mul24.{half}.{kind}",
                lanes(kind, "a", "b"),
                value,
                f"{which} of the product of the operands' low 24 bits.",
                "integer_multiply",
                commutes=True,
            )
            yield computed(
                f"mad24.{half}.{kind}",
                lanes(kind, "a", "b", "c"),
                f"{value} + c",
                f"{which} of the product of the operands' low 24 bits, plus the third operand.",
                "integer_multiply",
                commutes=True,
            )


def _quotients():
    for kind in INTEGERS:
        suffix = "_unsigned" if kind[0] == "u" else ""
        for name, function, sentence in (
            ("div", "divide", "Quotient, truncated; by zero all ones; MIN / -1 is MIN."),
            ("rem", "remainder", "Remainder with the sign of the dividend; by zero all ones."),
        ):
            yield computed(
                f"{name}.{kind}",
                lanes(kind, "a", "b"),
                f"-1 if b == 0 else {function}{suffix}(a, 1 if b == 0 else b)",
                sentence,
                by_width(kind, "divide_integer", "divide_integer64"),
                flags=SOFTWARE,
            )


def _orders():
    for kind in INTEGERS:
        alu = by_width(kind, "alu", "integer_wide")
        first = less(kind, "a", "b")
        two = lanes(kind, "a", "b")
        for name, value, sentence in (
            ("min", f"a if {first} else b", "The smaller."),
            ("max", f"b if {first} else a", "The larger."),
        ):
            yield computed(f"{name}.{kind}", two, value, sentence, alu, commutes=True)
        yield computed(
            f"sad.{kind}",
            lanes(kind, "a", "b", "c"),
            f"c + (b - a if {first} else a - b)",
            "Third operand plus the absolute difference of the others.",
            alu,
            commutes=True,
        )


# Carry chains ---------------------------------------------------------------------------------


def _with_carry(name, kind, reads, value, out, sentence, carries_out):
    """One row of a chain; the incoming carry, if it reads one, is `carry_in`."""
    operands = [write("d", kind)]
    meaning = f"d = {value}"
    if carries_out:
        operands.append(write("carry", "pred"))
        meaning += f"\ncarry = {out}"
    operands += [read(operand, kind) for operand in reads]
    if "carry_in" in value:
        operands.append(read("carry_in", "pred", "predicate"))
    product = "mad" in name
    scheduling_class = by_width(kind, "alu", "integer_wide")
    if product:
        scheduling_class = _wide_class(kind) if ".hi." in name else _multiply_class(kind)
    return row(name, operands, meaning, sentence, scheduling_class)


def _carry(kind: str, terms: list[str]) -> str:
    """The carry out of the unsigned sum of up to three terms, the last of three 0 or 1."""
    if width(kind) == 32:
        return f"shift_right({' + '.join(terms)}, 32)"
    first = f"wrap({terms[0]} + {terms[1]})"
    carry = f"below({first}, {terms[1]})"
    if len(terms) == 3:
        carry += f" or below(wrap({first} + {terms[2]}), {first})"
    return f"1 if {carry} else 0"


def _borrow(kind: str, carried: bool) -> str:
    less_than = less(kind, "a", "b")
    if carried:
        less_than += " or (carry_in == 1 and a == b)"
    return f"1 if {less_than} else 0"


def _chains():
    for kind in ("u32", "u64"):
        for carried in (False, True):
            terms = ["a", "b", *(["carry_in"] if carried else [])]
            stem = "addc" if carried else "add"
            names = [(f"{stem}.cc.{kind}", True), *([(f"addc.{kind}", False)] if carried else [])]
            for name, out in names:
                value, sentence = " + ".join(terms), "Sum" + (" with carry" if carried else "")
                sentence += "; the carry out too." if out else "."
                yield _with_carry(name, kind, "ab", value, _carry(kind, terms), sentence, out)
            stem = "subc" if carried else "sub"
            names = [(f"{stem}.cc.{kind}", True), *([(f"subc.{kind}", False)] if carried else [])]
            for name, out in names:
                sentence = "Difference" + (" less the borrow" if carried else "")
                sentence += "; the borrow out too." if out else "."
                value = " - ".join(terms)
                yield _with_carry(name, kind, "ab", value, _borrow(kind, carried), sentence, out)
        yield from _product_chains(kind, "lo", "wrap(a * b)")
    for kind in ("u32", "u64", "s32", "s64"):  # the low half is the same with a sign and without
        yield from _product_chains(kind, "hi", high_half(kind))


def _product_chains(kind: str, half: str, product: str):
    """A half of the product plus the third operand; the carry is that of numbers without a sign."""
    signless = f"zero_extend({{}}, {width(kind)})".format
    addend = signless("c") if kind == "s32" else "c"
    for carried in (False, True):
        terms = [signless(product), addend, *(["carry_in"] if carried else [])]
        stem = f"madc.{half}" if carried else f"mad.{half}"
        names = [(f"{stem}.cc.{kind}", True)]
        if carried:
            names.append((f"{stem}.{kind}", False))
        for name, out in names:
            sentence = f"{'High' if half == 'hi' else 'Low'} half of the product plus the "
            sentence += "third operand" + (" and the carry" if carried else "")
            sentence += "; the carry out too." if out else "."
            value = " + ".join(terms)
            yield _with_carry(name, kind, "abc", value, _carry(kind, terms), sentence, out)


# Logic and shifts -----------------------------------------------------------------------------


def _logic():
    for kind in (*BITS, "pred"):
        alu = "predicate_compare" if kind == "pred" else by_width(kind, "alu", "integer_wide")
        for name, operator, sentence in (
            ("and", "&", "Bitwise and."),
            ("or", "|", "Bitwise or."),
            ("xor", "^", "Bitwise exclusive or."),
        ):
            two = lanes(kind, "a", "b")
            yield computed(f"{name}.{kind}", two, f"a {operator} b", sentence, alu, commutes=True)
        complement = "1 - a" if kind == "pred" else "~a"
        yield computed(f"not.{kind}", lanes(kind, "a"), complement, "Bitwise complement.", alu)
        if kind != "pred":
            yield computed(
                f"cnot.{kind}",
                lanes(kind, "a"),
                "1 if a == 0 else 0",
                "1 for zero, 0 for anything else.",
                alu,
            )


def _shifts():
    for kind in BITS:
        n = width(kind)
        shifted = "shift_left(a, b)" if n == 64 else f"a << (b & {n - 1}) if b < {n} else 0"
        yield computed(
            f"shl.{kind}",
            (write("d", kind), read("a", kind), read("b", "u32")),
            shifted,
            f"Shift left; {n} and more give 0.",
            by_width(kind, "alu", "integer_wide"),
        )
    for kind in INTEGERS:
        n = width(kind)
        if kind[0] == "s":
            value = f"a >> (b if b < {n} else {n - 1})"
            sentence = f"Arithmetic shift right; {n} and more give the sign."
        else:
            value = (
                "shift_right_unsigned(a, b)" if n == 64 else f"a >> (b & {n - 1}) if b < {n} else 0"
            )
            sentence = f"Logical shift right; {n} and more give 0."
        yield computed(
            f"shr.{kind}",
            (write("d", kind), read("a", kind), read("b", "u32")),
            value,
            sentence,
            by_width(kind, "alu", "integer_wide"),
        )


ROWS = (*_sums_and_products(), *_quotients(), *_orders(), *_chains(), *_logic(), *_shifts())
