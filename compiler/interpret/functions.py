"""What IR means: runs a function and judges every pass and, through them, everything else.

A function is translated once per version into Python source
(`compiler.interpret.generate_python`), which runs at a few million instructions a second.
Faults are precise: everything before the faulting instruction has happened, nothing of it or after
it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from compiler.interpret.generate_python import (
    MOST_CALLS,
    GeneratedFunction,
    called_as,
    source_name,
    translate,
    translate_observed,
)
from compiler.interpret.tensors import TensorUnit
from compiler.ir.builder import canonical
from compiler.ir.literals import literal_range
from compiler.ir.memory_spaces import extent_of, flat_buffers, reachable
from compiler.ir.module import Function, Module
from machines.diagnostics import Location, input_error, nearest
from machines.layout import BASE, Extent, Memory, MemoryFault
from machines.operations.evaluate import OperationFault
from machines.tensors.loops import python_loops
from machines.tensors.work import Loops
from machines.types import PTR, Type

STEP_LIMIT = 100_000_000
"""Instructions after which an interpretation ends unless the caller gives another limit."""


Observe = Callable[[str, int, int, str, int, int], None]
"""observe(block, index of the instruction, position of the interval or address among its operands,
'load' or 'store', address, bytes)"""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a run ended early.

    kind      'out of bounds', 'misaligned', 'division by zero', 'size mismatch', 'overlapping
              segments' or 'calls too deep'
    address   the address of the access, None for the last three kinds
    block     where in `function`
    """

    kind: str
    location: Location | None
    address: int | None
    block: str
    index: int
    function: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    status      'done', 'fault' or 'limit' (the next block would pass the step limit)
    value       what the function returned, if it is done and returns something
    steps       instructions executed: phis, guarded-off instructions and the faulting one included
    unassigned  variables that were read before any assignment (they read 0), each once, in the
                order of their first such read
    """

    status: str
    value: int | float | None
    fault: Fault | None
    steps: int
    unassigned: tuple[str, ...] = ()


class OpaqueStream:
    """A seeded stream of conditions nothing is known of (splitmix64, one bit a draw)."""

    def __init__(self, seed: int):
        self._state = seed & _MASK

    def draw(self) -> int:
        """0 or 1."""
        self._state = (self._state + 0x9E37_79B9_7F4A_7C15) & _MASK
        z = self._state
        z = (z ^ z >> 30) * 0xBF58_476D_1CE4_E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D0_49BB_1331_11EB & _MASK
        return (z ^ z >> 31) & 1


_MASK = (1 << 64) - 1


def memory_for(module: Module, arguments: Mapping[str, object]) -> Memory:
    """A memory laid out as every run lays it out, with its initial contents.

    First the arguments that are arrays, in their order in `arguments` (the parameters' order),
    then the module's buffers in `global` and `constant`, in the order of declaration.
    """
    arrays = {name: a for name, a in arguments.items() if isinstance(a, np.ndarray)}
    buffers = flat_buffers(module.buffers)
    blocks = [Extent(name, array.nbytes) for name, array in arrays.items()]
    memory = Memory([*blocks, *map(extent_of, buffers)])
    for name, array in arrays.items():
        memory.view(name)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for buffer in buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    return memory


def interpret(
    function: Function,
    arguments: Mapping[str, object],
    memory: Memory,
    *,
    limit: int = STEP_LIMIT,
    opaque_seed: int = 0,
    observe: Observe | None = None,
    loops: Loops = python_loops,
) -> Outcome:
    """Run a verified function; `memory` is changed as the function changes it.

    An argument that is an array, or the name of a placed buffer, stands for its address.
    `observe` is told of every access to memory, after it, the loads of an instruction before its
    store; empty intervals are no accesses.  `loops` runs the loops of tensor operations.
    Raises InputError if an argument is missing, unknown or does not fit its type.
    """
    values = argument_values(function, arguments, memory)
    draw = OpaqueStream(opaque_seed).draw
    unassigned: list[str] = []
    runs: dict[str, Callable] = {}
    pointed: dict[tuple[int, str], Callable] = {}
    functions = reachable(function)
    for one in functions.values():
        generated = translate_observed(one) if observe else translate(one)
        runs[one.name] = generated.bind(
            accessors=accessors(memory, generated)
            | _tensor_units(one, memory, generated, draw, observe, loops),
            addresses=memory.address,
            opaque=draw,
            unassigned=partial(report_unassigned, one, unassigned),
            observe=observe,
            fault=OperationFault,
            callees=runs,
            pointed=pointed,
        )
    for buffer in function.buffers.values():
        if buffer.function in runs:
            kind = called_as(functions[buffer.function])
            pointed[memory.address(buffer.name), kind] = runs[buffer.function]
    try:
        with room_for_calls(functions):
            status, value, steps = runs[function.name](limit, 0, *values)
    except (MemoryFault, OperationFault) as error:
        fault, steps = _fault(error, functions, translate_observed if observe else translate)
        return Outcome("fault", None, fault, steps, tuple(dict.fromkeys(unassigned)))
    return Outcome(status, value, None, steps, tuple(dict.fromkeys(unassigned)))


def report_unassigned(function: Function, unassigned: list[str], name: str) -> int | float:
    unassigned.append(name)
    return 0.0 if function.types[name].is_float else 0


@contextmanager
def room_for_calls(functions: Mapping[str, Function]) -> Iterator[None]:
    """As many frames of Python as calls may be deep, if there are calls."""
    usual = sys.getrecursionlimit()
    if any(function.callees for function in functions.values()):
        sys.setrecursionlimit(usual + MOST_CALLS)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def _fault(
    error: MemoryFault | OperationFault,
    functions: Mapping[str, Function],
    translated: Callable[[Function], GeneratedFunction],
) -> tuple[Fault, int]:
    """Where the innermost function faulted, and the steps of all that were running."""
    sources = {source_name(name): function for name, function in functions.items()}
    steps, traceback = 0, error.__traceback__
    while traceback is not None:
        function = sources.get(traceback.tb_frame.f_code.co_filename)
        if function is not None:
            block, index = translated(function).points[traceback.tb_lineno]
            instructions = function.blocks[block].instructions
            steps += traceback.tb_frame.f_locals["steps"] - len(instructions) + index + 1
            details = instructions[index].location, error.address, block, index, function.name
        traceback = traceback.tb_next
    return Fault(error.kind, *details), steps


def argument_values(
    function: Function, arguments: Mapping[str, object], memory: Memory
) -> list[int | float]:
    """The parameters' values in order."""
    names = [name for name, _ in function.parameters]
    for name in arguments:
        if name not in names:
            message = f"@{function.name} has no parameter '{name}'"
            raise input_error(message, function.location, hint=nearest(name, names))
    for name in names:
        if name not in arguments:
            message = f"@{function.name} needs a value for its parameter '{name}'"
            raise input_error(message, function.location)
    return [
        _argument_value(name, type, arguments[name], memory) for name, type in function.parameters
    ]


def _argument_value(name: str, type: Type, value: object, memory: Memory) -> int | float:
    if type is PTR and isinstance(value, np.ndarray):
        return memory.address(name)
    if type is PTR and isinstance(value, str):
        if value not in memory.placements:
            message = f"there is no buffer '{value}' for the parameter '{name}'"
            raise input_error(message, hint=nearest(value, memory.placements))
        return memory.address(value)
    if type.is_float and isinstance(value, (int, float, np.number)):
        return canonical(float(value), type)
    if not type.is_float and isinstance(value, (int, np.integer, np.bool_)):
        lowest, highest = literal_range(type)
        if lowest <= value <= highest:
            return canonical(int(value), type)
    raise input_error(f"{value!r} is no {type}, the type of the parameter '{name}'")


def accessors(memory: Memory, generated: GeneratedFunction) -> dict[str, Callable]:
    """Loads and stores of the sizes the code uses, by name: 'load4', 'store8'.

    A load gives an unsigned number, of 8 bytes a signed one.
    """
    made = {}
    for kind, size in generated.accesses:
        make = _loader if kind == "load" else _storer
        made[f"{kind}{size}"] = make(memory, size)
    return made


def _tensor_units(
    function: Function,
    memory: Memory,
    generated: GeneratedFunction,
    draw: Callable[[], int],
    observe: Observe | None,
    loops: Loops,
) -> dict[str, Callable]:
    """What the code calls for its tensor instructions, by name."""
    made = {}
    for name, (block, index) in generated.tensors.items():
        instruction = function.blocks[block].instructions[index]
        told = partial(observe, block, index) if observe else None
        made[name] = TensorUnit(instruction, memory, draw, told, loops)
    return made


_FORMATS = {1: "B", 2: "H", 4: "I", 8: "q"}


def _loader(memory: Memory, size: int) -> Callable:
    """A function that loads `size` bytes, as `Memory.load` would."""
    cells = memoryview(memory.bytes).cast(_FORMATS[size])
    span, misaligned, shift = len(memory.bytes), size - 1, size.bit_length() - 1
    whole, unit = memoryview(memory.whole), memory.unit_shift

    def load(address: int) -> int:
        offset = address - BASE
        if not (0 <= offset < span and whole[offset >> unit]) or offset & misaligned:
            memory.check(address, size)
        return cells[offset >> shift]

    return load


def _storer(memory: Memory, size: int) -> Callable:
    """A function that stores the low `size` bytes of a value, as `Memory.store` would."""
    cells = memoryview(memory.bytes).cast(_FORMATS[size])
    span, misaligned, shift = len(memory.bytes), size - 1, size.bit_length() - 1
    whole, unit = memoryview(memory.whole), memory.unit_shift
    mask = (1 << 8 * size) - 1 if size < 8 else -1  # 8 bytes hold any signed value as it is

    def store(address: int, value: int) -> None:
        offset = address - BASE
        if not (0 <= offset < span and whole[offset >> unit]) or offset & misaligned:
            memory.check(address, size)
        cells[offset >> shift] = value & mask

    return store
