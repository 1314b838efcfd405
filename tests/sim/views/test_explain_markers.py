"""`simrun explain --show markers`: the worked example to the letter, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from machines.diagnostics import InputError
from sim.cli import simrun

GOLDEN = Path(__file__).parents[2] / "golden" / "convergence.sir"
PTX = Path(__file__).parents[3] / "workloads" / "gpu" / "mandelbrot" / "mandelbrot.ptx"
PATHS = "B0-B1-B2-B4-B0-B5,0-1-2-4-0-5,0-1-3-4-0-5,0-1-3-5"
QUEUE = (
    ("0:0:",),
    ("1:01:01", "5:05:05"),
    ("2:012:01 12", "3:013:01 13", "5:05:05"),
    ("3:013:01 13", "4:0124:01 12 24", "5:05:05"),
    ("4:01234:01 12 13 24 34", "5:0135:01 05 13 35"),
    ("5:0135:01 05 13 35",),
    (),
)
"""After every step the items, each as last:blocks:edges."""
SCHEDULES = {
    "markers": "0:0123 1:0123 2:01 3:23 4:012 0:012 5:0123",
    "ipdom": "0:0123 1:0123 3:23 4:2 0:2 2:01 4:01 0:01 5:0123",
    "min_pc": "0:0123 1:0123 2:01 3:23 4:012 0:012 5:0123",
    "barriers": "0:0123 1:0123 2:01 3:23 4:012 0:012 5:0123",
}
"""The blocks that a warp issues, each with its threads."""


def explain(*options: str, file: Path = GOLDEN) -> str:
    words = ["explain", str(file), "--show", "markers", *options]
    return CliRunner().invoke(simrun, words, catch_exceptions=False).output


def item(text: str) -> dict:
    last, blocks, edges = text.split(":")
    return {
        "last": f"B{last}",
        "blocks": [f"B{b}" for b in blocks],
        "edges": [[f"B{b}" for b in edge] for edge in edges.split()],
    }


@pytest.mark.parametrize("rules", ["seed", "sound"])
def test_markers_and_queue_of_the_worked_example(rules: str):
    assert json.loads(explain("--format", "json", "--rules", rules)) == {
        "function": "example",
        "markers": ["B0", "B3", "B4", "B5"],
        "queue": [[item(text) for text in step] for step in QUEUE],
    }


def test_block_schedules_of_the_worked_example():
    found = json.loads(explain("--format", "json", "--paths", PATHS))["schedules"]
    assert {
        one["policy"]: " ".join(
            f"{step['block'][1:]}:{''.join(map(str, step['threads']))}" for step in one["blocks"]
        )
        for one in found
    } == SCHEDULES
    counts = {one["policy"]: (one["issued"], one["checks"]) for one in found}
    assert counts["markers"] == (7, 4)
    assert counts["min_pc"] == (7, 6)
    assert counts["ipdom"][0] == 9


def test_text_has_markers_queue_and_schedules():
    text = explain("--paths", PATHS)
    for line in (
        "example: markers before B0, B3, B4, B5 (rules sound)",
        "  1  [B1: B0 B1]  [B5: B0 B5]    marked: B5",
        "  5  [B5: B0 B1 B3 B5]    marked: B0",
        "  markers   7       4       4               2            2       3",
        "  B4 {0, 1, 2}",
    ):
        assert line in text.splitlines()


def test_positions_of_markers():
    first = explain("--marker-position", "first_in_block").splitlines()[0]
    assert first == "example: markers first in B0, B3, B4, B5 (rules sound)"
    ends = explain("--marker-position", "end_of_predecessors").splitlines()[0]
    assert ends == "example: markers at the end of B0, B1, B2, B3, B4 (rules sound)"


def test_graph_shows_markers():
    text = explain("--format", "dot")
    assert '"B3" [label="B3\\lmarker"];' in text and '"B4" -> "B0";' in text


def test_the_rules_differ_where_a_loop_tests_at_its_end(tmp_path: Path):
    file = tmp_path / "loop.sir"
    file.write_text(
        "func @loop() {\npre:\n    jump body\nbody:\n    jump latch\n"
        "latch:\n    branch opaque, body, after\nafter:\n    return\n}\n"
    )
    marked = [
        json.loads(explain("--format", "json", "--rules", rules, file=file))["markers"]
        for rules in ("seed", "sound")
    ]
    assert marked == [["latch"], ["latch", "after"]]


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (("--rules", "sounds"), "--rules cannot be 'sounds'", "sound"),
        (("--marker-position", "behind"), "--marker-position cannot be 'behind'", "before"),
        (("--paths", "0-1-5"), "path '0-1-5': B1 does not lead to B5", "it leads to B2 and B3"),
        (("--paths", "0-1"), "path '0-1' breaks off at B1", "go on to B2 or B3"),
        (("--paths", "1-3-5"), "path '1-3-5' starts at B1", "threads start at B0"),
        (("--paths", "0-B7"), "path '0-B7' names no block with 'B7'", "B0"),
        (("--paths", ",".join(["0-5"] * 65)), "65 paths: a warp has at most 64 threads", ""),
        (("--format", "dot", "--paths", "0-5"), "takes no --paths", "--rules"),
        (("--with-phis",), "takes no --with-phis", "--paths"),
    ],
)
def test_what_is_refused(options: tuple[str, ...], message: str, hint: str):
    with pytest.raises(InputError) as error:
        explain(*options)
    assert message in str(error.value) and hint in str(error.value)


def test_of_a_machine_the_markers_of_the_compiled_code_are_shown():
    written = explain(file=PTX).splitlines()[0]
    compiled = explain("--machine", "teaching_gpu", file=PTX).splitlines()[0]
    assert written == (
        "mandelbrot: markers before BB0_3, next.3, next.4, BB0_5, BB0_6 (rules sound)"
    )
    assert compiled == "mandelbrot: markers before BB0_3, next.3, BB0_5, BB0_6 (rules sound)"
    with pytest.raises(InputError, match="--show markers shows nothing of itanium2"):
        explain("--machine", "itanium2", file=PTX.parents[2] / "saxpy" / "saxpy.py")
