"""Registers of `scalar5`: one file, of integers and floats alike, `%r0`, `%r1`, …

func @f(a: i64, b: i64)       %r0 and %r1 when the program begins
s = add.i64 a, b              %r0 = add.i64 %r0, %r1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.machine_code.allocation import Allocator
from compiler.machine_code.colouring import Bias, Colouring, Palette
from compiler.machine_code.liveness import liveness_of
from compiler.machine_code.operands import Operands
from compiler.machine_code.spilling import Spiller
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.diagnostics import InputError, input_error
from machines.instructions import operations
from machines.program import ProgramBuffer
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR, Type
from scalar5.fields import Scalar5
from scalar5.refusals import refuse

TYPES = {t.name: t for t in (I1, I8, I16, I32, I64, F32, F64, PTR)}
REGISTER = "%r"


@dataclass(frozen=True)
class Frame:
    """Of a function with registers: the one that each parameter comes in, and its slots."""

    parameters: tuple[str, ...]
    slots: tuple[ProgramBuffer, ...]


def row(name: str, results: tuple[str, ...], *operands: str | int | float) -> Instruction:
    return Instruction(operations().family("ir")[name], results, operands)


def operands_of(types: Mapping[str, Type]) -> Operands:
    """How to read rows of the IR over variables of some types."""

    def named(i: Instruction) -> list[tuple[str, str]]:
        return [(name, types[name].name) for name in (*i.results, *i.variables_read)]

    def move_source(i: Instruction) -> str | None:
        is_move = i.operation.name.startswith("copy.") and i.guard is None
        return i.operands[0] if is_move and isinstance(i.operands[0], str) else None

    return Operands(
        banks=dict.fromkeys(TYPES, "registers"),
        named=named,
        move_source=move_source,
        is_virtual=lambda name: not name.startswith(REGISTER),
    )


class Slots(Spiller):
    """Writes code around values in buffers."""

    types = TYPES

    def __init__(self, function: Function, operands: Operands):
        super().__init__(function, operands)
        self.slots: list[ProgramBuffer] = []

    def is_made_of_nothing(self, i: Instruction) -> bool:
        return i.operation.name.startswith(("const.", "address.ptr")) and i.guard is None

    def home(self, name: str, file: str) -> tuple[str, str]:
        t = I8 if file == "i1" else TYPES[file]
        self.slots.append(ProgramBuffer(f"%slot{len(self.slots)}", t, 1))
        return self.slots[-1].name, "spilled"

    def load(self, register: str, file: str, home: str) -> list[Instruction]:
        if file == "i1":
            byte = self.temporary("i8")
            return [*self.load(byte, "i8", home), row("ne.i8", (register,), byte, 0)]
        address = self.temporary("ptr")
        return [row("address.ptr", (address,), home), row(f"load.{file}", (register,), address)]

    def store(self, register: str, file: str, home: str) -> list[Instruction]:
        if file == "i1":
            byte = self.temporary("i8")
            return [row("zext.i1.i8", (byte,), register), *self.store(byte, "i8", home)]
        address = self.temporary("ptr")
        return [row("address.ptr", (address,), home), row(f"store.{file}", (), address, register)]


class Registers(Allocator):
    """Gives out registers: that of a copy, or the lowest.

    arrivals   the variables that parameters come in; nothing writes them, so they have to stay
    """

    def __init__(self, function: Function, machine: Scalar5):
        self.arrivals = receive(function)
        super().__init__(function, operands_of(function.types))
        self.machine = machine
        self.spiller = Slots(function, self.operands)

    def must_stay(self, group: Sequence[str]) -> bool:
        return super().must_stay(group) or group[0] in self.arrivals

    def colour(self) -> tuple[dict[str, str], list[list[str]]]:
        nodes, count = self.graph.nodes(), self.machine.registers
        names, bias = [node.members[0] for node in nodes], Bias(self.graph.copies, {})
        palettes = [Palette((1 << count) - 1, size=1, room=count - 1)] * len(nodes)
        colouring = Colouring(nodes, palettes, [self.must_stay([name]) for name in names])
        given, homeless = colouring.colour(lambda k, free: bias.choose(names[k], free))
        colours = {names[k]: f"{REGISTER}{bit.bit_length() - 1}" for k, bit in given.items()}
        return colours, [[names[k]] for k in homeless]

    def refusal(self, file: str) -> InputError:
        message = f"{self.machine.registers} registers are too few for '{self.function.name}'"
        return input_error(message, self.function.location, hint="raise 'registers'")


def receive(function: Function) -> list[str]:
    """Begin with copies of the parameters, which may be spilled, and with zeros for variables that
    may be read before they are set; returns the names that the parameters have until then."""
    live = liveness_of(operands_of(function.types))(function)
    values: dict[str, str | int | float] = {name: f"{name}%in" for name, _ in function.parameters}
    arrivals = list(values.values())
    for name in live.names(live.live_in[function.entry.name]):
        values.setdefault(name, 0.0 if function.types[name].is_float else 0)
    function.types |= {f"{name}%in": t for name, t in function.parameters}
    builder, types = Builder(function), function.types
    if control_flow(function).predecessors[function.entry.name]:
        builder.new_entry()
    code = [row(f"copy.{types[name]}", (name,), value) for name, value in values.items()]
    builder.set_instructions(function.entry, [*code, *function.entry.instructions])
    return arrivals


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    refuse(function)
    registers = Registers(function, machine.description)
    given, spiller = registers.allocate(rounds=100), registers.spiller
    function.frame = Frame(tuple(given[n] for n in registers.arrivals), tuple(spiller.slots))
    return Changes(spiller.counts)


PASS = Pass("give_registers", "Give out registers.", run, {"ir": "allocated"}, kinds=("scalar5",))
