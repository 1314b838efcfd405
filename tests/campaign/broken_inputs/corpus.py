"""Right inputs of every kind, small enough that thousands of them run in a minute.

A case is a folder of files and the words of a command, one part of which is to be damaged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from compiler import read_source
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.printer import print_module
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.elements import DTYPE_NAMES
from tests.campaign.broken_inputs import chips
from tests.compiler.frontends.llvm_random import function_of, random_rows
from tests.programs import random_kernels, random_programs

ROOT = Path(__file__).parents[3]
LIMIT = "20000"
"""Cycles that a run gets."""


@dataclass
class Case:
    """Files by name and the words of a command; `machine` for which the programs are."""

    files: dict[str, str | bytes]
    words: list[str]
    machine: str = "itanium2"
    program: str = ""
    notes: dict[str, str] = field(default_factory=dict)


# ---- Programs with workloads --------------------------------------------------------------------

KERNELS = {
    "saxpy.py": """from compiler.kernel import f32, i64, kernel


@kernel
def saxpy(n: i64, a: f32, x: f32[n], y: f32[n]):
    for i in range(n):
        y[i] = a * x[i] + y[i]
""",
    "search.py": """from compiler.kernel import i32, i64, kernel


@kernel
def search(n: i64, x: i32[n], wanted: i32) -> i64:
    low: i64 = 0
    high: i64 = n
    while low < high:
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
""",
    "mixed.py": """from compiler.kernel import f64, i64, kernel, sqrt, u8


@kernel
def part(k: i64, x: f64) -> f64:
    if k % 3 == 0 and x > 0.5:
        return sqrt(x)
    return x * 0.5


@kernel
def mixed(n: i64, data: u8[n], x: f64[3, n], out: f64[n]) -> f64:
    table: f64[8]
    for k in range(8):
        table[k] = f64(k)
    total: f64 = 0
    for i in range(n - 1, -1, -1):
        if data[i] & 1 == 0:
            continue
        out[i] = part(i, x[1, i]) + table[data[i] % 8]
        total += out[i]
        if total > 1000:
            break
    return total
""",
    "threads.py": """from compiler.kernel import (
    blockIdx, f32, grid, i32, kernel, shared, syncthreads, threadIdx
)


@kernel
def threads(n: i32, a: f32, x: f32[n], y: f32[n]):
    tile = shared.array(64, f32)
    i = grid(1)
    t = threadIdx.x
    if i < n:
        tile[t] = x[i]
    syncthreads()
    if i < n:
        y[i] = a * tile[t] + y[i]
""",
    "rounds.py": """from compiler.kernel import f32, grid, i32, kernel


@kernel
def blur(n: i32, old: f32[n], new: f32[n]):
    i = grid(1)
    if i > 0 and i < n - 1:
        new[i] = (old[i - 1] + old[i + 1]) * f32(0.5)
    elif i < n:
        new[i] = old[i]


@kernel
def lower(n: i32, data: i32[n], step: i32, changed: i32[1]):
    i = grid(1)
    if i < n and data[i] > step:
        data[i] = data[i] - 1
        changed[0] = 1
""",
    "add.s": """        .explicit
        .text
        .global add
        .proc add
add:
{ .mii
        ld8     r9 = [r33], 8
        mov     r14 = 0
        mov     ar.lc = 6 ;;
}
again:
{ .mmi
        ld8     r10 = [r33], 8
        add     r14 = r14, r9
        cmp.lt  p6, p7 = r9, r32 ;;
}
{ .mib
(p6)    adds    r14 = 1, r14
        mov     r9 = r10
        br.cloop.sptk.few again ;;
}
{ .mib
        st8     [r34] = r14
        add     r8 = r32, r14
        br.ret.sptk.many b0 ;;
}
        .endp add
""",
    "saxpy.ll": """define float @f(i64 %n, float* nocapture %x, float %a) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds float, float* %x, i64 %i
  %v = load float, float* %p, align 4
  %m = fmul float %v, %a
  %more = fadd float %sum, %m
  store float %more, float* %p, align 4
  %next = add nuw nsw i64 %i, 1
  %q = icmp slt i64 %next, %n
  br i1 %q, label %loop, label %exit

