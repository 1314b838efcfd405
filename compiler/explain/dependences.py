"""Memory dependences as plain data: the view `dependences` of `simrun explain`.

    6  tensor.fill.i8 a[0:32], 1       line 6 defines a[0,31], which lines 7 and 9 use
    7  s2 = tensor.sum.i8 a[0:32]  ->  line 7 uses a[0,31], which line 6 defines
    …                                  after line 8: a[0,31] of line 6, of which [0,15] is killed

Lines are those of the source; compiler/analyses/README.md says how it looks as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compiler.analyses.memory.descriptors import Access, MemoryDescriptor
from compiler.analyses.memory.intervals import Intervals
from compiler.analyses.memory.seed_rules import SeedRecord
from compiler.analyses.memory.sound_rules import SoundRecord
from compiler.analyses.memory_dependence import MemoryDependence, MemoryOptions
from compiler.ir.module import Function, Instruction
from compiler.ir.printer import print_instruction

Line = int | None
"""Of the source; None for an instruction that has no place there."""


@dataclass(frozen=True, slots=True)
class AccessFacts:
    """A memory operand.

    kind        'use' or 'def'
    descriptor  what it names
    lines       of the definitions it may read, or of the uses that may read it, each once
    others      those accesses' statements
    """

    kind: str
    descriptor: str
    lines: list[Line]
    others: list[int]


@dataclass(frozen=True, slots=True)
class SharedKill:
    """A record of 'seed': one kill set, of bytes of the descriptor's variable, and a flag."""

    descriptor: str
    defs: list[Line]
    kill: list[list[int]]
    is_kill: bool


@dataclass(frozen=True, slots=True)
class SeparateKills:
    """A record of 'sound': a kill set for every definition."""

    descriptor: str
    defs: list[Line]
    kills: list[list[list[int]]]


@dataclass(frozen=True, slots=True)
class Statement:
    """An instruction that touches memory; `records` is None where the entry never comes."""

    number: int
    line: Line
    text: str
    accesses: list[AccessFacts]
    records: list[SharedKill] | list[SeparateKills] | None


@dataclass(frozen=True, slots=True)
class DependenceFacts:
    """What memory dependence found in a function."""

    function: str
    rounds: int
    with_records: bool
    statements: list[Statement]


def dependence_facts(
    function: Function, options: MemoryOptions, with_records: bool
) -> DependenceFacts:
    """The dependences of a function; records are looked for only where they are asked for."""
    found = MemoryDependence(function, options)
    numbers = {instruction: n for n, instruction in enumerate(found.accesses_of, 1)}
    records = dict(found.records()) if with_records else {}
    accesses = found.memory.accesses

    def facts(access: Access) -> AccessFacts:
        is_use = access.kind == "load"
        others = found.definitions[access] if is_use else found.uses[access]
        statements = dict.fromkeys(numbers[other.instruction] for other in others)
        return AccessFacts(
            "use" if is_use else "def",
            access.text,
            list(dict.fromkeys(_line(other.instruction) for other in others)),
            list(statements),
        )

    statements = [
        Statement(
            numbers[instruction],
            _line(instruction),
            print_instruction(instruction),
            [facts(access) for access in some],
            [_record(one, accesses) for one in records[instruction]]
            if instruction in records
            else None,
        )
        for instruction, some in found.accesses_of.items()
    ]
    return DependenceFacts(function.name, found.rounds, with_records, statements)


def _record(
    record: tuple[MemoryDescriptor, SeedRecord] | SoundRecord, accesses: Sequence[Access]
) -> SharedKill | SeparateKills:
    if isinstance(record, SoundRecord):
        lines = [_line(accesses[one.access].instruction) for one in record.definitions]
        kills = [_bytes(record.descriptor, one.kill) for one in record.definitions]
        return SeparateKills(record.descriptor.text, lines, kills)
    descriptor, found = record
    lines = list(dict.fromkeys(_line(accesses[n].instruction) for n in found.definitions))
    return SharedKill(descriptor.text, lines, _bytes(descriptor, found.kill), found.is_kill)


def _bytes(descriptor: MemoryDescriptor, intervals: Intervals) -> list[list[int]]:
    """Intervals of the line of all variables as intervals of the descriptor's."""
    return [[low - descriptor.base, high - descriptor.base] for low, high in intervals]


def _line(instruction: Instruction) -> Line:
    return instruction.location.line if instruction.location else None
