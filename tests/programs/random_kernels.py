"""Random kernels without races, for the property that every machine gives the same memory.

    kernel = generate(17)            the same kernel for ever
    kernel.function, kernel.arguments, kernel.grid

Threads part in every way that code can make them: nested ifs, loops that are left and continued
from several places and over several levels, early returns, and *regions* of blocks that go to each
other at random (irreducible for the most part), each turn of which costs fuel.  Where all threads
of a block come, and only there, they meet at barriers and in operations of their warp.

First they meet now and then; in the end, where nobody waits for anybody any more, they may return
early.  (Where a return lies inside a branch, all that follows lies before the block in which the
branch meets again, so that a stack of such blocks keeps the threads apart at a barrier for ever.)

There are no races, so memory does not depend on the order in which threads run:

- a thread writes its own elements of `out` and of its shared and local memory, with values of any
  width and through pointers that lead here or there; elements of others are read between two
  barriers only, `data` is never written;
- atomic operations on what threads share are done for their effect, an element knows only one of
  them, and they give the same in every order.

Shared and local memory begins with 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from compiler.ir.builder import add_buffer, add_function
from compiler.ir.module import Buffer, Function, Guard, Instruction, Module
from machines.threads.grid import Grid
from machines.types import I32, I64, PTR
from tests.programs.random_statements import Body, Options

OUT, DATA = 4, 64
"""Elements of `out` for every thread, and of `data`."""
BINS = 8
"""Elements that each atomic operation has for itself."""
SLOTS = 4
"""Words of a thread's local memory, and of its part of `scratch`."""
OWN = 8
"""Where the bytes begin, in `out`, `scratch` and `slots`, that a thread accesses as it likes."""
ATOMICS = ("add", "min_s", "max_u", "xor", "and", "or")
"""Those that give the same in every order."""
BLOCKS = ((1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 3), (10, 1, 1))
THREADS = (
    (32, 1, 1), (64, 1, 1), (16, 4, 1), (4, 4, 4), (33, 1, 1), (8, 3, 2), (7, 1, 1), (1, 1, 1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RandomKernel:
    """`arguments` has a value for every parameter of `function`; `notes` say of some instructions
    what they are there for."""

    module: Module
    function: Function
    arguments: dict[str, object]
    grid: Grid
    notes: dict[Instruction, str]


def generate(seed: int, options: Options | None = None) -> RandomKernel:
    """The random kernel of this seed."""
    return _Generator(Random(seed), options or Options()).kernel()


class _Generator:
    def __init__(self, random: Random, options: Options):
        self.random, self.options = random, options
        self.module = Module()
        self.grid = Grid(random.choice(BLOCKS), random.choice(THREADS))
        self.helper: str | None = None
        self.notes: dict[Instruction, str] = {}
        self.body: Body

    def kernel(self) -> RandomKernel:
        if self.options.calls and self.random.random() < 0.5:
            self.add_helper()
        threads = self.grid.block_threads
        add_buffer(self.module, Buffer("tile", I32, threads, "shared"))
        add_buffer(self.module, Buffer("bins", I32, BINS, "shared"))
        add_buffer(self.module, Buffer("slots", I64, SLOTS // 2, "local"))
        add_buffer(self.module, Buffer("scratch", I64, threads * SLOTS // 2, "shared"))
        parameters = [("n", I32), ("out", PTR), ("data", PTR), ("sums", PTR)]
        b = add_function(self.module, "main", parameters)
        self.body = Body(self.random, self.options, b, self.options.size)
        b.block("entry")
        self.prologue()
        while self.body.left > self.options.size // 3:
            self.uniform(depth=2)
        self.read_bins()
        while self.body.left > 0:
            self.body.statement(self.options.depth)
        self.epilogue()
        b.forget_unused_types()
        return RandomKernel(self.module, b.function, self.arguments(), self.grid, self.notes)

    def note(self, what: str) -> None:
        """What the last instruction is there for."""
        self.notes[self.body.b.current.instructions[-1]] = what

    def arguments(self) -> dict[str, object]:
        numbers = np.random.default_rng(self.random.getrandbits(32))
        everyone = self.grid.block_count * self.grid.block_threads
        return {
            "n": self.random.randint(0, 5),
            "out": np.zeros(everyone * OUT, np.int32),
            "data": numbers.integers(-100, 100, DATA, np.int32),
            "sums": np.zeros(len(ATOMICS) * BINS * 2, np.int64),
        }

    def add_helper(self) -> None:
        """A function of numbers, with ways of its own through it."""
        b = add_function(self.module, "helper", [("a", I32), ("b", I32)], I32)
        body = Body(self.random, self.options, b, self.options.size // 3)
        if self.options.early_returns:
            body.leave = lambda: b.return_(body.number())
        b.block("entry")
        body.numbers = ["a", "b", b.emit("xor.i32", "a", "b", result="c")]
        while body.left > 0:
            body.statement(2)
        b.return_(body.number())
        self.helper = "helper"

    # The frame of a kernel

    def prologue(self) -> None:
        """Numbers that differ from thread to thread; all of shared and local memory written."""
        b, emit = self.body.b, self.body.emit
        self.thread = self.linear("tid", "ntid")
        self.block = self.linear("ctaid", "nctaid")
        size = emit("const.i32", self.grid.block_threads)
        self.everyone = emit("add.i32", emit("mul.i32", self.block, size), self.thread)
        self.out = self.element("out", emit("mul.i32", self.everyone, OUT), 2)
        self.tile = emit("address.ptr", "tile")
        self.own = self.element(self.tile, self.thread, 2)
        self.bins, self.slots = emit("address.ptr", "bins"), emit("address.ptr", "slots")
        mine = emit("mul.i32", self.thread, SLOTS)
        self.scratch = self.element(emit("address.ptr", "scratch"), mine, 2)
        for name in ("x", "y", "z", "w"):
            seed = self.random.choice((self.thread, self.everyone, emit("laneid"), self.block, "n"))
            product = emit("mul.i32", seed, self.random.randint(1, 9))
            emit("add.i32", product, self.random.randint(-5, 5), result=name)
            self.body.numbers.append(name)
        if self.options.unassigned:
            emit("add.i32", "x", 1, result="late", guard=Guard(self.body.condition()))
            self.body.numbers.append("late")
        self.load_data()
        if self.body.chance(0.4):
            emit("load.i32", emit("add.ptr", self.slots, OWN), result="z")
            self.note("local memory before it is written")
            emit("load.i32", emit("add.ptr", self.scratch, OWN), result="w")
            self.note("shared memory before it is written")
        for k in range(SLOTS):
            emit("store.i32", emit("add.ptr", self.slots, 4 * k), self.body.number())
        emit("store.i32", self.own, self.body.number())
        first, others = b.fresh_block("first"), b.fresh_block("others")
        b.branch(emit("eq.i32", self.thread, 0), first, others)
        with self.body.part(first, others):
            for k in range(BINS):
                emit("store.i32", emit("add.ptr", self.bins, 4 * k), 0)
        b.block(others)
        emit("barrier")
        self.body.actions = [self.load_data, self.use_slot, self.write_out, self.access_own]
        if self.options.atomics:
            self.body.actions += [self.add_up, self.count, self.change_own]
        if self.helper:
            self.body.actions.append(self.call)

    def linear(self, place: str, extent: str) -> str:
        """The number of a thread in its block, or of a block in the grid."""
        emit = self.body.emit
        number = emit(f"{place}.z")
        for axis in "yx":
            scaled = emit("mul.i32", number, emit(f"{extent}.{axis}"))
            number = emit("add.i32", scaled, emit(f"{place}.{axis}"))
        return number

    def element(self, base: str, index: str | int, shift: int) -> str:
        wide = self.body.emit("sext.i32.i64", index)
        return self.body.emit("add.ptr", base, self.body.emit("shl.i64", wide, shift))

    def leave(self) -> None:
        self.write_out()
        self.body.b.return_()

    def read_bins(self) -> None:
        """Threads meet for the last time, and read what the block has counted."""
        emit = self.body.emit
        emit("barrier")
        mine = emit("and.i32", self.thread, BINS - 1)
        emit("store.i32", self.out, emit("load.i32", self.element(self.bins, mine, 2)))
        if self.options.atomics:
            self.body.actions.remove(self.count)
        if self.options.early_returns:
            self.body.leave = self.leave

    def epilogue(self) -> None:
        """Everything a thread holds goes to memory."""
        emit = self.body.emit
        total = emit("load.i32", self.slots)
        for base in (self.scratch, self.slots):
            for place in (OWN, OWN + 4):
                kept = emit("load.i32", emit("add.ptr", base, place))
                total = emit("add.i32", emit("mul.i32", total, 31), kept)
        for name in self.body.numbers:
            total = emit("add.i32", emit("mul.i32", total, 31), name)
        emit("store.i32", emit("add.ptr", self.out, 4), total)
        self.body.b.return_()

    # What any thread may do alone

    def load_data(self) -> None:
        index = self.body.emit("and.i32", self.body.number(), DATA - 1)
        self.body.emit("load.i32", self.element("data", index, 2), result=self.body.number())

    def use_slot(self) -> None:
        index = self.body.emit("and.i32", self.body.number(), SLOTS - 1)
        slot = self.element(self.slots, index, 2)
        if self.body.chance(0.5):
            self.body.emit("store.i32", slot, self.body.number())
        else:
            self.body.emit("load.i32", slot, result=self.body.number())

    def write_out(self) -> None:
        place = self.body.emit("add.ptr", self.out, 4 * self.random.randint(2, OUT - 1))
        self.body.emit("store.i32", place, self.body.number())

    def own_place(self) -> tuple[str, str]:
        """(where the own bytes of some space are, what to call it); it may depend on the thread."""
        places = [(self.out, "global"), (self.scratch, "shared"), (self.slots, "local")]
        one, other = self.random.sample(places, 2)
        if self.body.chance(0.6):
            return one
        chosen = self.body.emit("select.ptr", self.body.condition(), one[0], other[0])
        return chosen, f"{min(one[1], other[1])} or {max(one[1], other[1])}"

    def access_own(self) -> None:
        """A load or store of any width."""
        emit, body = self.body.emit, self.body
        base, what = self.own_place()
        t, size = self.random.choice((("i8", 1), ("i16", 2), ("i32", 4), ("i64", 8), ("f32", 4)))
        place = emit("add.ptr", base, OWN + size * self.random.randrange(8 // size))
        widen = {"i64": "sext.i32.i64", "f32": "float_s.i32.f32"}.get(t, f"trunc.i32.{t}")
        narrow = {"i64": "trunc.i64.i32", "f32": "int_s.f32.i32"}.get(t, f"sext.{t}.i32")
        if body.chance(0.5):
            value = body.number() if t == "i32" else emit(widen, body.number())
            emit(f"store.{t}", place, value, guard=body.guard())
            self.note(f"store {what}")
        elif t == "i32":
            emit("load.i32", place, result=body.number(), guard=body.guard())
            self.note(f"load {what}")
        else:
            loaded = emit(f"load.{t}", place)
            self.note(f"load {what}")
            emit(narrow, loaded, result=body.number())

    def change_own(self) -> None:
        """An atomic operation whose result is used, on what no other thread changes."""
        emit, body = self.body.emit, self.body
        base, _ = self.own_place()
        place = emit("add.ptr", base, OWN + 4 * self.random.randrange(2))
        operation = self.random.choice(("exchange", "cas", "add", "max_s"))
        values = [body.number() for _ in range(1 + (operation == "cas"))]
        emit(f"atomic_{operation}.i32", place, *values, result=body.number(), guard=body.guard())
        self.note("atomic whose result is used")

    def add_up(self) -> None:
        """Change an element of `sums` that knows this operation only."""
        emit = self.body.emit
        operation = self.random.randrange(len(ATOMICS))
        bits = emit("and.i32", self.body.number(), BINS - 1)
        wide = self.body.chance(0.3)
        first = (2 * operation + wide) * BINS
        place = self.element("sums", emit("add.i32", bits, first), 3)
        value = emit("sext.i32.i64", self.body.number()) if wide else self.body.number()
        emit(f"atomic_{ATOMICS[operation]}.{'i64' if wide else 'i32'}", place, value)

    def count(self) -> None:
        emit = self.body.emit
        bits = emit("and.i32", self.body.number(), BINS - 1)
        emit("atomic_add.i32", self.element(self.bins, bits, 2), self.body.operand())

    def call(self) -> None:
        a, c = self.body.number(), self.body.number()
        self.body.emit("call.i32", self.helper, a, c, result=self.body.number())

    # What all threads of a block do together

    def uniform(self, depth: int) -> None:
        body, options = self.body, self.options
        body.left -= 1
        choices = [(lambda: body.statement(options.depth), 6)]
        if options.barriers:
            choices += [(self.exchange, 3), (lambda: body.emit("fence"), 1)]
        if options.warp_operations:
            choices.append((self.vote, 2))
            whole = self.grid.block_threads % options.warp_width == 0
            if options.shuffles and whole:
                choices.append((self.shuffle, 3))
        if options.ends_early:
            choices.append((self.end_early, 1))
        if depth > 0:
            choices.append((lambda: self.uniform_loop(depth - 1), 2))
            choices.append((lambda: self.uniform_if(depth - 1), 1))
        actions, weights = zip(*choices, strict=True)
        self.random.choices(actions, weights)[0]()

    def end_early(self) -> None:
        """Some threads return; those that are left go on together."""
        out, on = self.body.b.fresh_block("leave"), self.body.b.fresh_block("on")
        self.body.b.branch(self.body.condition(), out, on)
        self.body.b.block(out)
        self.leave()
        self.note("threads end before others meet")
        self.body.b.block(on)

    def uniform_loop(self, depth: int) -> None:
        """As many turns for every thread of the block."""
        body, b = self.body, self.body.b
        loop, after = b.fresh_block("together"), b.fresh_block("after")
        count = b.fresh("turns", I32)
        if body.chance(0.5):
            body.emit("add.i32", self.random.choice(("n", self.block)), 1, result=count)
        else:
            body.emit("const.i32", self.random.randint(1, 3), result=count)
        b.jump(loop)
        b.block(loop)
        for _ in range(self.random.randint(1, 3)):
            self.uniform(depth)
        body.emit("sub.i32", count, 1, result=count)
        b.branch(body.emit("gt_s.i32", count, 0), loop, after)
        b.block(after)

    def uniform_if(self, depth: int) -> None:
        """All threads of the block go the same way."""
        body, b = self.body, self.body.b
        then, join = b.fresh_block("then"), b.fresh_block("join")
        chosen = body.emit("and.i32", self.random.choice(("n", self.block)), 1)
        b.branch(body.emit("eq.i32", chosen, self.random.randint(0, 1)), then, join)
        with body.part(then, join):
            self.uniform(depth)
        b.block(join)

    def exchange(self) -> None:
        """Write the own element of the tile, read another one's between two barriers."""
        emit, body = self.body.emit, self.body
        emit("store.i32", self.own, body.number())
        emit("barrier")
        other = emit("rem_u.i32", body.number(), self.grid.block_threads)
        emit("load.i32", self.element(self.tile, other, 2), result=body.number())
        emit("barrier")

    def vote(self) -> None:
        emit, body = self.body.emit, self.body
        name = self.random.choice(("vote_any", "vote_all", "ballot"))
        result = emit(name, body.condition())
        convert = "trunc.i64.i32" if name == "ballot" else "zext.i1.i32"
        emit("xor.i32", emit(convert, result), body.number(), result=body.number())

    def shuffle(self) -> None:
        """From lanes that are there, whatever the distance."""
        emit, body = self.body.emit, self.body
        name = self.random.choice(("index", "up", "down", "xor"))
        t = self.random.choice(("i32", "i32", "i64", "f32", "f64"))
        value, back = body.number(), None
        if t == "i64":
            value, back = emit("sext.i32.i64", value), "trunc.i64.i32"
        elif t in ("f32", "f64"):
            value, back = emit(f"float_s.i32.{t}", value), f"int_s.{t}.i32"
        last = self.options.warp_width - 1
        lane = self.random.randint(0, last)
        if body.chance(0.4):
            lane = emit("and.i32", body.number(), last)
        found = emit(f"shuffle_{name}.{t}", value, lane)
        emit(back or "copy.i32", found, result=body.number())
