"""One core with its program in memory: built before time starts, then advanced from outside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from machines.diagnostics import Location, input_error
from machines.instructions.ia64_control import EXIT_ADDRESS, FPSR
from machines.instructions.ia64_frame import Frame
from machines.instructions.ia64_operands import GLOBAL_POINTER, GLOBAL_POINTER_VALUE
from machines.kinds.epic.fields import Epic
from machines.kinds.epic.program import BundleProgram
from machines.kinds.epic.stalls import CAUSES
from machines.layout import Memory
from machines.program import Parameter
from machines.vocabulary.floating import fr_value
from machines.vocabulary.numbers import sign_extend, wrap
from sim.cores.addresses import in_arena, table_of
from sim.cores.epic import state as at
from sim.cores.epic.decode import Decoded
from sim.cores.epic.hot_packets import HotPackets
from sim.cores.epic.memory.hierarchy import L1D, L2, build_hierarchy, far_level
from sim.cores.epic.renaming import initial_names
from sim.cores.epic.state import CoreState
from sim.cores.epic.timeline import Noted, Timeline
from sim.cores.epic.write_core import application_registers, load_core
from sim.cores.kept_arrays import arrays_of, with_arrays
from sim.cores.rest import Plain
from sim.cores.returned import DONE, QUANTUM
from sim.engine import Carried
from sim.timeline.span import Happening

CYCLES_NOTED = 1024
"""Of what is noted: cycles of a call of the core."""
ROWS_NOTED = CYCLES_NOTED * at.MOST_ROWS
STACK = "stack"
"""Name of the buffer at whose end the stack pointer starts."""
STACK_RESERVE = 16  # bytes above the stack pointer that a called function may write (the ABI's)


@dataclass(slots=True)
class Notes:
    """What is noted of a run from some cycle on.

    bound  the code that packets had before
    end    the cycle up to which it was noted, once that has come
    """

    timeline: Timeline
    bound: np.ndarray
    rows: list[np.ndarray] = field(default_factory=list)
    end: int = 0

    def told(self) -> Iterator[Happening]:
        """What was noted since the last time."""
        rows, self.rows = self.rows, []
        return (one for some in rows for one in self.timeline.of(some))


class EpicCore(Carried):
    """A program loaded into a core, which has been called; `state` is all there is to know about
    it."""

    def __init__(
        self,
        program: BundleProgram,
        machine: Epic,
        memory: Memory,
        arguments: Mapping[str, object],
        noted: Noted | None = None,
    ):
        """`noted`: what is told of its timeline; None: nothing."""
        self.program, self.machine, self.memory = program, machine, memory
        addresses = [memory.address(symbol) for symbol in program.symbols]
        self.decoded = Decoded(program, machine, addresses)
        arena = in_arena(_build_state(self.decoded, memory, noted is not None))
        self.state = arena.state
        self._begin_call(arguments)
        self._table = table_of(self.state, arena.buffer)
        core = load_core(machine.instructions)
        self._advance = core["advance"]
        self.hot = HotPackets(self.state, arena.buffer, core)
        self._noted = noted
        self._notes: Notes | None = None
        self._ended_notes: list[Notes] = []
        self._status, self._call = QUANTUM, 0

    @property
    def cycle(self) -> int:
        return int(self.state.scalars[at.CYCLE])

    @property
    def issued(self) -> int:
        """Packets so far."""
        return int(self.state.packet_counts.sum())

    def advance(self, until: int) -> int:
        """Run until cycle `until`; returns QUANTUM, DONE or FAULTED."""
        if self._noted is None:
            return self._advance_with_code(until)
        while True:
            stop = min(until, self._noted.stretch.change(self.cycle))
            if self._noted.stretch.holds(self.cycle):
                if self._notes is None:
                    self._begin_noting()
                self._status = self._advance_noting(stop)
            else:
                self._status = self._advance_with_code(stop)
            if self._notes is not None and self.cycle >= self._noted.stretch.end:
                self._end_noting()
            if self._status != QUANTUM or stop == until:
                return self._status

    def _advance_with_code(self, until: int) -> int:
        """The same, of which nothing is noted: packets that are hot have code of their own."""
        while True:
            self.hot.look()
            stop = min(until, self.hot.next_look)
            self._status = self._advance(self._table, stop)
            if self._status != QUANTUM:
                self.hot.end()
            if self._status != QUANTUM or stop == until:
                return self._status

    def _advance_noting(self, until: int) -> int:
        """The same, of what is noted: packets have no code of their own."""
        told = self.state.told
        assert self._notes is not None and self._noted is not None
        while True:
            stop = min(until, self.cycle + CYCLES_NOTED)
            self._status = self._advance(self._table, stop)
            count, told[at.ROWS] = int(told[at.ROWS]), 0
            rows = told[at.FIRST_ROW :].reshape(-1, at.ROW_COLUMNS)[:count]
            assert len(rows) == count, "more was noted than there is room for"
            self._notes.rows.append(self._noted.wanted(rows))
            if self._status != QUANTUM or stop == until:
                return self._status

    def _begin_noting(self) -> None:
        self.hot.rest()
        self.state.parameters[at.TRACES] = ROWS_NOTED
        self._notes = Notes(Timeline(self.decoded), self.state.bound.copy())
        self.state.bound[:] = 0

    def _end_noting(self) -> None:
        assert self._notes is not None
        self.state.parameters[at.TRACES] = 0
        self.state.bound[:] = self._notes.bound
        self._notes.end = self.cycle
        self._ended_notes.append(self._notes)
        self._notes = None

    def happened(self) -> Iterable[Happening]:
        for notes in self._ended_notes:
            yield from notes.told()
            yield from notes.timeline.end(notes.end)
        self._ended_notes = []
        if self._notes is not None:
            yield from self._notes.told()

    def still_happens(self) -> Iterable[Happening]:
        if self._notes is not None:
            self._end_noting()
        yield from self.happened()

    def wait_until(self, cycle: int) -> None:
        self.state.scalars[at.CYCLE] = max(self.cycle, cycle)

    def call(self, number: int, arguments: Mapping[str, object]) -> None:
        """Call the program, which has ended, once more: its caller passes these arguments.

        Caches, predictors and registers are as they were left.  Raises InputError if the program
        ended in the frame of a function that it had called.
        """
        frame = self.state.frame
        if frame[at.BOTTOM] or frame[at.SAVED]:
            message = "the program ended within a function that it called"
            raise input_error(message, hint="it cannot be called again: leave 'calls' out")
        self._begin_call(arguments)
        self._status, self._call = QUANTUM, number

    def _begin_call(self, arguments: Mapping[str, object]) -> None:
        """What a caller does, from a frame like the first one of the program."""
        state = self.state
        frame = Frame(self.machine.largest_frame, 0, 0).marker
        state.frame[at.MARKER] = state.frame[at.NAMED] = frame
        state.names[:] = initial_names()
        names = application_registers(self.machine.instructions)
        if "ar.pfs" in names:
            state.application[names.index("ar.pfs")] = frame
        state.branch_registers[at.BRANCH_REGISTER] = EXIT_ADDRESS
        state.returns[0] = EXIT_ADDRESS
        state.scalars[at.RETURN_TOP] = 1
        state.scalars[at.PACKET] = self.decoded.entry
        state.scalars[at.LINE_HELD] = -1
        _pass_arguments(state, self.program, self.machine, self.memory, arguments)

    def at_rest(self) -> Plain:
        return {"call": self._call, "arrays": arrays_of(self.state, at.FIXED)}

    def restore(self, state: Plain) -> None:
        with_arrays(self.state, state["arrays"], at.FIXED)
        self._status, self._call = DONE, state["call"]

    def finished(self) -> list[int]:
        """The number of the call, once it has ended."""
        return [self._call] if self._status == DONE else []

    def fingerprint(self) -> tuple:
        """Everything that decides how the core goes on, but memory and the clock."""
        state = self.state
        return (
            int(state.scalars[at.PACKET]), int(state.scalars[at.MEMORY_WRITES]),
            *(part.tobytes() for part in (
                state.general, state.floating, state.significands, state.tags,
                state.predicates[: at.NO_PREDICATE],
                state.branch_registers, state.application,
                state.frame[: at.REGISTERS_SAVED], state.backing[: state.frame[at.SAVED]],
            )),
        )  # fmt: skip

    def where_it_loops(self) -> str:
        where = self._where_it_is()
        return f"the program loops at {where}" if where else "the program loops"

    def value(self) -> int | float | None:
        """The program's result, as its type says, from the result register."""
        if self.program.result is None:
            return None
        register, kind = self.program.result
        number = int(register[1:])
        if register[0] == "f":
            return fr_value(self.floating_registers()[number])
        if register[0] == "p":
            return self.predicates()[number]
        value = self.general_registers()[number]
        return sign_extend(value, kind.bits) if kind.is_integer and kind.bits > 1 else value

    def location(self, syllable: int) -> Location | None:
        """Where in the source a syllable comes from; of one past the end: where the last does."""
        locations = self.program.locations
        return locations[min(syllable, len(locations) - 1)] if locations else None

    @property
    def next_packet(self) -> range:
        """The syllables that issue next, together; none if the program has ended."""
        if self._status != QUANTUM:
            return range(0)
        packet = int(self.state.scalars[at.PACKET])
        end = int(self.state.packets.reshape(-1, at.PACKET_COLUMNS)[packet, at.END])
        return range(int(self.decoded.starts[packet]), min(end, self.decoded.syllables))

    def _where_it_is(self) -> str | None:
        """The label before, or the source line of, the next packet."""
        packets = self.state.packets.reshape(-1, at.PACKET_COLUMNS)
        syllable = int(packets[self.state.scalars[at.PACKET], at.FIRST])
        location = self.location(syllable)
        if location is not None:
            return str(location)
        labels = [bundle for bundle in self.program.labels if 3 * bundle <= syllable]
        return self.program.labels[max(labels)] if labels else None

    def general_registers(self) -> list[int]:
        """The general registers by their names; those that the frame does not have are 0."""
        found = self.state.general[self.decoded.renaming.registers_named("gr", self.state.frame)]
        found[self.decoded.renaming.outside(self.state.frame)] = 0
        return found.tolist()

    def predicates(self) -> list[int]:
        """The predicates by their names."""
        return self.state.predicates[
            self.decoded.renaming.registers_named("pr", self.state.frame)
        ].tolist()

    def floating_registers(self) -> list[tuple[float, int, int]]:
        """The floating registers by their names, each the triple of
        `machines.vocabulary.floating`."""
        registers = self.decoded.renaming.registers_named("fr", self.state.frame)
        files = (self.state.floating, self.state.significands, self.state.tags)
        return list(zip(*(file[registers].tolist() for file in files), strict=True))

    def branch_registers(self) -> list[int]:
        """The branch registers."""
        count = self.machine.registers["branch"].count
        return self.state.branch_registers[at.BRANCH_REGISTER :][:count].tolist()


