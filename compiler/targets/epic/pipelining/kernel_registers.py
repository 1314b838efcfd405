"""Where the values of a scheduled loop live.

    x: written in stage 0, read in stage 2     x in r32, read as r34, two rotations later

A value's register is the one it is written to in the stage of its first write, `stage`: in stage u,
omega iterations later, it is named register + (u + omega - stage).

The predicates that say whether there is an iteration come first.  In a counted loop they are p16
for stage 0, p17 for stage 1 and so on.  In a while loop they are the condition's: the loop branch
puts a 0 into p16 each time, and unless there is an iteration it is still 0 when the condition is
computed, stage - 1 rotations later, into that very register.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.kernels import taken_by_rotation
from compiler.targets.epic.pipelining.loop_body import NotPipelinedError
from compiler.targets.epic.pipelining.nodes import Node, Use, Web
from compiler.targets.epic.registers.operands import FILE_OF_KIND, PREFIX, register_operands
from compiler.targets.epic.registers.pressure import SPARE, allocatable
from compiler.targets.epic.scheduling.problem import LoopSchedule
from compiler.targets.epic.scheduling.rotating_registers import Lifetime, smallest_ring
from machines.kinds.epic.fields import Epic

ROTATING_UNIT = 8
"""General registers rotate in groups of so many."""


class TooFewRegistersError(Exception):
    """A file has too few rotating registers for a schedule."""

    def __init__(self, file: str):
        super().__init__(file)
        self.file = file


@dataclass
class KernelRegisters:
    """The registers of a schedule's values.

    first     value -> number of the register that it is written to, in stage `stage`
    general   how many general registers rotate
    """

    schedule: LoopSchedule
    condition: Web | None
    stage: dict[Web, int]
    first: dict[Web, int]
    valid: int
    general: int = 0

    def name(self, web: Web, rotations: int) -> str:
        """A value's name in stage `rotations` of its own iteration."""
        number = self.first[web] + rotations - self.stage[web]
        return f"{PREFIX[web.file]}{number}"

    def name_before(self, web: Web, omega: int) -> str:
        """The name, before the loop, of the value of `omega` iterations before the first."""
        return self.name(web, omega)

    def name_after(self, use: Use) -> str:
        """The name, after the loop, of the last iteration's value, or of one before it."""
        return self.name(use.web, self.schedule.stages + use.omega)

    def validity(self, stage: int) -> str:
        """The predicate that says in a stage whether there is an iteration."""
        if self.condition is None:
            return f"{PREFIX['predicate']}{self.valid + stage}"
        return self.name(self.condition, stage + 1)

    def first_validity(self) -> str:
        """The predicate that has to be set before the loop."""
        if self.condition is None:
            return self.validity(0)
        return self.name_before(self.condition, 1)


