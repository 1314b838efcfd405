"""Every figure of a machine matters: some program notices another value.  If none can, this is said
where the figure is declared (`read_when`, `description_only`), and then none does.

`python -m tests.sim.fields.find_witnesses` finds programs for figures that have none yet.
"""

from __future__ import annotations

from itertools import zip_longest

import pytest

from machines.description.load import Machine
from machines.description.schema import about
from machines.description.shown_fields import DESCRIPTIVE, ShownField
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form
from tests.machines.model_fields import ANY, leaves
from tests.sim.fields.changes import values, written
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.programs import programs
from tests.sim.fields.test_largest_figures import MODELS
from tests.sim.fields.variants import variant
from tests.sim.fields.witnesses import KIND, configured, is_witness, read_witnesses, result_of

KINDS = tuple(CONFIGURATIONS)
PARTS = 48
IN_TURN = sorted(range(PARTS), key=lambda part: part % (PARTS // 2))
"""Of the witnesses, each a test of its own."""
ALL = [
    (kind, name)
    for names in zip_longest(*CONFIGURATIONS.values())
    for kind, name in zip(CONFIGURATIONS, names, strict=True)
    if name
]
"""The configurations, those of all kinds in turn."""
DESCRIPTIVE_FIELDS = {"title", "modelled", "left_out", "sources.*"}
"""Of every kind: for people."""


def _fields(kind: str) -> dict[str, ShownField]:
    """The fields of all configurations of a kind; one that is read somewhere is shown there."""
    found: dict[str, ShownField] = {}
    for configuration in CONFIGURATIONS[kind]:
        for field in configured(kind, configuration).fields():
            if field.path not in found or found[field.path].unread:
                found[field.path] = field
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_figure_has_a_witness(kind: str):
    witnesses = read_witnesses(kind)
    figures = {path for path, field in _fields(kind).items() if not field.unread}
    # A part that some machine lacks: the figures of one that has it stand for it.
    parts = {path for path in figures if any(one.startswith(f"{path}.") for one in figures)}
    assert figures - set(witnesses) - parts == {KIND}
    assert set(witnesses) - figures == set()


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_that_is_declared_has_a_witness(kind: str):
    """Also one that no machine here gives a value."""
    paths = [tuple(path.split(".")) for path in read_witnesses(kind)]

    def is_of(path: tuple[str, ...], leaf: tuple[str, ...]) -> bool:
        pairs = zip(path, leaf, strict=False)
        return 0 <= len(leaf) - len(path) <= 2 and all(b in (a, ANY) for a, b in pairs)

    declared = [
        leaf
        for leaf in leaves(MODELS[kind])
        if not about(leaf.declared).descriptive and not about(leaf.declared).estimate
    ]
    assert [x.name for x in declared if not any(is_of(p, x.path) for p in paths)] == [KIND]


@pytest.mark.parametrize("kind", KINDS)
def test_few_fields_only_describe(kind: str):
    found = {leaf.name for leaf in leaves(MODELS[kind]) if about(leaf.declared).descriptive}
    assert {name.removesuffix(f".{ANY}") for name in found} == {
        name.removesuffix(f".{ANY}") for name in DESCRIPTIVE_FIELDS
    }


@pytest.mark.parametrize("part", short_form(IN_TURN, 6))
@pytest.mark.parametrize("kind", KINDS)
def test_a_program_notices_every_change(kind: str, part: int):
    witnesses = sorted(read_witnesses(kind).items())[part::PARTS]
    assert [path for path, one in witnesses if not is_witness(kind, path, one)] == []


@pytest.mark.parametrize("configuration", short_form(ALL, 4), ids=":".join)
def test_what_is_declared_unread_changes_nothing(configuration: tuple[str, str]):
    """All such figures of a configuration have other values at once."""
    kind, name = configuration
    machine, changes = _with_other_unread_figures(kind, name)
    for program in programs(kind).values():
        if program.suits(machine):
            before = result_of(kind, name, program.name)
            assert program.run(machine) == before, (program.name, changes)


def _with_other_unread_figures(kind: str, configuration: str) -> tuple[Machine, list[str]]:
    """A configuration with another value for each figure that it says is not read."""
    machine = configured(kind, configuration)
    name, settings = CONFIGURATIONS[kind][configuration]
    changes: list[str] = []
    for field in machine.fields():
        if field.unread in (None, DESCRIPTIVE):
            continue
        for value in values(configured(kind, configuration), field):
            more = [*changes, *written(kind, field.keys, value)]
            try:
                machine = variant(name, (*settings, *more))
            except InputError:
                continue
            changes = more
            break
    return machine, changes
