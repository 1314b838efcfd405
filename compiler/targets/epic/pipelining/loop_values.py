"""The values of a loop body: which write each read sees, and of how many iterations before.

    loop:  a = ld [q]                 a's value          read by the add in its own iteration
           s = add a, prev            s's value
           prev = adds 0, a           (no instruction)   the add reads a's value of the iteration
                                                         before: Use(a, 1); at first it is `prev`

A *web* is a value that gets its own rotating register: a write that starts it, and guarded writes
later in the same iteration that may change it.  Copies are followed instead of made, which gives
reads over several iterations, unless two variables would want one register, or a web changes while
a copy of it is in use.

A register stays where it is, under its virtual name, if its old value comes from the iteration
before and the instruction itself needs it there: a guarded write, and an address that is
incremented.  Its reads and writes have to keep their order, see `loop_graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from compiler.ir.module import Instruction
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.pipelining.loop_body import LoopBody, NotPipelinedError
from compiler.targets.epic.pipelining.nodes import Node, Use, Web
from compiler.targets.epic.registers.operands import (
    FILE_OF_KIND,
    keeps_old_value,
    move_source,
    register_operands,
    writes,
)


@dataclass
class LoopValues:
    """The body in terms of values.

    nodes      in the order of the program
    final      register that is read after the loop -> the last iteration's value of it
    condition  what says that another iteration follows; None in a counted loop
    """

    nodes: list[Node]
    final: dict[str, Use]
    condition: Web | None


def loop_values(loop: LoopBody) -> LoopValues:
    """The values of a body; raises NotPipelinedError if its condition cannot be one."""
    decided = _Decisions()
    for _ in range(2 * len(loop.code) + 2):
        try:
            return _Renaming(loop, decided).run()
        except _Again:
            continue
    raise RuntimeError("the values of a loop are decided anew without end")


@dataclass
class _Decisions:
    """Moves that are made (by position), and registers that stay where they are."""

    made: set[int] = field(default_factory=set)
    staying: set[str] = field(default_factory=set)


class _Again(Exception):
    """A decision has changed."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a register holds when an iteration begins."""

    register: str


_Held = Use | _Entry | str
"""What a register holds: a value, what it held at first, or a register that nothing writes."""


