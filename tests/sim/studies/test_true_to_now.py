"""A table tells of what a study says now: not of what it, or a file that it names, once said.

Each of these studies once gave a table that looked right and was not.
"""

from __future__ import annotations

import csv
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from machines.cache import installed
from machines.cache.results import kept_results
from machines.diagnostics import InputError
from sim.studies.plan import Plan, plan_of
from sim.studies.search import best_row, run_points
from sim.studies.store import Store
from sim.studies.study_file import read_study
from sim.studies.study_result import StudyResult
from sim.studies.table import Table, tabulate
from tests.campaign.seeds import short_form
from tests.sim.studies.conftest import Studied

RANDOM = "random: {seed: 0, low: 0, high: 1}"
PAIRS = """from __future__ import annotations

from compiler.kernel import function, i32


@function
def differences(pairs: tuple[i32, i32][:], a: i32) -> i32[:]:
    return [x * a - y for x, y in pairs]
"""
JUDGE = """from pathlib import Path
import numpy as np


def expected(x, y):
    factor = float(Path(__file__).with_name('factor.txt').read_text())
    return (factor * x + y).astype(np.float32)
"""
PAIRED = """workload: tiny
program: tiny.py
machine: itanium2
scratch: 1KiB
arguments:
  a: 1
  pairs: {parts: [PARTS]}
expect:
  return: {equals: pairs_0 * a - pairs_1}
"""
L2 = "\n  l2: {set: memory.l2.latency, values: [5 cycles, 8 cycles]}"


def exported(simrun: Callable, study: Path) -> list[dict[str, str]]:
    """The table of a study as other tools read it."""
    code = simrun("study", "export", str(study), "-o", "out.csv").code
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert code == (1 if {row["status"] for row in rows} & {"waiting", "outdated"} else 0)
    return rows


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def searched(path: Path) -> tuple[Plan, Table]:
    """A search, run in this process."""
    plan = plan_of(read_study(path))

    def scheduler(work: Callable, tasks: Iterator) -> Iterator:
        while (task := next(tasks, None)) is not None:
            yield task, work(task)

    with kept_results(), Store.open(path.with_suffix(".sqlite")) as store:
        ran = {point.name: one.identity for point, one in run_points(plan, store, scheduler)}
        return plan, tabulate(plan, store, ran)


# ---- Files ---------------------------------------------------------------------------------------


def test_two_files_that_change_places_are_another_input(studied: Callable, tiny: Path):
    """They are called alike, in folders of their own, and belong to one argument."""
    for folder, byte in (("one", 1), ("two", 2)):
        (tiny.parent / folder).mkdir()
        (tiny.parent / folder / "x.raw").write_bytes(bytes([byte] * 32))
    (tiny.parent / "tiny.py").write_text(PAIRS)
    study = studied("\n  a: {argument: a, values: [2]}")
    for order in (("one", "two"), ("two", "one")):
        parts = ", ".join(f"{{dtype: i32, file: {folder}/x.raw}}" for folder in order)
        tiny.write_text(PAIRED.replace("PARTS", parts))
        assert [outcome.status for outcome in study.run()] == ["done"]
    assert len(study.ran) == 2


@pytest.mark.parametrize("moment", [1, 2])
def test_a_file_that_changes_during_a_study_ends_it(studied: Callable, tiny: Path, moment: int):
    study = studied(L2)
    seen: list[Any] = []

    def changing(outcome: Any) -> Any:
        seen.append(outcome)
        if len(seen) == moment:
            change(tiny, "value: 1", "value: 2")
        return outcome

    if moment == 2:  # both had run
        assert len(study.run(changing)) == 2
        return
    with pytest.raises(InputError, match=r"workload\.yaml changed during the study"):
        study.run(changing)
    assert {row.status for row in study.table().rows} == {"outdated", "waiting"}


