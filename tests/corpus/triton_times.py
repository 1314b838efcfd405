"""The twenty kernels of Triton that an H100 ran, whole, beside the times that it took.

    python -m tests.corpus.triton_times [NAME …]

Each is launched twice, and the second launch counts: the L2 holds what the launch before has left
there.  The H100's time is that of a graph of fifty launches divided by fifty, in which a launch
begins `GAP` after the one before has ended.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import sim
from tests.corpus.keeping import normals, raw
from tests.corpus.test_measured_triton import KERNELS, TYPES, files

ARRAYS = {"matmul": "abc", "softmax": "xy", "norm": "xwy", "attention": "qkvo", "gelu": "xy"}
"""What the arrays of each kernel are called here; the last one is the output."""
NUMPY = {
    "torch.float16": TYPES["f16"], "torch.bfloat16": TYPES["bf16"],
    "torch.float32": np.float32, "torch.float8_e4m3fn": TYPES["e4m3"],
}  # fmt: skip
CHOSE = (
    "matmul_f16_1024", "matmul_bf16_512", "matmul_bf16_2048", "matmul_tf32_1024",
    "matmul_e4m3_512", "matmul_e4m3_2048", "softmax_4096_1000", "norm_1024_4096",
    "attention_512_8", "gelu_4M",
)  # fmt: skip
"""The kernels that chose `GAP`; the others are held out."""
MEASURED = json.loads(Path(__file__).with_name("measured_triton_us.json").read_text())
"""Microseconds of a launch in a graph, the median of ten: H100 80GB HBM3, driver 580.159."""
GAP = 1.5
"""Microseconds between two launches of a graph."""


def simulated(name: str) -> float:
    """Microseconds of the second launch."""
    facts = KERNELS[name]
    arrays = {
        letter: raw(normals(*shape, seed=seed, dt=NUMPY[dtype]))
        for seed, (letter, (dtype, shape)) in enumerate(
            zip(ARRAYS[facts["kernel"]], facts["tensors"], strict=True), start=1
        )
    }
    launch = {
        "kernel": facts["kernel"], "grid": facts["grid"], "block": [facts["threads"]],
        "shared": f"{facts['shared']} B", "arguments": [*arrays, *facts["scalars"], None, None],
    }  # fmt: skip
    workload = {"workload": name, "program": "k.ptx", "launches": [launch, launch]}
    workload |= {"arguments": arrays}
    source = files()[f"{name}.ptx"].decode()
    result = sim.run(workload, machine="h100", source=source)
    assert result.status == "done", result.fault
    last = result.to_dict()["steps"][-1]
    return (last["end"] - last["begin"]) / result.to_dict()["clock_hz"] * 1e6


def main(names: list[str]) -> None:
    errors: dict[bool, list[float]] = {True: [], False: []}
    print(f"{'kernel':22} {'simulated':>9} {'with gap':>9} {'measured':>9} {'error':>7}")
    for name in names or KERNELS:
        time, measured = simulated(name), MEASURED[name]
        error = (time + GAP) / measured - 1
        errors[name in CHOSE].append(abs(error))
        text = f"{name:22} {time:9.2f} {time + GAP:9.2f} {measured:9.2f} {error:+7.1%}"
        print(text, "" if name in CHOSE else "held out", flush=True)
    for title, found in (
        ("all", errors[True] + errors[False]),
        ("held out", errors[False]),
    ):
        print(f"mean error, {title}: {np.mean(found or [np.nan]):.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
