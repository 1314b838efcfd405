"""Dependences inside an instruction group that the architecture does not allow.

All instructions of a group (up to the next stop) may execute at once, so none may read or write
what an earlier one of the group writes.  Allowed all the same: an integer compare or bit test
before a branch it controls; `mov b =` before a branch through b; `mov ar.pfs =` before br.ret;
several parallel compares of one kind writing a predicate; and two instructions of which at most
one executes, since their predicates are known to exclude each other.  Memory is no obstacle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from machines.instructions import operations
from machines.instructions.ia64_operands import CONSTANT_REGISTERS, REGISTER_PREFIX
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import (
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    BundleProgram,
    Relation,
)
from machines.operations.row import Operation, RegisterKind

CONSTANT = {(kind, n) for kind, numbers in CONSTANT_REGISTERS.items() for n in numbers}
NEXT_STAGE = 63
"""The predicate that a rotating branch writes, which becomes p16."""
READ_FREELY = ("ip", "qp", "cfm")
"""Resources that may be read where an earlier instruction of the group writes them."""
EARLY_PREDICATES = ("compare", "test_bit")
"""Scheduling classes whose predicates a branch may use in the same group."""

Resource = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Violation:
    """Syllable `second` reads ('read after write') or writes what `first` writes in its group."""

    first: int
    second: int
    resource: str
    kind: str


@dataclass(slots=True)
class _Write:
    syllable: int
    row: Operation
    guard: int


@dataclass
class _Group:
    """What has been written since the last stop, and which predicates exclude each other."""

    writes: dict[Resource, list[_Write]] = field(default_factory=dict)
    exclusive: set[frozenset[int]] = field(default_factory=set)
    implied: set[tuple[int, int]] = field(default_factory=set)

    def excludes(self, a: int, b: int) -> bool:
        return frozenset((a, b)) in self.exclusive

    def declare(self, relation: Relation) -> None:
        named = relation.predicates
        if relation.kind == "mutex":
            self.exclusive |= {frozenset((a, b)) for a, b in combinations(named, 2)}
        elif relation.kind == "imply":
            self.implied |= set(pairwise(named))
        else:
            self.forget(set(named) or set(range(64)))

    def forget(self, predicates: set[int]) -> None:
        """What was known of predicates that change."""
        self.exclusive = {pair for pair in self.exclusive if not pair & predicates}
        self.implied = {pair for pair in self.implied if not set(pair) & predicates}

    def pass_by(self, guard: int) -> None:
        """A branch under `guard` was not taken: what was written under it was not written."""
        false = {guard, *(a for a, b in self.implied if b == guard)}
        for resource, writes in self.writes.items():
            self.writes[resource] = [w for w in writes if w.guard not in false]


def _resources(row: Operation, code: list[int], written: bool) -> set[Resource]:
    found: set[Resource] = set()
    for operand, value in zip(row.operands, code[FIRST_OPERAND:], strict=False):
        if not isinstance(operand.kind, RegisterKind):
            continue
        updates = "parallel" in row.flags and operand.is_written
        if operand.is_written if written else (operand.is_read and not updates):
            found.add((operand.kind.name, value))
    for name in row.implicit_writes if written else row.implicit_reads:
        if name == "pr":
            found |= {("pr", number) for number in _named_predicates(row, code, written)}
        elif written or name not in READ_FREELY:
            found.add((name, 0))
    if written and "rotates" in row.flags:
        found |= {("cfm", 0), ("pr", NEXT_STAGE)}
    return found - CONSTANT


def _named_predicates(row: Operation, code: list[int], written: bool) -> Iterator[int]:
    """The predicates that `mov pr =` sets, or (all) that `mov r = pr` reads."""
    if row.name == "mov.from_pr":
        yield from range(1, 64)
    elif written:
        mask = -(1 << 16) if row.name == "mov.to_pr_rot" else code[FIRST_OPERAND + 1]
        yield from (number for number in range(1, 64) if mask >> number & 1)


def _shown(resource: Resource) -> str:
    file, number = resource
    return f"{REGISTER_PREFIX[file]}{number}" if file in REGISTER_PREFIX else file


def may_read_in_group(writer: Operation, reader: Operation) -> bool:
    """Whether an instruction may read what an earlier one of its group writes."""
    if reader.control is None:
        return False
    if writer.scheduling_class in EARLY_PREDICATES or writer.name == "mov.to_branch":
        return True
    return reader.control == "return" and writer.name.startswith("mov.to_ar.pfs")


def _may_write(earlier: _Write, row: Operation) -> bool:
    """Parallel compares of one kind."""
    if "parallel" not in row.flags or "parallel" not in earlier.row.flags:
        return False
    return _parallel_kind(row) == _parallel_kind(earlier.row)


def _parallel_kind(row: Operation) -> str:
    return next(k for k in (".or.andcm", ".and", ".or") if k in row.name)


def violations(program: BundleProgram, description: Epic) -> Iterator[Violation]:
    """Every forbidden dependence, in order of the second syllable."""
    stops = {t.code: t.stops for t in description.templates.values()}
    rows = [operations()["ia64", name] for name in program.operations]
    targets = _branch_targets(program, rows)
    group = _Group()
    for syllable, code in enumerate(program.code.tolist()):
        bundle, slot = divmod(syllable, 3)
        if slot == 0 and bundle in targets:
            group.forget(set(range(64)))
        for relation in program.relations.get(syllable, ()):
            group.declare(relation)
        if code[OPERATION] != CONTINUATION:
            row = rows[code[OPERATION]]
            yield from _against_group(group, syllable, row, code)
            _enter(group, syllable, row, code)
            if row.control is not None and "last_slot" not in row.flags:
                if code[GUARD] == 0:
                    group.writes.clear()  # what follows is not executed with it
                else:
                    group.pass_by(code[GUARD])
        if slot in stops.get(int(program.templates[bundle]), ()):
            group.writes.clear()


def _branch_targets(program: BundleProgram, rows: list[Operation]) -> set[int]:
    found = set(program.labels)
    for code in program.code.tolist():
        if code[OPERATION] != CONTINUATION:
            row = rows[code[OPERATION]]
            for k, operand in enumerate(row.operands):
                if operand.name == "target":
                    found.add(code[FIRST_OPERAND + k])
    return found


def _against_group(
    group: _Group, syllable: int, row: Operation, code: list[int]
) -> Iterator[Violation]:
    guard = code[GUARD]
    reads, writes = _resources(row, code, False), _resources(row, code, True)
    if guard:
        reads = reads | {("pr", guard)}
    for resource in sorted(reads | writes):
        for earlier in group.writes.get(resource, ()):
            excluded = group.excludes(earlier.guard, guard)
            if resource in reads and not may_read_in_group(earlier.row, row):
                if not excluded or resource == ("pr", guard):
                    kind = "read after write"
                    yield Violation(earlier.syllable, syllable, _shown(resource), kind)
                    break
            elif resource in writes and not excluded and not _may_write(earlier, row):
                kind = "write after write"
                yield Violation(earlier.syllable, syllable, _shown(resource), kind)
                break


def _enter(group: _Group, syllable: int, row: Operation, code: list[int]) -> None:
    guard = code[GUARD]
    for resource in _resources(row, code, True):
        group.writes.setdefault(resource, []).append(_Write(syllable, row, guard))
    predicates = [
        value
        for operand, value in zip(row.operands, code[FIRST_OPERAND:], strict=False)
        if isinstance(operand.kind, RegisterKind) and operand.kind.name == "pr"
    ]
    if "pr" in row.implicit_writes:
        predicates = list(_named_predicates(row, code, True))
    if not predicates:
        return
    pair = frozenset(predicates)
    complementary = len(predicates) == 2 and "parallel" not in row.flags
    keeps = complementary and (
        guard == 0 or "unconditional" in row.flags or pair in group.exclusive
    )
    group.forget(set(pair))
    if keeps and 0 not in pair:
        group.exclusive.add(pair)
