"""Units of the corpus: what a generator made of a kernel, its inputs, and what numpy expects.

    out/triton/softmax.sm_90/kernel.ptx      as the generator wrote it
    out/triton/softmax.sm_90/meta.json       how it is launched, in the order of the PTX
    out/triton/softmax.sm_90/data.npz        arrays; `expect_y` is what y must be

Elements that numpy has not are kept as their encodings; `kinds` says which they are.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

HERE = Path(__file__).parent
KEPT = HERE / "kept"
BF16, E4M3, E5M2 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
F4 = np.float32
ENCODED = {
    np.dtype(np.float16): ("f16", np.uint16),
    np.dtype(BF16): ("bf16", np.uint16),
    np.dtype(E4M3): ("e4m3", np.uint8),
    np.dtype(E5M2): ("e5m2", np.uint8),
    np.dtype(bool): ("bool", np.uint8),
}
DECODED = {name: dtype for dtype, (name, _) in ENCODED.items()}
MACHINES = {"sm_75": "a100", "sm_80": "a100", "sm_90": "h200"}
"""On which a unit runs; no machine here is of compute capability 7.5."""
RELATIVE = 1e-6
_DEBUG = re.compile(r"^\s*\.section\s+\.debug\w*\s*\{.*?^\s*\}\n?", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"(?:/[\w.+-]+)+/([\w.+-]+\.(?:py|h|cu))")


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def normals(*shape: int, seed: int = 1, dt: Any = np.float32) -> np.ndarray:
    """Normal numbers of a type."""
    return rng(seed).standard_normal(shape).astype(dt)


def wide(array: np.ndarray) -> np.ndarray:
    """The same numbers in f64, for references."""
    return array.astype(np.float64)


def kind(array: np.ndarray) -> str:
    """What elements are called in `kinds`."""
    return ENCODED[array.dtype][0] if array.dtype in ENCODED else array.dtype.name


def raw(array: np.ndarray) -> np.ndarray:
    """An array as numpy writes it."""
    array = np.ascontiguousarray(array)
    return array.view(ENCODED[array.dtype][1]) if array.dtype in ENCODED else array


@dataclass
class Unit:
    """A kernel for a target."""

    path: str
    ptx: bytes
    meta: dict[str, Any]
    data: Mapping[str, np.ndarray]


def is_wanted(name: str) -> bool:
    """Whether words of the command line, if there are any, name a kernel."""
    return len(sys.argv) < 2 or any(word in name for word in sys.argv[1:])


def write(
    generator: str, name: str, target: str, ptx: str | bytes, entry: str, launch: Mapping[str, Any],
    params: Sequence[Mapping[str, Any]], arrays: Mapping[str, np.ndarray],
    expect: Mapping[str, Any], tol: Mapping[str, list] | None = None,
) -> None:  # fmt: skip
    """Write a unit below CORPUS_OUT."""
    folder = Path(os.environ["CORPUS_OUT"]) / generator / f"{name}.{target}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.ptx").write_bytes(ptx if isinstance(ptx, bytes) else ptx.encode())
    data = {key: raw(one) for key, one in arrays.items()}
    data |= {f"expect_{key}": raw(np.asarray(one)) for key, one in expect.items()}
    np.savez_compressed(folder / "data.npz", **data)
    meta = {
        "generator": generator, "name": name, "target": target, "entry": entry, **launch,
        "params": list(params), "kinds": {key: kind(one) for key, one in arrays.items()},
        "expect_kinds": {key: kind(np.asarray(one)) for key, one in expect.items()},
        "tol": tol or {},
    }  # fmt: skip
    (folder / "meta.json").write_text(json.dumps(meta, default=lambda one: one.item()))


def units(folder: Path) -> Iterator[Unit]:
    """Those that were written below a folder."""
    for meta in sorted(folder.glob("*/*/meta.json")):
        path = meta.parent.relative_to(folder).as_posix()
        ptx = (meta.parent / "kernel.ptx").read_bytes()
        with np.load(meta.parent / "data.npz") as data:
            yield Unit(path, ptx, json.loads(meta.read_text()), dict(data))


def pack(generator: str, found: Sequence[Unit]) -> Path:
    """Keep units of a generator in one file, without debug sections and paths."""
    path = KEPT / f"{generator}.tar.xz"
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for unit in found:
            data = io.BytesIO()
            np.savez(data, **unit.data)
            parts = {"kernel.ptx": plain(unit.ptx), "data.npz": data.getvalue()}
            parts["meta.json"] = json.dumps(unit.meta).encode()
            for name, content in parts.items():
                info = tarfile.TarInfo(f"{unit.path}/{name}")
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return path


def plain(ptx: bytes) -> bytes:
    """PTX as it is kept; a NUL at its end stays."""
    text = _DEBUG.sub("", ptx.decode())
    return _PATH.sub(r"\1", text).encode()


def kept(generator: str) -> Iterator[Unit]:
    """The units that are kept of a generator."""
    with tarfile.open(KEPT / f"{generator}.tar.xz") as archive:
        parts = {one.name: archive.extractfile(one).read() for one in archive.getmembers()}
    for name in sorted(one for one in parts if one.endswith("meta.json")):
        path = name.removesuffix("/meta.json")
        with np.load(io.BytesIO(parts[f"{path}/data.npz"])) as data:
            yield Unit(path, parts[f"{path}/kernel.ptx"], json.loads(parts[name]), dict(data))


def workload(unit: Unit) -> dict[str, Any]:
    """A unit as `sim.run` takes it, but for its program's text."""
    meta = unit.meta
    launch = {
        key: meta[key] for key in ("grid", "block", "cluster", "cooperative") if meta.get(key)
    }
    launch |= {"kernel": meta["entry"], "arguments": [_argument(one) for one in meta["params"]]}
    if meta["shared"]:
        launch["shared"] = f"{meta['shared']} B"
    return {
        "workload": "corpus", "program": "kernel.ptx", "machine": MACHINES[meta["target"]],
        "arguments": {name: unit.data[name] for name in meta["kinds"]}, "launch": launch,
        "limits": {"cycles": 30_000_000},
    }  # fmt: skip


def _argument(param: Mapping[str, Any]) -> Any:
    if "array" in param:
        return param["array"]
    if "struct" in param:
        return {key: param[key] for key in ("struct", "align") if key in param}
    return param.get("value")


def wrong(unit: Unit, outputs: Mapping[str, np.ndarray]) -> list[str]:
    """What of a run's outputs is not what numpy expects."""
    found = []
    for name, elements in unit.meta["expect_kinds"].items():
        expected = unit.data[f"expect_{name}"]
        got = np.asarray(outputs[name]).reshape(expected.shape)
        if elements in DECODED:
            expected = expected.view(DECODED[elements])
            got = got.astype(unit.data[f"expect_{name}"].dtype).view(DECODED[elements])
        is_off = _off(got, expected, *unit.meta["tol"].get(name, (0, 0)))
        if is_off.any():
            place = tuple(np.argwhere(is_off)[0])
            found.append(f"{name}{list(map(int, place))}: {got[place]} for {expected[place]}")
    return found


def _off(got: np.ndarray, expected: np.ndarray, rtol: float, atol: float) -> np.ndarray:
    if not rtol and not atol:
        if expected.dtype not in (np.float32, np.float64):
            return got != expected
        rtol = atol = RELATIVE
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore"):
        near = np.abs(got - expected) <= atol + rtol * np.abs(expected)
        return ~(near | (np.isnan(got) & np.isnan(expected)) | (got == expected))
