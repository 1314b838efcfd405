"""Random assembly programs that stress timing, for `test_core_against_reference`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

SHAPES = {
    "mii": (1,), "mmi": (0,), "mfi": (), "mmf": (), "mib": (), "mbb": (), "bbb": (), "mmb": (),
    "mfb": (), "mlx": (),
}  # fmt: skip
"""Bundle shapes, and after which slots but the last a stop may stand."""

FITS = {"A": "mi", "M": "m", "I": "i", "F": "f", "B": "b", "L": "l"}
"""Slots in which an instruction of a kind may stand."""

DATA = [f"r{number}" for number in range(16, 28)]
POINTERS = [f"r{number}" for number in range(2, 8)]
FLOATS = [f"f{number}" for number in range(6, 18)]
PREDICATES = [f"p{number}" for number in range(6, 14)]
BASE, MASK, COUNTER, FAR_POINTER = "r28", "r29", "r30", "r31"
FUNCTIONS = 3
MARGIN = 8176
"""Bytes before and after the window that pointers are masked into, for small steps out of it."""


class Instruction:
    """One instruction: its kind, text, what it reads and writes (predicate first, if any)."""

    def __init__(self, kind: str, text: str, reads: str = "", writes: str = "", early: str = ""):
        self.kind, self.text = kind, text
        self.reads, self.writes = set(reads.split()), set(writes.split())
        self.early = set(early.split())  # reads that an integer compare of the group may feed
        self.is_branch = kind == "B"


class Generator:
    """Random loops in assembly, with explicit bundles and stops that an assembler would accept.

    Every loop counts; pointers are masked into the buffer, or walk by small steps from there; calls
    go down a short chain of functions, each returning through a branch register of its own.
    """

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.labels = 0
        self.lines: list[str] = []
        self.data, self.float_registers, self.guards = list(DATA), list(FLOATS), list(PREDICATES)
        self.window = 1 << self.random.choice((8, 12, 14, 16, 18))
        self.steps = [1 << self.random.randrange(4, 16) for _ in range(3)]
        self.taste = self.random.choice(
            (
                {"memory": 8},
                {"memory": 4, "floats": 4},
                {"integers": 4, "predicates": 4, "branches": 3},
                {"floats": 4, "moves": 2},
                {"memory": 2, "moves": 3, "branches": 2},
            )
        )

    def program(self) -> str:
        self.lines = ["        .explicit", "        .text", "        .align 32", "main:"]
        self.bundles(self.prologue(), ends=True)
        for _ in range(self.random.randint(1, 3)):
            self.loop(level=0)
        self.put("mib", ["nop.m 0", "nop.i 0", "br.ret.sptk.many b0 ;;"])
        for level in range(1, FUNCTIONS + 1):
            self.lines.append(f"function{level}:")
            self.body(level, groups=self.random.randint(1, 3))
            self.put("mib", ["nop.m 0", "nop.i 0", f"br.ret.sptk.many b{level} ;;"])
        size = self.window + 2 * MARGIN
        self.lines += ["        .data", "        .align 16", "buffer:", f"        .skip {size}"]
        return "\n".join(self.lines) + "\n"

    def prologue(self) -> Iterator[list[Instruction]]:
        yield [Instruction("L", f"movl {BASE} = buffer")]
        yield [Instruction("L", f"movl {MASK} = {self.window - 16}")]
        yield [Instruction("L", f"movl {FAR_POINTER} = 0x7000000000000000")]
        yield [Instruction("A", f"adds {BASE} = {MARGIN}, {BASE}")]
        for pointer in POINTERS:
            yield [Instruction("A", f"mov {pointer} = {BASE}")]
        for number, register in enumerate(DATA):
            yield [Instruction("A", f"adds {register} = {97 * number + 1}, r0")]

    def loop(self, level: int) -> None:
        count = self.random.randint(1, 30)
        self.put("mii", ["nop.m 0", f"mov ar.lc = {count}", "nop.i 0 ;;"])
        label = self.label("loop")
        if self.random.random() < 0.5:
            self.lines.append("        .align 32")
        self.lines.append(f"{label}:")
        self.body(level, groups=self.random.randint(1, 8))
        hint = self.random.choice(("sptk", "dptk", "spnt"))
        self.put(self.random.choice(("mib", "mfb", "mmb")), None, f"br.cloop.{hint}.few {label} ;;")

    def label(self, stem: str) -> str:
        self.labels += 1
        return f"{stem}{self.labels}"

    def body(self, level: int, groups: int) -> None:
        """Some groups, with branches over some of them and calls of the next function."""
        step = self.random.choice(self.steps)
        if step < 8192:
            advance = [[Instruction("A", f"adds {COUNTER} = {step}, {COUNTER}")]]
        else:
            advance = [[Instruction("A", f"adds {COUNTER} = 8176, {COUNTER}")]]
        pointer = self.random.choice(POINTERS)
        advance.append([Instruction("A", f"and {pointer} = {MASK}, {COUNTER}")])
        advance.append([Instruction("A", f"add {pointer} = {BASE}, {pointer}")])
        self.bundles(advance, ends=True)
        for _ in range(groups):
            if level < FUNCTIONS and self.random.random() < 0.15:
                self.call(level + 1)
            if self.random.random() < 0.1 * self.taste.get("branches", 1):
                self.skip()
            self.bundles(self.groups(), ends=True)
        last = [[Instruction("A", f"adds {COUNTER} = 16, {COUNTER}")]]
        self.bundles(last, ends=self.random.random() < 0.5)

    def call(self, callee: int) -> None:
        """Directly or through a branch register."""
        if self.random.random() < 0.5:
            call = f"br.call.sptk.many b{callee} = function{callee} ;;"
            self.put("mib", None, call)
        else:
            self.put("mlx", ["nop.m 0", f"movl r15 = function{callee} ;;"])
            self.put("mib", ["nop.m 0", "mov b6 = r15", f"br.call.sptk.many b{callee} = b6 ;;"])

    def skip(self) -> None:
        """A branch over a few groups, taken in a pattern of the counter's bits or of data.

        Either the bit test or the branch stands in one group with what follows it.
        """
        first, second = self.random.sample(self.guards, 2)
        source = self.random.choice((COUNTER, self.pick(self.data)))
        test = f"tbit.nz {first}, {second} = {source}, {self.random.randrange(12)}"
        stops = self.random.choice((("", " ;;"), (" ;;", "")))
        self.put("mii", ["nop.m 0", test, "nop.i 0" + stops[0]])
        label = self.label("over")
        hint = self.random.choice(("sptk", "spnt", "dptk", "dpnt"))
        self.put("mib", None, f"({first}) br.cond.{hint}.few {label}{stops[1]}")
        self.bundles(self.groups(), ends=True)
        self.lines.append(f"{label}:")

    # ---------------------------------------------------------------------------------- groups

    def groups(self) -> list[list[Instruction]]:
        return [self.group() for _ in range(self.random.randint(1, 4))]

    def group(self) -> list[Instruction]:
        """Instructions none of which reads or writes what an earlier one writes."""
        written: set[str] = set()
        found = []
        for _ in range(self.random.randint(1, 9)):
            one = self.instruction()
            if self.random.random() < 0.2 and one.kind != "L":
                guard = self.random.choice(self.guards)
                one.text = f"({guard}) {one.text}"
                one.reads.add(guard)
            if not (one.reads | one.writes) & written:
                written |= one.writes
                found.append(one)
        return found

    def instruction(self) -> Instruction:
        kinds = ("memory", "floats", "integers", "predicates", "moves")
        weights = [self.taste.get(kind, 1) for kind in kinds]
        return getattr(self, self.random.choices(kinds, weights)[0])()

    def pick(self, registers: list[str]) -> str:
        return self.random.choice(registers)

    def integers(self) -> Instruction:
        a, b, c = (self.pick(self.data) for _ in range(3))
        kind, text = self.random.choice(
            (
                ("A", f"add {a} = {b}, {c}"),
                ("A", f"adds {a} = {self.random.randrange(-99, 99)}, {b}"),
                ("A", f"xor {a} = {b}, {c}"),
                ("A", f"shladd {a} = {b}, 2, {c}"),
                ("I", f"shl {a} = {b}, {c}"),
                ("I", f"shr.u {a} = {b}, {c}"),
                ("I", f"popcnt {a} = {b}"),
                ("I", f"extr {a} = {b}, 3, 20"),
                ("I", f"sxt4 {a} = {b}"),
                ("L", f"movl {a} = 0x123456789"),
                ("M", f"getf.sig {a} = {self.pick(self.float_registers)}"),
            )
        )
        return self.made(kind, text)

    def predicates(self) -> Instruction:
        p, q = self.random.sample(self.guards, 2)
        a, b = self.pick(self.data), self.pick(self.data)
        f, g = self.pick(self.float_registers), self.pick(self.float_registers)
        kind, text = self.random.choice(
            (
                ("A", f"cmp.lt {p}, {q} = {a}, {b}"),
                ("A", f"cmp.eq.unc {p}, {q} = {a}, {b}"),
                ("A", f"cmp4.ltu {p}, {q} = {a}, {b}"),
                ("I", f"tbit.z {p}, {q} = {a}, {self.random.randrange(8)}"),
                ("F", f"fcmp.lt.s0 {p}, {q} = {f}, {g}"),
            )
        )
        return self.made(kind, text)

    def floats(self) -> Instruction:
        f, g, h, k = (self.pick(self.float_registers) for _ in range(4))
        a = self.pick(self.data)
        kind, text = self.random.choice(
            (
                ("F", f"fma.d.s0 {f} = {g}, {h}, {k}"),
                ("F", f"fma.d.s0 {f} = {g}, {h}, f0"),
                ("F", f"fma.d.s0 {f} = {g}, f1, {k}"),
                ("F", f"fmerge.s {f} = {g}, {h}"),
                ("F", f"xma.l {f} = {g}, {h}, {k}"),
                ("F", f"fcvt.xf {f} = {g}"),
                ("F", f"frcpa.s0 {f}, {self.pick(self.guards)} = {g}, {h}"),
                ("M", f"setf.sig {f} = {a}"),
                ("M", f"setf.d {f} = {a}"),
                ("M", f"getf.d {a} = {f}"),
            )
        )
        return self.made(kind, text)

    def moves(self) -> Instruction:
        a = self.pick(self.data)
        kind, text = self.random.choice(
            (
                ("I", f"mov b7 = {a}"),
                ("I", f"mov {a} = b{self.random.randrange(8)}"),
                ("I", f"mov {a} = pr"),
                ("I", f"mov pr = {a}, 0x1540"),
                ("I", f"mov {a} = ar.lc"),
                ("I", f"mov {a} = ar.pfs"),
                ("M", f"mov {a} = ar.ccv"),
                ("M", f"mov ar.ccv = {a}"),
            )
        )
        return self.made(kind, text)

    def memory(self) -> Instruction:
        a, p, f = self.pick(self.data), self.pick(POINTERS), self.pick(self.float_registers)
        size = self.random.choice((1, 2, 4, 8))
        step = 16 * self.random.choice((-8, -4, -1, 1, 1, 1, 2, 4, 8))
        even = f"f{self.random.randrange(6, 16, 2)}"
        odd = f"f{self.random.randrange(7, 17, 2)}"
        after = f", {step}" if self.random.random() < 0.5 else ""
        text = self.random.choice(
            (
                f"ld{size} {a} = [{p}]{after}",
                f"ld{size} {a} = [{p}]{after}",
                f"st{size} [{p}] = {a}{after}",
                f"st{size} [{p}] = {a}{after}",
                f"ldfd {f} = [{p}]{after}",
                f"ldfs {f} = [{p}]{after}",
                f"ldf8 {f} = [{p}]{after}",
                f"ldfe {f} = [{p}]{after}",
                f"ldfpd {even}, {odd} = [{p}]{', 16' if after else ''}",
                f"stfd [{p}] = {f}{after}",
                f"stf8 [{p}] = {f}{after}",
                f"lfetch [{p}]{after}",
                f"lfetch [{FAR_POINTER}]",
                f"xchg8 {a} = [{p}], {self.pick(self.data)}",
                f"fetchadd8.acq {a} = [{p}], 8",
                f"cmpxchg4.acq {a} = [{p}], {self.pick(self.data)}, ar.ccv",
            )
        )
        return self.made("M", text)

    def made(self, kind: str, text: str) -> Instruction:
        """Reads and writes from the text: registers before '=' are written, unless in brackets;
        an address in brackets is written too if something follows it."""
        left, _, right = text.partition("=")
        names = {*self.data, *POINTERS, *self.float_registers, *self.guards}
        names |= {"ar.ccv", "ar.lc", "ar.pfs", "pr"}
        names |= {f"b{number}" for number in range(8)}

        def registers(part: str) -> list[str]:
            words = part.replace(",", " ").replace("[", " ").replace("]", " ").split()
            found = [word for word in words if word in names]
            return self.guards + found if "pr" in found else found

        inside = text[text.find("[") + 1 : text.find("]")] if "[" in text else ""
        writes = [name for name in registers(left) if name != inside]
        reads = [*registers(right), inside]
        if inside and "fetchadd" not in text and text.rpartition(", ")[2].lstrip("-").isdigit():
            writes.append(inside)
        return Instruction(kind, text, " ".join(reads), " ".join(writes))

    # --------------------------------------------------------------------------------- bundles

    def put(self, shape: str, slots: list[str] | None, last: str | None = None) -> None:
        """Write one bundle; `last` stands in its last slot after nops."""
        if slots is None:
            slots = [f"nop.{kind} 0" for kind in shape[:2]] + [last or ""]
        self.lines += [f"{{ .{shape}", *(f"        {slot}" for slot in slots), "}"]

    def bundles(self, groups, ends: bool) -> None:
        """Write groups as bundles of random shapes; a stop after each but maybe the last."""
        waiting = [list(group) for group in groups if group]
        while waiting:
            shape = self.pick([s for s in SHAPES if set(s) & set(FITS[waiting[0][0].kind])])
            slots, skip = [], False
            for number, kind in enumerate(shape):
                if kind == "x":
                    continue
                head = waiting[0][0] if waiting and not skip else None
                if head is None or kind not in FITS[head.kind]:
                    slots.append(f"nop.{'x' if kind == 'l' else kind} 0")
                    continue
                text = head.text
                waiting[0].pop(0)
                if not waiting[0]:
                    waiting.pop(0)
                    is_last = not waiting and not ends
                    if number in SHAPES[shape] and self.random.random() < 0.7:
                        text += "" if is_last else " ;;"
                    else:
                        skip = not is_last
                slots.append(text)
            if skip:
                slots[-1] += " ;;"
            self.put(shape, slots)
