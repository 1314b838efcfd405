"""Divisions and roots written out: what the rows give together, beside what one row means, numpy's
rounded results, and what an H100 returned."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import compiler
from compiler.targets.simt.division_sequences import TEXTS
from compiler.targets.simt.interpret import interpret, memory_for
from machines.description.load import load_machine
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from machines.threads.grid import Grid
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.campaign.seeds import campaign
from tests.machines.special_functions.measured import INSTRUCTIONS, single_inputs, single_outputs

ROWS = {bits: [name for name in TEXTS if name.endswith(f"f{bits}")] for bits in (32, 64)}
WORDS = {32: np.uint32, 64: np.uint64}
FLOATS = {32: np.float32, 64: np.float64}
FRACTION = {32: 23, 64: 52}
FIELDS = {32: 255, 64: 2047}
THREADS = 128


def source(bits: int) -> str:
    """A kernel that does every row of a width to a thread's operands x and y."""
    lines = [
        ".version 8.0\n.target sm_90\n.address_size 64",
        ".visible .entry k(.param .u64 x, .param .u64 y, .param .u64 o) {",
        f".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f{bits} %f<4>;",
        "ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y]; ld.param.u64 %rd2, [o];",
        "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;",
        f"mad.lo.s32 %r3, %r0, %r1, %r2; mul.wide.u32 %rd3, %r3, {bits // 8};",
        f"mul.wide.u32 %rd4, %r3, {bits // 8 * len(ROWS[bits])}; add.u64 %rd2, %rd2, %rd4;",
        "add.u64 %rd0, %rd0, %rd3; add.u64 %rd1, %rd1, %rd3;",
        f"ld.global.f{bits} %f1, [%rd0]; ld.global.f{bits} %f2, [%rd1];",
    ]
    for place, name in enumerate(ROWS[bits]):
        second = ", %f2" if name.startswith("div") else ""
        lines.append(f"{name} %f3, %f1{second};")
        lines.append(f"st.global.f{bits} [%rd2+{place * bits // 8}], %f3;")
    return "\n".join([*lines, "ret; }\n"])


@cache
def machine():
    return load_machine("h100")


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """(width, whether written out) -> program."""
    folder, found = tmp_path_factory.mktemp("divisions"), {}
    for bits in ROWS:
        path = folder / f"rows_of_{bits}.ptx"
        path.write_text(source(bits))
        for whole in (False, True):
            passes = ["default", "-write_out_divisions"] if whole else None
            found[bits, not whole] = compiler.compile(
                path, machine=machine(), passes=passes
            ).program
    return found


