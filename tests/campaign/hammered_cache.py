"""One process of several that use a cache folder, damage it, and find its disk full, at random.

    python -m tests.campaign.hammered_cache FOLDER SEED STEPS      # exit code 0: all was right
    python -m tests.campaign.hammered_cache FOLDER SEED 0          # how often something was made

The folder has a package `tool`, whose text is the software that results depend on, and the cache.
Results are read and checked in one go, so they are damaged at any time.  Numba reads compiled code
itself, after it was looked at; so that is damaged while nobody is between the two.
"""

from __future__ import annotations

import fcntl
import os
import random
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from machines.cache import compiled_cache, results, software
from machines.cache.compiled_cache import Written, run_announced
from machines.cache.results import cached, kept_results
from machines.diagnostics import InputError

KEYS = 6
CODES = 2
SOURCE = """from numba import njit


@njit(cache=True)
def advance(x):
    return x + {number}
"""
made: list[object] = []
"""What was not found, and made."""


def result(key: int) -> None:
    """A result is the right one, from wherever it is."""

    def make() -> dict[str, object]:
        made.append(key)
        return {"key": key, "content": bytes(range(256)) * (1 + 40 * key)}

    with kept_results():
        found = cached("hammered", ["key", key], make)
    assert found == {"key": key, "content": bytes(range(256)) * (1 + 40 * key)}


def code(folder: Path, number: int) -> None:
    """Compiled code computes the right number, whoever compiled it."""
    with locked(folder, fcntl.LOCK_SH):
        compiled_cache._ready.clear()
        module = Written("core_hammered", SOURCE.format(number=number), ()).load()
        found: list[int] = []
        run_announced(module.advance, "hammered", lambda: found.append(module.advance(1)))
        if not module.advance.stats.cache_hits:
            made.append(module.__name__)
    assert found[-1] == 1 + number


def damage(folder: Path, draw: random.Random, suffixes: tuple[str, ...]) -> None:
    """Cut off, overwrite, remove or exchange one file of these suffixes."""
    files = sorted(path for path in (folder / "cache").rglob("*") if path.suffix in suffixes)
    if not files:
        return
    path = draw.choice(files)
    try:
        data = path.read_bytes()
        position = draw.randrange(len(data) or 1)
        how = draw.randrange(5)
        if how == 0:
            os.truncate(path, position)
        elif how == 1:
            path.write_bytes(data[:position] + draw.randbytes(8) + data[position + 8 :])
        elif how == 2:
            path.unlink()
        elif how == 3:
            path.write_bytes(b"\0" * len(data))
        else:
            path.write_bytes(draw.choice(files).read_bytes())
    except OSError:  # another process was faster, or the disk is full
        pass


@contextmanager
def full_disk(draw: random.Random) -> Iterator[None]:
    """No file grows beyond some bytes."""
    most, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (draw.randrange(3000), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))


@contextmanager
def locked(folder: Path, how: int) -> Iterator[None]:
    with open(folder / "lock", "w") as file:
        fcntl.flock(file, how)
        yield


def step(folder: Path, draw: random.Random) -> None:
    """Use something, or break something."""
    what = draw.random()
    if what < 0.55:
        result(draw.randrange(KEYS))
    elif what < 0.60:
        code(folder, draw.randrange(CODES))
    elif what < 0.70:
        with full_disk(draw):
            result(draw.randrange(KEYS))
    elif what < 0.71:
        with full_disk(draw), suppress(InputError):  # no folder at all can be written
            code(folder, draw.randrange(CODES))
    elif what < 0.97:
        damage(folder, draw, (".kept", ""))
    else:
        with locked(folder, fcntl.LOCK_EX):
            damage(folder, draw, (".nbc", ".nbi", ".seal", ".py", ".pyc"))


def main(folder: Path, seed: int, steps: int) -> None:
    """So many steps; without any, each thing once, and it is printed how much was made."""
    os.environ["SIMRUN_CACHE"] = str(folder / "cache")
    sys.path.insert(0, str(folder))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write says so, too
    software.PACKAGES, software.STARTED = ("tool",), 4e9
    results._modules = lambda known: []
    draw = random.Random(seed)
    for _ in range(steps):
        step(folder, draw)
    if not steps:
        for key in range(KEYS):
            result(key)
        for number in range(CODES):
            code(folder, number)
        print(len(made))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
