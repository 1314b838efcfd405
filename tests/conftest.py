"""Options of all tests, the quick ones, who has code verified after every pass, machines that are
read once, and the command line in the process of the tests."""

from __future__ import annotations

import gc
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from compiler.pipelines import EVERY_PASS
from machines.cache.results import nothing_kept
from machines.description import load
from tests.campaign import seeds
from tests.ceiling import CpuTimes, read_times

SELDOM = 100_000
"""New objects until Python looks for cycles; among all that these tests import, to look after a few
hundred of them, as usual, takes a tenth of their time."""
HERE = Path(__file__).parent
VERIFIED = HERE / "compiler", HERE / "campaign"
"""Folders of tests in which passes are the subject: there code is verified after every pass."""
NOT_VERIFIED = HERE / "compiler" / "frontends"
"""There what is read is the subject; a C library is much code."""
ANNOUNCED = re.compile(r"^simrun: compil(ing|ed) .*\n", re.MULTILINE)
"""Whether a compilation is announced depends on what is kept, and on how busy the computer is."""
QUICK = "pytestmark = pytest.mark.quick"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write what passes make now to golden files"
    )
    parser.addoption(
        "--ceiling", type=float, metavar="SECONDS", help="tests that take more CPU time fail"
    )
    parser.addoption("--cpu-times", type=Path, metavar="FILE", help="write those of each test")
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="files, and tests of each, in another order"
    )
    parser.addoption("--cheapest-first", type=Path, metavar="FILE", help="as `--cpu-times` wrote")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m quick` only files that are quick are read: to collect all tests takes longer."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    if config.option.markexpr != "quick" or not is_test:
        return None
    return QUICK not in collection_path.read_text(encoding="utf-8") or None


def pytest_configure(config: pytest.Config) -> None:
    ceiling, written = config.option.ceiling, config.option.cpu_times
    if ceiling is not None or written:
        config.pluginmanager.register(CpuTimes(ceiling, written))
    seeds.LEFT_OUT = config.option.markexpr in ("not campaign", "quick")
    gc.set_threshold(SELDOM)
    # How long an example takes depends on what else the computer does.
    settings.register_profile("whatever the time", deadline=None)
    settings.load_profile("whatever the time")
    load._load = _remembering(load._load)


def _remembering(read: Callable[[str, Sequence[str]], load.Machine]) -> Callable[..., load.Machine]:
    """Machines that come along are read once by each process, whatever is changed in them: nobody
    changes a machine, and to read and check one takes as long as a small run."""
    known = lru_cache(128)(lambda name, overrides: read(name, overrides))
    along = set(load.FOLDER.glob("*.yaml"))

    def remembered(name: str, overrides: Sequence[str]) -> load.Machine:
        comes_along = load._machine_files().get(name) in along
        return known(name, tuple(overrides)) if comes_along else read(name, overrides)

    return remembered


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.shuffle is not None:
        order = random.Random(config.option.shuffle)
        files = {item.path: order.random() for item in items}
        order.shuffle(items)
        items.sort(key=lambda item: files[item.path])
    if config.option.cheapest_first:
        times = read_times(config.option.cheapest_first)
        items.sort(key=lambda item: times.get(item.nodeid, (0.0, ""))[0])


def pytest_collection_finish() -> None:
    """Modules and tests stay: they are not looked through again."""
    gc.freeze()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    every = any(item.path.is_relative_to(folder) for folder in VERIFIED)
    token = EVERY_PASS.set(every and not item.path.is_relative_to(NOT_VERIFIED))
    with nothing_kept():  # tests compile what they are about
        yield
    EVERY_PASS.reset(token)


@dataclass(frozen=True)
class Ended:
    """How a command ended; `err` without what it said of compilations."""

    code: int
    out: str
    err: str


@pytest.fixture
def simrun(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> Callable[..., Ended]:
    """Run the command line with these words."""
    from sim.cli import command_line

    monkeypatch.delenv("CI", raising=False)  # there nothing is accepted

    def run(*words: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["simrun", *words])
        with pytest.raises(SystemExit) as ended:
            command_line()
        out, err = capsys.readouterr()
        return Ended(int(ended.value.code or 0), out, ANNOUNCED.sub("", err))

    return run
