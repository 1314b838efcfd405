"""Let the core wait where a command would begin too early: for as few queues and as late as can be.

    tensor.copy.f32 a[0:64], x[0:64] {queue: "io"}
    sync_io 0
    tensor.add.f32 b[0:64], a[0:64], a[0:64] {queue: "compute"}

Which commands must come behind which is said by `compiler.analyses.memory_conflicts`, and what must
have ended where cores meet by `compiler.targets.cluster.barriers`.  Commands of one queue keep
their order by themselves.  Where a machine's waits count, each leaves the youngest commands of its
queue in flight (`compiler.targets.cluster.counted_waits`).

A program that has all its waits itself has them for its buffers by their names: where addresses
are shared because room is short, nothing waits for that, so such a program is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from compiler.analyses.memory_conflicts import conflicts_of_queues
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.barriers import before_barriers
from compiler.targets.cluster.counted_waits import CountedWait, Loss, counted_waits
from compiler.targets.cluster.fewest_waits import fewest_waits
from compiler.targets.cluster.in_flight import InFlight, Wait
from compiler.targets.cluster.scratchpads import beside, must_not_share
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.instructions.cluster_control import WAITS

Needs = dict[Instruction, list[Instruction]]
"""What must have ended before which instruction."""
MOST_NAMED = 8
"""Commands that a remark has."""
ROW_OF = {queue: row for row, (queue, _) in WAITS.items()}


@dataclass(frozen=True, slots=True)
class Options:
    everywhere: bool = option(False, "Wait for each command directly behind it.")
    none: bool = option(False, "Place no waits: the program has all that it needs.")
    seed_rules: bool = option(
        False, "Find dependences by the rules of the patent, which miss some."
    )


def run(function: Function, machine: Machine, options: Options) -> Changes:
    needs: Needs = {}
    if options.none:
        must_not_share(function, machine.description)
        return Changes()
    if options.everywhere:
        return _insert(function, _for_all(_behind_each(function)), needs)
    needs = needs_of(function, "seed" if options.seed_rules else "sound")
    in_flight = InFlight(function, needs)
    is_counted = machine.description.waits == "counted"
    waits = counted_waits(in_flight) if is_counted else _for_all(fewest_waits(in_flight))
    return _insert(function, waits, needs)


def _for_all(waits: Iterable[Wait]) -> dict[CountedWait, None]:
    """Waits for all of a queue: nothing is left, and guards take nothing away."""
    return {(*wait, 0): None for wait in waits}


def needs_of(function: Function, rules: str = "sound") -> Needs:
    """What must have ended before which instruction: commands of other queues that touch the same
    bytes, and, before barriers, what others will touch."""
    needs = before_barriers(function, beside(function))
    for earlier, later in conflicts_of_queues(function, _queue_of, rules):
        needs.setdefault(later.instruction, []).append(earlier.instruction)
    return needs


def _queue_of(instruction: Instruction) -> str | None:
    return instruction.attributes.get("queue")


def _behind_each(function: Function) -> list[Wait]:
    return [
        (name, index + 1, str(instruction.attributes["queue"]))
        for name, block in function.blocks.items()
        for index, instruction in enumerate(block.instructions)
        if "queue" in instruction.attributes
    ]


def _insert(function: Function, waits: Mapping[CountedWait, Loss | None], needs: Needs) -> Changes:
    """Write the waits down, and say what each is for and what a guard takes away."""
    changes, builder = Changes(), Builder(function)
    reasons: dict[tuple[int, str], str] = {}
    for wait in sorted(waits, reverse=True):
        block, index, queue, left = wait
        before = function.blocks[block].instructions[index]
        builder.location = before.location
        builder.at(function.blocks[block], index)
        builder.emit(ROW_OF[queue], left)
        commands = needs.get(before, ())
        key = id(commands), queue  # barriers have their list together
        if key not in reasons:
            reasons[key] = _reason(commands, queue)
        changes.note(f"waits for {queue}", before, reasons[key])
        if loss := waits[wait]:
            changes.note("leaves fewer for a guard", before, _loss(queue, left, loss))
    return changes


def _loss(queue: str, left: int, loss: Loss) -> str:
    return (
        f"leaves {left} of {queue} where {loss.could} could be left, since "
        f"{_named(loss.guarded)} may not happen: with an empty interval in place of the guard "
        "it counts"
    )


def _reason(commands: Iterable[Instruction], queue: str) -> str:
    """What has to end there; nothing of a wait in front of a loop."""
    own = dict.fromkeys(c for c in commands if c.attributes["queue"] == queue)
    return f"{_named(own)} must have ended" if own else ""


def _named(commands: Iterable[Instruction]) -> str:
    words = [
        f"{c.operation}{f' in line {c.location.line}' if c.location else ''}" for c in commands
    ]
    if len(words) > MOST_NAMED:
        words[MOST_NAMED - 1 :] = [f"{len(words) - MOST_NAMED + 1} more"]
    return " and ".join(words)


PLUGIN = Pass(
    "place_waits",
    "Wait for as few queues as the dependences through memory need.",
    run,
    forms={"placed": "stream"},
    options=Options,
    kinds=("cluster",),
)
