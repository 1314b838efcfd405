"""Bundles: three typed slots, and the templates of a machine that allow them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compiler.ir.module import Instruction
from machines.instructions import operations
from machines.kinds.epic import Epic

SLOTS = 3


@dataclass(frozen=True)
class Bundle:
    """Slot kinds and what fills them; a long instruction fills L, and X holds None."""

    slots: tuple[str, ...]
    instructions: tuple[Instruction | None, ...]
    stop: bool = False

    def with_stop(self) -> Bundle:
        """The same bundle with a stop at its end."""
        return replace(self, stop=True)


def nop(kind: str) -> Instruction:
    """The nop of a slot kind (of a long pair for 'L')."""
    unit = "x" if kind == "L" else kind.lower()
    return Instruction(operations()["ia64", f"nop.{unit}"], (), (0,))


def fits_slot(instruction: Instruction, kind: str) -> bool:
    """True if an instruction may fill a slot of this kind."""
    own = instruction.operation.slot_kind
    if own == "A":
        return kind in ("M", "I")
    return kind == ("L" if own == "LX" else own)


class Templates:
    """The templates without a stop inside, by their slots.

    shapes   slot kinds of those that exist both with and without a stop at the end
    """

    def __init__(self, description: Epic):
        self._names = {
            (template.slots, template.stops): name
            for name, template in description.templates.items()
        }
        self.shapes = [
            slots
            for slots, stops in self._names
            if not stops and (slots, (SLOTS - 1,)) in self._names
        ]

    def continuations(self, filled: tuple[str, ...]) -> set[str]:
        """Kinds that the slot after `filled` may be of."""
        place = len(filled)
        return {shape[place] for shape in self.shapes if shape[:place] == filled}

    def behind(self, filled: tuple[str, ...]) -> set[str]:
        """Kinds that any slot after `filled` may be of."""
        place = len(filled)
        return {kind for shape in self.shapes if shape[:place] == filled for kind in shape[place:]}

    def finish(self, bundle: Bundle) -> list[Instruction]:
        """The bundle's instructions, the first marked with the template's name."""
        stops = (SLOTS - 1,) if bundle.stop else ()
        code = [i for i in bundle.instructions if i is not None]
        code[0].attributes["template"] = self._names[bundle.slots, stops]
        return code
