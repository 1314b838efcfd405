"""Place what makes the threads of a warp meet again, for SIMT machines.

    head: … branch p, body, exit         head:  …          threads meet at exit
    body: … branch q, body, latch        body:  …          threads meet at latch
    latch: … branch r, head, exit   ->   latch: …          marked; threads meet at exit
    exit: …                              exit:  …          marked

Policy `ipdom` goes by the meeting blocks (immediate post-dominators), `markers` by the marks
(`analyses/convergence.py`), `barriers` by the instructions bssy, bsync and break, which
only stand in the code for that policy, and not for branches that all lanes take alike
(`analyses/parting_branches.py`).  For machines that ptxas compiles for, a branch to where threads
end becomes a guarded exit, as there.  A mark is a bit of the block's first instruction, or as
`marker_position` says an instruction `marker` in front of it, or a bit of the last instruction of
every block that leads there.  The blocks must be in their final order; those for which no code is
made are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.layout_graph import LayoutGraph, layout_graph, members
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.targets.simt.analyses.convergence import RULES, markers
from compiler.targets.simt.analyses.convergence_barriers import OUTSIDE, convergence_barriers
from compiler.targets.simt.analyses.parting_branches import parting_branches
from compiler.targets.simt.analyses.post_dominators import NONE, immediate_post_dominators
from compiler.targets.simt.emit import only_ends
from compiler.targets.simt.passes.lay_out_for_warps import drop_empty_blocks
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.diagnostics import input_error, nearest
from machines.instructions import operations
from machines.kinds.simt.code import CODE, ENDS, MARKER, MARKER_AFTER, RECONVERGE
from machines.kinds.simt.reconvergence import POLICIES

POSITIONS = ("before", "first_in_block", "end_of_predecessors")


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """Empty ones are the machine's (its fields `reconvergence.…`)."""

    policy: str = option("", f"Policy of the machine: {', '.join(POLICIES)}.")
    rules: str = option("", f"Where markers are placed: {' or '.join(RULES)}.")
    marker_position: str = option("", f"What a marker is: {', '.join(POSITIONS)}.")


def place(
    function: Function, policy: str, rules: str, position: str, marked: bool, ends: bool = False
) -> Changes:
    """Place what a policy needs; without `marked` no markers: they are placed when it is loaded.

    ends   whether a branch to where threads end is a guarded exit
    """
    changes = Changes()
    drop_empty_blocks(function, changes)
    for block in function.blocks.values():
        for note in CODE.blocks:
            block.notes.pop(note.name, None)
        if ends and any(only_ends(function.blocks[name]) for name in block.successors):
            ENDS.say(block, True)
    if policy == "barriers":
        _place_barriers(function, changes)
    graph = layout_graph(function)
    blocks = list(function.blocks.values())
    for block, meet in zip(blocks, immediate_post_dominators(graph), strict=True):
        if len(block.successors) > 1 and meet != NONE:
            RECONVERGE.say(block, graph.names[meet])
            changes.count("branches with a meeting block")
    if marked and policy == "markers":
        found = markers(graph, rules)
        _mark(function, blocks, graph, found, position, changes)
    return changes


def _mark(
    function: Function, blocks: list[Block], graph: LayoutGraph, marked: int, position: str,
    changes: Changes,
) -> None:  # fmt: skip
    for number in members(marked):
        changes.count("markers")
        if position == "before":
            MARKER.say(blocks[number], True)
        elif position == "end_of_predecessors":
            for before in graph.predecessors[number]:
                MARKER_AFTER.say(blocks[before], True)
        else:
            _insert(function, blocks[number], 0, "marker")


def _place_barriers(function: Function, changes: Changes) -> None:
    graph = layout_graph(function)
    blocks = list(function.blocks.values())
    ends = {k for k, one in enumerate(blocks) if not one.successors and len(one.instructions) == 1}
    barriers = convergence_barriers(graph, ends, parting_branches(function))
    for barrier in barriers:
        meet = blocks[barrier.meet]
        _insert(function, meet, 0, "bsync", barrier.number)
        changes.count("barriers")
    for barrier in barriers:
        for number in barrier.breaks:
            _insert(function, blocks[number], 0, "break", barrier.number)
            changes.count("breaks of barriers")
    outside = any(barrier.start == OUTSIDE for barrier in barriers)
    entry = _new_entry(function) if outside else None
    for barrier in barriers:
        start = entry if barrier.start == OUTSIDE else blocks[barrier.start]
        last = len(start.instructions) - 1
        _insert(function, start, last, "bssy", barrier.number, blocks[barrier.meet].name)


def _new_entry(function: Function) -> Block:
    """A block before the entry, which is in a loop."""
    builder = Builder(function)
    old = function.entry
    new = builder.block(builder.fresh_block("entry"), old.location)
    builder.emit(operations()["ptx", "bra.uni"], old.name, location=old.location)
    del function.blocks[new.name]
    function.blocks = {new.name: new, **function.blocks}
    return new


def _insert(function: Function, block: Block, index: int, row: str, *operands: int | str) -> None:
    builder = Builder(function)
    builder.at(block, index)
    location = block.instructions[index].location
    builder.insert(Instruction(operations()["ptx", row], (), operands, location=location))


def run(function: Function, machine: Machine, options: PlaceOptions) -> Changes:
    own = machine.description.reconvergence
    policy = _chosen("policy", options.policy, own.policy, POLICIES)
    rules = _chosen("rules", options.rules, own.rules, RULES)
    position = _chosen("marker_position", options.marker_position, own.marker_position, POSITIONS)
    ends = machine.description.compute_capability is not None
    return place(function, policy, rules, position, own.markers == "compiled", ends)


def _chosen(name: str, given: str, default: str, known: tuple[str, ...]) -> str:
    if given and given not in known:
        message = f"option '{name}' of pass 'place_convergence' cannot be '{given}'"
        raise input_error(message, hint=nearest(given, known))
    return given or default


PLUGIN = Pass(
    "place_convergence",
    "Place what makes the threads of a warp meet again: markers, meeting blocks, barriers.",
    run,
    forms={"virtual": "virtual"},
    options=PlaceOptions,
    kinds=("simt",),
)
