"""What workloads keep of generators' programs is what their sources become."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from workloads.keep_generated import GPU, SOURCES, kept, write

PACKAGES = {"triton": "triton", "numba": "numba_cuda", "warp": "warp", "cute": "cutlass"}
VERSION = re.compile(r"^\.version.*|^//.*|\"(?:hash|triton_version)\".*|\w*_[0-9a-f]{7,8}\w*", re.M)


def files(name: str) -> list[Path]:
    source, folder = SOURCES[name]
    here = GPU / name / folder
    own = {source, "workload.yaml"}
    return sorted(one for one in here.iterdir() if one.is_file() and one.name not in own)


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_kept_names_no_folder_and_has_no_debug_sections(name: str):
    assert files(name)
    for path in files(name):
        text = path.read_text()
        assert kept(text) == text and not re.search(r"/(?:home|root|tmp|work)\b|\.section", text)


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_kept_is_what_the_generator_writes(name: str, tmp_path: Path):
    if find_spec(PACKAGES[name]) is None:
        pytest.skip(f"'{PACKAGES[name]}' is not installed")
    made = write(name, tmp_path)
    assert [one.suffixes for one in made] == [one.suffixes for one in files(name)]
    for new, old in zip(made, files(name), strict=True):
        assert VERSION.sub("", new.read_text()) == VERSION.sub("", old.read_text())
