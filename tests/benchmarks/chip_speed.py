"""How fast chips of clusters run: tensor instructions a second, without values; and SCALE-Sim.

    python -m tests.benchmarks.chip_speed                       # on 16 cores, at several lengths
    python -m tests.benchmarks.chip_speed --scale-sim PYTHON    # also GEMMs beside SCALE-Sim v3

Every core of an mlu370 loads a tile, computes three times on it and stores it, over and over; each
length is a process of its own, so that its memory is its own.  PYTHON is an interpreter that has
scalesim 3.0.0, which needs numpy 2.2 (python -m venv; pip install scalesim==3.0.0 numpy==2.2.6): it
runs the same products on the same array, the one without its traces.  Seconds are of the processor.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import sim
from tests.benchmarks._command import command_line

TURNS = (125, 1_250, 12_500)
COMMANDS = 80
"""Of a turn of all cores."""
PROGRAM = """\
x: f32[65536] in dram
y: f32[65536] in dram
a: f32[1024] in nram
b: f32[1024] in nram
c: f32[1024] in nram

func @turns(n: i64) {
entry:
    k = task_id
    base = mul.i64 k, 4096
    i = copy.i64 0
    jump loop
loop:
    j = and.i64 i, 3
    off = mul.i64 j, 1024
    low = add.i64 base, off
    high = add.i64 low, 1024
    tensor.copy.f32 a[0:1024], x[low:high]
    tensor.add.f32 b[0:1024], a[0:1024], a[0:1024]
    tensor.mul.f32 c[0:1024], b[0:1024], a[0:1024]
    tensor.add.f32 b[0:1024], c[0:1024], a[0:1024]
    tensor.copy.f32 y[low:high], b[0:1024]
    i = add.i64 i, 1
    p = lt_s.i64 i, n
    branch p, loop, done
done:
    return
}
"""
GEMM = """\
a: f32[{a}] in dram
b: f32[{b}] in dram
c: f32[{c}] in dram
left: f32[{a}] in nram
right: f32[{b}] in wram
product: f32[{c}] in nram

func @gemm() {{
entry:
    tensor.copy.f32 left[0:{a}], a[0:{a}]
    tensor.copy.f32 right[0:{b}], b[0:{b}]
    tensor.matmul_t.f32 product[0:{c}], left[0:{a}], right[0:{b}], {m}, {k}, {n}
    tensor.copy.f32 c[0:{c}], product[0:{c}]
    return
}}
"""
GEMMS = ((256, 256, 256), (1, 4096, 512))
"""M, N, K."""
SCALE_SIM = """\
import contextlib, io, json, os, sys, time
from scalesim.scale_sim import scalesim
config, topology, layout, out = sys.argv[1:]
begin = time.process_time()
with contextlib.redirect_stdout(io.StringIO()):
    tool = scalesim(save_disk_space=True, verbose=False, config=config, topology=topology,
                    layout=layout, input_type_gemm=True)
    tool.run_scale(top_path=out)
print(json.dumps(time.process_time() - begin))
"""
CONFIG = """\
[general]
run_name = gemm
[architecture_presets]
ArrayHeight: {rows}
ArrayWidth: {rows}
IfmapSramSzkB: 1024
FilterSramSzkB: 1024
OfmapSramSzkB: 1024
IfmapOffset: 0
FilterOffset: 10000000
OfmapOffset: 20000000
Bandwidth: 10
Dataflow: os
MemoryBanks: 1
ReadRequestBuffer: 32
WriteRequestBuffer: 32
[layout]
IfmapCustomLayout: False
IfmapSRAMBankBandwidth: 10
IfmapSRAMBankNum: 10
IfmapSRAMBankPort: 2
FilterCustomLayout: False
FilterSRAMBankBandwidth: 10
FilterSRAMBankNum: 10
FilterSRAMBankPort: 2
[sparsity]
SparsitySupport: false
SparseRep: ellpack_block
OptimizedMapping: false
BlockSize: 8
RandomNumberGeneratorSeed: 40
[run_presets]
InterfaceBandwidth: CALC
UseRamulatorTrace: False
"""


def run(program: str, workload: str) -> sim.Result:
    """A run without values."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workload.yaml"
        (path.parent / "program.sir").write_text(program)
        path.write_text(f"workload: chip\nprogram: program.sir\n{workload}")
        return sim.run(path, timing_only=True)


def turns(count: int) -> dict[str, float]:
    """Instructions, cycles, seconds and memory of so many turns."""
    run(PROGRAM, "machine: mlu370\narguments: {n: 1}\n")
    begin = time.process_time()
    result = run(
        PROGRAM, f"machine: mlu370\nlimits: {{cycles: 1000000000}}\narguments: {{n: {count}}}\n"
    )
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"commands": count * COMMANDS, "cycles": result.cycles, "seconds": seconds, "peak": peak}


def in_a_process(count: int) -> dict[str, float]:
    """`turns` in a process of its own."""
    words = [sys.executable, "-m", "tests.benchmarks.chip_speed", "--turns", str(count)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def of_scale_sim(python: str, rows: int, m: int, n: int, k: int) -> float:
    """Seconds of SCALE-Sim for a product on an array of rows × rows that holds outputs."""
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "tool.py": SCALE_SIM,
            "tool.cfg": CONFIG.format(rows=rows),
            "gemm.csv": f"Layer, M, N, K,\ngemm, {m}, {n}, {k},\n",
            "layout.csv": "Layer name,\ngemm" + ", 1" * 18 + ",\n",
        }
        for name, text in files.items():
            (Path(folder) / name).write_text(text)
        words = [python, *(str(Path(folder) / name) for name in files), folder]
        alone = {"PATH": os.defpath}  # its packages are its own
        ended = subprocess.run(
            words, capture_output=True, text=True, check=True, cwd=folder, env=alone
        )
    return json.loads(ended.stdout.splitlines()[-1])


def beside_scale_sim(python: str | None, m: int, n: int, k: int) -> str:
    """A line: cycles and seconds here with copies and memory, and there without."""
    program = GEMM.format(a=m * k, b=n * k, c=m * n, m=m, n=n, k=k)
    run(program, "machine: systolic_32\n")
    begin = time.process_time()
    result = run(program, "machine: systolic_32\n")
    seconds = time.process_time() - begin
    here = f"{m:5} x {n:5} x {k:5}  {result.cycles:9,} cycles {seconds * 1e3:8.1f} ms"
    if python is None:
        return here
    theirs = of_scale_sim(python, 32, m, n, k)
    return f"{here}   SCALE-Sim {theirs:7.2f} s, {theirs / seconds:,.0f} times as long"


def main(words: Sequence[str]) -> None:
    parser = command_line(__doc__)
    parser.add_argument("--turns", type=int, help="print a run of so many turns as JSON")
    parser.add_argument("--scale-sim", metavar="PYTHON")
    given = parser.parse_args(words)
    if given.turns is not None:
        print(json.dumps(turns(given.turns)))
        return
    print("commands      cycles   seconds  commands/s      MB")
    for count in (1, 2) if given.shortest else TURNS:
        found = turns(count) if given.shortest else in_a_process(count)
        rate = found["commands"] / found["seconds"]
        print(
            f"{found['commands']:8,} {found['cycles']:11,} {found['seconds']:9.2f} {rate:11,.0f} "
            f"{found['peak']:7.0f}"
        )
    for shape in GEMMS[:1] if given.shortest else GEMMS:
        print(beside_scale_sim(given.scale_sim, *shape))


if __name__ == "__main__":
    main(sys.argv[1:])
