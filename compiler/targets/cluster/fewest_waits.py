"""As few waits as a program needs, each as late as it can be, and outside loops where that does.

    copy a, x        io
    copy b, y        io
    add c, a, a      compute     wait for io: a
    mul d, b, b      compute     (b came before in the same queue, and has ended too)
    copy z, c        io          wait for compute: c

A wait stops the core until a queue is empty, so it serves every pair of commands around it: of
straight-line code, waiting directly before the first command that needs it gives the fewest (points
that stab intervals, each taken where the first interval ends).  Round loops that is a good
beginning, from which waits are taken away and moved in front of loops as long as nothing is
missing; of small programs all sets of fewer waits are tried.
"""

from __future__ import annotations

from itertools import combinations

from compiler.analyses.loops import Loops, loops
from compiler.ir.module import Function
from compiler.targets.cluster.cut_paths import CutPaths
from compiler.targets.cluster.in_flight import InFlight, Wait

FEW_POINTS = 24
"""So many places for waits, at most, and all sets of them are tried."""
FEW_WAITS = 4
"""Of one queue, where all smaller sets are tried."""


def fewest_waits(in_flight: InFlight) -> set[Wait]:
    """Waits that suffice: the fewest where they can be tried, else none too many."""
    waits = in_flight.as_late_as_can_be()
    found = loops(in_flight.function)
    if found.by_header:
        waits = _outside_loops(in_flight, found, waits)
    points = _points(in_flight.function)
    if len(points) <= FEW_POINTS and (found.by_header or len(in_flight.function.blocks) > 1):
        for queue in in_flight.queues:
            waits = _tried(in_flight, found, points, queue, waits)
    return waits


def _outside_loops(in_flight: InFlight, found: Loops, waits: set[Wait]) -> set[Wait]:
    """The waits but those without which nothing is missing, the innermost tried first; then each in
    front of the outermost loop where it does the same."""
    paths = CutPaths(in_flight, waits)
    for wait in sorted(waits, key=lambda wait: (-found.depth[wait[0]], wait)):
        paths.take_away(wait)
    for wait in sorted(paths.waits):
        any(paths.take_away(wait, b) for b in _in_front(in_flight.function, found, wait))
    return paths.waits


def _in_front(function: Function, found: Loops, wait: Wait) -> list[Wait]:
    """At the ends of the preheaders of the loops around a wait, the outermost first."""
    places, header = [], found.innermost[wait[0]]
    while header is not None:
        loop = found.by_header[header]
        if loop.preheader is not None:
            last = len(function.blocks[loop.preheader].instructions) - 1
            places.append((loop.preheader, last, wait[2]))
        header = loop.parent
    return places[::-1]


def _points(function: Function) -> list[tuple[str, int]]:
    """Everywhere a wait may stand."""
    return [
        (name, index)
        for name, block in function.blocks.items()
        for index in range(len(block.instructions))
    ]


def _tried(
    in_flight: InFlight,
    found: Loops,
    points: list[tuple[str, int]],
    queue: str,
    waits: set[Wait],
) -> set[Wait]:
    """With the fewest waits for a queue; of equally many the ones in fewer loops."""
    own = {wait for wait in waits if wait[2] == queue}
    others = waits - own
    for count in range(min(len(own), FEW_WAITS + 1)):
        sets = (
            {(*point, queue) for point in chosen}
            for chosen in combinations([p for p in points if p[0] in found.depth], count)
        )
        enough = [some for some in sets if in_flight.suffices(others | some)]
        if enough:
            return others | min(
                enough, key=lambda some: (sum(found.depth[w[0]] for w in some), sorted(some))
            )
    return waits
