"""What moved between parts of two results: sums, what is absent, and which lines are the same."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sim.results.moved import (
    Moved,
    Unmatched,
    counters_moved,
    lines_moved,
    reasons_moved,
    steps_moved,
)

pytestmark = pytest.mark.quick


def _changes(moved: list[Moved]) -> dict[str, int | None]:
    return {one.name: one.change for one in moved}


def test_reasons_add_up_and_the_biggest_comes_first():
    a, b = {"issuing": 10, "load": 5, "float": 7}, {"issuing": 11, "float": 1, "branch": 3}
    moved = reasons_moved(a, b)
    assert list(_changes(moved).items()) == [
        ("float", -6), ("load", -5), ("branch", 3), ("issuing", 1)
    ]  # fmt: skip
    assert sum(_changes(moved).values()) == sum(b.values()) - sum(a.values())
    assert [one.fraction for one in moved] == [-6 / 7, -1.0, None, 0.1]


def test_a_counter_that_is_not_there_was_not_0():
    moved = counters_moved({"HITS": 0, "GONE": 9, "SAME": 4}, {"HITS": 0, "NEW": 0, "SAME": 5})
    assert _changes(moved) == {"SAME": 1, "GONE": None, "NEW": None}
    assert [(one.a, one.b) for one in moved[1:]] == [(9, None), (None, 0)]


def _line(number: int, text: str, lost: int = 0, file: str = "f.c", executed: int = 1) -> dict:
    return {
        "file": file, "line": number, "text": text, "executed": executed,
        "lost": {"load": lost} if lost else {},
    }  # fmt: skip


def _places(a: list[dict], b: list[dict]) -> dict[str, tuple[int | None, int | None, int]]:
    """By text: the line's number in both, and how much more it loses."""
    return {
        one.text: (
            one.place_a and one.place_a[1],
            one.place_b and one.place_b[1],
            one.lost.change,
        )
        for one in lines_moved(a, b).moved
    }  # fmt: skip


def test_lines_of_the_same_source_are_matched_by_number():
    """Also those whose text is not unique, and those that one program alone has."""
    a = [_line(1, "x++;", 5), _line(2, "x++;", 7), _line(3, "y++;", 1)]
    b = [_line(1, "x++;", 5), _line(2, "x++;", 9), _line(4, "z++;", 2)]
    assert _places(a, b) == {"x++;": (2, 2, 2), "z++;": (None, 4, 2), "y++;": (3, None, -1)}
    assert not lines_moved(a, b).unmatched


def test_lines_of_a_changed_source_are_matched_by_unique_text():
    """A line before the others: by number, `t();` would be beside `s();`."""
    a = [_line(1, "s();", 5), _line(2, "t();", 50), _line(3, "u();", 4), _line(4, "u();", 6)]
    b = [_line(2, "  s();", 6), _line(3, "  t();", 20), _line(4, "u();", 4), _line(5, "u();", 9)]
    assert _places(a, b) == {"t();": (2, 3, -30), "s();": (1, 2, 1)}
    found = lines_moved(a, b)
    assert found.unmatched == Unmatched(2, 2, 10, 13)
    assert found.lost.change == -30 + 1 + (13 - 10) == -26


def test_a_file_of_another_name_is_matched_if_it_is_the_only_one():
    a = [_line(1, "s();", 5, "a.c"), _line(9, "t();", 1, "shared.h")]
    b = [_line(4, "s();", 8, "b.c"), _line(9, "t();", 3, "shared.h")]
    assert _places(a, b) == {"s();": (1, 4, 3), "t();": (9, 9, 2)}
    more = [*b, _line(1, "s();", 2, "c.c")]
    assert lines_moved(a, more).moved[0].place_a is None


def test_nothing_is_known_of_lines_without_a_text():
    for a, b in (
        ([_line(1, "", 5)], [_line(1, "", 9)]),
        ([_line(1, "", 5)], [_line(1, "s();", 9)]),
        ([_line(1, "", 5), _line(2, "s();")], [_line(2, "s();")]),
    ):
        found = lines_moved(a, b)
        assert found.unmatched.cycles_a == 5 and found.unmatched.count_a == 1
        changes = sum(one.lost.change for one in found.moved)
        assert changes + found.unmatched.cycles_b - 5 == found.lost.change


def test_a_line_that_executes_more_and_loses_the_same_has_moved():
    [line] = lines_moved([_line(1, "s();", 3)], [_line(1, "s();", 3, executed=8)]).moved
    assert (line.lost.change, line.executed.change, line.reasons) == (0, 7, [])


@pytest.mark.parametrize("seed", range(40))
def test_whatever_happens_to_a_source_its_lines_add_up(seed: int):
    """Lines go, come, move and are written twice; every cycle is in one row or not matched."""
    chosen = random.Random(seed)

    def source(texts: list[str]) -> list[dict[str, Any]]:
        return [_line(n, text, chosen.randrange(9)) for n, text in enumerate(texts, 1)]

    texts = [f"{chosen.choice('abcdefghij')}();" for _ in range(chosen.randrange(1, 9))]
    changed = list(texts)
    for _ in range(chosen.randrange(3)):
        changed.insert(chosen.randrange(len(changed) + 1), chosen.choice([*texts, "new();"]))
    a, b = source(texts), source(changed[chosen.randrange(2) :])
    found = lines_moved(a, b)
    rest = found.unmatched.cycles_b - found.unmatched.cycles_a
    assert sum(one.lost.change for one in found.moved) + rest == found.lost.change
    for one in found.moved:
        if one.place_a and one.place_b:
            before, after = one.place_a[1], one.place_b[1]
            assert texts[before - 1] == one.text == b[after - 1]["text"]


def _step(kernel: str, begin: int, end: int) -> dict[str, Any]:
    return {"kernel": kernel, "stream": 0, "begin": begin, "end": end}


def test_steps_are_matched_by_what_they_say_and_their_order():
    a = [_step("f", 0, 10), _step("g", 10, 30), _step("f", 30, 35), _step("gone", 35, 36)]
    b = [_step("g", 5, 26), _step("f", 26, 38), _step("f", 38, 62)]
    found = steps_moved(a, b)
    assert [(one.what, one.number_a, one.number_b, one.cycles.change) for one in found.moved] == [
        ("kernel f, stream 0", 3, 3, 19),
        ("kernel f, stream 0", 1, 2, 2),
        ("kernel g, stream 0", 2, 1, 1),
    ]
    assert found.unmatched == Unmatched(count_a=1, cycles_a=1)
