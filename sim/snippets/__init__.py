"""Snippets: a few instructions that run again and again, without a workload.

    simrun trace dot.s --iterations 10

What an iteration is, what registers and arrays hold, and what instructions read and write, the kind
of machine says: its part `snippets` (see `machines.kinds`), a `Snippets`; it need not have one.
What is made of a run (`flow`, `figures`, `text`) is written once for all kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from machines.description.load import Machine
from machines.diagnostics import Diagnostic, InputError, Location, input_error
from machines.kinds import kind_named, kinds
from machines.plugins import not_a
from sim.timeline.span import Span, Track

if TYPE_CHECKING:
    from sim.prepared_case import PreparedCase

ISSUE, CHAIN, MEMORY, PORTS, FRONT_END, OTHER = (
    "issue", "latency chain", "memory", "ports", "front end", "other",
)  # fmt: skip
IN_ORDER = "waited for in order"
LIMITS = (ISSUE, CHAIN, MEMORY, PORTS, FRONT_END, OTHER)
"""What cycles of an iteration go to."""


@dataclass(frozen=True)
class Text:
    """A snippet as it is written; `name` is that of its file."""

    name: str
    lines: Sequence[str]

    def wrong(self, line: int, message: str, hint: str, word: str = "") -> InputError:
        """What is wrong in a line, from 0 on, at a word of it."""
        text = self.lines[line]
        column = max(text.find(word), 0) + 1 if word else len(text) - len(text.lstrip()) + 1
        place = Location(self.name, line + 1, column, max(1, len(word)))
        return InputError(Diagnostic(message, place, text, hint))


@dataclass(frozen=True)
class Wrapped:
    """A program that has a snippet in it, and the workload that runs it.

    text      of the program
    origins   of each line of it: the line of the snippet, from 0 on, and the iteration, that it is;
              None of a line that is not the snippet's.  Of a program in which an iteration is a
              call: none
    workload  keys of a workload, as `sim.run` takes them
    passes    that compile it; None: those of any program
    begins    which step of the host the iterations begin with: those before warm caches up
    entry     what registers and arrays hold when it begins, in a sentence
    """

    text: str
    origins: Sequence[tuple[int, int] | None]
    workload: Mapping[str, Any]
    passes: Sequence[Any] | None
    begins: int
    entry: str


class Code(Protocol):
    """What of a program's instructions, which have numbers, a flow of data is made of.

    has_flow  whether what `reads` and `writes` say is the same each time an instruction issues
    """

    has_flow: bool

    def issued(self, one: Span) -> Sequence[int]:
        """The instructions that a span is the issue of; none of other spans."""

    def thread(self, one: Span) -> Hashable:
        """Of the issue of instructions: whose they are; each thread has a flow of its own."""

    def accessed(self, one: Span) -> int | None:
        """The instruction that a span is the access of; None of other spans."""

    def is_memory(self, number: int) -> bool:
        """Whether it gets what it writes from memory."""

    def text(self, number: int) -> str:
        """An instruction as people read it."""

    def location(self, number: int) -> Location | None: ...

    def writes(self, number: int) -> Sequence[Hashable]:
        """What it writes: registers, or whatever else is waited for."""

    def reads(self, number: int) -> Sequence[tuple[Hashable, Any]]:
        """What it waits for, and how it uses that."""

    def cycles(self, producer: int, use: Any, what: Hashable, took: int | None) -> int:
        """Cycles from the issue of an instruction until who uses what it writes may issue.

        took  of an access: cycles until it was done
        """

    def latency(self, number: int, took: int | None) -> int:
        """Cycles from its issue until it is done."""


def is_same(own: Track | None, other: Track) -> bool:
    """Whether instructions issue on the track whose cycles are spent."""
    return own is other


@dataclass(frozen=True)
class Snippets:
    """What a kind of machine does with snippets.

    wraps      by suffix: wraps(text, iterations, machine) -> the program; raises InputError
    code       code(prepared case) -> its instructions
    instruction  the event that an instruction is
    spends     the events whose cycles are those of a part that does one thing after the other; of
               their field `reason` LIMITS says what it goes to, of one without ISSUE
    limits     by reason: one of LIMITS; by the others OTHER
    resources  families of tracks that are busy with instructions: their spans
    machines   by suffix: the machine where none is named, of those that are for this kind first
    is_of      is_of(track of the instructions, another): whether its `spends` are of the same part
    """

    wraps: Mapping[str, Callable[[Text, int, Machine], Wrapped]]
    code: Callable[[PreparedCase], Code]
    instruction: str
    spends: Sequence[str]
    limits: Mapping[str, str]
    machines: Mapping[str, str]
    resources: Sequence[str] = ()
    is_of: Callable[[Track | None, Track], bool] = is_same


def snippets_of(machine: Machine, path: Path) -> Snippets:
    """What its kind does with a snippet of that suffix; raises InputError if it has nothing for
    such."""
    kind = kind_named(machine.kind)
    if not kind.snippets:
        message = f"{machine.name}, a machine of kind '{machine.kind}', runs no snippets"
        known = ", ".join(k.name for k in kinds().values() if k.snippets)
        raise input_error(message, hint=f"machines of kind {known} do; or write a workload")
    found = kind.part("snippets", not_a(Snippets))
    if path.suffix not in found.wraps:
        message = f"{machine.name} runs no snippets of '{path.suffix}' files"
        raise input_error(message, hint=f"it runs {', '.join(found.wraps)}")
    return found


def machine_for(path: Path) -> str:
    """The machine that a snippet of that suffix is for where none is named; raises InputError if
    no kind runs such."""
    known: dict[str, str] = {}
    for kind in kinds().values():
        if kind.snippets:
            one = kind.part("snippets", not_a(Snippets))
            known |= one.machines
    if path.suffix not in known:
        message = f"'{path.name}' is no snippet: nothing runs '{path.suffix}' files as such"
        raise input_error(message, hint=f"snippets are {', '.join(known)} files")
    return known[path.suffix]
