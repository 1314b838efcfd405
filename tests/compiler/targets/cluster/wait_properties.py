"""What must hold of waits, said without the compiler's own classes.

    1  command of io              needs   (what touches the same bytes, one of the two writing them,
    2  wait for io                         in another queue, on a way from the earlier one)
    3  command of compute, after 1

A command is in flight from where it is given until a wait for its queue, or a command of its queue
whose result the core waits for.  A set of waits suffices if on no way through the code a command is
given while one is in flight that it must come behind.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from compiler.ir.module import Descriptor, Function, Instruction
from machines.instructions.cluster_control import WAITS
from machines.kinds.cluster.code import ADDRESSES

Place = tuple[str, int]
"""A block, and the index of the instruction before which a wait may stand."""
Wait = tuple[str, int, str]


def cells(function: Function, interval: Descriptor) -> set[tuple[str, int]]:
    """The bytes of an exact interval, with the space that they are in."""
    buffer = function.buffers[interval.buffer]
    base, width = ADDRESSES.of(function).get(interval.buffer), buffer.dtype.bytes
    where = buffer.space if base is not None else interval.buffer
    begins = [interval.low]
    for count, stride in interval.steps:
        begins = [begin + k * stride for k in range(count) for begin in begins]
    length = interval.high - interval.low
    return {
        (where, (base or 0) + (begin + element) * width + byte)
        for begin in begins
        for element in range(length)
        for byte in range(width)
    }


def _touched(function: Function, instruction: Instruction) -> tuple[set, set]:
    """What it reads and what it writes."""
    read, written = set(), set()
    for kind, interval in instruction.intervals:
        (written if kind.access == "store" else read).update(cells(function, interval))
    return read, written


def clashing(function: Function) -> set[tuple[int, int]]:
    """Pairs of commands, by their places among all instructions, which must not be side by side."""
    code = [i for _, i in function.instructions()]
    commands = [k for k, i in enumerate(code) if "queue" in i.attributes]
    touched = {k: _touched(function, code[k]) for k in commands}
    found = set()
    for a, b in product(commands, commands):
        if code[a].attributes["queue"] != code[b].attributes["queue"]:
            (read, written), (other_read, other_written) = touched[a], touched[b]
            if written & (other_read | other_written) or read & other_written:
                found.add((a, b))
    return found


def suffices(function: Function, clashes: set[tuple[int, int]], waits: Iterable[Wait]) -> bool:
    """Whether no way through the code begins a command beside one that it clashes with.

    Goes through all pairs of a place and a set of commands in flight.
    """
    numbers = {id(i): k for k, (_, i) in enumerate(function.instructions())}
    waiting: dict[Place, set[str]] = {}
    for block, index, queue in waits:
        waiting.setdefault((block, index), set()).add(queue)
    first = next(iter(function.blocks))
    pending, seen = [(first, frozenset())], set()
    while pending:
        name, in_flight = pending.pop()
        if (name, in_flight) in seen:
            continue
        seen.add((name, in_flight))
        for index, instruction in enumerate(function.blocks[name].instructions):
            ended = set(waiting.get((name, index), ()))
            if instruction.operation.name in WAITS:
                ended.add(WAITS[instruction.operation.name][0])
            in_flight = frozenset((k, q) for k, q in in_flight if q not in ended)
            queue = instruction.attributes.get("queue")
            if queue is not None:
                number = numbers[id(instruction)]
                if any((k, number) in clashes for k, _ in in_flight):
                    return False
                in_flight |= {(number, queue)}
                if instruction.results and instruction.guard is None:
                    in_flight = frozenset((k, q) for k, q in in_flight if q != queue)
        pending += [(target, in_flight) for target in function.blocks[name].successors]
    return True


def placed_waits(function: Function) -> list[Place]:
    """Where the compiler's waits stand."""
    return [
        (name, index)
        for name, block in function.blocks.items()
        for index, instruction in enumerate(block.instructions)
        if instruction.operation.name in WAITS
    ]
