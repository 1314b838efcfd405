"""Every instruction of halves, 8-bit floats and tf32 beside fractions, in the interpreter and on
the core: all values of what takes one half alone; edges together, and random bits, of the others.
"""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import product

import numpy as np
import pytest

from machines.instructions import operations
from tests.campaign.seeds import spread
from tests.compiler.frontends.half_model import expected
from tests.compiler.frontends.half_model import kind as model_kind
from tests.compiler.frontends.half_runs import interpreted, kinds, on_core, run
from tests.machines.instructions.test_ptx_cases import in_python

FILES = ("ptx_half", "ptx_half_compare", "ptx_half_convert", "ptx_fp8", "ptx_tf32")
APPROXIMATE = ("ex2", "tanh")
"""Of which no exact value is asked for."""
TOGETHER = 12
"""Forms in a kernel."""
F16 = [0, 1, 2, 0x1FF, 0x3FF, 0x400, 0x401, 0x1400, 0x3800, 0x3BFF, 0x3C00, 0x3C01, 0x3C02, 0x3E00,
       0x4000, 0x4200, 0x57F8, 0x5801, 0x7800, 0x7BFE, 0x7BFF, 0x7C00, 0x7C01, 0x7E00,
       0x7FFF]  # fmt: skip
BF16 = [0, 1, 2, 0x3F, 0x7F, 0x80, 0x81, 0x3B00, 0x3B80, 0x3F00, 0x3F7F, 0x3F80, 0x3F81, 0x3F82,
        0x3FC0, 0x4000, 0x4300, 0x4780, 0x4F00, 0x5F00, 0x7F00, 0x7F7E, 0x7F7F, 0x7F80, 0x7F81,
        0x7FC0, 0x7FFF]  # fmt: skip
SINGLES = [0, 1, 0x3FFFFF, 0x7FFFFF, 0x800000, 0x00008000, 0x00018000, 0x33000000, 0x33000001,
           0x33800000, 0x387FC000, 0x387FE000, 0x387FF000, 0x38800000, 0x3A800000, 0x3B000001,
           0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F801000, 0x3F803000, 0x3F808000, 0x3F818000,
           0x3F818001, 0x43DFFFFF, 0x43E00000, 0x43E80000, 0x43F80000, 0x477FE000, 0x477FEFFF,
           0x477FF000, 0x47800000, 0x7F7F7FFF, 0x7F7F8000, 0x7F7FEFFF, 0x7F7FFFFF, 0x7F800000,
           0x7F800001, 0x7FC00000, 0x7FFFFFFF]  # fmt: skip
WHOLE = [0, 1, 2, 127, 128, 255, 256, 257, 259, 2047, 2049, 2051, 32767, 32768, 65519, 65520, 65535,
         2**24 + 1, 2**31 - 1, 2**31, 2**32 - 1, 2**40 + 2**32 + 1, 0x4040000000000001, 2**63 - 1,
         2**63, 2**64 - 1, 2**64 - 3]  # fmt: skip


@cache
def forms() -> list[str]:
    """The forms that stand in rows of halves, in an order that mixes them."""
    found = [
        row.name
        for name in FILES
        for row in __import__(f"machines.instructions.{name}", fromlist=["ROWS"]).ROWS
        if row.name.split(".")[0] not in APPROXIMATE
    ]
    random.Random(5).shuffle(found)
    return found


def edges(form: str, kind: str) -> list[int]:
    """Operands to begin with: of both signs."""
    if kind == "f32":
        return [x | sign for x in SINGLES for sign in (0, 1 << 31)]
    if kind == "f64":
        return [
            int(np.float64(np.uint32(x).view(np.float32)).view(np.uint64)) ^ low
            for x in edges(form, "f32")
            for low in (0, 1)
        ]
    source = form.split(".")[-1]
    if source[0] in "su":
        return WHOLE
    halves = BF16 if source.startswith("bf16") else F16
    both = [x | sign for x in halves for sign in (0, 1 << 15)]
    return (
        both if kind == "b16" else [x << 16 | both[k * 7 % len(both)] for k, x in enumerate(both)]
    )


def halfway(kind: str, rng: random.Random) -> int:
    """An operand between two halves, or next to that; of halves, a subnormal number."""
    if kind not in ("f32", "f64"):
        small = [rng.randint(0, 0x90) | rng.randint(0, 1) << 15 for _ in range(2)]
        return small[0] if kind == "b16" else small[0] << 16 | small[1]
    digits, fraction = rng.choice((8, 11)), 23 if kind == "f32" else 52
    cut = fraction + 1 - digits
    bias = 127 if kind == "f32" else 1023
    exponent = bias + rng.choice((rng.randint(-26, 16), rng.randint(-135, 127)))
    bits = max(exponent, 0) << fraction | rng.getrandbits(fraction)
    bits = (bits >> cut << cut | 1 << (cut - 1)) + rng.choice((0, 0, 1, -1))
    return bits | rng.randint(0, 1) << (31 if kind == "f32" else 63)


