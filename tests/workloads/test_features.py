"""The table of what each rule brings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.targets.simt.pipeline import PASSES
from machines.description.load import load_machine
from machines.diagnostics import InputError
from sim.options import pass_list
from sim.validation.benchmarks import read_suite
from sim.validation.measured import read_measured
from workloads.validation import features

RINGS = """
mechanisms: {chains: "of sums", others: "nothing"}
two.yaml:
  first: {value: kernel, unit: cycles, mechanism: chains}
  second: {value: kernel, unit: cycles, mechanism: others}
"""
TWO = """
workload: two
program: two.ptx
machine: h100
arguments: {o: {dtype: f32, shape: [1], value: 0}}
variants:
  first: {launches: [{kernel: chain, grid: [1], block: [1], arguments: [o, 4]}]}
  second: {launches: [{kernel: chain, grid: [1], block: [1], arguments: [o, 1]}]}
"""
PAIR = "    mul.f32 %f2, %f1, %f1;\n    add.f32 %f1, %f2, 0f3f800000;\n"
PTX = f"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry chain(.param .u64 o, .param .u32 n) {{
    .reg .pred %p1;
    .reg .b32 %n;
    .reg .f32 %f<3>;
    .reg .b64 %o;
    ld.param.u64 %o, [o];
    ld.param.u32 %n, [n];
    ld.global.f32 %f1, [%o];
$again:
{16 * PAIR}
    sub.u32 %n, %n, 1;
    setp.ne.u32 %p1, %n, 0;
    @%p1 bra $again;
    st.global.f32 [%o], %f1;
    ret;
}}
"""
RULES = """
fused: {what: "one rounding", mechanisms: [chains], passes: "default,-contract_products"}
none: {what: "nothing of this suite", mechanisms: [elsewhere], passes: "default"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "benchmarks.yaml").write_text(RINGS)
    (tmp_path / "two.yaml").write_text(TWO)
    (tmp_path / "two.ptx").write_text(PTX)
    (tmp_path / "rules.yaml").write_text(RULES)
    one = {"value": 1, "outputs": {}}
    measured = {"benchmarks": {"first": one, "second": one}}
    (tmp_path / "h100.json").write_text(json.dumps(measured))
    return tmp_path


def rows(folder: Path, whole: bool) -> list[list[str]]:
    rules = features.read_features(folder / "rules.yaml")
    measured = read_measured(folder / "h100.json")
    lines = features.table(read_suite(folder), measured, "h100", whole, 1, rules)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines][2:]


def test_a_rule_is_judged_by_the_benchmarks_that_it_is_about(folder):
    """Of four times 16 products and sums, of four cycles each, one rounding saves 64 sums and
    little beside: of the one cycle that was 'measured' 256 cycles are 25 600 %."""
    (rule, number, without, with_it), (last, of_all, _, _) = rows(folder, whole=False)
    assert (rule, number) == ("one rounding", "1")
    saved = float(without.split()[0]) - float(with_it.split()[0])
    assert 25600 <= saved < 28000
    assert (last, of_all) == ("all", "2")


def test_or_by_all(folder):
    first, second, _ = rows(folder, whole=True)
    assert [first[1], second[1]] == ["2", "2"] and second[2] == second[3]


@pytest.mark.parametrize(("bad", "said"), [
    ("one: {what: a}", "'one' says neither fields nor passes"),
    ("one: {set: [a=1]}", "'what' is missing"),
    ("- one", "expected rules by name"),
])  # fmt: skip
def test_rules_that_say_too_little_are_refused(bad, said, tmp_path):
    (tmp_path / "rules.yaml").write_text(bad)
    with pytest.raises(InputError, match=said):
        features.read_features(tmp_path / "rules.yaml")


def test_a_rule_that_there_is_not(folder, monkeypatch, capsys):
    words = ["features", str(folder), "h100", "--only", "gaurds"]
    monkeypatch.setattr("sys.argv", words)
    assert features.main() == 2
    assert "did you mean 'guards'?" in capsys.readouterr().err


def test_rules_are_about_mechanisms_of_our_suites():
    here = Path(features.__file__).parent
    known = {
        name for one in ("", "kernels", "probes") for name in read_suite(here / one).mechanisms
    }
    for name, form in features.read_features().items():
        assert set(form.mechanisms) <= known, name


@pytest.mark.parametrize("form", features.read_features().values(), ids=features.read_features())
def test_a_rule_that_is_off_is_another_machine_or_another_order(form):
    if form.overrides:
        off = load_machine("h100", overrides=form.overrides)
        assert off.content_hash != load_machine("h100").content_hash
    if form.passes:
        named = {word.lstrip("-") for word in pass_list(form.passes)} - {"default"}
        assert named and named <= set(PASSES)
