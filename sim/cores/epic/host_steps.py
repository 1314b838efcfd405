"""What the host of an EPIC machine does: the actions of `sim.cores.Request.host`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A call of the program, in registers as the first one found them, with these arguments."""

    arguments: Mapping[str, int | float]
