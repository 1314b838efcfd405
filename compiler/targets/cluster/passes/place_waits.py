"""Let the core wait where a command would begin too early: for as few queues and as late as can be.

    tensor.copy.f32 a[0:64], x[0:64] {queue: "io"}
    sync_io 0
    tensor.add.f32 b[0:64], a[0:64], a[0:64] {queue: "compute"}

Which commands must come behind which is said by `compiler.analyses.memory_conflicts`, and what must
have ended where cores meet by `compiler.targets.cluster.meetings`.  Commands of one queue keep
their order by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.analyses.memory_conflicts import memory_conflicts
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.fewest_waits import fewest_waits
from compiler.targets.cluster.meetings import before_meetings
from compiler.targets.cluster.scratchpads import beside
from compiler.targets.cluster.under_way import UnderWay, Wait
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions.cluster_control import WAITS

ROW_OF = {queue: row for row, (queue, _) in WAITS.items()}


@dataclass(frozen=True, slots=True)
class Options:
    everywhere: bool = option(False, "Wait for each command directly behind it.")
    none: bool = option(False, "Place no waits: the program has all that it needs.")
    seed_rules: bool = option(
        False, "Find dependences by the rules of the patent, which miss some."
    )


def run(function: Function, machine: Machine, options: Options) -> Changes:
    if options.none:
        waits: Iterable[Wait] = ()
    elif options.everywhere:
        waits = _behind_each(function)
    else:
        needs = needs_of(function, "seed" if options.seed_rules else "sound")
        waits = fewest_waits(UnderWay(function, needs))
    return Changes({"waits": _insert(function, waits)})


def needs_of(function: Function, rules: str = "sound") -> dict[Instruction, list[Instruction]]:
    """What must have ended before which instruction: commands of other queues that touch the same
    bytes, and, before meetings, what others will touch."""
    needs = before_meetings(function, beside(function))
    for earlier, later in memory_conflicts(function, rules):
        first, second = earlier.instruction, later.instruction
        queues = [one.attributes.get("queue") for one in (first, second)]
        if None not in queues and queues[0] != queues[1]:
            needs.setdefault(second, []).append(first)
    return needs


def _behind_each(function: Function) -> list[Wait]:
    return [
        (name, index + 1, str(instruction.attributes["queue"]))
        for name, block in function.blocks.items()
        for index, instruction in enumerate(block.instructions)
        if "queue" in instruction.attributes
    ]


def _insert(function: Function, waits: Iterable[Wait]) -> int:
    """Write the waits down, and say how many there are."""
    builder = Builder(function)
    ordered = sorted(waits, reverse=True)
    for block, index, queue in ordered:
        code = function.blocks[block].instructions
        builder.location = code[index].location
        builder.at(function.blocks[block], index)
        builder.emit(ROW_OF[queue], 0)
    return len(ordered)


PLUGIN = Pass(
    "place_waits",
    "Wait for as few queues as the dependences through memory need.",
    run,
    forms={"placed": "stream"},
    options=Options,
    kinds=("cluster",),
)
