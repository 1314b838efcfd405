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
BITS = 32


@dataclass(frozen=True)
class Style:
    """What a kernel is made of.

    operations  how often each stands there
    most        statements
    constant    chance of a constant operand; rewritten: that a register is written again
    loops       whether all of it is done several times
    """

    operations: dict[str, int]
    most: int = 14
    constant: float = 0.1
    rewritten: float = 0.1
    loops: bool = False


LOGIC = {"and": 3, "or": 3, "xor": 3, "not": 2}
SUMS = {"add": 5, "sub": 3}
SHIFTS = {"rotate": 3, "shl": 2, "shr": 2, "add": 4, "xor": 1}
QUOTIENTS = {"div.u32": 1, "rem.u32": 1, "div.s32": 1, "rem.s32": 1, "add": 2}
STYLES = (
    Style(LOGIC, most=16),
    Style(SUMS, most=16),
    Style(SHIFTS),
    Style(LOGIC | SUMS | SHIFTS, most=30, loops=True),
    Style(QUOTIENTS, most=6, constant=0.2),
    Style(QUOTIENTS | LOGIC, most=12, loops=True),
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
        style = self.style
        for _ in range(self.random.randrange(3, style.most)):
            self.statement()
        stored = [k for k in range(self.written) if k >= INPUTS and k not in self.read]
        body = self.lines
        if style.loops:
            again = self.random.sample(range(INPUTS, self.written), min(2, self.written - INPUTS))
            carried = [f"mov.b32 %r{k}, %r{value};" for k, value in enumerate(again)]
            body = ["mov.b32 %i, 0;", "again:", '.pragma "nounroll";', *body, *carried]
            body += ["add.s32 %i, %i, 1;", "setp.lt.s32 %p, %i, 3;", "@%p bra again;"]
        return "\n".join(
            (
                ".version 8.0",
                ".target sm_90",
                ".address_size 64",
                ".visible .entry k(.param .u64 p, .param .u64 q) {",
                ".reg .b32 %r<99>, %i; .reg .b64 %a, %b; .reg .pred %p;",
                "ld.param.u64 %a, [p]; ld.param.u64 %b, [q];",
                "cvta.to.global.u64 %a, %a; cvta.to.global.u64 %b, %b;",
                *(f"ld.global.u32 %r{k}, [%a+{4 * k}];" for k in range(INPUTS)),
                *body,
                *(f"st.global.u32 [%b+{4 * k}], %r{value};" for k, value in enumerate(stored)),
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
        return f"%r{number}"

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
        return f"%r{number}"

    def statement(self) -> None:
        names = list(self.style.operations)
        weights = list(self.style.operations.values())
        [name] = self.random.choices(names, weights)
        self.lines.append(_WRITTEN.get(name, _two)(self, name))


def _two(k: _Kernel, name: str) -> str:
    kind = "s32" if name in ("add", "sub") else "b32"
    a, b = k.value(), k.operand()
    while b == a:
        b = k.operand()
    return f"{name if '.' in name else f'{name}.{kind}'} {k.result()}, {a}, {b};"


def _not(k: _Kernel, name: str) -> str:
    a = k.value()
    return f"not.b32 {k.result()}, {a};"


def _lop3(k: _Kernel, name: str) -> str:
    operands = ", ".join((k.value(), k.value(), k.operand(), str(k.random.randrange(256))))
    return f"lop3.b32 {k.result()}, {operands};"


def _shift(k: _Kernel, name: str) -> str:
    kind = "b32" if name == "shl" else k.random.choice(("u32", "s32"))
    a = k.value()
    return f"{name}.{kind} {k.result()}, {a}, {k.random.randrange(1, BITS)};"


def _rotate(k: _Kernel, name: str) -> str:
    a, side = k.value(), k.random.choice("lr")
    return f"shf.{side}.wrap.b32 {k.result()}, {a}, {a}, {k.random.randrange(1, BITS)};"


_WRITTEN: dict[str, Callable[[_Kernel, str], str]] = {
    "not": _not, "lop3": _lop3, "shl": _shift, "shr": _shift, "rotate": _rotate,
}  # fmt: skip
