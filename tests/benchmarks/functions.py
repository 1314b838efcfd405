"""Functions of arrays against the kernels that do the same.

    python -m tests.benchmarks.functions

Cycles of both on itanium2, with the same inputs, and their ratio; then the median and the worst.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import sim
from tests.benchmarks._command import command_line

WORKLOADS = Path(__file__).parents[2] / "workloads"
KERNELS = {
    "triad": "loops/vectors/triad",
    "lerp": "loops/vectors/lerp",
    "alpha_blend": "loops/vectors/alpha_blend",
    "to_float": "loops/vectors/to_float",
    "distance": "loops/vectors/distance",
    "clip": "loops/conditionals/clip",
    "rectify": "loops/conditionals/rectify",
    "select": "loops/conditionals/select",
    "safe_divide": "loops/conditionals/safe_divide",
    "compact": "loops/conditionals/compact",
    "count_above": "loops/conditionals/count_above",
    "max_abs": "loops/conditionals/max_abs",
    "sum_i32": "loops/reductions/sum_i32",
    "saxpy": "saxpy/workload",
    "dot_product": "dot_product/workload",
    "mandelbrot": "mandelbrot/workload",
    "stencil_2d": "stencil_2d/workload",
    "life": "functions/loops/life_kernel",
    "levenshtein": "levenshtein/workload",
    "odd_even_sort": "functions/loops/odd_even_sort_kernel",
    "fft": "fft/workload",
}
"""The functions of `workloads/functions/loops`, each with the kernel's workload."""


def cycles(workload: str) -> int:
    """Of a workload on the Itanium, whose outputs are right."""
    result = sim.run(WORKLOADS / f"{workload}.yaml", machine="itanium2")
    if not result.ok:
        raise RuntimeError(repr(result))
    return result.cycles


def main(words: Sequence[str]) -> None:
    options = command_line(__doc__).parse_args(words)
    names = ["clip"] if options.shortest else list(KERNELS)
    ratios = []
    print(f"{'':12} {'kernel':>12} {'function':>12} {'ratio':>6}")
    for name in names:
        kernel, function = cycles(KERNELS[name]), cycles(f"functions/loops/{name}")
        ratios.append(function / kernel)
        print(f"{name:12} {kernel:12} {function:12} {ratios[-1]:6.3f}", flush=True)
    print(f"median {statistics.median(ratios):.3f}, worst {max(ratios):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
