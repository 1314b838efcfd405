"""Bulk copies that reduce what is in global memory, held to numpy on interpreter and core."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from compiler import compile
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.copy_faults import OTHER_TYPE
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from machines.vocabulary.bulk_reductions import KNOWN, TYPES
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore
from tests.sim.simt.test_tensor_maps import encoded

THREADS, COUNT = 32, 32
DTYPES = {
    "u32": "u4", "s32": "i4", "u64": "u8", "s64": "i8", "b32": "u4", "b64": "u8", "f16": "f2",
    "bf16": ml_dtypes.bfloat16, "f32": "f4", "f64": "f8",
}  # fmt: skip
HEAD = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k({parameters}) {{
.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;
.shared .align 1024 .b8 tile[1024];
ld.param.u64 %rd3, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile;
shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3; cvt.u64.u32 %rd4, %r3; add.s64 %rd5, %rd3, %rd4;
ld.global.u32 %r5, [%rd5]; st.shared.u32 [%r4], %r5;
ld.global.u32 %r5, [%rd5+128]; st.shared.u32 [%r4+128], %r5;
fence.proxy.async; bar.sync 0; setp.eq.s32 %p1, %r1, 0;
"""
TAIL = "@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0; ret; }"


def ends(source: str, x: np.ndarray, y: np.ndarray, map: tuple | None = None) -> list[Memory | str]:
    """What both leave in memory, or why not."""
    machine, grid = load_machine("h200"), Grid((1, 1, 1), (THREADS, 1, 1))
    program = compile("k.ptx", machine=machine, source=source).program
    found = []
    for on_core in (False, True):
        memory = memory_for(program, {"x": x, "y": y})
        where = memory.address("y") if map is None else encoded(memory.address("y"), y, *map)
        values = [memory.address("x"), where]
        if on_core:
            core = SimtCore(program, machine.description, memory)
            core.start(0, "k", grid, parameter_bytes(program.kernels["k"].frame, values))
            done = core.advance(10**6) == DONE
            found.append(memory if done else core.fault.kind)
        else:
            outcome = interpret(program, machine.description, memory, "k", grid, values)
            found.append(memory if outcome.status == "done" else outcome.fault.kind)
    return found


def numbers(kind: str, seed: int) -> np.ndarray:
    """Bits of 64 words at random; of floats, numbers of a few sizes."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(DTYPES[kind])
    if (kind[0] in "fb" and kind[1:] not in ("32", "64")) or kind in ("f32", "f64"):
        return (random.standard_normal(256 // dtype.itemsize) * 8).astype(dtype)
    return random.integers(0, 256, 256, np.uint8).view(dtype)


def expected(operation: str, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    if operation == "inc":
        return np.where(old >= new, 0, old + 1).astype(old.dtype)
    if operation == "dec":
        return np.where((old == 0) | (old > new), new, old - 1).astype(old.dtype)
    does = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
            "or": np.bitwise_or, "xor": np.bitwise_xor}[operation]  # fmt: skip
    return does(old, new).astype(old.dtype)


ALL = [(operation, kind) for operation, kinds in KNOWN.items() for kind in kinds]


@pytest.mark.parametrize(("operation", "kind"), ALL)
def test_a_reduction_is_what_numpy_says(operation: str, kind: str):
    x, y = numbers(kind, 1), numbers(kind, 2)
    form = f"{operation}.noftz.{kind}" if kind in ("f16", "bf16") and operation == "add" else ""
    text = (
        HEAD.format(parameters=".param .u64 x, .param .u64 y")
        + f"""
ld.param.u64 %rd6, [y];
@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.{form or f"{operation}.{kind}"}
    [%rd6], [%r2], 256;
"""
        + TAIL
    )
    wanted = expected(operation, y, x).tobytes()
    few, found = ends(text, x.view(np.uint32), y.view(np.uint32))
    assert few.view("y").tobytes() == wanted and found.view("y").tobytes() == wanted


def box(operation: str, place: str) -> str:
    head = HEAD.format(parameters=".param .u64 x, .param .align 64 .b8 map[128]")
    return f"""{head}
mov.b64 %rd6, map; cvta.param.u64 %rd6, %rd6;
@%p1 cp.reduce.async.bulk.tensor.2d.global.shared::cta.{operation}.tile.bulk_group
    [%rd6, {{{place}}}], [%r2];
{TAIL}"""


@pytest.mark.parametrize(("operation", "kind"), [("add", "f32"), ("max", "s32"), ("or", "b32")])
def test_a_box_is_reduced_where_it_is_in_bounds(operation: str, kind: str):
    x, y = numbers(kind, 1), np.concatenate([numbers(kind, k) for k in (2, 3)]).reshape(8, 16)
    form = TYPES[kind] << 9  # behind swizzle and fill
    given = ([8, 8], [1, 1], form)
    few, found = ends(box(operation, "12, 5"), x.view(np.uint32), y, given)
    wanted = y.copy()
    wanted[5:, 12:] = expected(operation, y[5:, 12:], x.reshape(8, 8)[:3, :4])
    assert few.view("y").tobytes() == wanted.tobytes() == found.view("y").tobytes()


def test_a_reduction_that_there_is_not_for_a_tensor():
    y = np.ones((8, 16), np.float32)
    given = ([8, 8], [1, 1], TYPES["f32"] << 9)
    found = ends(box("and", "0, 0"), np.ones(64, np.uint32), y, given)
    assert found == [OTHER_TYPE, OTHER_TYPE]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("global.shared::cta.bulk_group.add.f16", "there is no"),
        ("global.shared::cta.bulk_group.and.u32", "there is no"),
        ("global.shared::cta.add.u32", "there is no"),
        ("shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32", "another block"),
    ],
)
def test_forms_that_are_refused(form: str, message: str):
    text = HEAD.format(parameters=".param .u64 x, .param .u64 y")
    text += f"cp.reduce.async.bulk.{form} [%rd3], [%r2], 256; {TAIL}"
    with pytest.raises(InputError, match=message):
        compile("k.ptx", machine=load_machine("h200"), source=text)
