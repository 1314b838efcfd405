"""What a session shows of an EPIC core: what issues next, and what its registers hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from machines.kinds.epic.program import CONTINUATION, OPERATION
from machines.vocabulary.floating import fr_value
from machines.vocabulary.numbers import sign_extend
from sim.cores.epic.drive import EpicCore
from sim.cores.epic.write_core import application_registers
from sim.state_views import StateView, place

BITS = 64


def packet(core: EpicCore) -> Iterator[dict[str, Any]]:
    """A row for each syllable."""
    program = core.program
    for syllable in core.next_packet:
        number, slot = divmod(syllable, 3)
        operation = int(program.code[syllable, OPERATION])
        yield {
            "bundle": number,
            "slot": slot,
            "operation": program.operations[operation] if operation != CONTINUATION else None,
            "source": place(core.location(syllable)),
        }


def registers(core: EpicCore) -> Iterator[dict[str, Any]]:
    """By the names that the program has for them now."""
    files: dict[str, list[Any]] = {
        "r": [sign_extend(value, BITS) for value in core.general_registers()],
        "f": [fr_value(value) for value in core.floating_registers()],
        "p": core.predicates(),
        "b": core.branch_registers(),
    }
    named = [(f"{file}{k}", value) for file, some in files.items() for k, value in enumerate(some)]
    names = application_registers(core.machine.instructions)
    named += zip(names, core.state.application.tolist(), strict=False)
    for name, value in named:
        if value:
            yield {"register": name, "value": value}


STATE_VIEWS = (
    StateView("packet", "The syllables that issue next, together.", packet),
    StateView("registers", "The registers that are not 0.", registers),
)
