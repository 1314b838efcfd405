"""The points of a study: which combinations of levels, and what is run for each.

plan = Plan(study, trust=False)
for point in plan.points: point.coordinates, point.setting
"""

from __future__ import annotations

import itertools
import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from machines.description.load import machine_names
from machines.description.strict_yaml import read_yaml
from machines.diagnostics import InputError, input_error, nearest
from sim.studies.figures import Derived, names_in
from sim.studies.study_file import BY_NAME, FIXED, MOST_POINTS, Axis, Label, Level, Study
from sim.workload.expressions import Expression, evaluate

if TYPE_CHECKING:
    from sim.studies.traces import PointTrace, Traces

MOST_COMBINED = 5 * MOST_POINTS
"""Combinations of levels, of which `where` may leave out some."""
_NEXT_AXIS = re.compile(r",(?=\s*\w+\s*=)")
"""Between two levels of a text that names a point; a label may have commas."""


@dataclass(frozen=True)
class Setting:
    """One run: all that says what runs, as data that another process can have.

    workload   path of its file or folder
    overrides  of the machine, as `--set` takes them
    arguments  in place of the workload's, as in its file
    seeds      of random arguments, by name
    base       whose program runs on this machine, None: it is compiled for it
    warm       the step of the host behind which it goes on from a state, if one is kept
    trace      what is to be written of its timeline
    """

    workload: str
    variant: str | None = None
    machine: str | None = None
    overrides: tuple[str, ...] = ()
    passes: Any = None
    arguments: Mapping[str, Any] | None = None
    seeds: Mapping[str, int] | None = None
    base: Setting | None = None
    cycle_limit: int | None = None
    trust: bool = False
    warm: int | None = None
    trace: PointTrace | None = None


@dataclass(frozen=True)
class Point:
    """A point: its level on each axis, by the axis' name, and the run."""

    levels: Mapping[str, Level]
    setting: Setting

    @property
    def coordinates(self) -> dict[str, Label]:
        return {name: level.label for name, level in self.levels.items()}

    @property
    def numbers(self) -> dict[str, float]:
        """Of the levels that have one, for expressions."""
        found = {name: level.number for name, level in self.levels.items()}
        return {name: number for name, number in found.items() if number is not None}

    @property
    def name(self) -> str:
        """Its coordinates as text, by which it is known in a store."""
        return json.dumps(self.coordinates)