def test_a_file_that_changes_before_the_run_is_under_no_key(
    studied: Callable, tiny: Path, monkeypatch: pytest.MonkeyPatch
):
    """Between the moment when the identity is found and that when the inputs are read."""
    from sim.studies import point as points

    data = tiny.parent / "x.raw"
    data.write_bytes(bytes(32))
    change(tiny, "x: {dtype: f32, shape: [8], range: {}}", "x: {dtype: f32, file: x.raw}")
    prepare = points.prepare

    def late(*given: Any) -> Any:
        data.write_bytes(bytes([64] * 32))
        return prepare(*given)

    monkeypatch.setattr(points, "prepare", late)
    study = studied("\n  a: {argument: a, values: [2.5]}")
    with pytest.raises(InputError, match=r"x\.raw changed during the study"):
        study.run()
    with Store.open(study.store) as store:
        assert not store.has_results()


def test_what_an_own_oracle_reads_is_not_known_so_it_runs_again(studied: Callable, tiny: Path):
    (tiny.parent / "judge.py").write_text(JUDGE)
    factor = tiny.parent / "factor.txt"
    factor.write_text("2.5")
    change(tiny, '{equals: "a * x + y"}', "{oracle: judge.py:expected}")
    study = studied("\n  a: {argument: a, values: [2.5]}")
    first = study.run(trust=True)
    factor.write_text("3.5")
    again = study.run(trust=True)
    assert [one.status for one in (*first, *again)] == ["done", "wrong"]


def test_a_folder_behind_a_link_is_where_the_system_says(studied: Callable, tiny: Path):
    """`..` of a linked folder is the folder above the one that it leads to."""
    there = tiny.parent / "elsewhere" / "deep"
    there.mkdir(parents=True)
    other = there.parent / "workload.yaml"
    other.write_text(tiny.read_text().replace("value: 1", "value: 3"))
    (there.parent / "tiny.py").write_text((tiny.parent / "tiny.py").read_text())
    (tiny.parent / "link").symlink_to(there)
    path = studied(L2).path
    change(path, "workload: .", "workload: link/../workload.yaml")
    named = Plan(read_study(path)).points[0].setting.workload
    assert os.path.samefile(named, other)


# ---- What stands in a store ----------------------------------------------------------------------


def test_what_was_edited_is_outdated_until_it_runs(studied: Callable, simrun: Callable, tiny: Path):
    study = studied(L2)
    path, _ = study.path, study.run()
    before = exported(simrun, path)
    assert [row["status"] for row in before] == ["done", "done"]

    change(tiny, "n: 8", "n: 4")
    shown = simrun("study", "show", str(path))
    assert shown.code == 1
    assert "its result is of before a change: inputs" in shown.out
    assert [row["cycles"] for row in exported(simrun, path)] == ["", ""]
    compared = simrun("study", "compare", str(path), "l2=5 cycles", "l2=8 cycles")
    assert (compared.code, "has no result" in compared.err) == (2, True)

    change(tiny, "n: 4", "n: 8")
    assert exported(simrun, path) == before


def test_repetitions_are_told_apart_when_they_are_compared(
    studied: Callable, simrun: Callable, tiny: Path
):
    change(tiny, "range: {}", RANDOM)
    study = studied("\n  x: {seed: x, values: [1, 2]}")
    study.run()
    compared = simrun("study", "compare", str(study.path), "x=1", "x=2")
    assert (compared.code, compared.err) == (0, "")
    assert "they have other arguments" in compared.out and "seed of x=2" in compared.out


def test_a_level_that_was_added_waits(studied: Callable, simrun: Callable):
    study = studied(L2)
    path, _ = study.path, study.run()
    change(path, "8 cycles]", "8 cycles, 9 cycles]")
    shown = simrun("study", "show", str(path))
    assert shown.code == 1
    assert [row["status"] for row in exported(simrun, path)] == ["done", "done", "waiting"]


def test_an_axis_that_means_something_else_now(studied: Callable, simrun: Callable):
    study = studied("\n  x: {set: memory.l2.latency, values: [8 cycles, 9 cycles]}")
    study.run()
    change(study.path, "memory.l2.latency", "memory.l3.latency")
    assert [row["status"] for row in exported(simrun, study.path)] == ["outdated", "outdated"]


