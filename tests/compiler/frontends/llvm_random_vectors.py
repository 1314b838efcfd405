"""Random LLVM functions of vectors: what their compilers write when they vectorize, and more.

    define i64 @f(ptr %p, i64 %a) { %v0 = load <4 x i32>, ptr %p … ret i64 %sum }

`p` has 256 bytes.  Vectors have elements of all kinds, integers of other widths and i1 among them;
constants are splats or written out; loads and stores are whole, under masks, through vectors of
pointers, or packed; every result ends in the sum or in memory.
"""

from __future__ import annotations

import random
import re

COUNTS = (2, 3, 4, 8)
ELEMENTS = ("i1", "i8", "i16", "i32", "i64", "float", "double", "i7", "i24", "i33", "i100")
BINARY = ("add", "sub", "mul", "and", "or", "xor")
TWO = ("smax", "smin", "umax", "umin", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat")
REDUCED = ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin")
ONE = ("ctpop", "bitreverse", "abs", "ctlz", "cttz")
SIZE = 256


class Writer:
    """Writes a function; values are kept by (element, count)."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        self.values: dict[tuple[str, int], list[str]] = {}
        self.sums: list[tuple[str, str]] = []
        self.loaded: list[str] = []
        self.palette = self.draw.sample(ELEMENTS, 3)
        self.counts = self.draw.sample(COUNTS, 2)

    def new(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def keep(self, element: str, count: int, text: str) -> None:
        self.values.setdefault((element, count), []).append(self.new(text))

    def call(self, result: str, name: str, *arguments: str) -> str:
        types = ", ".join(re.match(r"<[^>]*>|\S+", a)[0] for a in arguments)
        self.declared[name] = f"declare {result} @{name}({types})"
        return f"call {result} @{name}({', '.join(arguments)})"

    def number(self, element: str) -> str:
        if element == "i1":
            return self.draw.choice(("true", "false"))
        if element in ("float", "double"):
            return self.draw.choice(("1.5", "-2.0", "0.0", "100.25"))
        bits = int(element[1:])
        return str(self.draw.getrandbits(bits) - (1 << bits - 1))

    def constant(self, element: str, count: int) -> str:
        kind = self.draw.randrange(4)
        if kind == 0:
            return f"splat ({element} {self.number(element)})"
        if kind == 1:
            return "zeroinitializer"
        return "<" + ", ".join(f"{element} {self.number(element)}" for _ in range(count)) + ">"

    def pick(self, element: str, count: int) -> str:
        known = self.values.get((element, count))
        if not known or self.draw.random() < 0.3:
            return self.constant(element, count)
        return self.draw.choice(known[-4:])

    def place(self, element: str, count: int) -> tuple[str, int]:
        """A pointer into p, and how it is aligned."""
        offset = self.draw.randrange(0, SIZE - 130)
        align = self.draw.choice((1, 2, 8)) if element not in ("float", "double") else 8
        offset -= offset % align
        return self.new(f"getelementptr i8, ptr %p, i64 {offset}"), align

    def step(self) -> None:
        element, count = self.draw.choice(self.palette), self.draw.choice(self.counts)
        is_float = element in ("float", "double")
        steps = [self.load, self.load, self.compare, self.select, self.shuffle, self.element,
                 self.insert, self.store, self.masked, self.binary, self.binary]  # fmt: skip
        if not is_float:
            steps += [self.two, self.one, self.resize, self.reduce, self.bits, self.overflow]
        else:
            steps += [self.convert]
        self.draw.choice(steps)(element, count, f"<{count} x {element}>")

    def load(self, element: str, count: int, t: str) -> None:
        pointer, align = self.place(element, count)
        if element in ("float", "double"):  # of memory any bits may come: NaNs with payloads
            whole = "i16" if element == "float" else "i32"
            loaded = self.new(f"load <{count} x {whole}>, ptr {pointer}, align {min(align, 2)}")
            self.keep(element, count, f"sitofp <{count} x {whole}> {loaded} to {t}")
        elif element in ("i8", "i16", "i32", "i64"):
            self.keep(element, count, f"load {t}, ptr {pointer}, align {align}")
            self.loaded.append(self.values[element, count][-1])
        elif element == "i1" and count == 8:
            self.keep(element, count, f"load {t}, ptr {pointer}")
        else:
            wide = f"<{count} x i128>" if element == "i100" else f"<{count} x i64>"
            loaded = self.new(f"load {wide}, ptr {pointer}, align {align}")
            self.keep(element, count, f"trunc {wide} {loaded} to {t}")

    def binary(self, element: str, count: int, t: str) -> None:
        names = ("fadd", "fsub", "fmul") if element in ("float", "double") else BINARY
        a, b = self.pick(element, count), self.pick(element, count)
        self.keep(element, count, f"{self.draw.choice(names)} {t} {a}, {b}")

    def two(self, element: str, count: int, t: str) -> None:
        if element == "i1":
            return
        name = f"llvm.{self.draw.choice(TWO)}.v{count}{element}"
        a, b = self.pick(element, count), self.pick(element, count)
        self.keep(element, count, self.call(t, name, f"{t} {a}", f"{t} {b}"))

    def one(self, element: str, count: int, t: str) -> None:
        if element == "i1":
            return
        name = self.draw.choice(ONE)
        flag = ("i1 false",) if name in ("ctlz", "cttz", "abs") else ()
        given = f"{t} {self.pick(element, count)}"
        self.keep(element, count, self.call(t, f"llvm.{name}.v{count}{element}", given, *flag))

    def overflow(self, element: str, count: int, t: str) -> None:
        loaded = [v for v in self.values.get((element, count), ()) if v in self.loaded]
        if element in ("i1", "i100") or not loaded:
            return  # of constants LLVM 22's own code generator fails an assertion
        name = f"llvm.{self.draw.choice('su')}{self.draw.choice(('add', 'sub', 'mul'))}"
        result, a = f"{{ {t}, <{count} x i1> }}", loaded[-1]
        call = self.call(result, f"{name}.with.overflow.v{count}{element}", f"{t} {a}", f"{t} {a}")
        both = self.new(call)
        self.keep(element, count, f"extractvalue {result} {both}, 0")
        self.keep("i1", count, f"extractvalue {result} {both}, 1")

    def compare(self, element: str, count: int, t: str) -> None:
        a, b = self.pick(element, count), self.pick(element, count)
        what = "fcmp olt" if element in ("float", "double") else (
            f"icmp {self.draw.choice(('eq', 'ne', 'slt', 'uge', 'sgt', 'ule'))}"
        )  # fmt: skip
        self.keep("i1", count, f"{what} {t} {a}, {b}")

    def select(self, element: str, count: int, t: str) -> None:
        mask = self.pick("i1", count)
        a, b = self.pick(element, count), self.pick(element, count)
        self.keep(element, count, f"select <{count} x i1> {mask}, {t} {a}, {t} {b}")

    def resize(self, element: str, count: int, t: str) -> None:
        others = [o for o in self.palette if o[0] == "i"]
        other = self.draw.choice(others)
        small, large = int(element[1:]), int(other[1:])
        if small != large:
            name = "trunc" if large < small else self.draw.choice(("zext", "sext"))
            value = self.pick(element, count)
            self.keep(other, count, f"{name} {t} {value} to <{count} x {other}>")

    def convert(self, element: str, count: int, t: str) -> None:
        name = f"llvm.fptosi.sat.v{count}i32.v{count}f{32 if element == 'float' else 64}"
        given = f"{t} {self.pick(element, count)}"
        self.keep("i32", count, self.call(f"<{count} x i32>", name, given))

    def shuffle(self, element: str, count: int, t: str) -> None:
        other = self.draw.choice(self.counts)
        mask = ", ".join(f"i32 {self.draw.randrange(2 * count)}" for _ in range(other))
        a, b = self.pick(element, count), self.pick(element, count)
        self.keep(element, other, f"shufflevector {t} {a}, {t} {b}, <{other} x i32> <{mask}>")

    def element(self, element: str, count: int, t: str) -> None:
        index = self.draw.choice((str(self.draw.randrange(count)), self.index(count)))
        value = self.new(f"extractelement {t} {self.pick(element, count)}, i64 {index}")
        self.sums.append((element, value))

    def index(self, count: int) -> str:
        return self.new(f"urem i64 %a, {count}")

    def insert(self, element: str, count: int, t: str) -> None:
        index = self.draw.choice((str(self.draw.randrange(count)), self.index(count)))
        value, number = self.pick(element, count), self.number(element)
        self.keep(element, count, f"insertelement {t} {value}, {element} {number}, i64 {index}")

    def store(self, element: str, count: int, t: str) -> None:
        if element in ("i7", "i24", "i33", "i100") or (element == "i1" and count != 8):
            return  # what LLVM's own compiler writes beside the bits differs
        pointer, align = self.place(element, count)
        self.lines.append(f"  store {t} {self.pick(element, count)}, ptr {pointer}, align {align}")

    def masked(self, element: str, count: int, t: str) -> None:
        if element not in ("i8", "i16", "i32", "i64"):
            return
        pointer, _ = self.place(element, count)
        mask, held = f"<{count} x i1> {self.pick('i1', count)}", self.pick(element, count)
        what = self.draw.randrange(6)
        where = f"ptr align 1 {pointer}"
        name = f"v{count}{element}"
        if what in (2, 3):
            steps = ", ".join(f"i64 {self.draw.randrange(14) * 8 + k % 8}" for k in range(count))
            pointers = self.new(f"getelementptr i8, ptr %p, <{count} x i64> <{steps}>")
            where, name = f"<{count} x ptr> align 1 {pointers}", f"{name}.v{count}p0"
        elif what < 4:
            name += ".p0"
        if what in (0, 2, 4):
            call = ("load", "", "gather", "", "expandload")[what]
            self.keep(element, count, self.call(t, f"llvm.masked.{call}.{name}", where, mask,
                                                f"{t} {held}"))  # fmt: skip
        else:
            call = ("", "store", "", "scatter", "", "compressstore")[what]
            text = self.call("void", f"llvm.masked.{call}.{name}", f"{t} {held}", where, mask)
            self.lines.append(f"  {text}")

    def reduce(self, element: str, count: int, t: str) -> None:
        name = f"llvm.vector.reduce.{self.draw.choice(REDUCED)}.v{count}{element}"
        value = self.new(self.call(element, name, f"{t} {self.pick(element, count)}"))
        self.sums.append((element, value))

    def bits(self, element: str, count: int, t: str) -> None:
        whole = int(element[1:]) * count
        if 1 < whole <= 128:
            value = self.new(f"bitcast {t} {self.pick(element, count)} to i{whole}")
            self.sums.append((f"i{whole}", value))
            self.keep(element, count, f"bitcast i{whole} {value} to {t}")

    def finish(self) -> str:
        for (element, count), held in self.values.items():
            for value in held[-2:]:
                for k in range(count):
                    part = self.new(f"extractelement <{count} x {element}> {value}, i32 {k}")
                    self.sums.append((element, part))
        total = "%a"
        for element, value in self.sums:
            if element in ("float", "double"):
                element, value = "i1", self.new(f"fcmp olt {element} {value}, 1.0")
            bits = int(element[1:])
            if bits > 64:
                low = self.new(f"trunc {element} {value} to i64")
                value = self.new(
                    f"trunc {element} {self.new(f'lshr {element} {value}, 64')} to i64"
                )
                value = self.new(f"xor i64 {low}, {value}")
            elif bits < 64:
                value = self.new(f"zext {element} {value} to i64")
            total = self.new(f"add i64 {self.new(f'mul i64 {total}, 31')}, {value}")
        body = "\n".join(self.lines)
        head = "define i64 @f(ptr %p, i64 %a) {\nentry:"
        return "\n".join([*self.declared.values(), head, body, f"  ret i64 {total}\n}}\n"])


def program(seed: int, steps: int = 12) -> str:
    writer = Writer(seed)
    for _ in range(steps):
        writer.step()
    return writer.finish()
