"""Functions of arrays on `duo`: what is done for every element is a command of an engine.

    each.mul.f32(x, y)      copy x, y to the scratchpad; tensor.mul.f32 pad2, pad0, pad1; copy out

An array has as many elements as the pass is told, since buffers have a size.  What a function gives
fills a buffer of its own, from which `call` takes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from compiler.ir.builder import Builder
from compiler.ir.module import Buffer, Descriptor, Function
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.scalars import Constant
from compiler.levels.arrays.operations.structural import Replicate
from compiler.levels.arrays.table import Symbol
from compiler.levels.arrays.types import Array
from compiler.transformation import Changes, Pass, option
from duo.code import PAD
from machines.diagnostics import InputError, input_error, nearest
from machines.elements import DTYPES
from machines.types import F32
from sim.forms import Wanted
from sim.workload.inputs import given_array, make_input

RESULT = "return"
COMMANDS = {f"{name}.f32": f"tensor.{name}.f32" for name in ("add", "sub", "mul", "min", "max")}


@dataclass(frozen=True, slots=True)
class Elementwise:
    """What a caller has to know: the arrays that a function takes, and how long all are."""

    call: ClassVar[str] = "duo.elementwise:call"
    parameters: tuple[str, ...]
    elements: int


@dataclass(frozen=True, slots=True)
class Options:
    """How long arrays are."""

    elements: int = option(64, "Elements of every array.")


class Lowering:
    """Writes the commands of a function; a value is a buffer of the scratchpad, or a number."""

    def __init__(self, function: Function, elements: int):
        self.function, self.elements = function, elements
        self.graph, self.buffers = function.body.graph, dict(function.buffers)
        self.held: dict[Symbol, str | float] = {}
        self.code = Builder(function)
        self.code.block("entry")

    def run(self) -> None:
        node = self.graph[self.function.body.symbol]
        for symbol in node.operation.parameters:
            if self.graph.type(symbol) != Array(F32):
                raise self.refusal(symbol, "a parameter that is no array of f32")
            memory = self.buffer(self.graph[symbol].operation.name)
            self.held[symbol] = self.new()
            self.emit("tensor.copy.f32", self.held[symbol], memory)
        result = self.value(node.arguments[0])
        if not isinstance(result, str):
            raise self.refusal(node.arguments[0], "a result that is a number")
        self.emit("tensor.copy.f32", self.buffer(RESULT), result)
        self.code.return_()

    def value(self, symbol: Symbol) -> str | float:
        """Where the value of a symbol is; its command is written if it has none yet."""
        if symbol not in self.held:
            node = self.graph[symbol]
            operation = node.operation
            if isinstance(operation, Constant | Replicate):
                is_number = isinstance(operation, Constant)
                held = operation.value if is_number else self.value(node.arguments[0])
            elif isinstance(operation, Each) and str(operation.of) in COMMANDS:
                held = self.command(symbol, COMMANDS[str(operation.of)])
            else:
                raise self.refusal(symbol, f"'{operation}'")
            self.held[symbol] = held
        return self.held[symbol]

    def command(self, symbol: Symbol, row: str) -> str:
        a, b = map(self.value, self.graph[symbol].arguments)
        if isinstance(a, float) and isinstance(b, float):
            raise self.refusal(symbol, "an operation on numbers alone")
        if isinstance(a, float) and ".sub." in row:
            row = row.replace(".sub.", ".scalar_sub.")
        elif isinstance(a, float) or isinstance(b, float):
            row = row.removesuffix(".f32") + "_scalar.f32"
            a, b = (b, a) if isinstance(a, float) else (a, b)
        made = self.new()
        self.code.location = self.graph[symbol].location
        self.emit(row, made, a, b)
        return made

    def emit(self, row: str, *values: str | float) -> None:
        whole = [Descriptor(v, 0, self.elements) if isinstance(v, str) else v for v in values]
        self.code.emit(row, *whole)

    def new(self) -> str:
        return self.buffer(f"{PAD}{len(self.buffers)}", PAD)

    def buffer(self, name: str, space: str = "global") -> str:
        self.buffers[name] = Buffer(name, F32, self.elements, space)
        return name

    def refusal(self, symbol: Symbol, what: str) -> InputError:
        message = f"duo computes arrays of f32 element by element, and has no command for {what}"
        hint = f"{', '.join(COMMANDS)}; a function of one element is vectorized over all parameters"
        return input_error(message, self.graph[symbol].location, hint=hint)


def run(function: Function, machine: Any, options: Options) -> Changes:
    """Write the commands of a function of arrays."""
    lowering = Lowering(function, options.elements)
    lowering.run()
    function.buffers = lowering.buffers
    function.body = Elementwise(tuple(function.body.parameters), options.elements)
    changes = Changes()
    changes.count("commands", len(function.entry.instructions) - 1)
    return changes


PASS = Pass(
    "to_commands",
    "Make commands of a function of arrays.",
    run,
    forms={"arrays": "ir"},
    options=Options,
    kinds=("duo",),
)


@dataclass(frozen=True)
class ElementwiseCall:
    """A case of such a function (see `sim.levels.Call`): its arguments are buffers."""

    case: Any
    inputs: Mapping[str, np.ndarray]
    arrays: ClassVar[dict] = {}
    results: ClassVar[dict] = {RESULT: ("f32", None)}
    gives_number: ClassVar[bool] = False

    def write(self, memory: Any) -> None:
        """There is nothing beside the arguments."""

    def fault(self, memory: Any) -> None:
        """It has none of its own."""

    def outputs(self, memory: Any) -> dict[str, np.ndarray]:
        """What the function gave."""
        return {RESULT: memory.view(RESULT).view(DTYPES["f32"]).copy()}


def call(compiled: Any, case: Any, function: Elementwise) -> ElementwiseCall:
    """The call of a case; raises InputError with every finding."""
    tree, given = compiled.workload.tree, dict(case.arguments)
    findings = [
        node.finding(f"the function has no parameter '{name}'", nearest(name, function.parameters))
        for name, node in given.items()
        if name not in function.parameters
    ]
    findings += [
        tree.finding(f"argument '{name}' is missing", key="arguments")
        for name in function.parameters
        if name not in given
    ]
    if findings:
        raise InputError(findings)
    folder, shape = compiled.workload.folder, (function.elements,)
    inputs = {name: make_input(n, Wanted(name, "f32", shape), folder) for name, n in given.items()}
    given[RESULT] = given_array(np.zeros(shape, np.float32), tree)
    return ElementwiseCall(replace(case, arguments=given, expect={}), inputs)
