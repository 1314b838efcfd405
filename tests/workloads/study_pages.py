"""The page of the three studies: its tables and pictures, made anew or held against what runs.

    python -m tests.workloads.study_pages           # runs all points, writes tables and pictures

(about a minute).  A table says all points of its study, with exact cycles.  A picture's description
says of which table it is.  Below the tables stands, where no reader sees it, of which version of
each timing model they are: another version is another table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sim
from machines.kinds import kinds
from sim.cores import Core
from sim.studies.plan import Plan, plan_of
from sim.studies.plots import draw
from sim.studies.report import lines
from sim.studies.study_file import read_study
from sim.studies.table import Table

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "workloads" / "studies"
PAGE = FOLDER / "README.md"
PICTURES = {"issue_width": "speedup", "reconvergence": "effects", "ping_pong": "pareto"}
"""Which picture each study has."""
MODELS = re.compile(r"<!-- models: (.*) -->")


@dataclass(frozen=True)
class Shown:
    """A row of a page: labels as they are printed; cycles, None where there are none."""

    labels: tuple[str, ...]
    cycles: int | None


def block(name: str) -> re.Pattern:
    """The table of a study in the page."""
    return re.compile(rf"(```text\n\$ simrun study workloads/studies/{name}\.yaml\n)(.*?)(…\n)?```",
                      re.DOTALL)  # fmt: skip


def plan(name: str) -> Plan:
    """A study of the page."""
    return plan_of(read_study(FOLDER / f"{name}.yaml"))


def shown(name: str, text: str) -> list[Shown]:
    """What the page says of a study."""
    head, *rows = (re.split(r" {2,}", line) for line in block(name).search(text)[2].splitlines())
    axes, at = len(plan(name).study.axes), head.index("cycles")
    return [
        Shown(tuple(row[:axes]), None if row[at] == "-" else int(row[at].replace(" ", "")))
        for row in rows
    ]


def table_text(table: Table, is_whole: bool) -> str:
    """The table as the page has it; one whose run says more ends in an ellipsis."""
    return "\n".join(lines(table)) + ("\n" if is_whole else "\n…\n")


def models() -> str:
    """The version of each kind's timing model."""
    cores = ((name, kind.part("core", Core)) for name, kind in sorted(kinds().items()))
    return ", ".join(f"{name} {core.model}" for name, core in cores if name in OURS)


OURS = ("cluster", "epic", "simt")


def written(text: str) -> Iterator[tuple[str, str]]:
    """The words of each `study compare` in a page: the study's file, and a point."""
    for line in re.findall(r"^simrun study compare (.*)$", text, re.MULTILINE):
        file, *points = re.findall(r'"[^"]*"|\S+', line)
        yield from ((file, point.strip('"')) for point in points)


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, kind in PICTURES.items():
        with TemporaryDirectory() as folder:
            file = FOLDER / f"{name}.yaml"
            result = sim.study(str(file), jobs=2, store=Path(folder) / "store.sqlite")
        draw(f"{kind}={FOLDER / name}.svg", result.plan, result.table)
        is_whole = not any(row.diagnostics for row in result.rows)
        made = table_text(result.table, is_whole)
        text = block(name).sub(lambda found, made=made: f"{found[1]}{made}```", text)
        print(f"{name}: {len(result.rows)} points")
    text = MODELS.sub(f"<!-- models: {models()} -->", text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