def test_two_studies_share_a_result_and_one_lets_it_go(studied: Callable, simrun: Callable):
    """The other runs it again, or says that it waits."""
    axes = "\n  a: {argument: a, values: [2.5]}"
    path = studied(axes, limits="{cycles: 9}").path
    other = path.with_name("other.yaml")
    other.write_text(path.read_text().replace("study: mine", "study: other"))
    store = ("--store", "both.sqlite")
    for one in (path, other):
        assert [outcome.status for outcome in Studied(one, Path("both.sqlite")).run()] == ["limit"]
    with Store.open(Path("both.sqlite")) as opened:
        assert opened.forget_failures("mine", ["limit"]) == 1
        assert opened.studies() == {"mine": {"waiting": 1}, "other": {"waiting": 1}}
    shown = simrun("study", "show", str(other), *store)
    assert shown.code == 1 and "waiting" in shown.out


def test_a_damaged_result_is_told(studied: Callable, simrun: Callable):
    study = studied("\n  a: {argument: a, values: [2.5]}")
    study.run()
    with sqlite3.connect(study.store) as db:
        db.execute("UPDATE results SET document = ?", (b"damaged",))
    db.close()
    shown = simrun("study", "show", str(study.path))
    assert shown.code == 2
    assert "cannot use store" in shown.err


def test_a_store_is_locked_under_each_of_its_names(studied: Callable, tmp_path: Path):
    study = studied()
    link = tmp_path / "link.sqlite"
    link.symlink_to(study.store)
    with (
        Store.open(study.store),
        pytest.raises(InputError, match="another process writes"),
        Store.open(link),
    ):
        pass


def test_a_label_that_is_written_otherwise_finds_its_result(studied: Callable, simrun: Callable):
    """Until the study runs, its point waits; nothing is run for it."""
    study = studied(L2)
    study.run()
    change(study.path, "[5 cycles, 8 cycles]", "[5.0 cycles, 8 cycle]")
    assert [row["status"] for row in exported(simrun, study.path)] == ["waiting", "waiting"]
    assert [outcome.is_known for outcome in study.run()] == [True, True]
    assert [row["status"] for row in exported(simrun, study.path)] == ["done", "done"]


# ---- Searches ------------------------------------------------------------------------------------

SLOWER = "\n  l2: {set: memory.l2.latency, from: 5 cycles, to: 9 cycles, step: 2 cycles}"
GOAL = "{goal: minimise cycles, trials: 8, seed: 1}"


def test_a_search_counts_its_own_points(studied: Callable, tiny: Path):
    pytest.importorskip("optuna")
    axes = "\n  l2: {set: memory.l2.latency, from: 5 cycles, to: 9 cycles}"
    path = studied(axes, search=GOAL).path
    before = best_row(*searched(path)).coordinates["l2"]
    assert before in ("5 cycles", "6 cycles")
    change(path, "from: 5", "from: 7")
    plan, table = searched(path)
    assert best_row(plan, table).coordinates == {"l2": "7 cycles"}
    assert {row.coordinates["l2"] for row in table.rows} <= {"7 cycles", "8 cycles", "9 cycles"}


def test_points_of_a_search_before_are_none_of_this_one(studied: Callable):
    pytest.importorskip("optuna")
    path = studied(SLOWER, search=GOAL).path
    assert len(searched(path)[1].rows) > 1
    change(path, "trials: 8", "trials: 1")
    assert len(searched(path)[1].rows) == 1


def test_a_search_keeps_to_what_must_hold_and_has_a_base(studied: Callable, tiny: Path):
    pytest.importorskip("optuna")
    goal = "{goal: maximise speedup, trials: 8, seed: 1}"
    derive = '{speedup: "base_cycles / cycles"}'
    path = studied(SLOWER, search=goal, derive=derive, base="{l2: 9 cycles}", where="l2 > 5").path
    plan, table = searched(path)
    best = best_row(plan, table)
    assert best.coordinates == {"l2": "7 cycles"} and best.figures["speedup"] > 1
    with Store.open(path.with_suffix(".sqlite"), writes=False) as store:
        tried = {row.coordinates["l2"] for row in store.rows("mine")}
    assert tried == {"7 cycles", "9 cycles"}


