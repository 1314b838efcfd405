"""An access is allowed if and only if it lies wholly inside one buffer and is aligned.

Buffers of sizes that no access divides, and every address about their ends: the memory itself, the
interpreters and the cores are asked one by one.  Random programs cannot tell: their buffers are
whole elements, so what ends one byte too late is still outside, or misaligned.
"""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from compiler import compile
from compiler.interpret.functions import interpret as interpret_ir
from compiler.targets.epic.interpret import interpret as interpret_program
from compiler.targets.simt.interpreter.thread_memory import global_bytes
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.layout import Extent, Memory, MemoryFault
from machines.threads.grid import Grid
from sim.cores.returned import FAULTED
from sim.cores.simt.drive import SimtCore
from tests.sim.epic.epic_runs import simulate
from tests.warp_programs import kernel

SIZES = (1, 2, 5, 8, 13, 4095, 4096, 4099)
WIDTHS = (1, 2, 4, 8)
BESIDE = 5  # bytes of the buffer that follows


def offsets(size: int) -> list[int]:
    """About both ends of a buffer of `size` bytes, and at the next one's."""
    ends = {near + d for near in (0, size) for d in range(-9, 10)}
    return sorted(
        ends | {4096, 8192, 2 * 4096 + BESIDE - 1, 2 * 4096 + BESIDE, 1 << 40, -(1 << 62)}
    )


def edges(size: int, width: int) -> list[int]:
    """Of those the ones at which an access of a width begins to leave the buffer, or does so no
    more, and their neighbours: for cores, each of which starts anew for every access."""
    near = {0, -1, 1, -9, 9, -width, 1 - width, -1 - width}
    ends = {end + d for end in (0, size) for d in near}
    return [offset for offset in offsets(size) if offset in ends or abs(offset) > size + 9]


def expected(memory: Memory, address: int, width: int) -> str | None:
    """By the definition, from the placements alone."""
    inside = any(
        p.address <= address and address + width <= p.address + p.size
        for p in memory.placements.values()
    )
    if not inside:
        return "out of bounds"
    return "misaligned" if address % width else None


def two_buffers(size: int, section: str | None = None) -> Memory:
    """Apart, or in a section, in which there is nothing between them."""
    return Memory([Extent("x", size, 1, section), Extent("y", BESIDE, 1, section)])


ARRANGED = [(size, section) for size in (5, 8, 4099) for section in (None, "data")]


def many_buffers(seed: int) -> Memory:
    """Small ones of random sizes and alignments, in two sections and apart."""
    random = Random(seed)
    return Memory(
        Extent(
            name,
            random.randint(0, 20) if random.random() < 0.9 else random.randint(60, 200),
            1 << random.randint(0, 4),
            random.choice([None, "rodata", "data", "data"]),
        )
        for name in map("b{}".format, range(random.randint(2, 40)))
    )


def some_addresses(memory: Memory, seed: int, count: int) -> list[int]:
    """About the ends of some of its buffers."""
    random, placed = Random(seed), list(memory.placements.values())
    chosen = (random.choice(placed) for _ in range(count))
    return [one.address + random.randint(-10, one.size + 10) for one in chosen]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("section", [None, "data"])
def test_the_memory_and_the_threads_interpreter(size, section):
    memory = two_buffers(size, section)
    find = global_bytes(memory)
    for width in WIDTHS:
        for address in (memory.address("x") + offset for offset in offsets(size)):
            for access in (memory.check, find):
                try:
                    access(address, width)
                    fault = None
                except MemoryFault as error:
                    fault = error.kind
                assert fault == expected(memory, address, width), (address, width)


ACCESSES = {
    "load": "    v = load.{type} q\n    return v",
    "store": "    v = const.{type} 7\n    store.{type} q, v\n    return v",
}


@cache
def epic_program(access: str, width: int):
    body = ACCESSES[access].format(type=f"i{8 * width}")
    text = (
        f"func @main(x: ptr, y: ptr, k: i64) -> i{8 * width} {{\n"
        f"entry:\n    q = add.ptr x, k\n{body}\n}}\n"
    )
    machine = load_machine("itanium2")
    return (
        parse(text, "edge.sir"),
        compile("edge.sir", machine=machine, source=text).program,
        machine,
    )


