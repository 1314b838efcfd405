"""A study as it is written: which axes, which points of them, what is to be told.

    study: l2_latency
    workload: ../../saxpy
    axes:
      latency: {set: memory.l2.latency, values: [5 cycles, 8 cycles, 12 cycles]}
    derive: {per_element: "cycles / 1000"}

The file is read strictly; every finding has its place.  Files that it names are beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from machines.description.python_values import node_of
from machines.description.strict_yaml import Node, read_yaml_file
from machines.description.validation import check
from machines.diagnostics import NAME_RULE, Diagnostic, InputError, is_name, nearest
from sim.bounds import MOST_CYCLES
from sim.forms import Form
from sim.studies.levels import Range, Span, located, number_of
from sim.workload.expressions import NAMED, Expression, can_be_named, parse_node
from sim.workload.schema import SUFFIXES

RECOMPILED, FIXED = "recompiled", "fixed"
Programs = Literal["recompiled", "fixed"]
MOST_POINTS = 100_000
"""Of a study; to plan them takes a few seconds."""
"""Of a study."""
Label = str | int | float | bool
"""What a level is called: its value as it is written, or its name."""

Changes = Mapping[str, Any]
"""What a level changes, by a key of `LEVEL_KEYS`; of `set`, `arguments` and `seeds` by name."""
BY_NAME = ("set", "arguments", "seeds")
NEXT_ARRAY = 1 << 40
"""Between the seeds of arguments that one axis varies: equal ones would make them equal."""


class LevelForm(Form):
    """One level of an axis of named levels: all that it changes."""

    set: dict[str, Any] = Field({}, description="Values of machine fields, as --set takes them.")
    arguments: dict[str, Any] = Field({}, description="Arguments in place of the workload's.")
    seeds: dict[str, int] = Field({}, description="Seeds of random arguments, by name.")
    passes: str | list[str | dict[str, Any]] | None = Field(None, description="Compiler passes.")
    machine: str | None = Field(None, description="A machine's name or file.")
    workload: str | None = Field(None, description="A workload's file or folder.")
    variant: str | None = Field(None, description="A variant of the workload.")
    program: Programs | None = Field(None, description="Compiled anew, or that of `base`.")


LEVEL_KEYS = tuple(LevelForm.model_fields)
Named = list[Any] | dict[str, Any]


class AxisForm(Form):
    """An axis: what it changes, and the levels that it has."""

    set: str | list[str] | None = Field(None, description="A machine's field, or several at once.")
    argument: str | list[str] | None = Field(None, description="An argument of the workload.")
    seed: str | list[str] | None = Field(
        None, description="The seed of a random argument: repetitions, of which tables give means."
    )
    passes: dict[str, Any] | None = Field(None, description="Lists of passes, by name.")
    machine: Named | None = Field(None, description="Machines.")
    workload: Named | None = Field(None, description="Workloads.")
    variant: Named | None = Field(None, description="Variants of the workload.")
    program: list[Programs] | None = Field(None, description="Compiled anew, or that of `base`.")
    levels: dict[str, LevelForm] | None = Field(None, description="Levels that change several.")
    values: list[Any] | None = Field(None, description="The levels.")
    from_: Any = Field(None, alias="from", description="The first level.")
    to: Any = Field(None, description="Where levels end.")
    step: Any = Field(None, description="Difference between levels.")
    factor: Any = Field(None, description="Ratio between levels.")
    count: int | None = Field(None, description="How many levels from first to last.")
    scale: str | None = Field(None, description="linear, or log: by equal factors.")

    @model_validator(mode="after")
    def _one_thing(self) -> AxisForm:
        given = self.changes
        if len(given) != 1:
            found = " and ".join(f"'{name}'" for name in given) or "none"
            raise ValueError(f"an axis needs exactly one of {', '.join(AXIS_KEYS)}; found {found}")
        ranged = [n for n in RANGE_KEYS if getattr(self, "from_" if n == "from" else n) is not None]
        if given[0] not in VALUED:
            extra = [*(["values"] if self.values is not None else []), *ranged]
            if extra:
                raise ValueError(f"'{given[0]}' has its levels itself: leave out '{extra[0]}'")
        elif (self.values is None) == (not ranged):
            raise ValueError("either 'values', or 'from' and 'to'")
        elif ranged and (self.from_ is None or self.to is None):
            raise ValueError("a range needs 'from' and 'to'")
        return self

    @property
    def changes(self) -> list[str]:
        """Which of the keys that say what an axis changes are given."""
        return [name for name in AXIS_KEYS if getattr(self, name) is not None]

    def range(self) -> Range:
        """The range that is written."""
        return Range(self.from_, self.to, self.step, self.factor, self.count, self.scale)


AXIS_KEYS = ("set", "argument", "seed", "passes", "machine", "workload", "variant", "program",
             "levels")  # fmt: skip
VALUED = ("set", "argument", "seed")
"""Axes whose levels are values."""
RANGE_KEYS = ("from", "to", "step", "factor", "count", "scale")


class Drawn(Form):
    """Points that are drawn."""

    random: int | None = Field(
        None, ge=1, le=MOST_POINTS, description="So many, each axis by itself."
    )
    latin_hypercube: int | None = Field(
        None, ge=1, le=MOST_POINTS,
        description="So many, each axis cut in as many strata, each used once.",
    )  # fmt: skip
    seed: int = Field(ge=0, description="Seed of the generator.")

    @property
    def count(self) -> int:
        """How many."""
        return self.random or self.latin_hypercube

    @model_validator(mode="after")
    def _one_way(self) -> Drawn:
        if (self.random is None) == (self.latin_hypercube is None):
            raise ValueError("exactly one of 'random' and 'latin_hypercube'")
        return self


class Search(Form):
    """The best point, looked for."""

    goal: str = Field(description="'minimise FIGURE' or 'maximise FIGURE'.")
    subject_to: list[str] = Field([], description="What must hold, over axes and figures.")
    trials: int = Field(ge=1, le=100_000, description="Points that are tried.")
    seed: int = Field(0, ge=0, lt=1 << 32, description="Seed of the sampler, as numpy's takes it.")


class Limits(Form):
    """Where runs end, in place of what workloads say."""

    cycles: int = Field(ge=1, le=MOST_CYCLES, description="Simulated cycles.")


class Warm(Form):
    """From where points go on that did the same until then."""

    until: int = Field(ge=1, description="The step of the host behind which runs are at rest.")


class StudyForm(Form):
    """The file's keys."""

    study: str = Field(min_length=1, description="The study's name.")
    description: str = Field("", description="What is asked, in a sentence.")
    workload: str | None = Field(None, description="The workload's file or folder.")
    machine: str | None = Field(None, description="A machine, in place of the workload's.")
    variant: str | None = Field(None, description="A variant of the workload, else its first.")
    passes: str | list[str | dict[str, Any]] | None = Field(None, description="Compiler passes.")
    set: dict[str, Any] = Field({}, description="Machine fields that are other in all points.")
    arguments: dict[str, Any] = Field({}, description="Arguments that are other in all points.")
    program: Programs = Field(
        "recompiled", description="'recompiled' for each machine, or 'fixed' to that of `base`."
    )
    axes: dict[str, AxisForm] = Field(min_length=1, description="What varies.")
    combine: Literal["grid", "zip"] | Drawn = Field("grid", description="Which points.")
    where: str | list[str] = Field([], description="What points must fulfil, over axes.")
    refused: str | list[str] = Field(
        [], description="Points that are meant to be refused, by a condition over axes."
    )
    base: dict[str, Any] = Field(
        {}, description="Levels of the point that others are compared with."
    )
    derive: dict[str, str] = Field({}, description="Figures as expressions over others.")
    show: list[str] = Field([], description="Figures in tables: cycles and derived ones.")
    more_is_better: list[str] = Field([], description="Figures of which more is better.")
    less_is_better: list[str] = Field([], description="Figures of which less is better.")
    search: Search | None = Field(None, description="Look for the best point.")
    limits: Limits | None = Field(None, description="Where runs end.")
    warm: Warm | None = Field(None, description="A state that points with one past share.")