def test_a_search_that_ends_at_the_workloads_limit_has_not_ended_well(
    studied: Callable, tiny: Path
):
    """A run past the best is given up; one that never ends in time is a failure."""
    pytest.importorskip("optuna")
    change(tiny, "machine:", "limits: {cycles: 9}\nmachine:")
    plan, table = searched(studied(SLOWER, search=GOAL).path)
    assert {row.status for row in table.rows} == {"limit"}
    assert not table.is_good and best_row(plan, table) is None


def test_a_search_does_not_bound_what_others_are_compared_with(studied: Callable):
    """Even if it proposes that itself, after it has found a better point."""
    pytest.importorskip("optuna")
    axes = "\n  l2: {set: memory.l2.latency, from: 5 cycles, to: 9 cycles, step: 1 cycle}"
    goal = '{goal: minimise cycles, subject_to: ["speedup > 1.003"], trials: 20, seed: 3}'
    derive = '{speedup: "base_cycles / cycles"}'
    path = studied(axes, search=goal, base="{l2: 9.0 cycles}", derive=derive).path
    plan, table = searched(path)
    assert "9 cycles" in {row.coordinates["l2"] for row in table.rows}  # as a point, not a base
    assert not table.bases and table.is_good
    assert best_row(plan, table).coordinates == {"l2": "5 cycles"}
    assert all(row.figures["speedup"] for row in table.rows if row.status == "done")


def test_a_search_does_not_raise_a_limit(studied: Callable, tiny: Path):
    pytest.importorskip("optuna")
    quick = (
        "{arguments: {n: 4, x: {dtype: f32, shape: [4], range: {}}, "
        "y: {dtype: f32, shape: [4], value: 1}}, limits: {cycles: 50}}"
    )
    change(tiny, "arguments:", f"variants: {{slow: {{}}, quick: {quick}}}\narguments:")
    goal = "{goal: minimise cycles, trials: 16, seed: 1}"
    plan, table = searched(studied("\n  v: {variant: [slow, quick]}" + L2, search=goal).path)
    assert best_row(plan, table).coordinates == {"v": "slow", "l2": "5 cycles"}
    quick = [row for row in table.rows if row.coordinates["v"] == "quick"]
    assert {(row.status, row.is_good) for row in quick} == {("limit", False)}


@pytest.mark.parametrize(
    "edit",
    short_form([("minimise", "maximise"), ("trials: 8", "trials: 12"), ("seed: 1", "seed: 2")], 1),
    ids=" to ".join,
)
def test_another_search_has_found_nothing_yet(
    studied: Callable, simrun: Callable, edit: tuple[str, str]
):
    pytest.importorskip("optuna")
    path = studied(SLOWER, search=GOAL).path
    searched(path)
    found = simrun("study", "show", str(path))
    assert found.code == 0 and "best: cycles" in found.out
    change(path, "study: mine", "study: mine  # a comment")
    assert simrun("study", "show", str(path)).out == found.out
    change(path, *edit)
    shown = simrun("study", "show", str(path))
    assert shown.code == 1 and "best:" not in shown.out
    assert "its result is of another search" in shown.out


def test_a_search_that_was_broken_off_says_so(studied: Callable, simrun: Callable):
    pytest.importorskip("optuna")
    path = studied(SLOWER, search=GOAL).path
    plan = plan_of(read_study(path))

    def ended(work: Callable, tasks: Iterator) -> Iterator:
        if store.begun("mine")[1]:
            raise KeyboardInterrupt
        while (task := next(tasks, None)) is not None:
            yield task, work(task)

    with (
        kept_results(),
        Store.open(path.with_suffix(".sqlite")) as store,
        pytest.raises(KeyboardInterrupt),
    ):
        list(run_points(plan, store, ended))
    shown = simrun("study", "show", str(path))
    assert (shown.code, "4 of 8 trials were made" in shown.out) == (1, True)
    assert best_row(*searched(path)).coordinates == {"l2": "5 cycles"}