@dataclass(frozen=True)
class Plan:
    """What a study runs; raises InputError where levels contradict each other.

    traces  what is to be written of the timelines of the points that run
    """

    study: Study
    trust: bool = False
    traces: Traces | None = None

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points that fulfil what they must, in order, each once; of a search none."""
        found: dict[str, Point] = {}
        if self.searches:
            return ()
        self._check_size()
        for levels in self._combinations():
            if not self.fulfils(levels):
                continue
            point = self.point(levels)
            found.setdefault(point.name, point)
            if len(found) > MOST_POINTS:
                raise self._too_many("points", MOST_POINTS, f"more than {MOST_POINTS}")
        return tuple(found.values())

    def _check_size(self) -> None:
        """Raises InputError for a grid of more levels than can be points, before any is made."""
        if self.study.form.combine == "grid":
            count = math.prod(len(axis.levels) for axis in self.study.axes)
            if self.study.where and count > MOST_COMBINED:
                raise self._too_many("combinations of levels", MOST_COMBINED, str(count))
            if not self.study.where and count > MOST_POINTS:
                raise self._too_many("points", MOST_POINTS, str(count))

    def _too_many(self, of_what: str, most: int, count: str) -> InputError:
        message = f"study {self.study.name} has {count} {of_what}, {most} at most are planned"
        hint = "draw some of them, 'combine: {latin_hypercube: 1000, seed: 1}', or 'search' for one"
        return input_error(message, hint=hint)

    @cached_property
    def bases(self) -> tuple[Point, ...]:
        """The points that these are compared with and that are none of them."""
        return self.bases_of(self.points)

    def bases_of(self, points: Sequence[Point]) -> tuple[Point, ...]:
        """The points that some are compared with and that are none of them, each once."""
        names = {point.name for point in points}
        bases = (self.base_of(point) for point in points if self.study.base)
        return tuple({base.name: base for base in bases if base.name not in names}.values())

    @cached_property
    def text(self) -> str:
        """All that the study says, however it is written."""
        return json.dumps(self.study.tree.plain(), default=str)

    @cached_property
    def drawn_for_nothing(self) -> int:
        """How many points that were drawn are equal to others, or do not fulfil what they must."""
        how = self.study.form.combine
        return 0 if isinstance(how, str) or self.searches else how.count - len(self.points)

    @property
    def searches(self) -> bool:
        """Whether it finds its points itself."""
        return self.study.form.search is not None

    @property
    def count(self) -> int:
        """How many points run, or trials of a search."""
        if self.searches:
            return self.study.form.search.trials
        return len(self.points) + len(self.bases)

    def point(self, levels: Mapping[str, Level]) -> Point:
        """The point of these levels.  A fixed program is that of the base's machine; all else is
        the point's own."""
        changes = self._changes(levels)
        setting = self._setting(changes)
        if changes.get("program") == FIXED:
            base = self._setting(self._changes({**levels, **self.study.base}))
            of_base = replace(setting, machine=base.machine, overrides=base.overrides)
            setting = replace(setting, base=of_base)
        point = Point(levels, setting)
        if self.traces is None:
            return point
        trace = self.traces.of(point.coordinates)
        return replace(point, setting=replace(setting, trace=trace))

    def point_called(self, coordinates: Mapping[str, Label]) -> Point | None:
        """The point of these labels; None if an axis has no such level, or there is no such
        axis."""
        levels = {
            axis.name: axis.level_called(coordinates.get(axis.name)) for axis in self.study.axes
        }
        if levels.keys() != coordinates.keys() or None in levels.values():
            return None
        return self.point(levels)

    def point_at(self, text: str) -> Point:
        """The point that a text names, 'l2=8 cycles,a=2.5'; of an axis that it does not name the
        first level.  Raises InputError for axes and levels that there are not."""
        axes = {axis.name: axis for axis in self.study.axes}
        levels = {name: axis.levels[0] for name, axis in axes.items() if axis.levels}
        named: set[str] = set()
        for part in _NEXT_AXIS.split(text) if text else ():
            name, equals, label = (word.strip() for word in part.partition("="))
            if name not in axes or not equals:
                raise input_error(f"'{part}' names no axis", hint=nearest(name, axes))
            if name in named:
                raise input_error(f"'{text}' names axis '{name}' twice")
            named.add(name)
            known = {str(level.label): level for level in axes[name].levels}
            level = known.get(label) or axes[name].level_called(read_yaml(label, part).plain())
            if level is None:
                message = f"axis '{name}' has no level '{label}'"
                raise input_error(message, hint=nearest(label, known))
            levels[name] = level
        missing = [name for name in axes if name not in levels]
        if missing:
            raise input_error(f"'{text}' says nothing of axis '{missing[0]}'")
        return self.point({name: levels[name] for name in axes})

    def base_of(self, point: Point) -> Point | None:
        """The point that another one is compared with, if the study names one."""
        if not self.study.base:
            return None
        return self.point({**point.levels, **self.study.base})

    def _combinations(self) -> Iterator[dict[str, Level]]:
        axes, how = self.study.axes, self.study.form.combine
        names = [axis.name for axis in axes]
        if how == "zip":
            for levels in zip(*(axis.levels for axis in axes), strict=True):
                yield dict(zip(names, levels, strict=True))
        elif how == "grid":
            for levels in itertools.product(*(axis.levels for axis in axes)):
                yield dict(zip(names, levels, strict=True))
        else:
            shares = _shares(how.count, len(axes), how.seed, is_cut=how.random is None)
            for row in shares:
                yield {a.name: level_at(a, share) for a, share in zip(axes, row, strict=True)}

    def fulfils(self, levels: Mapping[str, Level]) -> bool:
        """Whether levels fulfil what points must; raises InputError where a condition is neither
        true nor false."""
        return all(self._holds(one, levels) for one in self.study.where)

    def is_to_be_refused(self, levels: Mapping[str, Level]) -> bool:
        """Whether the study says that a point with these levels is refused; raises InputError as
        `fulfils` does."""
        return any(self._holds(one, levels) for one in self.study.refused)

    def _holds(self, condition: Expression, levels: Mapping[str, Level]) -> bool:
        """Whether a condition does; it is asked once for the levels of the axes that it names."""
        names, asked = self._conditions[condition.text]
        numbers = tuple(levels[name].number for name in names)
        key = numbers, tuple(map(type, numbers))
        if key not in asked:
            asked[key] = is_true(condition, _numbers(levels))
        return asked[key]

    @cached_property
    def _conditions(self) -> dict[str, tuple[list[str], dict[Any, bool]]]:
        """Of each condition the axes that it names, and what it was for their levels."""
        conditions = (*self.study.where, *self.study.refused)
        return {one.text: (sorted(names_in(one)), {}) for one in conditions}

    def _changes(self, levels: Mapping[str, Level]) -> dict[str, Any]:
        """All that levels change, with what is other in all points."""
        merged: dict[str, Any] = {}
        for owner, changes in [(None, self.study.common)] + [
            (name, level.changes) for name, level in levels.items()
        ]:
            for key, value in changes.items():
                self._check(owner, key, value, levels)
                merged[key] = {**merged.get(key, {}), **value} if key in BY_NAME else value
        return merged

    def _check(self, owner: str | None, key: str, value: Any, levels: Mapping[str, Level]) -> None:
        """Two axes that change the same would hide one another."""
        for other, level in levels.items() if owner is not None else ():
            if other == owner or key not in level.changes:
                continue
            names = (value, level.changes[key]) if key in BY_NAME else ((key,), (key,))
            both = [one for one in names[0] if any(_overlap(one, two) for two in names[1])]
            if both:
                node = self.study.tree.value["axes"]
                message = f"axes '{other}' and '{owner}' both change '{min(both)}'"
                raise InputError(node.finding(message, key=owner))

    @cached_property
    def _machines(self) -> frozenset[str]:
        """Names that are no files; a look into folders, and not one for each point."""
        return frozenset(machine_names())

    @cached_property
    def _paths(self) -> dict[str, str]:
        """Of files that are named; a look into folders, and not one for each point."""
        return {}

    def _path_of(self, name: str) -> str:
        if name not in self._paths:
            self._paths[name] = _below(self.study.folder, name)
        return self._paths[name]

    def _setting(self, changes: Mapping[str, Any]) -> Setting:
        folder, limits = self.study.folder, self.study.form.limits
        machine, arguments = changes.get("machine"), changes.get("arguments")
        if machine is not None and machine not in self._machines:
            machine = self._path_of(machine) if _is_file(machine) else machine
        return Setting(
            workload=self._path_of(changes["workload"]),
            variant=changes.get("variant"),
            machine=machine,
            overrides=tuple(f"{k}={_written(v)}" for k, v in changes.get("set", {}).items()),
            passes=changes.get("passes"),
            arguments=_beside(arguments, folder) if arguments else None,
            seeds=changes.get("seeds"),
            cycle_limit=limits.cycles if limits else None,
            trust=self.trust,
            warm=self.study.form.warm.until if self.study.form.warm else None,
        )


