"""The tile programs of workloads/chip/tiles: what they leave, beside numpy; how long they are."""

from __future__ import annotations

import re

import numpy as np
import pytest

from compiler.ir.module import Module
from compiler.text_form import parse, print_module
from machines.types import TYPES
from tests.campaign.seeds import short_form
from tests.programs.random_tiles import TileProgram
from tests.programs.tile_runs import compiled, machine_named, run_streams, simulate
from tests.workloads import tile_judges
from workloads.tables import FOLDER

TILES = FOLDER / "chip" / "tiles"
PROGRAMS = {path.parent.name: path for path in sorted(TILES.glob("*/program.sir"))}
IN_EVERY_RUN = ("bottleneck", "encoder", "fourier", "histogram", "separable", "stencil")
ROUGH = {"encoder": 2e-3}
MORE = {
    "repeat_": 2, "clip": 1, "conv_padded": 2, "pool_max_padded": 2, "batch_matmul": 9,
    "gather": 11, "scatter_add": 11,
}  # fmt: skip
"""Lines that the operations of 2c69fb80 need where these stand, besides their own: transposed there
and back; two commands; an image with a border that is filled and copied; a loop of 5 lines with the
bounds of three intervals, with a number that is loaded and made an i64."""


class Program(TileProgram):
    """One of them with its buffers as arrays."""

    def __init__(self, name: str):
        text = PROGRAMS[name].read_text()
        self.module = parse(text)
        buffers = [b for b in self.module.buffers.values() if b.space == "dram"]
        super().__init__(text, {b.name: (b.dtype.name, b.count) for b in buffers}, seed=1)
        self.name, self.shapes = name, _shapes(text)

    def contents(self) -> dict[str, np.ndarray]:
        found = super().contents()
        if self.name == "fourier":
            angles = np.concatenate([np.arange(m) / m for m in (8, 4, 2, 1)]) * np.pi
            found |= {"wr": np.cos(angles).astype("f4"), "wi": -np.sin(angles).astype("f4")}
        return found

    def arrays(self, of: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """With their axes; floats as f64."""
        wide = {k: v.astype("f8") if v.dtype.kind == "f" else v for k, v in of.items()}
        return {name: array.reshape(self.shapes[name]) for name, array in wide.items()}


def _late(name: str) -> bool:
    return name not in IN_EVERY_RUN


def _shapes(text: str) -> dict[str, list[int]]:
    found = {}
    for line in re.findall(r"^(\w.*) in dram$", text, re.MULTILINE):
        for names, sizes in re.findall(r"((?:\w+, )*\w+): \w+\[([\d, ]+)\]", line):
            shape = [int(size) for size in sizes.split(",")]
            found |= dict.fromkeys(names.split(", "), shape)
    return found


@pytest.mark.parametrize("name", short_form(sorted(PROGRAMS, key=_late), len(IN_EVERY_RUN)))
def test_values(name):
    program, machine = Program(name), machine_named("mlu370")
    code = compiled(program, machine)
    streams = run_streams(code, program, machine)
    assert streams.outcome.status == "done" and not streams.outcome.races
    ended = simulate(code, program, machine)
    assert ended.outcome.status == "done", ended.outcome.failure
    assert ended.bytes == streams.bytes
    wanted = getattr(tile_judges, name)(**program.arrays(program.contents()))
    for output, expected in wanted.items():
        dtype = TYPES[program.sizes[output][0]]
        kind = f"<{'f' if dtype.is_float else 'i'}{dtype.bytes}"
        found = program.arrays({output: ended.memory.view(output).view(kind)})[output]
        rough = ROUGH.get(name, 1e-4 if dtype.is_float else 0)
        np.testing.assert_allclose(found, expected, rtol=rough, atol=rough, err_msg=output)


def test_each_has_a_judge():
    assert set(PROGRAMS) == {n for n in vars(tile_judges) if n in PROGRAMS} and len(PROGRAMS) == 26


def lines(text: str) -> int:
    return sum(bool(line.split("#")[0].strip()) for line in text.splitlines())


def lines_without(module: Module) -> int:
    """Lines of the same program without what a front end reads, and with older operations."""
    text = print_module(module)
    return lines(text) + sum(text.count(f"tensor.{name}") * more for name, more in MORE.items())


def table() -> str:
    """Of the page."""
    rows = ["| program | lines | without | share |", "| --- | ---: | ---: | ---: |"]
    shares, sums = [], [0, 0]
    for name, path in PROGRAMS.items():
        text = path.read_text()
        here, there = lines(text), lines_without(parse(text))
        shares.append(here / there)
        sums = [sums[0] + here, sums[1] + there]
        rows.append(f"| [{name}]({name}) | {here} | {there} | {here / there:.2f} |")
    mean = sum(shares) / len(shares)
    rows.append(f"| all | {sums[0]} | {sums[1]} | {sums[0] / sums[1]:.2f}, mean {mean:.2f} |")
    return "\n".join(rows)


def test_the_table_of_the_page():
    page = (TILES / "README.md").read_text()
    assert table() in page, table()


def test_a_third_of_the_lines():
    assert float(table().split("mean ")[1].split()[0]) <= 0.33
