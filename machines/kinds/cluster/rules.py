"""The rules across fields of a cluster machine.

A rule is a function of the description that yields what is wrong as (path of keys, message, hint).
"""

from __future__ import annotations

from collections.abc import Iterator

from machines.description.schema import MOST_CACHE, MOST_UNITS, Problem
from machines.kinds.cluster.classes import VECTOR_CLASSES
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.memories import Scratchpad
from machines.kinds.cluster.units import InnerProduct
from machines.types import TYPES

OF_A_MEM_CORE = ("sram", "gdma", "cdma", "bus")
MOST_SCRATCHPADS = MOST_CACHE
"""Bytes of all scratchpads together, which are real memory of the host."""


def mem_cores_are_whole(machine: Cluster) -> Iterator[Problem]:
    """A MEM core has an SRAM, two DMAs and a bus; where there is none, there are none of them."""
    has_one = machine.mem_core is not None
    for name in OF_A_MEM_CORE:
        if (getattr(machine, name) is not None) == has_one:
            continue
        if has_one:
            yield ("mem_core",), f"a MEM core has '{name}', which is missing", "describe it"
        else:
            yield (name,), f"'{name}' belongs to a MEM core, and there is none", "add mem_core"


def engines_exist(machine: Cluster) -> Iterator[Problem]:
    """What shares an engine is there."""
    if machine.dma_engines == "gdma+iodma" and machine.mem_core is None:
        yield ("dma_engines",), "without a MEM core there is no GDMA", "'iodma+mvdma' or 'one'"
    if machine.dma_engines == "one" and machine.stages_copies:
        message = "one DMA does all of a cluster: there is no second way to DRAM"
        yield ("dram_path",), message, "dram_path: iodma, or dma_engines: separate"


def staged_copies_fit(machine: Cluster) -> Iterator[Problem]:
    """What is staged for all cores of a cluster is in what the system keeps of SRAM, and pieces of
    a copy part no line of DRAM."""
    if not machine.stages_copies or machine.sram is None:
        return
    kept, staging = machine.sram.reserved, machine.sram.staging
    if staging is None:
        message = "copies go through SRAM, and no part of it is for them"
        yield ("sram", "staging"), message, "staging: {piece: …, pieces: …}, or dram_path: iodma"
        return
    wanted = machine.cores * staging.pieces * staging.piece
    if wanted > kept:
        message = f"{wanted} bytes are staged for {machine.cores} cores, and {kept} are reserved"
        yield ("sram", "reserved"), message, "more reserved, or smaller or fewer pieces (staging)"
    if staging.piece % machine.dram.line:
        message = f"a piece of {staging.piece} bytes ends within a line of DRAM"
        yield ("sram", "staging", "piece"), message, f"a multiple of {machine.dram.line} bytes"


def scratchpads_divide_evenly(machine: Cluster) -> Iterator[Problem]:
    """Sizes are multiples of the alignment, a power of two, and something is left for programs."""
    for name, memory in _scratchpads(machine):
        if not _is_power_of_two(memory.alignment):
            yield (name, "alignment"), f"{memory.alignment} is no power of two", None
        for field in ("size", "reserved"):
            if getattr(memory, field) % memory.alignment:
                message = f"{getattr(memory, field)} bytes are no multiple of the alignment"
                yield (name, field), message, f"a multiple of {memory.alignment} bytes"
        if memory.reserved >= memory.size:
            yield (name, "reserved"), "nothing is left for programs", f"less than {memory.size} B"


def dram_divides_evenly(machine: Cluster) -> Iterator[Problem]:
    """Lines are powers of two, and neither controllers nor turns part them."""
    dram, arbitration = machine.dram, machine.arbitration
    if not _is_power_of_two(dram.line):
        yield ("dram", "line"), f"{dram.line} is no power of two", None
    if arbitration % dram.line:
        message = f"a turn of {arbitration} bytes ends within a line of DRAM"
        yield ("arbitration",), message, f"a multiple of {dram.line} bytes"
    if dram.controllers == 1:
        return
    if dram.interleave % dram.line:
        message = f"a line of {dram.line} bytes is in two controllers"
        yield ("dram", "interleave"), message, f"a multiple of {dram.line} bytes"
    if dram.size % (dram.controllers * dram.interleave):
        message = f"{dram.size} bytes do not divide by {dram.controllers} controllers"
        hint = f"a multiple of controllers · interleave = {dram.controllers * dram.interleave} B"
        yield ("dram", "size"), message, hint


