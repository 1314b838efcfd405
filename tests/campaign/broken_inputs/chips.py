"""Programs for chips that say their order themselves: own waits and meetings, and tasks."""

from __future__ import annotations

LIMIT = "100000"
"""Cycles: a launch of the host takes a quarter of them to reach the chip."""

PROGRAMS = {
    "meet.sir": """x: f32[256] in dram
e: f32[256] in dram
y: f32[256] in dram
a: f32[64] in nram
b: f32[64] in nram

func @main(factor: f32) {
entry:
    t = task_id
    low = mul.i64 t, 64
    high = add.i64 low, 64
    tensor.copy.f32 a[0:64], x[low:high]
    sync_io 0
    tensor.mul_scalar.f32 a[0:64], a[0:64], factor
    tensor.copy.f32 b[0:64], x[low:high]
    sync_compute 0
    tensor.copy.f32 e[low:high], a[0:64]
    sync_io 0
    sync_all_ipu 0
    other = sub.i64 192, low
    end = add.i64 other, 64
    tensor.copy.f32 a[0:64], e[other:end]
    sync_io 0
    tensor.add.f32 a[0:64], a[0:64], b[0:64]
    sync_compute 0
    tensor.copy.f32 y[low:high], a[0:64]
    sync_io 0
    return
}
""",
    "tasks.sir": """a: f32[1024] in dram
b: f32[512] in dram
c: f32[512] in dram
x: f32[512] in dram
y: f32[512] in dram
rows: f32[64] in nram
out: f32[32] in nram
weights: f32[512] in wram
staged: f32[512] in sram
tile: f32[64] in nram

func @product() {
    beside = {"mem": "serve"}
entry:
    t = task_id
    al = mul.i64 t, 64
    ah = add.i64 al, 64
    cl = mul.i64 t, 32
    ch = add.i64 cl, 32
    tensor.copy.f32 rows[0:64], a[al:ah]
    sync_cluster 0
    tensor.matmul.f32 out[0:32], rows[0:64], weights[0:512], 2, 32, 16
    tensor.copy.f32 c[cl:ch], out[0:32]
    return
}

func @serve() {
entry:
    tensor.copy.f32 staged[0:512], b[0:512]
    tensor.broadcast.f32 weights[0:512], staged[0:512]
    sync_cluster 0
    return
}

func @scale(factor: f32, first: i64) {
entry:
    t = task_id
    t = add.i64 t, first
    low = mul.i64 t, 64
    high = add.i64 low, 64
    tensor.copy.f32 tile[0:64], x[low:high]
    tensor.mul_scalar.f32 tile[0:64], tile[0:64], factor
    tensor.copy.f32 y[low:high], tile[0:64]
    return
}
""",
}
WORKLOADS = {
    "meet.sir": """workload: meet
program: meet.sir
machine: teaching_chip
arguments:
  factor: 2
  x: {dtype: f32, shape: [256], value: 1}
  e: {dtype: f32, shape: [256], value: 0}
  y: {dtype: f32, shape: [256], value: 0}
passes: [default, {place_waits: {none: true}}]
expect:
  y: {equals: "0 * x + 3"}
""",
    "tasks.sir": """workload: tasks
program: tasks.sir
machine: mlu370
arguments:
  factor: 2.5
  a: {dtype: f32, shape: [32, 32], random: {seed: 1, low: -1, high: 1}}
  b: {dtype: f32, shape: [32, 16], random: {seed: 2, low: -1, high: 1}}
  c: {dtype: f32, shape: [32, 16], value: 0}
  x: {dtype: f32, shape: [512], random: {seed: 3, low: -1, high: 1}}
  y: {dtype: f32, shape: [512], value: 0}
tasks:
  - {copy: x, to: device}
  - {kernel: scale, type: block, dim: 5, arguments: {first: 0}}
  - {copy: a, to: device, stream: 1}
  - {copy: b, to: device, stream: 1}
  - {kernel: product, type: union2, dim: 16, stream: 1, arrival: 200 cycles}
  - {kernel: scale, type: block, dim: 3, arguments: {first: 5}}
  - {copy: y, to: host}
  - {copy: c, to: host, stream: 1}
expect:
  c: {oracle: matrix_product, of: [a, b], rtol: 1.0e-5, atol: 1.0e-5}
  y: {equals: "factor * x"}
""",
}
TASK_WORDS = [
    "tasks", "kernel", "type", "dim", "block", "union1", "union2", "union4", "copy", "to",
    "stream", "arrival", "arguments", "first", "scale", "product", "serve", "place_waits", "none",
    "everywhere", "matrix_product", "200",
]  # fmt: skip
