"""A product whose matrices Triton 3.6 copies as boxes of tensors, by descriptors of the host:

    for k in range(0, K, BK):
        acc = tl.dot(a.load([m * BM, k]), b.load([k, n * BN]), acc)
    c.store([m * BM, n * BN], acc.to(tl.float16))

Tiles are of 64 by 64, and three of them are on their way at a time.
"""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import numpy as np
import pytest

import sim
from machines.diagnostics import InputError
from machines.kinds.simt.copy_faults import RACE, RACE_WITH_PRODUCT, RACE_WITH_STORE
from tests.corpus.keeping import normals, wide

KEPT = Path(__file__).with_name("triton_descriptors.tar.xz")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As Triton leaves it in its cache."""
    with tarfile.open(KEPT) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def run(folder: Path, a: np.ndarray, b: np.ndarray, grid: tuple[int, int]) -> sim.Result:
    c = np.zeros((len(a), b.shape[1]), np.float16)
    given = {"a": a, "b": b, "c": c, "K": a.shape[-1]}
    launch = {"kernel": "mm", "grid": list(grid), "arguments": {name: name for name in given}}
    workload = {"workload": "mm", "program": str(folder), "machine": "h200", "launch": launch}
    return sim.run({**workload, "arguments": given})


def test_a_product_of_boxes(folder: Path):
    """Of 100 by 200 and 200 by 136: the last tiles of all sides are out of bounds in part."""
    a, b = normals(100, 200, dt=np.float16), normals(200, 136, seed=2, dt=np.float16)
    result = run(folder, a, b, (2, 3))
    assert result.status == "done", result.to_dict()["fault"]
    got = np.asarray(result.outputs["c"]).reshape(100, 136)
    assert np.abs(wide(got) - wide(a) @ wide(b)).max() <= 3e-2


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        (r"mbarrier\.try_wait.*;\n.*bra.*;", RACE),
        (r"wgmma\.wait_group\.sync\.aligned 1;", RACE_WITH_PRODUCT),
        (r"fence\.proxy\.async.*;", RACE_WITH_STORE),
    ],
)
def test_what_is_missing_is_found(folder: Path, row: str, kind: str):
    file = folder / "mm.ptx"
    changed, count = re.subn(row, "", file.read_text())
    assert count == 1
    file.write_text(changed)
    a, b = normals(64, 384, dt=np.float16), normals(384, 64, seed=2, dt=np.float16)
    result = run(folder, a, b, (1, 1))
    assert result.to_dict()["fault"]["kind"] == kind


def test_a_descriptor_is_of_an_array_of_its_axes(folder: Path):
    with pytest.raises(InputError, match="'a' has 1 axes, and the descriptor 2"):
        run(folder, np.zeros(64, np.float16), np.zeros((64, 64), np.float16), (1, 1))


def test_metadata_that_say_nothing_of_maps_are_refused(folder: Path):
    file = folder / "mm.json"
    file.write_text(file.read_text().replace('"block_size": [64, 64]', '"block_size": [64]'))
    a = np.zeros((64, 64), np.float16)
    with pytest.raises(InputError, match="a descriptor for 'a'"):
        run(folder, a, a, (1, 1))
