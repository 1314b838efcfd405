"""Boxes of tensors that copies move, held to numpy: ranks, types, swizzles, what is out of
bounds."""

from __future__ import annotations

import itertools
import struct

import numpy as np
import pytest

import sim
from compiler import compile
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import DONE
from sim.cores.simt.drive import SimtCore

THREADS = 64


def kernel(rank: int, box: int, at: tuple[int, ...], to: tuple[int, ...] | None = None) -> str:
    """A box of so many bytes to shared memory, which goes to `out` as it lies there, and on to
    another tensor."""
    places = [f"{{{', '.join(map(str, one))}}}" for one in (at, to or at)]
    return f""".version 8.4
.target sm_90a
.address_size 64
.visible .entry k(.param .align 64 .b8 from[128], .param .align 64 .b8 to[128], .param .u64 out) {{
.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<4>;
.shared .align 1024 .b8 tile[{-(-box // 128) * 128}];
.shared .align 8 .b8 told[8];
mov.b64 %rd1, from; cvta.param.u64 %rd1, %rd1; mov.b64 %rd2, to; cvta.param.u64 %rd2, %rd2;
ld.param.u64 %rd3, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mov.u32 %r3, told;
setp.eq.s32 %p1, %r1, 0;
@%p1 mbarrier.init.shared.b64 [%r3], 1;
prefetch.tensormap [%rd1];
bar.sync 0;
@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], {box};
@%p1 cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2],
    [%rd1, {places[0]}], [%r3];
again:
mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;
@!%p2 bra again;
shl.b32 %r4, %r1, 2; mov.u32 %r5, %r4;
next:
setp.ge.u32 %p3, %r5, {box};
@%p3 bra done;
add.s32 %r6, %r2, %r5; ld.shared.u32 %r7, [%r6];
cvt.u64.u32 %rd4, %r5; add.s64 %rd4, %rd3, %rd4; st.global.u32 [%rd4], %r7;
add.s32 %r5, %r5, {4 * THREADS};
bra next;
done:
@%p1 cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group [%rd2, {places[1]}], [%r2];
@%p1 cp.async.bulk.commit_group;
@%p1 cp.async.bulk.wait_group 0;
ret;
}}
"""


