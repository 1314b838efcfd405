"""Programs that reach the roofs of chips of clusters: long operations of one unit, long copies of
one engine, on all cores."""

from __future__ import annotations

from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.cluster.classes import multiplied_types
from machines.kinds.cluster.fields import Cluster
from machines.operations.row import Region
from sim.kinds.cluster.roofline import ROOFLINE
from tests.sim.cluster.chip_runs import run as run_chip
from tests.sim.peaks.reached import Done


def program(name: str, chip: Cluster, times: int) -> str | None:
    """Text of a program that does one thing `times` times; None: no row does it alone."""
    sort, _, of = name.partition(" ")
    if sort == "matrix":
        return _product(*of.split(" by ")[:1], of.split(" by ")[-1], chip, times)
    if sort == "vector":
        return _sum(of, chip, times)
    return _copies(name, chip, times)


def _function(buffers: list[str], body: list[str], name: str = "main") -> str:
    lines = [*buffers, f"func @{name}() {{", "entry:", *(f"    {one}" for one in body)]
    return "\n".join([*lines, "    return", "}"]) + "\n"


def _product(left: str, right: str, chip: Cluster, times: int) -> str | None:
    rows = operations().family("ir")
    name = f"tensor.matmul_t.{left}"
    row = rows.get(name)
    if row is None or multiplied_types(row) != (left, right):
        return None
    result = next(o.kind.type.name for o in row.operands if isinstance(o.kind, Region))
    size = next(o.kind.type.bits for o in row.operands if isinstance(o.kind, Region)) // 8 or 1
    m, k, n = _extents(chip, left, right, size)
    buffers = [f"a: {left}[{m * k}] in nram", f"w: {right}[{k * n}] in wram",
               f"c: {result}[{m * n}] in nram"]  # fmt: skip
    text = f"{name} c[0:{m * n}], a[0:{m * k}], w[0:{k * n}], {m}, {k}, {n}"
    return _function(buffers, [text] * times)


def _extents(chip: Cluster, left: str, right: str, size: int) -> tuple[int, int, int]:
    """Of the product that fits scratchpads and of which the matrix unit does most in a cycle."""
    unit, n = chip.matrix, getattr(chip.matrix, "lanes", getattr(chip.matrix, "columns", 1))
    best = (0.0, 1, 1)
    for k in range(8, 1025):
        m = min(chip.nram.usable // (2 * size * (k + n)), 4096)
        if m < 1 or k * n * size > chip.wram.usable:
            continue
        taken = unit.cycles(m, k, n, left, right) + unit.issue + unit.depth
        best = max(best, (m * k * n / taken, m, k))
    return best[1], best[2], n


def _sum(of: str, chip: Cluster, times: int) -> str | None:
    if f"tensor.add.{of}" not in operations().family("ir"):
        return None
    bits = next(o.kind.type.bits for o in operations().family("ir")[f"tensor.add.{of}"].operands
                if isinstance(o.kind, Region))  # fmt: skip
    count = chip.nram.usable // 4 * 8 // bits
    buffers = [f"{one}: {of}[{count}] in nram" for one in "abc"]
    text = f"tensor.add.{of} c[0:{count}], a[0:{count}], b[0:{count}]"
    return _function(buffers, [text] * times)


def _copies(name: str, chip: Cluster, times: int) -> str | None:
    """Copies of an engine, as long as the scratchpad allows."""
    size = chip.nram.usable // 2
    if name in ("DRAM", "ports", "iodma", "iodma+mvdma", "dma", "gdma+iodma"):
        buffers = [f"x: i8[{size * chip.core_count}] in dram", f"a: i8[{size}] in nram"]
        places = [f"x0 = mul.i64 task_id, {size}", f"x1 = add.i64 x0, {size}"]
        return _function(buffers, [*places, *[f"tensor.copy.i8 a[0:{size}], x[x0:x1]"] * times])
    if chip.sram is None:
        return None
    if name in ("SRAM", "mvdma"):
        size = min(size, chip.sram.usable)
        buffers = [f"s: i8[{size}] in sram", f"a: i8[{size}] in nram"]
        return _function(buffers, [f"tensor.copy.i8 a[0:{size}], s[0:{size}]"] * times)
    return None


def run(name: str, machine: str, times: int) -> Done | None:
    """The work of a run."""
    text = program(name, load_machine(machine).description, times)
    if text is None:
        return None
    done = run_chip(text, machine, values=False)
    return done.cycles, ROOFLINE.work(done.outcome.statistics)
