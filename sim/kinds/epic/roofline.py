"""The roofline of an EPIC machine: types of operations, main memory, caches of data.

Bytes of a cache are what it brings: to registers those that loads ask for and stores write, where
they enter the caches, and a line of the nearer cache for each of its misses.  Main memory has all
lines on its bus, those of code and those written back included, which caches do not count: a
write-back takes no port of a cache (`sim.cores.epic.memory.cache`).

What limits a cache: an access in each port of the core, of the machine's `accesses` at most where
an access comes from the core; for one behind another the misses that this one can have on their
way, each for as long as the farther cache takes longer.  (An access that finds all ports of a
farther cache taken comes `retry` cycles later, whoever has them then: that delays and limits not.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from machines.instructions import operations
from machines.kinds.epic.fields import DataCache, Epic
from machines.operations.row import Operation
from sim.cores.epic.memory import hierarchy as caches
from sim.cores.epic.statistics import Statistics
from sim.results.roofline import BYTES, OPERATIONS, Roof, Roofs

FLOATING, PRODUCTS, INTEGER = "floating", "integer product", "integer"
MAIN = "main memory"
NAMES = "L1D", "L2", "L3"
TYPES = {
    FLOATING: ("fp_arithmetic",),
    PRODUCTS: ("fp_integer_multiply",),
    INTEGER: (
        "alu", "compare", "extend", "shift_variable", "multimedia", "bit_field", "test_bit",
        "population_count", "long_immediate",
    ),
}  # fmt: skip
"""Types of operations, and the classes of their instructions."""
SENTENCES = {
    FLOATING: "Floating-point sums and products: two of a fused multiply-add.",
    PRODUCTS: "Products of integers with a sum, in floating-point units: two of each.",
    INTEGER: "Integer instructions that were not squashed.",
}
_OF_ONE = {FLOATING: 2, PRODUCTS: 2, INTEGER: 1}
"""Operations of an instruction at most."""
_LOADS = {"integer_load": False, "fp_load": True, "fp_load_pair": True}
_STORES = {"integer_store": False, "fp_store": True, "semaphore": True}
"""Classes that access caches; whether they enter where floating data does."""
_ENTERING = {**_LOADS, **_STORES}


def work(run: Statistics) -> dict[str, int]:
    """What a run did of everything that has a roof."""
    done = {
        FLOATING: run.floating_operations,
        PRODUCTS: 2 * run.effective_where(_of(PRODUCTS)),
        INTEGER: run.effective_where(_of(INTEGER)),
    }
    return {**done, **_bytes(run)}


def _of(name: str) -> Callable[[Operation], bool]:
    return lambda row: row.scheduling_class in TYPES[name]


def _bytes(run: Statistics) -> dict[str, int]:
    machine, counts = run.core.machine, run.state.caches.counts
    data = machine.memory.data_caches
    near, far = 0, data.index(machine.memory.nearest_with_floats)
    found = [0] * len(data)
    entered = {near: 0, far: 0}
    stored = [0] * len(data)
    for times, row in zip(run.effective.tolist(), run.rows, strict=True):
        if row is None or row.access is None or row.scheduling_class not in _ENTERING:
            continue
        level = far if _ENTERING[row.scheduling_class] else near
        entered[level] += times * row.access.bytes
        if row.scheduling_class in _STORES:
            stored[level] += times * row.access.bytes
    for level, size in entered.items():
        found[level] += size
    passing = 0
    for level, cache in enumerate(data[:-1]):
        passing = passing + stored[level] if cache.write != "back" else 0
        lines = int(counts[caches.L1D + level, caches.FILLS])
        found[level + 1] += passing + lines * cache.line
    main = run.state.caches.main
    lines = int(main[caches.LINES_READ] + main[caches.LINES_WRITTEN])
    return {
        MAIN: lines * int(main[caches.LINE_BYTES]),
        **dict(zip(NAMES, found, strict=False)),
    }


def peaks(machine: Epic) -> Iterator[Roof]:
    """The roofs of a machine."""
    for name, classes in TYPES.items():
        ports = [port for port in machine.ports.values() if {*classes} & {*port.accepts}]
        most = min(len(ports), 3 * machine.dispersal.bundles_per_cycle)
        if ports:
            peak = Fraction(_OF_ONE[name] * most)
            yield Roof(name, OPERATIONS, peak, SENTENCES[name], aside=name == INTEGER)
    bandwidth = Fraction(machine.memory.main.bandwidth) / Fraction(machine.clock)
    yield Roof(MAIN, BYTES, bandwidth, "Bytes on the bus of main memory, read and written.")
    data = machine.memory.data_caches
    for level in reversed(range(len(data))):
        what = "Bytes that loads and stores ask for"
        if level:
            what = f"Bytes of lines that the {NAMES[level - 1]} misses"
            if data[level] is machine.memory.nearest_with_floats:
                what += ", and of floating loads and stores"
        yield Roof(NAMES[level], BYTES, _of_cache(machine, level), f"{what}.")


def _of_cache(machine: Epic, level: int) -> Fraction:
    """Bytes a cycle of a cache of data at most."""
    data = machine.memory.data_caches
    near, far = 0, data.index(machine.memory.nearest_with_floats)
    sizes = _sizes(machine, level, near, far)
    by_port = sorted(
        (max((sizes.get(name, 0) for name in port.accepts), default=0) for port in
         machine.ports.values()), reverse=True,
    )  # fmt: skip
    limit = Fraction(sum(by_port[: data[min(level, far)].accesses]))
    if level > far:
        limit = min(limit, _of_misses(data[level - 1], data[level]))
    return limit


def _sizes(machine: Epic, level: int, near: int, far: int) -> Mapping[str, int]:
    """Bytes that an instruction of a class moves at a level at most."""
    data = machine.memory.data_caches
    largest: dict[str, int] = {}
    for row in operations().family(machine.instructions).values():
        name = row.scheduling_class
        if row.access is not None and name in _ENTERING:
            largest[name] = max(largest.get(name, 0), row.access.bytes)
    found = {}
    for name, size in largest.items():
        entered = far if _ENTERING[name] else near
        passes = name in _STORES and all(c.write != "back" for c in data[entered:level])
        if level == entered or (level > entered and passes):
            found[name] = size
        elif level > entered and name in _LOADS:
            found[name] = data[level - 1].line
    return found


def _of_misses(nearer: DataCache, farther: DataCache) -> Fraction | float:
    """Bytes a cycle of the lines that a cache can have on their way from the next."""
    longer = farther.latency - nearer.latency
    if not nearer.misses or longer < 1:
        return float("inf")
    return Fraction(nearer.misses * nearer.line, longer)


ROOFLINE = Roofs(work, lambda machine: tuple(peaks(machine)), lambda: (*TYPES, MAIN, *NAMES))
