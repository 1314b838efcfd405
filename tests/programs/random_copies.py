"""Random PTX kernels of copies that go on meanwhile, and what a model of their own says they do.

    kernel = generate(17)          the same kernel for ever
    kernel.text(), kernel.lines    PTX, and the line of each step
    judge(kernel)                  the words it leaves, or the pairs of steps that are races

A thread has a place of 16 bytes in each of some rows of shared memory.  Steps copy to places, make
groups, wait, meet at a barrier, and add what is read from places, own ones and others', to a sum.
Copies differ in size, in how many bytes are read, in who copies: all threads, those of a guard, or
one side of a branch.  The model knows nothing of how the house does it: it works on whole arrays of
threads, step by step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

ROWS, PLACE, WORDS = 4, 16, 4
"""Rows of places, bytes and words of a place."""
WARP = 32
DATA = 1024
"""Words that are copied from."""
HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out)
{{
.reg .pred %p<8>;
.reg .b32 %r<40>;
.reg .b64 %d<8>;
.shared .align 16 .b8 places[{shared}];
ld.param.u64 %d1, [data];
ld.param.u64 %d2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.s32 %r3, %r2, {threads}, %r1;
mov.u32 %r4, places;
shl.b32 %r5, %r1, 4;
add.s32 %r4, %r4, %r5;
mov.u32 %r6, 0;
"""
TAIL = """mul.wide.u32 %d3, %r3, 4;
add.s64 %d3, %d2, %d3;
st.global.u32 [%d3], %r6;
ret;
}
"""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy to a row of places: thread t of the grid reads from word (t * stride + first) of the
    data, in units of the copy.

    size     bytes; `past_l1`: '.cg'
    reads    how the bytes that are read are said: 'all', 'number', 'register' (t modulo size + 1)
             or 'ignored' (a predicate: whether t is a multiple of 3)
    count    that number
    who      'all', 'guard' (threads with bit `bit`), 'branch' (the same by a branch)
    """

    row: int
    size: int
    stride: int
    first: int
    past_l1: bool
    reads: str
    count: int
    who: str
    bit: int


@dataclass(frozen=True, slots=True)
class Commit:
    pass


@dataclass(frozen=True, slots=True)
class Wait:
    """For all groups but some; None: for all copies."""

    count: int | None


@dataclass(frozen=True, slots=True)
class Meet:
    pass


@dataclass(frozen=True, slots=True)
class Read:
    """Add a word of a place: of the own one, or of thread t ^ other."""

    row: int
    word: int
    other: int


Step = Copy | Commit | Wait | Meet | Read


@dataclass(frozen=True)
class Kernel:
    """`lines` are those of steps in the text, in order."""

    steps: tuple[Step, ...]
    blocks: int
    threads: int
    seed: int
    lines: list[int] = field(default_factory=list)

    @property
    def data(self) -> np.ndarray:
        return np.random.default_rng(self.seed).integers(1, 1 << 20, DATA).astype(np.uint32)

    def text(self) -> str:
        """PTX; fills `lines`."""
        shared = ROWS * PLACE * self.threads
        lines = HEAD.format(shared=shared, threads=self.threads).splitlines()
        self.lines.clear()
        for number, step in enumerate(self.steps):
            before, main, after = _written(step, number, self.threads)
            lines += before
            self.lines.append(len(lines) + 1)
            lines += [main, *after]
        return "\n".join(lines) + "\n" + TAIL

    def without(self, number: int) -> Kernel:
        """The same without a step."""
        return replace(self, steps=self.steps[:number] + self.steps[number + 1 :], lines=[])


def _written(step: Step, number: int, threads: int) -> tuple[list[str], str, list[str]]:
    match step:
        case Commit():
            return [], "cp.async.commit_group;", []
        case Wait(None):
            return [], "cp.async.wait_all;", []
        case Wait(count):
            return [], f"cp.async.wait_group {count};", []
        case Meet():
            return [], "bar.sync 0;", []
        case Read(row, word, other):
            offset = row * PLACE * threads + 4 * word
            before = [
                f"xor.b32 %r10, %r1, {other};",
                "shl.b32 %r10, %r10, 4;",
                "mov.u32 %r11, places;",
                "add.s32 %r10, %r10, %r11;",
            ]
            load = f"ld.shared.u32 %r12, [%r10+{offset}];"
            return before, load, ["mad.lo.s32 %r6, %r6, 3, %r12;"]
    return _copy_written(step, number, threads)


def _copy_written(step: Copy, number: int, threads: int) -> tuple[list[str], str, list[str]]:
    units = 4 * DATA // step.size
    before = [
        f"mad.lo.s32 %r20, %r3, {step.stride}, {step.first};",
        f"and.b32 %r20, %r20, {units - 1};",
        f"mul.wide.u32 %d4, %r20, {step.size};",
        "add.s64 %d4, %d1, %d4;",
    ]
    tail = {"all": "", "number": f", {step.count}", "register": ", %r21", "ignored": ", %p1"}
    if step.reads == "register":
        before.append(f"rem.u32 %r21, %r3, {step.size + 1};")
    if step.reads == "ignored":
        before += ["rem.u32 %r22, %r3, 3;", "setp.eq.u32 %p1, %r22, 0;"]
    operator = "cg" if step.past_l1 else "ca"
    main = f"cp.async.{operator}.shared.global [%r4+{step.row * PLACE * threads}], [%d4], "
    main += f"{step.size}{tail[step.reads]};"
    if step.who == "all":
        return before, main, []
    before += [f"and.b32 %r23, %r1, {1 << step.bit};", "setp.ne.u32 %p2, %r23, 0;"]
    if step.who == "guard":
        return before, f"@%p2 {main}", []
    before.append(f"@!%p2 bra L{number};")
    return before, main, [f"L{number}:"]


# A model of what they do -------------------------------------------------------------------------


@dataclass
class _Model:
    """Arrays over threads of the grid.

    places   uint8[rows, threads, bytes]
    copied   int[rows, threads, words]: the batch of the last copy to each word, 0: none
    by       the step that it was in
    batch, landed, met   int[threads]: of the next copy; it has waited for those before, and had
                    at the last barrier
    """

    kernel: Kernel

    def __post_init__(self) -> None:
        count = self.kernel.blocks * self.kernel.threads
        self.threads = np.arange(count)
        self.local = self.threads % self.kernel.threads
        self.places = np.zeros((ROWS, count, PLACE), np.uint8)
        self.copied = np.zeros((ROWS, count, WORDS), np.int64)
        self.by = np.zeros((ROWS, count, WORDS), np.int64)
        self.batch = np.ones(count, np.int64)
        self.landed = np.ones(count, np.int64)
        self.met = np.ones(count, np.int64)
        self.groups: list[np.ndarray] = []
        self.sums = np.zeros(count, np.uint64)
        self.races: set[tuple[int, int]] = set()
        self.maybe: set[tuple[int, int]] = set()
        """Within a warp, where it depends on the order of its lanes."""
        self.gone = np.zeros(count, bool)
        """Threads that have met a race: the first is what counts."""

    def takes_part(self, step: Copy) -> np.ndarray:
        if step.who == "all":
            return np.ones(len(self.threads), bool)
        return (self.local >> step.bit & 1).astype(bool)

    def race(self, step: int, where: np.ndarray, by: np.ndarray) -> None:
        for copy in set(by[where & ~self.gone].tolist()):
            self.races.add((step, copy))
        self.gone |= where

    def copy(self, number: int, step: Copy) -> None:
        data = self.kernel.data.view(np.uint8).reshape(-1, step.size)
        source = data[(self.threads * step.stride + step.first) % len(data)].copy()
        count = np.full(len(self.threads), step.size)
        if step.reads == "number":
            count[:] = step.count
        elif step.reads == "register":
            count = self.threads % (step.size + 1)
        elif step.reads == "ignored":
            count[self.threads % 3 == 0] = 0
        source[np.arange(step.size)[None, :] >= count[:, None]] = 0
        who = self.takes_part(step)
        words = step.size // 4
        late = self.copied[step.row, :, :words] >= self.landed[:, None]
        place = self.places[step.row, :, : step.size]
        same = (place == source).reshape(-1, words, 4).all(axis=2)
        clash = late & ~same & who[:, None]
        for word in reversed(range(words)):
            first = clash[:, word] & ~clash[:, :word].any(axis=1)
            self.race(number, first, self.by[step.row, :, word])
        self.places[step.row, who, : step.size] = source[who]
        self.copied[step.row, who, :words] = self.batch[who, None]
        self.by[step.row, who, :words] = number

    def wait(self, count: int | None) -> None:
        if count is None:
            self.batch += 1
            self.landed = self.batch.copy()
        elif len(self.groups) > count:
            self.landed = np.maximum(self.landed, self.groups[-1 - count] + 1)

    def read(self, number: int, step: Read) -> None:
        other = self.threads // self.kernel.threads * self.kernel.threads + (
            self.local ^ step.other
        )
        is_near = other // WARP == self.threads // WARP
        batch, by = self.copied[step.row, other, step.word], self.by[step.row, other, step.word]
        late = batch >= np.where(is_near, self.landed[other], self.met[other])
        unsure = is_near & ~late & (batch >= self.met[other]) & (other != self.threads)
        self.maybe |= {(number, copy) for copy in by[unsure & ~self.gone].tolist()}
        self.race(number, late, by)
        words = self.places.view(np.uint32)[step.row, other, step.word]
        self.sums = (self.sums * 3 + words) % (1 << 32)

    def run(self) -> None:
        for number, step in enumerate(self.kernel.steps):
            match step:
                case Copy():
                    self.copy(number, step)
                case Commit():
                    self.groups.append(self.batch.copy())
                    self.batch += 1
                case Wait(count):
                    self.wait(count)
                case Meet():
                    self.met = self.landed.copy()
                case Read():
                    self.read(number, step)


Races = set[tuple[int, int]]
"""(step, step of the copy)"""


def judge(kernel: Kernel) -> tuple[np.ndarray, Races, Races]:
    """The words of `out`, the races that some thread meets first, and those that depend on which
    lane of a warp runs first."""
    model = _Model(kernel)
    model.run()
    return model.sums.astype(np.uint32), model.races, model.maybe


# Kernels -----------------------------------------------------------------------------------------


def generate(seed: int) -> Kernel:
    """A kernel without races, as far as waits go, and with barriers wherever threads meet."""
    random = Random(seed)
    threads = random.choice((32, 32, 64))
    steps: list[Step] = []
    state = dict.fromkeys(range(ROWS), "free")
    group: dict[int, int] = {}
    groups, since = 0, []
    for _ in range(random.randrange(12, 40)):
        free = [row for row, what in state.items() if what in ("free", "seen")]
        copied = [row for row, what in state.items() if what == "copied"]
        landed = [row for row, what in state.items() if what in ("landed", "met")]
        met = [row for row, what in state.items() if what == "met"]
        choice = random.choice("ccgwrrom")
        if choice == "c" and free:
            row = random.choice(free)
            steps.append(_copy(random, row))
            state[row] = "copied"
            since.append(row)
        elif choice == "g" and copied:
            steps.append(Commit())
            for row in since:
                group[row] = groups
            groups, since = groups + 1, []
        elif choice == "w" and copied:
            count = random.choice((None, 0, 0, 1, 1, 2))
            steps.append(Wait(count))
            for row in copied:
                if count is None or (row in group and row not in since
                                     and group[row] < groups - count):  # fmt: skip
                    state[row] = "landed"
            if count is None:
                since = []
        elif choice == "r" and landed:
            steps.append(Read(random.choice(landed), random.randrange(WORDS), 0))
        elif choice == "o" and met:
            steps.append(Read(random.choice(met), random.randrange(WORDS),
                              random.randrange(threads)))  # fmt: skip
        elif choice == "m":
            steps.append(Meet())
            for row in landed:
                state[row] = random.choice(("met", "met", "seen"))
    steps += [Wait(None), Meet()]
    steps += [Read(row, random.randrange(WORDS), random.randrange(threads)) for row in range(ROWS)]
    return Kernel(tuple(steps), random.choice((1, 2)), threads, seed)


def _copy(random: Random, row: int) -> Copy:
    size = random.choice((4, 8, 16, 16))
    return Copy(
        row,
        size,
        random.choice((1, 1, 2, 3, 7, 33)),
        random.randrange(64),
        size == 16 and random.random() < 0.5,
        random.choice(("all", "all", "number", "register", "ignored")),
        random.randrange(size + 1),
        random.choice(("all", "all", "guard", "branch")),
        random.randrange(5),
    )
