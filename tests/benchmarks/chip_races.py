"""What the search for races costs runs of chips: processor seconds with and without, in turns.

    python -m tests.benchmarks.chip_races               # programs below, and some workloads

Each pair of runs is in turn with the search first and without it first; what is printed is the
median of the pairs' ratios.  Everything is compiled before, and what that has made is left alone by
Python's search for cycles, as in a process of `simrun run`.  The programs are such as make the
search hard: all cores write columns of one array, which lie between each other; tiles that nobody
comes to again; intervals that only the run knows, none like another; layers that read what others
have written; and thousands of tasks that read the same.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import sim
from tests.benchmarks._command import WORKLOADS, command_line
from tests.benchmarks.chip_speed import PROGRAM

COLUMNS = """\
x: f32[262144] in dram
a: f32[1024] in nram

func @run(n: i64) {
entry:
    k = task_id
    low = mul.i64 k, 16
    i = copy.i64 0
    jump loop
loop:
    base = mul.i64 i, 16384
    j = add.i64 base, low
    e = add.i64 j, 16
    tensor.copy.f32 x[j:e, 64 by 256], a[0:1024]
    tensor.add.f32 a[0:1024], a[0:1024], a[0:1024]
    i = add.i64 i, 1
    i = and.i64 i, 15
    n = sub.i64 n, 1
    p = gt_s.i64 n, 0
    branch p, loop, done
done:
    return
}
"""
STREAMED = """\
x: f32[8388608] in dram
a: f32[1024] in nram
b: f32[1024] in nram

func @run(n: i64) {
entry:
    k = task_id
    i = mul.i64 k, 524288
    jump loop
loop:
    e = add.i64 i, 256
    tensor.copy.f32 a[0:256], x[i:e]
    tensor.add.f32 b[0:256], a[0:256], a[0:256]
    tensor.copy.f32 x[i:e], b[0:256]
    i = copy.i64 e
    n = sub.i64 n, 1
    p = gt_s.i64 n, 0
    branch p, loop, done
done:
    return
}
"""
WANDERING = """\
x: f32[65536] in dram
a: f32[4096] in nram
b: f32[4096] in nram

func @run(n: i64) {
entry:
    k = task_id
    s = add.i64 k, 7
    jump loop
loop:
    s = mul.i64 s, 1103515245
    s = add.i64 s, 12345
    s = and.i64 s, 2147483647
    low = shr_u.i64 s, 16
    low = and.i64 low, 2047
    size = and.i64 s, 1023
    size = add.i64 size, 1
    e = add.i64 low, size
    tensor.copy.f32 a[low:e], x[low:e]
    tensor.add.f32 b[low:e], a[low:e], a[low:e]
    n = sub.i64 n, 1
    p = gt_s.i64 n, 0
    branch p, loop, done
done:
    return
}
"""
READERS = """\
x: f32[1024] in dram
y: f32[1048576] in dram
a: f32[1024] in nram

func @run() {
entry:
    k = task_id
    i = mul.i64 k, 128
    e = add.i64 i, 128
    tensor.copy.f32 a[0:1024], x[0:1024]
    tensor.add.f32 a[0:1024], a[0:1024], a[0:1024]
    tensor.copy.f32 y[i:e], a[0:128]
    return
}
"""
LAYERS = """\
x: f32[65536] in dram
y: f32[65536] in dram
a: f32[1024] in nram
b: f32[1024] in nram

func @run(n: i64) {
entry:
    k = task_id
    low = mul.i64 k, 4096
    jump layer
layer:
    t = copy.i64 0
    jump tile
tile:
    i = mul.i64 t, 1024
    i = add.i64 i, low
    e = add.i64 i, 1024
    tensor.copy.f32 a[0:1024], x[i:e]
    tensor.add.f32 b[0:1024], a[0:1024], a[0:1024]
    tensor.copy.f32 y[i:e], b[0:1024]
    t = add.i64 t, 1
    q = lt_s.i64 t, 4
    branch q, tile, meet
meet:
    sync_all_ipu 0
    i = add.i64 low, 4096
    i = and.i64 i, 65535
    e = add.i64 i, 1024
    tensor.copy.f32 a[0:1024], y[i:e]
    tensor.copy.f32 x[i:e], a[0:1024]
    sync_all_ipu 0
    n = sub.i64 n, 1
    p = gt_s.i64 n, 0
    branch p, layer, done
done:
    return
}
"""
LIMIT = "limits: {cycles: 1000000000}\n"
PROGRAMS = {
    "tiles, 16 cores": (PROGRAM, "arguments: {n: COUNT}\n", 300),
    "columns, 16 cores": (COLUMNS, "arguments: {n: COUNT}\n", 200),
    "streamed tiles, 16 cores": (STREAMED, "arguments: {n: COUNT}\n", 60),
    "wandering, 16 cores": (WANDERING, "arguments: {n: COUNT}\n", 100),
    "layers, 16 cores": (LAYERS, "arguments: {n: COUNT}\n", 25),
    "tasks of one core": (READERS, "tasks: [{type: block, dim: COUNT}]\n", 2000),
}
OF_FOLDER = ("chip/pipelines/three_stage", "chip/overlap/triple", "chip/layers", "chip/attention")


def cost(workload: Path, pairs: int) -> tuple[float, float]:
    """Seconds without the search, and how much more it takes with it, as a ratio."""
    sim.run(workload)
    gc.collect()
    gc.freeze()
    ratios, without = [], []
    for number in range(pairs):
        seconds = {}
        for races in (True, False) if number % 2 else (False, True):
            begin = time.process_time()
            result = sim.run(workload, races=races)
            seconds[races] = time.process_time() - begin
            assert result.status == "done", result.fault
        ratios.append(seconds[True] / seconds[False])
        without.append(seconds[False])
    return median(without), median(ratios) - 1


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    given = parser.parse_args(words)
    pairs = 1 if given.shortest else given.pairs
    print("program                        seconds   with the search")
    with tempfile.TemporaryDirectory() as folder:
        named: list[tuple[str, Path]] = []
        for number, (name, (program, workload, count)) in enumerate(PROGRAMS.items()):
            path = Path(folder) / f"{number}.yaml"
            path.with_suffix(".sir").write_text(program)
            size = 8 if given.shortest else count
            said = f"workload: w\nprogram: {number}.sir\nmachine: mlu370\n{LIMIT}{workload}"
            path.write_text(said.replace("COUNT", str(size)))
            named.append((name, path))
        some = OF_FOLDER[2:3] if given.shortest else OF_FOLDER
        for name, path in [*named, *((one, WORKLOADS / one) for one in some)]:
            seconds, more = cost(path, pairs)
            print(f"{name:30} {seconds:8.2f} {more * 100:+12.1f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
