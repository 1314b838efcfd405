"""`simrun explain --show queues`: the commands of both engines."""

from __future__ import annotations

from typing import Any

from duo.target import listing
from sim.views import COMPILED, Shown, View


def show(compilation: Any) -> Shown:
    """Each engine's commands, in order."""
    program = compilation.program
    content = {
        name: [{"command": command.text, "waits": command.waits} for command in queue]
        for name, queue in program.queues.items()
    }
    return Shown(listing(program, compilation.machine.description), content)


VIEWS = (View("queues", "The commands of each engine, and what they wait for.", COMPILED, show),)