@pytest.mark.parametrize(
    "goal, message",
    [
        ('subject_to: ["l2 - 7"]', "this is a number, and neither true nor false"),
        ('subject_to: ["cycles < 0"]', None),
    ],
)
def test_a_search_that_finds_nothing_has_not_ended_well(
    studied: Callable, goal: str, message: str | None
):
    pytest.importorskip("optuna")
    path = studied(SLOWER, search=f"{{goal: minimise cycles, trials: 4, {goal}}}").path
    if message is not None:
        with pytest.raises(InputError, match=message):
            searched(path)
        return
    found = StudyResult(*searched(path))
    assert (found.best, found.ok, found.table.is_good) == (None, False, True)


# ---- Axes and levels -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "axes, message",
    [
        (
            "\n  a: {set: memory.l2, values: [{}]}\n"
            "  b: {set: memory.l2.latency, values: [5 cycles]}",
            "axes 'b' and 'a' both change 'memory.l2'",
        ),
        ("\n  l2: {set: ' memory.l2.latency', values: [5 cycles]}", "no blanks around it"),
        ("\n  cycles: {argument: a, values: [1]}", "an axis cannot be called 'cycles'"),
        ("\n  status: {argument: a, values: [1]}", "an axis cannot be called 'status'"),
        ("\n  base_a: {argument: a, values: [1]}", "an axis cannot be called 'base_a'"),
        ("\n  pi: {argument: a, values: [1]}", "an axis cannot be called 'pi'"),
        ("\n  s: {set: a, values: [256 KiB, 262144 B]}", 'twice: "256 KiB" and "262144 B"'),
        ("\n  s: {argument: a, values: [1, 1.0]}", "twice: 1 and 1.0"),
        ("\n  s: {argument: a, values: [1, true]}", "twice: 1 and true"),
        ('\n  s: {argument: a, values: ["a\\nb"]}', "cannot be what a level is called"),
        ('\n  s: {set: a, from: 1 B, to: "1e400 B", step: 1 B}', "'to' is no number"),
        ("\n  s: {set: a, from: 1, to: 2, factor: 1.0001}", "more than 1000 levels"),
        (
            "\n  s: {set: a, from: 1, to: 9, step: 1, scale: log}",
            "is of a range whose scale",
        ),
        ("\n  s: {set: [], values: [1]}", "axis 's' changes nothing"),
        ("\n  s: {argument: a, values: [.nan, 1]}", "nan cannot be what a level is called"),
        ("\n  s: {argument: a, values: [[.inf], 1]}", "cannot be what a level is called"),
        ("\n  ſ: {argument: a, values: [1]}", "'ſ' is no name of an axis"),
        ("\n  and: {argument: a, values: [1]}", "'and' is no name of an axis"),
    ],
)
def test_axes_that_would_hide_one_another_are_refused(studied: Callable, axes: str, message: str):
    path = studied(axes).path
    with pytest.raises(InputError, match=message):
        assert plan_of(read_study(path)).points


@pytest.mark.parametrize(
    "keys, message",
    [
        ({"base": "{l2: 5 ns}"}, "axis 'l2' has no level '5 ns'"),
        ({"where": "m < 6"}, "'m' is not an axis that has numbers"),
        ({"derive": '{ﬁ: "cycles"}'}, "'ﬁ' cannot be the name of a derived figure"),
        ({"show": "[cycles, cycles]"}, "'cycles' stands there twice"),
        ({"where": '"0 / 0 * l2"'}, "this is neither true nor false"),
        ({"where": '"l2 < 6 | l2 > 7"'}, r"parentheses, like \(a < b\)"),
        ({"base": "{w: one}", "program": "fixed"}, "which program is fixed is not said"),
        ({"search": "{goal: minimise cycles, trials: 2}", "combine": "zip"}, "leave out 'combine'"),
    ],
)
def test_what_would_be_taken_for_something_else_is_refused(
    studied: Callable, keys: dict, message: str
):
    axes = L2 + "\n  w: {workload: {one: ., two: .}}"
    path = studied(axes + "\n  m: {set: b, values: [5 cycles, 256 KiB]}", **keys).path
    with pytest.raises(InputError, match=message):
        assert plan_of(read_study(path)).points


def test_a_search_of_seeds_is_refused(studied: Callable):
    path = studied("\n  s: {seed: x, values: [1, 2]}", search=GOAL).path
    with pytest.raises(InputError, match="finds the luckiest"):
        read_study(path)


