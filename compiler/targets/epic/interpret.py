"""What machine code means: runs a BundleProgram one syllable after another, without time.

It judges the code generator and the core.  Every row of the table becomes one Python function that
makes the action of a syllable; what a syllable does not change while it runs (register numbers,
immediates, addresses of buffers) is bound when the program is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from compiler.targets.epic.actions import Action, Stop, maker
from compiler.targets.epic.registers.register_names import FrameFault, RegisterNames
from machines.description.load import Machine, load_machine
from machines.diagnostics import Location
from machines.instructions import operations
from machines.instructions.ia64_control import EXIT_ADDRESS, FPSR
from machines.instructions.ia64_operands import GLOBAL_POINTER, GLOBAL_POINTER_VALUE
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
from machines.operations.row import Symbol
from machines.types import Type
from machines.vocabulary import floating, numbers

STEP_LIMIT = 100_000_000
"""Syllables after which an interpretation ends unless the caller gives another limit."""
STACK_BUFFER, STACK_POINTER, SCRATCH_BYTES = "stack", 12, 16

ARCHITECTURE = "itanium2"
"""The machine whose registers a program finds unless the caller names another."""
APPLICATION_REGISTERS = ("ar.lc", "ar.ec", "ar.pfs", "ar.ccv", "ar.fpsr")


@dataclass(frozen=True, slots=True)
class MachineFault:
    """Why a run ended early; nothing of the faulting syllable has happened.

    kind      'out of bounds', 'misaligned', 'division by zero', 'break N', 'bad branch target', …
    syllable  3 * bundle + slot
    address   of the memory access or the branch, None otherwise
    """

    kind: str
    location: Location | None
    address: int | None
    syllable: int


@dataclass(frozen=True, slots=True)
class MachineOutcome:
    """How a run ended.

    status    'done', 'fault' or 'limit'
    value     what the result register holds, if the run is done and the program has a result
    gr pr br  integers, by name at the end; fr: triples of `machines/vocabulary/floating.py`;
              ar: by name ('ar.lc')
    executed  how often each syllable was reached (predicated off or not), faulting ones excluded;
              an MLX bundle counts in its slot 1
    """

    status: str
    value: int | float | None
    fault: MachineFault | None
    gr: list[int]
    fr: list[floating.Register]
    pr: list[int]
    br: list[int]
    ar: dict[str, int]
    executed: list[int]

    @property
    def steps(self) -> int:
        return sum(self.executed)


class _State:
    """Registers and memory, as the actions see them; `names` says where a register stands."""

    def __init__(self, memory: Memory, bundles: int, machine: Epic):
        self.names = RegisterNames(machine)
        self.gr = [0] * len(self.names.gr)
        self.fr: list[floating.Register] = [(0.0, 0, 0)] * len(self.names.fr)
        self.pr = [0] * len(self.names.pr)
        self.br = [0] * 8
        self.ar = dict.fromkeys(APPLICATION_REGISTERS, 0)
        self.fr[1] = (1.0, 0, 0)
        self.pr[0] = 1
        self.br[0] = EXIT_ADDRESS
        self.ar["ar.fpsr"] = FPSR
        self.ar["ar.pfs"] = self.names.frame.marker  # as if called from a frame like this one
        self.memory = memory
        self.serves_misaligned = machine.memory.misaligned is not None
        self.bundles = bundles

    def alignment(self, size: int) -> int:
        """What the address of a load or store must be a multiple of; of a semaphore always its
        size."""
        return 1 if self.serves_misaligned else size

    def load(self, address: int, size: int) -> int:
        """`size` bytes (1, 2, 4, 8), unsigned, held signed."""
        offset = self.memory.check(address, size, self.alignment(size))
        return _FORMATS[size].unpack_from(self.memory.bytes, offset)[0]

    def load_pair(self, address: int, size: int) -> tuple[int, int]:
        """The low 8 and the remaining bytes of an access of 10 or 16 bytes, aligned to 16."""
        offset = self.memory.check(address, size, self.alignment(16))
        high = _FORMATS[size - 8].unpack_from(self.memory.bytes, offset + 8)[0]
        return _FORMATS[8].unpack_from(self.memory.bytes, offset)[0], high

    def store(self, address: int, size: int, value: int) -> None:
        self.memory.store(address, size, value, self.alignment(size))

    def store_pair(self, address: int, size: int, low: int, high: int) -> None:
        self.memory.check(address, size, self.alignment(16))
        self.memory.store(address, 8, low, self.alignment(8))
        self.memory.store(address + 8, size - 8, high, self.alignment(8))

    def all_predicates(self) -> int:
        """p0 in bit 0 … p63 in bit 63."""
        return numbers.wrap(sum(bit << number for number, bit in enumerate(self.pr)))

    def set_all_predicates(self, value: int) -> None:
        self.pr[1:] = [value >> number & 1 for number in range(1, 64)]

    def enter(self, marker: int, move: int) -> None:
        """Make a frame current; see `RegisterNames.enter`."""
        names, gr = self.names, self.gr
        taken_over = names.enter(marker, move)
        gr.extend([0] * (max(*names.gr, taken_over.stop) + 1 - len(gr)))
        for register in taken_over:
            gr[register] = gr[register - names.physical]

    def rotate(self, stage: int, rotates: int) -> None:
        """What a loop branch does to registers."""
        names = self.names
        self.pr[names.pr[names.last_predicate]] = stage
        if rotates:
            names.rotate()

    def named(self) -> tuple[list, list, list]:
        """The general, floating and predicate registers by their names.

        Those that the frame does not have are 0.
        """
        names = self.names
        first, last = names.rotating["gr"]
        outside = range(first + names.frame.size, last + 1)
        return (
            [
                0 if number in outside else self.gr[register]
                for number, register in enumerate(names.gr)
            ],
            [self.fr[register] for register in names.fr],
            [self.pr[register] for register in names.pr],
        )

    def bundle_at(self, address: int) -> int:
        """The bundle a code address stands for; ends the run at the caller's address."""
        if address == EXIT_ADDRESS:
            raise Stop(None)
        bundle = (address - CODE_BASE) // BUNDLE_BYTES
        if not 0 <= bundle < self.bundles:
            raise Stop("bad branch target", address)
        return bundle


