"""Remove stores whose absence changes nothing that the program computes.

    store.i32 p, x                           (dead: written again)
    y = add.i32 x, 1                         y = add.i32 x, 1
    store.i32 p, y                     ->    store.i32 p, y
    z = load.i32 q                           z = load.i32 q
    store.i32 q, z                           (q holds z already)
    tensor.fill.f32 a[0:8], 0.0              (dead: the next two write all of it)
    tensor.fill.f32 a[0:4], 1.0              tensor.fill.f32 a[0:4], 1.0
    tensor.copy.f32 a[4:8], b[0:4]           tensor.copy.f32 a[4:8], b[0:4]

*Dead*: every byte is written again on every path before anything may read it, before anything may
fault (a fault shows memory) and before the function returns (all buffers are seen then); and the
store itself cannot fault.  *The value is there already*: on every path the same value was last
stored to or loaded from the same address.

Both are fixpoints over bit sets: backward, of the bytes that will certainly be overwritten unseen;
forward, of the values that memory certainly holds.  Knoop, Rüthing, Steffen, *Partial Dead Code
Elimination*, 1994, calls the first one deadness.  For functions in SSA form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.addresses import Addresses, Footprint, addresses
from compiler.analyses.memory.footprint_index import FootprintIndex
from compiler.analyses.safe_accesses import SafeAccesses, safe_accesses
from compiler.analyses.values.affine import Atom, Polynomial
from compiler.ir.builder import Builder
from compiler.ir.effects import keeps_order
from compiler.ir.module import Block, Function, Instruction
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


def remove_stores_of_known_values(function: Function, changes: Changes) -> None:
    """Remove the stores that write what is there already."""
    values = _KnownValues(function)
    builder = Builder(function)
    for name, known in values.at_heads().items():
        block, kept = function.blocks[name], []
        for instruction in block.instructions:
            if instruction.operation.stores and known & values.bit(instruction):
                changes.note("store removed", instruction, "the value is there already")
                continue
            known = values.after(instruction, known)
            kept.append(instruction)
        if len(kept) < len(block.instructions):
            builder.set_instructions(block, kept)


class _KnownValues:
    """Facts of the form "memory holds this value at this address", a bit each."""

    def __init__(self, function: Function):
        self._function = function
        self._where = addresses(function)
        self._flow = control_flow(function)
        self._bits: dict[tuple, int] = {}
        footprints = []
        for _, instruction in _reached(function):
            fact = self._fact(instruction) if instruction.operation.stores else None
            if fact is not None and fact not in self._bits:
                self._bits[fact] = 1 << len(footprints)
                footprints.append(self._where.accessed(instruction))
        self._index = FootprintIndex(footprints)

    def _fact(self, instruction: Instruction) -> tuple | None:
        """What a scalar access makes true, as (address, store, value).

        Not the load of a float: a NaN is stored with other bits than it may have in memory.
        """
        row = instruction.operation
        if row.access is None or row.orders_memory:
            return None
        footprint = self._where.accessed(instruction)
        address = footprint.base, footprint.offset
        if row.stores:
            return *address, row.name, repr(instruction.operands[1])
        if row.writes[0].kind.is_float:
            return None
        return *address, row.name.replace("load", "store"), repr(instruction.results[0])

    def bit(self, instruction: Instruction) -> int:
        """The fact about a scalar access, 0 if no store needs it."""
        return self._bits.get(self._fact(instruction), 0)

    def after(self, instruction: Instruction, known: int) -> int:
        """The facts that hold after an instruction, of those before it."""
        for footprint in self._where.touched(instruction).stores:
            known &= ~self._index.meeting(footprint)
        if instruction.guard is None:
            known |= self.bit(instruction)
        return known

    def at_heads(self) -> dict[str, int]:
        """The facts that hold at the head of every reached block.

        As everywhere in SSA form a fact about names is about the values they have now.
        """
        order = self._flow.reverse_postorder
        everything = (1 << len(self._bits)) - 1
        kept, own = {}, {}
        for name in order:
            kept[name], own[name] = everything, 0
            for instruction in self._function.blocks[name].instructions:
                kept[name] = self.after(instruction, kept[name])
                own[name] = self.after(instruction, own[name])
        at_head = dict.fromkeys(order, everything)
        changed = True
        while changed:
            changed = False
            for name in order:
                known = 0 if name == order[0] else everything
                for source in self._flow.predecessors[name]:
                    if source in at_head:
                        known &= own[source] | at_head[source] & kept[source]
                changed |= known != at_head[name]
                at_head[name] = known
        return at_head


def remove_overwritten_stores(function: Function, changes: Changes) -> None:
    """Remove the stores whose bytes are written again before anyone can see them."""
    deadness = _Deadness(function)
    safe = safe_accesses(function)
    builder = Builder(function)
    for name, dead in deadness.at_ends().items():
        block, kept = function.blocks[name], []
        seers: list[tuple[int, Instruction]] = []
        notes: list[tuple[str, Instruction, str]] = []
        for instruction in reversed(block.instructions):
            if instruction.operation.stores:
                seen = deadness.seen(instruction, dead)
                if not seen and safe.is_safe(instruction) and not keeps_order(instruction):
                    why = "it is written again before anything reads it"
                    notes.append(("store removed", instruction, why))
                    continue
                notes.append(("store kept", instruction, _why_kept(seen, seers, safe)))
            gained, lost = deadness.effect(instruction)
            dead = (dead | gained) & ~lost
            if lost:
                seers.append((lost, instruction))
            kept.append(instruction)
        if len(kept) < len(block.instructions):
            builder.set_instructions(block, reversed(kept))
        for note in reversed(notes):
            changes.note(*note)


def _why_kept(seen: int, seers: list[tuple[int, Instruction]], safe: SafeAccesses) -> str:
    """Why a store stays whose bytes `seen` may be seen; `seers` are later, the last one first."""
    if not seen:
        return "it may fault"
    for lost, instruction in reversed(seers):
        if lost & seen:
            location = instruction.location
            what = f"{instruction.operation}{f' at line {location.line}' if location else ''}"
            if not safe.is_safe(instruction):
                return f"{what} may fault, which would show it"
            return f"{what} may {'read it' if instruction.operation.loads else 'move its address'}"
    return "not every way from here writes it again"


class _Deadness:
    """Bytes that stores write, cut where a store begins or ends, a bit each."""

    def __init__(self, function: Function):
        self._function = function
        self._where = addresses(function)
        self._safe = safe_accesses(function)
        self._flow = control_flow(function)
        parts = list(_parts(function, self._where))
        self._index = FootprintIndex(parts)
        self._everything = (1 << len(parts)) - 1
        self._about: dict[Atom, int] = {}
        for number, part in enumerate(parts):
            for name in part.base.atoms:
                self._about[name] = self._about.get(name, 0) | 1 << number

    def seen(self, store: Instruction, dead: int) -> int:
        """The bytes of a store that may be seen although these are dead.

        It is enough that all bytes are dead among which those are that it writes.
        """
        found = 0
        for footprint in self._where.touched(store).stores:
            own = self._index.parts(footprint) if footprint.base else self._everything
            around = footprint.extent
            if around is None or self._index.parts(around.footprint) & ~dead:
                found |= own & ~dead
        return found

    def effect(self, instruction: Instruction) -> tuple[int, int]:
        """Bytes that an instruction certainly writes, and those of which it ends the deadness.

        It ends that of what it may read, of everything if it may fault, and of addresses that it
        changes: before it they are others.
        """
        if not self._safe.is_safe(instruction):
            return 0, self._everything
        touched = self._where.touched(instruction)
        gained = lost = 0
        if instruction.guard is None and not keeps_order(instruction):
            for footprint in touched.stores:
                gained |= self._index.inside(footprint) if footprint.base else 0
        for footprint in touched.loads:
            lost |= self._index.meeting(footprint)
        for name in instruction.results:
            lost |= self._about.get(name, 0)
        return gained, lost

    def at_ends(self) -> dict[str, int]:
        """The bytes that are dead at the end of every reached block.

        Where no way leads to a return, memory is seen whenever somebody looks: nothing is dead.
        """
        order = self._flow.reverse_postorder
        gained, lost = {}, {}
        for name in order:
            gained[name] = lost[name] = 0
            for instruction in reversed(self._function.blocks[name].instructions):
                gains, losses = self.effect(instruction)
                gained[name] = (gained[name] | gains) & ~losses
                lost[name] |= losses
        returning = self._returning()
        at_head = {name: self._everything if name in returning else 0 for name in order}
        at_end = {}
        changed = True
        while changed:
            changed = False
            for name in reversed(order):
                targets = self._flow.successors[name]
                dead = self._everything if targets else 0
                for target in targets:
                    dead &= at_head[target]
                at_end[name] = dead
                dead = gained[name] | dead & ~lost[name]
                if name in returning and dead != at_head[name]:
                    at_head[name], changed = dead, True
        return {name: at_end[name] for name in order}

    def _returning(self) -> set[str]:
        """The blocks from which a return can be reached."""
        found = [n for n in self._flow.reverse_postorder if not self._flow.successors[n]]
        seen = set(found)
        for name in found:
            for source in self._flow.predecessors[name]:
                if source not in seen:
                    seen.add(source)
                    found.append(source)
        return seen


def _parts(function: Function, where: Addresses) -> Iterator[Footprint]:
    """What the stores of a function write, as footprints of which none lies across another."""
    starts: dict[Polynomial, dict[int, None]] = {}
    for _, instruction in _reached(function):
        for footprint in where.touched(instruction).stores:
            around = footprint.extent
            for one in (footprint, around.footprint) if around else (footprint,):
                if one.base is not None:
                    cuts = starts.setdefault(one.base, {})
                    cuts |= dict.fromkeys((one.offset, one.offset + one.size))
    for base, cuts in starts.items():
        ordered = sorted(cuts)
        for start, end in pairwise(ordered):
            yield where.footprint(base, start, end - start)


def _reached(function: Function) -> Iterator[tuple[Block, Instruction]]:
    for name in control_flow(function).reverse_postorder:
        block = function.blocks[name]
        for instruction in block.instructions:
            yield block, instruction


@dataclass(frozen=True, slots=True)
class DeadStoreOptions:
    known_values: bool = option(True, "Also remove stores of the value that is there already.")


def run(function: Function, machine: Machine, options: DeadStoreOptions) -> Changes:
    changes = Changes()
    if options.known_values:
        remove_stores_of_known_values(function, changes)
    remove_overwritten_stores(function, changes)
    return changes


PLUGIN = Pass(
    "remove_dead_stores",
    "Remove stores that are overwritten unseen, or that store what is there already.",
    run,
    forms={"ssa": "ssa"},
    options=DeadStoreOptions,
)
