"""Random PTX kernels in which threads and copies arrive at barrier objects, round after round.

    kernel = generate(17)
    kernel.text()            PTX
    kernel.expected()        the words that it leaves, worked out over whole arrays of threads
    kernel.lines             in the text: of each round's wait, and of its read

In a round every thread brings 16 bytes to its place of a stage, by a copy or by a store, arrives at
the stage's object, waits for its phase, and adds a word of another thread's place to a sum.  How
they arrive differs: with their copies, counted in or not; several times; with bytes that thread 0
expects and others say have come; and how they wait: by state or parity, asking or waiting.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import numpy as np

PLACE, OBJECTS = 16, 64
"""Bytes of a place; where the places begin behind the objects."""
HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out)
{{
.reg .pred %p<8>;
.reg .b32 %r<40>;
.reg .b64 %d<16>;
.shared .align 16 .b8 places[{shared}];
ld.param.u64 %d1, [data];
ld.param.u64 %d2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.s32 %r3, %r2, {threads}, %r1;
mov.u32 %r4, places;
shl.b32 %r5, %r1, 4;
add.s32 %r7, %r4, %r5;
mov.u32 %r6, 0;
setp.ne.u32 %p0, %r1, 0;
"""
TAIL = """mul.wide.u32 %d3, %r3, 4;
add.s64 %d3, %d2, %d3;
st.global.u32 [%d3], %r6;
ret;
}
"""


@dataclass(frozen=True, slots=True)
class Round:
    """bring    'copies' (arrive with them), 'counted' (the same, one more than expected, and each
                 thread arrives itself, too), 'stores', 'bytes', 'bulk' (thread 0 copies them all)
    wait     'try' or 'test', 'state' or 'parity'
    word, other   what is read: of thread (t * 5 + other) of the block
    """

    bring: str
    wait: tuple[str, str]
    word: int
    other: int


