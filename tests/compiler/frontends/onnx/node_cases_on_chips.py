"""The same tests of single operators on chips: compiled and run, races looked for.

    python -m tests.compiler.frontends.onnx.node_cases_on_chips MACHINE [PART OF A NAME]

prints how many are equal, wrong, broken or refused, by the front end or by
the machine (refused: machine), the last ones by name.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from functools import cache

import numpy as np
from onnx.backend.test.case.test_case import TestCase

from compiler.frontends.onnx.emitting.values import as_encoded, as_onnx
from compiler.frontends.onnx.model import Model
from machines.description.load import Machine, load_machine
from machines.diagnostics import InputError
from tests.compiler.frontends.onnx.node_cases import Verdict, cases, judged, table
from tests.compiler.frontends.onnx.running import network_of
from tests.programs.network_runs import on_chip


@cache
def chip(name: str) -> Machine:
    return load_machine(name, [])


class RefusedByChip(InputError):
    """The front end takes the model, the machine does not."""

    kind = "machine"


def judged_on(case: TestCase, machine: str) -> Verdict:
    """What becomes of a case on a machine."""

    def run(model: Model, given: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        network = network_of(model)
        inputs = {
            name: as_encoded(np.asarray(given[source]))
            for name, source in zip(network.inputs, model.inputs, strict=True)
        }
        try:
            values = on_chip(network, chip(machine), inputs, all_passes=True).values
        except InputError as error:
            raise RefusedByChip(error.diagnostics) from None
        return {
            source: as_onnx(values[name], model.elements[source])
            for source, name in zip(model.outputs, network.outputs, strict=True)
        }

    return judged(case, run)


if __name__ == "__main__":
    machine, part = sys.argv[1], "".join(sys.argv[2:3])
    found = []
    for case in cases():
        if part in case.name:
            before = time.process_time()
            found.append((case.name, judged_on(case, machine)))
            taken = time.process_time() - before
            if taken > 2:
                print(f"{taken:.1f} s: {case.name}", file=sys.stderr, flush=True)
    print(table(found))
    for name, verdict in found:
        if part or verdict.kind == "machine":
            print(f"{name}: {verdict.what} {verdict.text}")
