"""CUDA C++ through NVRTC, for three targets; `CUDA_HOME` has the headers, `NVRTC` the library."""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from tests.corpus.keeping import is_wanted, write

HOME = os.environ.get("CUDA_HOME", "/usr/local/cuda")


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(os.environ.get("NVRTC", "libnvrtc.so.13"))


def ptx_of(text: str, target: int, options: Sequence[str] = ()) -> bytes:
    """What NVRTC makes of a source, with the NUL that it counts."""
    library, program, size = _library(), ctypes.c_void_p(), ctypes.c_size_t()
    made = (ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None)
    assert library.nvrtcCreateProgram(*made) == 0
    arch = f"compute_{target}" + "a" * ("wgmma" in text)
    words = [f"--gpu-architecture={arch}", f"-I{HOME}/include", f"-I{HOME}/include/cccl"]
    words += ["-default-device", "-std=c++17", "-lineinfo", *options]
    given = (ctypes.c_char_p * len(words))(*[one.encode() for one in words])
    if library.nvrtcCompileProgram(program, len(words), given):
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        raise RuntimeError(log.value.decode())
    library.nvrtcGetPTXSize(program, ctypes.byref(size))
    ptx = ctypes.create_string_buffer(size.value)
    library.nvrtcGetPTX(program, ptx)
    return ptx.raw[: size.value]


def build(
    name: str, text: str, args: Mapping[str, Any], grid: Sequence[int], block: Sequence[int],
    expect: Mapping[str, Any], tol: Mapping[str, list] | None = None, *, shared: int = 0,
    targets: Sequence[int] = (75, 80, 90), options: Sequence[str] = (),
    more: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """Write the units of the source's first kernel; arrays `__NAME` fill variables or fields."""
    if not is_wanted(name):
        return
    params = [_param(own, value) for own, value in args.items() if not own.startswith("__")]
    arrays = {own.lstrip("_"): one for own, one in args.items() if isinstance(one, np.ndarray)}
    for target in targets:
        ptx = ptx_of(text, target, options)
        entry = re.search(r"\.entry (\S+?)\(", ptx.decode())[1]
        launch = {"grid": grid, "block": block, "shared": shared, **(more or {})}
        write("nvrtc", name, f"sm_{target}", ptx, entry, launch, params, arrays, expect, tol)


def _param(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, np.ndarray):
        return {"array": name}
    return value if isinstance(value, dict) else {"value": value}
