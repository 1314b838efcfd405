"""The dependence graph of a loop body whose registers are known as values.

    flow     from every write of a value that a read may see, over the read's omega iterations
    anti     from a read to a later write of the same web in its iteration; to the next write, be it
             in the next iteration, of a register that stays where it is
    output   between writes of one web, or of one register that stays
    memory   as far as accesses may meet: the least number of iterations after which they do, found
             before selection; where nothing was found, the order of the program
    control  a while loop's condition before what has to wait for it (it is its guard); breaks keep
             their order with whatever may fault

Latencies are those of straight code (see `dependences`).  Accesses that meet may issue together:
the hardware keeps their order within a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compiler.analyses.dependence_graph import Arc, DependenceGraph
from compiler.targets.epic.bundling.groups import may_read_in_group
from compiler.targets.epic.pipelining.nodes import VALID, Node, Use, Web
from compiler.targets.epic.registers.operands import CONSTANT
from machines.kinds.epic.fields import Epic

Meetings = Mapping[tuple[int, int], int | None]


def loop_graph(
    nodes: Sequence[Node], condition: Web | None, loop_distances: Meetings, description: Epic
) -> DependenceGraph:
    """The graph of a body; `condition` is what VALID stands for, one iteration on."""
    found: dict[tuple[int, int, int, str], int] = {}
    arcs = (*_register_arcs(nodes, condition, description), *_effect_arcs(nodes, loop_distances))
    for arc in arcs:
        key = (arc.source, arc.target, arc.omega, arc.kind)
        found[key] = max(found.get(key, arc.latency), arc.latency)
    return DependenceGraph(
        len(nodes), tuple(Arc(a, b, omega, n, kind) for (a, b, omega, kind), n in found.items())
    )


def _register_arcs(
    nodes: Sequence[Node], condition: Web | None, description: Epic
) -> Iterator[Arc]:
    writers = _writers(nodes)
    for reader, node in enumerate(nodes):
        for value, use, omega, kind in _reads(node, condition):
            stays = isinstance(value, str)
            for writer, produced in writers.get(value, ()):
                latency = description.latency(produced, use)
                next_group = not may_read_in_group(nodes[writer].operation, node.operation)
                latency = max(latency, int(next_group))
                if stays or omega == 0:
                    # A register that stays is read before it is written by the next iteration.
                    back = int(writer >= reader)
                    if stays or not back:
                        yield Arc(writer, reader, back, latency, kind)
                    if writer != reader and (stays or back):
                        yield Arc(reader, writer, 1 - back if stays else 0, 0, "anti")
                else:
                    yield Arc(writer, reader, omega, latency, kind)
    for value, all_writes in writers.items():
        for index, (writer, earlier) in enumerate(all_writes):
            for later, produced in all_writes[index + 1 :]:
                overlap = description.latency(earlier) - description.latency(produced)
                yield Arc(writer, later, 0, max(1, overlap + 1), "output")
                if isinstance(value, str):
                    yield Arc(later, writer, 1, max(1, 1 - overlap), "output")


def _writers(nodes: Sequence[Node]) -> dict[Web | str, list[tuple[int, str]]]:
    """Value or register -> the nodes that write it, with the latency class of what they write."""
    found: dict[Web | str, list[tuple[int, str]]] = {}
    for writer, node in enumerate(nodes):
        for result, produced in node.writes:
            if result not in CONSTANT:
                found.setdefault(result, []).append((writer, produced))
    return found


def _reads(node: Node, condition: Web | None) -> Iterator[tuple[Web | str, str, int, str]]:
    """(value or register, use, omega, kind of arc) for what a node reads."""
    for value, use in node.reads:
        if isinstance(value, Use):
            yield value.web, use, value.omega, "flow"
        else:
            yield value, use, 0, "flow"
    if node.guard is VALID and condition is not None:
        yield condition, "predicate", 1, "control"


def _effect_arcs(nodes: Sequence[Node], loop_distances: Meetings) -> Iterator[Arc]:
    """Arcs between accesses that may meet, and between breaks and what may fault."""
    acting = [n for n, node in enumerate(nodes) if node.operation.has_effect]
    for a in acting:
        for b in acting:
            first, second = nodes[a].operation, nodes[b].operation
            if first.control or second.control or a == b:
                continue
            if first.access is None or second.access is None:
                yield Arc(a, b, int(a > b), 0, "control")
            elif "ordered" in nodes[a].attributes or "ordered" in nodes[b].attributes:
                yield Arc(a, b, int(a > b), 0, "memory")
            elif first.stores or second.stores:
                omega = _meeting(nodes, a, b, loop_distances)
                if omega is not None:
                    yield Arc(a, b, omega, 0, "memory")


def _meeting(nodes: Sequence[Node], a: int, b: int, loop_distances: Meetings) -> int | None:
    """The least number of iterations after which b may touch what a touched; None: it never
    does."""
    pair = nodes[a].attributes.get("access"), nodes[b].attributes.get("access")
    in_order = int(a > b)
    if pair not in loop_distances or pair[0] == pair[1]:
        return in_order
    return None if loop_distances[pair] is None else max(loop_distances[pair], in_order)