def test_the_fixed_program_is_each_levels_own(studied: Callable, tiny: Path):
    """Another workload runs its own program, compiled for the base's machine."""
    change(tiny, "arguments:", "variants: {sum: {}, twice: {arguments: {a: 5.0}}}\narguments:")
    twice = (tiny.parent / "tiny.py").read_text().replace("a * x[i] + y[i]", "a * x[i] + a")
    (tiny.parent / "twice.py").write_text(twice)
    other = tiny.read_text().replace("tiny.py", "twice.py").replace('x + y"', 'x + a"')
    tiny.with_name("other.yaml").write_text(other)
    axes = L2 + "\n  w: {workload: {one: workload.yaml, two: other.yaml}}"
    base = "{l2: 5 cycles, w: one}"
    study = studied(axes, base=base, program="fixed")
    assert {outcome.status for outcome in study.run()} == {"done"}
    keys = [row.key for row in study.table().rows]
    assert len(set(keys)) == 4


def test_arrays_of_one_seed_axis_have_numbers_of_their_own(studied: Callable, tiny: Path):
    """Else their difference is 0 for every seed."""
    for array in (
        "x: {dtype: f32, shape: [8], range: {}}",
        "y: {dtype: f32, shape: [8], value: 1}",
    ):
        change(tiny, array, f"{array[:28]}{RANDOM}}}")
    change(tiny.parent / "tiny.py", "a * x[i] + y[i]", "x[i] - y[i]")
    change(tiny, '"a * x + y"', '"x - y"')
    study = studied("\n  s: {seed: [x, y], values: [1, 2]}")
    assert [one.status for one in study.run()] == ["done", "done"]
    with Store.open(study.store, writes=False) as store:
        first, second = (row.document["outputs"]["y"] for row in store.rows("mine"))
    assert first != second


