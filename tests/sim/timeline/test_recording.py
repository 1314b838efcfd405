"""What a recording takes, what it refuses, and what it adds up."""

from __future__ import annotations

import pytest

from sim.results.laws import LawBroken, check_sums
from sim.results.vocabulary import Reason, Vocabulary
from sim.timeline import recording as recordings
from sim.timeline import summary as summaries
from sim.timeline.activity import Activity
from sim.timeline.declared import COUNT, CYCLES, Event, Sum, TrackFamily
from sim.timeline.recording import Misplaced, Recording
from sim.timeline.span import Happening, Instant, Span, Track

pytestmark = pytest.mark.quick

WORDS = Vocabulary(
    whole=len,
    reasons=(Reason("busy", "Busy."),),
    tracks=(
        TrackFamily("sm", "An SM."),
        TrackFamily("warp", "A warp.", "sm"),
        TrackFamily("memory", "Accesses.", "sm", overlaps=True),
    ),
    events=(
        Event("stall", ("reason",), "It waits.", "warp", lasts=True, label="reason"),
        Event("exit", (), "It ends.", "warp"),
        Event("access", ("bytes",), "It loads.", "memory", lasts=True),
    ),
    sums=(
        Sum("stalls", "stall", CYCLES, lambda run: run["stalls"], by="reason"),
        Sum("exits", "exit", COUNT, lambda run: run["exits"]),
        Sum("bytes", "access", "bytes", lambda run: run["bytes"]),
    ),
)
SM = Track("SM 0", "sm")
WARP, MEMORY = Track("warp 3", "warp", SM), Track("memory", "memory", SM)
WAIT, DRAIN = {"reason": "wait"}, {"reason": "drain"}
FINE = (
    Span(MEMORY, 3, 9, "access", {"bytes": 8}),
    Span(WARP, 0, 4, "stall", WAIT),
    Span(WARP, 4, 4, "stall", DRAIN),
    Span(MEMORY, 2, 5, "access", {"bytes": 4}),
    Instant(WARP, 2, "exit", {}),
    Span(WARP, 7, 9, "stall", WAIT),
)
FIGURES = {"stalls": {"wait": 6, "drain": 0, "barrier": 0}, "exits": 1, "bytes": 12}


def recorded(*happened: Happening) -> Recording:
    recording = Recording(WORDS, lambda one: None)
    recording.take(happened)
    return recording


def test_what_is_taken_is_handed_on_and_added_up():
    taken: list[Happening] = []
    recording = Recording(WORDS, taken.append)
    recording.take(FINE[:2])
    recording.take(iter(FINE[2:]))
    assert taken == list(FINE) and len(recording.summary) == len(FINE)
    assert [*recording.summary.rows()] == [
        ("warp", "stall", "wait", 2, 6), ("warp", "stall", "drain", 1, 0),
        ("warp", "exit", "", 1, 0), ("memory", "access", "", 2, 9),
    ]  # fmt: skip
    check_sums(WORDS, recording.summary, FIGURES)


@pytest.mark.parametrize(
    "change, told",
    [
        ({"stalls": {"wait": 5}}, r"stalls \(wait\) on the timeline: 6 is not 5"),
        ({"stalls": {"wait": 6, "more": 1}}, r"stalls \(more\) on the timeline: 0 is not 1"),
        ({"stalls": {}}, r"stalls \(wait\) on the timeline: 6 is not 0"),
        ({"exits": 2}, "exits on the timeline: 1 is not 2"),
        ({"bytes": 0}, "bytes on the timeline: 12 is not 0"),
    ],
)
def test_a_timeline_that_does_not_add_up_breaks_a_law(change: dict, told: str):
    with pytest.raises(LawBroken, match=told):
        check_sums(WORDS, recorded(*FINE).summary, FIGURES | change)


@pytest.mark.parametrize(
    "wrong, told",
    [
        (Span(WARP, 5, 4, "stall", WAIT), "it ends before it begins"),
        (Span(WARP, -1, 4, "stall", WAIT), "it ends before it begins"),
        (Instant(WARP, -1, "exit", {}), "it happens before the run"),
        (Span(WARP, 8, 9, "stall", WAIT), "what came before had not ended"),
        (Span(WARP, 9, 10, "sleep", WAIT), "declares no such event"),
        (Span(WARP, 9, 10, "stall", {}), "declares no such event"),
        (Span(WARP, 9, 10, "stall", WAIT | {"pc": 1}), "declares no such event"),
        (Span(WARP, 9, 10, "exit", {}), "declares no such event"),
        (Instant(WARP, 9, "stall", WAIT), "declares no such event"),
        (Instant(MEMORY, 9, "exit", {}), "'exit' is on a track of 'memory'"),
        (Instant(Track("warp 3", "warp"), 9, "exit", {}), "declares no such tracks: 'warp'"),
        (Instant(Track("x", "core"), 9, "exit", {}), "declares no such tracks: 'core'"),
    ],
)
def test_what_cannot_be_is_refused(wrong: Happening, told: str):
    recording = recorded(*FINE)
    with pytest.raises(Misplaced, match=told):
        recording.take([wrong])


def test_pieces_of_one_activity_become_one_span():
    told: list[Happening] = []
    activity = Activity(WARP, told.extend)
    for begin, end, arguments in (
        (0, 2, None), (2, 2, WAIT), (2, 3, WAIT), (3, 5, dict(WAIT)), (5, 6, DRAIN),
        (8, 9, DRAIN), (9, 10, None), (10, 12, DRAIN),
    ):  # fmt: skip
        activity.did("stall", begin, end, arguments)
    activity.flush()
    activity.flush()
    assert [(one.begin, one.end, one.arguments["reason"]) for one in told] == [
        (2, 5, "wait"), (5, 6, "drain"), (8, 9, "drain"), (10, 12, "drain")
    ]  # fmt: skip


def test_of_what_comes_once_little_is_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(summaries, "MOST_ONCE", 8)
    monkeypatch.setattr(recordings, "MOST_KNOWN", 4)
    recording = Recording(WORDS, lambda one: None)
    for k in range(100):
        recording.take([Span(MEMORY, k, k + 1, "access", {"bytes": k})])
        assert len(recording.summary._once) <= 8
    assert recording.summary.sums["bytes"] == {None: sum(range(100))}
    assert len(recording.summary) == 100