@dataclass(frozen=True)
class Kernel:
    """`times`: how often each thread arrives at once, where it does itself."""

    rounds: tuple[Round, ...]
    stages: int
    times: int
    blocks: int
    threads: int
    seed: int
    lines: list[tuple[int, int]] = field(default_factory=list)

    @property
    def data(self) -> np.ndarray:
        count = len(self.rounds) * self.blocks * self.threads * 4
        return np.random.default_rng(self.seed).integers(1, 1 << 20, count).astype(np.uint32)

    def expected(self) -> np.ndarray:
        words = self.data.reshape(len(self.rounds), self.blocks, self.threads, 4)
        sums = np.zeros((self.blocks, self.threads), np.uint64)
        threads = np.arange(self.threads)
        for brought, one in zip(words, self.rounds, strict=True):
            other = (threads * 5 + one.other) % self.threads
            sums = (sums * 3 + brought[:, other, one.word]) % (1 << 32)
        return sums.astype(np.uint32).reshape(-1)

    def text(self, without: int = -1) -> str:
        """PTX, without the wait of a round."""
        shared = OBJECTS + self.stages * PLACE * self.threads
        lines = HEAD.format(shared=shared, threads=self.threads).splitlines()
        lines.append("@%p0 bra made;")
        lines += [
            f"mbarrier.init.shared::cta.b64 [%r4+{8 * stage}], {self.count_of(stage)};"
            for stage in range(self.stages)
        ]
        lines += ["made:", "bar.sync 0;"]
        self.lines.clear()
        for number, one in enumerate(self.rounds):
            lines += self._brought(number, one)
            wait = len(lines)
            if number != without:
                lines += self._waited(number, one)
            lines += [
                f"mad.lo.s32 %r10, %r1, 5, {one.other};",
                f"rem.u32 %r10, %r10, {self.threads};",
                "shl.b32 %r10, %r10, 4;",
                "add.s32 %r10, %r10, %r4;",
            ]
            self.lines.append((wait + 1, len(lines) + 1))
            at = self.place(number) + 4 * one.word
            lines += [f"ld.shared.u32 %r11, [%r10+{at}];", "mad.lo.s32 %r6, %r6, 3, %r11;"]
            lines.append("bar.sync 0;")
        return "\n".join(lines) + "\n" + TAIL

    def place(self, number: int) -> int:
        return OBJECTS + number % self.stages * PLACE * self.threads

    def count_of(self, stage: int) -> int:
        """Arrivals that a stage's object expects: all its rounds bring alike."""
        bring = self.rounds[stage].bring if stage < len(self.rounds) else "stores"
        times = {"copies": self.threads, "bytes": 1, "bulk": 1}
        return times.get(bring, self.threads * self.times)

    def _brought(self, number: int, one: Round) -> list[str]:
        if one.bring == "bulk":
            return self._bulk(number)
        first = number * self.blocks * self.threads
        at, object_ = self.place(number), 8 * (number % self.stages)
        lines = [
            f"add.s32 %r20, %r3, {first};",
            "mul.wide.u32 %d4, %r20, 16;",
            "add.s64 %d4, %d1, %d4;",
        ]
        arrive = f"mbarrier.arrive.shared::cta.b64 %d5, [%r4+{object_}], {self.times};"
        if one.bring in ("copies", "counted"):
            noinc = ".noinc" if one.bring == "copies" else ""
            lines.append(f"cp.async.cg.shared.global [%r7+{at}], [%d4], 16;")
            lines.append(f"cp.async.mbarrier.arrive{noinc}.shared.b64 [%r4+{object_}];")
            return lines + ([arrive] if one.bring == "counted" else [])
        lines.append("ld.global.v4.u32 {%r21, %r22, %r23, %r24}, [%d4];")
        store = f"st.shared.v4.u32 [%r7+{at}], {{%r21, %r22, %r23, %r24}};"
        if one.bring == "stores":
            return [*lines, store, arrive]
        bytes_ = 4 * self.threads
        return [
            *lines,
            f"@!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4+{object_}], {bytes_};",
            "bar.sync 1;",
            store,
            f"mbarrier.complete_tx.shared::cta.b64 [%r4+{object_}], 4;",
        ]

    def _bulk(self, number: int) -> list[str]:
        """Some bulk copies, each of as many places as the word that is read says and one."""
        whole, at, object_ = PLACE * self.threads, self.place(number), 8 * (number % self.stages)
        piece = PLACE * (1 + self.rounds[number].other % self.threads)
        lines = [
            f"mad.lo.s32 %r20, %r2, {self.threads}, {number * self.blocks * self.threads};",
            "mul.wide.u32 %d4, %r20, 16;",
            "add.s64 %d4, %d1, %d4;",
            f"@!%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4+{object_}], {whole};",
        ]
        copy = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        lines += [
            f"@!%p0 {copy} [%r4+{at + begin}], [%d4+{begin}], {min(piece, whole - begin)}, "
            f"[%r4+{object_}];"
            for begin in range(0, whole, piece)
        ]
        return lines

    def _waited(self, number: int, one: Round) -> list[str]:
        how, by = one.wait
        object_, phase = 8 * (number % self.stages), number // self.stages & 1
        is_state = by == "state" and one.bring in ("stores", "counted")
        asked, parity = ("%d5", "") if is_state else (str(phase), ".parity")
        return [
            f"again{number}:",
            f"mbarrier.{how}_wait{parity}.shared::cta.b64 %p1, [%r4+{object_}], {asked};",
            f"@!%p1 bra again{number};",
        ]


def generate(seed: int) -> Kernel:
    random = Random(seed)
    stages = random.choice((1, 2, 2, 3))
    brings = [
        random.choice(("copies", "counted", "stores", "bytes", "bulk")) for _ in range(stages)
    ]
    rounds = tuple(
        Round(
            brings[number % stages],
            (random.choice(("try", "try", "test")), random.choice(("state", "parity"))),
            random.randrange(4),
            random.randrange(32),
        )
        for number in range(random.randrange(2, 7))
    )
    threads = random.choice((32, 32, 64, 96))
    return Kernel(rounds, stages, random.choice((1, 1, 2, 5)), random.choice((1, 2)), threads, seed)
