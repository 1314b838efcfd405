"""What the code of a kind of machine has beside operations: memories, and notes.

A kind declares both in its part `code`; whoever reads or writes the text of code knows those of all
kinds (`compiler.ir.facts`), and only who declared a note reads what it holds:

    MARKER = Note("marker", bool, bool)        of blocks; what holds if nothing is said is bool()
    MARKER.of(block)                           False
    MARKER.say(block, True)                    its text is now `loop: {marker: true}`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Space:
    """A memory that buffers may stand in.

    is_flat    whether they stand in the flat memory, which pointers reach and which is there when a
               program begins; else only the machine knows where they stand, and nothing is in them
    alignment  of those in the flat memory, in bytes; None: by their size
    """

    name: str
    is_flat: bool = False
    alignment: int | None = None


@dataclass(frozen=True)
class Note:
    """What somebody knows of a function, or of a block, of code.

    name     which is its name in the text, too: no two kinds have one of a name
    type     what it holds, as a type hint: plain data (`compiler.ir.reading.attribute_text`)
    default  makes what holds if nothing is said
    in_ir    whether it may be said of IR, or of machine code alone
    names_functions   whether it holds names of functions that come with this one (as the values of
                      a dictionary)
    places_buffers    whether it holds the addresses of buffers in their spaces, in bytes
    """

    name: str
    type: Any
    default: Callable[[], Any]
    in_ir: bool = True
    names_functions: bool = False
    places_buffers: bool = False

    def of(self, about: Any) -> Any:
        """What is said of a function or a block; what it gives is not to be changed."""
        return about.notes[self.name] if self.name in about.notes else self.default()

    def say(self, about: Any, value: Any) -> None:
        """Say something else of it."""
        if value == self.default():
            about.notes.pop(self.name, None)
        else:
            about.notes[self.name] = value


@dataclass(frozen=True)
class CodeFacts:
    """What a kind declares.

    spaces     the memories of its own; `global`, `constant`, `shared` and `local` are there for all
    functions  notes of functions
    blocks     notes of blocks
    """

    spaces: tuple[Space, ...] = ()
    functions: tuple[Note, ...] = ()
    blocks: tuple[Note, ...] = ()
