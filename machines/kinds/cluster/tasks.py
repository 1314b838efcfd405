"""Tasks: how many cores run a kernel, and which of them know one another.

    block     every task is a job of its own, on one core that knows of no other
    union1    four tasks are a job on the four cores of a cluster, which share its SRAM
    union2    eight are a job on two clusters, which start together

A launch has `dim` tasks.  Those of a job start and end together, on cores that no other job has
meanwhile; they stay where they are.  Types and rules: BANG C operator development guide, in the
documentation of Cambricon mlu-ops.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from machines.kinds.cluster.fields import Cluster

UNIONS = {f"union{n}": n for n in (1, 2, 4, 8, 16)}
"""Types whose jobs have whole clusters -> how many."""
BLOCK = "block"
TaskType = Literal["block", "union1", "union2", "union4", "union8", "union16"]


class Job(NamedTuple):
    """Where tasks run together, and which they are.

    clusters, cores  numbers on the chip: of its clusters, and of the cores of each that compute
    first            number of its first task
    tasks            tasks of the launch
    """

    clusters: tuple[int, ...]
    cores: tuple[int, ...]
    first: int
    tasks: int


def tasks_of_a_job(type: str, chip: Cluster) -> int:
    """Tasks that run together."""
    return 1 if type == BLOCK else UNIONS[type] * chip.cores


def whole_chip(chip: Cluster) -> Job:
    """The job of a program that has the chip to itself."""
    return Job(tuple(range(chip.clusters)), tuple(range(chip.cores)), 0, chip.core_count)


def misfit(type: str, dim: int, chip: Cluster) -> tuple[str, str, str] | None:
    """Why a chip runs no launch of `dim` tasks of a type: whether the 'type' or the 'dim' is wrong,
    a message and a hint."""
    clusters, together = UNIONS.get(type, 1), tasks_of_a_job(type, chip)
    if clusters > chip.clusters:
        known = [BLOCK, *(name for name, count in UNIONS.items() if count <= chip.clusters)]
        message = f"{type} wants {clusters} clusters, and there are {chip.clusters}"
        return "type", message, ", ".join(known)
    if dim % together:
        message = f"{dim} tasks are no whole jobs of {type}, which have {together} each"
        return "dim", message, f"a multiple of {together}"
    return None
