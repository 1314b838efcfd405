"""A kernel's code as something to count: its instructions, where each may go on, its loops.

Of SASS, subroutines (the slow paths of divisions and roots) stand behind the kernel and are
reached by calls only; they are apart, as hardly ever executed.  Padding is not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from compiler.analyses.loops import Loops, find_loops
from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import FIRST_OPERAND, GUARD, OPERATION, STALL, Kernel, WarpProgram
from tests.benchmarks.sass.families import (
    pipe_of_row,
    pipe_of_sass,
    purpose_of_row,
    purpose_of_sass,
)
from tests.benchmarks.sass.instruction import Instruction


@dataclass(frozen=True, slots=True)
class Counted:
    """An instruction: its pipe, its purpose, the issue slots that it stands for, the line of the
    source that it was compiled from, and the cycles by its control bits until the warp's next."""

    text: str
    pipe: str
    purpose: str
    slots: int = 1
    line: int | None = None
    stall: int = 1


@dataclass(frozen=True)
class LoopOfCode:
    """A loop: places of its instructions, those of inner loops included; `depth` is 1 outside."""

    places: tuple[int, ...]
    depth: int
    innermost: bool


@dataclass
class Code:
    """Instructions that control reaches from the kernel's start without a call, the slots of its
    subroutines, and the bytes of local memory of a thread: its arrays and what was spilled."""

    name: str
    registers: int
    instructions: list[Counted]
    loops: list[LoopOfCode] = field(default_factory=list)
    subroutines: int = 0
    local: int = 0

    def slots(self, places: Iterable[int] | None = None) -> int:
        return sum(self.by("pipe", places).values())

    def by(self, what: str, places: Iterable[int] | None = None) -> Counter[str]:
        """Slots by 'pipe' or 'purpose', of some places or of all."""
        found: Counter[str] = Counter()
        for place in range(len(self.instructions)) if places is None else places:
            instruction = self.instructions[place]
            found[getattr(instruction, what)] += instruction.slots
        return found

    def cycles(self, places: Iterable[int]) -> int:
        """That a warp alone needs by the stall counts, if it waits for no counter."""
        return sum(max(i.stall, i.slots) for i in (self.instructions[p] for p in places))

    def lines(self, places: Iterable[int]) -> set[int]:
        """Of the source."""
        return {n for p in places if (n := self.instructions[p].line) is not None}

    @property
    def in_loops(self) -> set[int]:
        """The places inside some loop."""
        return {place for loop in self.loops for place in loop.places}


def code_of_sass(
    name: str, registers: int, local: int, instructions: Sequence[Instruction]
) -> Code:
    """A kernel's listing, decoded."""
    place_at = {i.at: k for k, i in enumerate(instructions)}
    place_of = {label: k for k, i in enumerate(instructions) for label in i.labels}
    successors: list[tuple[int, ...]] = []
    for place, instruction in enumerate(instructions):
        on = (place + 1,) if place + 1 < len(instructions) else ()
        there = ()
        if instruction.target is not None and instruction.operation in ("BRA", "JMP"):
            written = instruction.target
            goal = place_at[int(written, 16)] if written.startswith("0x") else place_of[written]
            there = (goal,)
        ends = instruction.operation in ("BRA", "JMP", "EXIT", "RET", "BRX", "JMX", "KILL")
        if ends and not _may_go_on(instruction):
            on = ()
        successors.append(tuple(dict.fromkeys((*there, *on))))
    return _code(
        Code(name, registers, [], local=local),
        [
            Counted(
                str(i),
                pipe_of_sass(i),
                purpose_of_sass(i),
                1,
                i.source[1] if i.source else None,
                i.control.stall,
            )
            for i in instructions
        ],
        successors,
        {k for k, i in enumerate(instructions) if i.operation == "NOP"},
    )


def _may_go_on(instruction: Instruction) -> bool:
    """Whether some thread may go on behind it: it has a guard, or a condition for an operand."""
    conditions = [o for o in instruction.operands[:-1] if o.lstrip("!").startswith(("P", "UP"))]
    return (instruction.guard or "PT") != "PT" or any(c != "PT" for c in conditions)


def code_of_rows(program: WarpProgram, kernel: Kernel, machine: Simt) -> Code:
    """A kernel that was compiled here."""
    table = operations().family("ptx")
    rows, successors = [], []
    for pc in range(kernel.first, kernel.end):
        row = table[program.operations[program.code[pc, OPERATION]]]
        location = program.locations[pc]
        rows.append(
            Counted(
                row.name,
                pipe_of_row(row, machine),
                purpose_of_row(row),
                machine.classes[row.scheduling_class].slots,
                location.line if location else None,
                int(program.control[pc, STALL]),
            )
        )
        on = (pc + 1 - kernel.first,) if pc + 1 < kernel.end else ()
        there: tuple[int, ...] = ()
        if row.control in ("jump", "branch"):
            there = (int(program.code[pc, FIRST_OPERAND]) - kernel.first,)
        if row.control in ("jump", "branch", "return") and not program.code[pc, GUARD]:
            on = ()
        successors.append(tuple(dict.fromkeys((*there, *on))))
    code = Code(kernel.name, kernel.registers, [], local=kernel.frame.local)
    return _code(code, rows, successors, set())


def _code(
    code: Code, all_of_it: list[Counted], successors: list[tuple[int, ...]], padding: set[int]
) -> Code:
    reached, open_ = {0}, [0]
    while open_:
        for place in successors[open_.pop()]:
            if place not in reached:
                reached.add(place)
                open_.append(place)
    kept = sorted(reached - padding)
    number = {place: k for k, place in enumerate(kept)}
    code.instructions = [all_of_it[place] for place in kept]
    # Behind the code stands a branch to itself before the padding.
    idle = {p for p in range(len(all_of_it)) if successors[p] == (p,)}
    code.subroutines = sum(
        all_of_it[p].slots for p in set(range(len(all_of_it))) - reached - padding - idle
    )
    graph = {str(p): tuple(str(s) for s in successors[p] if s in reached) for p in reached}
    code.loops = _loops(find_loops("0", graph), number)
    return code


def _loops(found: Loops, number: dict[int, int]) -> list[LoopOfCode]:
    loops = [
        LoopOfCode(
            tuple(sorted(number[int(m)] for m in loop.members if int(m) in number)),
            loop.depth,
            not loop.children,
        )
        for loop in found.by_header.values()
    ]
    return sorted(loops, key=lambda loop: (loop.places[:1], loop.depth))