def _build_state(decoded: Decoded, memory: Memory, is_traced: bool) -> CoreState:
    rows = ROWS_NOTED if is_traced else 0
    machine, caches = decoded.machine, build_hierarchy(decoded.machine)
    classes = decoded.classes
    causes, predictor = len(machine.stall_order), machine.branches.predictor
    packets = len(decoded.packets) // at.PACKET_COLUMNS

    def longs(count: int) -> np.ndarray:
        return np.zeros(max(1, count), dtype=np.int64)

    state = CoreState(
        code=decoded.code,
        wide=decoded.wide,
        packets=decoded.packets,
        checks=decoded.checks,
        entries=decoded.entries,
        foreseen=decoded.foreseen,
        toward=classes.toward.reshape(-1),
        longest=classes.longest,
        nominal=classes.nominal,
        waits=classes.waits,
        parameters=_parameters(decoded),
        extents=np.array([len(memory.bytes), memory.unit_shift, len(memory.starts)]),
        whole=memory.whole,
        starts=memory.starts,
        ends=memory.ends,
        bytes1=memory.bytes,
        bytes2=memory.bytes.view(np.uint16),
        bytes4=memory.bytes.view(np.uint32),
        bytes8=memory.bytes.view(np.int64),
        told=longs(at.FIRST_ROW + rows * at.ROW_COLUMNS),
        bound=longs(packets),
        rings=decoded.renaming.rings(),
        general=longs(at.REGISTERS),
        floating=np.zeros(at.REGISTERS),
        significands=longs(at.REGISTERS),
        tags=longs(at.REGISTERS),
        predicates=longs(at.REGISTERS),
        branch_registers=longs(at.REGISTERS),
        application=longs(len(application_registers(machine.instructions))),
        names=initial_names(),
        frame=longs(at.FRAME_ENTRIES),
        backing=decoded.renaming.backing(),
        settled=longs(at.REGISTERS),
        issued=longs(at.REGISTERS),
        producer=longs(at.REGISTERS),
        pending=longs(causes),
        blamed=longs(causes),
        lost=longs(causes),
        stalls=longs((decoded.syllables + 1) * causes),
        packet_counts=longs(packets),
        cut=longs(decoded.syllables + 1),
        squashed=longs(decoded.syllables + 1),
        history=longs(predictor.entries),
        counters=np.full(predictor.counters, at.UNTRAINED, dtype=np.uint8),
        targets=longs(predictor.entries),
        returns=longs(predictor.return_stack),
        branches=longs(3),
        scalars=longs(at.SCALARS),
        caches=caches,
    )
    state.predicates[at.PREDICATE] = 1
    state.floating[at.FLOATING + 1] = 1.0
    names = application_registers(machine.instructions)
    if "ar.fpsr" in names:
        state.application[names.index("ar.fpsr")] = FPSR
    return state