exit:
  ret float %more
}
""",
}  # fmt: skip

WORKLOADS = {
    "saxpy.py": """workload: saxpy
program: saxpy.py
machine: itanium2
arguments:
  n: 8
  a: 2.5
  x: {dtype: f32, shape: [8], range: {start: 0, step: 1}}
  y: {dtype: f32, shape: [8], random: {seed: 1, low: -1, high: 1}}
expect:
  y: {equals: "a * x + y"}
limits: {cycles: 20000}
variants:
  right: {arguments: {a: 1.0}}
""",
    "search.py": """workload: search
program: search.py
entry: search
machine: epic3
arguments:
  n: 6
  x: {dtype: i32, values: [1, 3, 5, 7, 9, 11]}
  wanted: 7
expect:
  return: 3
  x: [1, 3, 5, 7, 9, 11]
passes: [default, -modulo_schedule, -rotate_loops]
""",
    "mixed.py": """workload: mixed
program: mixed.py
entry: mixed
machine: itanium
arguments:
  n: 5
  data: {dtype: u8, text: "right"}
  x: {dtype: f64, shape: [3, 5], value: 0.25}
  out: {dtype: f64, shape: [5], value: 0}
expect:
  return: {equals: "0.125 * 2 + 1 + 7"}
  out: {equals: "where(data & 1, 0.125 + data % 8, 0)"}
limits: {cycles: 20000}
""",
    "threads.py": """workload: threads
program: threads.py
machine: teaching_gpu
arguments:
  n: 70
  a: 2
  x: {dtype: f32, shape: [70], random: {seed: 3, low: 0, high: 1}}
  y: {dtype: f32, shape: [70], value: 1}
launches:
  - {kernel: threads, grid: [2], block: [64], arguments: [n, a, x, y]}
  - {copy: y, to: host, stream: 1}
expect:
  y: {equals: "a * x + y", rtol: 1e-6}
""",
    "rounds.py": """workload: rounds
program: rounds.py
machine: teaching_gpu
arguments:
  n: 40
  old: {dtype: f32, shape: [40], value: 1}
  new: {dtype: f32, shape: [40], value: 0}
  data: {dtype: i32, shape: [40], range: {start: -20, step: 1}}
  changed: {dtype: i32, shape: [1], value: 7}
launches:
  - repeat: {times: 2, swap: [old, new]}
    steps:
      - {kernel: blur, grid: ["(n + 31) // 32"], block: [32], arguments: [n, old, new]}
  - {kernel: lower, grid: [2], block: [32], repeat: {most: 9, while: changed},
     arguments: [n, data, "step + 10", changed]}
expect:
  new: {equals: "0 * new + 1"}
  changed: [0]
""",
    "add.s": """workload: add
program: add.s
machine: itanium2
arguments:
  a: 4
  x: {dtype: i64, values: [7, 1, 2, 3, 4, 5, 6, 7]}
  y: {dtype: i64, shape: [1], value: 0}
expect:
  y: [31]
  return: 35
""",
    "saxpy.ll": """workload: scaled
