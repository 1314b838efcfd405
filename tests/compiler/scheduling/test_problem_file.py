"""What the texts of a problem's file mean; its mistakes: broken/problem_*.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.frontends.ia64.written_problems import Unresolved, read_problem, resolve
from compiler.targets.epic.scheduling.problem import Value


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("ld8", "ld8"),
        ("adds", "adds"),
        ("shr.u", "extr.u"),
        ("shr.u r8 = r9, 3", "extr.u"),
        ("shr.u r8 = r9, r10", "shr.u"),
        ("cmp.ge", "cmp.lt"),
        ("fma.d", "fma.d.s0"),
        ("xmpy.l", "xma.l"),
        ("br.ctop.sptk.few", "br.ctop"),
        ("mov b6 = r8", "mov.to_branch"),
        ("mov r8 = r9", "adds"),
        ("ld8.increment_immediate", "ld8.increment_immediate"),
    ],
)
def test_what_a_text_means(text: str, row: str):
    assert resolve(text, "ia64").name == row


@pytest.mark.parametrize("text", ("mov", "ld9", "ld8 r8", "ld8 r8 = [r9", ""))
def test_what_means_nothing(text: str):
    with pytest.raises(Unresolved) as problem:
        resolve(text, "ia64")
    assert str(problem.value) and problem.value.hint


def test_a_loop(tmp_path: Path):
    path = tmp_path / "loop.yaml"
    path.write_text(
        "ops:\n"
        "  - {name: 1, op: ld8}\n"
        "  - {name: exit, op: br.cond}\n"
        "  - {name: sum, op: add}\n"
        "  - {name: close, op: br.ctop}\n"
        "arcs:\n"
        "  - {from: 1, to: sum, latency: 2}\n"
        "  - {from: sum, to: sum, omega: 1, latency: 1}\n"
        "  - {from: exit, to: sum, latency: 0}\n"
    )
    written = read_problem(path, "ia64")
    problem = written.problem
    assert problem.names == ("1", "exit", "sum", "close")
    assert problem.branch == 3
    assert [(a.source, a.target, a.omega, a.latency) for a in problem.graph.arcs] == [
        (0, 2, 0, 2), (2, 2, 1, 1), (1, 2, 0, 0),
    ]  # fmt: skip
    assert problem.values == (
        Value("1", "general", (0,), ((2, 0),)),
        Value("sum", "general", (2,), ((2, 1),)),
    )
    assert written.stages is None


def test_a_row(tmp_path: Path):
    path = tmp_path / "row.yaml"
    path.write_text(
        "ops: [{name: a, op: add, stage: 2}, {name: b, op: add}]\nrow: true\nii: 3\n"
        "arcs: [{from: a, to: b, omega: 3, latency: 3}]\n"
    )
    written = read_problem(path, "ia64")
    assert (written.stages, written.ii) == ((2, 0), 3)
