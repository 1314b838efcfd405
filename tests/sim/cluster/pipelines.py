"""Software pipelines over tiles, as programs of commands.

    one       L(i), C(i), S(i), each waited for                            sequential
    slot i    S(i-2)  L(i)  C(i-1)                                         three stages, one core
    slot i    S(i-3)  M(i-1)  C(i-2)   beside L(i) of the MEM core         four
    slot i    M, C, M2 of i-1          beside S(i-2)  L(i)                 five, three in a slot
    slot i    M2(i-3)  M(i-1)  C(i-2)  beside S(i-4)  L(i)                 five, each in a slot

L and S move between DRAM and the chip, M and M2 from and to SRAM, C computes.  Buffers have two
halves, and a slot ends with a wait for all queues and a barrier of the cluster.  All is written
out: behind the first barrier there is no scalar code but what is handed to queues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

CORES = 4
BARRIER = "sync_cluster 0"


@dataclass(frozen=True)
class Pipeline:
    """
    count  tiles
    size   elements of a tile of a core
    steps  commands that compute on a tile
    """

    count: int
    size: int
    steps: int

    # Stages of tile i

    def io_in(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 {self.half('a', i)}, x[{self.place(i)}]"]

    def io_out(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 y[{self.place(i)}], {self.half('b', i)}"]

    def io_out_of_core(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 y[low{i}:high{i}], {self.half('b', i)}"]

    def compute(self, i: int) -> list[str]:
        a, b = self.half("a", i), self.half("b", i)
        return [f"tensor.add.f32 {b}, {a}, {a}"] * self.steps

    def move_in(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 {self.half('a', i)}, s[from{i % 2}:to{i % 2}]"]

    def move_out(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 t[from{i % 2}:to{i % 2}], {self.half('b', i)}"]

    def gdma_in(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 {self.half('s', i, CORES)}, x[{self.place(i, CORES)}]"]

    def gdma_out(self, i: int) -> list[str]:
        return [f"tensor.copy.f32 y[{self.place(i, CORES)}], {self.half('t', i, CORES)}"]

    def staged(self, i: int) -> list[str]:
        """In, compute, out, one after the other."""
        return [*self.move_in(i), "sync_move 0", *self.compute(i), "sync_compute 0",
                *self.move_out(i)]  # fmt: skip

    def half(self, buffer: str, i: int, cores: int = 1) -> str:
        size = self.size * cores
        return f"{buffer}[{i % 2 * size}:{(i % 2 + 1) * size}]"

    def place(self, i: int, cores: int = 1) -> str:
        size = self.size * cores
        return f"{i * size}:{(i + 1) * size}"

    # Programs

    def sequential(self) -> str:
        lines = []
        for i in range(self.count):
            lines += [*self.io_in(i), "sync_io 0", *self.compute(i), "sync_compute 0"]
            lines += [*self.io_out(i), "sync_io 0"]
        return self.text(lines)

    def three(self) -> str:
        slots = self.slots(2, {2: self.io_out, 0: self.io_in, 1: self.compute})
        return self.text([*slots])

    def four(self) -> str:
        ipu = self.slots(3, {3: self.io_out_of_core, 1: self.move_in, 2: self.compute})
        mem = self.slots(3, {0: self.gdma_in})
        return self.text([*ipu], [*mem])

    def five(self) -> str:
        ipu = self.slots(2, {1: self.staged})
        mem = self.slots(2, {2: self.gdma_out, 0: self.gdma_in})
        return self.text([*ipu], [*mem])

    def five_in_slots(self) -> str:
        ipu = self.slots(4, {3: self.move_out, 1: self.move_in, 2: self.compute})
        mem = self.slots(4, {4: self.gdma_out, 0: self.gdma_in})
        return self.text([*ipu], [*mem])

    def slots(self, behind: int, stages: dict[int, Callable[[int], list[str]]]) -> Iterator[str]:
        """`stages`: how far behind the newest tile each is, in the order of the queues."""
        for slot in range(self.count + behind):
            for late, stage in stages.items():
                if 0 <= slot - late < self.count:
                    yield from stage(slot - late)
            yield from ("sync_io 0", "sync_move 0", "sync_compute 0", BARRIER)

    def text(self, ipu: list[str], mem: list[str] | None = None) -> str:
        """With MEM cores each core computes where its part of a tile begins, and all meet."""
        cores = CORES if mem else 1
        whole = self.count * self.size * CORES
        first = [*self.bounds(), BARRIER] if mem else []
        beside = ['beside = {"mem": "mem"}'] if mem else []
        return "\n".join([
            f"x: f32[{whole}] in dram",
            f"y: f32[{whole}] in dram",
            *(f"{name}: f32[{2 * cores * self.size}] in sram" for name in "st"),
            *(f"{name}: f32[{2 * self.size}] in nram" for name in "ab"),
            "func @main() {", *beside, "entry:", *first, *ipu, "return", "}",
            *(["func @mem() {", "entry:", BARRIER, *mem, "return", "}"] if mem else []),
        ]) + "\n"  # fmt: skip

    def bounds(self) -> Iterator[str]:
        yield "k = core_id"
        for number in (0, 1):
            yield f"from{number} = mul.i64 k, {self.size}"
            yield f"from{number} = add.i64 from{number}, {number * CORES * self.size}"
            yield f"to{number} = add.i64 from{number}, {self.size}"
        yield f"k = mul.i64 k, {self.size * self.count}"
        for i in range(self.count):
            yield f"low{i} = add.i64 k, {i * self.size}"
            yield f"high{i} = add.i64 low{i}, {self.size}"
