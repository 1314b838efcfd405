"""Random LLVM functions without undefined behaviour: straight-line code over all types.

    define i64 @f(i64 %a, i64 %b, double %x, float %y) { … ret i64 %sum }

A function has integers of the five widths that our IR has, and of others that it is asked for.

`instructions` makes the text from rows of numbers, so that a failing case shrinks.  Shift counts
are masked, divisors are odd and, of signed divisions, positive; floats come back as integers by
compares and saturating conversions, so that nobody sees the bits of a NaN.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

WIDTHS = (1, 8, 16, 32, 64)
INTEGERS = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem",
            "sdiv", "srem")  # fmt: skip
RELATIONS = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
ROUNDED = ("fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven")
CHOSEN = ("minimum", "maximum")
FLOATS = ("fadd", "fsub", "fmul", "fdiv")
COMPARES = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
            "une", "uno", "true", "false")  # fmt: skip
BITS = ("ctpop", "bswap", "bitreverse", "ctlz", "cttz", "abs")
TWO = ("smax", "smin", "umax", "umin", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat")
OVERFLOW = ("sadd", "uadd", "ssub", "usub", "smul", "umul")

Row = tuple[int, int, int, int, int]


class Writer:
    """Writes a function, one row after another; values are kept by type."""

    def __init__(self, widths: Sequence[int] = WIDTHS) -> None:
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        self.widths = widths
        self.values = {
            **{f"i{width}": ["0", "1" if width > 1 else "true"] for width in widths},
            "i64": ["%a", "%b"], "double": ["%x", "1.5"], "float": ["%y", "-2.0"],
        }  # fmt: skip

    def new(self, type: str, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(type, []).append(name)
        return name

    def pick(self, type: str, number: int) -> str:
        """One of the values of a type; the youngest are the likeliest."""
        known = self.values[type]
        return known[-1 - number % min(len(known), 6)]

    def call(self, result: str, name: str, *arguments: str) -> str:
        types = ", ".join(argument.split()[0] for argument in arguments)
        self.declared[name] = f"declare {result} @{name}({types})"
        return f"call {result} @{name}({', '.join(arguments)})"

    def row(self, row: Row) -> None:
        kind, which, a, b, constant = row
        width = self.widths[which % len(self.widths)]
        float_type = ("double", "float")[which % 2]
        steps = (
            self.integer, self.integer, self.compare, self.resize, self.bits, self.two, self.funnel,
            self.select, self.constant,
        )  # fmt: skip
        floats = (self.floating, self.compare_floats, self.from_integer, self.to_integer,
                  self.reinterpret, self.resize_float)  # fmt: skip
        place = kind % (len(steps) + len(floats))
        if place < len(steps):
            steps[place](f"i{width}", width, which // len(self.widths), a, b, constant)
        else:
            floats[place - len(steps)](float_type, f"i{width}", which // len(self.widths), a, b)

    def integer(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        name, x, y = INTEGERS[which % len(INTEGERS)], self.pick(t, a), self.pick(t, b)
        if name in ("shl", "lshr", "ashr"):
            y = "0" if width == 1 else self.new(t, f"urem {t} {y}, {width}")
        elif name in ("sdiv", "srem") and width == 1:
            name = "xor"
        elif name in ("udiv", "urem", "sdiv", "srem"):
            if name[0] == "s":
                y = self.new(t, f"and {t} {y}, {(1 << (width - 1)) - 1}")
            y = self.new(t, f"or {t} {y}, {'true' if width == 1 else 1}")
        self.new(t, f"{name} {t} {x}, {y}")

    def compare(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        relation = RELATIONS[which % len(RELATIONS)]
        self.new("i1", f"icmp {relation} {t} {self.pick(t, a)}, {self.pick(t, b)}")

    def resize(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        other = self.widths[b % len(self.widths)]
        if other < width:
            self.new(f"i{other}", f"trunc {t} {self.pick(t, a)} to i{other}")
        elif other > width:
            name = "sext" if which % 2 else "zext"
            self.new(f"i{other}", f"{name} {t} {self.pick(t, a)} to i{other}")

    def bits(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        name, x = BITS[which % len(BITS)], self.pick(t, a)
        if width > 1 and (width % 16 == 0 or name != "bswap"):
            flag = ("i1 false",) if name in ("ctlz", "cttz", "abs") else ()
            self.new(t, self.call(t, f"llvm.{name}.{t}", f"{t} {x}", *flag))

    def two(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        arguments = (f"{t} {self.pick(t, a)}", f"{t} {self.pick(t, b)}")
        if width == 1:
            return
        if which % 2:
            self.new(t, self.call(t, f"llvm.{TWO[which // 2 % len(TWO)]}.{t}", *arguments))
            return
        name = f"llvm.{OVERFLOW[which // 2 % len(OVERFLOW)]}.with.overflow.{t}"
        if width > 64 and "mul" in name and width % 64:
            return  # LLVM's own compiler has no code for them
        pair = self.new("pair", self.call(f"{{{t}, i1}}", name, *arguments))
        self.new("i1", f"extractvalue {{{t}, i1}} {pair}, 1")
        self.new(t, f"extractvalue {{{t}, i1}} {pair}, 0")

    def funnel(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        if width > 1:
            count = self.pick(t, constant) if which % 3 else str(constant % 256 % (1 << width - 1))
            arguments = (f"{t} {self.pick(t, a)}", f"{t} {self.pick(t, b)}", f"{t} {count}")
            self.new(t, self.call(t, f"llvm.fsh{'lr'[which % 2]}.{t}", *arguments))

    def select(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        condition = self.pick("i1", which)
        self.new(t, f"select i1 {condition}, {t} {self.pick(t, a)}, {t} {self.pick(t, b)}")

    def constant(self, t: str, width: int, which: int, a: int, b: int, constant: int) -> None:
        value = constant % (1 << width) - (1 << (width - 1) if width > 1 else 0)
        shown = ("false", "true")[value & 1] if width == 1 else str(value)
        self.new(t, f"xor {t} {self.pick(t, a)}, {shown}")

    def floating(self, t: str, i: str, which: int, a: int, b: int) -> None:
        x, y = self.pick(t, a), self.pick(t, b)
        if which % 7 == 0:
            self.new(t, f"fneg {t} {x}")
        elif which % 7 == 1:
            suffix = "f64" if t == "double" else "f32"
            name = ROUNDED[which // 7 % len(ROUNDED)]
            self.new(t, self.call(t, f"llvm.{name}.{suffix}", f"{t} {x}"))
        elif which % 7 == 2:
            suffix = "f64" if t == "double" else "f32"
            name = CHOSEN[which // 7 % len(CHOSEN)]
            self.new(t, self.call(t, f"llvm.{name}.{suffix}", f"{t} {x}", f"{t} {y}"))
        elif which % 7 == 3:
            suffix, mask = "f64" if t == "double" else "f32", which * 37 % 1024
            mask = mask & ~3 | 3 * (mask & 1)  # a NaN is of both kinds, or of none
            name = f"llvm.is.fpclass.{suffix}"
            self.new("i1", self.call("i1", name, f"{t} {x}", f"i32 {mask}"))
        else:
            self.new(t, f"{FLOATS[which // 7 % len(FLOATS)]} {t} {x}, {y}")

    def compare_floats(self, t: str, i: str, which: int, a: int, b: int) -> None:
        predicate = COMPARES[which % len(COMPARES)]
        self.new("i1", f"fcmp {predicate} {t} {self.pick(t, a)}, {self.pick(t, b)}")

    def from_integer(self, t: str, i: str, which: int, a: int, b: int) -> None:
        self.new(t, f"{'su'[which % 2]}itofp {i} {self.pick(i, a)} to {t}")

    def to_integer(self, t: str, i: str, which: int, a: int, b: int) -> None:
        if i != "i1":
            suffix = "f64" if t == "double" else "f32"
            name = f"llvm.fpto{'su'[which % 2]}i.sat.{i}.{suffix}"
            self.new(i, self.call(i, name, f"{t} {self.pick(t, a)}"))

    def reinterpret(self, t: str, i: str, which: int, a: int, b: int) -> None:
        whole = "i64" if t == "double" else "i32"
        self.new(t, f"bitcast {whole} {self.pick(whole, a)} to {t}")

    def resize_float(self, t: str, i: str, which: int, a: int, b: int) -> None:
        name, other = ("fptrunc", "float") if t == "double" else ("fpext", "double")
        self.new(other, f"{name} {t} {self.pick(t, a)} to {other}")

    def finish(self) -> str:
        """All that was computed, in one number."""
        total = "0"
        computed = {t: [v for v in held if v.startswith("%v")] for t, held in self.values.items()}
        for width in self.widths:
            t = f"i{width}"
            for value in computed[t]:
                if width > 64:
                    upper = self.new(t, f"lshr {t} {value}, 64")
                    both = (self.new("i64", f"trunc {t} {v} to i64") for v in (value, upper))
                    wide = self.new("i64", "xor i64 {}, {}".format(*both))
                else:
                    wide = value if width == 64 else self.new("i64", f"zext {t} {value} to i64")
                mixed = self.new("i64", f"mul i64 {total}, 6364136223846793005")
                total = self.new("i64", f"add i64 {mixed}, {wide}")
        for t in ("double", "float"):
            for value in computed[t]:
                flag = self.new("i1", f"fcmp ult {t} {value}, 1.0")
                wide = self.new("i64", f"zext i1 {flag} to i64")
                mixed = self.new("i64", f"mul i64 {total}, 31")
                total = self.new("i64", f"add i64 {mixed}, {wide}")
        body = "\n".join(self.lines)
        head = "define i64 @f(i64 %a, i64 %b, double %x, float %y) {"
        return "\n".join(
            [*self.declared.values(), head, "entry:", body, f"  ret i64 {total}", "}", ""]
        )


def function_of(rows: Iterable[Row], others: Sequence[int] = ()) -> str:
    """The text of a function with an instruction or a few for each row, with integers of other
    widths, too."""
    writer = Writer((*WIDTHS, *others))
    for row in rows:
        writer.row(row)
    return writer.finish()


def random_rows(seed: int, count: int) -> list[Row]:
    draw = random.Random(seed)
    return [
        (*(draw.randrange(10_000) for _ in range(4)), draw.getrandbits(64)) for _ in range(count)
    ]
