"""Every benchmark runs to its end, in its shortest form: what nobody runs breaks unseen."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from tests.benchmarks import against_ptxas
from tests.benchmarks.sass import beside
from tests.benchmarks.sass.toolkit import Assembled

HERE = Path(__file__).parent
PROGRAMS = {
    re.search(r"^program: (.+)", path.read_text(), re.MULTILINE)[1] for path in HERE.glob("*.yaml")
}
NAMES = sorted(
    path.stem
    for path in HERE.glob("*.py")
    if path.name not in PROGRAMS and not path.name.startswith(("test_", "_"))
)
"""Whatever else lies in the folder is a benchmark."""
LONG = {
    "chains",
    "chip_races",
    "compile_growth",
    "core_speed",
    "gpu_speed",
    "hand_tuned",
    "loop_suite",
    "memory_speed",
    "network_speed",
    "passes_off",
    "reconvergence",
    "service",
    "speed",
    "studies",
    "threads",
    "vectorizer",
}
"""Take about a second or more each even in their shortest form: they run in the campaign."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.campaign if n in LONG else ()) for n in NAMES]
)
def test_runs_to_its_end(name: str, capsys, monkeypatch: pytest.MonkeyPatch):
    if name == "against_ptxas":  # which few computers have
        monkeypatch.setattr(against_ptxas, "missing_tools", list)
        monkeypatch.setattr(beside, "assemble", _an_exit)
    importlib.import_module(f"tests.benchmarks.{name}").main(["--shortest"])
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) >= 3 and re.search(r"\d", printed)


def _an_exit(path: Path, target: str) -> dict[str, Assembled]:
    listing = ["/*0000*/ EXIT ; /* 0x000000000000794d */", "/* 0x000fea0003800000 */"]
    kernels = re.findall(r"\.entry (\w+)", path.read_text())
    return {name: Assembled(name, 8, 0, listing) for name in kernels}


def test_every_benchmark_is_on_the_page():
    page = (HERE.parent / "README.md").read_text()
    assert sorted(re.findall(r"python -m tests\.benchmarks\.(\w+)", page)) == NAMES
