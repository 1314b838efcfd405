"""What a layer of a program cost: a part to which its source, or a pass, gave a name.

Every cycle of a run belongs to one layer, the oldest that is not finished: the first in the order
of layers, of the program that began first, of which something is still to be done.  So the cycles
of all rows add up to those of the run; two rows are no layers, see `LAUNCH` and `REST`.  What a
layer prepares while an older one is not finished costs it no cycle, but is part of its span, of
which rates and parts are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

LAUNCH, REST = "launch", "rest"
"""Rows that are no layers: while no program was at work, and when all layers of a program were
finished; the latter has what belongs to no layer, too."""
ALMOST = 0.9
"""What carries bytes bounds a layer if it is busy for so much of the time of the busiest engine: an
engine is busy also while it waits for its share of it."""

Counts = Mapping[str, int]


@dataclass(frozen=True)
class Layer:
    """A row.

    number      among the layers of all programs; None of what is none
    program     that it is a part of: a kernel; '' of LAUNCH and REST
    cycles      that belong to it
    span        cycles from when a core gave the first of its commands until the last one ended; of
                all times that the program ran, each cycle once
    begin, end  when the very first of its commands was given, and when the last one ended; None if
                it had none
    operations  by unit, that were done; `work`: by type, as rooflines call them
    least       by unit: the cycles of one unit that they take at its full rate
    spent       cycles of engines by what they did, of all engines of a name
    bytes       moved, by engine, and by what carried them
    waits       cycles that cores waited, by reason
    engines     how many there are, by name
    widths      bytes a cycle that are carried at most, by what carries them
    least_bytes what it has to move from and to DRAM: all that it reads and makes once, each time
                that the program began; None if that is not known
    """

    name: str
    number: int | None = None
    program: str = ""
    cycles: int = 0
    span: int = 0
    begin: int | None = None
    end: int | None = None
    commands: int = 0
    operations: Counts = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)
    spent: Counts = field(default_factory=dict)
    bytes: Counts = field(default_factory=dict)
    waits: Counts = field(default_factory=dict)
    engines: Counts = field(default_factory=dict)
    widths: Mapping[str, float] = field(default_factory=dict)
    least_bytes: int | None = None
    work: Counts = field(default_factory=dict)

    def busy(self) -> dict[str, float]:
        """Cycles that each engine, and each thing that carries bytes, was at work for the layer: on
        average, of those that have one name."""
        found: dict[str, float] = {}
        for what, cycles in self.spent.items():
            name = what.partition(".")[0]
            found[name] = found.get(name, 0) + cycles / self.engines[name]
        return found | {
            name: self.bytes[name] / width
            for name, width in self.widths.items()
            if name in self.bytes
        }

    @property
    def bound(self) -> tuple[str, float] | None:
        """What held it up, and how many cycles that was busy: the engine that was so longest, or
        what carries its bytes if that was almost as busy; None if nothing was at work."""
        busy = self.busy()
        engine = max(self.engines, key=lambda name: busy.get(name, 0), default="")
        if not busy.get(engine):
            return None
        carrier = max(self.widths, key=lambda name: busy.get(name, 0), default="")
        if busy.get(carrier, 0) >= ALMOST * busy[engine]:
            return carrier, busy[carrier]
        does = {what: n for what, n in self.spent.items() if what.partition(".")[0] == engine}
        return max(does, key=lambda what: does[what]), busy[engine]

    def rates(self, clock: int) -> Iterator[tuple[str, float, float]]:
        """Units with operations a second: those that were done, and those that all units could."""
        for unit, count in self.operations.items():
            if count and self.span:
                peak = count / self.least[unit] * self.engines["compute"] * clock
                yield unit, count / self.span * clock, peak

    @property
    def moved_again(self) -> float | None:
        """How often it moved what it has to move; None if that is not known, or nothing."""
        return self.bytes.get("dram", 0) / self.least_bytes if self.least_bytes else None

    def since(self, before: Layer | None) -> Layer:
        """Of a region that begins where the layer had come to `before`."""
        if before is None:
            return self
        was_idle = self.commands == before.commands
        return replace(
            self,
            cycles=self.cycles - before.cycles,
            span=self.span - before.span,
            begin=None if was_idle else self.begin,
            end=None if was_idle else self.end,
            commands=self.commands - before.commands,
            least_bytes=None
            if self.least_bytes is None
            else self.least_bytes - (before.least_bytes or 0),
            **{
                name: {key: n - old.get(key, 0) for key, n in getattr(self, name).items()}
                for name in ("operations", "least", "spent", "bytes", "waits", "work")
                for old in [getattr(before, name)]
            },
        )

    def to_dict(self, clock: int) -> dict[str, Any]:
        """As plain data."""
        rates = {unit: (done, peak) for unit, done, peak in self.rates(clock)}
        return {
            "layer": self.number,
            "program": self.program,
            "name": self.name,
            "cycles": self.cycles,
            "span": self.span,
            "begin": self.begin,
            "end": self.end,
            "commands": self.commands,
            "operations": {
                unit: {
                    "count": count,
                    "per_second": round(rates[unit][0]) if unit in rates else None,
                    "peak_per_second": round(rates[unit][1]) if unit in rates else None,
                }
                for unit, count in self.operations.items()
                if count
            },
            "bound": self.bound[0] if self.bound else None,
            "busy": {what: cycles for what, cycles in self.spent.items() if cycles},
            "bytes": {name: size for name, size in self.bytes.items() if size},
            "least_bytes": self.least_bytes,
            "waits": {reason: cycles for reason, cycles in self.waits.items() if cycles},
        }
