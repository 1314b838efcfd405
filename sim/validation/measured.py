"""What hardware said of benchmarks: the file that `workloads.validation.measure` writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from machines.diagnostics import input_error
from machines.reading import MOST_RECORDED, read_text
from sim.results.result import Result
from sim.validation.benchmarks import Benchmark


@dataclass(frozen=True)
class Measured:
    """What hardware said of a benchmark: its figure (a median), the least and the largest of all
    runs, and digests of the arrays it left."""

    value: float
    low: float
    high: float
    outputs: Mapping[str, str]


def read_measured(path: Path) -> dict[str, Measured]:
    """What was measured by benchmark."""
    try:
        content = json.loads(read_text(path, MOST_RECORDED))
        return {name: _measured(one) for name, one in content["benchmarks"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        hint = "python -m workloads.validation.measure FILE writes one, on a machine with a GPU"
        raise input_error(f"{path} is no file of measurements", hint=hint) from None


def _measured(one: Mapping) -> Measured:
    value = float(one["value"])
    runs = [float(run) for run in one.get("runs", [value])]
    outputs = {name: str(digest) for name, digest in one["outputs"].items()}
    return Measured(value, min(runs), max(runs), outputs)


def digest_of(array: np.ndarray) -> str:
    """Of an array's bytes."""
    return hashlib.sha256(array.tobytes()).hexdigest()


def differing(benchmark: Benchmark, result: Result, digests: Mapping[str, str]) -> tuple[str, ...]:
    """The arrays that a run left otherwise than was measured.  Those of a benchmark that reads the
    clock hold cycles and addresses, and are not looked at."""
    if benchmark.form.value == "clock":
        return ()
    outputs = {name: digest_of(array) for name, array in result.outputs.items()}
    return tuple(n for n, digest in digests.items() if outputs.get(n, digest) != digest)
