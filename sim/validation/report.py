"""The comparison as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from sim.validation.comparison import Comparison
from sim.validation.judging import (
    Compared,
    Ladder,
    Summary,
    by_class,
    by_mechanism,
    ladders,
    summary,
)

HEADINGS = {
    "chosen_by": "figures were chosen by these",
    "held_out": "held out",
    "never_looked_at": "never looked at",
}


def report_lines(comparison: Comparison) -> Iterator[str]:
    """Tables of errors by class and by mechanism, the order of ladders, what differs, what has
    nothing to compare with, and what did not run."""
    compared = comparison.compared
    classes = {name: group for name, group in by_class(compared).items() if group}
    for name, group in classes.items():
        yield HEADINGS[name]
        yield from _figures(group)
        yield f"  {_sentence(summary(group))}"
    if len(classes) > 1:
        yield f"all {_sentence(summary(compared))}"
    yield from _table_of_mechanisms(by_mechanism(comparison.suite, compared))
    yield from _table_of_ladders(list(ladders(comparison.suite, compared)))
    others = {one.benchmark.name: ", ".join(one.differing) for one in compared if one.differing}
    yield from _listed("arrays that are not those measured", others)
    missing = {name: f"{value:10.2f}" for name, value in comparison.missing.items()}
    yield from _listed("nothing to compare with", missing)
    yield from _listed("did not run to their end", dict(_by_reason(comparison.broken)))


def _figures(group: Sequence[Compared]) -> Iterator[str]:
    width = max(len(one.benchmark.name) for one in group)
    for one in group:
        form = one.benchmark.form
        yield (
            f"  {one.benchmark.name:{width}}  {one.simulated:10.2f}  {one.measured:10.2f}"
            f"  {100 * one.error:+7.1f} %  {form.unit:6}  {form.mechanism or ''}"
        ).rstrip()


def _sentence(found: Summary) -> str:
    if found.benchmarks == 1:
        return f"1 benchmark: absolute error {found.mean:.1f} %"
    low, high = found.interval
    said = (
        f"{found.benchmarks} benchmarks: mean absolute error {found.mean:.1f} % ({low:.1f} to "
        f"{high:.1f}), median {found.median:.1f} %"
    )
    if isnan(found.correlation):
        return said
    return f"{said}, correlation of logarithms {found.correlation:.4f}"


def _table_of_mechanisms(groups: Mapping[str, Sequence[Compared]]) -> Iterator[str]:
    if not groups:
        return
    heading = "by mechanism"
    width = max(len(heading) - 2, *map(len, groups))
    yield f"{heading:{width + 2}}  number     mean   median  largest"
    for name, group in groups.items():
        found = summary(group)
        yield (
            f"  {name:{width}}  {found.benchmarks:6}  {found.mean:5.1f} %  {found.median:5.1f} %"
            f"  {found.largest:5.1f} %"
        )


def _table_of_ladders(found: Sequence[Ladder]) -> Iterator[str]:
    if not found:
        return
    pairs, kept = sum(one.pairs for one in found), sum(one.kept for one in found)
    yield f"versions of one kernel: {kept} of {pairs} pairs in the measured order"
    width = max(len(one.name) for one in found)
    for one in found:
        line = f"  {one.name:{width}}  {one.kept} of {one.pairs}"
        if one.kept < one.pairs:
            line += f"  measured {' < '.join(one.measured)}; here {' < '.join(one.simulated)}"
        yield line


def _by_reason(broken: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every reason once, with who has it."""
    for reason in dict.fromkeys(broken.values()):
        names = [name for name, own in broken.items() if own == reason]
        others = f" and {len(names) - 1} others" if len(names) > 2 else ""
        yield names[0] + (others or "".join(f", {name}" for name in names[1:])), reason


def _listed(heading: str, texts: Mapping[str, str]) -> Iterator[str]:
    if not texts:
        return
    yield heading
    width = max(map(len, texts))
    for name, text in texts.items():
        yield f"  {name:{width}}  {text}".replace("\n", "\n" + " " * (width + 4))


def as_content(comparison: Comparison) -> dict[str, Any]:
    """The same as plain data: a group for every class, and the summaries of all and of every
    mechanism."""
    compared = comparison.compared
    return {
        **{
            name: {
                "figures": {one.benchmark.name: _figure(one) for one in group},
                **_summary(summary(group)),
            }
            for name, group in by_class(compared).items()
        },
        "all": _summary(summary(compared)),
        "mechanisms": {
            name: {"what": comparison.suite.mechanisms[name], **_summary(summary(group))}
            for name, group in by_mechanism(comparison.suite, compared).items()
        },
        "ladders": {
            one.name: {
                "measured": list(one.measured),
                "simulated": list(one.simulated),
                "pairs": one.pairs,
                "in_order": one.kept,
            }
            for one in ladders(comparison.suite, compared)
        },
        "arrays_that_differ": {
            one.benchmark.name: list(one.differing) for one in compared if one.differing
        },
        "nothing_to_compare_with": dict(comparison.missing),
        "did_not_run": dict(comparison.broken),
    }


def _figure(one: Compared) -> dict[str, Any]:
    return {
        "simulated": one.simulated,
        "measured": one.measured,
        "error": one.error,
        "unit": one.benchmark.form.unit,
        "mechanism": one.benchmark.form.mechanism,
    }


def _summary(found: Summary) -> dict[str, Any]:
    """Errors in percent; None where there are too few benchmarks."""
    figures = {
        "mape": found.mean,
        "median": found.median,
        "largest": found.largest,
        "low": found.interval[0],
        "high": found.interval[1],
        "correlation": found.correlation,
    }
    return {
        "benchmarks": found.benchmarks,
        **{name: None if isnan(value) else value for name, value in figures.items()},
    }