program: saxpy.ll
entry: f
machine: itanium2
arguments: {n: 4, x: {dtype: f32, values: [1, 2, 3, 4]}, a: 0.5}
expect: {return: 5, x: [0.5, 1.5, 3, 5]}
""",
}


def of_a_program(name: str) -> Case:
    """One of the programs above with its workload."""
    machine = re.search(r"^machine: (\w+)$", WORKLOADS[name], re.MULTILINE)[1]
    files = {"workload.yaml": WORKLOADS[name], name: KERNELS[name]}
    return Case(files, ["workload.yaml"], machine, name)


def of_a_chip(name: str) -> Case:
    """One of the programs for chips with its workload."""
    text = chips.WORKLOADS[name]
    machine = re.search(r"^machine: (\w+)$", text, re.MULTILINE)[1]
    files = {"workload.yaml": text, name: chips.PROGRAMS[name]}
    return Case(files, ["workload.yaml", "--cycle-limit", chips.LIMIT], machine, name)


# ---- Programs that are made ---------------------------------------------------------------------


def _scalar(value: object) -> str:
    if isinstance(value, float | np.floating):
        if math.isnan(value):
            return ".nan"
        return repr(float(value)) if math.isfinite(value) else (".inf" if value > 0 else "-.inf")
    return str(int(value))


def _argument(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return _scalar(value)
    numbers = ", ".join(_scalar(number) for number in value.tolist())
    return f"{{dtype: {DTYPE_NAMES[value.dtype]}, values: [{numbers}]}}"


def workload_text(
    program: str, machine: str, arguments: Mapping[str, object], expect: str, more: str = ""
) -> str:
    """A workload file."""
    lines = [f"  {name}: {_argument(value)}" for name, value in arguments.items()]
    given = "arguments:\n" + "\n".join(lines) if lines else "arguments: {}"
    return (
        f"workload: made\nprogram: {program}\nmachine: {machine}\n{given}\n{more}expect: {expect}\n"
    )


@cache
def ir_program(seed: int) -> Case:
    """A random IR program whose value and `out` are what the interpreter says."""
    options = random_programs.Options(size=4 + seed % 9, variables=1, loop_budget=30)
    made = random_programs.generate(seed, options)
    memory = memory_for(made.module, made.arguments)
    ended = interpret(made.function, made.arguments, memory, limit=20_000)
    expect = []
    if ended.value is not None:
        expect.append(f"return: {_scalar(ended.value)}")
    for name, value in made.arguments.items():
        if isinstance(value, np.ndarray):
            numbers = memory.view(name, value.dtype)
            expect.append(f"{name}: [{', '.join(map(_scalar, numbers.tolist()))}]")
    text = workload_text("made.sir", "itanium2", made.arguments, f"{{{', '.join(expect)}}}")
    files = {"workload.yaml": text, "made.sir": print_module(made.module)}
    return Case(files, ["workload.yaml"], "itanium2", "made.sir")


@cache
def ir_kernel(seed: int) -> Case:
    """A random kernel for warps; its `data` stays as it is."""
    made = random_kernels.generate(seed, random_kernels.Options(size=6, depth=2))
    blocks, threads = made.grid.blocks, made.grid.threads
    launch = f"entry: main\nlaunch: {{grid: {list(blocks)}, block: {list(threads)}}}\n"
    text = workload_text(
        "made.sir", "teaching_gpu", made.arguments, "{data: {equals: data}}", launch
    )
    files = {"workload.yaml": text, "made.sir": print_module(made.module)}
    return Case(files, ["workload.yaml"], "teaching_gpu", "made.sir")


@cache
def llvm_function(seed: int) -> Case:
    """A random function of LLVM."""
    text = function_of(random_rows(seed, 3 + seed % 8))
    arguments = {"a": 7 * seed - 100, "b": seed, "x": 1.5, "y": -0.25}
    module = read_source("made.ll", machine=load_machine("itanium2"), source=text)
    ended = interpret(module.functions["f"], arguments, memory_for(module, arguments))
    expect = f"{{return: {_scalar(ended.value)}}}"
    workload = workload_text("made.ll", "itanium2", arguments, expect, "entry: f\n")
    return Case(
        {"workload.yaml": workload, "made.ll": text}, ["workload.yaml"], "itanium2", "made.ll"
    )


# ---- Programs of others that lie in the tree ----------------------------------------------------


@cache
def ptx_kernels() -> tuple[str, ...]:
    """Kernels of nvcc, each with what stands above it in its file."""
    found = []
    folders = ("tests/compiler/frontends/ptx", "workloads/gpu")
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.ptx")):
        text = re.split(r"^\s*\.section", path.read_text(), flags=re.MULTILINE)[0]
        head, *routines = re.split(r"^(?=\.visible \.entry|\.func)", text, flags=re.MULTILINE)
        functions = "".join(r for r in routines if r.startswith(".func"))
        found += [head + functions + r for r in routines if not r.startswith(".func")]
    return tuple(text for text in found if len(text) < 6000)


@cache
def ptx_kernel(number: int) -> Case:
    """A kernel of nvcc with arrays and numbers for its parameters."""
    kernels = ptx_kernels()
    text = kernels[number % len(kernels)]
    head = re.search(r"\.entry\s+([\w$]+)\s*\((.*?)\)", text, re.DOTALL)
    lines, names = [], []
    for k, parameter in enumerate(filter(str.strip, head[2].split(","))):
        names.append(f"a{k}")
        if ".u64" in parameter or ".b64" in parameter:
            dtype = ("i32", "f32", "i32")[k % 3]
            lines.append(f"  a{k}: {{dtype: {dtype}, shape: [512], range: {{}}}}")
        else:
            lines.append(f"  a{k}: {'0.5' if '.f' in parameter else 5}")
    arguments = "arguments:\n" + "\n".join(lines) + "\n" if lines else ""
    first = next((k for k, line in enumerate(lines) if "dtype" in line), None)
    expect = "{}" if first is None else f"{{a{first}: {{equals: a{first}}}}}"
    workload = (
        f"workload: made\nprogram: made.ptx\nmachine: teaching_gpu\n{arguments}"
        f"launch: {{grid: [1], block: [64], arguments: [{', '.join(names)}]}}\nexpect: {expect}\n"
    )
    files = {"workload.yaml": workload, "made.ptx": text}
    return Case(files, ["workload.yaml"], "teaching_gpu", "made.ptx")


SMALLER = (
    (r"\b(1000|1024|1200|4096|200)\b", "40"), (r"hops: \d+", "hops: 50"),
    (r"(?s)\nvariants:.*", "\n"),
)  # fmt: skip
"""Sizes of the hand-written loops."""


@cache
def tile_programs() -> tuple[Case, ...]:
    """Operators and layers for chips, with the library that they use, or a file of that beside."""
    found = []
    library = (ROOT / "compiler/library/operators.sir").read_text()
    for path in sorted((ROOT / "workloads/chip/tiles").glob("*/program.sir")):
        text = path.read_text()
        buffers = [b for b in parse(text, str(path)).buffers.values() if b.space == "dram"]
        given = "".join(
            f"  {b.name}: {{dtype: {b.dtype}, shape: [{b.count}], value: 1}}\n" for b in buffers
        )
        for name in ("operators", '"mine.sir"'):
            files = {
                "workload.yaml": f"workload: made\nprogram: made.sir\nmachine: mlu370\n"
                f"arguments:\n{given}expect: {{}}\n",
                "made.sir": text.replace("use operators", f"use {name}"),
                "mine.sir": library,
            }
            found.append(Case(files, ["workload.yaml"], "mlu370", "made.sir"))
    return tuple(found)


@cache
def assembly_loops() -> tuple[Case, ...]:
    """The hand-written loops with their workloads."""
    found = []
    for path in sorted((ROOT / "workloads/hand_tuned").glob("*/*.s")):
        workload = (path.parent / "workload.yaml").read_text()
        for large, small in SMALLER:
            workload = re.sub(large, small, workload)
        files = {"workload.yaml": workload, path.name: path.read_text()}
        words = ["workload.yaml"]
        found.append(Case(files, words, "itanium2", path.name))
    return tuple(found)


@cache
def problems() -> tuple[Case, ...]:
    """Scheduling problems."""
    found = []
    for path in sorted((ROOT / "tests/golden").glob("*.yaml")):
        words = ["explain", "problem.yaml", "--show", "schedule"]
        found.append(Case({"problem.yaml": path.read_text()}, words))
    return tuple(found)


def examples(draw: Random) -> Case:
    """A program with its workload, of any kind."""
    match draw.randrange(9):
        case 0 | 1:
            return ir_program(draw.randrange(60))
        case 2:
            return ir_kernel(draw.randrange(30))
        case 3:
            return llvm_function(draw.randrange(40))
        case 4:
            return ptx_kernel(draw.randrange(1000))
        case 5:
            return draw.choice(assembly_loops())
        case _:
            return of_a_program(draw.choice(list(KERNELS)))