def given(program, x: np.ndarray, y: np.ndarray, bits: int) -> tuple[Memory, Grid, list[int]]:
    out = np.zeros(len(x) * len(ROWS[bits]), WORDS[bits])
    memory = memory_for(program, {"x": x, "y": y, "o": out})
    grid = Grid((len(x) // THREADS, 1, 1), (THREADS, 1, 1))
    return memory, grid, [memory.address(name) for name in "xyo"]


def results(memory: Memory, bits: int) -> dict[str, np.ndarray]:
    """By row, the words that it gave."""
    words = memory.view("o", f"u{bits // 8}").reshape(-1, len(ROWS[bits]))
    return dict(zip(ROWS[bits], words.T, strict=True))


def on_core(program, x: np.ndarray, y: np.ndarray, bits: int) -> dict[str, np.ndarray]:
    memory, grid, values = given(program, x, y, bits)
    core = SimtCore(program, machine().description, memory)
    core.start(0, "k", grid, parameter_bytes(program.kernels["k"].frame, values))
    while (status := core.advance(core.cycle + 1_000_000)) == QUANTUM:
        pass
    assert status == DONE, (status, core.fault)
    return results(memory, bits)


def in_python(program, x: np.ndarray, y: np.ndarray, bits: int) -> dict[str, np.ndarray]:
    memory, grid, values = given(program, x, y, bits)
    outcome = interpret(program, machine().description, memory, None, grid, values)
    assert outcome.fault is None
    return results(memory, bits)


def operands(bits: int, count: int, seed: int) -> np.ndarray:
    """Words: any, of exponents near 1.0's, and edges of exponents with edges of fractions."""
    random, word, fraction = np.random.default_rng(seed), WORDS[bits], FRACTION[bits]
    found = np.frombuffer(random.bytes(count * bits // 8), word).copy()
    near = found[: count // 4]
    near &= word((1 << fraction) - 1 | 1 << bits - 1)
    middle = FIELDS[bits] // 2
    near |= random.integers(middle - 6, middle + 7, near.size).astype(word) << word(fraction)
    last = FIELDS[bits]
    fields = [*range(5), 24, 25, middle - 1, middle, middle + 1, *range(last - 6, last + 1)]
    ends = [0, 1, 2, (1 << fraction) - 1, (1 << fraction) - 2, 1 << fraction - 1]
    edges = np.array([f << fraction | e for f in fields for e in ends], word)
    edges = np.concatenate([edges, edges | word(1 << bits - 1)])
    found[count // 4 : count // 2] = random.choice(edges, count // 4)
    random.shuffle(found)
    return found


def rounded(name: str, x: np.ndarray, y: np.ndarray, bits: int) -> np.ndarray:
    """What numpy gives."""
    a, b = x.view(FLOATS[bits]), y.view(FLOATS[bits])
    with np.errstate(all="ignore"):
        if name.startswith("div"):
            return a / b
        return np.sqrt(a) if name.startswith("sqrt") else FLOATS[bits](1) / a


def check(programs, bits: int, count: int, seed: int) -> None:
    x, y = operands(bits, count, seed), operands(bits, count, seed + 1_000_000)
    whole = on_core(programs[bits, False], x, y, bits)
    for name, words in on_core(programs[bits, True], x, y, bits).items():
        same = words == whole[name]
        assert same.all(), (name, *(hex(w[~same][0]) for w in (x, y, words, whole[name])))
        if name.endswith(f".rn.f{bits}"):
            got, wanted = words.view(FLOATS[bits]), rounded(name, x, y, bits)
            same = (words == wanted.view(WORDS[bits])) | (np.isnan(got) & np.isnan(wanted))
            assert same.all(), (name, *(hex(w[~same][0]) for w in (x, y, words)))


@pytest.mark.parametrize("bits", ROWS)
def test_rows_give_what_the_one_row_means_and_what_numpy_rounds(programs, bits):
    check(programs, bits, 8192, seed=0)


@campaign(part=4, first=0, end=16)
@pytest.mark.parametrize("bits", ROWS)
def test_more_of_them(programs, bits, seeds):
    for seed in seeds:
        check(programs, bits, 1 << 20, seed)


@pytest.mark.parametrize("bits", ROWS)
def test_the_interpreter_agrees(programs, bits):
    x, y = operands(bits, THREADS, 7), operands(bits, THREADS, 8)
    core = on_core(programs[bits, True], x, y, bits)
    for name, words in in_python(programs[bits, True], x, y, bits).items():
        assert words.tolist() == core[name].tolist(), name


def test_approximations_are_an_h100_s(programs):
    x = single_inputs().astype(np.uint32)
    wanted = single_outputs()
    got = on_core(programs[32, True], x, x, 32)
    names = [name for name in got if name in INSTRUCTIONS]
    assert len(names) == 5
    for name in names:
        assert np.array_equal(got[name], wanted[name]), name


def test_all_ones_in_a_divisor_need_the_last_bit_of_the_approximation(programs):
    """1 / (2 - 2**-52) = 2**-1 + 2**-54 + …: without it the f64 comes out as 2**-1."""
    one, divisor = 0x3FF0_0000_0000_0000, 0x3FFF_FFFF_FFFF_FFFF
    x, y = np.full(THREADS, one, np.uint64), np.full(THREADS, divisor, np.uint64)
    assert on_core(programs[64, True], x, y, 64)["div.rn.f64"][0] == 0x3FE0_0000_0000_0001
