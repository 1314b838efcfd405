"""Random assembly that mixes everything which renames, moves or marks registers.

    main:  alloc r2 = ar.pfs, 0, 21, 40, 24     frames of every size, regions of every size
           st8 [r13] = r2, 8 …                  links kept in locals or in memory; leaves keep none
    .L3:   (p19) ldfe f37 = [r27], -32          any row of the table, on named and static registers
           add r8 = r8, r33                     more turns than the region has registers
           br.ctop.dptk .L3
           (p14) br.call.sptk b0 = callee2      calls and recursion while there is fuel (r9)

What a program names is drawn apart from what its frames hold: of a region all registers, some, or
none; they get values, or keep what the physical register held.  A function may turn registers that
it never names, as only the sum over all turns tells.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

from machines.instructions import operations
from machines.instructions.ia64_operands import (
    PR,
    Addend,
    LowGeneralRegister,
    OneOf,
    Scaled,
)
from machines.operations.row import Immediate, Operand, Operation, RegisterKind, Symbol

SUM, FUEL, LEFT, SCRATCH, LINKS, STEP, BASE = "r8", "r9", "r10", "r11", "r13", "r12", "r31"
DATA, POINTERS, RESULT_OF_ALLOC = range(14, 26), range(26, 30), "r2"
AGAIN, NO_MORE = "p14", "p15"
GUARDS, FLOATS = range(6, 14), range(6, 16)
BUFFER, MIDDLE, LINK_BYTES = 1 << 15, 1 << 14, 1 << 12
LOOPS = ("cloop", "ctop", "cexit", "wtop", "wexit")
MOST_FRAME, EIGHT = 96, 8
SPECIAL = (
    0, 1, -1, 1 << 63, (1 << 63) - 1, 0x7FF0_0000_0000_0000, -(1 << 52), 0x7FF8_0000_0000_0001,
    0x7F80_0000, 0xFF80_0001, 0x8000_0001, 0x3FF0_0000_0000_0001, 0x1FFFF, 0xFFFF, 0x1003E, 0x3FFFF,
    0x8000_0000_0000_0001, 0xC001,
)  # fmt: skip
"""Bits of zeros, ones, infinities, NaNs, subnormals and exponents."""

FAULTS = (
    "unmapped", "misaligned", "outside the frame", "break", "bad target", "illegal frame",
    "stack empty", "region changed", "status register",
)  # fmt: skip

_CONTROLLED = ("mov.to_ar.lc", "mov.to_ar.ec", "mov.to_ar.pfs", "mov.to_ar.fpsr")
"""Rows that only the generator's own sequences use: loops end and returns find their frame."""


def _plain_rows() -> dict[str, list[Operation]]:
    """Rows that stand anywhere, by taste."""
    found = defaultdict(list)
    for row in operations().family("ia64").values():
        if (
            row.control
            or row.faults_if
            or "last_slot" in row.flags
            or row.name.startswith(_CONTROLLED)
            or row.name == "brp.sptk"
            or any(isinstance(operand.kind, Symbol) for operand in row.operands)
        ):
            continue
        if row.access:
            kind = "semaphores" if row.access.kind == "load_store" else "memory"
        elif row.name.startswith(("setf", "getf", "xma", "fmerge", "fselect")):
            kind = "tags"
        elif row.slot_kind == "F":
            kind = "floats"
        elif any(operand.kind == PR for operand in row.operands):
            kind = "predicates"
        else:
            kind = "moves" if row.name.startswith("mov") else "integers"
        found[kind].append(row)
    return dict(found)


ROWS = _plain_rows()
TASTES = (
    {}, {"memory": 5}, {"tags": 5, "floats": 4}, {"predicates": 5}, {"semaphores": 5, "memory": 3},
    {"moves": 3, "integers": 3},
)  # fmt: skip


