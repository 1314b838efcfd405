"""The rules 'seed' once more, as plainly as they are written: dictionaries and all pairs."""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.memory.descriptors import Access, MemoryAccesses, memory_accesses
from compiler.analyses.memory.seed_rules import SeedRecord
from compiler.analyses.memory_dependence import MemoryDependence, MemoryOptions, visiting_order
from compiler.ir.module import Function

Records = dict[int, tuple[frozenset[int], frozenset[int], bool]]
"""By descriptor: definitions, killed bytes, is_kill."""


class SeedReference:
    """Definitions of every load, and the records after every instruction, by number of access."""

    def __init__(self, function: Function, *, fast: bool, all_candidates: bool):
        self.fast, self.all_candidates = fast, all_candidates
        self.memory: MemoryAccesses = memory_accesses(function)
        self.uses: dict[int, set[int]] = {}
        self.after: dict[int, Records] = {}
        flow, above = control_flow(function), dominators(function).parent
        order = visiting_order(function, "reverse_postorder")
        self.ends: dict[str, Records] = {}
        for name in order:
            self.ends[name] = self.through(name, self.ends[above[name]] if name in above else {})
        changed = True
        while changed:
            changed = False
            for name in order:
                sources = [self.ends[p] for p in flow.predecessors[name] if p in self.ends]
                end = self.through(name, _joined(sources))
                changed |= end != self.ends[name]
                self.ends[name] = end

    def through(self, block: str, head: Records) -> Records:
        records = dict(head)
        for access in self.memory.of_block[block]:
            if access.kind == "load":
                self.uses[access.number] = self.use(records, access)
            else:
                self.define(records, access)
            self.after[access.number] = dict(records)
        return records

    def bytes(self, d: int) -> set[int]:
        one = self.memory.descriptors[d]
        return set(range(one.start, one.end + 1))

    def exact(self, d: int) -> bool:
        return self.memory.descriptors[d].exact

    def may(self, d: int, records: Records) -> list[int]:
        """Other descriptors with records that overlap it."""
        all_of_them = self.memory.descriptors
        return [
            e
            for e in records
            if e != d
            and all_of_them[e].variable == all_of_them[d].variable
            and (not self.exact(d) or not self.exact(e) or self.bytes(d) & self.bytes(e))
        ]

    def use(self, records: Records, access: Access) -> set[int]:
        """Figures 4 and 5."""
        d = access.must
        if d is None:
            chosen = [e for e in access.candidates if e in records]
        elif not self.exact(d):
            chosen = [e for e in (d, *self.may(d, records)) if e in records]
        elif d in records:
            chosen = [d]
            kill = records[d][1]
            for e in self.may(d, records) if kill else ():
                overlaps = not self.exact(e) or bool(kill & self.bytes(e))
                if self.fast or (overlaps and not self.is_killed(records, d, e)):
                    chosen.append(e)
        else:
            chosen = [
                e for e in self.may(d, records) if self.fast or not self.is_killed(records, d, e)
            ]
        return {number for e in chosen for number in records[e][0]}

    def is_killed(self, records: Records, used: int, e: int) -> bool:
        shared = self.bytes(used) & self.bytes(e) if self.exact(e) else self.bytes(used)
        return shared <= records[e][1]

    def define(self, records: Records, access: Access) -> None:
        """Figure 8: a guard asks whether there is a record, and nothing else."""
        d = access.must
        if d is not None and access.is_guarded and d in records:  # 801, 803
            definitions, kill, mark = records[d]
            records[d] = (definitions | {access.number}, kill, mark)  # 804
        else:
            self.define_unguarded(records, access)  # 802

    def define_unguarded(self, records: Records, access: Access) -> None:
        """Figure 6."""
        d, new = access.must, (frozenset([access.number]), frozenset(), False)
        if d is None:  # 601
            self.define_one_of(records, access)  # 602 … 605
        elif self.exact(d):  # 606
            for e in self.may(d, records):  # 608
                self.kill(records, e, self.bytes(d))  # 609
            records[d] = new  # 607
        else:
            for e in self.may(d, records):  # 610
                records[e] = (*records[e][:2], True)  # 611
            records[d] = new

    def kill(self, records: Records, e: int, interval: set[int]) -> None:
        """Figure 7."""
        definitions, kill, mark = records[e]
        kill = kill | interval  # 703 … 706
        if self.exact(e) and self.bytes(e) <= kill:  # 701
            del records[e]  # 702
        else:
            records[e] = (definitions, frozenset(kill), mark)

    def define_one_of(self, records: Records, access: Access) -> None:
        """Figure 6 without a must descriptor; the figures do not ask for its guard."""
        for d in access.candidates:
            covered = any(
                e != d and self.exact(d) and self.exact(e) and self.bytes(d) <= self.bytes(e)
                for e in access.candidates
            )
            if self.all_candidates or not (covered or d in records):
                records[d] = (frozenset([access.number]), frozenset(), False)


def _joined(sources: list[Records]) -> Records:
    found: Records = {}
    for d in sorted({d for records in sources for d in records}):
        several = [records[d] for records in sources if d in records]
        found[d] = (
            frozenset().union(*(definitions for definitions, _, _ in several)),
            frozenset.intersection(*(kill for _, kill, _ in several)),
            any(mark for _, _, mark in several),
        )
    return found


def check_seed(function: Function) -> None:
    """The rules 'seed' find the same uses and records as the plain reading of the figures."""
    for fast, everyone in ((False, False), (True, False), (False, True)):
        options = MemoryOptions(
            rules="seed",
            variant="fast" if fast else "precise",
            indirect="all" if everyone else "uncovered",
        )
        found = MemoryDependence(function, options)
        expected = SeedReference(function, fast=fast, all_candidates=everyone)
        for access, definitions in found.definitions.items():
            uses = expected.uses.get(access.number, set())
            assert {one.number for one in definitions} == uses, f"uses of line {access.line}"
        for instruction, records in found.records():
            after = expected.after[found.accesses_of[instruction][-1].number]
            assert {descriptor.text: _plain(record) for descriptor, record in records} == {
                found.memory.descriptors[d].text: record for d, record in after.items()
            }


def _plain(record: SeedRecord) -> tuple[frozenset[int], frozenset[int], bool]:
    kill = frozenset(byte for low, high in record.kill for byte in range(low, high + 1))
    return frozenset(record.definitions), kill, record.is_kill