@dataclass(frozen=True)
class Level:
    """A level: what it is called, its number for expressions (None: it has none), what it
    changes."""

    label: Label
    number: float | None
    changes: Changes


@dataclass(frozen=True)
class Axis:
    """An axis; `span` is what lies between two ends, of an axis without levels of its own."""

    name: str
    key: str
    targets: tuple[str, ...]
    levels: tuple[Level, ...]
    span: Span | None
    node: Node

    @property
    def is_replicate(self) -> bool:
        """Whether its levels are repetitions."""
        return self.key == "seed"

    @property
    def has_numbers(self) -> bool:
        """Whether its levels can be compared in expressions: all are numbers of one quantity."""
        if self.span is not None:
            return True
        numbers = [number_of(level.label) for level in self.levels]
        return None not in numbers and len({number.quantity for number in numbers}) == 1

    @cached_property
    def _known(self) -> dict[Any, Level]:
        """The levels by what they are called, and by what they are as much of."""
        found: dict[Any, Level] = {}
        for level in self.levels:
            found[type(level.label), level.label] = level
            number = number_of(level.label) if level.number is not None else None
            if number is not None:
                found[number.quantity, number.exact] = level
        return found

    def level(self, value: Any) -> Level:
        """The level of a value of an axis of values."""
        return _valued(self.key, self.targets, value)

    def level_called(self, label: Any) -> Level | None:
        """The level that is called so, or is as much of the same quantity."""
        number = number_of(label)
        if isinstance(label, Label):
            found = self._known.get((type(label), label))
            if found is None and number is not None:
                found = self._known.get((number.quantity, number.exact))
            if found is not None:
                return found
        is_inside = self.span is not None and number is not None and self.span.holds(number)
        return self.level(self.span.written(number.exact)) if is_inside else None