def run(source: str, x: np.ndarray, box: list[int], size: int, **more) -> sim.Result:
    given = {"x": x, "y": np.zeros_like(x), "out": np.zeros(-(-size // 4), np.uint32)}
    described = {"box": box, **more}
    arguments = [{"tensor_map": "x", **described}, {"tensor_map": "y", **described}, "out"]
    launch = {"kernel": "k", "grid": [1], "block": [THREADS], "arguments": arguments}
    workload = {"workload": "boxes", "program": "k.ptx", "machine": "h200", "launch": launch}
    result = sim.run({**workload, "arguments": given}, source=source)
    assert result.status == "done", result.to_dict()["fault"]
    return result


def boxed(x: np.ndarray, box: list[int], at: tuple[int, ...], steps: list[int], fill) -> np.ndarray:
    """What numpy says of a box; coordinates from the innermost on."""
    counts = [box[0], *(-(-b // s) for b, s in zip(box[1:], steps[1:], strict=True))]
    found = np.full(counts[::-1], fill, x.dtype)
    for place in itertools.product(*map(range, counts)):
        where = [c + k * s for c, k, s in zip(at, place, [1, *steps[1:]], strict=True)]
        if all(0 <= w < n for w, n in zip(where, x.shape[::-1], strict=True)):
            found[place[::-1]] = x[tuple(where[::-1])]
    return found


def swizzled(data: bytes, kind: int) -> bytes:
    """Bytes of a box as they lie: 16-byte pieces change places by the line of 128 that they are in,
    as the CUDA programming guide draws it."""
    pieces = [data[k : k + 16] for k in range(0, len(data), 16)]
    found = list(pieces)
    for k, piece in enumerate(pieces):
        line = k // 8
        found[k ^ line % (kind // 16)] = piece
    return b"".join(found)


CASES = [
    ("i4", (40,), [16], (8,), None),
    ("f4", (12, 40), [8, 4], (-3, 9), None),
    ("u1", (20, 64), [32, 8], (40, 15), None),
    ("f8", (5, 7, 6), [4, 3, 2], (3, 5, -1), None),
    ("f2", (3, 4, 5, 16), [8, 2, 3, 2], (9, 4, 2, 1), None),
    ("i2", (2, 3, 2, 4, 8), [8, 3, 2, 2, 1], (0, 2, 1, 1, 1), None),
    ("f4", (16, 24), [8, 8], (12, 2), [1, 3]),
    ("u4", (9, 9, 16), [8, 4, 6], (2, 1, 3), [1, 2, 4]),
]


@pytest.mark.parametrize(("dtype", "shape", "box", "at", "steps"), CASES)
def test_boxes_of_all_ranks(dtype, shape, box, at, steps):
    """What is out of bounds is zero in shared memory, and nobody writes it in global memory."""
    x = np.random.default_rng(len(shape)).integers(1, 100, shape).astype(dtype)
    wanted = boxed(x, box, at, steps or [1] * len(box), 0)
    more = {"element_strides": steps} if steps else {}
    result = run(kernel(len(box), wanted.nbytes, at), x, box, wanted.nbytes, **more)
    assert result.outputs["out"].tobytes()[: wanted.nbytes] == wanted.tobytes()
    y = np.asarray(result.outputs["y"]).reshape(shape)
    marks = boxed(np.arange(x.size).reshape(shape), box, at, steps or [1] * len(box), -1)
    inside = np.isin(np.arange(x.size).reshape(shape), marks)
    assert np.array_equal(y, np.where(inside, x, 0))


def encoded(address: int, x: np.ndarray, box: list[int], steps: list[int], form: int) -> bytes:
    """A map as `machines.vocabulary.tensor_maps` lays it out; `form`: swizzle, and fill << 8."""
    rank, pad = x.ndim, [0] * (5 - x.ndim)
    strides = [*x.strides[-2::-1], *[0] * (4 - (rank - 1))] if rank > 1 else [0] * 4
    head = 0x50414D54, rank | x.itemsize << 8 | form << 16, address
    extents = [*x.shape[::-1], *pad, *box, *pad, *steps, *pad]
    return struct.pack("<IIQ4Q15I", *head, *strides, *extents).ljust(128, b"\0")


@pytest.mark.parametrize(
    ("case", "form"), [*((c, 0) for c in CASES), (CASES[1], 1), (CASES[4], 1), (CASES[6], 256)]
)
def test_the_interpreter_moves_what_the_core_does(case, form):
    dtype, shape, box, at, steps = case
    x = np.random.default_rng(len(shape)).integers(1, 100, shape).astype(dtype)
    size = boxed(x, box, at, steps or [1] * len(box), 0).nbytes
    machine = load_machine("h200")
    program = compile("k.ptx", machine=machine, source=kernel(len(box), size, at)).program
    found, grid = [], Grid((1, 1, 1), (THREADS, 1, 1))
    for on_core in (False, True):
        given = {"x": x, "y": np.zeros_like(x), "out": np.zeros(-(-size // 4), np.uint32)}
        memory = memory_for(program, given)
        maps = [encoded(memory.address(n), x, box, steps or [1] * len(box), form) for n in "xy"]
        if on_core:
            core = SimtCore(program, machine.description, memory)
            values = [*maps, memory.address("out")]
            core.start(0, "k", grid, parameter_bytes(program.kernels["k"].frame, values))
            assert core.advance(10**6) == DONE
        else:
            outcome = interpret(program, machine.description, memory, "k", grid, [*maps, "out"])
            assert outcome.status == "done", outcome
        found.append([memory.view(name).tobytes() for name in given])
    assert found[0] == found[1] and any(found[0][2])


@pytest.mark.parametrize("kind", [32, 64, 128])
def test_swizzles(kind):
    x = np.arange(24 * 64, dtype=np.uint16).reshape(24, 64)
    box, at = [kind // 2, 16], (64 - kind // 2, 4)
    wanted = boxed(x, box, at, [1, 1], 0)
    result = run(kernel(2, wanted.nbytes, at, (0, 0)), x, box, wanted.nbytes, swizzle=kind)
    assert result.outputs["out"].tobytes() == swizzled(wanted.tobytes(), kind)
    assert np.array_equal(np.asarray(result.outputs["y"]).reshape(24, 64)[:16, : kind // 2], wanted)


def test_out_of_bounds_may_be_nan():
    x = np.ones((4, 16), np.float32)
    result = run(kernel(2, 256, (8, 2)), x, [16, 4], 256, fill="nan")
    found = result.outputs["out"].view(np.float32).reshape(4, 16)
    assert np.isnan(found[2:]).all() and np.isnan(found[:, 8:]).all() and (found[:2, :8] == 1).all()


def test_a_tensor_within_an_array():
    """Element, shape and strides as they are told: 5 rows of 24 of an array of numbers."""
    x = np.arange(400, dtype=np.uint16)
    more = {"element": "bf16", "shape": [24, 5], "strides": [80]}
    result = run(kernel(2, 16 * 6 * 2, (8, 0)), x, [16, 6], 16 * 6 * 2, **more)
    wanted = np.lib.stride_tricks.as_strided(x[8:], (5, 16), (80, 2))
    found = result.outputs["out"].view(np.uint16).reshape(6, 16)
    assert np.array_equal(found[:5], wanted) and not found[5].any()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"box": [3, 2]}, "a row of a box is a multiple of 16 bytes, not 12"),
        ({"box": [257, 2]}, "an extent of a box is 257"),
        ({"box": [8]}, "the tensor has 2 dimensions: 'box' has 2 numbers, not 1"),
        ({"box": [64, 2], "swizzle": 128}, "and swizzle 128 takes 128 at most"),
        ({"box": [8, 2], "swizzle": 16}, "'swizzle' is none of a tensor map here"),
        ({"box": [8, 2], "strides": [100]}, "strides of a tensor map are multiples of 16 bytes"),
        ({"box": [8, 2], "element_strides": [1, 9]}, "an element stride is 9"),
        ({"box": [8, 2], "element": "i32", "fill": "nan"}, "'fill: nan' is for floats"),
        ({"box": [8, 2], "boxes": 3}, "a tensor map has no 'boxes'"),
    ],
)
def test_maps_that_are_refused(more, message):
    x = np.zeros((8, 64), np.float32)
    with pytest.raises(InputError, match=message):
        run(kernel(2, 64, (0, 0)), x, size=64, **more)


def test_a_tensor_begins_at_a_multiple_of_16_bytes():
    source = kernel(1, 64, (0,)).replace("[%rd2, {0}]", "[%rd1, {0}]")
    described = {"tensor_map": "x + 1", "box": [16], "shape": [32]}
    launch = {"kernel": "k", "grid": [1], "block": [THREADS]}
    launch["arguments"] = [described, described, "out"]
    workload = {"workload": "boxes", "program": "k.ptx", "machine": "h200", "launch": launch}
    given = {"x": np.zeros(64, np.float32), "out": np.zeros(16, np.uint32)}
    with pytest.raises(InputError, match="a tensor begins at a multiple of 16 bytes"):
        sim.run({**workload, "arguments": given}, source=source)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (("[%rd1, {0, 0}]", "[%rd3, {0, 0}]"), "no tensor map is there"),
        (("[%rd1, {0, 0}]", "[%rd1, {0, 0, 0}]"), "another number of dimensions"),
        (("mov.u32 %r2, tile", "mov.u32 %r2, tile+16"), "a multiple of 128 bytes"),
        (("mov.u32 %r2, tile", "mov.u32 %r2, tile+128"), "out of bounds of shared memory"),
        (("{0, 0}], [%r3]", "{0, 0}], [%r2]"), "no mbarrier is initialised there"),
    ],
)
def test_faults(change, kind):
    source = kernel(2, 64, (0, 0)).replace(*change)
    if "{0, 0, 0}" in change[1]:
        source = source.replace(".2d.shared", ".3d.shared")
    x, box = np.zeros((8, 64), np.float32), [8, 2]
    with pytest.raises(AssertionError, match=kind):
        run(source, x, box, 256)
