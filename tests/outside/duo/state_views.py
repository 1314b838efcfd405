"""What a session shows of `duo`: how far its engines have come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.state_views import StateView


def _engines(chip: Any) -> Iterator[dict[str, Any]]:
    for name, ended in chip.ended.items():
        done = sum(event.triggered for event in ended)
        yield {"engine": name, "done": done, "commands": len(ended)}


STATE_VIEWS = (StateView("engines", "Commands that each engine has done.", _engines),)
