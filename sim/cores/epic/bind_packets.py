"""Writes the code of packets: what `advance` does with them, with all put in that is known.

For each packet it says in which order pieces of `issue_bundles` come; what they do is told there.

    is `until` reached? -> its line held? -> nothing to wait for? -> its syllables -> the next

Where a packet goes on that has no code here, or a syllable does what is rare, the core is left
standing there, and `advance` goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sim.cores.bound_code import BoundFunction, BoundText
from sim.cores.epic import state as at
from sim.cores.epic.state import BETWEEN, GO_ON, TAKEN, CoreState

VARIABLES = ("cycle", "line", "held")
"""What `advance` calls cycle, line_held and held_until."""
MOST_SYLLABLES = 300
"""In a function: what LLVM does grows faster than its length."""


class Packet(NamedTuple):
    """What decides how the code of a packet is laid out.

    syllables  those that do something
    end        the syllable behind its last
    following  the packet that comes next if no branch is taken
    checks     its entries of `CoreState.checks`
    line       the last line of code it stands in
    """

    number: int
    syllables: tuple[int, ...]
    end: int
    following: int
    checks: range
    line: int


def packet_of(state: CoreState, number: int) -> Packet:
    row = state.packets[number * at.PACKET_COLUMNS :][: at.PACKET_COLUMNS].tolist()
    syllables, syllable = [], row[at.FIRST]
    while syllable < row[at.END]:
        syllables.append(syllable)
        syllable += int(state.code[syllable * at.CODE_COLUMNS + at.SKIP])
    return Packet(
        number,
        tuple(syllables),
        row[at.END],
        row[at.NEXT_PACKET],
        range(row[at.CHECKS], row[at.CHECKS_END]),
        row[at.LAST_LINE],
    )


def in_functions(packets: Iterable[Packet]) -> dict[str, list[Packet]]:
    """Packets by the name of the function that is to have them, neighbours together."""
    functions: dict[str, list[Packet]] = {}
    room = 0
    for packet in sorted(packets):
        if not functions or len(packet.syllables) > room:
            functions[f"packets_{len(functions)}"] = []
            room = MOST_SYLLABLES
        functions[f"packets_{len(functions) - 1}"].append(packet)
        room -= len(packet.syllables)
    return functions


def text_of(state: CoreState, buffer: np.ndarray, functions: dict[str, list[Packet]]) -> str:
    """The text of functions that run the core from any of their packets on.

    Each is given a table and the cycle `until`, as `advance` is, and gives BETWEEN, or the syllable
    of the packet it stands at that it has left.
    """
    text = BoundText(state, buffer)
    for name, packets in functions.items():
        _Writer(state, text.function(name, VARIABLES), packets).write()
    return str(text)


class _Writer:
    """Writes one function."""

    def __init__(self, state: CoreState, function: BoundFunction, packets: Sequence[Packet]):
        self.state, self.function, self.packets = state, function, packets
        self.own = {packet.number for packet in packets}
        self.left: set[int] = set()

    def write(self) -> None:
        function = self.function
        packet, *values = function.use_many("resume", 4)
        for variable, value in zip(VARIABLES, values, strict=True):
            function.store(variable, value)
        function.choose(packet, {one.number: f"p{one.number}" for one in self.packets}, "nowhere")
        function.label("nowhere")
        function.never()
        for one in self.packets:
            self._packet(one)
        for number in sorted(self.left):
            function.label(f"left{number}")
            self._stand(number)
            function.give(BETWEEN)

    def _packet(self, packet: Packet) -> None:
        function, p, number = self.function, f"p{packet.number}", packet.number
        function.label(p)
        cycle = function.load("cycle")
        is_due = function.compare(cycle, "slt", "%until")
        function.branch(is_due, f"{p}.line", self._leaves(number), often=f"{p}.line")

        function.label(f"{p}.line")
        line = function.load("line")
        is_held = function.compare(line, "eq", packet.line)
        function.branch(is_held, f"{p}.pipe", f"{p}.turn", often=f"{p}.pipe")
        function.label(f"{p}.turn")
        is_at_hand = function.compare(function.use("turn_line", number, cycle, line), "ne", 0)
        function.branch(is_at_hand, f"{p}.turned", f"{p}.slow", often=f"{p}.turned")
        function.label(f"{p}.turned")
        function.store("line", packet.line)
        function.jump(f"{p}.pipe")

        function.label(f"{p}.pipe")
        is_free = function.compare(function.load("held"), "sle", cycle)
        function.branch(is_free, f"{p}.operands", f"{p}.slow", often=f"{p}.operands")
        function.label(f"{p}.operands")
        self._operands(packet, p, cycle)

        function.label(f"{p}.slow")
        state = map(function.load, VARIABLES)
        values = function.use_many("begin_slowly", 4, number, *state, "%until")
        for variable, value in zip(VARIABLES, values, strict=False):
            function.store(variable, value)
        issues = function.compare(values[-1], "ne", 0)
        function.branch(issues, f"{p}.issue", self._leaves(number))

        function.label(f"{p}.issue")
        function.use("count_issue", number)
        for syllable in packet.syllables:
            self._syllable(packet, syllable, f"{p}.s{syllable}")
        self._tick()
        function.jump(self._goes_to(packet.following))

    def _operands(self, packet: Packet, p: str, cycle: str) -> None:
        """Go on to the packet's issue, after the cycles in which it waits for operands alone."""
        function = self.function
        if not packet.checks:
            function.jump(f"{p}.issue")
            return
        settled = [function.compare(function.use("is_settled", entry, cycle), "ne", 0)
                   for entry in packet.checks]  # fmt: skip
        are_all = settled[0]
        for one in settled[1:]:
            are_all = function.both(are_all, one)
        function.branch(are_all, f"{p}.issue", f"{p}.wait", often=f"{p}.issue")

        function.label(f"{p}.wait")
        known: list[int | str] = [cycle, 0, at.NO_CAUSE, 0]
        for entry in packet.checks:
            known = [*function.use_many("wait_bound", 4, entry, cycle, *known)]
        ready, blamed, cause, is_mixed = known
        function.branch(function.compare(ready, "eq", cycle), f"{p}.issue", f"{p}.unmet")
        function.label(f"{p}.unmet")
        function.branch(function.compare(is_mixed, "eq", 0), f"{p}.charge", f"{p}.slow")
        function.label(f"{p}.charge")
        end = function.use("charge_bound", packet.number, cycle, "%until", ready, blamed, cause)
        function.store("cycle", end)
        issues = function.compare(end, "slt", "%until")
        function.branch(issues, f"{p}.issue", self._leaves(packet.number))

    def _syllable(self, packet: Packet, syllable: int, label: str) -> None:
        function = self.function
        cycle, held = function.load("cycle"), function.load("held")
        follows, held = function.use_many("execute_bound", 2, syllable, cycle, held)
        function.store("held", held)
        often = "" if self._may_be_taken(syllable) else f"{label}.next"
        goes_on = function.compare(follows, "eq", GO_ON)
        function.branch(goes_on, f"{label}.next", f"{label}.odd", often)
        function.label(f"{label}.odd")
        if self._may_be_taken(syllable):
            is_taken = function.compare(follows, "eq", TAKEN)
            function.branch(is_taken, f"{label}.taken", f"{label}.left", often=f"{label}.taken")
            function.label(f"{label}.taken")
            for other in range(syllable + 1, packet.end):
                function.use("cut_bound", other)
            self._tick()
            function.jump(self._goes_to(self._target(syllable)))
        else:
            function.jump(f"{label}.left")
        function.label(f"{label}.left")
        self._stand(packet.number)
        function.give(syllable)
        function.label(f"{label}.next")

    def _may_be_taken(self, syllable: int) -> bool:
        """Whether it is a branch whose target is known."""
        flags = int(self.state.code[syllable * at.CODE_COLUMNS + at.FLAGS])
        return bool(flags & at.BRANCHES and not flags & at.RARE_BRANCHES)

    def _target(self, syllable: int) -> int:
        return int(self.state.wide[syllable * at.WORDS_PER_ROW + at.WIDE_WORD])

    def _tick(self) -> None:
        self.function.store("cycle", self.function.add(self.function.load("cycle"), 1))

    def _stand(self, number: int) -> None:
        self.function.use("stand", number, *map(self.function.load, VARIABLES))

    def _goes_to(self, number: int) -> str:
        return f"p{number}" if number in self.own else self._leaves(number)

    def _leaves(self, number: int) -> str:
        self.left.add(number)
        return f"left{number}"
