"""Which stores a load may read from: dependences through memory, of tensor and scalar operations.

    1  tensor.fill.i8 a[0:32], 0
    2  tensor.fill.i8 a[0:16], 1
    3  s = tensor.sum.i8 a[8:24]      uses 1 (bytes 16 … 23) and 2 (bytes 8 … 15)

Every point of a function has a *record* for each memory descriptor that has been defined: the
defining instructions and the *kill set*, the intervals that later ones have overwritten.  Records
are carried through the blocks and joined where ways meet, until none changes.

After the Chinese patent application "Method for computing data dependence in a program and
computer-readable storage medium", 2021.  Its own rules are `compiler.analyses.memory.seed_rules`,
which can miss a dependence; the rules that miss none are `compiler.analyses.memory.sound_rules`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby, pairwise
from operator import itemgetter

from compiler.analyses.cache import cached_by_version, collector_paused
from compiler.analyses.control_flow import ControlFlow, control_flow, reverse_postorder
from compiler.analyses.jitted import Integers
from compiler.analyses.loops import loops
from compiler.analyses.memory.block_numbers import block_numbers
from compiler.analyses.memory.descriptors import Access, MemoryAccesses, memory_accesses
from compiler.analyses.memory.seed_rules import SeedRecord, SeedRules
from compiler.analyses.memory.sound_rules import SoundRecord, SoundRules
from compiler.ir.module import Function, Instruction
from machines.diagnostics import input_error, nearest

CHOICES = {
    "rules": ("sound", "seed"),
    "variant": ("precise", "fast"),
    "order": ("reverse_postorder", "postorder", "preorder", "inorder"),
    "indirect": ("uncovered", "all"),
}
"""What every option may be, its default first."""


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """How dependences are found.

    rules     'sound' misses none; 'seed' follows the patent to the letter
    variant   of 'seed': 'precise' asks whether what a use shares with a definition is killed
              (figure 4), 'fast' does not (figure 5)
    order     in which the blocks are visited; it changes the number of rounds, and sometimes what
              'seed' finds: only its default is the answer of 'seed'
    indirect  of 'seed': an access with several candidates defines those that no other one covers
              and that have no record yet ('uncovered'), or 'all'

    None is the default.  Raises InputError for any other value, and for an option of 'seed' with
    'sound'.
    """

    rules: str = "sound"
    variant: str | None = None
    order: str = "reverse_postorder"
    indirect: str | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value, choices = getattr(self, field.name), CHOICES[field.name]
            if value is None:
                continue
            if value not in choices:
                message = f"memory dependence has no {field.name} '{value}'"
                raise input_error(message, hint=nearest(value, choices))
            of_seed = field.name in ("variant", "indirect")
            if of_seed and self.rules != "seed":
                message = f"{field.name} '{value}' belongs to the rules 'seed'"
                raise input_error(message, hint="choose the rules 'seed' as well")


class MemoryDependence:
    """The result for one function.

    memory               its descriptors and accesses
    store_first, stores  of every access the stores it may read from, by their numbers: those of
                         access k are `stores[store_first[k]:store_first[k + 1]]`, in layout order;
                         a load in a block that the entry does not reach reads from none
    load_first, loads    the other way round: of every access the loads that may read from it
    rounds               of `sound` how often the block was visited that was visited most often, of
                         `seed` the passes over the blocks that had something to do
    """

    def __init__(self, function: Function, options: MemoryOptions):
        with collector_paused():
            self.memory = memory_accesses(function)
            self._rules = rules_for(function, self.memory, options)
            self.store_first, self.stores, self.load_first, self.loads, self.rounds = (
                self._rules.dependences()
            )

    @cached_property
    def definitions(self) -> dict[Access, tuple[Access, ...]]:
        """Of every load the stores it may read from."""
        return self._partners("load", self.store_first, self.stores)

    @cached_property
    def uses(self) -> dict[Access, tuple[Access, ...]]:
        """Of every store the loads that may read from it."""
        return self._partners("store", self.load_first, self.loads)

    def _partners(
        self, kind: str, first: Integers, others: Integers
    ) -> dict[Access, tuple[Access, ...]]:
        accesses = self.memory.accesses
        with collector_paused():
            found = [accesses[number] for number in others]
            return {
                access: tuple(found[begin:end])
                for access, (begin, end) in zip(accesses, pairwise(first), strict=True)
                if access.kind == kind
            }

    @cached_property
    def accesses_of(self) -> dict[Instruction, tuple[Access, ...]]:
        """What every instruction that touches memory loads and stores."""
        found: dict[Instruction, tuple[Access, ...]] = {}
        for access in self.memory.accesses:
            found[access.instruction] = (*found.get(access.instruction, ()), access)
        return found

    def records(self) -> Iterator[tuple[Instruction, list[SeedRecord] | list[SoundRecord]]]:
        """The records after every instruction of a reached block that touches memory, in layout
        order; they are found anew."""
        accesses = self.memory.accesses
        behind = ((accesses[number].instruction, state) for number, state in self._rules.states())
        for instruction, states in groupby(behind, key=itemgetter(0)):
            *_, (_, last) = states
            yield instruction, self._rules.records(last)


@cached_by_version
def memory_dependence(function: Function) -> MemoryDependence:
    """The dependences of a verified function, in variable or SSA form, that miss none."""
    return MemoryDependence(function, MemoryOptions())


def rules_for(
    function: Function, memory: MemoryAccesses, options: MemoryOptions
) -> SoundRules | SeedRules:
    """The rules over the accesses of a function, or over accesses that say the same in other parts
    (`compiler.analyses.memory_conflicts`)."""
    order = visiting_order(function, options.order)
    blocks = block_numbers(function, memory, order, options.order == "reverse_postorder")
    if options.rules == "sound":
        return SoundRules(memory, blocks)
    fast, everyone = options.variant == "fast", options.indirect == "all"
    return SeedRules(function, memory, blocks, fast=fast, all_candidates=everyone)


def visiting_order(function: Function, order: str) -> tuple[str, ...]:
    """The reached blocks in the order in which they are visited.

    Successors deep in loops come first in reverse post-order, so that a loop stands before what
    follows it; of equally deep ones the first that the terminator names.
    """
    flow, depth = control_flow(function), loops(function).depth
    if order == "preorder":
        return _preorder(function.entry.name, flow)
    if order == "inorder":
        return _inorder(function.entry.name, flow)
    successors = {
        name: tuple(sorted(flow.successors[name], key=lambda target: -depth[target]))
        for name in flow.reverse_postorder
    }
    found = reverse_postorder(function.entry.name, successors)
    return found if order == "reverse_postorder" else found[::-1]


def _preorder(entry: str, flow: ControlFlow) -> tuple[str, ...]:
    found: dict[str, None] = {}
    pending = [entry]
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = None
            pending += reversed(flow.successors[name])
    return tuple(found)


def _inorder(entry: str, flow: ControlFlow) -> tuple[str, ...]:
    """Depth first: what is behind a block's first successor, the block, what is behind the rest."""
    found: dict[str, None] = {}
    seen = {entry}
    path = [(entry, iter(flow.successors[entry]))]
    while path:
        name, pending = path[-1]
        target = next((target for target in pending if target not in seen), None)
        if target is not None:
            seen.add(target)
            path.append((target, iter(flow.successors[target])))
            continue
        path.pop()
        found.setdefault(name)
        if path:
            found.setdefault(path[-1][0])
    return tuple(found)
