"""Kernels that reach the roofs of GPUs: of types of operations on one SM, of the L2 and DRAM on
all of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from machines.description.load import load_machine
from machines.instructions import operations
from machines.instructions.ptx_warp_group import types_of
from machines.kinds.simt.fields import Simt
from machines.layout import Memory
from machines.operations.row import Lane, Operation
from machines.threads.grid import Grid
from sim.cores.returned import QUANTUM
from sim.cores.simt.drive import SimtCore
from sim.cores.simt.statistics import Statistics
from sim.kinds.simt.roofline import ROOFLINE
from sim.kinds.simt.work import work_of
from tests.sim.peaks.reached import Done
from tests.warp_programs import emitted, line

SCALARS = {
    "f64": ["fma.rn.f64"], "f32": ["fma.rn.f32"], "f16": ["fma.rn.f16x2"],
    "special": ["ex2.approx.f32"], "integer": ["and.b32", "mul.lo.s32"],
}  # fmt: skip
GROUPED = {
    "tensor tf32": ("tf32", "tf32", "f32"), "tensor f16": ("f16", "f16", "f32"),
    "tensor f8": ("e4m3", "e4m3", "f32"), "tensor i8": ("s8", "s8", "s32"),
    "tensor b1": ("b1", "b1", "s32"),
}  # fmt: skip
"""What groups of warps multiply: types of both matrices and of the result."""
SOURCE, TARGETS = 16, 20
"""The register that is read, and from where on others are written."""
UNROLLED = 240
REGISTERS = 64
"""Of a thread at most."""


def rows_for(name: str, machine: Simt) -> list[str]:
    """Rows that do such operations fastest."""
    if name in SCALARS:
        return SCALARS[name]
    if name in GROUPED and "tensor_group" in machine.classes:
        return ["wgmma.mma_async.m64n64.f32.registers"]
    found = {}
    for row in operations().family("ptx").values():
        done, family = work_of(row), row.scheduling_class
        if done is not None and done.of == name and family in machine.classes:
            found[row.name] = Fraction(done.count, machine.occupancy(family))
    return [max(found, key=lambda one: found[one])]


class _Registers:
    """Hands out registers to operands: those that are read are always the same."""

    def __init__(self) -> None:
        self.next = TARGETS

    def line(self, row: Operation, types: int) -> str:
        target, texts = self.next, []
        if row.group:
            target = TARGETS
        for operand in row.operands:
            if not isinstance(operand.kind, Lane):
                texts.append(str({"types": types, "scale_a": 1, "scale_b": 1}.get(operand.name, 0)))
                continue
            wide = operand.kind.file == "b64"
            if row.group and operand.name[0] == "c":
                texts.append(f"r{TARGETS + int(operand.name[1:])}")
                continue
            if operand.is_written:
                target += target % 2 if wide else 0
                texts.append(f"{operand.kind.prefix}{target}")
                target += 2 if wide else 1
            elif operand.name in ("mask", "scale"):
                texts.append("-1")
            else:  # one register, whose banks have no conflict
                texts.append(f"{operand.kind.prefix}{SOURCE}")
        self.next = target if target < 52 else TARGETS
        return line(row, texts)


def looped(body: Sequence[str], before: Sequence[str] = (), frame: str = "") -> str:
    """A kernel that does `body` as often as TIMES says, and waits for what comes of it."""
    lines = [
        "form allocated of ptx", "func @k() {", *([f"    frame = {frame}"] if frame else []),
        "entry:", *before, "    r0 = mov.b32 0", "    bra.uni loop", "loop:", *body,
        "    r0 = add.s32 r0, 1", "    p0 = setp.lt.s32 r0, TIMES", "    bra p0, loop, done",
        "done:", *(f"    r1 = and.b32 r{k}, r{k}" for k in range(TARGETS, 54)), "    exit", "}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def operations_kernel(name: str, machine: Simt) -> str:
    table, registers = operations().family("ptx"), _Registers()
    rows = [table[one] for one in rows_for(name, machine)]
    count = UNROLLED if name in SCALARS else 60
    types = types_of(*GROUPED.get(name, ("f16", "f16", "f32")))
    body = [registers.line(rows[k % len(rows)], types) for k in range(count)]
    frame = "KernelFrame(shared: 16384)" if rows[0].group else ""
    return looped([f"    {one}" for one in body], frame=frame)


LOADS = {
    "L1": (
        ["    d2 = mov.address x", "    r4 = mov.laneid", "    r4 = shl.b32 r4, 4",
         "    d6 = cvt.u64.u32 r4", "    d2 = add.s64 d2, d6"],
        ["    r20, r21, r22, r23 = ld.global.v4.b32 d2, 0",
         "    r24, r25, r26, r27 = ld.global.v4.b32 d2, 0"] * 24, "",
    ),
    "shared memory": (
        ["    r4 = mov.laneid", "    r4 = shl.b32 r4, 2"],
        [f"    r{TARGETS + k} = ld.shared.b32 r4, 0" for k in range(16)] * 3,
        "KernelFrame(shared: 4096)",
    ),
}  # fmt: skip


def kernel(name: str, machine: str) -> str:
    """For a type of operations, or for memory of one SM."""
    if name in LOADS:
        before, body, frame = LOADS[name]
        return looped(body, before, frame)
    return operations_kernel(name, one_sm(machine))


@cache
def one_sm(name: str) -> Simt:
    """A machine with one SM, and what all share as it is."""
    return load_machine(name, ["sms=1"]).description


def on_one_sm(kernel: str, machine: Simt, times: int) -> Done:
    """As many warps as there are; the work of the run."""
    return run(kernel.replace("TIMES", str(times)), machine, 1, threads_of(machine),
               Memory([("x", 16384)]))  # fmt: skip


def threads_of(machine: Simt) -> int:
    """Of a block that has an SM to itself."""
    limits = machine.limits
    most = min(limits.threads_per_cta, machine.warp_width * limits.warps)
    return min(most, limits.registers // REGISTERS)


def run(text: str, machine: Simt, blocks: int, threads: int, memory: Memory) -> Done:
    core = SimtCore(emitted(text), machine, memory)
    core.start(0, "k", Grid((blocks, 1, 1), (threads, 1, 1)), b"")
    while core.advance(core.cycle + 10**9) == QUANTUM:
        pass
    assert core.fault is None, core.fault
    return core.cycle, ROOFLINE.work(Statistics(core))


def pieces(machine: Simt, blocks: int, threads: int, memory: Memory) -> None:
    """Fill the table `t` with the address of 16 bytes for each thread: lines that are spread evenly
    over the slices that its SM asks."""
    from sim.cores.simt.memory.sectored_cache import share, spread

    l2 = machine.memory.l2
    own = l2.slices // l2.partitions
    base, lanes = memory.address("x"), l2.line // 16
    share, spread = (getattr(one, "py_func", one) for one in (share, spread))
    former = np.seterr(over="ignore")
    of: dict[int, list[int]] = {}
    for number in range(len(memory.view("x")) // l2.line):
        at = base + number * l2.line
        of.setdefault(share(spread(at // l2.line), l2.slices) % own, []).append(at)
    np.seterr(**former)
    table = np.zeros(blocks * threads, np.int64)
    turns = [0] * l2.partitions
    for block in range(blocks):
        side = block % l2.partitions
        for first in range(0, threads, lanes):
            line = of[turns[side] % own].pop()
            turns[side] += 1
            place = block * threads + first
            table[place : place + lanes] = line + 16 * np.arange(lanes)
    memory.view("t")[:] = table.view(np.uint8)


def l2_kernel() -> str:
    """Each thread copies its 16 bytes to shared memory again and again, past the L1."""
    before = [
        "    r2 = mov.tid.x", "    r3 = mov.ctaid.x", "    r4 = mov.ntid.x",
        "    r3 = mad.lo.s32 r3, r4, r2", "    d6 = mul.wide.s32 r3, 8", "    d8 = mov.address t",
        "    d8 = add.s64 d8, d6", "    d10 = ld.global.b64 d8, 0", "    r12 = shl.b32 r2, 4",
    ]  # fmt: skip
    body = ["    cp.async.cg.shared.global.16 r12, 0, d10, 0, 16"] * 4
    return looped([*body, "    cp.async.wait_all"], before, "KernelFrame(shared: SHARED)")


def stream_kernel() -> str:
    """Each thread loads 16 bytes, then those that lie behind what all threads have loaded."""
    before = [
        "    r2 = mov.tid.x", "    r3 = mov.ctaid.x", "    r4 = mov.ntid.x",
        "    r5 = mov.nctaid.x", "    r3 = mad.lo.s32 r3, r4, r2", "    d6 = mul.wide.s32 r3, 16",
        "    d8 = mov.address x", "    d8 = add.s64 d8, d6", "    r4 = mul.lo.s32 r4, r5",
        "    d6 = mul.wide.s32 r4, 16",
    ]  # fmt: skip
    body = []
    for k in range(EACH):
        first = 20 + 4 * k
        registers = ", ".join(f"r{first + n}" for n in range(4))
        body += [f"    {registers} = ld.global.v4.b32 d8, 0", "    d8 = add.s64 d8, d6"]
    return looped(body, before)


EACH = 8
"""Loads of a turn."""


def of_all_sms(name: str, machine: Simt, times: int) -> Done:
    """The L2, or DRAM, asked by all SMs."""
    blocks, threads = machine.sms, threads_of(machine)
    size = 16 * blocks * threads
    if name == "DRAM":
        memory = Memory([("x", size * EACH * times)])
        return run(stream_kernel().replace("TIMES", str(times)), machine, blocks, threads, memory)
    room = 2 * size + 4096 * machine.memory.l2.slices
    memory = Memory([("x", room), ("t", 8 * blocks * threads)])
    pieces(machine, blocks, threads, memory)
    text = l2_kernel().replace("SHARED", str(16 * threads)).replace("TIMES", str(times))
    return run(text, machine, blocks, threads, memory)
