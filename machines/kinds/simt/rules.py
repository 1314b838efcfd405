"""The rules across fields of a SIMT machine.

A rule is a function of the description that yields what is wrong as (path of keys, message, hint).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from machines.description.schema import Problem
from machines.diagnostics import nearest
from machines.instructions import operations
from machines.kinds.simt.classes import CLASSES, PREDICATES, TENSOR, traits
from machines.kinds.simt.fields import Simt
from machines.operations.row import Lane, Operation, OperationTable

MOST_LINES = 1 << 22
"""Of all L1s and the L2; the host keeps up to 160 bytes of each."""


def rows_exist(machine: Simt) -> Iterator[Problem]:
    """The machine executes a family of the operation table whose rows work on lanes."""
    if machine.instructions not in _families():
        message = f"no instructions for warps are called '{machine.instructions}'"
        yield ("instructions",), message, nearest(machine.instructions, _families())


def every_row_has_a_class(machine: Simt) -> Iterator[Problem]:
    """Whatever is executed has a cost; not all machines have tensor cores."""
    needed = {row.scheduling_class for row in _rows(machine)} - set(TENSOR)
    for name in sorted(needed - set(machine.classes)):
        yield ("classes",), f"class '{name}' is not described", "add its pipe and latency"


def classes_exist(machine: Simt) -> Iterator[Problem]:
    """Costs are those of classes there are."""
    known = {*CLASSES, *(row.scheduling_class for row in _rows(machine))}
    for name in machine.classes:
        if name not in known:
            yield ("classes", name), f"there is no class '{name}'", nearest(name, known)


def pipes_exist(machine: Simt) -> Iterator[Problem]:
    """Classes go to declared pipes, and distances are between declared pipes."""
    named = [(("classes", name, "pipe"), c.pipe) for name, c in machine.classes.items()]
    for name, pipe in machine.pipes.items():
        named += [(("pipes", name, "extra", reader), reader) for reader in pipe.extra]
    for path, pipe in named:
        if pipe not in machine.pipes:
            yield path, f"there is no pipe '{pipe}'", nearest(pipe, machine.pipes)


def results_have_a_time(machine: Simt) -> Iterator[Problem]:
    """The memory says when a load is done, and the class says it of what else is waited for."""
    known = traits(machine.instructions) if _rows(machine) else {}
    for name, described in machine.classes.items():
        if name not in known:
            continue
        path, does = ("classes", name), known[name]
        if does.waits_for_memory and described.latency is not None:
            hint = "set that of the memory, for example memory.l1.latency"
            yield (*path, "latency"), "the memory says how long it takes", hint
        elif not does.has_latency and described.latency is not None:
            hint = "branches.latency is a branch's" if name == "branch" else None
            yield (*path, "latency"), f"nothing waits for the latency of '{name}'", hint
        if does.has_latency and described.latency is None:
            yield path, f"'{name}' has no latency", "write latency: 4 cycles"


def guards_are_predicates(machine: Simt) -> Iterator[Problem]:
    """What guards comes from a class that writes predicates."""
    known = traits(machine.instructions) if _rows(machine) else {}
    for name, described in machine.classes.items():
        if described.guard and name in known and PREDICATES not in known[name].writes:
            message = f"what '{name}' writes guards nothing: it has no predicates"
            yield ("classes", name, "guard"), message, None


def warps_divide_evenly(machine: Simt) -> Iterator[Problem]:
    """A warp is a power of two of threads, and sub-cores have as many warps and registers each."""
    limits, subcores = machine.limits, machine.subcores
    if not _is_power_of_two(machine.warp_width):
        yield ("warp_width",), "a warp is a power of two of threads", "8, 16, 32 or 64"
    if limits.warps % subcores:
        yield ("limits", "warps"), f"{limits.warps} warps do not divide by {subcores}", None
    if limits.registers % subcores:
        message = f"{limits.registers} registers do not divide by {subcores}"
        yield ("limits", "registers"), message, None
    if limits.threads_per_cta > limits.warps * machine.warp_width:
        message = f"an SM has no more than {limits.warps * machine.warp_width} threads"
        yield ("limits", "threads_per_cta"), message, "that is limits.warps · warp_width"
    for name, pipe in machine.pipes.items():
        if pipe.lanes > machine.warp_width or machine.warp_width % pipe.lanes:
            message = f"a warp of {machine.warp_width} does not divide by {pipe.lanes} lanes"
            yield ("pipes", name, "lanes"), message, None


def shared_memory_leaves_a_cache(machine: Simt) -> Iterator[Problem]:
    """Carve-outs fit, with at least a set of L1 beside them, and hold the largest block."""
    limits, l1 = machine.limits, machine.memory.l1
    path = ("limits", "carve_outs")
    if not limits.carve_outs:
        yield path, "there is no carve-out", "0 KiB is one: all cache"
        return
    for carve_out in limits.carve_outs:
        left = l1.size - carve_out
        if left < l1.line * l1.ways:
            yield path, f"{carve_out} bytes leave no set of the L1", "make memory.l1.size larger"
        elif left % (l1.line * l1.ways):
            message = f"{carve_out} bytes leave {left / (l1.line * l1.ways):g} sets of the L1"
            yield path, message, f"{l1.ways} ways of {l1.line}-byte lines make a set"
    if limits.shared_per_cta + limits.shared_reserved > max(limits.carve_outs):
        yield ("limits", "shared_per_cta"), "no carve-out holds a block of that much", None


def caches_divide_evenly(machine: Simt) -> Iterator[Problem]:
    """Lines, sectors and banks are powers of two; an L2 slice has a power of two of sets."""
    memory = machine.memory
    powers = [(("l1", "line"), memory.l1.line), (("l1", "sector"), memory.l1.sector)]
    powers += [(("l2", "line"), memory.l2.line), (("l2", "sector"), memory.l2.sector)]
    powers += [(("l2", "interleave"), memory.l2.interleave)]
    powers += [(("l2", "fetch"), memory.l2.fetch), (("dram", "burst"), memory.dram.burst)]
    powers += [(("l1", "bank_width"), memory.l1.bank_width)]
    powers += [(("shared", "bank_width"), memory.shared.bank_width)]
    powers += [(("shared", "banks"), memory.shared.banks)]
    powers += [(("l1", "banks"), memory.l1.banks)] if memory.l1.banks else []
    for path, number in powers:
        if not _is_power_of_two(number):
            yield ("memory", *path), f"{number} is no power of two", None
    for name, cache in (("l1", memory.l1), ("l2", memory.l2)):
        if cache.line < cache.sector or cache.line // cache.sector > 8:
            yield ("memory", name, "sector"), "a line has 1 to 8 sectors", None
    for path, size in ((("l2", "fetch"), memory.l2.fetch), (("dram", "burst"), memory.dram.burst)):
        if not memory.l2.sector <= size <= memory.l2.line:
            yield ("memory", *path), "it is at least a sector, and at most a line", None
    if memory.l2.interleave < memory.l2.line:
        message = "a slice has whole lines"
        yield ("memory", "l2", "interleave"), message, f"at least a line, {memory.l2.line} B"
    for name, banked in (("l1", memory.l1), ("shared", memory.shared)):
        if banked.banks * banked.bank_width > 256:
            message = (
                f"{banked.banks} banks hold {banked.banks * banked.bank_width} bytes side by side"
            )
            yield ("memory", name, "banks"), message, "at most 256 bytes"
    for field in ("line", "sector"):
        if getattr(memory.l1, field) != getattr(memory.l2, field):
            message = f"a {field} of the L1 is not as long as one of the L2"
            yield ("memory", "l1", field), message, "an L1 miss asks the L2 for sectors"
    l2 = memory.l2
    if l2.size % (l2.slices * l2.ways * l2.line) or not _is_power_of_two(l2.sets):
        sets = l2.size / (l2.slices * l2.ways * l2.line)
        message = f"{l2.slices} slices of {l2.ways} ways make {sets:g} sets"
        yield ("memory", "l2", "size"), message, "the number of sets of a slice is a power of two"


def caches_fit_the_host(machine: Simt) -> Iterator[Problem]:
    """The lines of all caches together are no more than the host can keep."""
    l1 = machine.sms * (machine.memory.l1.size // machine.memory.l1.line)
    l2 = machine.memory.l2.size // machine.memory.l2.line
    if l1 + l2 > MOST_LINES:
        message = f"the L1s have {l1} lines together, the L2 {l2}"
        path = ("memory", "l1" if l1 > l2 else "l2", "size")
        yield path, message, f"both together at most {MOST_LINES}"


def dram_has_time_left(machine: Simt) -> Iterator[Problem]:
    """A refresh ends before the next; rows hold whole lines, and batches whole sectors."""
    dram, l2 = machine.memory.dram, machine.memory.l2
    if dram.refresh and dram.refresh.time >= dram.refresh.interval:
        message = f"the next refresh is {dram.refresh.interval:g} ns behind, this one takes as long"
        yield ("memory", "dram", "refresh", "time"), message, "make it shorter than the interval"
    if dram.rows:
        path, size = ("memory", "dram", "rows", "interleave"), dram.rows.interleave
        if not _is_power_of_two(size):
            yield path, f"{size} is no power of two", None
        elif size < l2.line:
            yield path, f"{size} bytes are less than a line", f"a line has {l2.line} bytes"
    if dram.writes and dram.writes.batch % l2.sector:
        message = f"{dram.writes.batch} bytes are no whole number of sectors"
        yield ("memory", "dram", "writes", "batch"), message, f"a sector has {l2.sector} bytes"


def memory_slows_down_outward(machine: Simt) -> Iterator[Problem]:
    """What is farther takes longer."""
    memory = machine.memory
    levels = [
        (("l1", "latency"), memory.l1.latency),
        (("l2", "near_latency"), memory.l2.near_latency),
        (("l2", "far_latency"), memory.l2.far_latency),
        (("dram", "latency"), memory.dram.latency),
    ]
    for (near, inner), (far, outer) in pairwise(levels):
        if outer < inner:
            message = f"{outer} cycles are fewer than the {inner} of {'.'.join(near)}"
            yield ("memory", *far), message, "latencies are whole, from issue to use"
    if memory.l2.slices % memory.l2.partitions:
        yield ("memory", "l2", "partitions"), "slices do not divide by partitions", None


RULES = (
    rows_exist,
    every_row_has_a_class,
    classes_exist,
    pipes_exist,
    results_have_a_time,
    guards_are_predicates,
    warps_divide_evenly,
    shared_memory_leaves_a_cache,
    caches_divide_evenly,
    caches_fit_the_host,
    dram_has_time_left,
    memory_slows_down_outward,
)


def _families() -> tuple[str, ...]:
    return _families_on_lanes(operations())


@lru_cache
def _families_on_lanes(table: OperationTable) -> tuple[str, ...]:
    """Three rules ask for them of every machine, and a table has thousands of rows."""
    return tuple(name for name in table.families if _works_on_lanes(table.family(name)))


def _works_on_lanes(rows: dict[str, Operation]) -> bool:
    return any(isinstance(o.kind, Lane) for row in rows.values() for o in row.operands)


def _rows(machine: Simt) -> list[Operation]:
    if machine.instructions not in _families():
        return []
    return list(operations().family(machine.instructions).values())


def _is_power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0
