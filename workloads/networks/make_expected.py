"""What onnxruntime gives for the workloads below this folder, kept with them.

    python -m workloads.networks.make_expected

To be run anew when a model or an input changes; needs onnxruntime.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from sim.levels.network.onnxruntime_judge import expectations
from sim.prepared_case import prepare
from sim.runner import compile_workload
from sim.workload.schema import read_workload

FOLDER = Path(__file__).parent


def expected(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    """The outputs of a workload's model, by name."""
    compiled = compile_workload(read_workload(path))
    for case in compiled.workload.cases():
        for name, one in expectations(prepare(compiled, replace(case, expect={}))).items():
            yield name, one.value


def main() -> None:
    for path in sorted(FOLDER.glob("*/workload.yaml")):
        for name, array in expected(path):
            np.save(path.with_name(f"{name}.npy"), array.astype(np.float32))


if __name__ == "__main__":
    main()