def rows_divide_evenly(machine: Cluster) -> Iterator[Problem]:
    """A row holds whole lines, and all that is together at a controller."""
    dram = machine.dram
    if dram.banks is None:
        return
    parts = {"line": dram.line} | ({"interleave": dram.interleave} if dram.controllers > 1 else {})
    for name, size in parts.items():
        if dram.banks.row % size:
            message = f"a row of {dram.banks.row} bytes ends within {size} bytes of 'dram.{name}'"
            yield ("dram", "banks", "row"), message, f"a multiple of {size} bytes"
            return


def caps_limit(machine: Cluster) -> Iterator[Problem]:
    """What a cluster may move is less than what there is."""
    cap, whole = machine.dram.cluster_bandwidth, machine.dram.controllers * machine.dram.bandwidth
    if cap is not None and cap >= whole:
        message = f"all controllers together move {whole:.6g} B/s: this limits nothing"
        yield ("dram", "cluster_bandwidth"), message, "leave it out"


def every_operation_has_a_cost(machine: Cluster) -> Iterator[Problem]:
    """Whatever the vector unit does takes time."""
    for name in VECTOR_CLASSES:
        if name not in machine.vector.cost:
            yield ("vector", "cost"), f"class '{name}' has no cost", f"write {name}: 1 cycle"


def buses_have_modes(machine: Cluster) -> Iterator[Problem]:
    """A bus can do something, and says so once."""
    modes = machine.bus.modes if machine.bus else ("unicast",)
    if not modes:
        yield ("bus", "modes"), "this bus does nothing", "unicast, multicast, broadcast"
    if len(set(modes)) < len(modes):
        yield ("bus", "modes"), "a mode is named twice", None


def rates_fit_the_lanes(machine: Cluster) -> Iterator[Problem]:
    """What a lane multiplies in a cycle is in the piece of a row that it takes."""
    unit = machine.matrix
    if not isinstance(unit, InnerProduct):
        return
    if not any(unit.rates.values()):
        yield ("matrix", "rates"), "this unit multiplies nothing", "write i8: {i8: 64}"
    for left, rates in unit.rates.items():
        for right, rate in rates.items():
            wider, bits = max(TYPES[left].bits, TYPES[right].bits), 8 * unit.reduction
            path = ("matrix", "rates", left, right)
            if left != right:
                yield path, f"no operation multiplies {left} by {right}", "leave it out"
            if bits % wider:
                yield path, f"{unit.reduction} bytes are no whole elements of these types", None
            elif rate > bits // wider:
                message = f"{unit.reduction} bytes hold {bits // wider} elements"
                yield path, message, "a lane computes no more products in a cycle"


def chips_fit_the_host(machine: Cluster) -> Iterator[Problem]:
    """All cores and scratchpads together are no more than the host can keep."""
    if machine.core_count > MOST_UNITS:
        yield ("clusters",), f"there are {machine.core_count} cores", f"at most {MOST_UNITS}"
    total = sum(
        memory.size * (machine.clusters if name == "sram" else machine.core_count)
        for name, memory in _scratchpads(machine)
    )
    if total > MOST_SCRATCHPADS:
        message = f"the scratchpads have {total} bytes together"
        yield ("clusters",), message, f"at most {MOST_SCRATCHPADS}"


RULES = (
    mem_cores_are_whole,
    engines_exist,
    staged_copies_fit,
    scratchpads_divide_evenly,
    dram_divides_evenly,
    rows_divide_evenly,
    caps_limit,
    every_operation_has_a_cost,
    buses_have_modes,
    rates_fit_the_lanes,
    chips_fit_the_host,
)


def _scratchpads(machine: Cluster) -> Iterator[tuple[str, Scratchpad]]:
    for name in ("sram", "nram", "wram"):
        memory = getattr(machine, name)
        if memory is not None:
            yield name, memory


def _is_power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0