@dataclass(frozen=True)
class Study:
    """A checked study."""

    form: StudyForm
    tree: Node
    folder: Path
    axes: tuple[Axis, ...]
    where: tuple[Expression, ...]
    base: Mapping[str, Level] = field(default_factory=dict)
    refused: tuple[Expression, ...] = ()

    @property
    def name(self) -> str:
        return self.form.study

    @property
    def common(self) -> Changes:
        """What is other in all points than the workload says."""
        form = self.form
        given = {"passes": form.passes, "machine": form.machine, "workload": form.workload}
        given |= {"variant": form.variant, "program": form.program}
        given |= {"set": form.set, "arguments": form.arguments}
        return {key: value for key, value in given.items() if value is not None and value != {}}


def read_study(path: str | Path) -> Study:
    """Read and check a study's file; raises InputError with every finding."""
    path = Path(path)
    if path.is_file() and path.suffix not in SUFFIXES:
        raise InputError(Diagnostic(f"{path} is no study", hint="a study is a .yaml file"))
    return _study(read_yaml_file(path), path.parent)


def study_of(content: Mapping[str, Any], folder: Path) -> Study:
    """A study from Python: the same keys; files are those of `folder`."""
    return _study(node_of(content, "study"), folder)


def _study(tree: Node, folder: Path) -> Study:
    form, findings = check(StudyForm, tree)
    if form is None:
        raise InputError(findings)
    if not is_name(form.study):
        findings.append(tree.value["study"].finding(f"{form.study!r} is no name", NAME_RULE))
    axes = []
    for name, axis in form.axes.items():
        node = tree.value["axes"].value[name]
        if not can_be_named(name):
            message = f"'{name}' is no name of an axis"
            findings.append(tree.value["axes"].finding(message, NAMED, key=name))
        try:
            axes.append(_axis(name, axis, node))
        except InputError as error:
            findings += error.diagnostics
    if findings:
        raise InputError(findings)
    findings += _missing(form, tree, axes)
    base = {}
    for name, label in form.base.items():
        try:
            base[name] = _base_level(axes, name, label, tree.value["base"])
        except InputError as error:
            findings += error.diagnostics
    conditions: dict[str, list[Expression]] = {"where": [], "refused": []}
    for key, found in conditions.items():
        for node in _texts(tree, key):
            try:
                found.append(parse_node(node, _numbered(axes), "an axis that has numbers"))
            except InputError as error:
                findings += error.diagnostics
    if findings:
        raise InputError(findings)
    where, refused = (tuple(found) for found in conditions.values())
    return Study(form, tree, folder, tuple(axes), where, base, refused)


def _texts(tree: Node, key: str) -> list[Node]:
    """The nodes of a key that has one text or several."""
    node = tree.value.get(key)
    if node is None:
        return []
    return node.value if isinstance(node.value, list) else [node]


def _numbered(axes: Sequence[Axis]) -> list[str]:
    return [axis.name for axis in axes if axis.has_numbers]


def _missing(form: StudyForm, tree: Node, axes: Sequence[Axis]) -> Iterator[Diagnostic]:
    """What a study needs for the way in which it chooses points."""
    changed = {key for axis in axes for level in axis.levels for key in level.changes}
    if form.workload is None and "workload" not in changed:
        yield tree.finding("'workload' is missing", "the file or folder of a workload")
    is_fixed = form.program == FIXED or any(axis.key == "program" for axis in axes)
    is_fixed |= any(level.changes.get("program") == FIXED for a in axes for level in a.levels)
    if is_fixed and not any(_changes_machine(axis) for axis in axes if axis.name in form.base):
        message = "which program is fixed is not said"
        hint = "'base' names a level of an axis that changes the machine: it is that machine's"
        yield tree.finding(message, hint)
    if form.search is not None:
        if "combine" in tree.value:
            message = "a search chooses its points itself"
            yield tree.finding(message, "leave out 'combine'", key="combine")
        for axis in axes:
            if axis.is_replicate:
                message = f"a search of seeds finds the luckiest: axis '{axis.name}'"
                yield axis.node.finding(message, "search first, then repeat the best point")
    if form.combine == "zip" and len({len(axis.levels) for axis in axes}) != 1:
        counts = ", ".join(f"{axis.name} has {len(axis.levels)}" for axis in axes)
        message = f"axes that go together have equally many levels: {counts}"
        yield tree.value["combine"].finding(message)
    for axis in axes:
        if axis.span is not None and form.combine in ("grid", "zip") and form.search is None:
            hint = "give it 'step', 'factor' or 'count', or draw points by 'combine'"
            yield axis.node.finding(f"axis '{axis.name}' has no levels", hint)


