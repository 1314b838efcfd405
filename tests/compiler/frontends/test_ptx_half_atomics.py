"""Atomics of halves and of vectors of floats, in the interpreter and on the core."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from tests.campaign.seeds import spread
from tests.compiler.frontends.half_model import expected, f32, f32_bits, flush_f32
from tests.compiler.frontends.half_runs import interpreted, on_core
from tests.compiler.frontends.ptx_runs import HEADER
from tests.compiler.frontends.test_ptx_half_values import BF16, F16, SINGLES

COUNT = 256
BOTH = pytest.mark.parametrize("where", [interpreted, on_core])
_BEGIN = f""".visible .entry k(.param .u64 given, .param .u64 out, .param .u32 count) {{
.reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %a<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
.shared .align 16 .b8 tile[{16 * COUNT}];
ld.param.u64 %a1, [given]; ld.param.u64 %a2, [out];
mov.u32 %r1, %tid.x; mad.wide.u32 %a3, %r1, 16, %a1; mad.wide.u32 %a4, %r1, 16, %a2;
mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 16, %r2; cvt.u64.u32 %a5, %r2; cvta.shared.u64 %a5, %a5;
"""
"""Thread k has 16 bytes of `given` (at %a3), of `out` (%a4), and of shared memory (%r2, %a5)."""


def kernel(body: str, given: np.ndarray, where: Callable) -> np.ndarray:
    """What a thread's 16 bytes of `out`, a row of words each, are after a body."""
    out = np.zeros((COUNT, 2), np.uint64)
    source = HEADER + _BEGIN + body + "\nret;\n}\n"
    left = where(source, given.astype(np.uint32).view(np.uint64), out, COUNT)
    return np.ascontiguousarray(left).view(np.uint32).reshape(COUNT, 4)


def pairs(numbers: list[int], bits: int) -> list[tuple[int, int]]:
    """Operands: edges of both signs, and random bits."""
    rng = random.Random(bits)
    both = [x | sign for x in numbers for sign in (0, 1 << bits - 1)]
    found = [(rng.choice(both), rng.choice(both)) for _ in range(COUNT // 2)]
    return found + [(rng.getrandbits(bits), rng.getrandbits(bits)) for _ in range(COUNT // 2)]


@BOTH
@pytest.mark.parametrize("kind", ["f16", "bf16"])
@pytest.mark.parametrize("space", spread(["global", "generic", "shared"], 2))
def test_sums_of_halves(space: str, kind: str, where: Callable):
    """The upper half of a word beside another that keeps its bits; a result is what was there."""
    of = pairs(F16 if kind == "f16" else BF16, 16)
    given = np.array([[a, b, 0, 0] for a, b in of])
    address = {"global": "[%a4+2]", "shared": "[%r2+2]", "generic": "[%a5+2]"}[space]
    dotted = "" if space == "generic" else f".{space}"
    body = f"""
    ld.global.u16 %h1, [%a3]; ld.global.u16 %h2, [%a3+4]; mov.b16 %h3, 0x1234;
    st.global.u16 [%a4], %h3; st.global.u16 [%a4+2], %h1;
    st.shared.u16 [%r2], %h3; st.shared.u16 [%r2+2], %h1;
    atom{dotted}.add.noftz.{kind} %h4, {address}, %h2; st.global.u16 [%a4+4], %h4;
    """
    if space != "global":
        body += "ld.shared.u32 %r5, [%r2]; st.global.u32 [%a4], %r5;"
    for (a, b), left in zip(of, kernel(body, given, where), strict=True):
        [total] = expected(f"add.rn.{kind}", [a, b])
        assert left[:2].tolist() == [total << 16 | 0x1234, a], (hex(a), hex(b))


@BOTH
@pytest.mark.parametrize("space", spread(["global", "generic", "shared", "generic shared"], 2))
def test_sums_of_singles_flush_in_global_memory(space: str, where: Callable):
    of = pairs(SINGLES, 32)
    given = np.array([[a, b, 0, 0] for a, b in of])
    address = {"global": "[%a4]", "shared": "[%r2]", "generic": "[%a4]"}.get(space, "[%a5]")
    dotted = f".{space}" if space in ("global", "shared") else ""
    body = f"""
    ld.global.f32 %f1, [%a3]; ld.global.f32 %f2, [%a3+4];
    st.global.f32 [%a4], %f1; st.shared.f32 [%r2], %f1;
    red{dotted}.add.f32 {address}, %f2;
    """
    in_shared = space.endswith("shared")
    if in_shared:
        body += "ld.shared.u32 %r5, [%r2]; st.global.u32 [%a4], %r5;"
    for (a, b), left in zip(of, kernel(body, given, where), strict=True):
        x, y = f32(a), f32(b)
        with np.errstate(all="ignore"):
            if in_shared:
                total = float(np.float32(x) + np.float32(y))
            else:
                total = flush_f32(float(np.float32(flush_f32(x)) + np.float32(flush_f32(y))))
        assert left[0] == f32_bits(total), (hex(a), hex(b), hex(left[0]))


@BOTH
@pytest.mark.parametrize("kind, name", [("f16", "add"), ("bf16x2", "max"), ("f32", "add")])
def test_vectors(kind: str, name: str, where: Callable):
    """An element takes what stood in the register before the instruction wrote it."""
    letter, width = {"f16": ("h", 2), "bf16x2": ("r1", 4), "f32": ("f", 4)}[kind]
    noftz = "" if kind == "f32" else ".noftz"
    numbers = {"f16": F16[:20], "bf16x2": [x << 16 | x for x in BF16[:20]], "f32": SINGLES[9:30]}
    rng = random.Random(kind)
    of = [[rng.choice(numbers[kind]) for _ in range(4)] for _ in range(COUNT)]
    packed = [[a | b << 16, c | d << 16, 0, 0] for a, b, c, d in of] if width == 2 else of
    load = {2: "ld.global.u16 %{}{}, [%a3+{}];", 4: "ld.global.b32 %{}{}, [%a3+{}];"}[width]
    body = "".join(load.format(letter, k, width * k) for k in range(1, 4))
    body += load.format(letter, 4, 0)
    store = load.replace("ld", "st").replace("%{}{}, [%a3+{}]", "[%a4+{2}], %{0}{1}")
    body += store.format(letter, 4, 0) + store.format(letter, 1, width)
    first, second = f"%{letter}2", f"%{letter}3"
    body += (
        f"atom.global.v2.{name}{noftz}.{kind} {{{second}, {first}}}, [%a4], {{{first}, {second}}};"
    )
    body += store.format(letter, 3, 2 * width) + store.format(letter, 2, 3 * width)
    left = kernel(body, np.array(packed), where)
    for (a, b, c, d), words in zip(of, left, strict=True):
        if kind == "f32":
            sums = [np.float32(f32(x)) + np.float32(f32(y)) for x, y in ((a, c), (b, d))]
            totals = [f32_bits(flush_f32(float(x))) for x in sums]
        else:
            form = f"{name}{'.rn' if name == 'add' else ''}.{kind}"
            totals = [expected(form, [x, y])[0] for x, y in ((a, c), (b, d))]
        wanted = [*totals, a, b]
        if width == 2:
            wanted = [wanted[0] | wanted[1] << 16, wanted[2] | wanted[3] << 16, 0, 0]
        assert words.tolist() == wanted, [hex(x) for x in (a, b, c, d)]


@BOTH
def test_many_threads_add_to_one_half(where: Callable):
    """Nobody comes in between: 256 times 0.5 to two halves of a word, and a lock of 16 bits."""
    body = """
    mov.b16 %h1, 0x3800; mov.b32 %r5, 0x38003800; mov.b16 %h5, 0; mov.b16 %h6, 1;
    red.global.add.noftz.f16 [%a2], %h1; red.global.add.noftz.f16x2 [%a2], %r5;
    atom.global.cas.b16 %h7, [%a2+6], %h5, %h6; cvt.u32.u16 %r6, %h7; cvt.u32.u16 %r7, %h5;
    setp.eq.u32 %p1, %r6, %r7; @%p1 red.global.add.u32 [%a2+8], 1;
    """
    words = kernel(body, np.zeros((COUNT, 4)), where)[0]
    assert words.tolist() == [0x5800_5C00, 1 << 16, 1, 0]


@BOTH
def test_exchanges_of_halves_compare_no_neighbour(where: Callable):
    given = np.array([[k * 0x0101_0101 | 0x1234, k % 2, 0, 0] for k in range(COUNT)])
    body = """
    ld.global.u32 %r5, [%a3]; st.global.u32 [%a4], %r5; ld.global.u16 %h1, [%a3];
    ld.global.u16 %h2, [%a3+4]; sub.u16 %h3, %h1, %h2;
    atom.global.cas.b16 %h4, [%a4], %h3, %h2; st.global.u16 [%a4+4], %h4;
    """
    for before, left in zip(given.tolist(), kernel(body, given, where), strict=True):
        low = before[0] & 0xFFFF if before[1] else before[1]
        assert left[:2].tolist() == [before[0] & 0xFFFF_0000 | low, before[0] & 0xFFFF]
