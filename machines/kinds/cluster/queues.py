"""Which queue of a core takes a command, by the memories that it reads and writes.

    tensor.copy.f32 nram, dram      io        the core's transfers to and from DRAM (IODMA, GDMA)
    tensor.copy.f32 nram, sram      move      transfers on the chip (MVDMA, CDMA)
    tensor.add.f32 nram, nram       compute   vector and matrix unit
    tensor.broadcast.f32 nram, sram bus       the broadcast bus of the cluster
    x = tensor.load.f32 dram        io        one element for the scalar unit, like a copy

A core takes the commands of each queue in order, and those of different queues side by side.  An
*IPU* core computes; the *MEM* core of a cluster moves what its cluster shares.
"""

from __future__ import annotations

from collections.abc import Sequence

from machines.kinds.cluster.classes import MATRIX_CLASSES
from machines.kinds.cluster.code import CODE
from machines.operations.row import Operation

IPU, MEM = "ipu", "mem"
"""What a function runs on."""
QUEUES = {IPU: ("io", "move", "compute", "bus"), MEM: ("io", "move", "bus")}
"""The queues of a core."""
DMAS = {
    (IPU, "io"): "iodma",
    (IPU, "move"): "mvdma",
    (IPU, "bus"): "bus",
    (MEM, "io"): "gdma",
    (MEM, "move"): "cdma",
    (MEM, "bus"): "bus",
}
"""What does the copies of a queue."""
SENT = {"broadcast", "multicast", "unicast"}
"""Copies over the broadcast bus."""
_DRAM = {"dram", "global", "constant"}
SPACES = tuple(space.name for space in CODE.spaces)
ONE_SIDED = {"fill", "load", "store"}
"""Moves between memory and what the core gives or gets; the vector unit fills what is its own."""
_OWN = {"nram", "wram"}


def space_name(space: str) -> str:
    """Where buffers of a space stand on the chip."""
    return "dram" if space in _DRAM else space


def queue_of(row: Operation, spaces: Sequence[str], role: str) -> tuple[str | None, str]:
    """The queue of a tensor operation whose intervals lie in these spaces, in the order of its
    operands; or None, and why no core of this role can do it."""
    target, *sources = (space_name(space) for space in spaces)
    for space in (target, *sources):
        if space not in SPACES:
            return None, f"this chip has no memory '{space}', but {', '.join(SPACES)}"
    name = row.name.split(".")[1]
    if name in SENT:
        return _sent(name, target, sources[0], role)
    if name == "to_cluster":
        fits = role == MEM and target == "sram" and sources == ["sram"]
        return ("move", "") if fits else (None, "the MEM core copies from sram to another sram")
    if name == "copy":
        return _copied({target, *sources}, role)
    if name in ONE_SIDED and role == MEM:
        return ("io", "") if target in ("sram", "dram") else (None, f"no MEM core reaches {target}")
    if name in ONE_SIDED and (name != "fill" or target not in _OWN):
        return ("io", "") if target == "dram" else ("move", "")
    if role == MEM:
        return None, "a MEM core computes nothing"
    return _computed(row, target, sources)


def _sent(name: str, target: str, source: str, role: str) -> tuple[str | None, str]:
    if target not in _OWN:
        return None, f"what the bus carries goes to nram or wram, not to {target}"
    if role == IPU and (name != "unicast" or source not in _OWN):
        return None, "a core that computes sends to one other core, from its nram or wram"
    if role == MEM and source != "sram":
        return None, f"the MEM core sends from sram, not from {source}"
    return "bus", ""


def _copied(spaces: set[str], role: str) -> tuple[str | None, str]:
    if role == MEM:
        if spaces <= {"dram", "sram"}:
            return ("io", "") if "dram" in spaces else ("move", "")
        return None, "a MEM core reaches the memories of the other cores over the bus alone"
    if "dram" in spaces:
        if "sram" in spaces:
            return None, "between dram and sram the MEM core copies"
        return "io", ""
    return "move", ""


def _computed(row: Operation, target: str, sources: Sequence[str]) -> tuple[str | None, str]:
    """The vector unit works on nram; the matrix unit takes its right operand from wram."""
    if row.regions[0].access == "load":  # a result in a register
        target, sources = "nram", [target, *sources]
    *left, right = sources or ["nram"]
    wanted = "wram" if row.scheduling_class in MATRIX_CLASSES else "nram"
    if target != "nram" or any(space != "nram" for space in left):
        return None, "what is computed is read from nram and written to nram"
    if right != wanted:
        return None, f"its last operand stands in {wanted}, not in {right}"
    return "compute", ""
