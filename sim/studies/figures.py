"""Figures of a result by name, and those that a study derives of them.

    cycles, seconds, the kind's counters, the reasons of its breakdown, the axes that have numbers,
    of each roof the part that was used of what there is: of_peak_DRAM, of_peak_f32;
    of machines with a table of energy: energy (joules), edp (joule seconds), area (mm2)

A character that no name of an expression has ('.') is '_'.  With `base`, `base_NAME` is the figure
of the point that this one is compared with.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, InputError, nearest
from sim.results.vocabulary import vocabularies
from sim.studies.study_file import Study
from sim.workload.expressions import (
    CONSTANTS,
    Expression,
    can_be_named,
    evaluate,
    parse_node,
)
from sim.workload.functions import FUNCTIONS

CYCLES, SECONDS = "cycles", "seconds"
ENERGY, EDP, AREA = "energy", "edp", "area"
BASE = "base_"
MOST_EXACT = 1 << 63
"""Whole numbers from here on are floats: tables of other tools hold no larger ones."""
COLUMNS = ("status", "diagnostics")
"""Of every table, beside axes and figures."""
TAKEN = "letters, digits, _; no figure, function or column has the name, and none begins with base_"
FIGURES = "a figure, or an axis that has numbers"
Figures = dict[str, Any]


def identifier(name: str) -> str:
    """The name of a counter or reason in expressions."""
    return re.sub(r"\W", "_", name)


def figures_of(document: Mapping[str, Any]) -> Figures:
    """The figures of a result; where a counter and a reason are called alike, the counter."""
    clock = document["clock_hz"]
    return {
        **_of_energy(document.get("energy")),
        **{of_peak(one["name"]): one["part"] for one in _used(document)},
        **{identifier(name): value for name, value in document["breakdown"].items()},
        **{identifier(name): value for name, value in document["counters"].items()},
        CYCLES: document["cycles"],
        SECONDS: document["cycles"] / clock,
    }


def _used(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What was used of roofs that there are (see `sim.results.roofline`)."""
    for part in ("operations", "levels"):
        for one in document.get("roofline", {}).get(part, ()):
            if one["part"] is not None:
                yield one


def _of_energy(estimate: Mapping[str, Any] | None) -> Figures:
    """What is estimated of a result, if anything is."""
    if estimate is None:
        return {}
    found = {ENERGY: estimate["picojoules"] * 1e-12, EDP: estimate["joule_seconds"]}
    if "square_millimetres" in estimate:
        found[AREA] = estimate["square_millimetres"]
    return found


def of_peak(name: str) -> str:
    """The figure of a roof: the part of it that was used.

    >>> of_peak("tensor f16")
    'of_peak_tensor_f16'
    """
    return f"of_peak_{identifier(name)}"


def names_of_figures() -> list[str]:
    """Those that results of some kind of machine have."""
    known = vocabularies().values()
    words = [word.name for one in known for word in (*one.counters, *one.reasons)]
    roofs = [name for one in known if one.roofline is not None for name in one.roofline.names()]
    own = (CYCLES, SECONDS, ENERGY, EDP, AREA)
    return list(dict.fromkeys([*own, *map(identifier, words), *map(of_peak, roofs)]))


class Derived:
    """The derived figures of a study; raises InputError for what they are not to say."""

    def __init__(self, study: Study):
        self._expressions: dict[str, Expression] = {}
        figures = names_of_figures()
        axes = [axis.name for axis in study.axes]
        numbered = [axis.name for axis in study.axes if axis.has_numbers]
        findings = [
            study.tree.value["axes"].finding(f"an axis cannot be called '{name}'", TAKEN, key=name)
            for name in axes
            if _is_taken(name, figures)
        ]
        for name, node in _nodes(study, "derive").items():
            if not can_be_named(name) or name in axes or _is_taken(name, figures):
                message = f"'{name}' cannot be the name of a derived figure"
                findings.append(study.tree.value["derive"].finding(message, TAKEN, key=name))
                continue
            known = [*figures, *self._expressions]
            based = [BASE + one for one in known] if study.base else []
            try:
                self._expressions[name] = parse_node(node, [*numbered, *known, *based], FIGURES)
            except InputError as error:
                findings += error.diagnostics
        self.shown = study.form.show or [CYCLES, *self._expressions]
        known = [*figures, *self._expressions]
        for key in ("show", "more_is_better", "less_is_better"):
            findings += _unknown(study, key, known)
        for k, name in enumerate(study.form.less_is_better):
            if name in study.form.more_is_better:
                node = study.tree.value["less_is_better"].value[k]
                findings.append(node.finding(f"more and less of '{name}' cannot both be better"))
        if findings:
            raise InputError(findings)

    @property
    def expressions(self) -> Mapping[str, Expression]:
        """How each is derived."""
        return self._expressions

    @property
    def names(self) -> list[str]:
        return list(self._expressions)

    def add(self, figures: Figures, numbers: Mapping[str, float], base: Figures | None) -> Figures:
        """The figures with the derived ones; what cannot be computed is None.

        base  all figures of the point that this one is compared with
        """
        found = dict(figures)
        based = {BASE + name: value for name, value in (base or {}).items()}
        for name, expression in self._expressions.items():
            found[name] = value_of(expression, {**found, **based, **numbers})
        return found


def value_of(expression: Expression, known: Mapping[str, Any]) -> int | float | None:
    """An expression's value: None where something that it names is not there, or if it comes to no
    finite number."""
    arrays = {name: np.asarray(value) for name, value in known.items() if value is not None}
    if not names_in(expression) <= arrays.keys():
        return None
    try:
        value = np.asarray(evaluate(expression, arrays).value)
    except InputError:  # a whole number divided by 0
        return None
    if value.size != 1:
        return None
    number = value.item()
    if isinstance(number, int) and abs(number) < MOST_EXACT:
        return int(number)
    try:
        number = float(number)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _is_taken(name: str, figures: Collection[str]) -> bool:
    """Whether a name means something already, in expressions or in tables."""
    is_word = name in (*COLUMNS, *CONSTANTS, *FUNCTIONS) or name.startswith(BASE)
    return is_word or name in figures


def names_in(expression: Expression) -> set[str]:
    """The names of figures and axes in an expression."""
    names = {node.id for node in ast.walk(expression.tree) if isinstance(node, ast.Name)}
    return names - CONSTANTS.keys() - FUNCTIONS.keys()


def _unknown(study: Study, key: str, known: Sequence[str]) -> Iterator[Diagnostic]:
    """What is wrong in a list of figures."""
    names = getattr(study.form, key)
    for k, name in enumerate(names):
        if name not in known:
            node = study.tree.value[key].value[k]
            yield node.finding(f"there is no figure '{name}'", nearest(name, known))
        elif name in names[:k]:
            yield study.tree.value[key].value[k].finding(f"'{name}' stands there twice")


def _nodes(study: Study, key: str) -> dict[str, Node]:
    node = study.tree.value.get(key)
    return node.value if node is not None else {}
