"""The tests of single operators that the package onnx has: what becomes of each.

    python -m tests.compiler.frontends.onnx.node_cases [PART OF A NAME]

prints how many are equal, wrong or refused, the refused ones by reason.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case import node as cases_of_nodes
from onnx.backend.test.case.test_case import TestCase

from compiler.frontends.onnx.model import Model
from machines.diagnostics import InputError
from tests.compiler.frontends.onnx.running import network_of, read_bound, run

HALVES = {"float16": 2.0**-8, "bfloat16": 2.0**-6}
"""Relative differences that are let pass: four units in the last place, for the order of roundings
is nobody's."""
Runner = Callable[[Model, Mapping[str, np.ndarray]], Mapping[str, np.ndarray]]
"""The outputs that a model gives for inputs, all by the model's names for them."""


@dataclass(frozen=True)
class Verdict:
    """`what` is equal, wrong, refused or broken; why."""

    what: str
    kind: str = ""
    text: str = ""


def cases() -> list[TestCase]:
    """All of them; they are made while the package's modules are imported, which takes seconds."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return cases_of_nodes.collect_testcases(None)


def cases_of(operator: str) -> list[TestCase]:
    """Those of one operator."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        importlib.import_module(f"onnx.backend.test.case.node.{operator.lower()}")
    made = cases_of_nodes._NodeTestCases
    return [case for case in made if case.model.graph.node[0].op_type == operator]


def judged(case: TestCase, run: Runner = run) -> Verdict:
    """What becomes of a case, whose model `run` evaluates."""
    inputs, outputs = case.data_sets[0]
    try:
        given = {
            info.name: _array(array)
            for info, array in zip(case.model.graph.input, inputs, strict=False)
        }
        model = read_bound(case.model.SerializeToString(), given)
        with np.errstate(all="ignore"):
            found = run(model, given)
        for array, wanted in zip(found.values(), outputs, strict=True):
            _check_equal(array, _array(wanted), case.rtol, case.atol)
    except InputError as error:
        return Verdict("refused", getattr(error, "kind", "unsaid"), str(error).splitlines()[0])
    except AssertionError as error:
        return Verdict("wrong", text=str(error))
    except Exception as error:
        return Verdict("broken", text=f"{type(error).__name__}: {error}")
    return Verdict("equal", "computed" if network_of(model).nodes else "folded")


def _array(given: Any) -> np.ndarray:
    return numpy_helper.to_array(given) if isinstance(given, TensorProto) else given


def _check_equal(found: np.ndarray, wanted: Any, relative: float, absolute: float) -> None:
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype, (found.dtype, wanted.dtype)
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    relative = HALVES.get(wanted.dtype.name, relative)
    if wanted.dtype.kind in "biu":
        np.testing.assert_array_equal(found, wanted)
    elif wanted.dtype.itemsize == 1:  # floats of a byte, whole numbers of four bits
        np.testing.assert_array_equal(found.astype(np.float32), wanted.astype(np.float32))
    else:
        wide = [array.astype(np.float64) for array in (found, wanted)]
        np.testing.assert_allclose(*wide, rtol=relative, atol=absolute)


def table(verdicts: Sequence[tuple[str, Verdict]]) -> str:
    """How many of what, and why."""
    counts = Counter((v.what, v.kind) for _, v in verdicts)
    lines = [f"{count:5} {what:8} {kind}" for (what, kind), count in sorted(counts.items())]
    lines.append(f"{len(verdicts):5} together, onnx {onnx.__version__}")
    lines += [
        f"{v.what}: {name}: {v.text}" for name, v in verdicts if v.what in ("wrong", "broken")
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    found = [(case.name, judged(case)) for case in cases() if part in case.name]
    print(table(found))
    if part:
        for name, verdict in found:
            print(f"{name}: {verdict.what} {verdict.text}")
