"""Dependences of loops against every pair of accesses that really meet.

Random loop nests run in the interpreter, which tells of each access; each pair of accesses of one
run of a loop that share a byte has a distance in iterations, and the analysis has to allow it.
Where the analysis says that distances are exact, each pair of accesses that far apart has to meet.

    pytest -m campaign -n 2 tests/campaign/test_loop_memory.py
    CAMPAIGN=10000:15000 pytest -m campaign -n 2     other seeds
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from compiler.analyses.loop_memory import LoopMemory, loop_memory
from compiler.analyses.loops import Loop, loops
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.builder import Builder, add_buffer
from compiler.ir.copy import copy_function
from compiler.ir.module import Buffer, Function, Module
from compiler.pass_lists import passes
from compiler.text_form import parse
from compiler.transformation import make_options
from compiler.verify.ir import findings_of
from machines.types import I8
from tests.campaign.seeds import campaign, check_all
from tests.programs.random_loops import RandomLoops, arguments

SHORT = range(8)
MARKERS = 2  # instructions at the head of each block that tell that it runs


def in_ssa(text: str, rotated: bool) -> tuple[Function, Module]:
    module = parse(text, "loops.sir")
    (function,) = module.functions.values()
    before = ("simplify_control_flow", "rotate_loops") if rotated else ()
    for name in (*before, "construct_ssa"):
        plugin = passes()[name]
        plugin.run(function, None, make_options(plugin, {}))
    assert findings_of(module) == []
    return function, module


@dataclass(frozen=True)
class Event:
    """An access as it happened: its instruction's place, kind, bytes, and when."""

    block: str
    position: int
    kind: str
    first: int
    last: int
    iteration: int

    def meets(self, other: Event) -> bool:
        return self.first < other.last and other.first < self.last


def runs_of(function: Function, module: Module, given: dict, loop: Loop) -> list[list[Event]]:
    """The accesses of each run of a loop, in order."""
    marked = copy_function(function)
    add_buffer(module, Buffer("marker", I8, 1))
    builder = Builder(marked)
    for block in marked.blocks.values():
        builder.at(block, sum(i.is_phi for i in block.instructions))
        builder.emit("load.i8", builder.emit("address.ptr", "marker"))
    assert findings_of(Module({marked.name: marked}, module.buffers)) == []
    memory = memory_for(module, given)
    marker, members = memory.address("marker"), set(loop.members)
    phis = {b.name: sum(i.is_phi for i in b.instructions) for b in function.blocks.values()}
    runs: list[list[Event]] = []
    state = {"previous": None, "iteration": 0}

    def observe(block, index, position, kind, address, size):
        if address == marker:
            if block == loop.header:
                if state["previous"] in members:
                    state["iteration"] += 1
                else:
                    state["iteration"] = 0
                    runs.append([])
            state["previous"] = block
        elif block in members:
            place = index if index < phis[block] else index - MARKERS
            runs[-1].append(Event(block, place, kind, address, address + size, state["iteration"]))

    interpret(marked, given, memory, limit=20_000, observe=observe)
    del module.buffers["marker"]
    return runs


def verdicts(found: LoopMemory) -> dict:
    """For each pair of places what is said of it."""
    table = {}
    for said in (*found.dependences, *found.independences):
        source, target = said.source, said.target
        table[source.block, source.position, target.block, target.position] = said
    return table


def is_allowed(said: object, distance: int) -> bool:
    omega = getattr(said, "omega", None)
    if omega is None or distance < omega:
        return False
    return said.distances is None or distance in said.distances


def check_loop(
    function: Function, module: Module, given: dict, loop: Loop, counts: Counter
) -> None:
    found = loop_memory(function, loop)
    table = verdicts(found)
    counts["never"] += len(found.independences)
    counts["exact"] += sum(d.distances is not None for d in found.dependences)
    counts["any"] += sum(d.distances is None for d in found.dependences)
    for run in runs_of(function, module, given, loop):
        for index, x in enumerate(run):
            for y in run[index + 1 :]:
                if "store" not in (x.kind, y.kind):
                    continue
                said = table[x.block, x.position, y.block, y.position]
                distance = y.iteration - x.iteration
                if x.meets(y):
                    assert is_allowed(said, distance), f"{x} {y} {said}"
                    counts["loop_distances"] += 1
                elif getattr(said, "distances", None) is not None:
                    assert distance not in said.distances, f"{x} {y} {said}"


def check(seed: int, counts: Counter) -> None:
    function, module = in_ssa(RandomLoops(seed).text, rotated=seed % 2 == 0)
    given = arguments(seed)
    if seed % 5 == 0:
        function.noalias = frozenset("pq")
        given["q"] = given["p"][:400].copy()
    for loop in loops(function).by_header.values():
        check_loop(function, module, given, loop, counts)


def test_every_pair_that_meets_is_foreseen():
    counts = Counter()
    for seed in SHORT:
        check(seed, counts)
    assert min(counts[what] for what in ("never", "exact", "any", "loop_distances")) > 3, counts


@campaign(250)
def test_campaign(seeds: range):
    counts = Counter()
    check_all(lambda seed: check(seed, counts), seeds)
    print(dict(counts))
