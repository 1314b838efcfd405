"""View `dependences`: who wrote what a read of memory sees.

line  instruction                      descriptor  defs  uses  records after
   8  tensor.fill.i8 a[0:16], 2   def  a[0,15]           9     a[0,31]: {6} kill {[0,15]}
                                                               a[0,15]: {8} kill {}
   9  s4 = tensor.sum.i8 a[0:32]  use  a[0,31]     6 8         …

Lines are those of the source; compiler/analyses/README.md says how it looks as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from compiler.analyses.memory.descriptors import Access, MemoryDescriptor
from compiler.analyses.memory.intervals import Intervals
from compiler.analyses.memory.seed_rules import SeedRecord
from compiler.analyses.memory.sound_rules import SoundRecord
from compiler.analyses.memory_dependence import CHOICES, MemoryDependence, MemoryOptions
from compiler.ir.module import Function, Instruction
from compiler.ir.printer import print_instruction
from sim.views import DOT, JSON, SOURCE, TEXT, Option, Shown, View
from sim.views.graphs import digraph
from sim.views.tables import aligned

HEADS = ("line", "instruction", "", "descriptor", "defs", "uses", "records after")
Line = int | None
"""Of the source; None for an instruction that has no location."""


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


def show_dependences(function: Function, with_records: bool = False, **options: str) -> Shown:
    """Uses with their definitions, definitions with their uses, and records if they are asked for;
    `options` are those of `MemoryOptions`."""
    facts = dependence_facts(function, MemoryOptions(**options), with_records)
    return Shown(_text(facts), _content(facts), _graph(facts))


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


def _content(facts: DependenceFacts) -> dict[str, Any]:
    def accesses(kind: str, others: str) -> list[dict[str, Any]]:
        return [
            {"line": statement.line, "descriptor": access.descriptor, others: access.lines}
            for statement in facts.statements
            for access in statement.accesses
            if access.kind == kind
        ]

    content = {
        "rounds": facts.rounds,
        "uses": accesses("use", "defs"),
        "definitions": accesses("def", "uses"),
    }
    if facts.with_records:
        content["records"] = [
            {"line": statement.line, "records": [asdict(record) for record in statement.records]}
            for statement in facts.statements
            if statement.records is not None
        ]
    return content


def _text(facts: DependenceFacts) -> str:
    heads = HEADS if facts.with_records else HEADS[:-1]
    rows = [heads, *(row[: len(heads)] for s in facts.statements for row in _rows(s))]
    return "\n".join([*aligned(rows, right=(0,)), f"rounds: {facts.rounds}"]) + "\n"


def _rows(statement: Statement) -> Iterator[tuple[str, ...]]:
    """A row for every memory operand, beside them the records, each in a row of its own."""
    head = (_shown(statement.line), statement.text)
    records = (
        ["never reached"] if statement.records is None else map(_record_text, statement.records)
    )
    for access, record in zip_longest(statement.accesses, records):
        operand = ("", "", "", "")
        if access is not None:
            lines = " ".join(map(_shown, access.lines))
            defs, uses = (lines, "") if access.kind == "use" else ("", lines)
            operand = (access.kind, access.descriptor, defs, uses)
        yield (*head, *operand, record or "")
        head = ("", "")


def _record_text(record: SharedKill | SeparateKills) -> str:
    """`a[0,31]: {6, 12} kill {[0,15]} is_kill`, or each definition with its own kill set."""
    if isinstance(record, SeparateKills):
        pairs = zip(record.defs, record.kills, strict=True)
        return f"{record.descriptor}: " + ", ".join(f"{_shown(d)} kill {_set(k)}" for d, k in pairs)
    mark = " is_kill" if record.is_kill else ""
    defs = ", ".join(map(_shown, record.defs))
    return f"{record.descriptor}: {{{defs}}} kill {_set(record.kill)}{mark}"


def _set(intervals: Iterable[list[int]]) -> str:
    return "{" + ", ".join(f"[{low},{high}]" for low, high in intervals) + "}"


def _shown(line: Line) -> str:
    return "?" if line is None else str(line)


def _graph(facts: DependenceFacts) -> str:
    """The instructions that touch memory, and an edge to every use from each of its definitions."""
    nodes = [(str(s.number), f"{_shown(s.line)}: {s.text}") for s in facts.statements]
    edges = {
        (str(other), str(statement.number), access.descriptor): None
        for statement in facts.statements
        for access in statement.accesses
        if access.kind == "use"
        for other in access.others
    }
    return digraph(facts.function, nodes, edges)


def _option(name: str, sentence: str) -> Option:
    return Option(name, sentence, "NAME", lambda: CHOICES[name])


VIEWS = (
    View(
        "dependences",
        "Who wrote what a read of memory sees.",
        SOURCE,
        show_dependences,
        (TEXT, JSON, DOT),
        (
            _option("rules", "How they are found."),
            _option("variant", "Of the rules seed."),
            _option("order", "In which blocks are visited."),
            _option("indirect", "Of the rules seed."),
            Option("with-records", "Also records and kill sets.", formats=(TEXT, JSON)),
        ),
    ),
)
