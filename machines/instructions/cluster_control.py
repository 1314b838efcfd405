"""IR rows of programs of many cores with queues: who a core is, its waits, its barriers.

    k = core_id                              this core's number in its cluster
    sync_io 0                                until the queue 'io' of this core is empty
    sync_cluster 1                           barrier 1 of all cores of the cluster
    tensor.broadcast.f32 w[0:64], s[0:64]    to every core of the cluster

What a core is (`core_id`, …) does not change while it runs and is pure.  Waits hold up the core,
not its queues; the operand says how many of the youngest commands may still be in flight.  No
access is moved across a wait or a barrier.  A core computes `exp.f32` and `log.f32` as its vector
unit does.

The cores of one cluster or of the whole task take part in a barrier, with the cores that serve
memory or without.  Programs give each barrier a number, the same in all cores that take part.
"""

from __future__ import annotations

from machines.instructions.tensor_functions import FUNCTIONS
from machines.instructions.tensor_operands import EACH, STORED, TENSOR_TYPES, walk
from machines.operations.row import Operand, Operation, Region
from machines.types import F32, I64, Type

IDENTITY = {
    "core_id": "The core's number in its cluster, from 0.",
    "core_dim": "The number of cores of a cluster that compute.",
    "cluster_id": "The cluster's number in the task, from 0.",
    "cluster_dim": "The number of clusters of the task.",
    "task_id": "The core's number in the task, from 0.",
    "task_dim": "The number of cores of the task that compute.",
}
WAITS = {
    "sync_io": ("io", "Wait for the core's transfers to and from DRAM."),
    "sync_move": ("move", "Wait for the core's transfers between memories of the chip."),
    "sync_compute": ("compute", "Wait for what the core computes."),
    "sync_bus": ("bus", "Wait for what the core sends over the bus of its cluster."),
}
"""Rows that wait -> the queue, and what they do."""
BARRIERS = {
    "sync_cluster": "Barrier of all cores of the cluster.",
    "sync_all": "Barrier of all cores of the task.",
    "sync_all_ipu": "Barrier of the cores of the task that compute.",
    "sync_all_ipu_within_cluster": "Barrier of the cores of the cluster that compute.",
}
OF_ALL_ROLES = ("sync_cluster", "sync_all")
"""Barriers in which cores that serve memory take part, too."""
OF_ALL_CLUSTERS = ("sync_all", "sync_all_ipu")
"""Those of the whole task."""
SENDS = {
    "broadcast": (None, "Copy elements to the same place in every core of the cluster."),
    "multicast": ("cores", "Copy elements to the cores of the cluster whose bits are set."),
    "unicast": ("core", "Copy elements to one core of the cluster."),
    "to_cluster": ("cluster", "Copy elements to another cluster of the task."),
}
"""Copies to where others are -> the operand that says where, and what they do."""
CORES = frozenset({"cores"})
_MEETS = CORES | {"orders_memory", "convergent"}


def _identity(name: str, sentence: str) -> Operation:
    result = (Operand("d", I64, "w"),)
    return Operation(
        name, "ir", result, f"d = {name}", sentence, implicit_reads=(name,), flags=CORES
    )


def _function(name: str) -> Operation:
    function, sentence = FUNCTIONS[name]
    operands = (Operand("d", F32, "w"), Operand("a", F32))
    meaning, words = f"d = round_f32({function}(a))", sentence.replace("each element", "a number")
    return Operation(f"{name}.f32", "ir", operands, meaning, words, flags=CORES)


def _held_up(name: str, operand: str, sentence: str) -> Operation:
    flags = _MEETS | ({"counts"} if name in WAITS else frozenset())
    return Operation(name, "ir", (Operand(operand, I64),), "", sentence, flags=flags)


def _send(name: str, where: str | None, sentence: str, t: Type) -> Operation:
    operands = [Operand("d", Region(t, "store")), Operand("a", Region(t, "load"))]
    if where is not None:
        operands.append(Operand(where, I64))
    return Operation(
        f"tensor.{name}.{t}",
        "ir",
        tuple(operands),
        "d = a",
        sentence,
        flags=CORES,
        scheduling_class="copy",
        walk=walk("i<size", d=EACH, a=EACH),
    )


ROWS = (
    *(_identity(name, sentence) for name, sentence in IDENTITY.items()),
    *(_held_up(name, "left", sentence) for name, (_, sentence) in WAITS.items()),
    *(_held_up(name, "number", sentence) for name, sentence in BARRIERS.items()),
    *(_function(name) for name in ("exp", "log")),
    *(_send(name, *what, t) for name, what in SENDS.items() for t in (*TENSOR_TYPES, *STORED)),
)


def is_send(row: Operation) -> bool:
    """Whether it writes where other cores are."""
    return "cores" in row.flags and row.walk is not None
