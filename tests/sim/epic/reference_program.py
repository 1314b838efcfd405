"""What the plain model of the core's timing knows of a program: what each syllable reads and
writes, and what it does when it executes (see `reference_core`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.targets.epic import interpret as functional
from compiler.targets.epic.registers.register_names import FrameFault
from machines.instructions import operations
from machines.instructions.ia64_control import EXIT_ADDRESS
from machines.instructions.ia64_operands import BRANCH_HINTS
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import (
    BUNDLE_BYTES,
    CODE_BASE,
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    BundleProgram,
)
from machines.layout import Memory, MemoryFault
from machines.operations.row import Operation, RegisterKind

NEVER_CHANGE = {("gr", 0), ("fr", 0), ("fr", 1), ("pr", 0)}


def is_floating(row: Operation) -> bool:
    """True for an access whose data is in a floating register."""
    kinds = (operand.kind for operand in row.operands)
    return any(isinstance(kind, RegisterKind) and kind.name == "fr" for kind in kinds)


@dataclass(frozen=True)
class Use:
    """A register that a syllable reads for a use, or writes as a class (then `use` is None)."""

    register: tuple[str, int]
    use: str | None = None
    produces: str | None = None


@dataclass
class Syllable:
    """A syllable of the program, with what the timing needs to know of it."""

    row: Operation
    guard: int
    operands: list[int]
    guard_reads: list[Use] = field(default_factory=list)
    reads: list[Use] = field(default_factory=list)
    writes: list[Use] = field(default_factory=list)

    @property
    def hint(self) -> str:
        """The prediction hint of a branch."""
        for operand, value in zip(self.row.operands, self.operands, strict=False):
            if operand.name == "hint":
                return BRANCH_HINTS[value]
        return "sptk"

    @property
    def is_always_executed(self) -> bool:
        """Its predicate is read like an operand."""
        return "qp" in self.row.implicit_reads

    @property
    def address_register(self) -> int:
        names = [operand.name for operand in self.row.operands]
        return self.operands[names.index(self.row.access.address)]


def resource_uses(name: str, **how) -> list[Use]:
    """A resource without an operand: an application register, all predicates, or the ip."""
    if name == "pr":
        return [Use(("pr", number), **how) for number in range(1, 64)]
    return [Use((name, 0), **how)] if name.startswith("ar.") else []


def read_syllable(row: Operation, code: list[int], machine: Epic) -> Syllable:
    """What a syllable reads and writes; registers that hold constants are no one's to wait for."""
    syllable = Syllable(row, code[GUARD], code[FIRST_OPERAND:])
    if syllable.guard:
        use = "branch" if row.control else "predicate"
        syllable.guard_reads.append(Use(("pr", syllable.guard), use))
    for operand, number in zip(row.operands, syllable.operands, strict=False):
        if not isinstance(operand.kind, RegisterKind):
            continue
        register = (operand.kind.name, number)
        if register in NEVER_CHANGE:
            continue
        if operand.is_read:
            syllable.reads.append(Use(register, operand.use))
        if operand.is_written:
            produces = operand.produces or row.scheduling_class
            syllable.writes.append(Use(register, produces=produces))
    for name in row.implicit_reads:
        use = "predicate" if name == "pr" else "branch" if row.control else "application"
        syllable.reads += resource_uses(name, use=use)
    for name in row.implicit_writes:
        syllable.writes += resource_uses(name, produces=row.scheduling_class)
    if "rotates" in row.flags:  # what becomes the first rotating predicate
        last = machine.registers["predicate"].rotating[1]
        syllable.writes.append(Use(("pr", last), produces=row.scheduling_class))
    return syllable


def read_program(program: BundleProgram, machine: Epic) -> list[Syllable | None]:
    """All syllables; None for the second half of a long instruction."""
    rows = [operations()[machine.instructions, name] for name in program.operations]
    return [
        None
        if code[OPERATION] == CONTINUATION
        else read_syllable(rows[code[OPERATION]], code, machine)
        for code in program.code.tolist()
    ]


@dataclass(frozen=True)
class Step:
    """What one syllable did.

    executes   its guard was true
    address    of its memory access, if any; `mapped` is False for a prefetch of no buffer
    taken      a branch was taken, to code address `target`
    faulted    it faulted, so nothing of it happened
    """

    syllable: int
    is_guarded: bool
    executes: bool
    address: int | None = None
    mapped: bool = True
    taken: bool = False
    target: int = 0
    faulted: bool = False


class Execution:
    """The program's values: executes syllables in order, with the interpreter's actions."""

    def __init__(
        self, program: BundleProgram, machine: Epic, memory: Memory, arguments: Mapping, syllables
    ):
        self.memory, self.syllables, self.machine = memory, syllables, machine
        self.state = functional._State(memory, program.bundles, machine)
        functional._pass_arguments(program, self.state, arguments)
        self.actions = functional._actions(program, self.state)

    def guard_is_true(self, syllable: int) -> bool:
        """Whether a syllable would execute now."""
        of = self.syllables[syllable]
        return of.is_always_executed or bool(self.state.pr[self.state.names.pr[of.guard]])

    def behind(self, register: tuple[str, int]) -> tuple[str, int]:
        """The register that a name means now; stacked ones follow each other round a ring."""
        kind, number = register
        names = getattr(self.state.names, kind, None)
        if names is None:
            return register
        place = names[number]
        first = self.machine.registers["general"].rotating[0]
        if kind == "gr" and place >= first:
            place = first + (place - first) % self.machine.register_stack.registers
        return kind, place

    def step(self, place: int) -> Step:
        """Execute one syllable."""
        syllable = self.syllables[place]
        _, action, squashed = self.actions[place]
        guard = syllable.guard
        if not self.guard_is_true(place):
            if squashed is not None:
                squashed()
            return Step(place, bool(guard), executes=False)
        address, mapped = None, True
        if syllable.row.access:
            address = self.state.gr[self.state.names.gr[syllable.address_register]]
            mapped = self.is_mapped(address)
        taken, target = False, 0
        try:
            bundle = action() if action is not None else None
        except (MemoryFault, FrameFault):
            return Step(place, bool(guard), executes=False, faulted=True)
        except functional.Stop as stop:
            if stop.kind is not None:
                return Step(place, bool(guard), executes=False, faulted=True)
            taken, target = True, EXIT_ADDRESS
        else:
            if bundle is not None:
                taken, target = True, CODE_BASE + BUNDLE_BYTES * bundle
        return Step(place, bool(guard), True, address, mapped, taken, target)

    def is_mapped(self, address: int) -> bool:
        try:
            self.memory.check(address, 1)
        except (MemoryFault, FrameFault):
            return False
        return True
