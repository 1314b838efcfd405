"""What `simrun check` blocks, and the cause that it names."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from compiler.targets.epic.pipeline import PASSES
from machines.description.load import load_machine
from sim.cores.epic.run import CORE
from tests.sim.conftest import KERNEL, UPDATE

FIELDS = Path(__file__).parents[1] / "fields"
AT = PASSES.index("modulo_schedule")
SWAPPED = (*PASSES[:AT], *reversed(PASSES[AT : AT + 2]), *PASSES[AT + 2 :])
"""Another order of the passes, which costs cycles."""
LATENCIES = {
    "itanium2": ("latencies.s", ["latencies.alu.result", "memory.l1d.latency"]),
    "teaching_gpu": ("classes.ptx", ["classes.alu.latency", "memory.l1.latency"]),
    "teaching_chip": ("tile_units.sir", ["iodma.setup", "matrix.depth"]),
}
"""By machine, one of each kind: a program, and latencies that it meets."""


@pytest.fixture
def baseline(tiny: Path, simrun) -> Path:
    assert simrun("check", str(tiny), *UPDATE).code == 0
    return tiny.parent / "baselines" / "itanium2.yaml"


def causes(out: str) -> list[str]:
    return re.findall(r"^ +cause: (\w+):", out, re.MULTILINE)


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


@pytest.mark.parametrize("machine", LATENCIES)
def test_one_cycle_of_a_latency(
    machine: str, tmp_path: Path, simrun, monkeypatch: pytest.MonkeyPatch
):
    program, figures = LATENCIES[machine]
    monkeypatch.chdir(tmp_path)
    shutil.copy(FIELDS / program, tmp_path)
    described = (FIELDS / program).with_suffix(".yaml")
    plain = f"workload: latencies\nprogram: {program}\nmachine: {machine}\n"
    text = described.read_text() if described.exists() else plain
    Path("workload.yaml").write_text(text.replace(f"machine: {machine}", "machine: mine.yaml"))
    mine, base = Path("mine.yaml"), f"extends: {machine}\nname: mine\nsource: 'assumed: a test'\n"
    mine.write_text(base)
    assert simrun("check", ".", *UPDATE).code == 0
    assert simrun("check", ".").code == 0
    values = {field.path: field.value for field in load_machine(machine).fields()}
    for figure in figures:
        *outer, last = figure.split(".")
        mine.write_text(f"{base}{': {'.join(outer)}: {{{last}: {values[figure] + 1} cycles}}")
        mine.write_text(mine.read_text() + "}" * (len(outer) - 1))
        ended = simrun("check", ".")
        assert ended.code == 1, figure
        assert causes(ended.out) == ["machine"] and re.search(
            r"^ +cycles \d+ → \d+", ended.out, re.M
        )


def _source(folder: Path) -> None:
    (folder / "tiny.py").write_text(KERNEL.replace("a * x[i] + y[i]", "a * x[i] + y[i] * a / a"))


def _passes(folder: Path) -> None:
    edit(folder / "workload.yaml", "arguments:", f"passes: [{', '.join(SWAPPED)}]\narguments:")


def _inputs(folder: Path) -> None:
    path = folder / "workload.yaml"
    path.write_text(path.read_text().replace("8", "9"))


@pytest.mark.parametrize(
    ("change", "expected"),
    [(_source, ["source"]), (_passes, ["passes"]), (_inputs, ["inputs"])],
)
def test_what_changed_is_named(change, expected: list[str], baseline: Path, tiny: Path, simrun):
    change(tiny.parent)
    ended = simrun("check", ".")
    assert ended.code == 1 and causes(ended.out) == expected
    assert re.search(r"^ +accepted: a test$", ended.out, re.M)


def test_another_order_in_the_compiler(baseline: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("compiler.pass_lists.default_passes", lambda *_: SWAPPED)
    ended = simrun("check", ".")
    assert ended.code == 1 and causes(ended.out) == ["compiler"]


def test_figures_that_nothing_explains_are_the_models(baseline: Path, simrun):
    """A stall that moves at equal cycles, in a simulator that declares no other model."""
    cycles, *held = (
        int(re.search(rf" {name}: (\d+)", baseline.read_text())[1])
        for name in ("cycles", "issuing", "float")
    )
    for name, value, by in zip(("issuing", "float"), held, (-1, 1), strict=True):
        edit(baseline, f" {name}: {value}\n", f" {name}: {value + by}\n")
    ended = simrun("check", ".")
    assert ended.code == 1 and f"tiny on itanium2  {cycles} cycles" in ended.out
    assert f"  issuing {held[0] - 1} → {held[0]}" in ended.out
    said = "cause: model: same program, machine and inputs, other figures, and its version is still"
    assert f"{said} {CORE.model}\n" in ended.out and causes(ended.out) == ["model"]


def test_what_changed_at_equal_figures_is_said_to_who_asks(baseline: Path, tiny: Path, simrun):
    """A comment in the source gives the same program: nothing that is held has moved."""
    before = baseline.read_text()
    edit(tiny.parent / "tiny.py", "@kernel", "# A comment.\n@kernel")
    assert simrun("check", ".").out.splitlines()[1:] == ["1 checked, 0 failed"]
    ended = simrun("check", ".", "--verbose")
    assert ended.code == 0 and "accepted: a test\n" in ended.out
    assert "at equal figures: source: changed, the program is the same\n" in ended.out
    assert simrun("check", ".", "--update", "--reason", "another").code == 0
    assert baseline.read_text() == before


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('workload: "tiny"', 'workload: "other"', "is of workload 'other', not 'tiny'"),
        ('machine: "itanium2"', 'machine: "epic3"', "is of machine 'epic3', not 'itanium2'"),
    ],
)
def test_a_baseline_of_something_else(before: str, after: str, said: str, baseline: Path, simrun):
    """As a file that was copied."""
    text = baseline.read_text()
    edit(baseline, before, after)
    ended = simrun("check", ".")
    assert ended.code == 1 and said in ended.out and "cycles" not in ended.out.splitlines()[1]
    assert simrun("check", ".", *UPDATE).code == 0 and baseline.read_text() == text


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("    cycles: ", "<<<<<<< HEAD\n    cycles: ", "itanium2.yaml:18:"),
        ("    cycles: ", "    cycles: -", "'cycles': "),
        ("      machine: ", "      machin: ", "unknown key 'machin'"),
        ("    counters:\n", "    counters:\n      NOPS_RETIRED: x\n", "'NOPS_RETIRED'"),
    ],
)
def test_a_damaged_baseline(before: str, after: str, said: str, baseline: Path, simrun):
    edit(baseline, before, after)
    for words in (["check", "."], ["check", ".", *UPDATE]):
        ended = simrun(*words)
        assert ended.code == 2 and said in ended.out and ended.out.count("error:") == 1
        assert ended.out.count("hint: remove the file, and accept the results anew") == 1


def test_a_case_that_did_not_move_keeps_its_reason(tiny: Path, simrun):
    file = tiny.parent / "baselines" / "itanium2.yaml"
    longer = "n: 9, x: {dtype: f32, shape: [9], range: {}}, y: {dtype: f32, shape: [9], value: 1}"
    tiny.write_text(f"{tiny.read_text()}variants:\n  a: {{}}\n  b: {{arguments: {{{longer}}}}}\n")
    assert simrun("check", ".", "--update", "--reason", "first").code == 0
    before = file.read_text()
    tiny.write_text(tiny.read_text().replace("9", "10"))
    assert simrun("check", ".", "--update", "--reason", 'then: "n" is 10 \\ ü').code == 0
    now = file.read_text()
    assert re.findall(r"reason: (.*)", now) == ['"first"', r'"then: \"n\" is 10 \\ ü"']
    assert now.partition("\n  b:\n")[0] == before.partition("\n  b:\n")[0]
    assert simrun("check", ".").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--update"], "--update needs a reason"),
        (["--reason", "x"], "--reason says why --update accepts"),
        (["--update", "--reason", "two\nlines"], "a reason is one line"),
        (["--update", "--reason", "  "], "a reason is one line"),
        (
            ["--tolerance", "flaot=1%"],
            "there is no metric 'flaot'  [baseline]\n    hint: did you mean 'float'?",
        ),
    ],
)
def test_words_that_are_refused(words: list[str], said: str, tiny: Path, simrun):
    ended = simrun("check", ".", *words)
    assert ended.code == 2 and said in ended.err and not (tiny.parent / "baselines").exists()


def test_nothing_is_accepted_on_a_ci_server(tiny: Path, simrun, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CI", "true")
    ended = simrun("check", ".", *UPDATE)
    assert ended.code == 2 and "accepts nothing where CI is set" in ended.err
    assert not (tiny.parent / "baselines").exists()


def test_the_page_for_a_pull_request(baseline: Path, tiny: Path, simrun):
    page = Path("page.md")
    assert simrun("check", ".", "--markdown", "page.md").code == 0
    assert page.read_text() == "**simrun check**: 1 checked, all as accepted (1 ok)\n"
    broken = tiny.parent / "b_b" / "workload.yaml"
    broken.parent.mkdir()
    broken.write_text("workload: other\n")
    _passes(tiny.parent)
    simrun("check", ".", "--markdown", "page.md")
    first, _, _, _, row, _, other = page.read_text().splitlines()
    assert first == "**simrun check**: 2 checked, 2 failed (1 error, 1 moved)"
    cycles = r"(\d+) → (\d+) \| \+(\d+) \(\+\d+\.\d\d %\)"
    most = r"(?:[\\\w]+ [+-]\d+(?:, )?){3}"
    found = re.fullmatch(rf"\| tiny \| itanium2 \| {cycles} \| passes \| {most} \|", row)
    assert found and int(found[1]) + int(found[3]) == int(found[2])
    assert other.startswith(r"* error: b\_b/workload.yaml on its machine: b\_b/workload.yaml:1:1: ")
    assert simrun("check", "workload.yaml", *UPDATE, "--markdown", "page.md").code == 0
    assert (
        page.read_text().splitlines()[4] == row
        and "all as accepted (1 updated)" in page.read_text()
    )


def test_a_tolerance_of_a_reason_and_of_a_counter(baseline: Path, simrun):
    value = int(re.search(r" float: (\d+)", baseline.read_text())[1])
    edit(baseline, f" float: {value}\n", f" float: {value + 2}\n")
    edit(baseline, " FP_OPS_RETIRED: 16\n", " FP_OPS_RETIRED: 20\n")
    assert simrun("check", ".").code == 1
    both = ["--tolerance", "float=50%", "--tolerance", "FP_OPS_RETIRED=20%"]
    assert simrun("check", ".", *both).code == 0
    assert simrun("check", ".", *both, "--tolerance", "float=0.1%").code == 1
    assert simrun("check", ".", *both, "--tolerance", "FP_OPS_RETIRED=19%").code == 1
