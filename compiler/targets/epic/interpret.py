"""What machine code means: runs a Program one syllable after another, without time.

It judges the code generator and the core.  Every row of the table becomes one Python function that
makes the action of a syllable; what a syllable does not change while it runs (register numbers,
immediates, addresses of buffers) is bound when the program is loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from compiler.targets.epic.register_names import FrameFault, RegisterNames
from machines import floating, numbers
from machines.diagnostics import Location
from machines.frame import OUTSIDE_FRAME
from machines.instructions import operations
from machines.instructions.ia64_control import EXIT_ADDRESS, FPSR, break_fault
from machines.isa import Label, Operand, Operation, RegisterKind, Symbol
from machines.kinds.epic import Epic
from machines.layout import Memory, MemoryFault
from machines.load import Machine, load_machine
from machines.program import (
    BUNDLE_BYTES,
    CODE_BASE,
    CONTINUATION,
    FIRST_OPERAND,
    GUARD,
    OPERATION,
    Program,
)
from machines.types import Type

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
    gr pr br  integers, by name at the end; fr: triples of `machines/floating.py`; ar: by name
              ('ar.lc')
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


class _Stop(Exception):
    """Raised by an action: a fault of this kind, or the end of the program (kind None)."""

    def __init__(self, kind: str | None, address: int | None = None):
        super().__init__(kind)
        self.kind = kind
        self.address = address


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
        self.bundles = bundles

    def load(self, address: int, size: int) -> int:
        """`size` bytes (1, 2, 4, 8), unsigned, held signed."""
        offset = self.memory.check(address, size)
        return _FORMATS[size].unpack_from(self.memory.bytes, offset)[0]

    def load_pair(self, address: int, size: int) -> tuple[int, int]:
        """The low 8 and the remaining bytes of an access of 10 or 16 bytes, aligned to 16."""
        offset = self.memory.check(address, size, 16)
        high = _FORMATS[size - 8].unpack_from(self.memory.bytes, offset + 8)[0]
        return _FORMATS[8].unpack_from(self.memory.bytes, offset)[0], high

    def store(self, address: int, size: int, value: int) -> None:
        self.memory.store(address, size, value)

    def store_pair(self, address: int, size: int, low: int, high: int) -> None:
        self.memory.check(address, size, 16)
        self.memory.store(address, 8, low)
        self.memory.store(address + 8, size - 8, high)

    def all_predicates(self) -> int:
        """p0 in bit 0 … p63 in bit 63."""
        return numbers.wrap(sum(bit << number for number, bit in enumerate(self.pr)))

    def set_all_predicates(self, value: int) -> None:
        self.pr[1:] = [value >> number & 1 for number in range(1, 64)]

    def enter(self, marker: int, move: int) -> None:
        """Make a frame current; see `RegisterNames.enter`."""
        self.names.enter(marker, move)
        self.gr.extend([0] * (max(self.names.gr) + 1 - len(self.gr)))

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
            [0 if number in outside else self.gr[place] for number, place in enumerate(names.gr)],
            [self.fr[place] for place in names.fr],
            [self.pr[place] for place in names.pr],
        )

    def bundle_at(self, address: int) -> int:
        """The bundle a code address stands for; ends the run at the caller's address."""
        if address == EXIT_ADDRESS:
            raise _Stop(None)
        bundle = (address - CODE_BASE) // BUNDLE_BYTES
        if not 0 <= bundle < self.bundles:
            raise _Stop("bad branch target", address)
        return bundle


_FORMATS = {
    size: struct.Struct(f"<{code}") for size, code in ((1, "B"), (2, "H"), (4, "I"), (8, "q"))
}

Action = Callable[[], int | None]
"""Does what a syllable does; a taken branch returns the bundle it goes to."""


def _indented(lines: list[str]) -> str:
    return "\n".join(f"        {line}" for line in lines)


def _implicit_read(resource: str) -> str:
    if resource == "pr":
        return "pr = state.all_predicates()"
    if resource == "qp":
        return "qp = pr_file[pr_names[n_qp]]"
    if resource == "cfm":
        return "cfm = state.names.frame.marker"
    return f"{resource.replace('.', '_')} = ar[{resource!r}]"


def _implicit_write(resource: str) -> str:
    if resource == "pr":
        return "state.set_all_predicates(pr)"
    return f"ar[{resource!r}] = {resource.replace('.', '_')}"


def _place(operand: Operand) -> str:
    """The text of a register operand: its place is looked up where places change."""
    file, number = operand.kind.name, f"n_{operand.name}"
    return f"br_file[{number}]" if file == "br" else f"{file}_file[{file}_names[{number}]]"


