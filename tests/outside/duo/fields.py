"""The fields of a `duo` machine, and the rule across them."""

from __future__ import annotations

from collections.abc import Iterator

from machines.description.schema import (
    MOST_A_CYCLE,
    Bytes,
    Cycles,
    MachineDescription,
    Problem,
    figure,
)


class Duo(MachineDescription):
    """Two engines and a scratchpad."""

    scratchpad: Bytes = figure(ge=1, description="Bytes of the scratchpad.")
    bus_bytes: int = figure(
        ge=1, le=MOST_A_CYCLE, description="Bytes that the bus carries a cycle."
    )
    lanes: int = figure(ge=1, le=MOST_A_CYCLE, description="Elements that are computed a cycle.")
    command: Cycles = figure(description="Cycles before a command begins.")


def bus_feeds_the_lanes(machine: Duo) -> Iterator[Problem]:
    """A bus narrower than a byte a lane is none that anybody would build."""
    if machine.bus_bytes < machine.lanes:
        message = f"the bus carries {machine.bus_bytes} bytes a cycle for {machine.lanes} lanes"
        yield ("bus_bytes",), message, "at least a byte for each"


RULES = (bus_feeds_the_lanes,)