class Function:
    """A function's frame, and which of its stacked registers the text may name.

    keeps   where the link goes: 'locals', 'memory', or None (it calls nothing)
    """

    def __init__(self, random: Random, most: int, reach: int, may_call: bool):
        self.rotating = EIGHT * random.choice((0, 1, 1, 1, 2, 2, 3, 5, 8, random.randint(0, 12)))
        self.rotating = min(self.rotating, most // EIGHT * EIGHT)
        size = self.rotating + random.choice((0, 0, 2, 3, 5, 11, 30))
        if random.random() < 0.1:
            size = most
        self.size = min(size, most)
        self.keeps = random.choice(("locals", "memory", "memory")) if may_call else None
        self.link = self.rotating
        if self.keeps == "locals" and self.link + 2 > min(self.size, reach):
            self.keeps = "memory"
        least = self.link + 2 if self.keeps == "locals" else 0
        self.locals = random.randint(least, self.size)
        self.inputs = random.randint(0, self.locals)
        kept = {self.link, self.link + 1} if self.keeps == "locals" else set()
        free = [n for n in range(min(self.size, reach)) if n not in kept]
        share = random.choice((0, 0.15, 0.5, 1, 1))
        self.named = [32 + n for n in free if random.random() < share]

    def alloc(self, result: str = RESULT_OF_ALLOC, outputs: int = 0) -> str:
        """`alloc` of the frame, with more outputs than at first."""
        size = self.size - self.locals + outputs
        sizes = f"{self.inputs}, {self.locals - self.inputs}, {size}, {self.rotating}"
        return f"alloc {result} = ar.pfs, {sizes}"

    @property
    def state(self) -> str:
        """The register that `alloc` puts the caller's frame into."""
        return f"r{32 + self.link}" if self.keeps == "locals" else RESULT_OF_ALLOC

    def how_named(self) -> str | None:
        """How much of the rotating region the text names: 'wholly', 'in part', 'not at all'."""
        if not self.rotating:
            return None
        named = sum(number < 32 + self.rotating for number in self.named)
        return "wholly" if named == self.rotating else "in part" if named else "not at all"


class Mixture:
    """A program; `text`, and `marks`: line -> features that it has if the line is executed."""

    def __init__(self, seed: int, most: int = MOST_FRAME):
        self.random = random = Random(seed)
        self.most = most
        self.reach = random.choice((0, 1, 2, 5, 9, 20, MOST_FRAME, MOST_FRAME))
        self.floats = [*FLOATS, *range(32, 32 + random.choice((0, 1, 4, 30, 96)))]
        self.guards = [*GUARDS, *range(16, 16 + random.choice((0, 1, 4, 20, 48)))]
        self.weights = random.choice(TASTES)
        self.fuel = random.choice((1, 3, 8, 30, 70))
        self.fault = random.choice(FAULTS) if random.random() < 0.35 else None
        self.wild = random.random() < 0.06  # increments that leave the alignment, any pointer
        self.lines: list[str] = []
        self.marks: dict[int, set[str]] = defaultdict(set)
        self.written: set[tuple[str, int]] = set()  # in the group so far, if one is open
        self.is_open = False
        self.labels = self.loops = 0
        functions = random.randint(1, 4)
        self.names = ["main", *(f"callee{n}" for n in range(1, functions))]
        self.function: Function
        self._program()
        self.text = "\n".join(self.lines) + "\n"

    def _program(self) -> None:
        self.put("        .text")
        self.put("        .global main")
        for name in self.names:
            if self.random.random() < 0.03:
                self.put(f"        .align {1 << self.random.choice((11, 13))}")
            self.name = name
            self.label(name)
            may_call = name == "main" or self.random.random() < 0.8
            self.function = Function(self.random, self.most, self.reach, may_call)
            self._enter()
            for _ in range(self.random.randint(1, 3)):
                self._segment(calls=may_call)
            self._leave()
        self.put("        .data")
        self.put("        .align 16")
        self.put(f"buffer: .skip {BUFFER}")
        self.put(f"links:  .skip {LINK_BYTES}")

    # ------------------------------------------------------------------------------------- lines

    def put(self, line: str, *features: str) -> None:
        self.lines.append(line)
        self.marks[len(self.lines)].update(features)

    def label(self, name: str) -> None:
        self.stop()
        self.put(f"{name}:")

    def new_label(self) -> str:
        self.labels += 1
        return f".L{self.labels}"

    def stop(self) -> None:
        """End the group."""
        if self.is_open:
            self.lines[-1] += " ;;"
        self.written, self.is_open = set(), False

    def say(self, text: str, *features: str) -> None:
        """An instruction of the generator's own, in a group of its own."""
        self.stop()
        self.put(f"        {text} ;;", *features)

    def begin(self, text: str, *written: tuple[str, int], features: tuple[str, ...] = ()) -> None:
        """An instruction that begins a group."""
        self.stop()
        self.put(f"        {text}", *features)
        self.written, self.is_open = set(written), True

    def finish(self, text: str, *features: str) -> None:
        """A branch that ends the group, maybe by a predicate that the group computes."""
        self.put(f"        {text} ;;", *features)
        self.written, self.is_open = set(), False

    # ---------------------------------------------------------------------------- frames and calls

    def _enter(self) -> None:
        function, random = self.function, self.random
        if function.keeps is None and random.random() < 0.2:  # the caller's outputs are its frame
            function.named, function.rotating = [], 0
        else:
            named = function.how_named()
            features = {f"region named {named}"} if named else set()
            if named and self.name != "main":
                features.add("region in a callee")
            self.say(function.alloc(function.state), *features)
        if self.name == "main":
            self._prologue()
        if function.keeps == "locals":
            self.say(f"mov r{33 + function.link} = b0")
        elif function.keeps == "memory":
            self.say(f"mov {SCRATCH} = b0")
            self.say(f"st8 [{LINKS}] = {RESULT_OF_ALLOC}, 8")
            self.say(f"st8 [{LINKS}] = {SCRATCH}, 8")
        if random.random() < 0.6:
            for number in function.named:
                if random.random() < 0.7:
                    value = random.randrange(-99, 8191)
                    self.begin(f"adds r{number} = {value}, r0", ("gr", number))
        elif function.named:
            self.say(f"add {SUM} = {SUM}, r{random.choice(function.named)}", "reads unwritten")

    def _prologue(self) -> None:
        random = self.random
        for register, value in (
            (BASE, "buffer"), (LINKS, "links"), (FUEL, self.fuel),
            (STEP, random.choice((16, 32, -16, -48))), (SUM, 0),
        ):  # fmt: skip
            self.say(f"movl {register} = {value}")
        self.say(f"movl {SCRATCH} = {MIDDLE}")
        for number in POINTERS:
            self.say(f"add r{number} = {BASE}, {SCRATCH}")
        for number in DATA:
            value = random.choice((*SPECIAL, random.getrandbits(64), number))
            self.say(f"movl r{number} = {value}")
        for number in range(0, BUFFER - MIDDLE, BUFFER // 16):  # memory is not only zeros
            self.say(f"adds {SCRATCH} = {number % 8000}, r{POINTERS[0]}")
            self.say(f"st8 [{SCRATCH}] = r{random.choice(DATA)}")
        for number in self.floats[:: random.choice((1, 2, 5))]:
            kind = random.choice(("sig", "sig", "d", "s", "exp"))
            self.say(f"setf.{kind} f{number} = r{random.choice(DATA)}", f"setf.{kind}")

    def _leave(self) -> None:
        function = self.function
        for number in function.named:
            if self.random.random() < 0.3:
                self.say(f"add {SUM} = {SUM}, r{number}")
        if function.keeps == "locals":
            self.say(f"mov ar.pfs = r{32 + function.link}")
            self.say(f"mov b0 = r{33 + function.link}")
        elif function.keeps == "memory":
            self.say(f"adds {LINKS} = -8, {LINKS}")
            self.say(f"ld8 {SCRATCH} = [{LINKS}], -8")
            self.say(f"mov b0 = {SCRATCH}")
            self.say(f"ld8 {SCRATCH} = [{LINKS}]")
            self.say(f"mov ar.pfs = {SCRATCH}")
        self.say("br.ret.sptk.many b0", "return")

    def _call(self) -> None:
        """Call a function, itself too, while there is fuel."""
        callee = self.random.choice(self.names[1:] or [self.name])
        if callee == "main":
            return
        features = ("recursion",) if callee == self.name else ("call",)
        target = callee
        if self.random.random() < 0.3:
            self.say(f"movl {SCRATCH} = {callee}")
            self.say(f"mov b6 = {SCRATCH}")
            target, features = "b6", (*features, "indirect call")
        self.say(f"adds {FUEL} = -1, {FUEL}")
        self.begin(f"cmp.lt {AGAIN}, {NO_MORE} = r0, {FUEL}")
        self.finish(f"({AGAIN}) br.call.sptk.many b0 = {target}", *features)

    # ------------------------------------------------------------------------------------ segments

    def _segment(self, calls: bool) -> None:
        """Straight code, a loop or a way over some code; perhaps a call, perhaps a fault."""
        random = self.random
        if random.random() < 0.15:
            self.say("clrrrb" + random.choice(("", ".pr")))
        if calls and random.random() < 0.6:
            self._call()
        if random.random() < 0.75 and self.loops < 6:
            self.loops += 1
            self._loop(random.choice(LOOPS), calls)
        else:
            self._straight(random.randint(1, 8))
        if random.random() < 0.3:
            self._over()
        if random.random() < 0.15 and self.function.size + 4 <= self.most:
            self.say(self.function.alloc(outputs=random.randint(0, 4)), "frame changed")
        if self.fault and random.random() < 0.25:
            self._fault(self.fault)

    def _straight(self, count: int) -> None:
        for _ in range(count):
            self._instruction()

    def _over(self) -> None:
        """A branch over some code, on a predicate of the program's."""
        over, random = self.new_label(), self.random
        is_long = random.random() < 0.1
        features = ("long branch",) if is_long else ()
        guard, target = random.choice(self.guards), over
        if random.random() < 0.2:
            self.say(f"movl {SCRATCH} = {over}")
            self.say(f"mov b7 = {SCRATCH}")
            target, features = "b7", (*features, "indirect branch")
        hint = random.choice(("sptk", "dptk", "spnt", "dpnt"))
        self.begin(f"(p{guard}) br.cond.{hint}.few {target}", features=features)
        self._straight(random.randint(1, 4))
        if is_long:
            self.stop()
            self.put(f"        .align {1 << random.choice((12, 14))}")
        self.label(over)

    def _loop(self, kind: str, calls: bool) -> None:
        random, region = self.random, self.function.rotating
        turns = random.choice((0, 1, 3, region + random.randint(1, 9), region // 2))
        stages = random.choice((0, 1, 1, 2, 5))
        if turns > 127:
            turns = 127
        features = set()
        if region and turns > region and kind != "cloop":
            features.add("more turns than registers")
        self.say(f"mov ar.lc = {turns}")
        self.say(f"mov ar.ec = {stages}")
        if kind[0] == "w":
            self.say(f"mov {LEFT} = {turns}")
        if random.random() < 0.5:
            self.say(f"mov pr.rot = {random.choice((1, 5, random.getrandbits(20))) << 16:#x}")
        top, out = self.new_label(), self.new_label()
        self.label(top)
        self._straight(random.randint(0, 5))
        named = [n for n in self.function.named if n < 32 + region]
        if region and random.random() < 0.8:
            if named and random.random() < 0.7:
                self._guarded(f"add {SUM} = {SUM}, r{random.choice(named)}")
            if named and random.random() < 0.5:
                self.say(f"adds r{random.choice(named)} = {random.randrange(64)}, {SUM}")
        if calls and random.random() < 0.25:
            self._call()
        guard = ""
        if kind[0] == "w":
            self.say(f"adds {LEFT} = -1, {LEFT}")
            self.begin(f"cmp.le {AGAIN}, {NO_MORE} = r0, {LEFT}")
            guard = f"({AGAIN}) "
        if not guard or random.random() < 0.5:
            self.stop()
        hint = random.choice(("sptk", "dptk", "spnt", "dpnt"))
        target = out if kind.endswith("exit") else top
        self.finish(f"{guard}br.{kind}.{hint}.few {target}", f"br.{kind}", *features)
        if target == out:
            self._straight(random.randint(0, 3))
            self.say(f"br.cond.sptk.few {top}")
        self.label(out)

    def _guarded(self, text: str) -> None:
        guard = f"(p{self.random.choice(self.guards)}) " if self.random.random() < 0.3 else ""
        self.say(guard + text)

    def _fault(self, kind: str) -> None:
        random = self.random
        if kind == "unmapped":
            what = random.choice(("ld8 r14 = [r0]", "stfe [r0] = f6", "xchg4 r14 = [r0], r15"))
            self._guarded(what)
        elif kind == "misaligned":
            self.say(f"adds {SCRATCH} = {random.choice((1, 2, 4, 8))}, r{POINTERS[0]}")
            self._guarded(
                random.choice((
                    f"ldfe f7 = [{SCRATCH}]", f"ld8 r14 = [{SCRATCH}], 8",
                    f"stf.spill [{SCRATCH}] = f6", f"cmpxchg8.acq r14 = [{SCRATCH}], r15, ar.ccv",
                ))
            )  # fmt: skip
        elif kind == "outside the frame":
            if self.function.size + 4 < MOST_FRAME:
                outside = 32 + random.randint(self.function.size + 4, MOST_FRAME - 1)
                what = (f"adds r{outside} = 1, r0", f"add {SUM} = {SUM}, r{outside}")
                self._guarded(random.choice(what))
        elif kind == "break":
            self._guarded(f"break.{random.choice('mi')} {random.choice((0, 1, 77))}")
        elif kind == "bad target":
            self.say(f"movl {SCRATCH} = {random.choice((0, 16, 1 << 40))}")
            self.say(f"mov b7 = {SCRATCH}")
            self._guarded("br.cond.sptk.few b7")
        elif kind == "illegal frame":
            self.say(f"movl {SCRATCH} = {random.choice((100, 5 | 6 << 7, 7 | 1 << 14))}")
            self._return_badly()
        elif kind == "stack empty":
            self.say(f"movl {SCRATCH} = {90 | 90 << 7}")
            self._return_badly()
        elif kind == "region changed":
            other = 0 if self.function.rotating else EIGHT
            self.say(f"alloc {RESULT_OF_ALLOC} = ar.pfs, 0, 8, 0, {other}")
            self.say(self.function.alloc())
        else:
            self._guarded("mov ar.fpsr = r0")

    def _return_badly(self) -> None:
        self.say(f"mov ar.pfs = {SCRATCH}")
        self._guarded("br.ret.sptk.many b0")

    # -------------------------------------------------------------------------------- instructions

    def _instruction(self) -> None:
        """Any row of the table, with a stop before it if its group cannot take it."""
        random = self.random
        kinds = list(ROWS)
        weights = [self.weights.get(kind, 1) for kind in kinds]
        row = random.choice(ROWS[random.choices(kinds, weights)[0]])
        operands = self._operands(row)
        if row.access and self.function.named and random.random() < 0.3:
            self._address_in_a_stacked_register(row, operands)
        guard = 0
        if "unpredicated" not in row.flags and random.random() < 0.25:
            guard = random.choice(self.guards)
        reads, writes = {("pr", guard)}, set()
        for operand in row.operands:
            if isinstance(operand.kind, RegisterKind):
                register = (operand.kind.name, operands[operand.name])
                if operand.is_read:
                    reads.add(register)
                if operand.is_written:
                    writes.add(register)
        reads |= _implied(row.implicit_reads)
        writes |= _implied(row.implicit_writes)
        if (reads | writes) & self.written or random.random() < 0.15:
            self.stop()
        texts = {each.name: self._text(each, operands[each.name]) for each in row.operands}
        when = f"(p{guard}) " if guard else ""
        self.put(f"        {when}{row.syntax.format(**texts)}", *features_of(row))
        self.written |= writes - {("pr", 0)}
        self.is_open = True

    def _address_in_a_stacked_register(self, row: Operation, operands: dict[str, int]) -> None:
        """Copy the pointer into a named register, unless the row writes that one too."""
        place = row.access.address
        stacked = self.random.choice(self.function.named)
        if stacked not in [value for name, value in operands.items() if name != place]:
            self.say(f"mov r{stacked} = r{operands[place]}", "address in a stacked register")
            operands[place] = stacked

    @staticmethod
    def _text(operand: Operand, value: int) -> str:
        prefix = {"gr": "r", "fr": "f", "pr": "p", "br": "b"}
        kind = operand.kind
        return f"{prefix[kind.name]}{value}" if isinstance(kind, RegisterKind) else str(value)

    def _operands(self, row: Operation) -> dict[str, int]:
        """Values that the row takes: no register written twice, pairs odd and even."""
        while True:
            values = {operand.name: self._value(row, operand) for operand in row.operands}
            written = [
                (operand.kind.name, values[operand.name])
                for operand in row.operands
                if operand.is_written and isinstance(operand.kind, RegisterKind)
            ]
            floats = [number for file, number in written if file == "fr"]
            if len(set(written)) == len(written) and (len(floats) < 2 or sum(floats) % 2):
                return values

    def _value(self, row: Operation, operand: Operand) -> int:
        random, kind = self.random, operand.kind
        if row.access and operand.name == row.access.address:
            return random.choice(POINTERS)
        if row.access and operand.name == "r2" and row.name.endswith("increment_register"):
            return int(STEP[1:])
        if isinstance(kind, LowGeneralRegister):
            return random.choice((1, 2, 3))
        if isinstance(kind, RegisterKind):
            return self._register(operand)
        if row.access and operand.name == "imm" and not isinstance(kind, OneOf):
            return random.randrange(-64, 64) if self.wild else 16 * random.randrange(-4, 5)
        assert isinstance(kind, Immediate)
        if isinstance(kind, OneOf):
            return random.choice(kind.values)
        multiple = kind.multiple if isinstance(kind, Scaled) else 1
        low, high = kind.lowest // multiple, kind.highest // multiple
        value = random.choice((low, high, random.randint(low, high), max(low, min(high, 1))))
        return value * multiple

    def _register(self, operand: Operand) -> int:
        random, file, written = self.random, operand.kind.name, operand.is_written
        if file == "gr":
            named = self.function.named
            if named and random.random() < 0.5:
                return random.choice(named)
            return random.choice((*DATA, int(SUM[1:]), *([] if written else [0])))
        if file == "fr":
            fixed = [] if written else [1] if isinstance(operand.kind, Addend) else [0, 1]
            return random.choice((*self.floats, *fixed))
        if file == "pr":
            return random.choice((*self.guards, 0))
        return random.choice((6, 7)) if written else random.randrange(8)


def _implied(names: tuple[str, ...]) -> set[tuple[str, int]]:
    """Resources without an operand; `pr` is all predicates."""
    found = {(name, 0) for name in names if name != "pr"}
    return found | {("pr", number) for number in range(1, 64) if "pr" in names}


def features_of(row: Operation) -> set[str]:
    """The features that an executed row has."""
    name = row.name
    found = {
        "post-increment": ".increment" in name,
        "cmpxchg": name.startswith("cmpxchg"),
        "xchg": name.startswith("xchg"),
        "fetchadd": name.startswith("fetchadd"),
        "ldfe": name.startswith("ldfe"),
        "stfe": name.startswith("stfe"),
        "ldf.fill": name.startswith("ldf.fill"),
        "stf.spill": name.startswith("stf.spill"),
        "pair load": name.startswith("ldfp"),
        "xma": name.startswith("xma"),
        "seed": name.startswith(("frcpa", "frsqrta")),
        "parallel compare": name.startswith(("cmp", "tbit")) and (".and" in name or ".or" in name),
        "moves all predicates": name in ("mov.to_pr", "mov.to_pr_rot", "mov.from_pr"),
        **{f"setf.{part}": name == f"setf.{part}" for part in ("sig", "s", "d", "exp")},
    }
    return {feature for feature, has in found.items() if has}
