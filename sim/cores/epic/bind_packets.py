"""Writes the code of packets: what `advance` does with them, with all put in that is known.

For each packet it says in which order pieces of `issue_bundles` come; what they do is told there.

    is `until` reached? -> its line held? -> nothing to wait for? -> its syllables -> the next

What is certain (see `certainties`) is not asked.
Where a packet goes on that has no code here, or a syllable does what is rare, the core is left
standing there, and `advance` goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from sim.cores.bound_code import BoundFunction, BoundText
from sim.cores.epic import state as at
from sim.cores.epic.certainties import Certain, Certainties
from sim.cores.epic.packets import Packet, Shape, flags_of, only_goes_on, shape_of, target_of
from sim.cores.epic.state import BETWEEN, GO_ON, TAKEN, CoreState

VARIABLES = ("cycle", "line", "held")
"""What `advance` calls cycle, line_held and held_until."""
MOST_SYLLABLES = 300
"""In a function: what LLVM does grows faster than its length."""
LONG = 400
"""Syllables, from which on those of one shape share their code."""


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
    text, certainties = BoundText(state, buffer), Certainties(state)
    syllables = sum(len(packet.syllables) for packets in functions.values() for packet in packets)
    shapes: dict[Shape, int] | None = {} if syllables > LONG else None
    for name, packets in functions.items():
        certain = {packet.number: certainties.of(packet.number) for packet in packets}
        _Writer(state, text.function(name, VARIABLES), packets, certain, shapes).write()
    return str(text)


class _Writer:
    """Writes one function."""

    def __init__(
        self,
        state: CoreState,
        function: BoundFunction,
        packets: Sequence[Packet],
        certain: Mapping[int, Certain],
        shapes: dict[Shape, int] | None,
    ):
        """`shapes`: the first syllable of each, whose code others have, too; None: each has its
        own."""
        self.state, self.function, self.packets = state, function, packets
        self.certain, self.shapes = certain, shapes
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
        certain = self.certain[number]
        function.label(p)
        cycle = function.load("cycle")
        is_due = function.compare(cycle, "slt", "%until")
        function.branch(is_due, f"{p}.line", self._leaves(number), often=f"{p}.line")

        function.label(f"{p}.line")
        behind = f"{p}.pipe" if certain.pipe else f"{p}.operands"
        if certain.line:
            self._line(packet, p, cycle, behind)
        else:
            function.jump(behind)
        if certain.line or certain.pipe:
            function.label(f"{p}.pipe")
            self._pipe(packet, p, cycle)
        function.label(f"{p}.operands")
        if certain.checks:
            self._operands(packet, p, function.load("cycle"))
        function.jump(f"{p}.issue")

        function.label(f"{p}.slow")
        state = map(function.load, VARIABLES)
        end, held = function.use_many("begin_slowly", 2, number, *state, "%until")
        function.store("cycle", end)
        function.store("line", packet.line)
        function.store("held", held)
        issues = function.compare(end, "slt", "%until")
        function.branch(issues, f"{p}.issue", self._leaves(number))

        function.label(f"{p}.issue")
        function.use("count_issue", number)
        for syllable in packet.syllables:
            self._syllable(packet, syllable, f"{p}.s{syllable}")
        self._tick()
        function.jump(self._goes_to(packet.following))

    def _line(self, packet: Packet, p: str, cycle: str, behind: str) -> None:
        """Go on behind this if the packet's line is held, else ask for it, and see whether the pipe
        is."""
        function = self.function
        line = function.load("line")
        is_held = function.compare(line, "eq", packet.line)
        function.branch(is_held, behind, f"{p}.turn", often=behind)
        function.label(f"{p}.turn")
        held = function.use("turn_lines", packet.number, cycle, line, function.load("held"))
        function.store("line", packet.line)
        function.store("held", held)
        function.jump(f"{p}.pipe")

    def _pipe(self, packet: Packet, p: str, cycle: str) -> None:
        """Let the cycles pass in which the pipe is held by the first cause alone."""
        function = self.function
        held = function.load("held")
        is_free = function.compare(held, "sle", cycle)
        function.branch(is_free, f"{p}.operands", f"{p}.held", often=f"{p}.operands")
        function.label(f"{p}.held")
        end = function.call("lose_bound", cycle, "%until")
        function.store("cycle", end)
        is_over = function.compare(end, "slt", "%until")
        function.branch(is_over, f"{p}.lost", self._leaves(packet.number), often=f"{p}.lost")
        function.label(f"{p}.lost")
        is_free = function.compare(held, "sle", end)
        function.branch(is_free, f"{p}.operands", f"{p}.slow", often=f"{p}.operands")

    def _operands(self, packet: Packet, p: str, cycle: str) -> None:
        """Let the cycles pass in which the packet waits for operands alone."""
        function, checks = self.function, self.certain[packet.number].checks
        settled = [function.compare(function.use("is_settled", entry, cycle), "ne", 0)
                   for entry in checks]  # fmt: skip
        are_all = settled[0]
        for one in settled[1:]:
            are_all = function.both(are_all, one)
        function.branch(are_all, f"{p}.issue", f"{p}.wait", often=f"{p}.issue")

        function.label(f"{p}.wait")
        known: list[int | str] = [cycle, 0, at.NO_CAUSE, 0]
        for entry in checks:
            known = [*function.use_many("wait_bound", 4, entry, cycle, *known)]
        ready, blamed, cause, is_mixed = known
        function.branch(function.compare(ready, "eq", cycle), f"{p}.issue", f"{p}.unmet")
        function.label(f"{p}.unmet")
        function.branch(function.compare(is_mixed, "eq", 0), f"{p}.charge", f"{p}.slow")
        function.label(f"{p}.charge")
        end = function.use("charge_bound", packet.number, cycle, "%until", ready, blamed, cause)
        function.store("cycle", end)
        goes_on = function.compare(end, "slt", "%until")
        function.branch(goes_on, f"{p}.ready", self._leaves(packet.number))
        function.label(f"{p}.ready")

    def _syllable(self, packet: Packet, syllable: int, label: str) -> None:
        function = self.function
        cycle, held = function.load("cycle"), function.load("held")
        if self.shapes is None:
            follows, held = function.use_many("execute_bound", 2, syllable, cycle, held)
        else:
            shape = shape_of(self.state, syllable)
            like = self.shapes.setdefault(shape, syllable)
            follows, held = function.call_many("execute_like", 2, like, str(syllable), cycle, held)
            if only_goes_on(shape):
                return
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
            function.jump(self._goes_to(target_of(self.state, syllable)))
        else:
            function.jump(f"{label}.left")
        function.label(f"{label}.left")
        self._stand(packet.number)
        function.give(syllable)
        function.label(f"{label}.next")

    def _may_be_taken(self, syllable: int) -> bool:
        """Whether it is a branch whose target is known."""
        flags = flags_of(self.state, syllable)
        return bool(flags & at.BRANCHES and not flags & at.RARE_BRANCHES)

    def _tick(self) -> None:
        self.function.store("cycle", self.function.add(self.function.load("cycle"), 1))

    def _stand(self, number: int) -> None:
        self.function.use("stand", number, *map(self.function.load, VARIABLES))

    def _goes_to(self, number: int) -> str:
        return f"p{number}" if number in self.own else self._leaves(number)

    def _leaves(self, number: int) -> str:
        self.left.add(number)
        return f"left{number}"
