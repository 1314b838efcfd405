"""Scheduling problems written by hand: a loop, or one row of a kernel, as YAML.

    ops:                                          ops: [{name: a, op: ld8, stage: 1},
      - {name: load, op: ld8}                           {name: b, op: shr.u}]
      - {name: next, op: adds}                    row: true
      - {name: close, op: br.ctop}                arcs: [{from: a, to: b, omega: 1, latency: 2}]
    arcs:
      - {from: next, to: load, omega: 1, latency: 1}
      - {from: next, to: next, omega: 1, latency: 1}

`op` is a mnemonic of the machine, the name of a row of its operation table, or a whole instruction
('shr.u r8 = r9, r10') where a mnemonic stands for several operations that issue differently.  Of
such that differ in one operand, register or immediate, the mnemonic alone means the immediate.
A branch closes the loop; of several it is the last.

`row: true` says that all operations issue in one cycle of a modulo schedule, each in its `stage`
(0 if left out), with the `ii` that may be given.  Arcs that no such schedule keeps are refused
unless `check_legality: off`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, create_model

from compiler.analyses.dependence_graph import Arc, DependenceGraph
from compiler.frontends.ia64.instructions import canonical_mnemonic, patterns_of
from compiler.frontends.ia64.syntax import (
    Mismatch,
    Names,
    Pattern,
    match,
    row_patterns,
    split_mnemonic,
)
from compiler.targets.epic.bundling.bundles import syllable_of
from compiler.targets.epic.registers.operands import KIND_OF_FILE
from compiler.targets.epic.scheduling.problem import Problem, Value
from machines.description.schema import Description
from machines.description.strict_yaml import Node, read_yaml_file
from machines.description.validation import check, finding_at
from machines.diagnostics import Diagnostic, InputError, nearest
from machines.instructions import operations
from machines.operations.row import Immediate, Operand, Operation

MOST_OPERATIONS = 256
MOST = 1000
"""Limits on operations, and on latencies, omegas and stages."""


FILE_OF_KIND = {kind: file for file, kind in KIND_OF_FILE.items()}


class OperationForm(Description):
    """One operation."""

    name: str | int = Field(description="What arcs and results call it.")
    op: str = Field(min_length=1, description="A mnemonic, or a whole instruction.")
    stage: int | None = Field(None, ge=0, le=MOST, description="Of a row: the operation's stage.")


ArcForm = create_model(
    "ArcForm",
    __base__=Description,
    **{
        "from": (str | int, Field(description="The operation that is waited for.")),
        "to": (str | int, Field(description="The operation that waits.")),
        "omega": (int, Field(0, ge=0, le=MOST, description="How many iterations later it waits.")),
        "latency": (int, Field(ge=-MOST, le=MOST, description="For how many cycles it waits.")),
    },
)
"""One arc; a class of its own could have no field 'from'."""


class ProblemForm(Description):
    """The file's keys."""

    ops: list[OperationForm] = Field(description="The operations.")
    arcs: list[ArcForm] = Field([], description="The dependences between them.")
    row: bool = Field(False, description="True: all operations are one row of a kernel.")
    ii: int | None = Field(None, ge=1, description="Of a row: the kernel's initiation interval.")
    check_legality: Literal["on", "off"] | bool = Field(
        "on", description="Of a row: off takes arcs that no modulo schedule keeps."
    )


@dataclass(frozen=True)
class WrittenProblem:
    """A problem as a file gives it.

    texts    what the file says of each operation
    stages   of the operations of a row; None: the loop is to be scheduled
    """

    problem: Problem
    texts: tuple[str, ...]
    stages: tuple[int, ...] | None
    ii: int | None
    tree: Node

    def finding(self, operation: int, message: str, hint: str) -> Diagnostic:
        """A finding at an operation of the file."""
        return finding_at(self.tree, ("ops", operation, "op"), message, hint)


def read_problem(path: Path, instructions: str) -> WrittenProblem:
    """Read a file, its operations being those of a family of the operation table.

    Raises InputError with every finding.
    """
    tree = read_yaml_file(path)
    form, findings = check(ProblemForm, tree)
    if form is None:
        raise InputError(findings)
    found = _Reader(tree, form, instructions)
    problem = found.problem()
    if found.findings:
        raise InputError(found.findings)
    stages = tuple(op.stage or 0 for op in form.ops) if form.row else None
    return WrittenProblem(problem, tuple(op.op for op in form.ops), stages, form.ii, tree)


