"""Random programs of ptx rows for whole grids, without races: every machine leaves one memory.

    program = RandomRows(17)
    program.text, program.features      rows as text, and of each row what it is there for
    program.grid, program.frame, program.launches

A thread writes words of its own in `out`, in shared and in local memory, and reads others' between
two barriers only; what threads change together (`sums`, `bins`) they change by one operation that
gives the same in every order.  Registers, shared and local memory are read before anything is
written there, too: they begin with 0.

r0 … r15 (pairs d0 … d14) and p0 … p3 are what rows compute with; r16, r17 and p4 nobody writes.
Where all threads of a block that have not ended come together, they meet; where all of a *tile* of
eight lanes do, its lanes act together, and name themselves only.
"""

from __future__ import annotations

from random import Random

import numpy as np

from machines.operations.row import Lane
from machines.threads.grid import Grid
from machines.types import I8, I16, I32, PTR
from tests.machines.instructions.test_ptx_cases import ROWS
from tests.warp_programs import line

WORDS, PREDICATES, TILE = 16, 4, 8
OUT, OWN_SHARED, OWN_LOCAL = 64, 32, 64
"""Bytes of a thread: in `out`, in shared and in local memory."""
DATA, BINS, SUMS = 256, 32, 64
"""Bytes of `data`, of the bins of a block behind its threads' shared memory, and of `sums`."""
MOST_SHARED = 8 * 1024
BLOCKS = ((1, 1, 1), (3, 1, 1), (2, 2, 1), (40, 1, 1), (1, 2, 3))
THREADS = ((1, 1, 1), (7, 1, 1), (32, 1, 1), (40, 1, 1), (64, 1, 1), (8, 3, 2), (4, 8, 2))
COMPUTED = {
    "integers": "add.s32 sub.s32 mad.lo.s32 mul.wide.s32 shl.b32 shr.s32 shr.u32 bfe.s32 prmt.b32",
    "bits": "and.b32 xor.b32",
    "pairs": "add.s64 selp.b64 mov.unpack.b64 mov.pack.b64",
    "floats": "add.rn.f32 mul.rn.f32 fma.rn.f32 min.f32 max.f32",
    "floats of 64 bits": "fma.rn.f64",
    "conversions": "cvt.rzi.s32.f32 cvt.rn.f32.s32 cvt.rn.f32.f64",
    "comparisons": "setp.lt.s32 setp.ltu.f32 setp.ge.u64 selp.b32",
    "carry": "addc.cc.u32",
    "predicates": "not.pred",
}
OF_ROW = {row: kind for kind, rows in COMPUTED.items() for row in rows.split()}
COMMUTING = ("add.u32", "min.s32", "max.u32", "xor.b32", "and.b32", "or.b32")
"""Operations on `sums` and bins: word k knows operation k only."""
SPECIALS = ("tid.y", "tid.z", "ctaid.y", "ctaid.z", "ntid.y", "nctaid.x", "laneid", "lanemask_lt")


