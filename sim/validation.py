"""Simulated against measured: benchmarks that run on a machine here and on hardware elsewhere.

    simrun validate workloads/validation                      # against what is published
    simrun validate workloads/validation --against h200.json  # against what a GPU measured

A folder of benchmarks has `benchmarks.yaml`, which says for each variant of the workloads beside it
what its figure is.  Errors are |simulated - measured| / measured; benchmarks that are held out,
which no figure of a machine was chosen by, are reported apart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from machines.description.strict_yaml import Node, read_yaml_file
from machines.description.validation import validate
from machines.diagnostics import InputError, input_error
from machines.reading import MOST_RECORDED, read_text
from sim.forms import Form
from sim.results.result import Result

MANIFEST = "benchmarks.yaml"
CLOCK_ARRAY = "cycles"
"""The argument in which a kernel leaves what it read off the clock."""


class BenchmarkForm(Form):
    """What one benchmark measures."""

    value: Literal["clock", "kernel"] = Field(
        description="clock: what the kernel read off the clock; kernel: its last launch's cycles."
    )
    per: int = Field(1, ge=1, description="The figure is the value divided by this; bytes at GB/s.")
    unit: Literal["cycles", "us", "GB/s"] = Field("cycles", description="Unit of the figure.")
    published: float | None = Field(None, gt=0, description="What is published, in the unit.")
    source: str = Field("", description="Where it is published.")
    held_out: bool = Field(False, description="Whether no machine's figure was chosen by it.")

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

    def differing(self, result: Result, digests: Mapping[str, str]) -> tuple[str, ...]:
        """The arrays that a run left otherwise than was measured.  Those of a benchmark that reads
        the clock hold cycles and addresses, and are not looked at."""
        if self.form.value == "clock":
            return ()
        outputs = {name: digest_of(array) for name, array in result.outputs.items()}
        return tuple(n for n, digest in digests.items() if outputs.get(n, digest) != digest)


@dataclass(frozen=True)
class Measured:
    """What hardware said of a benchmark: its figure, and digests of the arrays it left."""

    value: float
    outputs: Mapping[str, str]


@dataclass(frozen=True)
class Compared:
    """One benchmark's figures; `measured` is published or from hardware, whose arrays named in
    `differing` are not the simulated ones."""

    benchmark: Benchmark
    simulated: float
    measured: float
    differing: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Signed, as a fraction of what was measured."""
        return (self.simulated - self.measured) / self.measured


def read_benchmarks(folder: Path) -> list[Benchmark]:
    """The benchmarks of a folder; raises InputError with every finding."""
    tree = read_yaml_file(folder / MANIFEST)
    found: list[Benchmark] = []
    if not isinstance(tree.value, dict):
        raise InputError(tree.finding("expected workloads and their benchmarks"))
    for workload, variants in tree.value.items():
        path = folder / workload
        if path.suffix != ".yaml":
            path /= "workload.yaml"
        if not path.is_file():
            raise InputError(tree.finding(f"there is no workload {path}", key=workload))
        found += _of_workload(workload, path, variants)
    return found


def _of_workload(workload: str, path: Path, variants: Node) -> Iterator[Benchmark]:
    if not isinstance(variants.value, dict):
        raise InputError(variants.finding("expected variants of the workload"))
    for variant, node in variants.value.items():
        yield Benchmark(variant, path, validate(BenchmarkForm, node))


def digest_of(array: np.ndarray) -> str:
    """Of an array's bytes."""
    return hashlib.sha256(array.tobytes()).hexdigest()


def read_measured(path: Path) -> dict[str, Measured]:
    """What was measured by benchmark, from the file that `workloads.validation.measure` writes."""
    try:
        content = json.loads(read_text(path, MOST_RECORDED))
        return {
            name: Measured(float(one["value"]), {n: str(d) for n, d in one["outputs"].items()})
            for name, one in content["benchmarks"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        hint = "python -m workloads.validation.measure FILE writes one, on a machine with a GPU"
        raise input_error(f"{path} is no file of measurements", hint=hint) from None


def summary(compared: Sequence[Compared]) -> dict[str, float]:
    """Mean absolute percentage error, and Pearson's correlation of the logarithms (figures span
    five orders of magnitude); NaN where there are too few."""
    if not compared:
        return {"benchmarks": 0, "mape": float("nan"), "correlation": float("nan")}
    simulated = np.array([one.simulated for one in compared])
    measured = np.array([one.measured for one in compared])
    correlation = float("nan")
    if len(compared) > 1 and np.std(measured) and np.std(simulated):
        correlation = float(np.corrcoef(np.log(simulated), np.log(measured))[0, 1])
    errors = np.abs(simulated - measured) / measured
    return {
        "benchmarks": len(compared),
        "mape": float(100 * errors.mean()),
        "correlation": correlation,
    }


def report_lines(compared: Sequence[Compared], missing: Mapping[str, float]) -> Iterator[str]:
    """The table of errors, the held-out benchmarks last, and what has nothing to compare with."""
    for held_out in (False, True):
        chosen = [one for one in compared if one.benchmark.form.held_out == held_out]
        if not chosen:
            continue
        yield "held out" if held_out else "benchmarks"
        width = max(len(one.benchmark.name) for one in chosen)
        for one in chosen:
            form = one.benchmark.form
            yield (
                f"  {one.benchmark.name:{width}}  {one.simulated:10.2f}  {one.measured:10.2f}"
                f"  {100 * one.error:+7.1f} %  {form.unit}"
            )
        found = summary(chosen)
        yield (
            f"  {found['benchmarks']} benchmarks: mean absolute error {found['mape']:.1f} %, "
            f"correlation of logarithms {found['correlation']:.4f}"
        )
    others = [one for one in compared if one.differing]
    if others:
        yield "arrays that are not those measured"
        width = max(len(one.benchmark.name) for one in others)
        yield from (f"  {one.benchmark.name:{width}}  {', '.join(one.differing)}" for one in others)
    if missing:
        yield "nothing to compare with"
        width = max(map(len, missing))
        yield from (f"  {name:{width}}  {value:10.2f}" for name, value in missing.items())


def as_content(compared: Sequence[Compared], missing: Mapping[str, float]) -> dict[str, Any]:
    """The same as plain data."""
    groups = {
        "benchmarks": [one for one in compared if not one.benchmark.form.held_out],
        "held_out": [one for one in compared if one.benchmark.form.held_out],
    }
    return {
        **{
            name: {
                "figures": {
                    one.benchmark.name: {
                        "simulated": one.simulated,
                        "measured": one.measured,
                        "error": one.error,
                        "unit": one.benchmark.form.unit,
                    }
                    for one in group
                },
                **{key: None if value != value else value for key, value in summary(group).items()},
            }
            for name, group in groups.items()
        },
        "arrays_that_differ": {
            o.benchmark.name: list(o.differing) for o in compared if o.differing
        },
        "nothing_to_compare_with": dict(missing),
    }