def action_source(row: Operation, is_stacked: bool) -> str:
    """The Python text of a function that makes the actions of a row.

    `make(state, ip, link, n_qp, needs, *operands)` gives (action, action under a false predicate or
    None); n_qp is the number of the qualifying predicate, `needs` the stacked registers that a
    frame must have for the operands, which is looked at if `is_stacked`.
    """
    makes_frame = row.name == "alloc"  # its result is in the frame that it makes
    checks = [f"if needs > names.frame.size: raise Stop({OUTSIDE_FRAME!r})"] * is_stacked
    body, registers = [] if makes_frame else list(checks), []
    for operand in row.operands:
        if isinstance(operand.kind, RegisterKind):
            registers.append(operand)
            if operand.is_read:
                body.append(f"{operand.name} = {_place(operand)}")
        elif not (isinstance(operand.kind, Label) and operand.name == "target"):
            body.append(f"{operand.name} = n_{operand.name}")
    body += [_implicit_read(resource) for resource in row.implicit_reads if resource != "ip"]
    if row.faults_if:
        kind = "break_fault(n_imm)" if "break" in row.flags else repr(row.fault)
        body += [f"if {row.faults_if}:", f"    raise Stop({kind})"]
    body += _access_lines(row)
    if makes_frame:
        body += ["state.enter(cfm, 0)", *checks]
    body += _result_lines(row, [o for o in registers if o.is_written])
    names = "".join(f", n_{operand.name}" for operand in row.operands)
    return (
        f"def make(state, ip, link, n_qp, needs{names}):\n"
        "    gr_file, fr_file, pr_file, br_file = state.gr, state.fr, state.pr, state.br\n"
        "    names = state.names\n"
        "    gr_names, fr_names, pr_names = names.gr, names.fr, names.pr\n"
        "    ar, load, load_pair = state.ar, state.load, state.load_pair\n"
        f"    def action():\n{_indented(body or ['pass'])}\n"
        f"{_squashed_source(row)}"
        "    return action, squashed\n"
    )


def _result_lines(row: Operation, writes: list[Operand]) -> Iterator[str]:
    """Put results in their places, then go where the row goes: to a frame, to a bundle."""
    moves = {"call": 1, "return": -1}.get(row.control, 0)
    is_direct = any(o.name == "target" for o in row.operands)
    for operand in writes:
        store = f"{_place(operand)} = {operand.name}"
        yield f"if n_{operand.name}: {store}" if operand.kind.name == "pr" else store
    for resource in row.implicit_writes:
        if resource != "cfm":
            yield _implicit_write(resource)
    if "rotates" in row.flags:
        yield "state.rotate(stage, rotate)"
    if row.control and not is_direct:
        yield "n_target = state.bundle_at(target)"
    if "cfm" in row.implicit_writes and row.name != "alloc":
        yield f"state.enter(cfm, {moves})"
    if row.control:
        yield from ("if taken:", "    return n_target")


def _squashed_source(row: Operation) -> str:
    """What happens under a false predicate: nothing but what 'unconditional' rows clear."""
    if "unconditional" not in row.flags:
        return "    squashed = None\n"
    predicates = [o for o in row.writes if o.kind.name == "pr"]
    lines = [f"if n_{operand.name}: {_place(operand)} = 0" for operand in predicates]
    return f"    def squashed():\n{_indented(lines)}\n"


def _access_lines(row: Operation) -> list[str]:
    """The meaning, with the memory access it makes before or after it."""
    meaning = row.meaning.split("\n") if row.meaning else []
    access = row.access
    if access is None or access.kind == "prefetch":
        return meaning
    address, size, pair = access.address, access.bytes, access.bytes > 8
    lines = [f"address = {address}"]
    if access.kind in ("load", "load_store"):
        target = "loaded, loaded_high" if pair else "loaded"
        lines.append(f"{target} = load{'_pair' if pair else ''}(address, {size})")
    lines += meaning
    if access.kind in ("store", "load_store"):
        values = "stored, stored_high" if pair else "stored"
        lines.append(f"state.store{'_pair' if pair else ''}(address, {size}, {values})")
    return lines


@cache
def _maker(row: Operation, is_stacked: bool) -> Callable:
    """The compiled `make` of a row."""
    namespace = {
        **numbers.VOCABULARY,
        **floating.VOCABULARY,
        "Stop": _Stop,
        "break_fault": break_fault,
    }
    exec(compile(action_source(row, is_stacked), f"<ia64 {row.name}>", "exec"), namespace)
    return namespace["make"]


def _actions(program: Program, state: _State) -> list[tuple[int, Action | None, Action | None]]:
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
        make = _maker(row, needs > 0)
        always = "qp" in row.implicit_reads
        actions = make(state, ip, ip + BUNDLE_BYTES, guard, needs, *values)
        found.append((0 if always else guard, *actions))
    return found


def _register(state: _State, name: str) -> tuple[list, int]:
    """The file of a register and its place there."""
    number = int(name[1:])
    if name[0] == "b":
        return state.br, number
    file, names = {
        "r": (state.gr, state.names.gr),
        "f": (state.fr, state.names.fr),
        "p": (state.pr, state.names.pr),
    }[name[0]]
    return file, names[number]


def _pass_arguments(program: Program, state: _State, arguments: Mapping[str, int | float]) -> None:
    for parameter in program.parameters:
        file, number = _register(state, parameter.register)
        value = arguments[parameter.name]
        file[number] = floating.fr_from_f64(float(value)) if file is state.fr else int(value)
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
    program: Program,
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
    predicates, places = state.pr, state.names.pr
    syllable, end = 3 * program.entry, len(actions)
    try:
        for _ in range(limit):
            if syllable >= end:
                raise _Stop("bad branch target", CODE_BASE + BUNDLE_BYTES * (syllable // 3))
            guard, action, squashed = actions[syllable]
            executed[syllable] += 1
            if predicates[places[guard]]:
                if action is not None:
                    bundle = action()
                    if bundle is not None:
                        syllable = 3 * bundle
                        continue
            elif squashed is not None:
                squashed()
            syllable += 1
    except _Stop as stop:
        kind, address = stop.kind, stop.address
    except MemoryFault as stop:
        kind, address = stop.kind, stop.address
    except FrameFault as stop:
        kind, address = stop.kind, None
    else:
        return "limit", None
    if kind is None:
        return "done", None
    told = min(syllable, end - 1)  # a run off the end has its place where the code ends
    place = program.locations[told] if program.locations else None
    if syllable < end:
        executed[syllable] -= 1
    return "fault", MachineFault(kind, place, address, syllable)