class RandomRows:
    """The program of a seed; `faults`: it may fault, and what it leaves then is not told."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.grid = Grid(self.random.choice(BLOCKS), self.random.choice(THREADS))
        self.faults = self.chance(0.3)
        self.early_ends = self.chance(0.3)
        self.launches = self.random.choice(("one", "one", "in turn", "side by side"))
        self.lines: list[str] = []
        self.rows: list[str] = []
        self.features: list[tuple[str, ...]] = []
        self.labels = self.depth = 0
        self.is_open = True
        self.has_ended = False
        self.is_full = self.chance(0.15)
        threads = self.grid.block_threads
        self.shared = MOST_SHARED if self.is_full else threads * OWN_SHARED + BINS
        self.first_shared = self.shared - threads * OWN_SHARED - BINS
        self.left = self.random.randrange(12, 40)
        self.arguments = self.some_arguments()
        self.write()

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def frame(self) -> dict[str, int]:
        return {"shared": self.shared, "local": OWN_LOCAL}

    parameters = (
        ("out", PTR), ("data", PTR), ("sums", PTR), ("n", I32), ("narrow", I16), ("byte", I8),
    )  # fmt: skip

    def some_arguments(self) -> dict[str, object]:
        """Arrays by name, and the other arguments."""
        numbers = np.random.default_rng(self.random.getrandbits(32))
        everyone = self.grid.block_count * self.grid.block_threads
        return {
            "out": np.zeros(everyone * OUT // 4, np.int32),
            "data": numbers.integers(-(2**31), 2**31, DATA // 4).astype(np.int32),
            "sums": np.zeros(SUMS // 4, np.int32),
            "n": self.random.randint(-5, 5),
            "narrow": self.random.randint(-300, 300),
            "byte": self.random.randint(-100, 100),
        }

    # Rows

    def emit(self, row: str, *features: str) -> None:
        self.lines.append(row)
        self.rows.append(row)
        self.features.append(features)

    def label(self) -> str:
        self.labels += 1
        return f"L{self.labels}"

    def place(self, label: str) -> None:
        """A block of this name begins; the one before runs on into it, if it has no end."""
        if self.is_open:
            self.lines.append(f"bra.uni {label}")  # needs no row
        self.lines.append(f"{label}:")
        self.is_open = True

    def branch(self, guard: str, target: str, *features: str) -> None:
        """Leave for `target` under a guard, '@p0' or '@!p0'."""
        on, predicate = self.label(), guard.lstrip("@!")
        ways = (on, target) if "!" in guard else (target, on)
        self.emit(f"bra {predicate}, {', '.join(ways)}", *features)
        self.is_open = False
        self.place(on)

    def jump(self, target: str) -> None:
        self.emit(f"bra.uni {target}")
        self.is_open = False
        self.place(self.label())

    def word(self) -> str:
        return f"r{self.random.randrange(WORDS)}"

    def pair(self) -> str:
        return f"d{2 * self.random.randrange(WORDS // 2)}"

    def predicate(self) -> str:
        return f"p{self.random.randrange(PREDICATES)}"

    def guard(self) -> str:
        if not self.chance(0.25):
            return ""
        return f"@{self.random.choice(('', '!'))}{self.predicate()} "

    # The frame of a program

    def write(self) -> None:
        self.prologue()
        while self.left > 0:
            self.together()
        self.epilogue()

    def prologue(self) -> None:
        grid, emit = self.grid, self.emit
        shape = ["one thread"] if grid.block_threads == 1 else []
        shape += ["partial warp"] if grid.block_threads % 32 and grid.block_threads > 1 else []
        shape += ["several warps"] if grid.block_threads > 32 else []
        shape += ["more blocks than fit"] if grid.block_count == 40 else []
        shape += ["several blocks"] if 1 < grid.block_count < 40 else []
        shape += ["blocks in two or three dimensions"] if grid.blocks[1] > 1 else []
        shape += ["threads in two or three dimensions"] if grid.threads[1] > 1 else []
        shape += [{"one": "one launch", "in turn": "launches in turn"}.get(
            self.launches, "launches side by side")]  # fmt: skip
        if self.is_full:
            shape.append("shared memory full")
        emit("r22 = mov.laneid", *shape)
        self.linear("tid", "ntid", "r20")
        self.linear("ctaid", "nctaid", "r21")
        emit(f"r21 = mad.lo.s32 r21, {grid.block_threads}, r20")
        emit("d30 = ld.param.b64 0")
        emit(f"d30 = mad.wide.u32 r21, {OUT}, d30")
        emit("d32 = ld.param.b64 8")
        emit("d34 = ld.param.b64 16")
        emit(f"r36 = mad.lo.s32 r20, {OWN_SHARED}, {self.first_shared}")
        emit("r24, r25 = mov.unpack.b64 0x700000000000")
        emit("d38 = mov.pack.b64 r36, r25")
        emit("d40 = mov.b64 0x710000000000")
        emit("r46 = and.b32 r22, 24")
        emit("r46 = shl.b32 255, r46", "tile mask")
        for n in self.random.sample(range(WORDS), 9):
            source = self.random.choice(("r20", "r21", "r22", "data", "special"))
            if source == "data":
                emit("r24 = and.b32 r21, 63")
                emit("d26 = mad.wide.u32 r24, 4, d32")
                emit(f"r{n} = ld.global.b32 d26, 0")
            elif source == "special":
                emit(f"r{n} = mov.{self.random.choice(SPECIALS)}", "special register")
            else:
                emit(f"r{n} = mad.lo.s32 {source}, {self.random.randint(1, 9)}, {n - 5}")
        for n in range(3):
            emit(f"r24 = and.b32 r{self.random.choice((20, 22))}, {1 << self.random.randrange(5)}")
            emit(f"p{n} = setp.ne.s32 r24, 0")
        if self.chance(0.4):
            emit(f"{self.word()} = ld.shared.b32 r36, 4", "shared memory before it is written")
            emit("r24 = ld.local.b32 0, 4", "local memory before it is written")
            emit(f"{self.word()} = xor.b32 {self.word()}, r24")

    def linear(self, place: str, extent: str, into: str) -> None:
        self.emit(f"{into} = mov.{place}.z")
        for axis in "yx":
            self.emit(f"r24 = mov.{extent}.{axis}")
            self.emit(f"r25 = mov.{place}.{axis}")
            self.emit(f"{into} = mad.lo.s32 {into}, r24, r25")

    def epilogue(self) -> None:
        """Everything a thread holds goes to memory, folded into a few words."""
        for n in range(WORDS):
            self.emit(f"r{(n + 1) % WORDS} = mad.lo.s32 r{n}, 31, r{(n + 1) % WORDS}")
        for n in range(PREDICATES):
            self.emit(f"r24 = selp.b32 {1 << n}, 0, p{n}")
            self.emit("r0 = xor.b32 r0, r24")
        self.emit("st.global.b32 d30, 60, r0")
        self.emit("exit")

    # What any thread may do alone

    def alone(self) -> None:
        choices = [
            (self.computation, 8), (self.own_memory, 5), (self.read_data, 2), (self.parameter, 0.5),
            (self.atomic, 2), (self.own_atomic, 1.5), (self.mixed_spaces, 1.5), (self.chase, 1),
            (self.unwritten, 1), (self.half, 1), (self.copies, 0.5),
        ]  # fmt: skip
        if self.faults:
            choices.append((self.fault, 4))
        self.pick(choices)

    def pick(self, choices) -> None:
        actions, weights = zip(*choices, strict=True)
        self.random.choices(actions, weights)[0]()

    def computation(self) -> None:
        row = ROWS[self.random.choice(list(OF_ROW))]
        texts = [self.operand(o.kind, o.is_written) for o in row.operands]
        written = [text[1:] for text, o in zip(texts, row.operands, strict=True) if o.is_written]
        if len(set(written)) == len(written):
            kind = OF_ROW[row.name]
            self.emit(f"{self.guard()}{line(row, texts)}", kind)

    def operand(self, lane: Lane, written: bool) -> str:
        if lane.file == "pred":
            return self.predicate()
        if not written and lane.type[0] != "f" and self.chance(0.15):
            return str(self.random.choice((0, 1, -1, 31, 0x7FFFFFFF, -0x80000000)))
        return self.pair() if lane.file == "b64" else self.word()

    def unwritten(self) -> None:
        """Registers that nothing writes hold 0."""
        row = self.random.choice((
            f"{self.word()} = add.s32 r16, {self.word()}", f"{self.pair()} = add.s64 d16, 5",
            f"{self.word()} = selp.b32 {self.word()}, 3, p4",
        ))  # fmt: skip
        self.emit(row, "register nobody writes")

    def half(self) -> None:
        """One half of a pair is written, and the pair read."""
        first = 2 * self.random.randrange(WORDS // 2)
        guard = self.guard()
        self.emit(f"{guard}r{first + self.random.randrange(2)} = mov.b32 r20", "half of a pair")
        self.emit(f"{self.pair()} = add.s64 d{first}, d{first}", "half of a pair")

    def copies(self) -> None:
        self.emit(f"{self.word()} = mov.tid.x", "special register")

    def own_memory(self) -> None:
        """A load or store of any width in the thread's own words of some space."""
        space = self.random.choice(("global", "shared", "local"))
        base, size = {"global": ("d30", OUT - 8), "shared": ("r36", OWN_SHARED),
                      "local": ("0", OWN_LOCAL)}[space]  # fmt: skip
        named, features = space, [space]
        if self.chance(0.3):
            named, features = "generic", [f"generic {space}"]
            base = {"global": "d30", "shared": "d38", "local": "d40"}[space]
        kind = self.random.choice(("u8", "s8", "u16", "s16", "b32", "b32", "b64"))
        width = {"8": 1, "6": 2, "2": 4, "4": 8}[kind[-1]]
        elements = self.random.choice((1, 1, 2, 4)) if width < 8 else self.random.choice((1, 2))
        elements = 1 if width * elements > size // 2 else elements
        place = width * elements * self.random.randrange(size // (width * elements))
        if self.chance(0.2):
            base, place, more = self.stepped_back(base, place)
            features += more
        features.append({1: "8 bits", 2: "16 bits", 4: "32 bits", 8: "64 bits"}[width])
        if elements > 1:
            features.append("vector")
        vector = f".v{elements}" if elements > 1 else ""
        if self.chance(0.5):
            registers = self.registers(kind, elements, distinct=True)
            row = f"{', '.join(registers)} = ld.{named}{vector}.{kind} {base}, {place}"
            self.emit(f"{self.guard()}{row}", "load", *features)
        else:
            kind = kind.replace("s", "u")
            registers = self.registers(kind, elements, distinct=False)
            row = f"st.{named}{vector}.{kind} {base}, {place}, {', '.join(registers)}"
            self.emit(f"{self.guard()}{row}", "store", *features)

    def stepped_back(self, base: str, place: int):
        """The same address from behind, by a negative offset."""
        if base == "0":
            return base, place, []
        scratch = "d28" if base[0] == "d" else "r28"
        kind = "s64" if base[0] == "d" else "s32"
        self.emit(f"{scratch} = add.{kind} {base}, 64")
        return scratch, place - 64, ["negative offset"]

    def registers(self, kind: str, count: int, distinct: bool) -> list[str]:
        names = [f"r{n}" for n in range(WORDS)]
        if kind == "b64":
            names = [f"d{2 * n}" for n in range(WORDS // 2)]
        return (self.random.sample if distinct else self.random.choices)(names, k=count)

    def read_data(self) -> None:
        """What all may read: words that lie apart, beside each other, backwards, or all one."""
        self.emit(f"r24 = and.b32 {self.word()}, 63")
        if self.chance(0.3):
            self.emit("r24 = sub.s32 63, r22", "negative stride")
        self.emit("d26 = mad.wide.u32 r24, 4, d32")
        space = self.random.choice(("global", "const", "generic"))
        feature = {"generic": "generic global", "const": "constant"}.get(space, space)
        self.emit(f"{self.guard()}{self.word()} = ld.{space}.b32 d26, 0", "load", feature)

    def parameter(self) -> None:
        place, kind = self.random.choice(
            ((24, "b32"), (28, "s16"), (28, "u16"), (30, "s8"), (30, "u8"))
        )
        self.emit(f"{self.word()} = ld.param.{kind} {place}", "parameter")

    def atomic(self) -> None:
        """Words that all change: what was there is nobody's business."""
        number = self.random.randrange(len(COMMUTING))
        bits = COMMUTING[number]
        space = self.random.choice(("global", "shared", "both"))
        one = self.chance(0.5)
        if not one:
            self.emit(f"r24 = and.b32 {self.word()}, 1")
        guard, value = self.guard(), self.word()
        way = self.random.choice(("atom", "red"))
        place = 4 * number
        features = ["atomic of all lanes on one word" if one else "atomic of lanes on some words"]
        into = "r29 = " if way == "atom" else ""
        # `sums` has two words for each operation, the bins have one for all but the last two.
        if space == "shared":
            self.emit(f"r28 = mov.b32 {self.shared - BINS}")
            self.emit(
                f"{guard}{into}{way}.shared.{bits} r28, {place}, {value}",
                "atomic shared",
                *features,
            )
            return
        self.emit("d26 = mov.b64 d34")
        if not one:
            self.emit(f"d26 = mad.wide.u32 r24, {4 * len(COMMUTING)}, d34")
        if space == "global":
            self.emit(
                f"{guard}{into}{way}.global.{bits} d26, {place}, {value}",
                "atomic global",
                *features,
            )
            return
        self.emit(f"d28 = mov.b64 {0x700000000000 + self.shared - BINS}")
        self.emit(f"d26 = selp.b64 d28, d26, {self.predicate()}")
        self.emit(f"{guard}{into}{way}.generic.{bits} d26, {place}, {value}", "atomic generic")

    def own_atomic(self) -> None:
        """On a word of one's own: what was there is used."""
        space, base = self.random.choice((("global", "d30"), ("shared", "r36"), ("generic", "d38")))
        operation = self.random.choice(("exch.b32", "cas.b32", "inc.u32", "dec.u32", "add.u32"))
        values = [self.word() for _ in range(1 + operation.startswith("cas"))]
        row = f"{self.word()} = atom.{space}.{operation} {base}, 8, {', '.join(values)}"
        self.emit(f"{self.guard()}{row}", "atomic whose result is used")

    def mixed_spaces(self) -> None:
        """Lanes access different spaces in one row."""
        self.emit(f"d26 = selp.b64 d38, d30, {self.predicate()}")
        self.emit(f"d26 = selp.b64 d40, d26, {self.predicate()}")
        guard = self.guard()
        if self.chance(0.5):
            self.emit(f"{guard}{self.word()} = ld.generic.b32 d26, 16", "spaces mixed in a load")
        else:
            self.emit(f"{guard}st.generic.b32 d26, 16, {self.word()}", "spaces mixed in a store")

    def chase(self) -> None:
        """An address is loaded from where it leads on, into the register that held the other."""
        pair = self.pair()
        self.emit(f"d26 = selp.b64 d38, d40, {self.predicate()}")
        self.emit("st.global.b64 d30, 8, d26")
        self.emit(f"{pair} = mov.b64 d30")
        self.emit(f"{pair} = ld.generic.b64 {pair}, 8", "address replaced by what it leads to")
        if self.chance(0.5):
            self.emit(f"{self.word()} = ld.generic.b32 {pair}, 0", "load")

    def fault(self) -> None:
        kind = self.random.choice(("misaligned", "out of bounds", "trap"))
        who = self.random.choice((self.word(), "r20", "r21", "r22"))
        self.emit(f"p5 = setp.eq.s32 {who}, {self.random.randrange(8)}")
        if kind == "trap":
            self.emit("@p5 trap", "trap")
            return
        offset = {"misaligned": 2, "out of bounds": 1 << 20}[kind]
        base = self.random.choice(("global.b32 d30", "shared.b32 r36", "generic.b32 d38"))
        self.emit(f"@p5 r29 = ld.{base}, {offset}", kind)

    # Ways that lanes part

    def apart(self, body, depth: int) -> None:
        """A few statements of `body`, some of them nested."""
        for _ in range(self.random.randint(1, 3)):
            self.left -= 1
            if depth > 0 and self.chance(0.35):
                nested = (lambda: self.if_(body, depth - 1), 3), (lambda: self.loop(depth - 1), 2)
                self.pick([*nested, (self.region, 1)])
            else:
                body()

    def if_(self, body, depth: int, guard: str = "") -> None:
        other, join = self.label(), self.label()
        kind = self.random.choice(("if", "if and else", "empty side"))
        self.branch(guard or f"@{self.predicate()}", other, kind)
        self.apart(body, depth)
        if self.chance(0.5) or kind == "if and else":
            self.jump(join)
            self.place(other)
            if kind != "empty side":
                self.apart(body, depth)
        else:
            self.place(other)
        self.place(join)

    def loop(self, depth: int) -> None:
        """As many turns as a lane's value says, none perhaps; left in the middle now and then."""
        head, after = self.label(), self.label()
        counter, test = f"r{42 + depth}", f"p{6 + depth}"
        self.emit(f"{counter} = and.b32 {self.random.choice((self.word(), 'r22'))}, 3")
        self.emit(f"{test} = setp.gt.s32 {counter}, 0")
        self.branch(f"@!{test}", after, "loop that may not turn")
        self.place(head)
        self.apart(self.alone, depth)
        if self.chance(0.4):
            self.branch(f"@{self.predicate()}", after, "loop left in its middle")
            self.alone()
        self.emit(f"{counter} = sub.s32 {counter}, 1")
        self.emit(f"{test} = setp.gt.s32 {counter}, 0")
        self.branch(f"@{test}", head, "loop")
        self.place(after)

    def region(self) -> None:
        """Blocks that go to each other while there is fuel: irreducible for the most part."""
        names = [self.label() for _ in range(self.random.randint(3, 5))]
        after = self.label()
        self.emit("r47 = mov.b32 6")
        self.branch(f"@{self.predicate()}", self.random.choice(names))
        for name in names:
            self.place(name)
            self.emit("r47 = sub.s32 r47, 1")
            self.emit("p5 = setp.lt.s32 r47, 0")
            self.branch("@p5", after)
            self.alone()
            self.branch(f"@{self.predicate()}", self.random.choice(names), "blocks in any order")
        self.place(after)

    # What lanes or threads do together

    def together(self) -> None:
        self.left -= 1
        choices = [
            (lambda: self.apart(self.alone, 2), 6), (self.exchange, 1.5), (self.warp_row, 3),
            (self.tiles_apart, 2), (lambda: self.tile_row("tile row"), 3),
            (self.barriers_apart, 0.7), (self.uniform_loop, 1),
            (lambda: self.emit("membar.gl", "fence"), 0.5),
        ]  # fmt: skip
        if self.grid.block_threads == 64 and not self.early_ends:
            choices.append((self.counted_barriers, 1.5))
        if self.early_ends:
            choices.append((self.end_early, 2))
        self.pick(choices)

    def uniform_loop(self) -> None:
        head = self.label()
        self.emit(f"r45 = mov.b32 {self.random.randint(1, 3)}")
        self.place(head)
        self.emit("r24 = add.s32 r45, 0")
        for _ in range(2):
            self.left -= 1
            self.pick([(self.alone, 2), (self.warp_row, 2), (self.exchange, 1),
                       (lambda: self.tile_row("tile row"), 2)])  # fmt: skip
        self.emit("r45 = sub.s32 r45, 1")
        self.emit("p5 = setp.gt.s32 r45, 0")
        self.branch("@p5", head, "loop of all together")

    def end_early(self) -> None:
        on = self.label()
        self.emit(f"r24 = and.b32 r20, {self.random.choice((3, 7, 63))}")
        self.emit(f"p5 = setp.ne.s32 r24, {self.random.randrange(4)}")
        self.branch("@p5", on)
        self.emit("st.global.b32 d30, 60, r0")
        self.emit("exit", "lanes that end early")
        self.has_ended, self.is_open = True, False
        self.place(on)

    def exchange(self) -> None:
        """A word of another thread, between two barriers."""
        ended = ["barrier after lanes have ended"] if self.has_ended else []
        self.emit(f"st.shared.b32 r36, 12, {self.word()}")
        self.emit("bar.sync 0, 0", "barrier", *ended)
        self.emit(f"r24 = rem.u32 {self.word()}, {self.grid.block_threads}")
        self.emit(f"r24 = mad.lo.s32 r24, {OWN_SHARED}, {self.first_shared}")
        self.emit(f"{self.word()} = ld.shared.b32 r24, 12")
        self.emit("bar.sync 0, 0", "barrier")

    def counted_barriers(self) -> None:
        """The first warp leaves words for the second, which waits for it."""
        second, join = self.label(), self.label()
        self.emit("p5 = setp.gt.u32 r20, 31")
        self.branch("@p5", second)
        self.emit(f"st.shared.b32 r36, 20, {self.word()}")
        self.emit("bar.arrive 1, 64", "barrier that some only arrive at")
        self.jump(join)
        self.place(second)
        self.emit("bar.sync 1, 64", "counted barrier")
        self.emit(f"r24 = sub.s32 r36, {32 * OWN_SHARED}")
        self.emit(f"{self.word()} = ld.shared.b32 r24, 20")
        self.place(join)
        self.emit("bar.sync 0, 0", "barrier")

    def barriers_apart(self) -> None:
        """Both sides of a branch wait, each where it stands."""
        other, join = self.label(), self.label()
        self.branch(f"@{self.predicate()}", other)
        self.alone()
        self.emit("bar.sync 0, 0", "barrier on both sides of a branch")
        self.jump(join)
        self.place(other)
        self.emit("bar.sync 0, 0", "barrier on both sides of a branch")
        self.place(join)

    def tiles_apart(self) -> None:
        """Tiles go different ways, and act each by itself."""
        self.emit(f"r24 = and.b32 r20, {self.random.choice((8, 16))}")
        self.emit("p5 = setp.ne.s32 r24, 0")
        self.if_(lambda: self.tile_row("tile row of tiles that went apart"), 0, "@p5")

    def tile_row(self, feature: str) -> None:
        self.act("r46", feature)

    def warp_row(self) -> None:
        ended = ["row of a warp after lanes have ended"] if self.has_ended else []
        self.act("-1", "row of a whole warp", *ended)

    def act(self, mask: str, *features: str) -> None:
        """A row that lanes execute together."""
        kind = self.random.choice(("shfl", "shfl", "vote", "ballot", "redux", "match", "sync"))
        if kind == "shfl":
            way = self.random.choice(("up", "down", "bfly", "idx"))
            c = {"up": ("0", str(24 << 8))}.get(way, ("31", str(24 << 8 | 31)))
            b = self.random.choice((self.word(), str(self.random.randrange(32))))
            row = f"{self.word()}, {self.predicate()} = shfl.sync.{way}.b32 {self.word()}, {b}"
            self.emit(f"{row}, {self.random.choice(c)}, {mask}", f"shuffle {way}", *features)
        elif kind == "vote":
            name = self.random.choice(("any", "all", "uni"))
            row = f"{self.predicate()} = vote.sync.{name}.pred {self.predicate()}, {mask}"
            self.emit(row, "vote", *features)
        elif kind == "ballot":
            self.emit(
                f"{self.word()} = vote.sync.ballot.b32 {self.predicate()}, {mask}",
                "ballot",
                *features,
            )
        elif kind == "redux":
            name = self.random.choice(("add.u32", "min.s32", "max.u32", "xor.b32"))
            row = f"{self.word()} = redux.sync.{name} {self.word()}, {mask}"
            self.emit(row, "redux", *features)
        elif kind == "match":
            self.emit(f"r24 = and.b32 {self.word()}, 3")
            self.emit(f"{self.word()} = match.any.sync.b32 r24, {mask}", "match", *features)
        else:
            self.emit(f"bar.warp.sync {mask}", "barrier of a warp", *features)
