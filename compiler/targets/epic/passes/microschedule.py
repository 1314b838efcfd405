"""The microscheduler: pack what a scheduler put in one cycle so that it issues in one cycle.

    adds, shr.u, add, lfetch, xor, ld8   ->   MII {lfetch, shr.u, adds}  MMI {ld8, add, xor}

The operations of a row are added one by one to the cycle that is being filled.  Each time the
automaton of the machine is asked for slots for all of them, so that those already there may move
and change their units; what does not fit waits for the next cycle.  The row may be one of a modulo
schedule, whose operations belong to different iterations: then not every dependence is an obstacle.
Two operations a and b meet in one machine cycle exactly if the arc's omega = stage(a) - stage(b).
Of those that meet, an arc with a latency keeps them apart, and one of latency 0 fixes the order of
their slots.  `rules` says which arcs meet:

    sound     omega = stage(a) - stage(b)
    seed      omega = 0 and stage(a) = stage(b): the published test, for registers that rotate
    acyclic   all, as in a bundler for straight code

The method of Chinese patent application CN1670699A (microscheduling that supports directed cyclic
graphs, Open Research Compiler), with the first of these rules in place of the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compiler.analyses.dependence_graph import Arc
from compiler.targets.epic.bundling.automaton import Automaton
from compiler.targets.epic.bundling.bundles import PackedBundle, Packing, Syllable
from compiler.targets.epic.passes.bundlers import Bundler, DoesNotFit

RULES = ("sound", "seed", "acyclic")


def meeting(arcs: Iterable[Arc], stages: Sequence[int], rules: str = "sound") -> list[Arc]:
    """The arcs between operations that belong together when they issue in one cycle."""

    def meet(arc: Arc) -> bool:
        apart = stages[arc.source] - stages[arc.target]
        if rules == "acyclic":
            return True
        return arc.omega == apart == 0 if rules == "seed" else arc.omega == apart

    return [arc for arc in arcs if arc.source != arc.target and meet(arc)]


def microschedule(
    syllables: Sequence[Syllable],
    arcs: Iterable[Arc],
    stages: Sequence[int],
    automaton: Automaton,
    rules: str = "sound",
) -> list[Packing]:
    """The cycles that a row of operations takes: one, if any packing into one exists.

    `arcs` are those between operations of the row, by their numbers in it; a row that takes more
    cycles keeps their order.  Raises DoesNotFit for an operation that no empty cycle takes.
    """
    obstacles = meeting(arcs, stages, rules)
    waiting = list(range(len(syllables)))
    finished: list[Packing] = []
    while waiting or not finished:
        cycle = _fit(waiting, syllables, obstacles, automaton)
        if cycle is None:
            cycle = _fill(waiting, syllables, obstacles, automaton)
        waiting = [node for node in waiting if node not in cycle.ports]
        finished.append(cycle)
    return finished


def _fill(
    waiting: list[int], syllables: Sequence[Syllable], obstacles: list[Arc], automaton: Automaton
) -> Packing:
    """One cycle with as many of the waiting operations, in their order, as fit together."""
    current: Packing | None = None
    held: list[int] = []
    tried: set[int] = set()
    while True:
        left = {node for node in waiting if node not in held}
        held_up = {arc.target for arc in obstacles if arc.source in left}
        node = next((n for n in waiting if n in left and n not in tried | held_up), None)
        if node is None:
            break
        packing = _fit([*held, node], syllables, obstacles, automaton)
        if packing is None:
            tried.add(node)
        else:
            current, held = packing, [*held, node]
    if current is None:
        raise DoesNotFit(min(tried, default=waiting[0]))
    return current


def _fit(
    nodes: list[int], syllables: Sequence[Syllable], obstacles: list[Arc], automaton: Automaton
) -> Packing | None:
    """A packing of some operations of the row in one cycle."""
    position = {node: k for k, node in enumerate(nodes)}
    inside = [arc for arc in obstacles if arc.source in position and arc.target in position]
    if any(arc.latency > 0 for arc in inside):
        return None
    order = [(position[arc.source], position[arc.target]) for arc in inside]
    packing = automaton.fits([syllables[node] for node in nodes], order)
    return packing and packing.renumbered(nodes)


def pack(
    syllables: Sequence[Syllable],
    arcs: Iterable[Arc],
    stages: Sequence[int],
    automaton: Automaton,
) -> list[PackedBundle]:
    """The bundles of a row, with a stop after each cycle."""
    cycles = microschedule(syllables, arcs, stages, automaton)
    return [bundle for cycle in cycles for bundle in cycle.bundles]


BUNDLER = Bundler(
    "microschedule",
    "One cycle for every row that any packing gets into one cycle.",
    pack,
    shares=True,
)
