"""ptx rows: funnel shifts, three-input logic, bit counts and fields, bytes, dot products.

bfe.s32 d, a, b, c           d = bits b … b + c - 1 of a, sign-extended
"""

from __future__ import annotations

from machines.instructions.ptx_operands import (
    computed,
    immediate,
    lanes,
    read,
    width,
    write,
)

PERMUTE_MODES = {
    "f4e": ("Four bytes of the pair {b, a} upwards from byte c", "c & 3", "n + {i}"),
    "b4e": ("Four bytes of the pair {b, a} downwards from byte c", "c & 3", "n - {i}"),
    "rc8": ("Byte c of a in all places", "c & 3", "n"),
    "ecl": ("Bytes of a, those below c replaced by byte c", "c & 3", "(n if n > {i} else {i})"),
    "ecr": ("Bytes of a, those above c replaced by byte c", "c & 3", "(n if n < {i} else {i})"),
    "rc16": ("Half c of a in both places", "2 * (c & 1)", "n + ({i} & 1)"),
}
"""Mode of prmt -> sentence, the number n that c stands for, and which byte goes to position i."""


def _funnel_shifts():
    pair = "(b << 32 | a)"
    for side in ("l", "r"):
        for mode, count in (("wrap", "(c & 31)"), ("clamp", "(c if c < 32 else 32)")):
            value = f"{pair} << {count} >> 32" if side == "l" else f"{pair} >> {count}"
            yield computed(
                f"shf.{side}.{mode}.b32",
                lanes("b32", "a", "b", "c"),
                value,
                f"{'High' if side == 'l' else 'Low'} half of the pair {{b, a}} shifted "
                f"{'left' if side == 'l' else 'right'} by c "
                f"{'modulo 32' if mode == 'wrap' else 'but at most 32'}.",
                "alu",
            )


def _logic():
    yield computed(
        "lop3.b32",
        (*lanes("b32", "a", "b", "c"), immediate("table", 8, signed=False)),
        "look_up_bits(a, b, c, table)",
        "Each bit from a table of eight: bit a * 4 + b * 2 + c of the immediate.",
        "alu",
    )


def _counts():
    for kind in ("b32", "b64"):
        one = (write("d", "u32"), read("a", kind))
        n = width(kind)
        yield computed(f"popc.{kind}", one, "population_count(a)", "Number of ones.", "bit_count")
        zeros = "count_leading_zeros(a)" + (" - 32" if n == 32 else "")
        yield computed(
            f"clz.{kind}", one, zeros, "Number of zeros above the first one.", "bit_count"
        )
        reversed_bits = "reverse_bits(a)"
        if n == 32:
            reversed_bits = "shift_right_unsigned(reverse_bits(a), 32)"
        yield computed(
            f"brev.{kind}", lanes(kind, "a"), reversed_bits, "Bits in reverse order.", "bit_count"
        )
    for kind in ("s32", "u32", "s64", "u64"):
        n = width(kind)
        value = "(~a if a < 0 else a)" if kind[0] == "s" else "a"
        fill = "sign" if kind[0] == "s" else "zero"
        one = (write("d", "u32"), read("a", kind))
        yield computed(
            f"bfind.{kind}",
            one,
            f"63 - count_leading_zeros({value})",
            f"Place of the highest bit that differs from {fill}; all ones if there is none.",
            "bit_count",
        )
        yield computed(
            f"bfind.shiftamt.{kind}",
            one,
            f"count_leading_zeros({value}) - {64 - n} if {value} != 0 else -1",
            f"Shift that brings the highest bit that differs from {fill} to the top; all ones if "
            "there is none.",
            "bit_count",
        )
    yield computed(
        "fns.b32",
        (write("d", "b32"), read("a", "b32"), read("base", "u32"), read("offset", "s32")),
        "find_set_bit(a, base, offset)",
        "Place of the offset-th one from place base on, downwards for negative; all ones if none.",
        "bit_count",
    )


def _fields():
    for kind in ("s32", "u32", "s64", "u64"):
        n = width(kind)
        length = f"((c & 255) if (c & 255) < {n} else {n})"
        some = f"({length} if {length} > 0 else 1)"
        if kind[0] == "s":
            value = f"sign_extend(shift_right(a, b & 255), {some})"
        else:
            value = f"zero_extend(shift_right_unsigned(a, b & 255), {some})"
        yield computed(
            f"bfe.{kind}",
            (*lanes(kind, "a"), read("b", "u32"), read("c", "u32")),
            f"{value} if c & 255 != 0 else 0",
            "The field of c bits from bit b on, extended with its sign or zeros; c = 0 gives 0.",
            "bit_field",
        )
    for kind in ("b32", "b64"):
        ones = "(shift_left(1, length & 255) - 1)"
        mask = f"shift_left({ones}, c & 255)"
        value = f"shift_left(a, c & 255) & {mask} | b & ~{mask}"
        reads = (read("c", "u32"), read("length", "u32"))
        yield computed(
            f"bfi.{kind}",
            (*lanes(kind, "a", "b"), *reads),
            value,
            "The second operand with the low bits of the first in the field of length length "
            "from bit c on.",
            "bit_field",
        )
    for mode, count in (("clamp", "{}"), ("wrap", "({} & 31)")):
        first, length = count.format("a"), count.format("b")
        yield computed(
            f"bmsk.{mode}.b32",
            (write("d", "b32"), read("a", "u32"), read("b", "u32")),
            f"shift_left(shift_left(1, {length}) - 1, {first})",
            f"A mask of b ones from bit a on, both {mode}ed.",
            "alu",
        )


def _bytes():
    operands = lanes("b32", "a", "b", "c")
    yield computed(
        "prmt.b32",
        operands,
        "permute_bytes(a, b, c)",
        "Four bytes of the pair {b, a}; each nibble of c chooses one, or its sign in every bit.",
        "alu",
    )
    for mode, (sentence, start, byte) in PERMUTE_MODES.items():
        nibbles = [
            f"shift_left({byte.format(i=i).replace('n', f'({start})')} & 7, {4 * i})"
            for i in range(4)
        ]
        yield computed(
            f"prmt.b32.{mode}",
            operands,
            f"permute_bytes(a, b, {' | '.join(nibbles)})",
            f"{sentence}.",
            "alu",
        )


def _dot_products():
    def part(name: str, kind: str, bits: int, position: int) -> str:
        extend = "sign_extend" if kind[0] == "s" else "zero_extend"
        return f"{extend}({name} >> {bits * position}, {bits})"

    for first in ("s32", "u32"):
        for second in ("s32", "u32"):
            kind = "u32" if first == second == "u32" else "s32"
            operands = (write("d", kind), read("a", first), read("b", second), read("c", kind))
            products = [f"{part('a', first, 8, i)} * {part('b', second, 8, i)}" for i in range(4)]
            yield computed(
                f"dp4a.{first}.{second}",
                operands,
                f"c + {' + '.join(products)}",
                "Third operand plus the products of the four bytes of the others.",
                "integer_multiply",
            )
            for half, offset in (("lo", 0), ("hi", 2)):
                products = [
                    f"{part('a', first, 16, i)} * {part('b', second, 8, i + offset)}"
                    for i in range(2)
                ]
                yield computed(
                    f"dp2a.{half}.{first}.{second}",
                    operands,
                    f"c + {' + '.join(products)}",
                    f"Third operand plus the products of the halves of a with the {half} two bytes "
                    "of b.",
                    "integer_multiply",
                )


ROWS = (*_funnel_shifts(), *_logic(), *_counts(), *_fields(), *_bytes(), *_dot_products())
