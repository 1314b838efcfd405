"""wgmma: the tiles that an H100 multiplied, layouts of shared memory, groups, and what is wrong."""

from __future__ import annotations

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import compiler
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.simt.program import parameter_bytes
from machines.threads.grid import Grid
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.campaign.seeds import spread
from tests.matrix_kernels import compiled
from tests.sim.simt.measured_tiles import DIGESTS, WGMMA_TYPES, digest, wgmma_inputs

THREADS = 128
SHAPES = {
    "f16": ("m64n8k16.f32.f16.f16", ", 1, 1, 0"),
    "bf16": ("m64n8k16.f32.bf16.bf16", ", 1, 1, 0"),
    "tf32": ("m64n8k8.f32.tf32.tf32", ", 1, 1"),
    "e4m3": ("m64n8k32.f32.e4m3.e4m3", ", 1, 1"),
    "e5m2": ("m64n8k32.f32.e5m2.e5m2", ", 1, 1"),
}
WAIT = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"


def measured(kind: str) -> str:
    """The kernel that was measured: A in registers, 64 words of B in shared memory."""
    shape, rest = SHAPES[kind]
    offsets = 8 << 16 | 16 << 32
    return f""".version 8.4
.target sm_90a
.address_size 64
.visible .entry test(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {{
.reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .f32 %f<4>; .reg .pred %p<2>;
.shared .align 128 .b8 right[256];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, {THREADS}, %r1;
ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u64 %rd4, [d];
mul.wide.u32 %rd5, %r3, 16;
add.s64 %rd1, %rd1, %rd5; add.s64 %rd3, %rd3, %rd5; add.s64 %rd4, %rd4, %rd5;
mad.lo.s32 %r4, %r2, 64, %r1; mul.wide.u32 %rd6, %r4, 4; add.s64 %rd2, %rd2, %rd6;
mov.u32 %r6, right; shl.b32 %r7, %r1, 2; add.s32 %r8, %r6, %r7;
setp.ge.u32 %p1, %r1, 64;
@%p1 bra ready;
ld.global.b32 %r5, [%rd2]; st.shared.b32 [%r8], %r5;
ready:
bar.sync 0;
fence.proxy.async;
shr.u32 %r6, %r6, 4; cvt.u64.u32 %rd7, %r6; or.b64 %rd7, %rd7, {offsets};
ld.global.v4.b32 {{%r10, %r11, %r12, %r13}}, [%rd1];
ld.global.v4.f32 {{%f0, %f1, %f2, %f3}}, [%rd3];
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.{shape}
    {{%f0, %f1, %f2, %f3}}, {{%r10, %r11, %r12, %r13}}, %rd7, 1{rest};
{WAIT}
st.global.v4.f32 [%rd4], {{%f0, %f1, %f2, %f3}};
ret;
}}
"""


def launched(program, arrays: dict[str, np.ndarray], blocks: int, on_core: bool = True):
    """The memory that a launch leaves."""
    memory = memory_for(program, arrays)
    machine, grid = load_machine("h100").description, Grid((blocks, 1, 1), (THREADS, 1, 1))
    if not on_core:
        outcome = interpret(program, machine, memory, "test", grid, list(arrays))
        assert outcome.status == "done", outcome
        return memory
    core = SimtCore(program, machine, memory)
    values = [memory.address(name) for name in arrays]
    core.start(0, "test", grid, parameter_bytes(program.kernels["test"].frame, values))
    while (status := core.advance(1 << 30)) == QUANTUM:
        pass
    assert status == DONE, core.fault
    return memory


@pytest.mark.parametrize("kind", spread(WGMMA_TYPES, 2))
def test_measured_tiles(kind):
    """All elements of 300 tiles, to the bit."""
    program = compiled(measured(kind), "h100")
    a, b, c = wgmma_inputs()[kind]
    arrays = {"a": a, "b": b, "c": c, "d": np.zeros_like(c)}
    flat = {name: words.reshape(-1).copy() for name, words in arrays.items()}
    found = launched(program, flat, len(a)).view("d", "u4").reshape(c.shape).copy()
    assert digest(found) == DIGESTS["wgmma"][kind]
    some = {name: words[200:201].reshape(-1).copy() for name, words in arrays.items()}
    few = launched(program, some, 1, on_core=False).view("d", "u4")
    assert np.array_equal(few, found[200].reshape(-1))


