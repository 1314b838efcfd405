"""What the formats write, read by what they are for: JSON, and the rules of trace viewers."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import pytest

from machines.diagnostics import InputError, Location
from sim.timeline.declared import Event, TrackFamily
from sim.timeline.span import Happening, Instant, Span, Track
from sim.timeline.writing import Heading, trace_writers, writer_for

pytestmark = pytest.mark.quick

HEADING = Heading(
    "fill on teaching_gpu", "teaching_gpu", "simt", 10**9,
    (TrackFamily("sm", "An SM."), TrackFamily("warp", "A warp.", "sm"),
     TrackFamily("memory", "Accesses.", "sm", overlaps=True)),
    (Event("stall", ("reason", "location"), "S.", "warp", lasts=True, label="reason"),
     Event("exit", (), "E.", "warp"), Event("access", (), "A.", "memory", lasts=True)),
    lambda location: f"{location.file}:{location.line}",
)  # fmt: skip
FIRST, SECOND = Track("SM 0", "sm"), Track("SM 1", "sm")
WARPS = [Track("warp 0", "warp", sm) for sm in (FIRST, SECOND)]
MEMORY = Track("memory", "memory", FIRST)
PLACE = Location("a.py", 7, 1)
HAPPENED = (
    Span(WARPS[0], 1, 4, "stall", {"reason": "wait", "location": PLACE}),
    Instant(WARPS[0], 4, "exit", {}),
    Span(MEMORY, 1, 9, "access", {}),
    Span(MEMORY, 3, 11, "access", {}),
    Span(WARPS[1], 0, 2, "stall", {"reason": "drain", "location": None}),
)


def written(name: str, happened: tuple[Happening, ...] = HAPPENED) -> str:
    stream = io.BytesIO()
    writing = trace_writers()[name].begin(stream, HEADING)
    for one in happened:
        writing.write(one)
    writing.end()
    return stream.getvalue().decode()


def test_lines():
    assert [json.loads(line) for line in written("jsonl").splitlines()] == [
        {"cycle": 1, "end": 4, "event": "stall", "track": "SM 0/warp 0", "reason": "wait",
         "location": "a.py:7"},
        {"cycle": 4, "event": "exit", "track": "SM 0/warp 0"},
        {"cycle": 1, "end": 9, "event": "access", "track": "SM 0/memory"},
        {"cycle": 3, "end": 11, "event": "access", "track": "SM 0/memory"},
        {"cycle": 0, "end": 2, "event": "stall", "track": "SM 1/warp 0", "reason": "drain",
         "location": None},
    ]  # fmt: skip
    assert written("jsonl", ()) == ""


def test_chrome():
    """Names of processes and threads come before what is on them; whole numbers; overlapping spans
    are pairs with a number of their own."""
    content = json.loads(written("chrome"))
    assert content["otherData"]["title"] == HEADING.title
    events = content["traceEvents"]
    names = {(e["pid"], e.get("tid")): e["args"]["name"] for e in events if e["ph"] == "M"}
    assert names == {
        (1, None): "SM 0", (1, 1): "warp 0", (1, 2): "memory", (2, None): "SM 1", (2, 3): "warp 0"
    }  # fmt: skip
    known: set[tuple[int, int]] = set()
    for event in events:
        place = event["pid"], event.get("tid")
        known |= {place} if event["ph"] == "M" else set()
        assert place in known
        assert all(type(event[key]) is int for key in ("ts", "dur") if key in event)
    assert Counter(e["ph"] for e in events) == {"M": 5, "X": 2, "i": 1, "b": 2, "e": 2}
    (first, _) = (e for e in events if e["ph"] == "X")
    assert (first["name"], first["cat"], first["ts"], first["dur"]) == ("wait", "stall", 1, 3)
    assert first["args"] == {"reason": "wait", "location": "a.py:7"}
    pairs = {
        e["id"]: [o["ts"] for o in events if o.get("id") == e["id"]] for e in events if "id" in e
    }
    assert sorted(pairs.values()) == [[1, 9], [3, 11]]
    assert json.loads(written("chrome", ()))["traceEvents"] == []


def test_formats_are_found_by_name_and_by_suffix():
    assert writer_for(Path("a/b.json"), None).name == "chrome"
    assert writer_for(Path("a/b.json"), "jsonl").name == "jsonl"
    suffixes = [suffix for one in trace_writers().values() for suffix in one.suffixes]
    assert len(suffixes) == len(set(suffixes))
    with pytest.raises(InputError, match="does not say its format"):
        writer_for(Path("b"), None)
    with pytest.raises(InputError, match="there is no format of traces 'chrom'"):
        writer_for(Path("b.json"), "chrom")
