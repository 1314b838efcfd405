"""What `benchmarks.yaml` says: benchmarks, the mechanisms that they show, ladders of versions.

    mechanisms:
      merges: "loads of a sector that is on its way"
    ladders:
      transpose_1024: [transpose_naive_1024, transpose_tiled_1024]
    transpose.yaml:
      transpose_naive_1024: {value: kernel, unit: us, class: held_out}

A ladder has versions of one kernel, of which it is known on hardware which is the faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import Field, model_validator

from machines.description.strict_yaml import Node, read_yaml_file
from machines.description.validation import check
from machines.diagnostics import Diagnostic, InputError, input_error, nearest
from sim.forms import Form
from sim.results.result import Result

MANIFEST = "benchmarks.yaml"
CLOCK_ARRAY = "cycles"
"""The argument in which a kernel leaves what it read off the clock."""
MECHANISMS, LADDERS = "mechanisms", "ladders"
"""Keys of the file that name no workload."""

Class = Literal["chosen_by", "held_out", "never_looked_at"]
CLASSES: tuple[str, ...] = get_args(Class)
"""A benchmark chose figures of a machine or rules of a model; it was looked at but chose none; or
its error was seen for the first time when nothing could be changed any more."""


class BenchmarkForm(Form):
    """What one benchmark measures."""

    value: Literal["clock", "kernel"] = Field(
        description="clock: what the kernel read off the clock; kernel: its last launch's cycles."
    )
    per: int = Field(1, ge=1, description="The figure is the value divided by this; bytes at GB/s.")
    unit: Literal["cycles", "us", "GB/s"] = Field("cycles", description="Unit of the figure.")
    published: float | None = Field(None, gt=0, description="What is published, in the unit.")
    source: str = Field("", description="Where it is published.")
    group: Class | None = Field(
        None,
        alias="class",
        description="chosen_by (else that): figures were; held_out: none was; never_looked_at.",
    )
    held_out: bool = Field(False, description="Another way to say `class: held_out`.")
    mechanism: str | None = Field(None, description="What it shows, of the file's mechanisms.")
    shows: str = Field("", description="What it does, in a sentence.")

    @model_validator(mode="after")
    def _one_class(self) -> BenchmarkForm:
        if self.held_out and self.group not in (None, "held_out"):
            raise ValueError(f"it is held out, and its class is {self.group}")
        return self

    @property
    def class_(self) -> str:
        """One of CLASSES; a benchmark of which nothing is said may have chosen figures."""
        return self.group or ("held_out" if self.held_out else "chosen_by")

    def figure(self, cycles: float, clock: int) -> float:
        """The figure of a number of cycles of a clock in hertz."""
        if self.unit == "cycles":
            return cycles / self.per
        if self.unit == "us":
            return cycles / clock * 1e6 / self.per
        return self.per / (cycles / clock) / 1e9


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: the workload's file, the variant, and what is measured."""

    name: str
    workload: Path
    form: BenchmarkForm

    def simulated(self, result: Result) -> float:
        """The figure of a run."""
        if self.form.value == "clock":
            cycles = float(result.outputs[CLOCK_ARRAY][0])
        else:
            last = result.steps[-1]
            cycles = last["end"] - last["begin"]
        return self.form.figure(cycles, result.clock)


@dataclass(frozen=True)
class Suite:
    """A folder of benchmarks.

    mechanisms  a sentence by name
    ladders     names of benchmarks, versions of one kernel, by the ladder's name
    """

    benchmarks: tuple[Benchmark, ...]
    mechanisms: Mapping[str, str]
    ladders: Mapping[str, tuple[str, ...]]

    def chosen(
        self, names: Sequence[str], mechanisms: Sequence[str], classes: Sequence[str]
    ) -> list[Benchmark]:
        """The benchmarks of any of these names, mechanisms and classes, where some are given;
        raises InputError for a name that none has."""
        _known("benchmark", names, [one.name for one in self.benchmarks])
        _known("mechanism", mechanisms, self.mechanisms)
        _known("class", classes, CLASSES)
        return [
            one
            for one in self.benchmarks
            if (not names or one.name in names)
            and (not mechanisms or one.form.mechanism in mechanisms)
            and (not classes or one.form.class_ in classes)
        ]