class _Reader:
    """Checks a file of the right form, and makes a problem of it; findings gather."""

    def __init__(self, tree: Node, form: ProblemForm, instructions: str):
        self.tree, self.form, self.instructions = tree, form, instructions
        self.findings: list[Diagnostic] = []
        self.names = tuple(str(op.name) for op in form.ops)

    def find(self, path: tuple[str | int, ...], message: str, hint: str | None = None) -> None:
        self.findings.append(finding_at(self.tree, path, message, hint))

    def problem(self) -> Problem | None:
        self.check_keys()
        rows = [self.operation(k) for k in range(len(self.names))]
        arcs = [self.arc(k) for k in range(len(self.form.arcs))]
        if self.findings:
            return None
        if self.form.row and self.form.check_legality in ("on", True):
            self.check_row(arcs)
        branches = [k for k, row in enumerate(rows) if row.control == "branch"]
        graph = DependenceGraph(len(rows), tuple(arcs))
        syllables = tuple(map(syllable_of, rows))
        branch = branches[-1] if branches else None
        return Problem(self.names, syllables, graph, branch, tuple(self.values(rows, graph)))

    def check_keys(self) -> None:
        if not 0 < len(self.names) <= MOST_OPERATIONS:
            hint = f"a problem has 1 to {MOST_OPERATIONS}"
            self.find(("ops",), f"there are {len(self.names)} operations", hint)
        for k, name in enumerate(self.names):
            if name in self.names[:k]:
                first = self.tree.value["ops"].value[self.names.index(name)].location.line
                self.find(("ops", k, "name"), f"'{name}' is given twice", f"first on line {first}")
            if self.form.ops[k].stage is not None and not self.form.row:
                hint = "write 'row: true', or leave it out: the scheduler says the stage"
                self.find(("ops", k, "stage"), "only an operation of a row has a stage", hint)
        for key in ("ii", "check_legality"):
            if key in self.tree.value and not self.form.row:
                self.find((key,), f"'{key}' is for a row", "write 'row: true', or leave it out")

    def operation(self, k: int) -> Operation | None:
        text = self.form.ops[k].op.strip()
        try:
            return resolve(text, self.instructions)
        except Unresolved as problem:
            self.find(("ops", k, "op"), str(problem), problem.hint)
            return None

    def arc(self, k: int) -> Arc | None:
        form = self.form.arcs[k]
        ends = []
        for key in ("from", "to"):
            name = str(getattr(form, key))
            if name not in self.names:
                self.find(
                    ("arcs", k, key), f"there is no operation '{name}'", nearest(name, self.names)
                )
                return None
            ends.append(self.names.index(name))
        return Arc(*ends, form.omega, form.latency)

    def check_row(self, arcs: list[Arc]) -> None:
        """Two operations of a row are `apart` times II cycles from each other."""
        stages = [op.stage or 0 for op in self.form.ops]
        for k, arc in enumerate(arcs):
            apart = stages[arc.target] - stages[arc.source] + arc.omega
            best_ii = 1 if apart < 0 else MOST + 1
            if apart * (self.form.ii or best_ii) < arc.latency:
                source, target = self.names[arc.source], self.names[arc.target]
                self.find(
                    ("arcs", k, "latency"),
                    f"no schedule keeps an arc of latency {arc.latency} here: '{target}' issues "
                    f"{_distance(apart, self.form.ii)} '{source}'",
                    "change stages, omega or latency, or write 'check_legality: off'",
                )

    def values(self, rows: list[Operation], graph: DependenceGraph) -> Iterator[Value]:
        """What an operation with a result hands on over arcs that take time."""
        for number, row in enumerate(rows):
            uses = [(a.target, a.omega) for a in graph.after[number] if a.latency > 0]
            if row.writes and uses:
                file = FILE_OF_KIND[row.writes[0].kind.name]
                yield Value(self.names[number], file, (number,), tuple(uses))


def _distance(apart: int, ii: int | None) -> str:
    if apart == 0:
        return "in the same cycle as"
    cycles = f"{abs(apart)} x II" if ii is None else abs(apart) * ii
    return f"{cycles} cycles {'after' if apart > 0 else 'before'}"


class Unresolved(ValueError):
    """A text is not one operation of the machine; `hint` says what to write."""

    def __init__(self, message: str, hint: str):
        super().__init__(message)
        self.hint = hint


def resolve(text: str, instructions: str) -> Operation:
    """The operation that a mnemonic, a row's name or a whole instruction means.

    >>> str(resolve("shr.u", "ia64")), str(resolve("shr.u r8 = r9, r10", "ia64"))
    ('extr.u', 'shr.u')

    Raises Unresolved.
    """
    rows = operations().family(instructions)
    written, operands = split_mnemonic(text)
    mnemonic = canonical_mnemonic(written.lower(), "M")
    patterns = patterns_of(mnemonic)
    if operands:
        try:
            return match(operands, patterns, Names())[0]
        except (Mismatch, ValueError) as problem:
            raise Unresolved(f"{text}: {problem}", _forms(patterns)) from None
    if len({syllable_of(p.row) for p in patterns}) > 1 and _differ_by_immediate(patterns):
        patterns = [p for p in patterns if _has_immediate(p)]
    syllables = {syllable_of(p.row) for p in patterns}
    if len(syllables) == 1:
        return patterns[0].row
    if syllables:
        raise Unresolved(f"'{text}' is several operations, which issue differently",
                         "write it with operands: " + _forms(patterns))  # fmt: skip
    if text in rows:
        return rows[text]
    raise Unresolved(f"there is no operation '{text}'", nearest(text, [*row_patterns(), *rows]))


def _forms(patterns: list[Pattern]) -> str:
    return "; ".join(dict.fromkeys(p.syntax for p in patterns[:6]))


def _differ_by_immediate(patterns: list[Pattern]) -> bool:
    """Whether all write registers of one file, and some but not all take an immediate."""
    files = {
        next((p.kind for p in pattern.pieces if isinstance(p, Operand)), None)
        for pattern in patterns
    }
    with_immediate = [_has_immediate(pattern) for pattern in patterns]
    return len(files) == 1 and any(with_immediate) and not all(with_immediate)


def _has_immediate(pattern: Pattern) -> bool:
    return any(isinstance(p, Operand) and isinstance(p.kind, Immediate) for p in pattern.pieces)
