"""The loop suite's schedules, bundles and cycles, as the tables of `workloads/loops/README.md`.

    python -m tests.benchmarks.loop_suite

Every loop is compiled and run with four configurations: rows scheduled by the automaton or by
ports, and packed by the microscheduler or the linear bundler; and without software pipelining.
Simulated cycles do not depend on the computer; it takes some minutes.  The README says where a
table goes with `<!-- NAME -->`, up to `<!-- end -->`; `TABLES` has the names.

A kernel's row that splits is *avoidable* if an exhaustive search over all templates and fillings,
under the same order of the operations, finds a packing that issues in one cycle.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compiler.ir.module import Block, Function
from compiler.targets.epic.bundling.bundles import syllable_of
from compiler.targets.epic.registers.operands import FILES, files_of
from machines.cache.files import write_atomically
from machines.kinds.epic.fields import Epic
from sim.kinds.epic.views.schedule_facts import ScheduleFacts, kernel_facts
from sim.prepared_case import prepare
from sim.runner import Compiled, compile_workload, execute
from sim.workload.schema import read_workload
from tests.benchmarks._command import WORKLOADS, command_line, workloads_of
from tests.compiler.packing import exists

SUITE = WORKLOADS / "loops"
LIKE_BZIP2 = "compression/block_hash"
"""The loop whose rows the linear bundler splits."""


@dataclass(frozen=True)
class Configuration:
    """What tells which operations issue in one cycle, and what packs them."""

    reservation: str
    bundler: str

    @property
    def passes(self) -> list[str | dict[str, dict[str, str]]]:
        reservation = {"reservation": self.reservation}
        return [
            "default",
            {"modulo_schedule": reservation},
            {"schedule_blocks": reservation},
            {"bundle": {"bundler": self.bundler}},
        ]

    def __str__(self) -> str:
        return f"{self.reservation} + {self.bundler}"


OLD = Configuration("ports", "linear")
HALF = Configuration("ports", "microschedule")
NEW = Configuration("automaton", "microschedule")
LINEAR = Configuration("automaton", "linear")
UNPIPELINED = ["default", "-modulo_schedule"]


@dataclass(frozen=True)
class Kernel:
    """A pipelined loop in its bundles.

    line       of its branch in the source
    registers  rotating ones from the first to the last that it names: general, floating, predicate
    splits     rows that take more than a cycle, and how many of them an exhaustive search avoids
    """

    line: int
    facts: ScheduleFacts
    registers: tuple[int, int, int]
    splits: int
    avoidable: int

    @property
    def cycles(self) -> int:
        """Of an iteration, if nothing stalls."""
        return sum(row.cycles for row in self.facts.rows)

    @property
    def bundles(self) -> int:
        return sum(len(row.bundles) for row in self.facts.rows)

    @property
    def nops(self) -> int:
        return sum(row.nops for row in self.facts.rows)

    @property
    def least(self) -> int:
        """What resources and recurrences allow."""
        return max(self.facts.res_mii, self.facts.rec_mii)


@dataclass(frozen=True)
class Measured:
    """A program as it was compiled and run.

    left   loops that are not pipelined: line -> reason
    """

    cycles: int
    kernels: list[Kernel]
    left: dict[int, str]


def loops() -> list[Path]:
    """The workloads of the suite."""
    return sorted(SUITE.glob("*/*.yaml"))


def programs() -> list[Path]:
    """The other workloads that are compiled: assembly runs as it is written."""
    found = workloads_of("epic")
    return [path for path in found if read_workload(path).program.suffix != ".s"]


def compiled_with(path: Path, passes: Any, machine: str = "itanium2") -> Compiled:
    return compile_workload(read_workload(path), machine, passes=passes)


def measure(path: Path, passes: Any) -> Measured:
    """Compile and run a workload; raises RuntimeError if an output is wrong."""
    compiled = compiled_with(path, passes)
    results = [execute(prepare(compiled, case)) for case in compiled.workload.cases()]
    for result in results:
        if result.exit_code:
            raise RuntimeError(f"{path} with {passes}: {result.status}, {result.checks}")
    return Measured(sum(r.cycles for r in results), kernels_of(compiled), _reasons(compiled))


def kernels_of(compiled: Compiled) -> list[Kernel]:
    """The pipelined loops of a program, in the order of the code."""
    function, description = compiled.compilation.function, compiled.machine.description
    return [
        _kernel(block, facts, description)
        for block, facts in zip(
            _kernel_blocks(function), kernel_facts([function], description), strict=True
        )
    ]


def _kernel_blocks(function: Function) -> list[Block]:
    return [
        block
        for block in function.blocks.values()
        if any("kernel" in i.attributes for i in block.instructions)
    ]


def _kernel(block: Block, facts: ScheduleFacts, description: Epic) -> Kernel:
    branch = next(i for i in block.instructions if "kernel" in i.attributes)
    split = [row.row for row in facts.rows if row.cycles > 1]
    return Kernel(
        branch.location.line if branch.location else 0,
        facts,
        _rotating(block, description),
        len(split),
        sum(_could_be_one_cycle(block, row, description) for row in split),
    )


def _could_be_one_cycle(block: Block, row: int, description: Epic) -> bool:
    code = [i for i in block.instructions if "node" in i.attributes]
    members = [i for i in code if i.attributes["cycle"] == row]
    place = {instruction.attributes["node"]: k for k, instruction in enumerate(members)}
    order = [(place[a], k) for k, i in enumerate(members) for a in i.attributes.get("after", ())]
    return exists([syllable_of(i.operation) for i in members], order, description)


def _rotating(block: Block, description: Epic) -> tuple[int, int, int]:
    """From the first rotating register of a file to the last that the kernel names."""
    last: dict[str, int] = {}
    for instruction in block.instructions:
        for name, _ in files_of(instruction):
            file, number = FILES[name[0]], int(name[1:])
            region = description.registers[file].rotating
            if region is not None and region[0] <= number:
                last[file] = max(last.get(file, 0), number - region[0] + 1)
    return tuple(last.get(file, 0) for file in ("general", "floating", "predicate"))


def _reasons(compiled: Compiled) -> dict[int, str]:
    steps = [s for s in compiled.compilation.report.steps if s.name == "modulo_schedule"]
    prefix = "not pipelined: "
    return {
        remark.location.line if remark.location else 0: f"{remark.what.removeprefix(prefix)}"
        + (f" ({remark.why})" if remark.why else "")
        for step in steps
        for remark in step.changes.remarks
        if remark.what.startswith(prefix)
    }


# ---- Tables --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """Everything the tables show: by loop, with each configuration and without pipelining."""

    by_loop: dict[str, dict[Configuration, Measured]]
    before: dict[str, int]
    programs: dict[str, tuple[int, int]]

    def kernels(self, configuration: Configuration) -> list[tuple[str, Kernel]]:
        return [
            (name, kernel)
            for name, measured in self.by_loop.items()
            for kernel in measured[configuration].kernels
        ]


def gather(paths: Sequence[Path], others: Sequence[Path]) -> Results:
    """Compile and run everything: loops of the suite, and other workloads."""
    by_loop, before = {}, {}
    for path in paths:
        name = f"{path.parent.name}/{path.stem}"
        print(name, file=sys.stderr)
        by_loop[name] = {c: measure(path, c.passes) for c in (NEW, LINEAR, HALF, OLD)}
        before[name] = measure(path, UNPIPELINED).cycles
    whole = {}
    for path in others:
        print(path.parent.name, file=sys.stderr)
        whole[path.parent.name] = (
            measure(path, UNPIPELINED).cycles,
            measure(path, "default").cycles,
        )
    return Results(by_loop, before, whole)


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]], words: int = 1) -> list[str]:
    """A Markdown table whose columns behind the first `words` are numbers."""
    rule = ["---" if k < words else "---:" for k in range(len(heads))]
    lines = [heads, rule, *(map(_shown, row) for row in rows)]
    return ["| " + " | ".join(line) + " |" for line in lines]


def _shown(cell: object) -> str:
    return f"{cell:,}".replace(",", " ") if isinstance(cell, int) else str(cell)


def loop_table(results: Results) -> list[str]:
    heads = [
        "loop", "ResMII", "RecMII", "II", "stages", "rotating gr, fr, pr", "bundles", "nops",
        "cycles an iteration, linear", "microscheduled", "split issues, linear", "microscheduled",
        "remark",
    ]  # fmt: skip
    rows = []
    for name, measured in results.by_loop.items():
        linear = {k.facts.name: k for k in measured[LINEAR].kernels}
        for kernel in measured[NEW].kernels:
            facts, old = kernel.facts, linear[kernel.facts.name]
            registers = ", ".join(map(str, kernel.registers))
            rows.append(
                (f"{name}:{kernel.line}", facts.res_mii, facts.rec_mii, facts.ii, facts.stages,
                 registers, kernel.bundles, kernel.nops, old.cycles, kernel.cycles, old.splits,
                 kernel.splits, _why_larger(kernel))
            )  # fmt: skip
        for line, reason in measured[NEW].left.items():
            rows.append((f"{name}:{line}", *[""] * 11, f"not pipelined: {reason}"))
    table = _table(heads, rows)
    return [table[0], table[1].removesuffix("---: |") + "--- |", *table[2:]]


def _why_larger(kernel: Kernel) -> str:
    facts = kernel.facts
    if facts.ii == kernel.least:
        return ""
    if facts.ii == facts.least_ii:
        return f"no schedule at {kernel.least}: proved"
    return f"nothing found below; none below {facts.least_ii}: proved"


def configuration_table(results: Results) -> list[str]:
    heads = ["", *map(str, (OLD, HALF, NEW))]
    columns = []
    for configuration in (OLD, HALF, NEW):
        kernels = [kernel for _, kernel in results.kernels(configuration)]
        columns.append(
            [
                len(kernels),
                sum(kernel.facts.ii for kernel in kernels),
                sum(kernel.cycles for kernel in kernels),
                sum(kernel.splits for kernel in kernels),
                sum(kernel.avoidable for kernel in kernels),
                sum(m[configuration].cycles for m in results.by_loop.values()),
            ]
        )
    names = [
        "pipelined loops", "sum of their II", "sum of their cycles an iteration",
        "rows that split", "of these avoidable", "cycles of all runs",
    ]  # fmt: skip
    return _table(
        heads, [[n, *row] for n, row in zip(names, zip(*columns, strict=True), strict=True)]
    )


def differing_table(results: Results) -> list[str]:
    """The loops that the three configurations do not treat alike."""
    three = (OLD, HALF, NEW)
    heads = ["loop", *(f"{what}, {c}" for what in ("II", "splits", "cycles") for c in three)]
    rows = []
    for name, measured in results.by_loop.items():
        facts = [
            (
                sum(k.facts.ii for k in measured[c].kernels),
                sum(k.splits for k in measured[c].kernels),
                measured[c].cycles,
            )
            for c in three
        ]
        if len(set(facts)) > 1:
            rows.append(
                (name, *(number for column in zip(*facts, strict=True) for number in column))
            )
    return _table(heads, rows)


def summary(results: Results) -> list[str]:
    kernels = [kernel for _, kernel in results.kernels(NEW)]
    left = sum(len(m[NEW].left) for m in results.by_loop.values())
    least = sum(k.facts.ii == k.least for k in kernels)
    proved = sum(k.facts.ii in (k.least, k.facts.least_ii) for k in kernels)
    like = results.by_loop[LIKE_BZIP2]
    gain = 1 - like[NEW].cycles / like[LINEAR].cycles
    gain_old = 1 - like[NEW].cycles / like[OLD].cycles
    return [
        f"* {len(results.by_loop)} functions with {len(kernels)} pipelined innermost loops and "
        f"{left} that are not.",
        f"* II = max(ResMII, RecMII) in {least} of {len(kernels)}, {least / len(kernels):.1%}; "
        f"the least possible II in {proved}, {proved / len(kernels):.1%}.",
        f"* Rows that split: {sum(k.splits for k in kernels)}; of the rows that split with any "
        f"reservation, the microscheduler could have avoided "
        f"{sum(k.avoidable for c in (NEW, HALF) for _, k in results.kernels(c))}.",
        f"* `{LIKE_BZIP2}`: {like[LINEAR].cycles} cycles with the linear bundler, "
        f"{like[NEW].cycles} microscheduled, {gain:.1%} fewer; {like[OLD].cycles} with ports and "
        f"the linear bundler, {gain_old:.1%} fewer than that.",
    ]


def before_table(results: Results) -> list[str]:
    """Cycles without and with software pipelining."""
    heads = ["program", "not pipelined", "pipelined", "times as fast"]
    pairs = {name: (cycles, results.by_loop[name][NEW].cycles)
             for name, cycles in results.before.items()}  # fmt: skip
    return _table(
        heads,
        [
            (name, before, after, f"{before / after:.2f}")
            for name, (before, after) in (results.programs | pairs).items()
        ],
    )


TABLES: dict[str, Callable[[Results], list[str]]] = {
    "summary": summary,
    "configurations": configuration_table,
    "differing": differing_table,
    "loops": loop_table,
    "before and after": before_table,
}
MARK = re.compile(r"(<!-- (?P<name>[a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def update(text: str, results: Results) -> str:
    """A README with its tables; raises KeyError for a mark of no table."""

    def table(match: re.Match) -> str:
        return match[1] + "\n".join(TABLES[match["name"]](results)) + "\n" + match[3]

    return MARK.sub(table, text)


def main(words: Sequence[str]) -> None:
    readme = SUITE / "README.md"
    if command_line(__doc__).parse_args(words).shortest:
        results = gather([SUITE / f"{LIKE_BZIP2}.yaml"], programs()[:1])
        print(update(readme.read_text(encoding="utf-8"), results))
        return
    results = gather(loops(), programs())
    write_atomically(readme, update(readme.read_text(encoding="utf-8"), results))


if __name__ == "__main__":
    main(sys.argv[1:])
