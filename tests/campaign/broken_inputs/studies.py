"""Studies to be damaged, and how one of them runs: here, and not to its end.

text = draw.choice(STUDIES); a_few_here()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import sim.studies.conduct

MOST_POINTS = 4
"""That are run of a study: a damaged one may have thousands."""

WORKLOAD = """workload: scaled
program: saxpy.ll
entry: f
machine: itanium2
arguments:
  n: 4
  x: {dtype: f32, shape: [16], random: {seed: 1, low: 0, high: 1}}
  a: 0.5
expect: {}
variants:
  right: {arguments: {a: 1.0}}
"""
"""What is studied."""
STUDIES = (
    """study: sizes
description: Ranges of all kinds.
workload: .
axes:
  l2: {set: memory.l2.latency, values: [5 cycles, 8 cycles]}
  size: {set: memory.l3.size, from: 1536 KiB, to: 6 MiB, factor: 2}
  n: {argument: n, from: 1, to: 9, step: 4}
  x: {seed: x, values: [1, 2]}
where: "(l2 < 12) & (n > 1)"
base: {l2: 5 cycles, n: 5}
derive: {speedup: "base_cycles / cycles", each: "cycles / n"}
show: [cycles, speedup, each]
more_is_better: [speedup]
limits: {cycles: 20000}
""",
    """study: drawn
workload: .
machine: itanium2
set: {memory.l2.latency: 9 cycles}
axes:
  n: {argument: n, from: 0, to: 8}
  a: {argument: a, from: 0.5, to: 2.0, scale: log}
  passes: {passes: {all: [default], none: [default, -modulo_schedule]}}
combine: {latin_hypercube: 12, seed: 3}
derive: {cost: "n * a + 1"}
""",
    """study: looked_for
workload: .
axes:
  n: {argument: n, from: 1, to: 8, count: 8}
  two: {levels: {small: {set: {memory.l3.size: 1536 KiB}}, other: {machine: epic3, variant: right}}}
search: {goal: minimise cycles, subject_to: ["n > 2", "cost < 9"], trials: 4, seed: 1}
derive: {cost: "n + 1"}
""",
)
STUDY_WORDS = [
    "axes", "set", "argument", "seed", "values", "from", "to", "step", "factor", "count", "scale",
    "log", "levels", "machine", "workload", "variant", "program", "fixed", "combine", "zip", "grid",
    "random", "latin_hypercube", "where", "base", "derive", "show", "search", "goal", "trials", "n",
    "cycles", "base_cycles", "l2", "8 cycles", "3 MiB", "n > 1", "maximise cost", "1e300", "-1",
]  # fmt: skip


def a_few_here() -> None:
    """From now on studies run their first points in this process, and leave the others."""
    sim.studies.conduct.local = lambda jobs: _here


def _here(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    return ((task, work(task)) for task in islice(tasks, MOST_POINTS))
