"""No product of matrices is faster than its operations and its bytes allow, and one whose weights
are read once is little slower.

Every core takes some of the rows of the result, or of its columns if rows are too few; it reads its
weights a piece at a time, and for each of them all its rows, a piece at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest

from machines.description.load import load_machine
from tests.campaign.seeds import spread
from tests.sim.cluster.chip_runs import run


@dataclass(frozen=True)
class Product:
    """Of m × k by k × n, in pieces of so many rows and columns."""

    m: int
    n: int
    k: int
    rows: int
    columns: int

    def program(self, cores: int) -> str:
        """The columns of the weights lie behind one another, as those of the result do not."""
        by_rows = self.m % cores == 0
        m, n = (self.m // cores, self.n) if by_rows else (self.m, self.n // cores)
        lines = ["c = task_id"]
        for j in range(0, n, self.columns):
            lines += self.place("w", 0 if by_rows else n, j, self.columns)
            lines += [f"tensor.copy.i8 w[0:{self.columns * self.k}], b[w0:w1]", "sync_io 0"]
            for i in range(0, m, self.rows):
                lines += self.piece(i, m if by_rows else 0, j, 0 if by_rows else n)
        return "\n".join([
            f"x: i8[{self.m * self.k}] in dram",
            f"b: i8[{self.n * self.k}] in dram",
            f"y: i8[{self.m * self.n}] in dram",
            f"a: i8[{self.rows * self.k}] in nram",
            f"d: i8[{self.rows * self.columns}] in nram",
            f"w: i8[{self.columns * self.k}] in wram",
            "func @main() {", "entry:", *lines, "return", "}",
        ]) + "\n"  # fmt: skip

    def piece(self, i: int, m: int, j: int, n: int) -> list[str]:
        """Rows i … of columns j …, of which the c-th core has those from c·m and c·n on."""
        size, result = self.rows * self.k, self.rows * self.columns
        start, each = i * self.n + j, m * self.n + n
        return [
            *self.place("a", m, i, self.rows),
            f"tensor.copy.i8 a[0:{size}], x[a0:a1]",
            "sync_io 0",
            f"tensor.matmul_t.i8 d[0:{result}], a[0:{size}], w[0:{self.columns * self.k}], "
            f"{self.rows}, {self.k}, {self.columns}",
            "sync_compute 0",
            f"d0 = mul.i64 c, {each}",
            f"d0 = add.i64 d0, {start}",
            f"d1 = add.i64 d0, {self.columns}",
            f"tensor.copy.i8 y[d0:d1, {self.rows} by {self.n}], d[0:{result}]",
        ]

    def place(self, name: str, each: int, first: int, count: int) -> list[str]:
        return [
            f"{name}0 = mul.i64 c, {each * self.k}",
            f"{name}0 = add.i64 {name}0, {first * self.k}",
            f"{name}1 = add.i64 {name}0, {count * self.k}",
        ]

    def bound(self, chip) -> Fraction:
        """Cycles that operations or bytes take."""
        operations = Fraction(self.m * self.n * self.k, chip.matrix.products("i8", "i8"))
        moved = self.m * self.k + self.k * self.n + self.m * self.n
        return max(operations / chip.core_count, moved / chip.dram_bytes_per_cycle)


PRODUCTS = [
    Product(256, 256, 256, 16, 256),
    Product(1024, 1024, 1024, 64, 512),
    Product(1024, 1024, 1024, 32, 1024),
    Product(1, 4096, 4096, 1, 128),
    Product(64, 512, 1024, 4, 256),
    Product(49, 2048, 512, 7, 128),
]
MACHINES = {
    "mlu270": (),
    "mlu270, one cluster": ("clusters=1",),
    "mlu270, one core": ("clusters=1", "cores=1"),
    "mlu370": (),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("product", spread(PRODUCTS, 2), ids=str)
def test_no_product_beats_its_roofline(product, machine):
    name, overrides = machine.split(",")[0], MACHINES[machine]
    chip = load_machine(name, overrides).description
    text = product.program(chip.core_count)
    done = run(text, name, overrides, values=False)
    bound = product.bound(chip)
    assert done.cycles >= bound
    assert done.cycles >= done.outcome.statistics.links["dram"] / chip.dram_bytes_per_cycle


@pytest.mark.parametrize("machine", ("mlu270", "mlu270, one cluster", "mlu370"))
def test_weights_that_are_read_once_come_as_fast_as_dram_gives_them(machine):
    """A row of 4096: all cores together are never without a copy in flight for long."""
    name, overrides = machine.split(",")[0], MACHINES[machine]
    chip, product = load_machine(name, overrides).description, Product(1, 4096, 4096, 1, 128)
    done = run(product.program(chip.core_count), name, overrides, values=False)
    assert done.cycles <= Fraction(105, 100) * product.bound(chip)
