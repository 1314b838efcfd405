"""What the host's shortcuts know of an instruction before time starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from machines.threads.spaces import SHARED
from sim.cores.simt.unit import Instruction, Unit
from sim.cores.simt.units import branch, convergence, instructions, load_store
from sim.cores.simt.units.instructions import INSTRUCTION
from sim.cores.simt.units.load_store import ACCESS, PARAMETER, WORD
from sim.cores.simt.units.shortcuts import (
    EVERYTHING,
    FROM_SHARED,
    PATTERNS,
    PREDICATE_WRITTEN,
    SHAPE,
    SHORTCUT,
    WRITE_BITS,
)

VALUELESS = (*branch.KINDS, *convergence.KINDS)
"""Kinds that look at no value but their guard."""


def decode(instruction: Instruction) -> None:
    """Whether an instruction may wait, and what has to be there when it issues."""
    into = instruction.into
    kind, space = into[INSTRUCTION.KIND], into[ACCESS.SPACE]
    registers = instruction.decoded.registers
    guard = PREDICATE_WRITTEN if instruction.guard else 0
    writes = _bits(instruction.destinations, registers)
    if kind == instructions.KINDS.LANES:
        into[SHORTCUT.DEFERS] = bool(writes) and not into[INSTRUCTION.READS_CLOCK]
    elif kind == load_store.KINDS.LOAD:
        is_own = space == SHARED and not instruction.decoded.has_clusters
        into[SHORTCUT.DEFERS] = bool(writes) and (is_own or space == PARAMETER)
        writes |= FROM_SHARED if space == SHARED else 0
    into[SHORTCUT.NEEDS] = EVERYTHING
    if into[SHORTCUT.DEFERS]:
        into[SHORTCUT.WRITES] = writes
        into[SHORTCUT.NEEDS] = guard
        if kind == load_store.KINDS.LOAD and space == SHARED:
            address = _bits(instruction.sources, registers)
            into[SHORTCUT.NEEDS] |= address if into[ACCESS.NARROW_ADDRESS] else EVERYTHING
    elif kind in VALUELESS:
        into[SHORTCUT.NEEDS] = guard


def _bits(entries: Iterable[int], registers: int) -> int:
    """Scoreboard entries as PENDING_WRITES has them; predicates are all one."""
    bits = 0
    for entry in entries:
        own = 1 << entry % WRITE_BITS
        bits |= own if entry < registers else PREDICATE_WRITTEN
    return bits


def give_patterns(decoded: Sequence[Instruction]) -> None:
    """The registers that address words of shared memory have a pattern for each size."""
    patterns: dict[tuple[int, int], int] = {}
    for instruction in decoded:
        addressed = _addressed_words(instruction)
        instruction.into[SHORTCUT.PATTERN] = -1
        if addressed is not None:
            number = patterns.setdefault(addressed, len(patterns))
            instruction.into[SHORTCUT.PATTERN] = number
    spoiled: dict[int, int] = {}
    for (register, _), number in patterns.items():
        spoiled[register] = spoiled.get(register, 0) | 1 << number % PATTERNS
    for instruction in decoded:
        for register in instruction.destinations:
            instruction.into[SHORTCUT.SPOILS] |= spoiled.get(register, 0)


def _addressed_words(instruction: Instruction) -> tuple[int, int] | None:
    """(register that says where, bytes of a lane) of a load or store of whole words in shared
    memory, where a bank is a word wide; None of others, of one that writes that register before it
    is done, and of all where copies go on meanwhile, as it is to be asked whether they have come,
    or other blocks of a cluster may write there.
    """
    into, machine = instruction.into, instruction.decoded.machine
    words = into[ACCESS.BYTES] * into[ACCESS.ELEMENTS] // WORD
    is_shared = into[INSTRUCTION.KIND] in LOADS_AND_STORES and into[ACCESS.SPACE] == SHARED
    is_simple = machine.memory.shared.bank_width == WORD
    is_word = is_shared and is_simple and into[ACCESS.NARROW_ADDRESS]
    decoded = instruction.decoded
    asked = decoded.has_copies or decoded.has_clusters
    if asked or not is_word or into[ACCESS.BYTES] < WORD:
        return None
    register = instruction.values[into[ACCESS.ADDRESS]]
    written = instruction.destinations
    if register < 0 or (words > 1 and register in written):
        return None
    return register, int(words) * WORD


LOADS_AND_STORES = load_store.KINDS.LOAD, load_store.KINDS.STORE


def shape_of(instruction: Instruction) -> int:
    """Whether an instruction is a plain one."""
    into = instruction.into
    by_control_bits = instruction.decoded.machine.dependences.kind == "control_bits"
    rare = instruction.guard or into[INSTRUCTION.BEGINS_BLOCK] or into[INSTRUCTION.SLOTS] != 1
    if by_control_bits or rare or not into[SHORTCUT.DEFERS]:
        return SHAPE.ANY
    if into[INSTRUCTION.KIND] == instructions.KINDS.LANES:
        return SHAPE.PLAIN_LANES
    if into[ACCESS.SPACE] == PARAMETER:
        return SHAPE.PLAIN_PARAMETER
    return SHAPE.PLAIN_WORDS if into[SHORTCUT.PATTERN] >= 0 else SHAPE.ANY


UNIT = Unit("shortcuts", decode=decode)