@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_interpreters_and_the_epic_core(access, width):
    module, program, machine = epic_program(access, width)
    for size, section in ARRANGED:
        for offset in edges(size, width):
            arguments = {
                "x": np.zeros(size, np.uint8),
                "y": np.zeros(BESIDE, np.uint8),
                "k": offset,
            }
            memory = two_buffers(size, section)
            wanted = expected(memory, memory.address("x") + offset, width)
            ir = interpret_ir(module.functions["main"], arguments, memory)
            assert (ir.fault and ir.fault.kind) == wanted, (size, offset)
            memory = two_buffers(size, section)
            registers = {"x": memory.address("x"), "y": memory.address("y"), "k": offset}
            judge = interpret_program(program, memory, registers)
            assert (judge.fault and judge.fault.kind) == wanted, (size, offset)
            core = simulate(
                program, machine, two_buffers(size, section), arguments, cycle_limit=10**5
            )
            assert (core.fault and core.fault.kind) == wanted, (size, offset)


@pytest.mark.parametrize("width", WIDTHS)
def test_many_small_neighbours(width):
    module, program, machine = epic_program("load", width)
    simt = load_machine("teaching_gpu").description
    for seed in range(6):
        memory = many_buffers(seed)
        find = global_bytes(memory)
        for address in some_addresses(memory, seed, 25):
            wanted = expected(memory, address, width)
            for access in (memory.check, find):
                try:
                    access(address, width)
                    fault = None
                except MemoryFault as error:
                    fault = error.kind
                assert fault == wanted, (seed, address)
            arguments = {"x": address, "y": 0, "k": 0}
            ir = interpret_ir(module.functions["main"], arguments, memory)
            assert (ir.fault and ir.fault.kind) == wanted, (seed, address)
            core = simulate(program, machine, memory, arguments, cycle_limit=10**5)
            assert (core.fault and core.fault.kind) == wanted, (seed, address)
            threads = SimtCore(kernel(f"d0 = mov.b64 {address}\n{ROWS[width]}\nexit"), simt, memory)
            threads.start(0, "k", Grid((1, 1, 1), (1, 1, 1)), b"")
            status = threads.advance(10**6)
            assert (threads.fault.kind if status == FAULTED else None) == wanted, (seed, address)


ROWS = {
    1: "r2 = ld.global.u8 d0, 0",
    2: "r2 = ld.global.u16 d0, 0",
    4: "r2 = ld.global.b32 d0, 0",
    8: "d2 = ld.global.b64 d0, 0",
}


@pytest.mark.parametrize("width", WIDTHS)
def test_the_simt_core(width):
    machine = load_machine("teaching_gpu").description
    for size, section in ARRANGED:
        for offset in edges(size, width):
            memory = two_buffers(size, section)
            text = f"d0 = mov.address x\nd0 = add.s64 d0, {offset}\n{ROWS[width]}\nexit"
            core = SimtCore(kernel(text), machine, memory)
            core.start(0, "k", Grid((1, 1, 1), (1, 1, 1)), b"")
            status = core.advance(10**6)
            found = core.fault.kind if status == FAULTED else None
            assert found == expected(memory, memory.address("x") + offset, width), (size, offset)


@pytest.mark.parametrize("space", ["shared", "local"])
@pytest.mark.parametrize("width", WIDTHS)
def test_windows_of_the_simt_core(space, width):
    """Two threads: behind the local memory of one stands that of another."""
    machine = load_machine("teaching_gpu").description
    row = ROWS[width].replace("global", space)
    for size in (5, 8, 24):
        for offset in range(size + 12):
            text = f"r0 = mov.b32 {offset}\n{row}\nexit"
            core = SimtCore(kernel(text, **{space: size}), machine, two_buffers(8))
            core.start(0, "k", Grid((1, 1, 1), (2, 1, 1)), b"")
            status = core.advance(10**6)
            found = core.fault.kind if status == FAULTED else None
            wanted = "misaligned" if offset % width else None
            if offset + width > size:
                wanted = f"out of bounds of {space} memory"
            assert found == wanted, (size, offset)
