"""Random integer code in PTX: logic, sums, shifts, rotations, quotients, halves of 64 bits.

    and.b32 %r5, %r1, %r0;  add.s32 %r6, %r5, 7;  shf.l.wrap.b32 %r7, %r6, %r6, 5;  …

A kernel loads four words, computes, perhaps goes round a few times with what it has, and stores
every value that nothing else reads.  Registers are read often and written again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

INPUTS = 4
NUMBERS = (1, 3, 7, 255, 0xFF00, 0x7FFFFFFF, -1, -5, 0x5A827999)


@dataclass(frozen=True)
class Style:
    """What a kernel is made of.

    operations  how often each stands there
    most        statements
    constant    chance of a constant operand; rewritten: that a register is written again
    loops       whether all of it is done several times
    bits        of all values
    """

    operations: dict[str, int]
    most: int = 14
    constant: float = 0.1
    rewritten: float = 0.1
    loops: bool = False
    bits: int = 32

    @property
    def file(self) -> str:
        """How registers are named."""
        return "%r" if self.bits == 32 else "%d"


LOGIC = {"and": 3, "or": 3, "xor": 3, "not": 2}
SUMS = {"add": 5, "sub": 3}
SHIFTS = {"rotate": 3, "shl": 2, "shr": 2, "add": 4, "xor": 1}
QUOTIENTS = {"div.u32": 1, "rem.u32": 1, "div.s32": 1, "rem.s32": 1, "add": 2}
WIDE = {"rotation": 4, "shl": 3, "shr": 4, "narrow": 2, "selp": 1, "mul": 1, "add": 3, "sub": 2}
STYLES = (
    Style(LOGIC, most=16),
    Style(SUMS, most=16),
    Style(SHIFTS),
    Style(LOGIC | SUMS | SHIFTS, most=30, loops=True),
    Style(QUOTIENTS, most=6, constant=0.2),
    Style(QUOTIENTS | LOGIC, most=12, loops=True),
    Style(LOGIC | WIDE, most=14, bits=64),
    Style(LOGIC | WIDE, most=20, rewritten=0.3, loops=True, bits=64),
)


def random_integers(seed: int, styles: tuple[Style, ...] = STYLES) -> str:
    """A file of one kernel, `k`, of the style that its seed has."""
    return _Kernel(styles[seed % len(styles)], Random(seed)).text()


class _Kernel:
    def __init__(self, style: Style, random: Random):
        self.style, self.random = style, random
        self.lines: list[str] = []
        self.written = INPUTS
        self.read: set[int] = set()

    def text(self) -> str:
        style, bits, file, size = self.style, self.style.bits, self.style.file, self.style.bits // 8
        for _ in range(self.random.randrange(3, style.most)):
            self.statement()
        stored = [k for k in range(self.written) if k >= INPUTS and k not in self.read]
        body = self.lines
        if style.loops:
            again = self.random.sample(range(INPUTS, self.written), min(2, self.written - INPUTS))
            carried = [
                f"mov.b{style.bits} {style.file}{k}, {style.file}{value};"
                for k, value in enumerate(again)
            ]
            body = ["mov.b32 %i, 0;", "again:", '.pragma "nounroll";', *body, *carried]
            body += ["add.s32 %i, %i, 1;", "setp.lt.s32 %p, %i, 3;", "@%p bra again;"]
        return "\n".join(
            (
                ".version 8.0",
                ".target sm_90",
                ".address_size 64",
                ".visible .entry k(.param .u64 p, .param .u64 q) {",
                ".reg .b32 %r<99>, %i, %t; .reg .b64 %d<99>, %a, %b, %x, %y; .reg .pred %p;",
                "ld.param.u64 %a, [p]; ld.param.u64 %b, [q];",
                "cvta.to.global.u64 %a, %a; cvta.to.global.u64 %b, %b;",
                *(f"ld.global.u{bits} {file}{k}, [%a+{size * k}];" for k in range(INPUTS)),
                *body,
                *(f"st.global.u{bits} [%b+{size * k}], {file}{v};" for k, v in enumerate(stored)),
                "ret;",
                "}",
            )
        )

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def value(self) -> str:
        """A register: often one of the last, else any, also inputs."""
        number = self.random.randrange(self.written)
        if self.written > INPUTS and self.chance(0.5):
            number = self.random.randrange(max(INPUTS, self.written - 3), self.written)
        self.read.add(number)
        return f"{self.style.file}{number}"

    def operand(self) -> str:
        if self.chance(self.style.constant):
            return str(self.random.choice(NUMBERS))
        return self.value()

    def result(self) -> str:
        number = self.written
        if self.written > INPUTS and self.chance(self.style.rewritten):
            number = self.random.randrange(self.written)
        self.written = max(self.written, number + 1)
        self.read.discard(number)
        return f"{self.style.file}{number}"

    def statement(self) -> None:
        names = list(self.style.operations)
        weights = list(self.style.operations.values())
        [name] = self.random.choices(names, weights)
        self.lines.append(_WRITTEN.get(name, _two)(self, name))


def _two(k: _Kernel, name: str) -> str:
    kind = f"s{k.style.bits}" if name in ("add", "sub") else f"b{k.style.bits}"
    a, b = k.value(), k.operand()
    while b == a:
        b = k.operand()
    return f"{name if '.' in name else f'{name}.{kind}'} {k.result()}, {a}, {b};"


def _not(k: _Kernel, name: str) -> str:
    a = k.value()
    return f"not.b{k.style.bits} {k.result()}, {a};"


def _shift(k: _Kernel, name: str) -> str:
    kind = "b" if name == "shl" else k.random.choice("us")
    a = k.value()
    return f"{name}.{kind}{k.style.bits} {k.result()}, {a}, {k.random.randrange(1, k.style.bits)};"


def _rotate(k: _Kernel, name: str) -> str:
    a, side = k.value(), k.random.choice("lr")
    return f"shf.{side}.wrap.b32 {k.result()}, {a}, {a}, {k.random.randrange(1, 32)};"


def _rotation(k: _Kernel, name: str) -> str:
    """Of 64 bits, as nvcc writes it; sometimes of two values, or with a gap."""
    a, b = k.value(), k.value()
    b = a if k.chance(0.7) else b
    count = k.random.randrange(1, 64)
    other = 64 - count if k.chance(0.8) else k.random.randrange(1, 64)
    join = k.random.choice(("add.s64", "or.b64", "xor.b64"))
    parts = f"shl.b64 %x, {a}, {count}; shr.u64 %y, {b}, {other};"
    return f"{parts} {join} {k.result()}, %x, %y;"


def _narrow(k: _Kernel, name: str) -> str:
    """To a word and back, or put together of two."""
    a, b = k.value(), k.value()
    if k.chance(0.3):
        return (
            f"mov.b64 {{%r0, %r1}}, {a}; cvt.u32.u64 %r2, {b}; mov.b64 {k.result()}, {{%r2, %r0}};"
        )
    there, back = k.random.choice("us"), k.random.choice("us")
    return f"cvt.{there}32.u64 %t, {a}; cvt.{back}64.{back}32 {k.result()}, %t;"


def _selp(k: _Kernel, name: str) -> str:
    a, b, c, d = k.value(), k.value(), k.value(), k.operand()
    compared = f"setp.{k.random.choice(('lt', 'ge', 'eq'))}.{k.random.choice('us')}64 %p"
    return f"{compared.replace('eq.u', 'eq.s')}, {c}, {d}; selp.b64 {k.result()}, {a}, {b}, %p;"


def _mul(k: _Kernel, name: str) -> str:
    a, b = k.value(), k.value()
    return f"mul.lo.s64 {k.result()}, {a}, {b};"


_WRITTEN: dict[str, Callable[[_Kernel, str], str]] = {
    "not": _not, "shl": _shift, "shr": _shift, "rotate": _rotate, "rotation": _rotation,
    "narrow": _narrow, "selp": _selp, "mul": _mul,
}  # fmt: skip
