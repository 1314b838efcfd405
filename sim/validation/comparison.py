"""What was run of a suite, beside what was measured or is published."""

from __future__ import annotations

from dataclasses import dataclass, field

from sim.validation.benchmarks import Suite
from sim.validation.judging import Compared
from sim.validation.measured import Measured
from sim.validation.running import Ran


@dataclass
class Comparison:
    """What became of benchmarks.

    published  whether a figure that was not measured is compared with the published one
    missing    figures with which nothing can be compared
    broken     what is wrong with those that did not run to their end
    """

    suite: Suite
    published: bool = False
    compared: list[Compared] = field(default_factory=list)
    missing: dict[str, float] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)

    def note(self, ran: Ran, measured: Measured | None) -> None:
        """Put a run where it belongs."""
        one, figure = ran.benchmark, ran.figure
        if figure is None:
            self.broken[one.name] = ran.broken
        elif measured is not None:
            least, largest = measured.low, measured.high
            self.compared.append(
                Compared(one, figure, measured.value, least, largest, ran.differing)
            )
        elif self.published and (known := one.form.published) is not None:
            self.compared.append(Compared(one, figure, known, known, known))
        else:
            self.missing[one.name] = figure
