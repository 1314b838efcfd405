"""What a source line cost."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Line:
    """One source line's share: instructions executed, and time lost because one of them waited or
    made others wait (see `sim.cores.Outcome.stalls`); `columns` are more figures that the kind of
    machine counts per instruction."""

    file: str
    line: int
    text: str
    executed: int
    lost: dict[str, int]
    columns: dict[str, int] = field(default_factory=dict)

    @property
    def lost_cycles(self) -> int:
        return sum(self.lost.values())
