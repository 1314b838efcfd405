"""The service as it is used: by its commands, with workers, bounds, and ends of all sorts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from machines.diagnostics import InputError
from sim.serve.client import ask
from tests.campaign.killed_studies import below, is_alive
from tests.campaign.served_requests import ENDLESS
from tests.opened_files import only_linux
from tests.sim.conftest import KERNEL, WORKLOAD
from tests.sim.serve.conftest import make_store

pytest.importorskip("tornado", reason="the service needs tornado: pip install 'simrun[serve]'")
pytestmark = only_linux

ROOT = Path(__file__).parents[3]
TOKEN = "the-token-of-these-tests"
LARGE = """  b{0}: {{dtype: f64, shape: [33000000], value: 1}}
"""


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sim", *words]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


class Running:
    """`simrun serve` in a process of its own."""

    def __init__(self, store: Path, *words: str):
        given = ("serve", "--store", str(store), "--port", "0", "--jobs", "1", *words)
        self.process = subprocess.Popen(
            command(*given), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/",
            env=environment(SIMRUN_TOKEN=TOKEN),
        )  # fmt: skip
        self.url = self.process.stdout.readline().rpartition(" ")[2].strip()
        assert self.url, self.process.stderr.read()
        self.workers = below(self.process.pid)

    def run(self, name: str) -> dict:
        return ask(self.url, "run", {"name": name}, TOKEN)

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(number)
        return self.process.wait(30), self.process.stderr.read()


def all_end(processes: list[int]) -> bool:
    """Whether they have ended soon."""
    until = time.monotonic() + 5
    while any(map(is_alive, processes)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(is_alive, processes))


def write_programs(store: Path) -> None:
    (store / "endless.py").write_text(ENDLESS)
    endless = WORKLOAD.replace("tiny.py", "endless.py").partition("  a: ")[0]
    (store / "endless.yaml").write_text(endless)
    buffers = [f"b{number}" for number in range(4)]
    parameters = ", ".join(f"{name}: f64[:]" for name in buffers)
    text = KERNEL.replace("f32[n])", f"f32[n], {parameters})").replace(
        "import f32", "import f32, f64"
    )
    (store / "large.py").write_text(text)
    arguments = "".join(map(LARGE.format, range(4)))
    large = WORKLOAD.replace("tiny.py", "large.py").replace("expect:", f"{arguments}expect:")
    (store / "large.yaml").write_text(large)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    store, _ = make_store(tmp_path_factory.mktemp("served"))
    running = Running(store)
    yield running
    if running.process.poll() is None:
        running.end(signal.SIGKILL)


def remote(running: Running, *words: str, token: str = TOKEN) -> subprocess.CompletedProcess:
    return subprocess.run(
        command("remote", running.url, *words), capture_output=True, text=True, cwd="/",
        env=environment(SIMRUN_TOKEN=token),
    )  # fmt: skip


def test_commands_say_what_the_local_ones_say(running: Running):
    ended = remote(running, "run", "workload.yaml")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("tiny on itanium2: done, outputs right\n")
    ended = remote(running, "run", "../outside/workload.yaml")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("error: '../outside/workload.yaml' leads out of the store")


def test_a_wrong_token_of_the_command(running: Running):
    ended = remote(running, "compile", "tiny.py", token="some-other-token")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "the token is missing or wrong" in ended.stderr


def test_who_takes_too_much_is_told_so_and_what_is_logged(running: Running, tmp_path: Path):
    """Others go on.  The bound is some times what the small workload takes here.  At the end there
    are lines for every request, nothing of tokens, and no process is left."""
    begin = time.monotonic()
    wanted = running.run("workload.yaml")["result"]
    seconds = 1 + 3 * (time.monotonic() - begin)
    store, _ = make_store(tmp_path)
    write_programs(store)
    bounded = Running(store, "--seconds", f"{seconds:.1f}", "--memory", "500")
    try:
        with pytest.raises(InputError, match=f"takes longer than {float(f'{seconds:.1f}'):g} s"):
            bounded.run("endless.yaml")
        assert bounded.run("workload.yaml")["result"] == wanted
        with pytest.raises(InputError, match=r"the array needs \d+ MiB while it is made and used"):
            bounded.run("large.yaml")
        assert bounded.run("workload.yaml")["result"] == wanted
        with pytest.raises(InputError, match="the token is missing or wrong"):
            ask(bounded.url, "compile", {"name": "tiny.py"}, "some-other-token")
        code, said = bounded.end()
    finally:
        bounded.process.kill()
    assert code == 0
    assert TOKEN not in said
    assert re.search(rf"POST /run endless\.yaml 422 {int(float(f'{seconds:.1f}'))}", said), said
    assert "POST /compile - 401 " in said
    assert "Traceback" not in said
    assert all_end(bounded.workers)


def test_no_worker_outlives_the_service(running: Running, tmp_path: Path):
    store, _ = make_store(tmp_path)
    killed = Running(store)
    assert killed.workers
    killed.end(signal.SIGKILL)
    assert all_end(killed.workers)


def test_what_cannot_be_served(tmp_path: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SIMRUN_TOKEN", "short")
    ended = simrun("serve", "--store", str(tmp_path))
    assert (ended.code, "one word of 16 to 256" in ended.err) == (2, True)
    ended = simrun("serve", "--store", str(tmp_path / "none"))
    assert (ended.code, "there is no folder" in ended.err) == (2, True)
