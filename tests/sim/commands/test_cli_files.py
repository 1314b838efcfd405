"""Every file that a command reads is looked at first: none waits, none takes much memory."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from tests.machines.sparse import sparse_file

SUFFIXES = ("py", "sir", "s", "ll", "bc", "ptx")
WORKLOAD = "workload: w\nprogram: {program}\nmachine: itanium2\nexpect: {{return: 1}}\n"


def _commands(folder: Path, name: str) -> list[tuple[str, ...]]:
    """The commands that read a file of this name, with what they need beside it."""
    suffix = Path(name).suffix[1:]
    if suffix == "json":
        (folder / "benchmarks.yaml").write_text("{}\n")
        return [("validate", ".", "--against", name)]
    if suffix == "npy":
        (folder / "workload.yaml").write_text(
            "workload: tiny\nprogram: tiny.py\nmachine: itanium2\n"
            f"arguments: {{n: 8, a: 1, x: {{dtype: f32, file: {name}}}, y: [1]}}\n"
            "expect: {y: [1]}\n"
        )
        return [("workload.yaml",)]
    if suffix in SUFFIXES:
        (folder / "own.yaml").write_text(WORKLOAD.format(program=name))
        return [("own.yaml",), ("explain", name), ("explain", name, "--show", "ir")]
    return [(name,), ("explain", name), ("check", name), ("machines", "show", f"./{name}"),
            ("tiny.yaml", "--machine", f"./{name}")]  # fmt: skip


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "sparse"])
@pytest.mark.parametrize("suffix", [*SUFFIXES, "yaml", "npy", "json"])
def test_what_cannot_be_read(kind: str, suffix: str, tiny: Path, simrun):
    (tiny.parent / "tiny.yaml").write_text(tiny.read_text())
    path = tiny.parent / f"odd.{suffix}"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case _:
            sparse_file(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for words in _commands(tiny.parent, path.name):
        ended = simrun(*words)
        text = ended.out + ended.err
        assert ended.code == 2, (words, text)
        assert text.count("error: ") == 1, (words, text)
        if kind == "sparse":
            assert "larger than" in text and "the most that is read" in text, (words, text)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10  # KiB
