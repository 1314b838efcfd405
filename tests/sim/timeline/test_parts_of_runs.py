"""Cores that note only what a window wants: what they tell is what a whole timeline has there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import sim
from sim.timeline import window as windows
from sim.timeline.span import Happening, Span
from sim.timeline.window import Stretch, TraceWindow

WORKLOADS = Path(__file__).parents[3] / "workloads"
WHOLE = ("warp", "block slot")
"""Of these the core knows from when on what is under way lasts."""
FAR = 150
"""Cycles of the margin, here: so that a run is longer."""
CASES = (
    ("hand_tuned/strlen", "itanium2", None),
    ("loops/recurrences/fibonacci.yaml", "itanium2", None),
    ("loops/compression/copy_match.yaml", "epic3", None),
    ("gpu/warp", "a100", None),
    ("gpu/cute", "teaching_gpu", None),
    ("chip/copies/strided", "teaching_chip", None),
)


def plain(one: Happening) -> tuple:
    """Tracks are objects of a run."""
    return (str(one.track), *one[1:-1], *sorted((k, str(v)) for k, v in one.arguments.items()))


def reaches(one: Happening, first: int, end: int) -> tuple[int, int]:
    begin, last = (one.begin, one.end) if isinstance(one, Span) else (one.cycle, one.cycle)
    return begin, max(last, begin + 1)


def traced(
    name: str, machine: str, variant: str | None, window: TraceWindow | None
) -> tuple[sim.Result, list[Happening]]:
    happened: list[Happening] = []
    words = {"machine": machine, "variant": variant, "trace_window": window}
    result = sim.run(WORKLOADS / name, **words, trace=happened.append)
    return result, happened


def check_part(whole: list[Happening], part: list[Happening], begin: int, end: int) -> None:
    """All that lies within the margins is there as it is, each once; all else that is there is cut
    off at a margin."""
    first, last = max(0, begin - FAR), end + FAR
    wanted, others = Counter(), 0
    for one in whole:
        b, e = reaches(one, begin, end)
        if b < end and e > begin:
            if (b >= first or one.track.family in WHOLE) and e <= last:
                wanted[plain(one)] += 1
            else:
                others += 1
    found = Counter(map(plain, part))
    assert not wanted - found, next(iter(wanted - found))
    assert sum(found.values()) <= sum(wanted.values()) + others
    known = Counter(map(plain, whole))
    for one in part:
        if not known[plain(one)]:
            b, e = reaches(one, begin, end)
            assert b <= first or e >= last, one


@pytest.mark.parametrize("name, machine, variant", CASES)
def test_a_window_is_what_the_whole_has_there(
    name: str, machine: str, variant: str | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(windows, "MARGIN", FAR)
    result, whole = traced(name, machine, variant, None)
    cycles, middle = result.cycles, whole[len(whole) // 3][1]
    for begin, end in ((middle, middle + 200), (cycles - 40, cycles + 9)):
        other, part = traced(name, machine, variant, TraceWindow(begin, end))
        assert other.to_json() == result.to_json()
        check_part(whole, part, begin, end)
    other, part = traced(name, machine, variant, TraceWindow(last=100))
    assert other.to_json() == result.to_json()
    check_part(whole, part, cycles - 100, cycles + 1)
    assert part


def test_what_a_core_notes():
    stretch = Stretch(10, 20)
    assert [stretch.holds(cycle) for cycle in (9, 10, 19, 20)] == [False, True, True, False]
    assert [stretch.change(cycle) for cycle in (0, 9, 10, 19)] == [10, 10, 20, 20]
    assert stretch.change(20) > 10**15
    assert TraceWindow(begin=5000, end=6000).stretch == (5000 - 2048, 6000 + 2048)
    assert TraceWindow(begin=5).stretch[0] == 0 and TraceWindow(tracks=("a",)).stretch[0] == 0


@pytest.mark.parametrize(
    "asked, name, may",
    [
        ((), "SM 0", True),
        (("SM 0/warp 3",), "SM 0", True),
        (("SM 0/warp 3",), "SM 1", False),
        (("SM 0",), "SM 01", False),
        (("SM */warp 3",), "SM 7", True),
        (("issue", "L*"), "L2", True),
        (("issue", "L*"), "branches", False),
        (("[SM]M 1",), "SM 1", True),
        (("*",), "x", True),
        (("SM*3",), "SM 0", True),
    ],
)
def test_which_tracks_are_noted(asked: tuple[str, ...], name: str, may: bool):
    assert TraceWindow(tracks=asked).may_want(name) == may


@pytest.mark.parametrize(
    "name, machine, variant, track",
    [
        ("gpu/warp", "a100", None, "SM 0/warp *"),
        ("hand_tuned/strlen", "itanium2", None, "issue"),
        ("loops/compression/copy_match.yaml", "epic3", None, "L*"),
        ("loops/recurrences/fibonacci.yaml", "itanium2", None, "branches"),
        ("loops/compression/copy_match.yaml", "itanium2", None, "loops"),
    ],
)
def test_tracks_alone(name: str, machine: str, variant: str | None, track: str):
    """Spans of a track are those of the whole, wherever others were left out."""
    result, whole = traced(name, machine, variant, None)
    other, part = traced(name, machine, variant, TraceWindow(tracks=(track,)))
    assert other.to_json() == result.to_json() and part
    head = track.partition("/")[0].rstrip("*")
    wanted = [one for one in whole if str(one.track).startswith(head)]
    if "/" in track:
        wanted = [one for one in wanted if "/warp " in str(one.track)]
    assert Counter(map(plain, part)) == Counter(map(plain, wanted))
