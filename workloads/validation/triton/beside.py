"""Kernels that Triton compiled, beside the times that an H100 took.

    python -m workloads.validation.triton.beside [NAME …]

Each kernel is launched twice and the second launch counts, as the H100's L2 held what the launch
before had left there; outputs are held to NumPy.  The H100's time is that of a graph of fifty
launches divided by fifty: a launch begins `GAP` after the one before has ended.
"""

from __future__ import annotations

import json
import sys
from math import erf
from pathlib import Path

import numpy as np

import sim

HERE = Path(__file__).parent
MEASURED = json.loads((HERE / "h100.json").read_text())["kernels"]
NAMES = {"matmul": "abc", "softmax": "xy", "norm": "xwy", "attention": "qkvo", "gelu": "xy"}
"""What the arrays of each kernel are called here; the last one is the output."""
GAP = 1.5
"""Microseconds between two launches of a graph: chosen by the ten kernels that are not held out."""
SMALLEST = {"f32": 2.0**-9, "f16": 2.0**-12, "bf16": 2.0**-12, "e4m3": 2.0**-9}
"""By type, what a product may be off by, of the sum of its terms' magnitudes: f32 operands are cut
to tf32, and sums of e4m3 to 14 bits."""


def arrays_of(name: str) -> dict[str, np.ndarray]:
    """Random inputs, and an output of zeros."""
    kernel, random = MEASURED[name], np.random.default_rng(1)
    made = {}
    for letter, (dtype, shape) in zip(NAMES[kernel["kernel"]], kernel["arrays"], strict=True):
        values = random.standard_normal(shape, dtype=np.float32)
        if letter == NAMES[kernel["kernel"]][-1]:
            values = np.zeros(shape, np.float32)
        made[letter] = sim.as_elements(values.ravel(), dtype)
    return made


def simulated(name: str, arrays: dict[str, np.ndarray], launches: int = 2) -> sim.Result:
    """A run of so many launches, one after the other."""
    kernel = MEASURED[name]
    program = HERE / f"{name}.ptx"
    launch = {
        "kernel": kernel["kernel"],
        "grid": kernel["grid"],
        "block": [kernel["threads"]],
        "shared": f"{kernel['shared']} B",
        "arguments": [*arrays, *kernel["scalars"], None, None],
    }
    workload = {
        "workload": name,
        "program": str(program if program.exists() else HERE / f"{kernel['kernel']}.ptx"),
        "arguments": arrays,
        "launches": [launch] * launches,
    }
    return sim.run(workload, machine="h100")


def worst(name: str, arrays: dict[str, np.ndarray], output: np.ndarray) -> float:
    """How far the worst element of the output is off, in units of what it may be."""
    kernel = MEASURED[name]
    shapes = (shape for _, shape in kernel["arrays"])
    *given, _ = (
        np.asarray(sim.as_numbers(one), np.float64).reshape(shape)
        for one, shape in zip(arrays.values(), shapes, strict=True)
    )
    found = np.asarray(sim.as_numbers(output), np.float64).reshape(kernel["arrays"][-1][1])
    if kernel["kernel"] == "matmul":
        a, b = given
        return float(
            np.max(abs(found - a @ b) / (abs(a) @ abs(b))) / SMALLEST[kernel["arrays"][0][0]]
        )
    if kernel["kernel"] == "attention":
        q, k, v = given
        wanted = _softmax(q @ k.swapaxes(1, 2) * kernel["scalars"][1]) @ v
        return float(np.max(abs(found - wanted) / (2e-3 + 4e-3 * abs(wanted))))
    if kernel["kernel"] == "softmax":
        wanted = _softmax(given[0])
    elif kernel["kernel"] == "norm":
        x, w = given
        d = x - x.mean(1, keepdims=True)
        wanted = d / np.sqrt((d * d).mean(1, keepdims=True) + kernel["scalars"][1]) * w
    else:
        wanted = 0.5 * given[0] * (1 + np.vectorize(erf)(given[0] * 0.5**0.5))
    return float(np.max(abs(found - wanted) / (1e-6 + 1e-5 * abs(wanted))))


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def microseconds(result: sim.Result) -> float:
    """Of the last launch."""
    first, last = result.to_dict()["launches"][-1]["cycles"]
    return (last - first) / result.clock_hz * 1e6


def main(names: list[str]) -> None:
    errors = []
    print(f"{'kernel':22} {'simulated':>9} {'measured':>9} {'error':>7}  worst value")
    for name in names or MEASURED:
        arrays = arrays_of(name)
        result = simulated(name, arrays)
        assert result.status == "done", result.to_dict()["fault"]
        time, measured = microseconds(result) + GAP, MEASURED[name]["us"]
        errors.append((MEASURED[name]["held_out"], abs(time / measured - 1)))
        off = worst(name, arrays, [*result.outputs.values()][-1])
        held = "held out" if MEASURED[name]["held_out"] else ""
        print(f"{name:22} {time:9.2f} {measured:9.2f} {time / measured - 1:+7.1%}  {off:.2f} {held}",
              flush=True)  # fmt: skip
    for title, chosen in (("all", (True, False)), ("held out", (True,))):
        mean = np.mean([error for held, error in errors if held in chosen] or [np.nan])
        print(f"mean error, {title}: {mean:.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