def cases(form: str, count: int, rng: random.Random) -> list[tuple[int, ...]]:
    """Edges together, what lies halfway, random bits, and what is near to an edge."""
    read = kinds(form)[1]
    every = [[0, 1] if kind == "pred" else edges(form, kind) for kind in read]
    known = list(product(*every)) if len(read) < 3 else []
    rng.shuffle(known)
    found = known[: count // 2]
    while len(found) < count:
        how, case = rng.random(), []
        for kind, some in zip(read, every, strict=True):
            if kind == "pred":
                case.append(rng.randint(0, 1))
            elif how < 0.4 and form.split(".")[-1][0] not in "su":
                case.append(halfway(kind, rng))
            else:
                near = rng.choice(some) + rng.randint(-3, 3)
                bits = int(kind[1:])
                case.append((near if how < 0.8 else rng.getrandbits(bits)) % (1 << bits))
        found.append(tuple(case))
    return found


def wrong(names: list[str], given: list[list[tuple[int, ...]]], where) -> list[str]:
    """Results that are not as expected."""
    found = []
    for form, of, results in zip(names, given, run(names, given, where), strict=True):
        bits = [{"pred": 1}.get(kind) or int(kind[1:]) for kind in kinds(form)[0]]
        bits = [8] if form.split(".")[-2] in ("s8", "u8") else bits
        for operands, got in zip(of, results, strict=True):
            wanted = expected(form, list(operands))
            masks = [(1 << n) - 1 for n in bits]
            if any((w ^ g) & m for w, g, m in zip(wanted, got, masks, strict=True)):
                shown = " ".join(f"{x:#x}" for x in operands)
                found.append(f"{form} {shown} gives {[hex(x) for x in got]}, not {wanted}")
    return found


SEVERAL = [
    *(f"setp.{r}{c}.{kind}" for r, c in (("lt", ".and"), ("neu", ".xor"), ("num", ".or"))
      for kind in ("f16", "f16x2", "bf16", "bf16x2")),
    *(f"set.{r}{c}.{to}.{kind}" for r, c in (("lt", ""), ("geu", ".xor")) for to, kind in (
        ("f16", "f16"), ("u16", "f16"), ("s32", "f16"), ("bf16", "f16"), ("bf16", "bf16"),
        ("u32", "bf16"), ("f16x2", "f16x2"), ("u32", "f16x2"), ("bf16x2", "bf16x2"),
        ("f16", "f32"), ("bf16", "f64"))),
    "set.lt.ftz.f16.f16", "set.eq.ftz.f16x2.f16x2", "setp.le.ftz.and.f16x2",
    "cvt.rn.sat.f16.s32", "cvt.rz.sat.f16.u64", "cvt.ftz.f32.f16", "cvt.ftz.sat.f32.f16",
    "cvt.rp.f32.bf16", "cvt.rm.f64.bf16", "cvt.f16.bf16", "cvt.bf16.f16", "cvt.rni.sat.s8.f16",
    "cvt.satfinite.rn.relu.bf16.f32", "add.sat.rn.f16", "max.xorsign.abs.NaN.f16",
    "fma.relu.rn.bf16x2", "sub.f16x2", "mul.bf16", "cvt.relu.rn.satfinite.e5m2x2.f16x2",
]  # fmt: skip
"""Forms that are several rows, or have the row of another form."""


def test_forms_of_several_rows():
    rng = random.Random(3)
    for first in range(0, len(SEVERAL), TOGETHER):
        names = SEVERAL[first : first + TOGETHER]
        assert wrong(names, [cases(form, 60, rng) for form in names], interpreted) == []


GROUPS = range(0, len(forms()), TOGETHER)


@pytest.mark.parametrize("first", spread(list(GROUPS), 12))
def test_by_the_interpreter(first: int):
    names, rng = forms()[first : first + TOGETHER], random.Random(first)
    given = [cases(form, 200, rng) for form in names]
    assert wrong(names, given, interpreted) == []


def test_conversions_to_tf32():
    names = [form for form in forms() if "tf32" in form]
    given = [cases(form, 60, random.Random(form)) for form in names]
    assert wrong(names, given, interpreted) == []


@pytest.mark.campaign
@pytest.mark.parametrize("first", GROUPS)
def test_on_the_core(first: int):
    """All 65 536 values of forms that take a half alone."""
    names, rng = forms()[first : first + TOGETHER], random.Random(first)
    alone = [form for form in names if kinds(form)[1] == ["b16"]]
    others = [form for form in names if form not in alone]
    if alone:
        assert wrong(alone, [[(x,) for x in range(1 << 16)] for _ in alone], on_core) == []
    if others:
        assert wrong(others, [cases(form, 3000, rng) for form in others], on_core) == []


def test_some_on_the_core():
    names = ["fma.rn.bf16x2", "cvt.rz.bf16.f32", "cvt.rn.satfinite.e4m3x2.f32", "setp.ltu.f16x2"]
    assert wrong(names, [cases(form, 200, random.Random(1)) for form in names], on_core) == []


@pytest.mark.parametrize(
    "name, kind, documented",
    [("tanh", "f16", -10.987), ("tanh", "bf16", -8), ("ex2", "f16", -9.9), ("ex2", "bf16", -7)],
)
def test_approximations_err_as_documented(name: str, kind: str, documented: float):
    """The largest error, of tanh absolute and of ex2 relative, is what the PTX ISA says."""
    of = model_kind(kind)
    step = 1 if kind == "f16" and name == "tanh" else 5
    row = operations().family("ptx")[
        f"{name}.approx{'.ftz' if (name, kind) == ('ex2', 'bf16') else ''}.{kind}"
    ]
    worst = 0.0
    for bits in range(0x2000, of.encode(of.largest), step):
        x = of.decode(bits)
        if name == "ex2" and x > 15:
            break
        true = math.tanh(x) if name == "tanh" else 2.0**x
        error = abs(of.decode(in_python(row)(bits)[0]) - true)
        worst = max(worst, error if name == "tanh" else error / true)
    assert documented - 0.2 < math.log2(worst) < documented + 0.0005, math.log2(worst)
