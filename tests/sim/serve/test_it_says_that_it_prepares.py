"""Who starts the service is told at once that workers are prepared, which may take a minute."""

from __future__ import annotations

from pathlib import Path

import pytest

from machines.diagnostics import input_error
from sim.serve.pool import Pool


@pytest.mark.parametrize(
    "jobs, words", [("1", "preparing a worker ("), ("3", "preparing 3 worker")]
)
def test_it_says_so_before_it_begins(jobs, words, tmp_path: Path, monkeypatch, capsys, simrun):
    async def open_pool(*_: object):
        assert words in capsys.readouterr().err
        raise input_error("there was no more to do")

    monkeypatch.setattr(Pool, "open", open_pool)
    ended = simrun("serve", "--store", str(tmp_path), "--port", "0", "--jobs", jobs)
    assert ended.code == 2 and "there was no more to do" in ended.err
