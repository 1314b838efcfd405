"""For every figure a change and a program that notices it, in `witnesses/KIND.txt`:

memory.l2.size | itanium2 | 1 MiB | load_from_l3      figure, configuration, value, program
latencies.alu.extra | itanium2 | {getf: 9 cycles} | refused
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from machines.diagnostics import InputError
from machines.load import Machine
from tests.sim.fields.changes import written
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.programs import programs
from tests.sim.fields.variants import variant

FOLDER = Path(__file__).with_name("witnesses")
REFUSED = "refused"
"""In the place of a program: a rule across figures allows no other value."""


@dataclass(frozen=True)
class Witness:
    configuration: str
    value: str
    program: str

    def __str__(self) -> str:
        return f"{self.configuration} | {self.value} | {self.program}"


def read_witnesses(kind: str) -> dict[str, Witness]:
    """The witnesses of a kind, by the path of the figure."""
    path = FOLDER / f"{kind}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [line.split(" | ") for line in lines]
    return {row[0]: Witness(*row[1:]) for row in rows}


def write_witnesses(kind: str, witnesses: dict[str, Witness]) -> None:
    FOLDER.mkdir(exist_ok=True)
    lines = [f"{path} | {witness}\n" for path, witness in sorted(witnesses.items())]
    (FOLDER / f"{kind}.txt").write_text("".join(lines), encoding="utf-8")


@cache
def configured(kind: str, configuration: str) -> Machine:
    """The machine of a configuration."""
    return variant(*CONFIGURATIONS[kind][configuration])


@cache
def result_of(kind: str, configuration: str, program: str) -> bytes:
    """What a program comes to on a configuration as it stands."""
    return programs(kind)[program].run(configured(kind, configuration))


def is_witness(kind: str, path: str, witness: Witness) -> bool:
    """Whether the change is refused, if it should be, or else changes what the program does."""
    name, changes = CONFIGURATIONS[kind][witness.configuration]
    fields = {field.path: field for field in configured(kind, witness.configuration).fields()}
    if path not in fields:
        return False
    try:
        machine = variant(name, (*changes, *written(kind, fields[path].keys, witness.value)))
    except InputError:
        return witness.program == REFUSED
    if witness.program == REFUSED:
        return False
    before = result_of(kind, witness.configuration, witness.program)
    return programs(kind)[witness.program].run(machine) != before