def plan_of(study: Study, trust: bool = False) -> Plan:
    """The plan of a study, with everything about it checked that can be without running; raises
    InputError."""
    plan = Plan(study, trust)
    Derived(study)
    if not plan.points and not plan.searches:
        raise input_error(f"study {study.name} has no points", hint="'where' leaves none")
    return plan


def _numbers(levels: Mapping[str, Level]) -> dict[str, np.ndarray]:
    """Of the levels that have one."""
    numbers = {name: level.number for name, level in levels.items()}
    return {name: np.asarray(n) for name, n in numbers.items() if n is not None}


def is_true(expression: Expression, known: Mapping[str, np.ndarray]) -> bool:
    """Whether a condition holds; raises InputError at one that is neither true nor false."""
    value = np.asarray(evaluate(expression, known).value)
    if value.size != 1 or value.item() not in (0, 1):
        where = ", ".join(f"{name} {found}" for name, found in known.items())
        message = f"this is neither true nor false, where {where}"
        raise expression.refuse(expression.tree, message, "write a comparison, like l2 < 9")
    return bool(value.item())


def _overlap(one: str, other: str) -> bool:
    """Whether two names are of the same, or of a field and one within it."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def level_at(axis: Axis, share: Fraction) -> Level:
    """The level of an axis that a share in [0, 1) draws; each by an equal part of that."""
    if axis.span is not None:
        return axis.level(axis.span.drawn(share))
    return axis.levels[int(share * len(axis.levels))]


def _shares(count: int, axes: int, seed: int, is_cut: bool) -> Iterator[list[Fraction]]:
    """`count` rows of `axes` in [0, 1): uniform; or in each column one of each of `count` strata,
    exactly (a sum of floats may lie in the next one)."""
    generator = np.random.default_rng(seed)
    drawn = generator.random((count, axes))
    strata = np.zeros((count, axes), np.int64)
    if is_cut:
        strata = np.stack([generator.permutation(count) for _ in range(axes)], axis=1)
    parts = count if is_cut else 1
    for row, shares in zip(strata.tolist(), drawn.tolist(), strict=True):
        yield [(s + Fraction(share)) / parts for s, share in zip(row, shares, strict=True)]


def _below(folder: Path, name: str) -> str:
    """The path of a file that is named in a file of a folder, without '..' where no link is on the
    way, behind which that leads elsewhere."""
    path = os.path.join(folder, name)
    short = os.path.normpath(path)
    return short if os.path.realpath(short) == os.path.realpath(path) else path


def _is_file(name: str) -> bool:
    return name.endswith((".yaml", ".yml")) or "/" in name


def _written(value: Any) -> str:
    """A value as an override writes it."""
    return value if isinstance(value, str) else json.dumps(value)


def _beside(value: Any, folder: Path) -> Any:
    """The data of an argument, with files that are beside the study."""
    if isinstance(value, dict):
        return {
            key: str((folder / inner).absolute())
            if key == "file" and isinstance(inner, str)
            else _beside(inner, folder)
            for key, inner in value.items()
        }
    return [_beside(one, folder) for one in value] if isinstance(value, list) else value
