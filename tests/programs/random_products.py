"""Random expressions in PTX: products, sums, signs, of which some leave the rounding open.

    mul.f32 %f4, %f1, %f0;  add.rn.f32 %f5, %f4, %f2;  @%p1 sub.f32 %f4, %f5, %f4;  …

A kernel loads numbers, computes and stores.  Values are read often and by many, registers are
written again, sums are guarded, stand behind jumps that only join, or in blocks of their own, where
the way is that of a first input above zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

INPUTS = 4
CONSTANTS = {"f32": ("0f40400000", "0f3F400000", "0f40A00000"), "f64": ()}
"""3, 0.75 and 5: no constants that ptxas loads in an instruction of another kind."""


@dataclass(frozen=True)
class Style:
    """What a kernel is made of: chances of each, between 0 and 1.

    operations  how often each stands there
    """

    operations: dict[str, int] = field(
        default_factory=lambda: {"mul": 3, "add": 3, "sub": 1, "neg": 1, "fma": 1}
    )
    most: int = 14
    type: str = "f32"
    rounded: float = 0.1
    flushed: float = 0.0
    saturated: float = 0.0
    constant: float = 0.0
    guarded: float = 0.0
    rewritten: float = 0.0
    joined: float = 0.0
    parted: float = 0.0


STYLES = (
    Style({"mul": 2, "add": 4}, most=30, rounded=0),
    Style({"mul": 3, "add": 3, "sub": 3}, most=30, rounded=0),
    Style(flushed=0.4, saturated=0.1, constant=0.1),
    Style(type="f64", most=20),
    Style(guarded=0.2, joined=0.1, rewritten=0.2),
    Style(parted=0.15, constant=0.1),
)


def random_products(seed: int) -> str:
    """A file of one kernel, `k`, of the style that its seed has."""
    style, random = STYLES[seed % len(STYLES)], Random(seed)
    return _Kernel(style, random).text()


class _Kernel:
    def __init__(self, style: Style, random: Random):
        self.style, self.random = style, random
        self.lines: list[str] = []
        self.written = INPUTS
        self.read: set[int] = set()
        self.known: set[tuple] = set()
        self.times_written: dict[int, int] = {}
        self.labels = 0
        self.is_parted = False
        self.hidden: set[int] = set()
        self.first_inside = 0
        self.stored_inside = 0

    def text(self) -> str:
        style, size = self.style, 4 if self.style.type == "f32" else 8
        for _ in range(self.random.randrange(3, style.most)):
            self.statement()
        self.join()
        made = [k for k in range(INPUTS, self.written) if k not in self.hidden]
        stored = [k for k in made if k not in self.read]
        stored += [k for k in made if self.random.random() < 0.03]
        # The last input is a parameter, which ptxas reads in place.
        loads = [f"ld.param.{style.type} %f{INPUTS - 1}, [s];"]
        loads += [f"ld.global.{style.type} %f{k}, [%a+{size * k}];" for k in range(INPUTS - 1)]
        stores = [
            f"st.global.{style.type} [%b+{size * k}], %f{value};"
            for k, value in enumerate(dict.fromkeys(stored))
        ]
        zero = "0f00000000" if style.type == "f32" else "0d0000000000000000"
        compared = f"setp.gt.{style.type} %p1, %f0, {zero};"
        return "\n".join(
            (
                ".version 8.0",
                ".target sm_90",
                ".address_size 64",
                f".visible .entry k(.param .u64 p, .param .u64 q, .param .{style.type} s) {{",
                f".reg .{style.type} %f<99>; .reg .b64 %a, %b; .reg .pred %p<2>;",
                "ld.param.u64 %a, [p]; ld.param.u64 %b, [q];",
                "cvta.to.global.u64 %a, %a; cvta.to.global.u64 %b, %b;",
                *loads,
                *([compared] if style.guarded or style.parted else []),
                *self.lines,
                *stores,
                "ret;",
                "}",
            )
        )

    def chance(self, of: float) -> bool:
        return self.random.random() < of

    def operand(self) -> int:
        """A value: often one of the last, else any, also inputs."""
        made = [k for k in range(INPUTS, self.written) if k not in self.hidden]
        if made and self.chance(0.65):
            return made[-1] if self.chance(0.4) else self.random.choice(made)
        return self.random.randrange(INPUTS)

    def statement(self) -> None:
        style, random = self.style, self.random
        if self.chance(style.joined) and not self.is_parted:
            self.labels += 1
            self.lines += [f"bra L{self.labels};", f"L{self.labels}:"]
        if self.chance(style.parted):
            self.join() if self.is_parted else self.part()
        opcode = random.choices(list(style.operations), list(style.operations.values()))[0]
        values = [self.operand() for _ in range({"neg": 1, "fma": 3}.get(opcode, 2))]
        read = [(value, self.times_written.get(value, 0)) for value in values]
        key = opcode, *(sorted(read) if opcode in ("add", "mul") else read)
        if key in self.known:  # ptxas would compute it once
            return
        self.known.add(key)
        self.read.update(values)
        operands = [f"%f{value}" for value in values]
        if CONSTANTS[style.type] and opcode == "mul" and self.chance(style.constant):
            operands[1] = random.choice(CONSTANTS[style.type])
        to, guard = self.written, ""
        may_overwrite = self.overwritten() is not None and opcode != "neg"
        if may_overwrite and opcode in ("add", "sub") and self.chance(style.guarded):
            to, guard = self.overwritten(), "@%p1 "
        elif may_overwrite and self.chance(style.rewritten):
            to = self.overwritten()
        self.read.discard(to)
        self.times_written[to] = self.times_written.get(to, 0) + 1
        self.written += to == self.written
        self.lines.append(f"{guard}{self.name(opcode)} %f{to}, {', '.join(operands)};")

    def name(self, opcode: str) -> str:
        style = self.style
        rounds = opcode == "fma" or (opcode != "neg" and self.chance(style.rounded))
        parts = [opcode, "rn"] if rounds else [opcode]
        if opcode != "neg" and self.chance(style.flushed):
            parts.append("ftz")
        if opcode in ("add", "sub", "mul") and self.chance(style.saturated):
            parts.append("sat")
        return ".".join((*parts, style.type))

    def overwritten(self) -> int | None:
        """A value that may be written again, if there is one."""
        made = [k for k in range(INPUTS, self.written) if k not in self.hidden]
        return self.random.choice(made) if made else None

    def part(self) -> None:
        """A block of its own, which a barrier keeps from becoming guarded rows of one block."""
        self.labels += 1
        self.is_parted = True
        self.first_inside = self.written
        self.lines += [f"@!%p1 bra L{self.labels};", "bar.sync 0;"]

    def join(self) -> None:
        """What was written for the first time inside is stored there, and not known behind."""
        if self.is_parted:
            inside = range(self.first_inside, self.written)
            for value in inside:
                if value not in self.read:
                    at = (64 + self.stored_inside) * 4
                    self.lines.append(f"st.global.{self.style.type} [%b+{at}], %f{value};")
                    self.stored_inside += 1
            self.hidden.update(inside)
            self.lines.append(f"L{self.labels}:")
            self.is_parted = False
