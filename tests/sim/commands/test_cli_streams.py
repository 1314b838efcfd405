"""Output that goes nowhere, or where characters are missing; Ctrl-C before there is a command.

In processes of their own, as only there streams end the way they do for users.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.campaign import seeds

ROOT = Path(__file__).parents[3]
RUN = "workload.yaml"


def _simrun(
    *words: str, stdout: int = subprocess.PIPE, **variables: str
) -> subprocess.CompletedProcess:
    path = os.pathsep.join(filter(None, [variables.pop("FIRST_PATH", ""), str(ROOT)]))
    return subprocess.run(
        [sys.executable, "-m", "sim", *words],
        env={**os.environ, "PYTHONPATH": path, **variables},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize("words", [["--help"]])
def test_a_reader_that_has_gone_is_no_error(tiny: Path, words: list[str]):
    reader, writer = os.pipe()
    os.close(reader)
    ended = _simrun(*words, stdout=writer)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", seeds.short_form([["--help"], [RUN]], 1))
def test_output_that_cannot_be_written_is_one_message(tiny: Path, words: list[str]):
    with open("/dev/full", "w") as full:
        ended = _simrun(*words, stdout=full.fileno())
    assert ended.returncode == 2
    assert ended.stderr == "error: cannot write the output: No space left on device  [system]\n"


def test_an_encoding_without_bars(tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    """Cut source lines and bars have characters that ASCII lacks, and the source has its own."""
    source = tiny.parent / "tiny.py"
    source.write_text(source.read_text().replace("x[i] + y[i]", "x[i] + y[i]  # ä"), "utf-8")
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    ended = simrun(RUN)
    assert ended.code == 0, ended.err
    out = written.getvalue().decode("ascii")
    assert " %  ###" in out and "y[i] = a * x[i] + y[i]  # ?" in out


@pytest.fixture
def no_folder(tiny: Path) -> str:
    """A cache folder that cannot be made, beside a workload."""
    file = tiny.parent / "file"
    file.touch()
    return str(file / "cache")


def test_a_cache_folder_that_cannot_be_made(no_folder: str, simrun, monkeypatch):
    monkeypatch.setenv("SIMRUN_CACHE", no_folder)
    ended = simrun("explain", RUN, "--show", "asm")
    assert (ended.code, ended.err) == (0, ""), "the compiler goes on"
    ended = simrun("doctor")
    assert ended.code == 2 and ended.err == ""
    assert "SIMRUN_CACHE is no folder that can be made" in ended.out


@pytest.mark.campaign
def test_a_run_goes_on_where_its_core_cannot_be_kept(no_folder: str):
    """In every run a small code stands for the core: `tests/sim/test_machine_code.py`."""
    ended = _simrun(RUN, SIMRUN_CACHE=no_folder)
    assert ended.returncode == 0
    assert "compiled code cannot be kept, and will be compiled again" in ended.stderr


def test_ctrl_c_during_the_first_imports(tmp_path: Path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    ended = _simrun("--version", FIRST_PATH=str(tmp_path))
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "interrupted\n")


def test_the_module_of_the_command_line_runs_too():
    printed = subprocess.run(
        [sys.executable, "-m", "sim.cli", "--version"], cwd=ROOT, capture_output=True, text=True
    )
    assert printed.returncode == 0 and printed.stdout.startswith("simrun ")


@pytest.mark.parametrize("change, code", seeds.short_form([("a * x + y", 1), ("", 0)], 1))
def test_the_exit_code_is_the_same_when_the_reader_has_gone(change: str, code: int, tiny: Path):
    words = ["run", str(tiny)]
    if change.startswith("--"):
        words += change.split()
    elif change:
        tiny.write_text(tiny.read_text().replace(change, "a * x"))
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert _simrun(*words, stdout=writer).returncode == code
    finally:
        os.close(writer)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "workload.yaml")
    for words in (["run", str(tmp_path / "workload.yaml")], ["check", str(tmp_path)]):
        assert _simrun(*words).returncode == 2


def test_reports_go_through_links_and_into_pipes(tiny: Path):
    from machines.cache.files import write_atomically

    real, link = tiny.with_name("real.xml"), tiny.with_name("link.xml")
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, "new")
    assert link.is_symlink() and real.read_text() == "new"
    pipe = tiny.with_name("pipe")
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "new")
    assert os.read(reader, 10) == b"new" and not pipe.is_file()
    os.close(reader)


class _Plain:
    """The least that `print` wants of a stream."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("make", [io.StringIO, _Plain])
@pytest.mark.parametrize("words, code", [([RUN], 0), (["--help"], 0), (["missing.yaml"], 2)])
def test_streams_that_a_program_put_there(make, words, code, tiny: Path, monkeypatch):
    from sim.cli import command_line

    out, err = make(), make()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "argv", ["simrun", *words])
    with pytest.raises(SystemExit) as ended:
        command_line()
    texts = [s.getvalue() if isinstance(s, io.StringIO) else s.text for s in (out, err)]
    assert ended.value.code == code
    assert texts[0 if code == 0 else 1]
    assert "mistake" not in texts[1]


def test_a_handler_of_sigterm_that_a_program_has_stays(tiny: Path, simrun):
    def own(*arguments: object) -> None:
        raise AssertionError("not called")

    before = signal.signal(signal.SIGTERM, own)
    try:
        assert simrun(RUN).code == 0
        assert signal.getsignal(signal.SIGTERM) is own
    finally:
        signal.signal(signal.SIGTERM, before)
    assert simrun(RUN).code == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_command_runs_beside_the_main_thread(tiny: Path, simrun):
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(simrun, RUN).result().code == 0