def kernel_registers(
    nodes: Sequence[Node],
    final: Sequence[Use],
    condition: Web | None,
    schedule: LoopSchedule,
    description: Epic,
    most_general: int,
) -> KernelRegisters:
    """Registers for the values of a schedule; the last node is the loop branch.

    Raises TooFewRegistersError naming the file.
    """
    starts = _starts(nodes, schedule)
    stage = {web: start // schedule.ii for web, start in starts.items()}
    valid = _region(description, "predicate")[0]
    found = KernelRegisters(schedule, condition, stage, {}, valid)
    taken = schedule.stages
    lifetimes = {
        web: _lifetime(web, nodes, final, schedule, start) for web, start in starts.items()
    }
    if condition is not None:
        waiting = max(0, stage[condition] - 1)
        found.first[condition] = valid + waiting
        taken = waiting + 1 + _last_stage(lifetimes[condition], schedule) - stage[condition]
    for file in ("general", "floating", "predicate"):
        webs = {w.name: w for w in starts if w.file == file and w is not condition}
        lives = [lifetimes[web] for web in webs.values()]
        first, size = _region(description, file)
        if file == "predicate":
            first, size = first + taken, size - taken
        sizes: Sequence[int] = (size,)
        if file == "general":
            sizes = range(0, min(size, most_general) + 1, ROTATING_UNIT)
        answer = smallest_ring(lives, schedule.ii, schedule.stages, sizes)
        if answer is None:
            raise TooFewRegistersError(file)
        ring, registers = answer
        if file == "general":
            found.general = ring
        found.first.update({webs[name]: first + number for name, number in registers.items()})
    return found


def check_still_registers(nodes: Sequence[Node], description: Epic, most_general: int) -> None:
    """Raises NotPipelinedError if the registers that do not rotate are too few for those that a
    body reads or writes under one name: a kernel cannot reload them."""
    named: dict[str, set[str]] = {}
    for node in nodes:
        files = {k: o.kind.name for k, o in register_operands(node.operation)[0]}
        read = [FILE_OF_KIND[o.kind.name] for _, o in register_operands(node.operation)[1]]
        for (value, _), file in zip(node.reads, [*read, "predicate"], strict=False):
            named.setdefault(file, set()).add(value)
        for k, file in files.items():
            named.setdefault(FILE_OF_KIND[file], set()).add(node.results[k])
    for file, values in sorted(named.items()):
        general = min(_region(description, "general")[1], most_general)
        taken = taken_by_rotation(description, file, general)
        still = [number for number in allocatable(description, file) if number not in taken]
        wanted = sum(is_virtual(value) for value in values)
        if wanted + SPARE > len(still):
            raise NotPipelinedError(f"too few {file} registers stay", f"it names {wanted}")


def _region(description: Epic, file: str) -> tuple[int, int]:
    """The first rotating register of a file, and how many there are."""
    region = description.registers[file].rotating
    if region is None:
        return 0, 0
    first, last = region
    return first, description.largest_frame if file == "general" else last - first + 1


def _starts(nodes: Sequence[Node], schedule: LoopSchedule) -> dict[Web, int]:
    """The time of the first write of every value."""
    starts: dict[Web, int] = {}
    for node, time in zip(nodes, schedule.times, strict=True):
        for result in node.results:
            if isinstance(result, Web):
                starts[result] = min(starts.get(result, time), time)
    return starts


def _lifetime(
    web: Web, nodes: Sequence[Node], final: Sequence[Use], schedule: LoopSchedule, start: int
) -> Lifetime:
    end, last_write, guarded = start, start, True
    for number, node in enumerate(nodes):
        time = schedule.times[number]
        for omega in _omegas_read(web, node):
            end = max(end, time + omega * schedule.ii)
        if web in node.results:
            end, last_write = max(end, time), max(last_write, time)
            guarded &= node.waits and not _clears(node, web)
    outlasts = [use.omega for use in final if use.web is web]
    for omega in outlasts:
        if omega:  # read after the loop, when a later iteration's value has been written
            end = max(end, (schedule.stages + omega) * schedule.ii)
    live_in = max(web.initial, default=0)
    if web.off:  # in the first passes its register is read before it was written
        live_in = end // schedule.ii if end // schedule.ii > start // schedule.ii else 0
    return Lifetime(web.name, start, end, live_in, bool(outlasts), guarded, last_write)


def _omegas_read(web: Web, node: Node) -> Iterator[int]:
    for value, _ in node.reads:
        if isinstance(value, Use) and value.web is web:
            yield value.omega


def _clears(node: Node, web: Web) -> bool:
    """Whether a node writes a value where there is no iteration, all the same."""
    return web.file == "predicate" and "unconditional" in node.operation.flags


def _last_stage(lifetime: Lifetime, schedule: LoopSchedule) -> int:
    """The stage in which a value is named last; the iteration after reads a condition as its
    guard, in every stage."""
    after = schedule.stages if lifetime.live_out else 0
    return max(after, schedule.stages, lifetime.end // schedule.ii)