def _changes_machine(axis: Axis) -> bool:
    """Whether some level of an axis is another machine than others."""
    return axis.key == "set" or any(
        {"set", "machine"} & level.changes.keys() for level in axis.levels
    )


def _base_level(axes: Sequence[Axis], name: str, label: Any, node: Node) -> Level:
    known = {axis.name: axis for axis in axes}
    if name not in known:
        raise InputError(node.finding(f"there is no axis '{name}'", nearest(name, known), key=name))
    found = known[name].level_called(label)
    if found is None:
        labels = [str(level.label) for level in known[name].levels]
        message = f"axis '{name}' has no level {label!r}"
        raise InputError(node.value[name].finding(message, nearest(str(label), labels)))
    return found


def _axis(name: str, form: AxisForm, node: Node) -> Axis:
    """An axis with its levels."""
    [key] = form.changes
    given = getattr(form, key)
    targets = tuple([given] if isinstance(given, str) else given) if key in VALUED else ()
    if key in VALUED and not targets:
        raise InputError(node.finding(f"axis '{name}' changes nothing: '{key}' is empty"))
    span, levels = None, []
    if key in VALUED and form.values is None:
        try:
            values = form.range().levels()
            span = form.range().span() if values is None else None
        except InputError as error:
            raise located(error, node) from None
        levels = [_valued(key, targets, value) for value in values or ()]
    elif key in VALUED:
        levels = [_valued(key, targets, value) for value in form.values]
    elif key == "levels":
        written = {n: level.model_dump(exclude_unset=True) for n, level in given.items()}
        levels = [Level(n, None, changes) for n, changes in written.items()]
    elif isinstance(given, dict):
        levels = [Level(n, None, {key: value}) for n, value in given.items()]
    else:
        levels = [Level(value, None, {key: value}) for value in given]
    if span is None and not levels:
        raise InputError(node.finding(f"axis '{name}' has no levels"))
    _check_levels(name, key, levels, node)
    return Axis(name, key, targets, tuple(levels), span, node)


def _check_levels(name: str, key: str, levels: Sequence[Level], node: Node) -> None:
    """Raise InputError for levels that are called alike, or of a wrong type."""
    known: dict[Any, Level] = {}
    for level in levels:
        names = tuple(_names(level))
        twice = next((known[one] for one in names if one in known), None)
        known |= dict.fromkeys(names, level)
        if twice is not None:
            both = " and ".join(json.dumps(one.label) for one in (twice, level))
            raise InputError(node.finding(f"axis '{name}' has a level twice: {both}"))
        is_odd = isinstance(level.label, str) and not level.label.isprintable()
        if is_odd or not _is_finite(level.label) or not _is_finite(level.changes):
            message = f"axis '{name}': {level.label!r} cannot be what a level is called"
            raise InputError(node.finding(message))
    for level in levels:
        value = level.changes.get(key)
        if key in ("machine", "workload", "variant") and not (isinstance(value, str) and value):
            raise InputError(node.finding(f"axis '{name}': {value!r} is no name of a {key}"))
        if key == "passes" and not isinstance(value, str | list):
            raise InputError(node.finding(f"axis '{name}': {value!r} is no list of passes"))
        if key == "seed":
            seed = level.label
            if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < NEXT_ARRAY:
                raise InputError(node.finding(f"axis '{name}': {seed!r} is no seed"))
        paths = level.changes.get("set", {})
        if any(path != path.strip() for path in paths):
            raise InputError(node.finding(f"axis '{name}': a field's name has no blanks around it"))


def _is_finite(value: Any) -> bool:
    """Whether all numbers in a value are: there is no JSON of others, and nan is not equal to
    itself."""
    try:
        json.dumps(value, allow_nan=False, default=str)
    except ValueError:
        return False
    return True


def _names(level: Level) -> Iterator[Any]:
    """All by which a level is known; two that share one are called alike, or are as much of the
    same quantity."""
    yield level.label
    yield "written", str(level.label)
    number = number_of(level.label) if level.number is not None else None
    if number is not None:
        yield number.quantity, number.exact


def _valued(key: str, targets: Sequence[str], value: Any) -> Level:
    """The level of a value: it changes each target to it; of seeds each has its own."""
    if key == "seed" and isinstance(value, int):
        changes = {"seeds": {name: value + k * NEXT_ARRAY for k, name in enumerate(targets)}}
    else:
        changes = {{"argument": "arguments"}.get(key, key): dict.fromkeys(targets, value)}
    number = number_of(value)
    label = value if isinstance(value, str | int | float) else json.dumps(value)
    return Level(label, None if number is None else number.base, changes)
