"""What is rounded with what in random expressions: as ptxas does it.

ptxas and nvdisasm are asked where they are installed; what ptxas 13.0 makes of the first
expressions stands in `contracted_by_ptxas.txt`, a line each, so that every run has a judge.

    python -m tests.campaign.test_contraction     writes that file anew
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from compiler import compile
from machines.description.load import Machine, load_machine
from tests.campaign.seeds import short_form
from tests.programs.random_products import STYLES, random_products
from tests.programs.rounded_sums import of_machine_code, of_rows

HERE = Path(__file__).parent
RECORDED = HERE / "contracted_by_ptxas.txt"
RECORDS = 2000
PARTS = [range(k, k + 25) for k in range(0, RECORDS, 25)]


def _tool(name: str) -> str | None:
    """The path of a tool of CUDA's toolkit, or of NVIDIA's package of that name."""
    spec = find_spec("nvidia")
    places = [Path(p) for p in spec.submodule_search_locations] if spec else []
    packaged = (path for place in places for path in place.glob(f"*/bin/{name}"))
    return shutil.which(name) or next(map(str, packaged), None)


PTXAS, NVDISASM = _tool("ptxas"), _tool("nvdisasm")
needs_both = pytest.mark.skipif(
    PTXAS is None or NVDISASM is None,
    reason="ptxas or nvdisasm is not installed (pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm)",
)


def size_of(seed: int) -> int:
    return 4 if STYLES[seed % len(STYLES)].type == "f32" else 8


def by_ptxas(seeds: Sequence[int]) -> list[dict[int, str]]:
    """What ptxas makes of expressions, all in one file."""
    texts = [random_products(seed) for seed in seeds]
    head, _ = texts[0].split(".visible", 1)
    kernels = (text.split(".visible", 1)[1] for text in texts)
    named = (k.replace(".entry k(", f".entry k{n}(", 1) for n, k in enumerate(kernels))
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder) / "k.ptx", Path(folder) / "k.cubin"
        source.write_text(head + "\n".join(f".visible{kernel}" for kernel in named))
        subprocess.run([PTXAS, "-arch=sm_90", "-O3", source, "-o", binary], check=True)
        command = [NVDISASM, "-c", binary]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    _, *parts = re.split(r"\.text\.k(\d+):", said)
    code = {int(n): text for n, text in zip(parts[::2], parts[1::2], strict=True)}
    return [of_machine_code(code[n], size_of(seed)) for n, seed in enumerate(seeds)]


def by_us(seed: int, machine: Machine) -> dict[int, str]:
    compiled = compile("k.ptx", machine=machine, source=random_products(seed))
    return of_rows(compiled.function, size_of(seed))


def digest(stored: dict[int, str]) -> str:
    return f"{zlib.crc32(repr(sorted(stored.items())).encode()):08x}"


@pytest.fixture(scope="module")
def machine():
    return load_machine("h200")


@pytest.mark.parametrize("seeds", short_form(PARTS, 4))
def test_expressions_are_those_that_ptxas_made(seeds: range, machine):
    recorded = RECORDED.read_text().split()
    wrong = [seed for seed in seeds if digest(by_us(seed, machine)) != recorded[seed]]
    assert not wrong


@needs_both
@pytest.mark.parametrize("seeds", short_form(PARTS, 4))
def test_expressions_are_those_that_ptxas_makes(seeds: range, machine):
    seeds = [RECORDS + seed for seed in seeds]
    for seed, theirs in zip(seeds, by_ptxas(seeds), strict=True):
        assert by_us(seed, machine) == theirs, random_products(seed)


if __name__ == "__main__":
    RECORDED.write_text("".join(f"{digest(found)}\n" for found in by_ptxas(range(RECORDS))))
