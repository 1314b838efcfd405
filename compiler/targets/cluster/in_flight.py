"""Which commands may still be in flight at each point of a program, and what it must wait for.

    1  command of queue io            before 1: none
    2  command of queue compute       before 2: 1
    3  wait for io                    before 3: 1, 2
    4  command of queue io            before 4: 2

A command is in flight from where it is given to its queue until a wait for that queue.  Sets of
commands are integers: bit k is command k, in layout order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Function, Instruction
from machines.instructions.cluster_control import WAITS

Wait = tuple[str, int, str]
"""A wait that is not there yet: before instruction `index` of a block, for a queue."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction as far as it matters: its place, what it must not be before (`needs`), the
    command that it begins (`begins`), and the commands that have ended behind it (`ends`)."""

    index: int
    needs: int
    begins: int
    ends: int


_END = Step(1 << 60, 0, 0, 0)


class InFlight:
    """Of one function, whose commands know their queues.

    commands  in layout order
    queues    every queue with its commands
    """

    def __init__(self, function: Function, needs: Mapping[Instruction, Iterable[Instruction]]):
        """`needs` holds, of an instruction, the commands that must have ended before it; the same
        list may be of many."""
        self.function = function
        self.order = control_flow(function).reverse_postorder
        self.successors = control_flow(function).successors
        self.commands = [i for _, i in function.instructions() if "queue" in i.attributes]
        self.bits = {command: 1 << k for k, command in enumerate(self.commands)}
        self.queues: dict[str, int] = {}
        for command, bit in self.bits.items():
            queue = str(command.attributes["queue"])
            self.queues[queue] = self.queues.get(queue, 0) | bit
        known: dict[int, int] = {}
        self.steps = {name: list(self._steps(name, needs, known)) for name in self.order}

    def _steps(
        self,
        name: str,
        needs: Mapping[Instruction, Iterable[Instruction]],
        known: dict[int, int],
    ) -> Iterator[Step]:
        """`known`: sets of lists of commands, by the identity of the list."""
        for index, instruction in enumerate(self.function.blocks[name].instructions):
            commands = needs.get(instruction, ())
            needed = known.get(id(commands))
            if needed is None:
                needed = known[id(commands)] = self._set(commands)
            begins, ends = self.bits.get(instruction, 0), self._ended_by(instruction)
            if needed or begins or ends:
                yield Step(index, needed, begins, ends)

    def _set(self, commands: Iterable[Instruction]) -> int:
        found = 0
        for command in commands:
            found |= self.bits[command]
        return found

    def _ended_by(self, instruction: Instruction) -> int:
        """A wait for all of a queue, and a command whose result the core waits for; what is guarded
        may not happen, and ends nothing for certain."""
        row = instruction.operation.name
        if instruction.guard is not None:
            return 0
        if row in WAITS and instruction.operands == (0,):
            return self.queues.get(WAITS[row][0], 0)
        if instruction in self.bits and instruction.results:
            return self.queues[str(instruction.attributes["queue"])]
        return 0

    def suffices(self, waits: Iterable[Wait]) -> bool:
        """Whether with these waits nothing is begun that must come behind what is in flight."""
        placed = self._placed(waits)
        heads = self._heads(placed)
        return not any(
            state & step.needs
            for name in self.order
            for step, state in self._through(name, heads[name], placed)
        )

    def as_late_as_can_be(self) -> set[Wait]:
        """Waits that suffice, each directly before an instruction that needs it.

        What comes round a loop is known only when its end has been seen, and then waits inside it
        are found anew; so some may turn out to be in vain.
        """
        heads, found = dict.fromkeys(self.order, 0), dict.fromkeys(self.order, frozenset())
        place = {name: k for k, name in enumerate(self.order)}
        pending = list(range(len(self.order)))
        waiting = set(pending)
        while pending:
            number = heappop(pending)
            waiting.remove(number)
            name = self.order[number]
            found[name], state = self._late(name, heads[name])
            for target in self.successors[name]:
                if state & ~heads[target]:
                    heads[target] |= state
                    if place[target] not in waiting:
                        waiting.add(place[target])
                        heappush(pending, place[target])
        return set().union(*found.values())

    def _late(self, name: str, state: int) -> tuple[frozenset[Wait], int]:
        """The waits of a block, and what is in flight behind it."""
        waits: list[Wait] = []
        *_, (_, behind) = self._through(name, state, {}, waits)
        return frozenset(waits), behind

    def _placed(self, waits: Iterable[Wait]) -> dict[str, dict[int, int]]:
        """Block -> index -> the commands that have ended there."""
        placed: dict[str, dict[int, int]] = {}
        for block, index, queue in waits:
            at = placed.setdefault(block, {})
            at[index] = at.get(index, 0) | self.queues[queue]
        return placed

    def _through(
        self,
        name: str,
        state: int,
        placed: Mapping[str, Mapping[int, int]],
        added: list[Wait] | None = None,
    ) -> Iterator[tuple[Step, int]]:
        """Every step of a block with what is in flight before it; a last one stands for the end.

        added  where given, waits that are needed are made, and noted there
        """
        waits = sorted(placed.get(name, {}).items())
        at = 0
        for step in (*self.steps[name], _END):
            while at < len(waits) and waits[at][0] <= step.index:
                state &= ~waits[at][1]
                at += 1
            if added is not None and state & step.needs:
                for queue, commands in self.queues.items():
                    if state & step.needs & commands:
                        added.append((name, step.index, queue))
                        state &= ~commands
            yield step, state
            state = (state | step.begins) & ~step.ends

    def _heads(self, placed: Mapping[str, Mapping[int, int]]) -> dict[str, int]:
        """What may be in flight where blocks begin: the least fixpoint."""
        heads = dict.fromkeys(self.order, 0)
        pending = dict.fromkeys(self.order)
        while pending:
            name = next(iter(pending))
            del pending[name]
            *_, (_, state) = self._through(name, heads[name], placed)
            for target in self.successors[name]:
                if state & ~heads[target]:
                    heads[target] |= state
                    pending[target] = None
        return heads
