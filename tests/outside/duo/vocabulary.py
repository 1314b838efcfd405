"""What results of a `duo` machine say: what each engine did in every cycle."""

from __future__ import annotations

from fractions import Fraction

from sim.results.histograms import Histogram
from sim.results.roofline import BYTES, OPERATIONS, Roof, Roofs
from sim.results.vocabulary import (
    CYCLES,
    EVENTS,
    Counter,
    Law,
    Reason,
    Titles,
    Vocabulary,
)
from sim.timeline.declared import COUNT, Event, Sum, TrackFamily

ENGINES = ("compute", "copy")
ACTIVITIES = {
    "work": "Computed.",
    "transfer": "Moved bytes over the bus.",
    "begin": "Took a command from its queue.",
    "wait": "Waited for a command of the other queue.",
    "bus": "Waited for the bus.",
    "idle": "Had no command left.",
}
REASONS = tuple(
    Reason(f"{engine}.{what}", sentence, idle=what == "idle")
    for engine in ENGINES
    for what, sentence in ACTIVITIES.items()
    if (engine, what) != ("copy", "work")
)


def _of_engines():
    for engine in ENGINES:
        yield Counter(
            f"{engine.upper()}_COMMANDS", EVENTS, f"Commands that the {engine} engine ended.",
            lambda run, engine=engine: run.commands.get(engine, 0),
        )  # fmt: skip
        yield Counter(
            f"{engine.upper()}_BYTES", BYTES, f"Bytes that the {engine} engine moved.",
            lambda run, engine=engine: run.bytes.get(engine, 0),
        )  # fmt: skip


VOCABULARY = Vocabulary(
    whole=lambda run: run.cycles * len(ENGINES),
    reasons=REASONS,
    counters=(
        *_of_engines(),
        Counter("BUS_CYCLES", CYCLES, "Cycles in which the bus was taken.",
                lambda run: run.bus_cycles),
    ),
    tracks=(
        TrackFamily("engine", "An engine."),
        TrackFamily("queue", "The commands of its queue.", "engine"),
    ),
    events=(
        Event("engine", ("reason",), "What an engine did.", "engine", lasts=True, label="reason"),
        Event("command", ("command",), "A command.", "queue", lasts=True, label="command"),
    ),
    sums=(
        Sum("cycles of engines", "engine", CYCLES, lambda run: run.spent, by="reason"),
        Sum("commands", "command", COUNT, lambda run: sum(run.commands.values())),
    ),
    laws=(
        Law("cycles of the bus = transfers of both engines", lambda run: run.bus_cycles,
            lambda run: sum(run.spent[f"{engine}.transfer"] for engine in ENGINES)),
    ),
    histograms=(
        Histogram("activity", CYCLES, "How long an engine does one thing.", "engine", by="reason"),
    ),
    roofline=Roofs(
        lambda run: {"elements": run.elements, "bus": sum(run.bytes.values())},
        lambda machine: (
            Roof("elements", OPERATIONS, Fraction(machine.lanes), "Elements that were computed."),
            Roof("bus", BYTES, Fraction(machine.bus_bytes), "Bytes over the bus."),
        ),
        lambda: ("elements", "bus"),
    ),
    titles=Titles(breakdown="what the engines did"),
)  # fmt: skip