# Layouts ----------------------------------------------------------------------------------------

SIDES = {0: 1, 1: 8, 2: 4, 3: 2}
"""Chunks of 16 bytes in a row of a swizzle, by its number in a descriptor."""


def laid_out(matrix: np.ndarray, mode: int, turned: bool, leading: int, stride: int) -> np.ndarray:
    """A matrix, rows of 32 bytes along k, as bytes of shared memory: element by element, by the
    canonical layouts of CUTLASS's descriptors.  `leading`, `stride`: bytes."""
    size, side = matrix.itemsize, SIDES[mode]
    each = 16 // size
    memory = np.zeros(16384, np.uint8)
    for (row, k), value in np.ndenumerate(matrix):
        across, inner = (row, k) if turned else (k, row)
        chunk, byte = across // each, across % each * size
        outer, low = divmod(inner, 8)
        if mode == 0 and turned:
            address = chunk * stride + low * 16 + outer * leading
        elif mode == 0:
            address = outer * stride + low * 16 + chunk * leading
        else:
            far, near = divmod(chunk, side)
            address = near * 16 + far * leading + low * 16 * side + outer * stride
            bits = {8: 3, 4: 2, 2: 1}[side]
            address ^= (address >> 7 & (1 << bits) - 1) << 4
        address += byte
        memory[address : address + size] = np.array([value]).view(np.uint8)
    return memory


def descriptor(start: int, mode: int, leading: int, stride: int) -> int:
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62


def product_kernel(
    shape: str, columns: int, a: int, b: int, rest: str, halves: bool = False, scale: str = "1"
) -> str:
    """Both matrices from shared memory, filled from `source`; accumulators from lane and column."""
    count = columns // (4 if halves else 2)
    kind = "b32" if halves else "s32" if ".s32." in shape else "f32"
    items = ", ".join(f"%d{k}" for k in range(count))
    start = "\n".join(f"mov.b32 %d{k}, 0;" for k in range(count))
    stores = "\n".join(f"st.global.b32 [%rd4+{4 * k}], %d{k};" for k in range(count))
    return f""".version 8.4
.target sm_90a
.address_size 64
.visible .entry test(.param .u64 source, .param .u64 out) {{
.reg .b32 %r<20>; .reg .b64 %rd<10>; .reg .{kind} %d<{count}>; .reg .pred %p<2>;
.shared .align 1024 .b8 both[32768];
mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [source]; ld.param.u64 %rd4, [out];
mul.wide.u32 %rd5, %r1, 16; add.s64 %rd1, %rd1, %rd5;
mul.wide.u32 %rd5, %r1, {4 * count}; add.s64 %rd4, %rd4, %rd5;
mov.u32 %r6, both; shl.b32 %r7, %r1, 4; add.s32 %r6, %r6, %r7; mov.u32 %r9, 0;
fill:
ld.global.v4.b32 {{%r10, %r11, %r12, %r13}}, [%rd1];
st.shared.v4.b32 [%r6], {{%r10, %r11, %r12, %r13}};
add.s64 %rd1, %rd1, 2048; add.s32 %r6, %r6, 2048; add.s32 %r9, %r9, 1;
setp.lt.u32 %p1, %r9, 16;
@%p1 bra fill;
fence.proxy.async;
bar.sync 0;
{start}
mov.u64 %rd7, {a}; mov.u64 %rd8, {b};
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.{shape} {{{items}}}, %rd7, %rd8, {scale}{rest};
{WAIT}
{stores}
ret;
}}
"""


