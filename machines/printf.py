"""C's printf: the parts of a format, and the text of each value.

    parts(b"x = %5.2f of %d\\n")    b"x = ", %5.2f, b" of ", %d, b"\\n"
    arguments(those)               (0, 8), (8, 4): places and bytes; each is at a multiple of those

Values stand in memory as a variable list of x86-64 or of CUDA has them: integers of 4 bytes (8 with
`l`, `ll`, `j`, `z`, `t`), doubles, addresses.  Texts are those of glibc.  What is no conversion is
text, and `%n` is none.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_CONVERSION = re.compile(
    rb"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<size>hh|h|ll|l|L|j|z|t)?(?P<letter>[diouxXeEfFgGaAcsp%])"
)
STAR = -1
"""A width or precision that is an argument."""
WIDEST = 10_000
"""Characters of a width or precision that are taken."""
_INTEGERS, _FLOATS = "diouxX", "eEfFgGaA"
_BITS = {"hh": 8, "h": 16, "": 32}


@dataclass(frozen=True, slots=True)
class Conversion:
    """`%-8.3f`: width and precision are None where there is none."""

    flags: str
    width: int | None
    precision: int | None
    size: str
    letter: str

    @property
    def stars(self) -> int:
        """How many integers it takes before its value."""
        return (self.width == STAR) + (self.precision == STAR)

    @property
    def bytes(self) -> int:
        """Of its value as an argument."""
        if self.letter in _INTEGERS:
            return 4 if self.size in _BITS else 8
        return 4 if self.letter == "c" else 8


Part = bytes | Conversion


def parts(format: bytes) -> list[Part]:
    """A format's texts and conversions, in order; `%%` is a text."""
    found: list[Part] = []
    end = 0
    for match in _CONVERSION.finditer(format):
        found.append(format[end : match.start()])
        end = match.end()
        if match["letter"] == b"%":
            found.append(b"%")
            continue
        width, precision = _number(match["width"]), _number(match["precision"])
        flags, size, letter = (
            (match[name] or b"").decode() for name in ("flags", "size", "letter")
        )
        found.append(Conversion(flags, width, precision, size, letter))
    found.append(format[end:])
    return [part for part in found if part != b""]


def _number(text: bytes | None) -> int | None:
    if text is None:
        return None
    return STAR if text == b"*" else min(int(text or b"0"), WIDEST)


def arguments(of: Sequence[Part]) -> list[tuple[int, int]]:
    """Where the arguments of parts stand behind one another: (offset, bytes)."""
    found, end = [], 0
    for part in of:
        if isinstance(part, bytes):
            continue
        for size in (*[4] * part.stars, part.bytes):
            offset = -(-end // size) * size
            found.append((offset, size))
            end = offset + size
    return found


def text(format: bytes, data: bytes, string: Callable[[int], bytes]) -> bytes:
    """What is printed of a format and its arguments; `string` gives the bytes at an address."""
    of = parts(format)
    values = iter(data[offset : offset + size] for offset, size in arguments(of))
    return b"".join(
        part if isinstance(part, bytes) else _converted(part, values, string) for part in of
    )


def _converted(one: Conversion, values: Iterator[bytes], string: Callable[[int], bytes]) -> bytes:
    flags, width, precision = one.flags, one.width, one.precision
    if width == STAR:
        width = _signed(next(values))
        flags, width = (flags + "-", -width) if width < 0 else (flags, width)
        width = min(width, WIDEST)
    if precision == STAR:
        precision = min(_signed(next(values)), WIDEST)
        precision = None if precision < 0 else precision
    value = next(values)
    if one.letter in _INTEGERS:
        sign, digits, may_fill = _integer(one, flags, precision, value)
    elif one.letter in _FLOATS:
        sign, digits, may_fill = _float(one.letter, flags, precision, value)
    elif one.letter == "p":
        address = int.from_bytes(value, "little")
        sign, digits, may_fill = (
            (b"0x", b"%x" % address, True) if address else (b"", b"(nil)", False)
        )
    elif one.letter == "c":
        sign, digits, may_fill = b"", value[:1], False
    else:
        address = int.from_bytes(value, "little")
        whole = string(address) if address else b"(null)"
        sign, digits, may_fill = b"", whole if precision is None else whole[:precision], False
    return _padded(sign, digits, width or 0, flags, may_fill)


def _padded(sign: bytes, digits: bytes, width: int, flags: str, may_fill: bool) -> bytes:
    if "-" in flags:
        return (sign + digits).ljust(width)
    if "0" in flags and may_fill:
        return sign + digits.rjust(width - len(sign), b"0")
    return (sign + digits).rjust(width)


def _signed(value: bytes) -> int:
    return int.from_bytes(value, "little", signed=True)


def _sign(is_negative: bool, flags: str) -> bytes:
    if is_negative:
        return b"-"
    return b"+" if "+" in flags else b" " if " " in flags else b""


def _integer(
    one: Conversion, flags: str, precision: int | None, value: bytes
) -> tuple[bytes, bytes, bool]:
    """Sign or prefix, digits, and whether zeros may stand between them."""
    bits = _BITS.get(one.size, 64)
    number = int.from_bytes(value, "little") & (1 << bits) - 1
    prefix = b""
    if one.letter in "di":
        number -= (number >> bits - 1) << bits
        prefix = _sign(number < 0, flags)
    spell = {"o": "o", "x": "x", "X": "X"}.get(one.letter, "d")
    digits = format(abs(number), spell) if number or precision != 0 else ""
    digits = digits.rjust(precision or 0, "0")
    if "#" in flags and one.letter == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    if "#" in flags and one.letter in "xX" and number:
        prefix = f"0{one.letter}".encode()
    return prefix, digits.encode(), precision is None


def _float(
    letter: str, flags: str, precision: int | None, value: bytes
) -> tuple[bytes, bytes, bool]:
    [number] = struct.unpack("<d", value)
    sign = _sign(math.copysign(1.0, number) < 0, flags)
    size = abs(number)
    is_upper = letter.isupper()
    if not math.isfinite(number):
        word = b"nan" if math.isnan(number) else b"inf"
        return sign, word.upper() if is_upper else word, False
    if letter in "aA":
        digits = _hexadecimal(size, precision, "#" in flags)
        sign += b"0x"
    else:
        alternate = "#" if "#" in flags else ""
        digits = f"%{alternate}.{6 if precision is None else precision}{letter.lower()}" % size
    if is_upper:
        return sign.upper(), digits.upper().encode(), True
    return sign, digits.encode(), True


def _hexadecimal(size: float, precision: int | None, has_point: bool) -> str:
    """`1.8p+1`: the digits behind the point that there are, or as many as the precision says."""
    bits = struct.unpack("<Q", struct.pack("<d", size))[0]
    exponent, fraction = bits >> 52, bits & (1 << 52) - 1
    significand = fraction | (exponent > 0) << 52
    power = max(exponent, 1) - 1023 if size else 0
    digits = 13
    if precision is not None and precision < 13:
        shift = 4 * (13 - precision)
        half, rest = 1 << shift - 1, significand & (1 << shift) - 1
        significand >>= shift
        significand += rest > half or (rest == half and significand & 1)
        digits = precision
    whole = significand >> 4 * digits
    behind = format(significand & (1 << 4 * digits) - 1, f"0{digits}x") if digits else ""
    behind = behind.rstrip("0") if precision is None else behind.ljust(precision, "0")
    point = "." if behind or has_point else ""
    return f"{whole:x}{point}{behind}p{power:+d}"
