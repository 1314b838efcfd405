"""Which programs are drawn: those that a judge can judge."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subset:
    """What programs and their inputs may be.

    faults     whether they may fault
    length     of every array; None if arrays may have any
    denormals  whether inputs may be so small
    """

    faults: bool = True
    length: int | None = None
    denormals: bool = True

    @property
    def is_regular(self) -> bool:
        return self.length is not None


ALL = Subset()
