"""For every figure a change and a program that notices it, in `witnesses/KIND.txt`:

memory.l2.size | itanium2 | 1 MiB | load_from_l3      figure, configuration, value, program
latencies.alu.extra | itanium2 | {getf: 9 cycles} | refused
stall_order.* | itanium2 | BE_RSE_BUBBLE.ALL | code_lines   of every figure there without a line
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from machines.description.load import Machine
from machines.diagnostics import InputError
from tests.sim.fields.changes import written
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.programs import is_refusal, programs
from tests.sim.fields.variants import is_well_typed, variant

FOLDER = Path(__file__).with_name("witnesses")
ALL = ".*"
"""Behind a path: of all figures below it."""
KIND = "kind"
"""The field that says which others there are: it needs no witness."""
REFUSED = "refused"
"""In the place of a program: a rule across figures allows no other value of the field's type."""


@dataclass(frozen=True)
class Witness:
    configuration: str
    value: str
    program: str

    def __str__(self) -> str:
        return f"{self.configuration} | {self.value} | {self.program}"


def read_witnesses(kind: str) -> dict[str, Witness]:
    """The witnesses of a kind, by the path of the figure."""
    lines, found = _lines(kind), {}
    for path, witness in lines.items():
        if path.endswith(ALL):
            below = (one.path for one in configured(kind, witness.configuration).fields())
            below = [one for one in below if one.startswith(path.removesuffix("*"))]
            found |= {one: witness for one in below if one not in lines}
        else:
            found[path] = witness
    return found


def write_witnesses(kind: str, witnesses: dict[str, Witness]) -> None:
    """Lines of several figures stay."""
    lines = {path: one for path, one in _lines(kind).items() if path.endswith(ALL)}
    for path, witness in witnesses.items():
        if lines.get(path.rpartition(".")[0] + ALL) != witness:
            lines[path] = witness
    text = "".join(f"{path} | {witness}\n" for path, witness in sorted(lines.items()))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{kind}.txt").write_text(text, encoding="utf-8")


def _lines(kind: str) -> dict[str, Witness]:
    """As they are written."""
    path = FOLDER / f"{kind}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [line.split(" | ") for line in lines]
    return {row[0]: Witness(*row[1:]) for row in rows}


@cache
def configured(kind: str, configuration: str) -> Machine:
    """The machine of a configuration."""
    return variant(*CONFIGURATIONS[kind][configuration])


@cache
def result_of(kind: str, configuration: str, program: str) -> str:
    """What a program comes to on a configuration as it stands."""
    return programs(kind)[program].run(configured(kind, configuration))


def is_witness(kind: str, path: str, witness: Witness) -> bool:
    """Whether a rule refuses the change, if it should, or else a program that runs without it does
    something else with it."""
    before, after = _before_and_after(kind, path, witness)
    if witness.program == REFUSED:
        return after is None and is_well_typed(*_changed(kind, path, witness))
    return None not in (before, after) and not is_refusal(before) and after != before


def runs(kind: str, path: str, witness: Witness) -> bool:
    """Whether the program still runs with the change."""
    after = _before_and_after(kind, path, witness)[1]
    return after is not None and not is_refusal(after)


def _changed(kind: str, path: str, witness: Witness) -> tuple[str, tuple[str, ...]]:
    name, changes = CONFIGURATIONS[kind][witness.configuration]
    keys = {field.path: field.keys for field in configured(kind, witness.configuration).fields()}
    return name, (*changes, *written(kind, keys.get(path, (path,)), witness.value))


def _before_and_after(kind: str, path: str, witness: Witness) -> tuple[str | None, str | None]:
    """What the program comes to without the change and with it; None if there is no such machine,
    or no program."""
    try:
        machine = variant(*_changed(kind, path, witness))
    except InputError:
        return None, None
    if witness.program == REFUSED:
        return None, REFUSED
    program = programs(kind)[witness.program]
    return result_of(kind, witness.configuration, witness.program), program.run(machine)
