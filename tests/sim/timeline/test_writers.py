"""What the formats write, read by what they are for: JSON, and the rules of trace viewers."""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from machines.diagnostics import InputError, Location
from sim.timeline.declared import Event, TrackFamily
from sim.timeline.span import Happening, Instant, Span, Track
from sim.timeline.window import TraceWindow
from sim.timeline.writing import Heading, trace_writers, writer_for

pytestmark = pytest.mark.quick

HEADING = Heading(
    "fill on teaching_gpu", "teaching_gpu", "simt", 10**9,
    (TrackFamily("sm", "An SM."), TrackFamily("warp", "A warp.", "sm"),
     TrackFamily("memory", "Accesses.", "sm", overlaps=True)),
    (Event("stall", ("reason", "location"), "S.", "warp", lasts=True, label="reason", waits=True),
     Event("issue", ("operation", "location"), "I.", "warp", lasts=True, label="operation"),
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


ISSUE = {"operation": "add", "location": PLACE}
IN_ROWS = (
    *HAPPENED[:2],
    Span(WARPS[0], 4, 5, "issue", ISSUE),
    Span(WARPS[0], 5, 5, "issue", ISSUE),  # no cycle: pictures show a point, if they can
    Span(WARPS[0], 5, 9, "stall", {"reason": "wait", "location": PLACE}),
    Span(WARPS[0], 9, 12, "stall", {"reason": "throttle", "location": PLACE}),
    *HAPPENED[2:],
)
"""A stall and what it was for; a stall of two reasons, for which nothing came."""


def written(name: str, happened: tuple[Happening, ...] = HAPPENED) -> str:
    return in_bytes(name, happened).decode()


def in_bytes(name: str, happened: tuple[Happening, ...], heading: Heading = HEADING) -> bytes:
    stream = io.BytesIO()
    writing = trace_writers()[name].begin(stream, heading)
    for one in happened:
        writing.write(one)
    writing.end()
    return stream.getvalue()


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


def test_an_empty_span_is_a_point_of_chrome():
    events = json.loads(written("chrome", IN_ROWS[3:4]))["traceEvents"]
    assert [(e["ph"], e.get("ts")) for e in events if e["ph"] != "M"] == [("i", 5)]


def test_kanata():
    """Every command by hand: rows in the order of their begins, stages end where others begin."""
    rows = [line.split("\t") for line in written("kanata", IN_ROWS).splitlines()]
    assert rows[:2] == [["Kanata", "0004"], ["C=", "0"]]
    now, log = 0, []
    for command, *more in rows[2:]:
        if command == "C":
            assert int(more[0]) > 0
            now += int(more[0])
        elif command != "L":
            log.append((now, command, *more))
    names = {row[1]: row[3] for row in rows if row[0] == "L" and row[2] == "0"}
    assert names == {
        "0": "SM 1/warp 0: drain", "1": "SM 0/warp 0: add", "2": "SM 0/memory: access",
        "3": "SM 0/memory: access", "4": "SM 0/warp 0: throttle",
    }  # fmt: skip
    assert ["L", "1", "1", "location: a.py:7 "] in rows
    assert log == [
        (0, "I", "0", "0", "0"), (0, "S", "0", "0", "drain"),
        (1, "I", "1", "1", "1"), (1, "S", "1", "0", "wait"),
        (1, "I", "2", "2", "2"), (1, "S", "2", "0", "access"),
        (2, "E", "0", "0", "drain"), (2, "R", "0", "0", "0"),
        (3, "I", "3", "3", "2"), (3, "S", "3", "0", "access"),
        (4, "S", "1", "0", "issue"),
        (5, "E", "1", "0", "issue"), (5, "R", "1", "1", "0"),
        (5, "I", "4", "4", "1"), (5, "S", "4", "0", "wait"),
        (9, "E", "2", "0", "access"), (9, "R", "2", "2", "0"), (9, "S", "4", "0", "throttle"),
        (11, "E", "3", "0", "access"), (11, "R", "3", "3", "0"),
        (12, "E", "4", "0", "throttle"), (12, "R", "4", "4", "0"),
    ]  # fmt: skip


def test_a_wait_that_ends_before_what_comes_next_is_a_row_of_its_own():
    happened = (HAPPENED[0], Span(WARPS[0], 6, 7, "issue", ISSUE))
    lines = written("kanata", happened).splitlines()
    assert [line for line in lines if line[0] == "S"] == ["S\t0\t0\twait", "S\t1\t0\tissue"]


TICKS = "0         10        20        30        40        50        60        70"
TEXT = f"""fill on teaching_gpu

cycles 0 to 79                 {TICKS}
SM 0/warp 0  add  a.py:7        wwwI
             throttle  a.py:7       wwwwttt
SM 0/memory  access             AAAAAAAA
             access               AAAAAAAA
SM 1/warp 0  drain             dd

I issue, A access; w wait, t throttle, d drain
"""


def test_text():
    assert written("text", IN_ROWS) == TEXT
    assert written("text", ()) == "fill on teaching_gpu\n"
    later = [one._replace(begin=one.begin + 190, end=one.end + 190) for one in IN_ROWS[2:3]]
    assert "cycles 190 to 269" in written("text", tuple(later))
    window = replace(HEADING, window=TraceWindow(5, 9))
    lines = in_bytes("text", IN_ROWS[4:5], window).decode().splitlines()
    assert lines[2].startswith("cycles 0 to 79")
    windowed = replace(HEADING, window=TraceWindow(85, 90))
    assert b"cycles 80" in in_bytes("text", (Span(MEMORY, 3, 200, "access", {}),), windowed)
    assert b"cycles 0" not in in_bytes("text", (Span(MEMORY, 3, 200, "access", {}),), windowed)
    assert b"cycles 160" not in in_bytes("text", (Span(MEMORY, 3, 200, "access", {}),), windowed)


def test_value_changes(tmp_path: Path):
    """As the reader of another viewer reads them."""
    pytest.importorskip("vcd", reason="pyvcd is not installed")
    pywellen = pytest.importorskip("pywellen", reason="pywellen is not installed")
    path = tmp_path / "a.vcd"
    before = Instant(WARPS[0], 3, "exit", {})  # instants come in any order
    path.write_bytes(in_bytes("vcd", (*IN_ROWS, before)))
    read = pywellen.Waveform(str(path))
    found = {one.full_name: [one.signal.value_at(t) for t in range(14)] for one in read.all_vars()}
    wait, throttle, none = ["wait"], ["throttle"], [""]
    assert found == {
        "SM_0.warp_0.state": none + 3 * wait + ["add"] + 4 * wait + 3 * throttle + 2 * none,
        "SM_0.warp_0.event": 3 * none + 2 * ["exit"] + 9 * none,
        "SM_0.memory.count": [0, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 0, 0, 0],
        "SM_1.warp_0.state": 2 * ["drain"] + 12 * none,
    }


def test_perfetto():
    """Decoded by Perfetto's own descriptors: tracks within tracks, slices that nest."""
    protos = pytest.importorskip(
        "perfetto.protos.perfetto.trace.perfetto_trace_pb2", reason="perfetto is not installed"
    )
    later = [Span(MEMORY, *cycles, "access", {}) for cycles in ((9, 20), (10, 12))]
    trace = protos.Trace.FromString(in_bytes("perfetto", (*IN_ROWS, *later)))
    tracks, open_slices, slices, points = {}, {}, [], []
    kinds = protos.TrackEvent
    for packet in sorted(trace.packet, key=lambda packet: packet.timestamp):  # as viewers sort
        if packet.HasField("track_descriptor"):
            told = packet.track_descriptor
            assert told.uuid not in tracks
            tracks[told.uuid] = (*tracks.get(told.parent_uuid, ()), told.name)
            continue
        event, time = packet.track_event, packet.timestamp
        assert packet.trusted_packet_sequence_id and event.track_uuid in tracks
        if event.type == kinds.TYPE_SLICE_BEGIN:
            assert event.track_uuid not in open_slices  # none of ours lies within another
            fields = {one.name: one.string_value for one in event.debug_annotations}
            open_slices[event.track_uuid] = (event.name, *event.categories, time, fields)
        elif event.type == kinds.TYPE_SLICE_END:
            name, category, begin, fields = open_slices.pop(event.track_uuid)
            assert time > begin
            slices.append(
                (tracks[event.track_uuid], category, name, begin // 1000, time // 1000, fields)
            )
        else:
            points.append((tracks[event.track_uuid], event.name, time // 1000))
    assert not open_slices
    at = {"location": "a.py:7"}
    assert sorted(slices, key=str) == sorted([
        (("SM 0", "warp 0"), "stall", "wait", 1, 4, {"reason": "wait", **at}),
        (("SM 0", "warp 0"), "issue", "add", 4, 5, {"operation": "add", **at}),
        (("SM 0", "warp 0"), "stall", "wait", 5, 9, {"reason": "wait", **at}),
        (("SM 0", "warp 0"), "stall", "throttle", 9, 12, {"reason": "throttle", **at}),
        (("SM 0", "memory", "memory"), "access", "access", 1, 9, {}),
        (("SM 0", "memory", "memory"), "access", "access", 3, 11, {}),
        (("SM 0", "memory", "memory"), "access", "access", 9, 20, {}),
        (("SM 0", "memory", "memory"), "access", "access", 10, 12, {}),
        (("SM 1", "warp 0"), "stall", "drain", 0, 2, {"reason": "drain"}),
    ], key=str)  # fmt: skip
    assert len(tracks) == 8  # three of accesses at once
    assert points == [(("SM 0", "warp 0"), "exit", 4), (("SM 0", "warp 0"), "add", 5)]


def test_a_table():
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = parquet.read_table(io.BytesIO(in_bytes("parquet", HAPPENED))).to_pydict()
    assert table == {
        "cycle": [1, 4, 1, 3, 0],
        "end": [4, None, 9, 11, 2],
        "event": ["stall", "exit", "access", "access", "stall"],
        "track": ["SM 0/warp 0", "SM 0/warp 0", "SM 0/memory", "SM 0/memory", "SM 1/warp 0"],
        "reason": ["wait", None, None, None, "drain"],
        "location": ["a.py:7", None, None, None, None],
        "operation": [None] * 5,
    }


FAR = Span(WARPS[0], 0, 2, "issue", {"operation": (1 << 64) - 8, "location": None})
"""Whose field is an address without a sign."""


def test_large_numbers_of_perfetto():
    protos = pytest.importorskip(
        "perfetto.protos.perfetto.trace.perfetto_trace_pb2", reason="perfetto is not installed"
    )
    trace = protos.Trace.FromString(in_bytes("perfetto", (FAR,)))
    [field] = [f for packet in trace.packet for f in packet.track_event.debug_annotations]
    assert (field.name, field.uint_value) == ("operation", (1 << 64) - 8)


def test_large_numbers_of_a_table():
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = parquet.read_table(io.BytesIO(in_bytes("parquet", (FAR,)))).to_pydict()
    assert table["operation"] == [str((1 << 64) - 8)]


def test_formats_are_found_by_name_and_by_suffix():
    assert writer_for(Path("a/b.json"), None).name == "chrome"
    assert writer_for(Path("a/b.json"), "jsonl").name == "jsonl"
    assert writer_for(Path("a/b.json.gz"), None).name == "chrome"
    suffixes = [suffix for one in trace_writers().values() for suffix in one.suffixes]
    assert len(suffixes) == len(set(suffixes))
    with pytest.raises(InputError, match="does not say its format"):
        writer_for(Path("b"), None)
    with pytest.raises(InputError, match="does not say its format"):
        writer_for(Path("b.gz"), None)
    with pytest.raises(InputError, match="there is no format of traces 'chrom'"):
        writer_for(Path("b.json"), "chrom")
