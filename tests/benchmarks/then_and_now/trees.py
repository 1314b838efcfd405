"""Two checkouts of the project side by side: each runs Python with itself first on the path."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Tree:
    """A checkout, and its own cache folder."""

    path: Path
    cache: Path

    def run(self, *words: str, fresh: bool = False) -> tuple[float, str]:
        """Processor seconds and output of Python with this tree first on its path."""
        cache = Path(tempfile.mkdtemp(dir=self.cache)) if fresh else self.cache
        before = os.times()
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.path,
            env=self._environment(cache),
            capture_output=True,
            text=True,
        )
        after = os.times()
        if done.returncode:
            raise SystemExit(f"{self.path}: {done.stderr}")
        spent = after.children_user + after.children_system
        return spent - before.children_user - before.children_system, done.stdout

    @contextmanager
    def opened(self, script: str) -> Iterator[Worker]:
        """A process of this tree that answers until this is closed."""
        with (
            tempfile.TemporaryFile("w+") as said,
            subprocess.Popen(
                [sys.executable, "-c", script],
                cwd=self.path,
                env=self._environment(self.cache),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            ) as process,
        ):
            try:
                yield Worker(self, process, said)
            finally:
                process.stdin.close()

    def _environment(self, cache: Path) -> dict[str, str]:
        names = ("PYTHONDONTWRITEBYTECODE", "SIMRUN_CACHE")
        inherited = {name: value for name, value in os.environ.items() if name not in names}
        return {**inherited, "PYTHONPATH": str(self.path), "SIMRUN_CACHE": str(cache)}


@dataclass(frozen=True)
class Worker:
    """A process that reads a line of JSON and writes one, again and again."""

    tree: Tree
    process: subprocess.Popen
    said: Any

    def ask(self, *words: Any) -> dict[str, Any]:
        """What it answers."""
        try:
            self.process.stdin.write(json.dumps(words) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # what it said of its end is shown below
        answer = self.process.stdout.readline()
        if not answer:
            self.process.wait()
            self.said.seek(0)
            raise SystemExit(f"{self.tree.path}: {self.said.read()}")
        return json.loads(answer)


Pair = tuple[Tree, Tree]


@contextmanager
def trees(revision: str, cache: Path | None = None) -> Iterator[Pair]:
    """The revision's tree, checked out while this is open, and this one as it is; with caches of
    their own, or both with one that is there."""
    with tempfile.TemporaryDirectory(prefix="simrun-speed-") as folder:
        then = Path(folder, "then")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "-q", str(then), revision], check=True)
        try:
            caches = [cache or Path(tempfile.mkdtemp(dir=folder)) for _ in range(2)]
            yield Tree(then, caches[0]), Tree(ROOT, caches[1])
        finally:
            subprocess.run([*git, "remove", "--force", str(then)], check=True)
            shutil.rmtree(then, ignore_errors=True)


def in_turns(pair: Pair, pairs: int, *words: str, fresh: bool = False) -> list[list]:
    """(seconds, output) of the same words in both trees: of the first, of the second."""
    found: list[list[tuple[float, str]]] = [[], []]
    for _ in range(pairs):
        for tree, results in zip(pair, found, strict=True):
            results.append(tree.run(*words, fresh=fresh))
    return found
