"""The roofline of a chip of clusters: types of operations, DRAM, ports, SRAM, and what fills the
scratchpads of cores.

Every level is something that carries bytes: controllers of DRAM (whole lines), ports of clusters,
SRAMs (read and written), then the DMAs and buses, by whose bytes NRAM and WRAM are filled and
emptied.  What units read and write in the scratchpads beside them is no limit of its own: a step of
the vector unit is so many bytes of its longest operand, and so is that unit's roof.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from machines.instructions import operations
from machines.kinds.cluster.classes import MATRIX_CLASSES, VECTOR_CLASSES, multiplied_types
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.queues import DMAS, IPU
from machines.operations.row import Operation, Region
from sim.cores.cluster.chip import engine_of
from sim.cores.cluster.statistics import Statistics
from sim.cores.cluster.work import name_of_elements, name_of_products
from sim.results.roofline import BYTES, OPERATIONS, Roof, Roofs

LINKS = {
    "dram": ("DRAM", "Bytes that memory controllers moved, whole lines."),
    "ports": ("ports", "Bytes through the ports of clusters."),
    "srams": ("SRAM", "Bytes into and out of SRAMs."),
    "buses": ("bus", "Bytes over broadcast buses, each once however many receive it."),
}
"""What links of a sort are called here."""
BUS = "bus"


def work(run: Statistics) -> dict[str, int]:
    """What a run did of everything that has a roof."""
    carried = {LINKS[sort][0]: size for sort, size in run.links.items() if sort in LINKS}
    moved = {name: size for name, size in run.bytes.items() if name != BUS}
    return {**run.work, **carried, **moved}


def peaks(chip: Cluster) -> Iterator[Roof]:
    """The roofs of a machine."""
    cores = chip.core_count
    for name, products in _products(chip).items():
        sentence = f"Sums and products of matrices of {name.removeprefix('matrix ')}."
        yield Roof(name, OPERATIONS, Fraction(2 * products * cores), sentence)
    for name, rate in _elements(chip).items():
        sentence = f"Elements of {name.removeprefix('vector ')} that vector units went over."
        yield Roof(name, OPERATIONS, rate * cores, sentence)
    widths = {"dram": chip.dram_bytes_per_cycle, "ports": Fraction(chip.noc.width * chip.clusters)}
    for sort, one in {"srams": chip.sram, "buses": chip.bus}.items():
        if one is not None:
            widths[sort] = Fraction(one.width * chip.clusters)
    for sort, width in widths.items():
        yield Roof(LINKS[sort][0], BYTES, width, LINKS[sort][1])
    for name, width in _engines(chip).items():
        yield Roof(name, BYTES, Fraction(width), f"Bytes that all {name.upper()}s move.")


def _products(chip: Cluster) -> dict[str, int]:
    """Products a cycle of one matrix unit, by type."""
    found = {}
    for row in _rows():
        if row.scheduling_class in MATRIX_CLASSES:
            left, right = multiplied_types(row)
            if chip.matrix.supports(left, right):
                found[name_of_products(left, right)] = chip.matrix.products(left, right)
    return found


def _elements(chip: Cluster) -> dict[str, Fraction]:
    """Elements a cycle of one vector unit, by type, for what takes least."""
    found: dict[str, Fraction] = {}
    for row in _rows():
        cost = chip.vector.cost.get(row.scheduling_class)
        if row.scheduling_class not in VECTOR_CLASSES or cost is None:
            continue
        for region in (o.kind for o in row.operands if isinstance(o.kind, Region)):
            rate = Fraction(8 * chip.vector.width, cost * region.type.bits)
            name = name_of_elements(region.type.name)
            found[name] = max(found.get(name, Fraction(0)), rate)
    return found


def _engines(chip: Cluster) -> dict[str, int]:
    """Bytes a cycle of all engines of a name; the bus is a link."""
    widths: dict[tuple, int] = {}
    for (role, _), name in DMAS.items():
        dma = getattr(chip, name)
        if dma is None or name == BUS or (name == "mvdma" and chip.sram is None):
            continue
        numbers = range(chip.cores) if role == IPU else (chip.cores,)
        width = dma.width * getattr(dma, "channels", 1)
        for number in ((cluster, core) for cluster in range(chip.clusters) for core in numbers):
            key = engine_of(name, number, chip)
            widths[key] = max(widths.get(key, 0), width)
    found: dict[str, int] = {}
    for (name, *_), width in widths.items():
        found[name] = found.get(name, 0) + width
    return found


@cache
def _rows() -> tuple[Operation, ...]:
    return tuple(operations().family("ir").values())


@cache
def names() -> tuple[str, ...]:
    """Of all roofs that chips may have."""
    found: dict[str, None] = {}
    for row in _rows():
        if row.scheduling_class in MATRIX_CLASSES:
            found[name_of_products(*multiplied_types(row))] = None
    for row in _rows():
        if row.scheduling_class in VECTOR_CLASSES:
            regions = (o.kind for o in row.operands if isinstance(o.kind, Region))
            found |= dict.fromkeys(name_of_elements(region.type.name) for region in regions)
    joined = ("iodma+mvdma", "gdma+iodma", "dma")
    dmas = [name for name in dict.fromkeys(DMAS.values()) if name != BUS]
    return (*found, *(name for name, _ in LINKS.values()), *dmas, *joined)


ROOFLINE = Roofs(work, lambda chip: tuple(peaks(chip)), names)