def results(words: np.ndarray, columns: int) -> np.ndarray:
    """[64, columns] of what threads hold: rows of a warp, pairs of columns."""
    found = np.zeros((64, columns), words.dtype)
    for thread in range(THREADS):
        for k in range(columns // 2):
            row = 16 * (thread // 32) + thread % 32 // 4 + 8 * (k // 2 % 2)
            found[row, 8 * (k // 4) + 2 * (thread % 4) + k % 2] = words[thread, k]
    return found


LAYOUTS = [
    (mode, turn_a, turn_b)
    for mode in SIDES
    for turn_a, turn_b in ((False, False), (False, True), (True, False))
]


@pytest.mark.parametrize("layout", spread(LAYOUTS, 6, 1))
def test_layouts(layout):
    """Small whole numbers, whose products are exact in any order, through every swizzle."""
    mode, turn_a, turn_b = layout
    columns, random = 24 if mode == 0 else 64, np.random.default_rng(mode)
    a = random.integers(-8, 9, (64, 16)).astype(np.float16)
    b = random.integers(-8, 9, (columns, 16)).astype(np.float16)
    side = SIDES[mode]

    def offsets(turned: bool) -> tuple[int, int]:
        if mode == 0:
            return (128, 256) if not turned else (2048, 128)
        return (16, 128 * side) if not turned else (256 * side, 128 * side)

    halves = []
    for start, matrix, turned in ((0, a, turn_a), (16384, b, turn_b)):
        leading, stride = offsets(turned)
        memory = laid_out(matrix, mode, turned, leading, stride)
        halves.append((memory, descriptor(start, mode, leading, stride)))
    (memory_a, at_a), (memory_b, at_b) = halves
    rest = f", 1, -1, {int(turn_a)}, {int(turn_b)}"
    source = product_kernel(f"m64n{columns}k16.f32.f16.f16", columns, at_a, at_b, rest)
    arrays = {
        "source": np.concatenate([memory_a, memory_b]).view(np.uint32).copy(),
        "out": np.zeros(THREADS * columns // 2, np.uint32),
    }
    program = compiled(source, "h100")
    found = launched(program, arrays, 1).view("out", "u4").copy()
    wanted = a.astype(np.float32) @ -b.astype(np.float32).T
    assert np.array_equal(results(found.view(np.float32).reshape(THREADS, -1), columns), wanted)
    if columns == 24:
        few = launched(program, arrays, 1, on_core=False).view("out", "u4")
        assert np.array_equal(few, found)


KINDS = [
    ("m64n16k32.s32.s8.u8", "", np.int8, np.uint8),
    ("m64n16k32.f32.e5m2.e4m3", ", 1, 1", ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3fn),
    ("m64n16k8.f32.tf32.tf32", ", 1, 1", np.float32, np.float32),
]


@pytest.mark.parametrize(("shape", "rest", "left", "right"), KINDS)
def test_types(shape, rest, left, right):
    """Small whole numbers of other types."""
    random, depth = np.random.default_rng(5), 32 // np.dtype(left).itemsize
    low = 0 if right is np.uint8 else -4
    a = random.integers(-4, 5, (64, depth)).astype(left)
    b = random.integers(low, 5, (16, depth)).astype(right)
    at = [descriptor(start, 0, 128, 256) for start in (0, 16384)]
    memory = [laid_out(matrix, 0, False, 128, 256) for matrix in (a, b)]
    source = product_kernel(shape, 16, *at, rest)
    arrays = {
        "source": np.concatenate(memory).view(np.uint32).copy(),
        "out": np.zeros(THREADS * 8, np.uint32),
    }
    found = launched(compiled(source, "h100"), arrays, 1).view("out", "u4").copy()
    kind = np.int32 if ".s32." in shape else np.float32
    wanted = (a.astype(np.float64) @ b.astype(np.float64).T).astype(kind)
    assert np.array_equal(results(found.view(kind).reshape(THREADS, -1), 16), wanted)


def test_single_bits():
    random = np.random.default_rng(6)
    a, b = (random.integers(0, 1 << 32, (rows, 8), np.uint32) for rows in (64, 8))
    at = [descriptor(start, 0, 128, 256) for start in (0, 16384)]
    memory = [laid_out(matrix, 0, False, 128, 256) for matrix in (a, b)]
    source = product_kernel("m64n8k256.s32.b1.b1.and.popc", 8, *at, "")
    arrays = {
        "source": np.concatenate(memory).view(np.uint32).copy(),
        "out": np.zeros(THREADS * 4, np.uint32),
    }
    found = launched(compiled(source, "h100"), arrays, 1).view("out", "u4").reshape(THREADS, -1)
    both = a[:, None] & b[None]
    wanted = np.vectorize(lambda word: int(word).bit_count())(both).sum(-1)
    assert np.array_equal(results(found, 8), wanted)


# What is wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "kind"),
    [
        (descriptor(32768 - 128, 0, 128, 256), "a matrix out of bounds of shared memory"),
        (descriptor(128, 1, 16, 1024), "a matrix that begins where its swizzle does not"),
        (descriptor(0, 0, 16384 * 15, 256), "a matrix out of bounds of shared memory"),
    ],
)
def test_faults(at, kind):
    source = product_kernel("m64n8k16.f32.f16.f16", 8, 0, at, ", 1, 1, 0, 0")
    program = compiled(source, "h100")
    arrays = {"source": np.zeros(8192, np.uint32), "out": np.zeros(THREADS * 4, np.uint32)}
    memory = memory_for(program, arrays)
    machine, grid = load_machine("h100").description, Grid((1, 1, 1), (THREADS, 1, 1))
    outcome = interpret(program, machine, memory, "test", grid, list(arrays))
    assert outcome.fault.kind == kind
    core = SimtCore(program, machine, memory)
    values = [memory.address(name) for name in arrays]
    core.start(0, "test", grid, parameter_bytes(program.kernels["test"].frame, values))
    assert core.advance(1 << 30) not in (DONE, QUANTUM)
    assert core.fault.kind == kind
    assert core.fault.location.line == 25


PRODUCT = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "
LEFT = "{%r0, %r1, %r2, %r3}, %rd0, "
COMMIT = "wgmma.commit_group.sync.aligned;\n"
FENCE = "wgmma.fence.sync.aligned;"
AGAIN = f"{PRODUCT}{LEFT}1, 1, 1, 0;\n{COMMIT}wgmma.wait_group.sync.aligned 0;\n"


HEAD = """.version 8.4
.target sm_90a
.address_size 64
.visible .entry test() {
.reg .f32 %f<10>; .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<1>;
mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; mov.b64 %rd0, 0;
mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; """


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        (f"{PRODUCT}{LEFT}1, 1, 1, 0;\nadd.f32 %f0, %f0, %f1;", 9, "'%f0' is read here, and the"),
        (f"{PRODUCT}{LEFT}1, 1, 1, 0;\nmov.b32 %r0, 5;", 9, "'%r0' is written here, and the produ"),
        (f"{PRODUCT}{LEFT}1, 1, 1, 0;\n{COMMIT}mov.f32 %f9, %f1;", 10, "'%f1' is read here"),
        (
            f"{PRODUCT}{LEFT}1, 1, 1, 0;\n{COMMIT}wgmma.wait_group.sync.aligned 1;\n"
            "mov.f32 %f9, %f1;", 11, "product of line 8 that uses it may still be on its way",
        ),
        (f"{PRODUCT}{LEFT}1, 2, 1, 0;", 8, "2 is neither 1 nor -1"),
        (f"{PRODUCT}{LEFT}1, 1, 1, 0, 0;", 8, "takes 7 operands, not 8"),
        (f"{PRODUCT.replace('n8k16', 'n12k16')}{LEFT}1, 1, 1, 0;", 8, "there is no 'wgmma.mma_as"),
        (f"{PRODUCT.replace('n8k16', 'n8k8')}{LEFT}1, 1, 1, 0;", 8, "there is no 'wgmma.mma_asyn"),
        (PRODUCT.replace("async.", "async.sp.") + f"{LEFT}1, 1, 1, 0;", 8, "sparse"),
        (f"add.f32 %f2, %f2, %f2;\n{AGAIN}", 9, "'%f2', which line 8 changes, without a wgmma.fe"),
        (f"add.s32 %r3, %r3, 1;\n{AGAIN}", 9, "'%r3', which line 8 changes, without a wgmma.fen"),
        (f"{AGAIN}mul.f32 %f0, %f0, %f0;\n{AGAIN}", 12, "'%f0', which line 11 changes"),
    ],
)  # fmt: skip
def test_what_is_refused(body, line, message):
    text = f"""{HEAD}{FENCE}
{body}
ret;
}}
"""
    with pytest.raises(InputError) as caught:
        compiler.compile("test.ptx", source=text, machine=load_machine("h100"))
    found = caught.value.diagnostics[0]
    assert message in found.message and found.location.line == line


@pytest.mark.parametrize(
    "moved", ["mov.f32 %f0, %f5;", "mov.b32 %r0, 7;", "add.f32 %f5, %f0, %f1;"]
)
def test_what_needs_no_fence(moved):
    """Numbers, what was there before, and registers that no product uses."""
    text = f"""{HEAD}mov.f32 %f5, 0f3f800000;
{FENCE}
{moved}
{AGAIN}{AGAIN}ret;
}}
"""
    compiler.compile("test.ptx", source=text, machine=load_machine("h100"))


def test_a_way_without_a_fence_is_found():
    text = f"""{HEAD}setp.eq.s32 %p0, %r0, 1;
@%p0 bra past;
{FENCE}
past:
{AGAIN}ret;
}}
"""
    with pytest.raises(InputError, match="and no wgmma"):
        compiler.compile("test.ptx", source=text, machine=load_machine("h100"))


def test_waits_let_later_groups_go_on():
    """Of three groups the first is waited for: its registers are there, the others' are not."""
    bodies = []
    for group in range(3):
        items = ", ".join(f"%f{4 * group + k}" for k in range(4))
        bodies.append(f"{PRODUCT.replace('%f0, %f1, %f2, %f3', items)}{LEFT}1, 1, 1, 0;\n{COMMIT}")
    registers = "\n".join(f"mov.f32 %f{k}, 0f00000000;" for k in range(12))
    head = f""".version 8.4
.target sm_90a
.address_size 64
.visible .entry test() {{
.reg .f32 %f<20>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
{registers}
mov.b64 %rd0, 0; mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; {FENCE}
{"".join(bodies)}
wgmma.wait_group.sync.aligned 2;
add.f32 %f15, %f0, %f"""
    machine = load_machine("h100")
    compiler.compile("test.ptx", source=head + "3;\nret;\n}\n", machine=machine)
    with pytest.raises(InputError, match="'%f4' is read here"):
        compiler.compile("test.ptx", source=head + "4;\nret;\n}\n", machine=machine)


def test_a_sum_of_small_floats_keeps_fourteen_bits():
    """1 + 2⁻¹⁴ by e4m3: what is cut below the thirteenth bit."""
    a = np.zeros((64, 32), ml_dtypes.float8_e4m3fn)
    b = np.zeros((8, 32), ml_dtypes.float8_e4m3fn)
    a[:, 0], b[:, 0] = 1.0, 1.0
    a[:, 1], b[:, 1] = 2.0**-7, 2.0**-6
    a[:, 2], b[:, 2] = 2.0**-7, 2.0**-7
    at = [descriptor(start, 0, 128, 256) for start in (0, 16384)]
    memory = [laid_out(matrix, 0, False, 128, 256) for matrix in (a, b)]
    source = product_kernel("m64n8k32.f32.e4m3.e4m3", 8, *at, ", 1, 1")
    arrays = {
        "source": np.concatenate(memory).view(np.uint32).copy(),
        "out": np.zeros(THREADS * 4, np.uint32),
    }
    found = launched(compiled(source, "h100"), arrays, 1).view("out", "f4")
    assert set(found.tolist()) == {float(1 + Fraction(1, 2**13))}


# Copies that are on their way --------------------------------------------------------------------


COPIED = """
cp.async.cg.shared.global [%r6], [%rd1], 16;
{wait}
bar.sync 0;
"""


@pytest.mark.parametrize("waits", [True, False])
def test_matrices_that_copies_bring(waits):
    """Bytes that nobody has waited for may not be multiplied."""
    at = descriptor(0, 0, 128, 256)
    source = product_kernel("m64n8k16.f32.f16.f16", 8, at, at, ", 1, 1, 0, 0")
    wait = "cp.async.wait_all;" if waits else ""
    first = source.index("fill:")
    behind = source.index("bar.sync 0;")
    source = source[:first] + COPIED.format(wait=wait) + source[behind:]
    line = source[: source.index("wgmma.mma_async")].count("\n") + 1
    program = compiled(source, "h100")
    values = np.arange(8192, dtype=np.uint32) * 0x10001
    arrays = {"source": values, "out": np.zeros(THREADS * 4, np.uint32)}
    if waits:
        found = launched(program, arrays, 1).view("out", "u4").copy()
        few = launched(program, arrays, 1, on_core=False).view("out", "u4")
        assert np.array_equal(few, found) and found.any()
        return
    memory = memory_for(program, arrays)
    machine, grid = load_machine("h100").description, Grid((1, 1, 1), (THREADS, 1, 1))
    outcome = interpret(program, machine, memory, "test", grid, list(arrays))
    core = SimtCore(program, machine, memory)
    given = [memory.address(name) for name in arrays]
    core.start(0, "test", grid, parameter_bytes(program.kernels["test"].frame, given))
    assert core.advance(1 << 30) not in (DONE, QUANTUM)
    for fault in (outcome.fault, core.fault):
        assert "race" in fault.kind and fault.location.line == line