def _parameters(decoded: Decoded) -> np.ndarray:
    machine = decoded.machine
    branches, predictor = machine.branches, machine.branches.predictor
    order = list(machine.stall_order)
    parameters = np.zeros(at.PARAMETERS, dtype=np.int64)
    ranks = [order.index(cause.name) for cause in CAUSES]
    parameters[at.RANK :] = ranks
    holding = [rank for rank, cause in zip(ranks, CAUSES, strict=True) if not cause.is_wait]
    for entry, value in (
        (at.HOLDS, sum(1 << rank for rank in holding)),
        (at.MISPREDICT, branches.mispredict),
        (at.TAKEN_BUBBLE, branches.taken_bubble),
        (at.NEAR_LEVEL, L1D),
        (at.FAR_LEVEL, far_level(machine)),
        (at.PREFETCH_LEVEL, L2),
        (at.LOCAL_HISTORY, predictor.kind == "local"),
        (at.HISTORY_ENTRIES, predictor.entries),
        (at.HISTORY_BITS, predictor.history_bits),
        (at.COUNTERS, predictor.counters),
        (at.RETURN_STACK, predictor.return_stack),
        (at.PERFECT_COUNTED_LOOPS, predictor.perfect_counted_loops),
        (at.USE_COLUMNS, decoded.classes.columns),
        (at.MISALIGNED_COST, _misaligned(machine)),
        (at.BUNDLES, len(decoded.entries)),
        (at.REASONS, len(order)),
        *decoded.renaming.parameters().items(),
    ):
        parameters[entry] = value
    return parameters


