"""The tables of cycles in the workloads' READMEs, written from the accepted baselines.

    python -m workloads.tables

A README asks for its table with a line `<!-- cycles per element: 100000 -->`, which names what is
counted and how many of it a run does; the table follows up to `<!-- end -->`.  The README of a
folder of workloads has `<!-- all cycles -->`.  A test holds that the tables are those of the
baselines.
"""

from __future__ import annotations

import re
from pathlib import Path

from machines.cache.files import write_atomically
from sim.baselines.accepted import Metrics, read_baseline
from sim.baselines.checking import baseline_path

FOLDER = Path(__file__).parent
MACHINES = ("itanium2", "itanium", "epic3")
MARK = re.compile(
    r"(?P<mark><!-- (?:cycles per (?P<unit>[^:]+): (?P<count>\d+)|all cycles) -->\n)"
    r".*?(?P<end><!-- end -->)",
    re.DOTALL,
)
CAUSES_SHOWN = 3
"""Causes of lost cycles named in a row, the largest first; those below 1 % are left out."""


def update(readme: Path) -> str:
    """The text of a README with its tables as the baselines beside it want them."""

    def table(match: re.Match) -> str:
        if match["unit"] is None:
            rows = _overview(readme.parent)
        else:
            rows = _cases(readme.parent / "workload.yaml", match["unit"], int(match["count"]))
        return match["mark"] + "\n".join(rows) + "\n" + match["end"]

    return MARK.sub(table, readme.read_text(encoding="utf-8"))


def readmes() -> list[Path]:
    """The READMEs that may have tables."""
    folders = [FOLDER, *(path.parent for path in compiled_workloads()), FOLDER / "functions"]
    return [folder / "README.md" for folder in folders]


def compiled_workloads(folder: Path = FOLDER) -> list[Path]:
    """The workloads that have baselines on every machine: those right below a folder."""
    return sorted(folder.glob("*/workload.yaml"))


def _metrics(workload: Path, machine: str) -> dict[str, Metrics]:
    baseline = read_baseline(baseline_path(workload, machine))
    return baseline.cases if baseline else {}


def _cases(workload: Path, unit: str, count: int) -> list[str]:
    """One row a case and machine."""
    rows = [
        f"| machine | case | cycles | per {unit} | useful instructions a cycle | cycles lost to |",
        "| --- | --- | ---: | ---: | ---: | --- |",
    ]
    by_machine = {machine: _metrics(workload, machine) for machine in MACHINES}
    for case in dict.fromkeys(name for cases in by_machine.values() for name in cases):
        for machine, cases in by_machine.items():
            if case in cases:
                rows.append(_row(machine, case, cases[case], count))
    return rows


def _row(machine: str, case: str, metrics: Metrics, count: int) -> str:
    useful = metrics.counters["USEFUL_INST_RETIRED"] / metrics.cycles
    lost = {cause: n for cause, n in metrics.breakdown.items() if cause != "issuing"}
    largest = sorted(lost.items(), key=lambda item: -item[1])[:CAUSES_SHOWN]
    shares = [
        f"{cause} {n / metrics.cycles:.0%}" for cause, n in largest if n >= metrics.cycles / 100
    ]
    return (
        f"| {machine} | {case} | {_grouped(metrics.cycles)} | {metrics.cycles / count:.2f} "
        f"| {useful:.2f} | {', '.join(shares) or 'nothing above 1 %'} |"
    )


def _overview(folder: Path) -> list[str]:
    """One row a workload and case, all machines side by side."""
    rows = [
        "| workload | case | instructions, millions | "
        + " | ".join(MACHINES)
        + " | itanium / itanium2 | epic3 / itanium2 |",
        "| --- | --- | ---: |" + " ---: |" * (len(MACHINES) + 2),
    ]
    for workload in compiled_workloads(folder):
        by_machine = {machine: _metrics(workload, machine) for machine in MACHINES}
        first = by_machine[MACHINES[0]]
        for case, metrics in first.items():
            cycles = [by_machine[machine][case].cycles for machine in MACHINES]
            name = workload.parent.name
            page = "README.md" if (workload.parent / "README.md").is_file() else workload.name
            rows.append(
                f"| [{name}]({name}/{page}) | {case} "
                f"| {metrics.counters['IA64_INST_RETIRED'] / 1e6:.1f} "
                + "".join(f"| {_grouped(n)} " for n in cycles)
                + f"| {cycles[1] / cycles[0]:.2f} | {cycles[2] / cycles[0]:.3f} |"
            )
    return rows


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


if __name__ == "__main__":
    for path in readmes():
        write_atomically(path, update(path))
