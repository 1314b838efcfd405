"""Timelines of workloads of every kind as viewers read them: slices nest and are never empty, times
are whole numbers, and what is counted in the file is what the results say."""

from __future__ import annotations

import io
import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

import sim
from sim.results.vocabulary import vocabulary_of
from sim.timeline.declared import COUNT, CYCLES
from sim.timeline.span import Happening, Span
from sim.timeline.writing import Heading, trace_writers
from tests.campaign.seeds import short_form

WORKLOADS = Path(__file__).parents[3] / "workloads"
NEEDS = {"perfetto": "perfetto", "vcd": "vcd", "parquet": "pyarrow"}
MOST_WRITTEN = 150
SMALL = (
    ("loops/recurrences/fibonacci.yaml", "itanium2"),
    ("gpu/warp", "a100"),
    ("chip/copies/strided", "teaching_chip"),
    ("hand_tuned/strlen", "itanium2"),
    ("loops/compression/copy_match.yaml", "epic3"),
    ("loops/compression/shift_ranks.yaml", "itanium"),
    ("gpu/cute", "teaching_gpu"),
    ("gpu/window", "h200"),
    ("gpu/strided", "h200"),
    ("chip/copies/multicast", "teaching_chip"),
    ("chip/copies/clusters", "teaching_chip"),
    ("chip/tiles/layer_norm", "mlu370"),
    ("chip/elementwise", "mlu370"),
)


def traced(name: str, machine: str) -> tuple[sim.Result, list[Happening]]:
    happened: list[Happening] = []
    result = sim.run(WORKLOADS / name, machine=machine, trace=happened.append)
    return result, happened


def heading_of(machine: sim.Machine) -> Heading:
    vocabulary = vocabulary_of(machine.kind)
    return Heading(
        "a title", machine.name, machine.kind, 10**9, vocabulary.tracks, vocabulary.events, str
    )


def check_formats(happened: list[Happening], heading: Heading) -> None:
    """Every format takes whatever a kind tells."""
    for name, writer in trace_writers().items():
        needs = NEEDS.get(name)
        if needs is None or find_spec(needs) is not None:
            stream = io.BytesIO()
            writing = writer.begin(stream, heading)
            for one in happened:
                writing.write(one)
            writing.end()
            assert stream.getvalue()


def in_chrome(happened: list[Happening], heading: Heading) -> list[dict]:
    stream = io.BytesIO()
    writing = trace_writers()["chrome"].begin(stream, heading)
    for one in happened:
        writing.write(one)
    writing.end()
    return json.loads(stream.getvalue())["traceEvents"]


def check_chrome(events: list[dict]) -> None:
    """Complete events of a thread nest, in the order in which a viewer sorts them: by begin, those
    that end later first; each asynchronous one ends once, behind its begin."""
    threads: dict[tuple[int, int], list[dict]] = {}
    begun: dict[tuple[str, int], int] = {}
    for event in events:
        if event["ph"] == "M":
            continue
        assert type(event["ts"]) is int and event["ts"] >= 0
        if event["ph"] == "X":
            assert type(event["dur"]) is int and event["dur"] > 0
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
        elif event["ph"] == "b":
            assert begun.setdefault((event["cat"], event["id"]), event["ts"]) == event["ts"]
        elif event["ph"] == "e":
            assert begun.pop((event["cat"], event["id"])) < event["ts"]
    assert not begun
    for own in threads.values():
        ends: list[int] = []
        for event in sorted(own, key=lambda one: (one["ts"], -one["dur"])):
            while ends and ends[-1] <= event["ts"]:
                ends.pop()
            assert not ends or event["ts"] + event["dur"] <= ends[-1]
            ends.append(event["ts"] + event["dur"])


def figures(happened: list[Happening], machine: sim.Machine) -> dict[str, Counter]:
    """What each declared sum comes to, added up from the spans alone."""
    found: dict[str, Counter] = {}
    for one in vocabulary_of(machine.kind).sums:
        counts: Counter = Counter()
        for h in happened:
            if h.name != one.event:
                continue
            lasts = h.end - h.begin if isinstance(h, Span) else 0
            amount = {COUNT: 1, CYCLES: lasts}.get(one.of)
            counts[h.arguments[one.by] if one.by else None] += (
                h.arguments[one.of] if amount is None else amount
            )
        found[one.name] = counts
    return found


@pytest.mark.parametrize("case", short_form(SMALL, 3), ids=str)
def test_slices_nest_and_add_up(case: tuple[str, str]):
    name, machine = case
    result, happened = traced(name, machine)
    described = sim.load_machine(machine)
    heading = heading_of(described)
    check_chrome(in_chrome(happened, heading))
    check_formats([*happened[:MOST_WRITTEN], *happened[-MOST_WRITTEN:]], heading)
    sums = figures(happened, described)
    for one in vocabulary_of(described.kind).sums:
        kept = result.timeline.sums[one.name]
        assert Counter(kept) == sums[one.name]
    spent = result.breakdown
    if described.kind == "epic":
        lost = sums["cycles lost by cause"]
        assert {cause: lost.get(cause, 0) for cause in spent if cause != "issuing"} == {
            cause: cycles for cause, cycles in spent.items() if cause != "issuing"
        }
        assert sums["packets issued"][None] == spent["issuing"]
    elif described.kind == "simt":
        issued = sums["instructions issued = executed"][None]
        assert issued == result.counters["WARP_INSTRUCTIONS"]
        stalls = sums["cycles of stalls by reason"]
        for reason, cycles in stalls.items():
            assert cycles == result.counters[f"WARPS_{reason.upper()}"]
    else:
        parts = (
            sums["what cores do = cycles by reason"] + sums["what engines do = cycles by reason"]
        )
        busy = {what: cycles for what, cycles in spent.items() if not what.endswith(".idle")}
        assert {what: cycles for what, cycles in busy.items() if cycles} == dict(parts)


def test_a_slice_that_does_not_nest_is_found():
    """Of the test itself."""
    first = {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 5}
    check_chrome([first, {**first, "ts": 5}])
    for wrong in ({"ts": 3}, {"dur": 0}, {"ts": 1.5}, {"ts": 4, "dur": 2}):
        with pytest.raises(AssertionError):
            check_chrome([first, {**first, **wrong}])