class _Renaming:
    """One walk over the body, under the decisions so far."""

    def __init__(self, loop: LoopBody, decided: _Decisions):
        self._loop, self._decided = loop, decided
        self._written = {name for i in loop.code for name, _ in writes(i)}
        self._held: dict[str, _Held] = {}
        self._moved_by: dict[str, int] = {}  # register -> the move it was last set by
        self._moves_of: dict[Web, set[int]] = {}
        self._read_first: dict[str, None] = {}  # registers read before they are written
        self._nodes: list[Node] = []
        self._webs = 0

    def run(self) -> LoopValues:
        for position, instruction in enumerate(self._loop.code):
            source = self._followed(position, instruction)
            if source is None:
                self._add(instruction)
            else:
                self._follow(position, instruction.results[0], source)
        final = {name: self._now(name) for name in sorted(self._loop.live_out & self._written)}
        condition = None
        if self._loop.counter is None:
            condition = self._now(self._loop.branch.guard.name)
        uses = self._uses_of_entries()
        for node in self._nodes:
            node.operands = tuple(_resolved(value, uses) for value in node.operands)
            node.guard = _resolved(node.guard, uses)
        last = {
            name: _resolved(held, uses) for name, held in final.items() if not self._stays(name)
        }
        self._not_unwritten(last)
        return LoopValues(self._nodes, last, self._condition(condition))

    def _condition(self, held: _Held | None) -> Web | None:
        if held is None:
            return None
        if not isinstance(held, Use):
            raise NotPipelinedError("its condition is not made in it")
        if held.web.initial:
            raise NotPipelinedError("its condition is read by the next iteration")
        return held.web

    # Walking

    def _stays(self, name: str) -> bool:
        return name in self._decided.staying

    def _now(self, name: str) -> _Held:
        """What a register holds at this point."""
        if name not in self._written or self._stays(name):
            return name
        if name not in self._held:
            self._held[name] = _Entry(name)
        held = self._held[name]
        if isinstance(held, _Entry):
            self._read_first[held.register] = None
        return held

    def _followed(self, position: int, instruction: Instruction) -> str | None:
        """The source of a move that need not be made."""
        source = move_source(instruction)
        if source is None or instruction.guard is not None or position in self._decided.made:
            return None
        if not is_virtual(source) or self._stays(source) or self._stays(instruction.results[0]):
            return None
        return source

    def _follow(self, position: int, target: str, source: str) -> None:
        held = self._now(source)
        if isinstance(held, Use):
            self._moves_of.setdefault(held.web, set()).add(position)
        self._held[target], self._moved_by[target] = held, position

    def _add(self, instruction: Instruction) -> None:
        """A node for an instruction."""
        reading = {k for k, _ in register_operands(instruction.operation)[1]}
        operands = tuple(
            self._now(value) if k in reading and is_virtual(value) else value
            for k, value in enumerate(instruction.operands)
        )
        guard = instruction.guard and self._now(instruction.guard.name)
        updated = {
            value
            for k, operand in register_operands(instruction.operation)[1]
            if operand.is_written and is_virtual(value := instruction.operands[k])
        }
        files = {
            k: FILE_OF_KIND[o.kind.name] for k, o in register_operands(instruction.operation)[0]
        }
        keeps = keeps_old_value(instruction)
        results = tuple(
            self._result(name, files[k], keeps or name in updated) if is_virtual(name) else name
            for k, name in enumerate(instruction.results)
        )
        self._nodes.append(
            Node(
                instruction.operation,
                results,
                operands,
                guard,
                attributes=dict(instruction.attributes),
                location=instruction.location,
            )
        )

    def _result(self, name: str, file: str, updates: bool) -> Web | str:
        """Where a write goes; `updates`: the old value has to be there."""
        if self._stays(name):
            return name
        if not updates:
            self._webs += 1
            web = Web(f"{name}.{self._webs}", file)
            self._held[name] = Use(web, 0)
            self._moved_by.pop(name, None)
            return web
        held = self._now(name)
        if held == _Entry(name):
            self._decided.staying.add(name)
            raise _Again
        if isinstance(held, Use) and not self._moves_of.get(held.web):
            return held.web
        return self._make(
            self._moves_of[held.web] if isinstance(held, Use) else {self._moved_by[name]}
        )

    def _make(self, moves: set[int]) -> NoReturn:
        self._decided.made |= moves
        raise _Again

    # What comes from iterations before

    def _uses_of_entries(self) -> dict[str, Use]:
        """For every register read before it is written, the value it holds."""
        uses: dict[str, Use] = {}
        waiting = list(self._read_first)
        for name in waiting:
            path = list(self._path(name))
            waiting += [register for register in path if register not in waiting]
            end = self._held[path[-1]]
            if not isinstance(end, Use):  # moved from a register that nothing writes
                self._make({self._moved_by[path[-1]]})
            uses[name] = Use(end.web, len(path))
        for name, use in uses.items():
            other = use.web.initial.setdefault(use.omega, name)
            if other != name:
                moved = next(n for n in (name, other) if n in self._moved_by)
                self._make({self._moved_by[moved]})
        return uses

    def _path(self, name: str) -> Iterator[str]:
        """The registers whose values of iterations before lead to one: itself, what it was copied
        from when an iteration began, and so on."""
        seen = []
        while True:
            seen.append(name)
            yield name
            held = self._held[name]
            if not isinstance(held, _Entry):
                return
            if held.register in seen:
                self._make({self._moved_by[name]})
            name = held.register

    def _not_unwritten(self, last: dict[str, object]) -> None:
        """Registers read after the loop get moves of their own if they copy what nothing
        writes."""
        for name, held in last.items():
            if not isinstance(held, Use):
                self._make({self._moved_by[name]})


def _resolved(value: object, uses: dict[str, Use]) -> object:
    return uses[value.register] if isinstance(value, _Entry) else value