def _misaligned(machine: Epic) -> int:
    return at.NEVER_SERVED if machine.memory.misaligned is None else machine.memory.misaligned


def _pass_arguments(
    state: CoreState,
    program: BundleProgram,
    machine: Epic,
    memory: Memory,
    arguments: Mapping[str, object],
) -> None:
    """Put arguments where the program expects them, and the address of the stack into its
    pointer."""
    for parameter in program.parameters:
        file, number = parameter.register[0], int(parameter.register[1:])
        value = _argument(parameter, memory, arguments)
        if file == "f":
            register = at.FLOATING + number
            state.floating[register] = float(value)
            state.significands[register] = state.tags[register] = 0
        elif file == "p":
            register = at.PREDICATE + number
            state.predicates[register] = int(value)
        else:
            register = at.GENERAL + number
            state.general[register] = wrap(int(value))
        state.settled[register] = state.issued[register] = state.producer[register] = 0
    state.general[at.GENERAL + GLOBAL_POINTER] = GLOBAL_POINTER_VALUE
    pointer = machine.registers["general"].stack_pointer
    if STACK in memory.placements and pointer is not None:
        stack = memory.placements[STACK]
        state.general[at.GENERAL + pointer] = stack.address + stack.size - STACK_RESERVE


def _argument(parameter: Parameter, memory: Memory, arguments: Mapping[str, object]) -> int | float:
    """A number as it is given; of an array, which is a buffer of its name, the address."""
    value = arguments.get(parameter.name)
    if isinstance(value, int | float | np.integer | np.floating):
        return value
    if parameter.name in memory.placements:
        return memory.address(parameter.name)
    raise input_error(
        f"no value for argument '{parameter.name}'",
        hint=f"arguments given: {', '.join(arguments) or 'none'}",
    )
