"""ptx rows: conversions.

    cvt.rzi.s32.f32 d, a         d = truncate_signed(a, 32)
    cvt.u16.s32 d, a             d = the low 16 bits of a

To an integer a float clamps to what fits; NaN gives 0, and of 64 bits only the top bit set.  A
narrow result is extended by its own sign to the register that holds it.
"""

from __future__ import annotations

from machines.instructions.ptx_operands import DIGITS, ROUNDINGS, computed, read, width, write

INTEGERS = ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64")
INTEGRAL = {
    "rni": ("round_even({})", "to nearest even"),
    "rzi": ("truncate({})", "towards zero"),
    "rmi": ("floor({})", "down"),
    "rpi": ("ceiling({})", "up"),
}


def lane_of(kind: str) -> str:
    """The lane type that holds values of a type: those of 8 bits stand in 32."""
    return {"s8": "s32", "u8": "u32"}.get(kind, kind)


def class_of(kind: str, source: str) -> str:
    """The scheduling class of a conversion."""
    if kind.endswith("64") or source.endswith("64"):
        return "convert64"
    return "integer_to_float" if source in INTEGERS else "convert"


def read_integer(kind: str) -> tuple:
    """The operand and the expression of its value."""
    lane, value = lane_of(kind), "a"
    if width(kind) == 8:
        value = f"{'sign' if kind[0] == 's' else 'zero'}_extend(a, 8)"
    return read("a", lane), value


def _narrowed(kind: str, value: str) -> str:
    """`value` as a type of fewer bits than its register."""
    if width(kind) >= 32:
        return value
    return f"{'sign' if kind[0] == 's' else 'zero'}_extend({value}, {width(kind)})"


def _limits(kind: str) -> tuple[int, int]:
    n = width(kind)
    return (-(1 << n - 1), (1 << n - 1) - 1) if kind[0] == "s" else (0, (1 << n) - 1)


def _clamped(kind: str, source: str, value: str) -> str:
    """`value` of an integer type clamped to the range of another."""
    low, high = _limits(kind)
    least, most = _limits(source)
    if source == "u64":  # held signed: what seems negative is large
        top = f"shift_right_unsigned(-1, {64 - high.bit_length()})"
        return f"{top} if below({top}, {value}) else {value}"
    text = value
    if most > high and width(kind) < 64:
        text = f"{high} if {value} > {high} else {text}"
    if least < low:
        text = f"{low} if {value} < {low} else {text}"
    return text


def _among_integers():
    for source in INTEGERS:
        operand, value = read_integer(source)
        for kind in INTEGERS:
            if kind == source:
                continue
            d = write("d", lane_of(kind))
            scheduling_class = "integer_wide" if "64" in kind + source else "alu"
            yield computed(
                f"cvt.{kind}.{source}",
                (d, operand),
                _narrowed(kind, value),
                f"The low {width(kind)} bits."
                if width(kind) <= width(source)
                else "The same value, or its low bits, extended.",
                scheduling_class,
            )
            least, most = _limits(source)
            low, high = _limits(kind)
            if least < low or most > high:
                yield computed(
                    f"cvt.sat.{kind}.{source}",
                    (d, operand),
                    _clamped(kind, source, value),
                    "The nearest value that fits.",
                    scheduling_class,
                )


def _from_integers():
    for source in INTEGERS:
        operand, value = read_integer(source)
        sign = "unsigned" if source == "u64" else "signed"
        for kind in ("f32", "f64"):
            for rounding, mode in ROUNDINGS.items():
                text = f"{kind}_from_{sign}({value})"
                if rounding != "rn":
                    text = f"{sign}_toward({value}, {mode}, {DIGITS[kind]})"
                yield computed(
                    f"cvt.{rounding}.{kind}.{source}",
                    (write("d", kind), operand),
                    text,
                    "The number as a float, rounded.",
                    class_of(kind, source),
                )


def _to_integers():
    for source in ("f32", "f64"):
        for rounding, (integral, how) in INTEGRAL.items():
            for ftz in ("", ".ftz")[: 2 if source == "f32" else 1]:
                whole = integral.format("flush(a)" if ftz else "a")
                for kind in INTEGERS:
                    sign = "signed" if kind[0] == "s" else "unsigned"
                    value = f"truncate_{sign}({whole}, {width(kind)})"
                    if width(kind) == 64:
                        value = f"{value} if a == a else shift_left(1, 63)"
                    yield computed(
                        f"cvt.{rounding}{ftz}.{kind}.{source}",
                        (write("d", lane_of(kind)), read("a", source)),
                        value,
                        f"The integer {how}, clamped to what fits.",
                        class_of(kind, source),
                    )


def _among_floats():
    def convert(name, kind, source, value, sentence, scheduling_class=None):
        operands = (write("d", kind), read("a", source))
        return computed(name, operands, value, sentence, scheduling_class or class_of(kind, source))

    for ftz, read_value in (("", "a"), (".ftz", "flush(a)")):
        yield convert(f"cvt{ftz}.f64.f32", "f64", "f32", read_value, "The same value.")
        yield convert(
            f"cvt{ftz}.sat.f64.f32", "f64", "f32", f"saturate({read_value})", "Clamped to 0 … 1."
        )
        yield convert(f"cvt{ftz}.f32.f32", "f32", "f32", read_value, "The same value.", "alu")
        yield convert(
            f"cvt{ftz}.sat.f32.f32",
            "f32",
            "f32",
            f"saturate({read_value})",
            "Clamped to 0 … 1.",
            "alu",
        )
        for rounding, mode in ROUNDINGS.items():
            value = "round_f32(a)" if rounding == "rn" else f"round_toward(a, {mode}, 24)"
            value = f"flush({value})" if ftz else value
            sentence = "The nearest f32 in the direction of rounding."
            yield convert(f"cvt.{rounding}{ftz}.f32.f64", "f32", "f64", value, sentence)
            value, sentence = f"saturate({value})", f"{sentence[:-1]}, clamped to 0 … 1."
            yield convert(f"cvt.{rounding}{ftz}.sat.f32.f64", "f32", "f64", value, sentence)
        for rounding, (integral, how) in INTEGRAL.items():
            for kind in ("f32", "f64")[: 1 if ftz else 2]:
                value, sentence = integral.format(read_value), f"The integral value {how}."
                name = f"cvt.{rounding}{ftz}"
                yield convert(f"{name}.{kind}.{kind}", kind, kind, value, sentence)
                value, sentence = f"saturate({value})", f"{sentence[:-1]}, clamped to 0 … 1."
                yield convert(f"{name}.sat.{kind}.{kind}", kind, kind, value, sentence)
    yield convert("cvt.sat.f64.f64", "f64", "f64", "saturate(a)", "Clamped to 0 … 1.")


ROWS = (*_among_integers(), *_from_integers(), *_to_integers(), *_among_floats())
