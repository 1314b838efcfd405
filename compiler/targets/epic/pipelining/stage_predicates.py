"""Guards that keep instructions to the iterations there are.

    %q = cmp.lt %x, %y            VALID  q = cmp.lt.unc x, y       q is false where there is no
    @%q st8 [%p] = %x       ->    @q     st8 [p] = x               iteration
    st8 [%r] = %y                 VALID  st8 [r] = y

A kernel's first and last passes run instructions of iterations that do not exist.  In a counted
loop VALID is the predicate of the instruction's stage; in a while loop it is the condition computed
by the iteration before, so that only what has to wait for it gets it.

What must not run for them: effects and what may fault, writes of registers that stay, and writes of
values that are there before the loop.  Such an instruction with a guard of its own needs one that
is false then: one that an unconditional compare starts under VALID, or the conjunction

           r = adds 0, r0
    @guard r = adds 1, r0
    VALID  p0, both = cmp.eq.unc 0, r

whose first two lines stand before the loop if nothing in it writes the guard.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from compiler.targets.epic.pipelining.loop_body import NotPipelinedError
from compiler.targets.epic.pipelining.loop_values import LoopValues
from compiler.targets.epic.pipelining.nodes import VALID, Node, Use, Web
from machines.instructions import operations
from machines.operations.row import Operation


@dataclass
class Guarded:
    """A body whose guards are right.

    numbers   predicate that nothing in the loop writes -> register that is 1 where it holds, else 0
    """

    nodes: list[Node]
    numbers: dict[str, str] = field(default_factory=dict)


def guard_iterations(values: LoopValues, fresh: Callable[[str], str]) -> Guarded:
    """Give every node the guard that it needs; `fresh` makes a name for a general register from
    another.

    Raises NotPipelinedError if a loop's condition cannot be made under a guard.
    """
    webs = _Webs(values)
    guarded = Guarded([])
    conjunctions: dict[Use | str, Web] = {}
    for node in values.nodes:
        guard = node.guard
        if guard is None:
            guard = VALID if values.condition is None or webs.must_wait(node) else None
        elif webs.must_wait(node) and not webs.is_false_outside(guard):
            if guard not in conjunctions:
                if not webs.writes(guard) and guard not in guarded.numbers:
                    guarded.numbers[guard] = fresh(guard)
                conjunctions[guard] = _conjunction(guard, node, guarded)
            guard = Use(conjunctions[guard], 0)
        waits = guard is VALID or webs.must_wait(node) or webs.is_false_outside(guard)
        operation = webs.operation(node)
        guarded.nodes.append(replace(node, operation=operation, guard=guard, waits=waits))
        for result in node.results:
            for changed in (result, Use(result, 0) if isinstance(result, Web) else None):
                conjunctions.pop(changed, None)
    return guarded


class _Webs:
    """Which predicates must be false where there is no iteration, and what has to wait."""

    def __init__(self, values: LoopValues):
        self._nodes, self._condition = values.nodes, values.condition
        self._starts: dict[Web, Node] = {}
        for node in values.nodes:
            for result in node.results:
                if isinstance(result, Web):
                    self._starts.setdefault(result, node)
        if self._condition is not None:
            self._check_condition()
        self._check_clearing()
        self._demand()

    def must_wait(self, node: Node) -> bool:
        """Whether a node may run for the iterations there are only."""
        if node.operation.has_effect:
            return True
        for result in node.results:
            if isinstance(result, Web):
                if result.initial or result.off or result is self._condition:
                    return True
            elif result != "p0":
                return True
        return False

    def writes(self, guard: Use | str) -> bool:
        """Whether the loop writes a guard."""
        return isinstance(guard, Use) or any(guard in node.results for node in self._nodes)

    def is_false_outside(self, guard: object) -> bool:
        """Whether a guard of its own keeps a node from running then."""
        return isinstance(guard, Use) and guard.omega == 0 and guard.web.off

    def operation(self, node: Node) -> Operation:
        """The node's operation, unconditional if that is what makes its predicates false."""
        if any(isinstance(r, Web) and r.off and self._starts.get(r) is node for r in node.results):
            return unconditional(node.operation)
        return node.operation

    def _demand(self) -> None:
        """Guards of nodes that have to wait are to be false, as far as they can be; what makes
        them has to wait, too."""
        changed = True
        while changed:
            changed = False
            for node in self._nodes:
                guard = node.guard
                if not isinstance(guard, Use) or guard.omega or guard.web.off:
                    continue
                if self.must_wait(node) and self._can_be_false(guard.web):
                    guard.web.off = True
                    changed = True

    def _can_be_false(self, web: Web) -> bool:
        """Whether an unconditional compare can start it, and does nothing else with that."""
        start = self._starts[web]
        if web.initial or web is self._condition or unconditional(start.operation) is None:
            return False
        return all(
            r == "p0" or (isinstance(r, Web) and self._starts[r] is start and self._is_free(r))
            for r in start.results
        )

    def _is_free(self, web: Web) -> bool:
        return web.file != "predicate" or (not web.initial and web is not self._condition)

    def _check_condition(self) -> None:
        start = self._starts[self._condition]
        if "unconditional" in start.operation.flags:
            raise NotPipelinedError("its condition is made by an unconditional operation")

    def _check_clearing(self) -> None:
        """What clears its predicates where there is no iteration may have none from before."""
        for node in self._nodes:
            if "unconditional" in node.operation.flags:
                for result in node.results:
                    if isinstance(result, Web) and result.initial and result.file == "predicate":
                        raise NotPipelinedError(
                            "an unconditional operation makes a predicate of the next iteration"
                        )


def _conjunction(guard: Use | str, node: Node, guarded: Guarded) -> Web:
    """A predicate for: a guard is true, and there is an iteration."""
    number = guarded.numbers.get(guard) or _number(guard, node, guarded)
    both = Web(f"both.{len(guarded.nodes)}", "predicate", off=True)
    row = operations()["ia64", "cmp.eq.unc.imm"]
    guarded.nodes.append(Node(row, ("p0", both), (0, number), VALID, True, location=node.location))
    return both


def _number(guard: Use | str, node: Node, guarded: Guarded) -> Use:
    """1 where a guard that the loop writes is true, else 0."""
    flag = Web(f"flag.{len(guarded.nodes)}", "general")
    row = operations()["ia64", "adds"]
    guarded.nodes += [
        Node(row, (flag,), (0, "r0"), None, location=node.location),
        Node(row, (flag,), (1, "r0"), guard, location=node.location),
    ]
    return Use(flag, 0)


def unconditional(operation: Operation) -> Operation | None:
    """The row that clears its predicates under a false guard and else does the same; None if there
    is none."""
    if "unconditional" in operation.flags:
        return operation
    return _unconditional_rows().get((operation.meaning, operation.operands))


@cache
def _unconditional_rows() -> dict[tuple, Operation]:
    rows = operations().family("ia64").values()
    return {(row.meaning, row.operands): row for row in rows if "unconditional" in row.flags}
