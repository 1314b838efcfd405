"""Random CUDA kernels, through nvcc and the PTX front end, against a C++ compiler.

pytest -m campaign -n 2 tests/campaign/test_ptx_nvcc.py          needs nvcc and g++
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from compiler.ir.module import Module
from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.cuda_random import HOST, VALUES, RandomKernel
from tests.compiler.frontends.ptx_runs import read, run

NVCC = ("nvcc", "-arch=sm_90", "-ptx", "-fmad=false", "-w")
GCC = ("g++", "-O1", "-fwrapv", "-ffp-contract=off", "-w", "-shared", "-fPIC")
BLOCKS, THREADS = 2, 8

pytestmark = pytest.mark.skipif(
    not (shutil.which("nvcc") and shutil.which("g++")), reason="needs nvcc and g++"
)


@campaign(25, end=1500)
@pytest.mark.parametrize("flags", [("-lineinfo",), ("-O0", "-G")], ids=["optimised", "debug"])
def test_kernels_do_what_they_do_in_c(seeds: range, flags: tuple[str, ...], tmp_path: Path):
    text = "".join(RandomKernel(seed).text for seed in seeds)
    source, ptx, library = (tmp_path / name for name in ("k.cu", "k.ptx", "k.so"))
    source.write_text(text)
    subprocess.run([*NVCC, *flags, source, "-o", ptx], check=True)
    (tmp_path / "k.cpp").write_text(HOST + text)
    subprocess.run([*GCC, tmp_path / "k.cpp", "-o", library], check=True)
    module, host = read(ptx.read_text(), str(ptx)), ctypes.CDLL(str(library))
    check_all(lambda seed: check(seed, module, host), seeds)


def check(seed: int, module: Module, host: ctypes.CDLL) -> None:
    random = np.random.default_rng(seed)
    integers = random.integers(-(2**31), 2**31, 64).astype(np.int32)
    integers[::3] %= 100
    floats = (random.integers(-999, 999, 64) / 8).astype(np.float32)
    size = VALUES * BLOCKS * THREADS
    arguments = [np.zeros(size, np.int64), np.zeros(size), integers, floats]
    got = run(module, f"k{seed}", arguments, BLOCKS, THREADS)
    wanted = [array.copy() for array in arguments]
    for block in range(BLOCKS):
        for thread in range(THREADS):
            host.stand(block, thread, THREADS)
            getattr(host, f"k{seed}")(*(a.ctypes.data_as(ctypes.c_void_p) for a in wanted))
    np.testing.assert_array_equal(got[0], wanted[0])
    np.testing.assert_array_equal(got[1], wanted[1])