_FORMATS = {
    size: struct.Struct(f"<{code}") for size, code in ((1, "B"), (2, "H"), (4, "I"), (8, "q"))
}


def _actions(
    program: BundleProgram, state: _State
) -> list[tuple[int, Action | None, Action | None]]:
    """(qualifying predicate, action, action if it is false) of every syllable; nops have none."""
    rows = [operations()["ia64", name] for name in program.operations]
    found: list[tuple[int, Action | None, Action | None]] = []
    for syllable, code in enumerate(program.code.tolist()):
        if code[OPERATION] == CONTINUATION or "nop" in rows[code[OPERATION]].flags:
            found.append((code[GUARD], None, None))
            continue
        row = rows[code[OPERATION]]
        values = [
            state.memory.address(program.symbols[value])
            if isinstance(operand.kind, Symbol)
            else value
            for operand, value in zip(row.operands, code[FIRST_OPERAND:], strict=False)
        ]
        ip = CODE_BASE + BUNDLE_BYTES * (syllable // 3)
        guard, needs = code[GUARD], state.names.needed(row, values)
        make = maker(row, needs > 0)
        always = "qp" in row.implicit_reads
        actions = make(state, ip, ip + BUNDLE_BYTES, guard, needs, *values)
        found.append((0 if always else guard, *actions))
    return found


def _register(state: _State, name: str) -> tuple[list, int]:
    """The file of a register and its index there."""
    number = int(name[1:])
    if name[0] == "b":
        return state.br, number
    file, names = {
        "r": (state.gr, state.names.gr),
        "f": (state.fr, state.names.fr),
        "p": (state.pr, state.names.pr),
    }[name[0]]
    return file, names[number]


def _pass_arguments(
    program: BundleProgram, state: _State, arguments: Mapping[str, int | float]
) -> None:
    for parameter in program.parameters:
        file, number = _register(state, parameter.register)
        value = arguments[parameter.name]
        file[number] = floating.fr_from_f64(float(value)) if file is state.fr else int(value)
    state.gr[GLOBAL_POINTER] = GLOBAL_POINTER_VALUE
    if STACK_BUFFER in state.memory.placements:
        stack = state.memory.placements[STACK_BUFFER]
        state.gr[STACK_POINTER] = stack.address + stack.size - SCRATCH_BYTES


def _result(state: _State, result: tuple[str, Type]) -> int | float:
    register, t = result
    file, number = _register(state, register)
    value = file[number]
    if file is state.fr:
        return floating.fr_value(value)
    return numbers.sign_extend(value, t.bits) if t.is_integer and t.bits > 1 else value


def interpret(
    program: BundleProgram,
    memory: Memory,
    arguments: Mapping[str, int | float] | None = None,
    limit: int = STEP_LIMIT,
    machine: Machine | Epic | None = None,
) -> MachineOutcome:
    """Run a program on `memory`, which it changes.

    arguments  the value of every parameter by name: a number, or the address of an array
    limit      syllables to execute at most
    machine    whose registers there are
    """
    state = _State(memory, program.bundles, _description(machine))
    _pass_arguments(program, state, arguments or {})
    actions = _actions(program, state)
    executed = [0] * len(actions)
    continuations = (program.code[:, OPERATION] == CONTINUATION).tolist()
    status, fault = _run(program, state, actions, executed, limit)
    for syllable in range(len(executed)):
        if continuations[syllable]:
            executed[syllable] = 0
    value = _result(state, program.result) if status == "done" and program.result else None
    gr, fr, pr = state.named()
    return MachineOutcome(status, value, fault, gr, fr, pr, state.br, state.ar, executed)


def _description(machine: Machine | Epic | None) -> Epic:
    found = machine or _default_machine()
    return found.description if isinstance(found, Machine) else found


@cache
def _default_machine() -> Machine:
    return load_machine(ARCHITECTURE)


def _run(program, state, actions, executed, limit) -> tuple[str, MachineFault | None]:
    """The loop; returns the status and the fault."""
    predicates, registers = state.pr, state.names.pr
    syllable, end = 3 * program.entry, len(actions)
    try:
        for _ in range(limit):
            if syllable >= end:
                raise Stop("bad branch target", CODE_BASE + BUNDLE_BYTES * (syllable // 3))
            guard, action, squashed = actions[syllable]
            executed[syllable] += 1
            if predicates[registers[guard]]:
                if action is not None:
                    bundle = action()
                    if bundle is not None:
                        syllable = 3 * bundle
                        continue
            elif squashed is not None:
                squashed()
            syllable += 1
    except Stop as stop:
        kind, address = stop.kind, stop.address
    except MemoryFault as stop:
        kind, address = stop.kind, stop.address
    except FrameFault as stop:
        kind, address = stop.kind, None
    else:
        return "limit", None
    if kind is None:
        return "done", None
    told = min(syllable, end - 1)  # a run off the end has its location where the code ends
    location = program.locations[told] if program.locations else None
    if syllable < end:
        executed[syllable] -= 1
    return "fault", MachineFault(program.fault(kind, syllable), location, address, syllable)
