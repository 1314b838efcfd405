"""Which stores a load may read from: dependences through memory, of tensor and scalar operations.

    1  tensor.fill.i8 a[0:32], 0
    2  tensor.fill.i8 a[0:16], 1
    3  s = tensor.sum.i8 a[8:24]      uses 1 (bytes 16 … 23) and 2 (bytes 8 … 15)

Every point of a function has a *record* for each memory descriptor that has been defined: the
defining instructions and the *kill set*, the intervals that later ones have overwritten.  Records
are carried through the blocks and joined where ways meet, until none changes.

After the Chinese patent application "Method for computing data dependence in a program and
computer-readable storage medium", 2021.  Its own rules are `compiler.analyses.seed_rules`, which
can miss a dependence; the rules that miss none are `compiler.analyses.sound_rules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import ControlFlow, control_flow
from compiler.analyses.descriptors import Access, MemoryAccesses, memory_accesses
from compiler.analyses.dominators import dominators
from compiler.analyses.seed_rules import SeedRules
from compiler.analyses.sound_rules import SoundRules
from compiler.ir.module import Function, Instruction
from machines.diagnostics import input_error, nearest

CHOICES = {
    "rules": ("sound", "seed"),
    "variant": ("precise", "fast"),
    "order": ("reverse_postorder", "postorder", "preorder"),
    "indirect": ("uncovered", "all"),
}
"""What every option may be, its default first."""
ROUNDS_PER_BLOCK = 8
"""The records of 'seed' that have not settled after so many rounds for every block never will."""


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """How dependences are found.

    rules     'sound' misses none; 'seed' follows the patent to the letter
    variant   of 'seed': 'precise' asks whether what a use shares with a definition is killed
              (figure 4), 'fast' does not (figure 5)
    order     in which the blocks are visited; it changes the number of rounds
    indirect  of 'seed': an access with several candidates defines those that no other one covers
              and that have no record yet ('uncovered'), or 'all'

    Raises InputError for any other value, and for an option of 'seed' with 'sound'.
    """

    rules: str = "sound"
    variant: str = "precise"
    order: str = "reverse_postorder"
    indirect: str = "uncovered"

    def __post_init__(self) -> None:
        for field in fields(self):
            value, choices = getattr(self, field.name), CHOICES[field.name]
            if value not in choices:
                message = f"there are no {field.name} '{value}' of memory dependence"
                raise input_error(message, hint=nearest(value, choices))
            of_seed = field.name in ("variant", "indirect")
            if of_seed and self.rules != "seed" and value != field.default:
                message = f"{field.name} '{value}' belongs to the rules 'seed'"
                raise input_error(message, hint="choose the rules 'seed' as well")


class MemoryDependence:
    """The result for one function.

    memory       its descriptors and accesses
    definitions  of every load the stores it may read from, in layout order; a load in a block that
                 the entry does not reach reads from none
    uses         the other way round: of every store the loads that may read from it
    rounds       how often the blocks were gone through until no record changed
    """

    def __init__(self, function: Function, options: MemoryOptions):
        self.options = options
        self.memory = memory_accesses(function)
        self._function = function
        self._rules = _rules(self.memory, options)
        self._incoming, self.rounds = _settle(function, self.memory, self._rules, options.order)
        self.definitions: dict[Access, tuple[Access, ...]] = {
            a: () for a in self.memory.accesses if a.kind == "load"
        }
        for block, state in self._incoming.items():
            self._find_definitions(block, state)

    def _find_definitions(self, block: str, state: Any) -> None:
        rules, accesses = self._rules, self.memory.accesses
        for access in self.memory.of_block[block]:
            if access.kind == "load":
                found = rules.reaching(state, access)
                self.definitions[access] = tuple([accesses[number] for number in found])
            else:
                state = rules.define(state, access)

    @cached_property
    def uses(self) -> dict[Access, tuple[Access, ...]]:
        found: dict[Access, list[Access]] = {
            a: [] for a in self.memory.accesses if a.kind == "store"
        }
        for use, definitions in self.definitions.items():
            for definition in definitions:
                found[definition].append(use)
        return {definition: tuple(uses) for definition, uses in found.items()}

    @cached_property
    def accesses_of(self) -> dict[Instruction, tuple[Access, ...]]:
        """What every instruction that touches memory loads and stores."""
        found: dict[Instruction, tuple[Access, ...]] = {}
        for access in self.memory.accesses:
            found[access.instruction] = (*found.get(access.instruction, ()), access)
        return found

    def records(self) -> Iterator[tuple[Instruction, list[Any]]]:
        """The records after every instruction of a reached block that touches memory, in layout
        order: those of the rules that were asked for."""
        for block in self._function.blocks:
            state = self._incoming.get(block)
            accesses = self.memory.of_block[block] if block in self._incoming else ()
            for place, access in enumerate(accesses, 1):
                if access.kind == "store":
                    state = self._rules.define(state, access)
                if place == len(accesses) or accesses[place].index != access.index:
                    yield access.instruction, self._rules.records(state)


@cached_by_version
def memory_dependence(function: Function) -> MemoryDependence:
    """The dependences of a verified function, in variable or SSA form, that miss none."""
    return MemoryDependence(function, MemoryOptions())


Rules = SoundRules | SeedRules


def _rules(memory: MemoryAccesses, options: MemoryOptions) -> Rules:
    if options.rules == "sound":
        return SoundRules(memory)
    fast, everyone = options.variant == "fast", options.indirect == "all"
    return SeedRules(memory, fast=fast, all_candidates=everyone)


def _settle(
    function: Function, memory: MemoryAccesses, rules: Rules, order: str
) -> tuple[dict[str, Any], int]:
    """The state at the head of every reached block, and the rounds it took.

    In a round a block is visited if anything has changed behind one of its predecessors.
    """
    flow = control_flow(function)
    stores = {
        name: [access for access in memory.of_block[name] if access.kind == "store"]
        for name in flow.reverse_postorder
    }

    def after(block: str, state: Any) -> Any:
        for access in stores[block]:
            state = rules.define(state, access)
        return state

    incoming: dict[str, Any] = {}
    outgoing: dict[str, Any] = {}
    if rules.begins_at_dominators:
        above = dominators(function).parent
        for name in flow.reverse_postorder:
            incoming[name] = outgoing[above[name]] if name in above else rules.empty
            outgoing[name] = after(name, incoming[name])
    rounds, waiting = 0, set(flow.reverse_postorder)
    blocks = _ordered(function, flow, order)
    while waiting:
        rounds += 1
        if rounds > ROUNDS_PER_BLOCK * len(blocks) + ROUNDS_PER_BLOCK:
            raise _never_settles(function, order)
        for name in blocks:
            if name not in waiting:
                continue
            waiting.remove(name)
            known = [outgoing[p] for p in flow.predecessors[name] if p in outgoing]
            state = rules.join(incoming.get(name, rules.empty), known)
            if name not in outgoing or not rules.same(state, incoming[name]):
                incoming[name], outgoing[name] = state, after(name, state)
                waiting.update(flow.successors[name])
    return incoming, rounds


def _never_settles(function: Function, order: str) -> Exception:
    message = f"the records of @{function.name} by the rules 'seed' never settle in {order}"
    hint = "choose the order 'reverse_postorder' or the rules 'sound'"
    return input_error(message, function.location, hint=hint)


def _ordered(function: Function, flow: ControlFlow, order: str) -> tuple[str, ...]:
    """The reached blocks in the order they are visited."""
    if order == "preorder":
        return _preorder(function.entry.name, flow)
    backwards = order == "postorder"
    return flow.reverse_postorder[::-1] if backwards else flow.reverse_postorder


def _preorder(entry: str, flow: ControlFlow) -> tuple[str, ...]:
    found: dict[str, None] = {}
    pending = [entry]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = None
            pending += reversed(flow.successors[name])
    return tuple(found)
