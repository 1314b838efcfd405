"""The notebooks run, and what they say first comes true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "workloads" / "notebooks"


def code_of(name: str) -> str:
    """The cells of a notebook as one script."""
    cells = json.loads((FOLDER / name).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def gpu(seen: dict[str, Any]) -> bool:
    mixed, ordered = seen["mixed"], seen["ordered"]
    used = [{name: note for name, _, note in one.headlines} for one in (mixed, ordered)]
    shares = [float(one["warp instructions"].split()[-2]) for one in used]
    instructions = [sum(line.executed for line in one.lines) for one in (mixed, ordered)]
    most = max(map(seen["steps"], range(1, 257)))
    return (
        mixed.ok
        and ordered.ok
        and most == 127
        and 30 < shares[0] < 37
        and 70 < shares[1] < 75
        and instructions[1] < instructions[0] / 2
        and 0.75 < ordered.cycles / mixed.cycles < 0.85
        and seen["cycles"]["markers"] == mixed.cycles
        and seen["left"] == sorted(seen["left"], reverse=True)
        and seen["left"][0] == 256
        and len(seen["warps"]) == 8
    )


def ai_chip(seen: dict[str, Any]) -> bool:
    one, two = seen["one"], seen["two"]
    saved, computed = seen["saved"], seen["computed"]
    copied = two.breakdown["iodma.transfer"] / sum(
        n for name, n in two.breakdown.items() if name.startswith("iodma")
    )
    at_work = [row["engine"] for row in seen["engines"] if row["in flight"]]
    return (
        one.ok
        and two.ok
        and 0.38 < saved / one.cycles < 0.45
        and computed < saved < 1.1 * computed
        and copied > 0.85
        and at_work == ["compute", "iodma"] * 4
    )


@pytest.mark.parametrize(("name", "holds"), [("gpu.ipynb", gpu), ("ai_chip.ipynb", ai_chip)])
def test_a_notebook(
    name: str, holds: Callable[[dict[str, Any]], bool], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(FOLDER)
    seen: dict[str, Any] = {"__name__": "notebook"}
    exec(compile(code_of(name), name, "exec"), seen)
    assert holds(seen)


BEHIND = """
waits = result.breakdown["float"] / result.cycles
points = [row.figures["cycles"] for row in study.rows]
print(json.dumps([result.ok, plain.ok, waits, plain.cycles / result.cycles,
                  slow.cycles / result.cycles, same, len(packet), points]))
"""


@pytest.mark.campaign
def test_a_notebook_that_has_a_study_run(tmp_path: Path):
    """As a script, without a word of `__main__`: it runs once, though processes are started."""
    script, ran = tmp_path / "itanium.py", tmp_path / "ran"
    before = set(FOLDER.iterdir())
    mark = f"import json\nwith open({str(ran)!r}, 'a') as file:\n    file.write('once ')\n"
    script.write_text(mark + code_of("itanium.ipynb") + BEHIND)
    ended = subprocess.run(
        [sys.executable, script], env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=FOLDER,
        capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ran.read_text() == "once " and set(FOLDER.iterdir()) == before
    *right, waits, pipelined, far, same, issued, points = json.loads(ended.stdout.splitlines()[-1])
    assert right == [True, True] and same and issued == 6
    assert 0.8 < waits < 0.9 and 2.9 < pipelined < 3.2 and 1.4 < far < 1.55
    assert len(set(points)) == 3 and points[0] < points[-1]


@pytest.mark.parametrize("name", ["itanium.ipynb", "gpu.ipynb", "ai_chip.ipynb"])
def test_notebooks_are_small_and_say_what_to_expect(name: str):
    text = (FOLDER / name).read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    assert len(text) < 10_000 and not any(cell.get("outputs") for cell in cells)
    assert cells[0]["cell_type"] == "markdown" and "to expect:" in "".join(cells[0]["source"])