def _known(what: str, names: Sequence[str], valid: Any) -> None:
    for name in names:
        if name not in valid:
            raise input_error(f"there is no {what} '{name}'", hint=nearest(name, valid))


def read_suite(folder: Path) -> Suite:
    """The benchmarks of a folder; raises InputError with every finding."""
    tree = read_yaml_file(folder / MANIFEST)
    if not isinstance(tree.value, dict):
        raise InputError(tree.finding("expected workloads and their benchmarks"))
    findings: list[Diagnostic] = []
    mechanisms = dict(_mechanisms(tree.value.get(MECHANISMS), findings))
    found: dict[str, Benchmark] = {}
    for workload, variants in tree.value.items():
        if workload in (MECHANISMS, LADDERS):
            continue
        path = folder / workload
        if path.suffix != ".yaml":
            path /= "workload.yaml"
        if not path.is_file():
            findings.append(tree.finding(f"there is no workload {path}", key=workload))
            continue
        for one, node in _of_workload(path, variants, mechanisms, findings):
            if one.name in found:
                findings.append(node.finding(f"there is a benchmark '{one.name}' already"))
            found[one.name] = one
    ladders = dict(_ladders(tree.value.get(LADDERS), found, findings))
    if findings:
        raise InputError(findings)
    return Suite(tuple(found.values()), mechanisms, ladders)


def _mechanisms(node: Node | None, findings: list[Diagnostic]) -> Iterator[tuple[str, str]]:
    if node is None:
        return
    if not isinstance(node.value, dict):
        findings.append(node.finding("expected mechanisms and a sentence for each"))
        return
    for name, sentence in node.value.items():
        if not isinstance(sentence.value, str):
            findings.append(sentence.finding("expected a sentence"))
        yield name, str(sentence.value)


def _of_workload(
    path: Path, variants: Node, mechanisms: Mapping[str, str], findings: list[Diagnostic]
) -> Iterator[tuple[Benchmark, Node]]:
    if not isinstance(variants.value, dict):
        findings.append(variants.finding("expected variants of the workload"))
        return
    for variant, node in variants.value.items():
        form, wrong = check(BenchmarkForm, node)
        findings += wrong
        if form is None:
            continue
        if form.mechanism is not None and form.mechanism not in mechanisms:
            message = f"there is no mechanism '{form.mechanism}'"
            hint = nearest(form.mechanism, mechanisms)
            if not mechanisms:
                hint = f"name it, with a sentence, under '{MECHANISMS}:' of this file"
            findings.append(node.value["mechanism"].finding(message, hint=hint))
        yield Benchmark(variant, path, form), node


def _ladders(
    node: Node | None, benchmarks: Mapping[str, Benchmark], findings: list[Diagnostic]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every ladder; a finding for who is no benchmark, stands twice, or has another unit."""
    if node is None:
        return
    if not isinstance(node.value, dict):
        findings.append(node.finding("expected ladders, each a list of benchmarks"))
        return
    for ladder, steps in node.value.items():
        if not isinstance(steps.value, list) or len(steps.value) < 2:
            findings.append(steps.finding("expected a list of at least two benchmarks"))
            continue
        names: list[str] = []
        for step in steps.value:
            name = str(step.value)
            if name not in benchmarks:
                hint = nearest(name, benchmarks)
                findings.append(step.finding(f"there is no benchmark '{name}'", hint=hint))
            elif name in names:
                findings.append(step.finding(f"'{name}' stands in this ladder already"))
            elif names and benchmarks[names[0]].form.unit != benchmarks[name].form.unit:
                findings.append(step.finding(f"'{name}' has another unit than '{names[0]}'"))
            else:
                names.append(name)
        yield ladder, tuple(names)
