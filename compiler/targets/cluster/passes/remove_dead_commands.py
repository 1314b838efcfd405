"""Remove commands of which nobody reads what they write.

    tensor.fill.f32 a[0:64], 0.0            (dead: overwritten unread)
    tensor.copy.f32 a[0:64], x[0:64]        tensor.copy.f32 a[0:64], x[0:64]
    tensor.exp.f32 b[0:64], a[0:64]   ->    (dead: only the next one reads it)
    tensor.add.f32 c[0:64], c[0:64], b[0:64]    (dead: only its own next turn reads it)
    tensor.copy.f32 y[0:64], a[0:64]        tensor.copy.f32 y[0:64], a[0:64]

Scratchpads are gone when a program ends, and when it faults: what is seen of it is DRAM.  Needed is
therefore what writes DRAM, what is sent (to a core that may not be there), what decides where the
program goes on, what may fault, and whatever something needed reads: by name, or through memory as
`compiler.analyses.memory_conflicts` says.  Mark and sweep, as in `remove_dead_code`, with marks
that go through memory as well.  Where cores meet, the others may read what they share.

A command whose bounds only the run knows may fault, and stays, unless the same one has succeeded on
every way to it.  One that the machine cannot do at all is a mistake, and refused while it is there.
For functions in SSA form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from compiler.analyses.def_use import def_use
from compiler.analyses.memory.descriptors import Access
from compiler.analyses.memory_conflicts import overwritten_by, readers_of
from compiler.analyses.safe_accesses import safe_accesses
from compiler.interpret.tensors import candidates
from compiler.ir.builder import Builder
from compiler.ir.effects import counts_commands, keeps_order
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.refusals import refuse
from compiler.targets.cluster.scratchpads import SCRATCHPADS
from compiler.targets.cluster.shared_buffers import (
    is_barrier,
    is_wait,
    shared_by,
)
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions.cluster_control import is_send


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    changes = Changes()
    refuse(function, machine.description)
    if counts_commands(function):
        return changes
    needs = _Needs(function)
    needed = needs.closure(i for _, i in function.instructions() if needs.has_effect(i))
    _note_removed(function, needed, needs, changes)
    _note_kept(needed, needs, changes)
    builder = Builder(function)
    for block in function.blocks.values():
        kept = [i for i in block.instructions if i in needed]
        if len(kept) < len(block.instructions):
            builder.set_instructions(block, kept)
    builder.forget_unused_types()
    return changes


class _Needs:
    """What every instruction needs, and what is needed whoever reads it."""

    def __init__(self, function: Function):
        self.function = function
        self.definition = def_use(function).definition
        self.safe = safe_accesses(function)
        self.read_by_others = shared_by(function).read
        self._stores: dict[Instruction, list[Instruction]] = {}
        self._readers: dict[Instruction, list[Instruction]] = {}
        # What is seen anyway is needed whoever reads it.
        unseen = readers_of(function, lambda one: not self.is_seen(one), self._may_read)
        for store, load in unseen:
            if self._reads(load.instruction, store):
                self._stores.setdefault(load.instruction, []).append(store.instruction)
                self._readers.setdefault(store.instruction, []).append(load.instruction)

    def has_effect(self, instruction: Instruction) -> bool:
        return self.is_seen(instruction) or not self.safe.is_safe(instruction)

    def is_seen(self, instruction: Instruction) -> bool:
        """Whether it does more than to give results and write scratchpads of its core."""
        row = instruction.operation
        if row.control or keeps_order(instruction) or is_send(row):
            return True
        if row.walk is None:
            return row.stores
        return not all(
            self.function.buffers[one.buffer].space in SCRATCHPADS
            for kind, interval in instruction.intervals
            if kind.access == "store"
            for one in candidates(interval)
        )

    def closure(self, seen: Iterable[Instruction]) -> set[Instruction]:
        """These instructions, and those that they need."""
        pending = list(seen)
        needed = set(pending)
        while pending:
            for maker in self.of(pending.pop()):
                if maker not in needed:
                    needed.add(maker)
                    pending.append(maker)
        return needed

    def of(self, instruction: Instruction) -> Iterator[Instruction]:
        """Who gives an instruction what it reads."""
        for name in instruction.variables_read:
            _, made = self.definition.get(name, (None, None))
            if made is not None:
                yield made
        yield from self._stores.get(instruction, ())

    def readers(self, instruction: Instruction) -> Sequence[Instruction]:
        """Who may read what an instruction writes that is not seen."""
        return self._readers.get(instruction, ())

    def _may_read(self, reader: Instruction) -> bool:
        """Of what may read anything by its row: at a wait nobody reads, at a barrier others read
        what they share."""
        return not is_wait(reader) and (not is_barrier(reader) or bool(self.read_by_others))

    def _reads(self, reader: Instruction, store: Access) -> bool:
        if not is_barrier(reader) or store.instruction.operation.walk is None:
            return True
        interval = store.instruction.operands[store.position]
        return any(one.buffer in self.read_by_others for one in candidates(interval))


# Remarks


def _note_removed(
    function: Function, needed: set[Instruction], needs: _Needs, changes: Changes
) -> None:
    dead = [i for _, i in function.instructions() if i not in needed]
    over = _written_over(function, {i for i in dead if i.operation.walk})
    for one in dead:
        what = "command removed" if one.operation.walk else "operation removed"
        changes.note(what, one, _why_dead(one, needs, over))


def _why_dead(
    one: Instruction, needs: _Needs, over: Mapping[Instruction, list[Instruction]]
) -> str:
    if one.results:
        return f"nothing needs '{one.results[0]}'"
    readers = [*needs.readers(one)]
    if readers:
        return f"nothing needs what reads it: {_named(readers)}"
    if one in over:
        return f"nothing reads it before it is overwritten: {_named(over[one])}"
    return "nothing reads it"


def _written_over(
    function: Function, dead: Collection[Instruction]
) -> dict[Instruction, list[Instruction]]:
    """By whom something that a command has written may be overwritten."""
    found: dict[Instruction, list[Instruction]] = {}
    if dead:
        for earlier, later in overwritten_by(function, dead.__contains__):
            if later.instruction.operation.walk:
                found.setdefault(earlier.instruction, []).append(later.instruction)
    return found


def _note_kept(needed: set[Instruction], needs: _Needs, changes: Changes) -> None:
    for _, command in needs.function.instructions():
        if needs.is_seen(command) or needs.safe.is_safe(command) or not command.operation.stores:
            continue
        if needed.isdisjoint(needs.readers(command)):
            changes.note("command kept", command, "nothing reads it, but it may fault")


def _named(commands: Iterable[Instruction]) -> str:
    return ", ".join(
        f"{c.operation}{f' in line {c.location.line}' if c.location else ''}"
        for c in dict.fromkeys(commands)
    )


PLUGIN = Pass(
    "remove_dead_commands",
    "Remove commands of which nobody reads what they write to scratchpads.",
    run,
    forms={"ssa": "ssa"},
    kinds=("cluster",),
)
