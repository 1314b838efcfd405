"""Files are looked at before they are read: nothing waits for ever, nothing fills the memory."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from machines.reading import MOST_SOURCE, read_bytes, read_text
from tests.machines.sparse import sparse_file


def test_texts_are_read_as_python_reads_them(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert read_text(tmp_path / "a", 100) == "one\ntwo\nthree\n"
    (tmp_path / "b").write_bytes(b"ab\xffc")
    with pytest.raises(InputError, match=r"b is not UTF-8 text \(byte 2\)"):
        read_text(tmp_path / "b", 100)


@pytest.mark.parametrize("size", [0, 9, 10])
def test_the_most_may_be_there(tmp_path: Path, size: int):
    (tmp_path / "a").write_bytes(b"x" * size)
    assert read_bytes(tmp_path / "a", 10) == b"x" * size


def test_a_larger_file_is_refused_before_it_is_read(tmp_path: Path):
    large = sparse_file(tmp_path / "large")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match="large: it is larger than 16 MiB, the most that is read"):
        read_bytes(large, MOST_SOURCE)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10  # KiB


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="no files without a size")
def test_a_file_that_says_nothing_of_its_size(tmp_path: Path):
    assert os.stat("/proc/self/maps").st_size == 0
    with pytest.raises(InputError, match="larger than 100 bytes"):
        read_bytes("/proc/self/maps", 100)


def test_what_is_no_file(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    for name in ("pipe", "device"):
        with pytest.raises(InputError, match="it is not a regular file"):
            read_bytes(tmp_path / name, 10)
    with pytest.raises(InputError, match="it is a folder"):
        read_bytes(tmp_path, 10)
    with pytest.raises(InputError, match=r"cannot read .*gone: No such file"):
        read_bytes(tmp_path / "gone", 10)
    with pytest.raises(InputError, match="cannot be the name of a file"):
        read_bytes("a\0b", 10)
