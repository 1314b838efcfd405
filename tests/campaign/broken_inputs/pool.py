"""Workers, and who watches them: a time limit for each input, and another worker when one dies."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
SECONDS = 30
"""Processor time an input may take, without the compiling of cores; and three times that of the
clock, which other work on the computer makes longer."""
SERVES = 1500
"""Inputs after which a worker is replaced, so that what one leaves behind does not add up."""


class Worker:
    """A process that is given seeds one at a time."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="broken-inputs-")
        self.errors = Path(self.folder.name) / "errors"
        command = [sys.executable, "-m", "tests.campaign.broken_inputs.worker", self.folder.name]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors.open("w"), env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        self.served, self.text = 0, b""
        self.compiling = False

    def serve(self, seed: int) -> dict[str, Any]:
        """How the input of a seed ended; `problem` says what must not be."""
        self.served += 1
        try:
            self.process.stdin.write(f"{seed}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return self.died(seed)
        clock, spent, begun = time.monotonic(), self.processor_seconds(), False
        while True:
            line = self.line(1.0)
            if line is None:
                if self.process.poll() is not None:
                    return self.died(seed)
                if begun and not self.compiling:
                    busy, waited = self.processor_seconds() - spent, time.monotonic() - clock
                    if busy > SECONDS or waited > 4 * SECONDS:
                        self.end()
                        return _failed(seed, f"hang: {busy:.0f} s of processor, {waited:.0f} s")
                continue
            word, _, rest = line.partition(" ")
            if word == "end":
                return json.loads(rest)
            begun |= word == "begin"
            self.compiling = word == "compiling"
            clock, spent = time.monotonic(), self.processor_seconds()

    def line(self, seconds: float) -> str | None:
        """A line of the worker, None if none comes in time."""
        while b"\n" not in self.text:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                self.process.wait()
                return None
            self.text += piece
        line, self.text = self.text.split(b"\n", 1)
        return line.decode()

    def processor_seconds(self) -> float:
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def died(self, seed: int) -> dict[str, Any]:
        code = self.process.wait()
        return _failed(seed, f"abort: {code}", self.errors.read_text()[-2000:])

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def _failed(seed: int, problem: str, detail: str = "") -> dict[str, Any]:
    return {"seed": seed, "kind": "?", "code": -1, "read": True, "status": None, "judged": None,
            "seconds": 0.0, "mebibytes": 0, "problem": problem, "detail": detail}  # fmt: skip


def run_all(seeds: Iterable[int]) -> Iterator[dict[str, Any]]:
    """How the inputs of all seeds ended, one after another."""
    worker = Worker()
    try:
        for seed in seeds:
            if not worker.alive or worker.served >= SERVES:
                worker.end()
                worker = Worker()
            yield worker.serve(seed)
    finally:
        worker.end()