@pytest.mark.parametrize(
    "written, levels",
    [
        ("from: 0.0, to: 1.0, count: 5", [0.0, 0.25, 0.5, 0.75, 1.0]),
        ("from: 0.0, to: 0.6, count: 7", [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
        ("from: 1.0, to: 1000.0, count: 4, scale: log", [1.0, 10.0, 100.0, 1000.0]),
        (
            "from: 9007199254740993, to: 9007199254740997, count: 3",
            [9007199254740993, 9007199254740995, 9007199254740997],
        ),
        ("from: 1 GHz, to: 2 GHz, count: 5",
         ["1 GHz", "1.25 GHz", "1.5 GHz", "1.75 GHz", "2 GHz"]),
        ("from: 1 KiB, to: 2 KiB, count: 3", ["1 KiB", "1.5 KiB", "2 KiB"]),
    ],
)  # fmt: skip
def test_a_range_has_the_levels_that_it_says(studied: Callable, written: str, levels: list):
    path = studied(f"\n  x: {{set: a.b, {written}}}").path
    assert [point.coordinates["x"] for point in Plan(read_study(path)).points] == levels


def test_whole_numbers_are_exact_in_expressions(studied: Callable):
    large = 1 << 53
    axes = f"\n  x: {{argument: x, values: [{large}, {large + 1}]}}"
    plan = plan_of(read_study(studied(axes, where=f"x == {large + 1}").path))
    assert [point.coordinates for point in plan.points] == [{"x": large + 1}]
    assert plan.points[0].numbers["x"] - large == 1


def test_whole_numbers_that_there_are_not_are_told(studied: Callable):
    path = studied("\n  x: {argument: n, from: 0, to: 1, count: 5}").path
    with pytest.raises(InputError, match="there are not 5 whole numbers from 0 to 1"):
        read_study(path)


def test_a_base_outside_the_points_is_no_row(studied: Callable):
    study = studied(
        SLOWER, base="{l2: 5 cycles}", where="l2 > 5", derive='{speedup: "base_cycles / cycles"}'
    )
    study.run()
    table = study.table()
    assert [row.coordinates["l2"] for row in table.rows] == ["7 cycles", "9 cycles"]
    assert all(0 < row.figures["speedup"] < 1 for row in table.rows)
    assert [row.coordinates["l2"] for row in table.bases] == ["5 cycles"]


def test_a_base_that_is_a_point_now_is_a_row(studied: Callable, simrun: Callable):
    study = studied(SLOWER, base="{l2: 5 cycles}", where="l2 > 5")
    study.run()
    change(study.path, "where: l2 > 5\n", "")
    assert [row["l2"] for row in exported(simrun, study.path)] == [
        "5 cycles",
        "7 cycles",
        "9 cycles",
    ]


def test_what_was_refused_and_would_not_be_waits(studied: Callable, simrun: Callable, tiny: Path):
    """Whether the program could not be made, or only not be run."""
    study = studied(L2)
    for old, new in (("n: 8", "n: 9"), ("program: tiny.py", "program: none.py")):
        change(tiny, old, new)
        assert {outcome.status for outcome in study.run()} == {"refused"}
        assert {row["status"] for row in exported(simrun, study.path)} == {"refused"}
        change(tiny, new, old)
        assert {row["status"] for row in exported(simrun, study.path)} == {"waiting"}
    study.run()
    change(tiny, "program: tiny.py", "program: none.py")
    refused = exported(simrun, study.path)
    assert {row["status"] for row in refused} == {"refused"}
    assert "none.py" in refused[0]["diagnostics"] and refused[0]["cycles"] == ""


def test_studies_that_share_a_result_say_the_same_of_it(studied: Callable, tiny: Path):
    """An oracle of the workload's own gives two of them other answers: the last counts."""
    (tiny.parent / "judge.py").write_text(JUDGE)
    change(tiny, '{equals: "a * x + y"}', "{oracle: judge.py:expected}")
    one = studied("\n  a: {argument: a, values: [2.5]}")
    two = Studied(one.path.with_name("two.yaml"), one.store)
    two.path.write_text(one.path.read_text().replace("study: mine", "study: two"))
    for study, factor in ((one, "2.5"), (two, "3.5")):
        (tiny.parent / "factor.txt").write_text(factor)
        study.run(trust=True)
    rows = [study.table().rows[0] for study in (one, two)]
    assert [(row.status, row.figures) for row in rows] == [("wrong", {})] * 2
    assert rows[0].diagnostics == rows[1].diagnostics != ""


def test_points_that_are_drawn_twice_are_told(studied: Callable, simrun: Callable):
    study = studied(L2, combine="{random: 12, seed: 1}")
    study.run()
    shown = simrun("study", "show", str(study.path))
    assert "10 of 12 drawn points are equal to others" in shown.out


def test_levels_that_change_nothing_are_told(studied: Callable, simrun: Callable):
    same = "{set: {memory.l2.latency: 5 cycles}}"
    study = studied(f"\n  l2: {{levels: {{default: {{}}, same: {same}}}}}")
    study.run()
    shown = simrun("study", "show", str(study.path))
    assert "note: default and same of axis 'l2' are the same runs" in shown.out


def test_why_points_failed_is_exported(studied: Callable, simrun: Callable):
    study = studied("\n  l2: {set: memory.l2.latency, values: [5 cycles, 99 cycles]}")
    study.run()
    done, refused = exported(simrun, study.path)
    assert (done["diagnostics"], refused["status"]) == ("", "refused")
    assert "l2" in refused["diagnostics"]


def test_packages_move_results_only_where_simrun_imports_them(
    studied: Callable[..., Studied], monkeypatch: pytest.MonkeyPatch
):
    """To install what `export` asks for leaves all results; another numba is named."""
    study = studied(L2)
    study.run()
    versions = installed._versions()
    with monkeypatch.context() as patched:
        patched.setattr(installed, "_versions", lambda: {**versions, "pandas": "2.2"})
        assert study.table().is_good
        patched.setattr(installed, "_versions", lambda: {**versions, "numba": "99.1"})
        table = study.table()
    assert {row.status for row in table.rows} == {"outdated"}
    was = versions["numba"]
    said = f"its result is of before a change: installed (numba from {was} to 99.1)"
    assert {row.diagnostics for row in table.rows} == {said}
