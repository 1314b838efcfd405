"""What each rule of the model or of the code generator brings: errors with it, and without.

    python -m workloads.validation.features workloads/validation/probes h100
    python -m workloads.validation.features workloads/validation/kernels h200 --whole --jobs 2

Every rule is judged by the benchmarks that it is about, or by all (`--whole`).  It is switched off
by fields of the machine or by passes that are left out: `features.yaml` says how, and which
mechanisms of a suite it is about.  The table is Markdown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import Field

from machines.description.strict_yaml import read_yaml_file
from machines.description.validation import check
from machines.diagnostics import InputError, input_error, nearest
from sim.forms import Form
from sim.options import pass_list
from sim.validation.benchmarks import Benchmark, Suite, read_suite
from sim.validation.comparison import Comparison
from sim.validation.judging import Summary, summary
from sim.validation.measured import Measured, read_measured
from sim.validation.running import Settings, run_all

FILE = Path(__file__).parent / "features.yaml"


class FeatureForm(Form):
    """How a rule is switched off."""

    what: str = Field(description="The rule, in a sentence.")
    mechanisms: list[str] = Field(
        default_factory=list, description="Of suites: which benchmarks it moves."
    )
    overrides: list[str] = Field(
        default_factory=list, alias="set", description="Fields of a machine, as for --set."
    )
    passes: str | None = Field(None, description="Passes, as for --passes.")


def read_features(file: Path = FILE) -> dict[str, FeatureForm]:
    """The rules by name; raises InputError with every finding."""
    tree, found, findings = read_yaml_file(file), {}, []
    if not isinstance(tree.value, dict):
        raise InputError(tree.finding("expected rules by name"))
    for name, node in tree.value.items():
        form, wrong = check(FeatureForm, node)
        findings += wrong
        if form is not None and not (form.overrides or form.passes):
            findings.append(node.finding(f"'{name}' says neither fields nor passes", key=name))
        found[name] = form
    if findings:
        raise InputError(findings)
    return found


def errors(
    suite: Suite, chosen: Sequence[Benchmark], measured: Mapping[str, Measured],
    settings: Settings, jobs: int,
) -> Comparison:  # fmt: skip
    """What these benchmarks give."""
    comparison = Comparison(suite)
    for ran in run_all(chosen, measured, settings, jobs):
        comparison.note(ran, measured.get(ran.benchmark.name))
    return comparison


def table(
    suite: Suite, measured: Mapping[str, Measured], machine: str, whole: bool, jobs: int,
    features: Mapping[str, FeatureForm],
) -> Iterator[str]:  # fmt: skip
    """Its lines: mean and largest error of the benchmarks that a rule is about, without and with
    it."""
    with_all = errors(suite, suite.benchmarks, measured, Settings(machine), jobs)
    figures = {one.benchmark.name: one for one in with_all.compared}
    yield "| rule | benchmarks | without it | with it |"
    yield "| --- | ---: | ---: | ---: |"
    for form in features.values():
        mechanisms = [name for name in form.mechanisms if name in suite.mechanisms]
        if not mechanisms and not whole:
            continue
        chosen = suite.benchmarks if whole else suite.chosen((), mechanisms, ())
        passes = None if form.passes is None else tuple(pass_list(form.passes))
        off = Settings(machine, tuple(form.overrides), passes)
        without = errors(suite, chosen, measured, off, jobs)
        there = [figures[one.name] for one in chosen if one.name in figures]
        yield f"| {form.what} | {len(there)} | {_said(without)} | {_shown(summary(there))} |"
    yield f"| all | {len(figures)} | | {_shown(summary(with_all.compared))} |"


def _said(comparison: Comparison) -> str:
    """What became of a rule's benchmarks; of those that do not run without it, why."""
    if comparison.broken:
        return next(iter(comparison.broken.values())).splitlines()[0]
    return _shown(summary(comparison.compared))


def _shown(found: Summary) -> str:
    return f"{found.mean:.1f} % (largest {found.largest:.0f} %)"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m workloads.validation.features")
    parser.add_argument("folder", type=Path, help="a suite with MACHINE.json beside it")
    parser.add_argument("machine")
    parser.add_argument("--only", action="append", metavar="RULE")
    parser.add_argument("--whole", action="store_true", help="all benchmarks for every rule")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    try:
        suite = read_suite(given.folder)
        measured = read_measured(given.folder / f"{given.machine}.json")
        features = read_features()
        for name in given.only or ():
            if name not in features:
                raise input_error(f"there is no rule '{name}'", hint=nearest(name, features))
        features = {name: features[name] for name in given.only or features}
        for line in table(suite, measured, given.machine, given.whole, given.jobs, features):
            print(line, flush=True)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
