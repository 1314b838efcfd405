"""The memories and the notes of all kinds of machine, as the text of code has them.

    space_named("nram")          Space(name='nram', is_flat=False, alignment=None)
    function_notes()["beside"]   the note of that name

The IR has four memories of its own; every other is declared by a kind (`machines.code_facts`).
What kinds declare is looked at only for what the IR does not know itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from compiler.ir.module import Function
from machines.code_facts import CodeFacts, Note, Space
from machines.diagnostics import input_error
from machines.kinds import parts

OWN = {
    space.name: space
    for space in (
        Space("global", is_flat=True),
        Space("shared"),
        Space("local"),
        Space("constant", is_flat=True),
    )
}
"""Those of the IR: the flat memory, that of a block of threads, of a thread, and what never
changes."""


@cache
def spaces() -> dict[str, Space]:
    """All memories by name; raises InputError if two kinds declare one of a name."""
    found = dict(OWN)
    for space in _declared("spaces"):
        if found.setdefault(space.name, space) is not space:
            raise input_error(f"two kinds of machine have a memory '{space.name}'")
    return found


def space_named(name: str) -> Space | None:
    """A memory, None if there is none of that name."""
    return OWN.get(name) or spaces().get(name)


def is_flat(space: str) -> bool:
    """Whether buffers of a space stand in the flat memory."""
    return (OWN.get(space) or spaces()[space]).is_flat


@cache
def function_notes() -> dict[str, Note]:
    """The notes of functions by name; raises InputError if two kinds declare one of a name."""
    return _by_name(_declared("functions"))


@cache
def block_notes() -> dict[str, Note]:
    """Those of blocks."""
    return _by_name(_declared("blocks"))


def companions(function: Function) -> Iterator[str]:
    """The names of functions that come with one, as its notes say: other processors run them."""
    for note in function_notes().values() if function.notes else ():
        if note.names_functions:
            yield from note.of(function).values()


def places(function: Function) -> dict[str, int]:
    """The addresses of buffers in their spaces, as far as notes say them."""
    found = {}
    for note in function_notes().values() if function.notes else ():
        if note.places_buffers:
            found |= note.of(function)
    return found


def _declared(what: str) -> Iterator:
    for facts in parts("code", CodeFacts).values():
        yield from getattr(facts, what)


def _by_name(notes: Iterator[Note]) -> dict[str, Note]:
    found: dict[str, Note] = {}
    for note in notes:
        if found.setdefault(note.name, note) is not note:
            raise input_error(f"two kinds of machine have a note '{note.name}'")
    return found
