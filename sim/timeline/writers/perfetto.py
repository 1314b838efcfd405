"""Perfetto's own form (https://ui.perfetto.dev), packets of protocol buffers.

Source of the format: `perfetto_trace.proto`, written by the package `perfetto`.  Tracks lie within
one another as those of the machine do; a cycle is a microsecond.  Of a family whose spans may
overlap, a track has as many tracks below it as spans run at once, since slices of one have to nest.
Fields are arguments of the slices.  Spans that last no cycle are instants.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

from machines.optional import optional
from sim.timeline.span import Happening, Span, Track
from sim.timeline.writing import Heading, TraceWriter

CYCLE = 1000
"""Nanoseconds that stand for one."""
MOST = (1 << 63) - 1
"""Of the integers with a sign; addresses have none."""
SEQUENCE = 1
"""Of packets: there is one, whose state no packet needs."""
SPANS, INSTANTS = "TYPE_SLICE_BEGIN", "TYPE_INSTANT"
END = "TYPE_SLICE_END"


class PerfettoTrace:
    """A file of packets."""

    def __init__(self, stream: BinaryIO, heading: Heading):
        of = optional("perfetto.trace_builder.proto_builder", "trace")
        kinds = optional("perfetto.protos.perfetto.trace.perfetto_trace_pb2", "trace").TrackEvent
        self._builder = of.StreamingTraceProtoBuilder(stream)
        self._heading = heading
        self._types = {name: kinds.Type.Value(name) for name in (SPANS, INSTANTS, END)}
        self._numbers: dict[object, int] = {}
        self._lanes: dict[Track, list[int]] = {}

    def write(self, one: Happening) -> None:
        track = self._number(one.track)
        if not isinstance(one, Span) or one.begin == one.end:
            self._event(INSTANTS, one[1], track, one)
            return
        if self._heading.overlaps[one.track.family]:
            track = self._lane(one)
        self._event(SPANS, one.begin, track, one)
        self._event(END, one.end, track)

    def end(self) -> None:
        """Packets need no end."""

    def _number(self, track: Track) -> int:
        """Of a track, which is described when it comes first."""
        if track not in self._numbers:
            parent = None if track.parent is None else self._number(track.parent)
            self._numbers[track] = self._describe(track.name, parent)
        return self._numbers[track]

    def _lane(self, span: Span) -> int:
        """A track below that of the span, on which nothing else runs from its begin on."""
        ends = self._lanes.setdefault(span.track, [])
        lane = next((k for k, end in enumerate(ends) if end <= span.begin), len(ends))
        ends[lane : lane + 1] = [span.end]
        if (span.track, lane) not in self._numbers:
            below = self._describe(span.track.name, self._number(span.track))
            self._numbers[span.track, lane] = below
        return self._numbers[span.track, lane]

    def _describe(self, name: str, parent: int | None) -> int:
        packet = self._builder.create_packet()
        described = packet.track_descriptor
        described.uuid = len(self._numbers) + 1
        described.name = name
        if parent is not None:
            described.parent_uuid = parent
        self._builder.write_packet(packet)
        return described.uuid

    def _event(self, sort: str, cycle: int, track: int, one: Happening | None = None) -> None:
        packet = self._builder.create_packet()
        packet.timestamp = cycle * CYCLE
        packet.trusted_packet_sequence_id = SEQUENCE
        event = packet.track_event
        event.type, event.track_uuid = self._types[sort], track
        if one is not None:
            event.name = self._heading.caption(one)
            event.categories.append(one.name)
            self._annotate(event, one.arguments)
        self._builder.write_packet(packet)

    def _annotate(self, event: Any, arguments: Mapping[str, Any]) -> None:
        for name, value in arguments.items():
            if value is None:
                continue
            added = event.debug_annotations.add()
            added.name = name
            if type(value) is bool:
                added.bool_value = value
            elif type(value) is int and value > MOST:
                added.uint_value = value
            elif type(value) is int:
                added.int_value = value
            elif isinstance(value, (str, list, tuple)):
                added.string_value = value if isinstance(value, str) else " ".join(map(str, value))
            else:
                added.string_value = self._heading.plain(value)


PLUGIN = TraceWriter("perfetto", "Perfetto's packets", (".pftrace",), PerfettoTrace)
