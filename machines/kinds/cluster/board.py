"""What stands between a host and the cores of a chip: the link, and what starts tasks."""

from __future__ import annotations

from typing import Literal

from machines.description.schema import Cycles, Description, Nanoseconds, Rate, figure


class Host(Description):
    """The way from a program on the host to the chip and its DRAM: PCIe, as a rule."""

    launch_latency: Nanoseconds = figure(
        ge=0, description="Time from the launch of a task until the chip knows of it."
    )
    link_bandwidth: Rate = figure(description="Bytes a second of copies, each direction.")
    link_latency: Nanoseconds = figure(ge=0, description="Time a copy takes before its first byte.")


class Peripheral(Description):
    """The peripheral module, which takes what the host wants done and gives it to free cores."""

    start: Cycles = figure(
        ge=0, description="Cycles to start the cores of a job, one job after the other."
    )
    order: Literal["in_order", "first_that_fits"] = figure(
        description="Which of the jobs that wait is next: 'in_order': the oldest, for whose cores "
        "the others wait; 'first_that_fits': the oldest of those for which enough cores are free."
    )
