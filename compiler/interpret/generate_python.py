"""Translates an IR function into one Python function, for the interpreter.

    func @f(n: i32) -> i32 {          def run(limit, depth, v0):
    BB1:                                  steps = 0
        x = add.i32 n, 1        ->        block = 0
        return x                          while True:
    }                                         steps += 2
                                              if steps > limit: return 'limit', None, steps - 2
                                              v1 = sign_extend(v0 + (1), 32)
                                              return 'done', v1, steps

Blocks are found by a binary decision over their number.  Only blocks the entry reaches are
translated.  Which instruction a line belongs to is kept, so that a fault needs no bookkeeping: the
line at which the exception was raised names it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compiler.analyses.assignment import uncertain_reads
from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.interpret.tensors import tensor_arguments
from compiler.ir.memory_spaces import is_of_threads
from compiler.ir.module import Block, Function, Instruction, Value
from machines.diagnostics import input_error
from machines.operations.evaluate import NAMESPACE, python_literal
from machines.operations.meaning import parsed
from machines.operations.row import Label, Operation, Symbol

MOST_CALLS = 10_000
"""How deep calls may lead; one more faults."""


@dataclass(frozen=True, slots=True)
class GeneratedFunction:
    """Python source of a function and what it needs to run.

    points     line number -> (block, index of the instruction)
    accesses   (kind, bytes) of the memory accesses, in order of appearance
    symbols    buffers whose addresses are read, by the name they have in the source
    tensors    points of the tensor instructions, by the name of the function called for each
    """

    source: str
    code: object
    points: dict[int, tuple[str, int]]
    accesses: tuple[tuple[str, int], ...]
    symbols: dict[str, str]
    tensors: dict[str, tuple[str, int]]

    def bind(
        self,
        *,
        accessors: dict[str, Callable],
        addresses: Callable[[str], int],
        opaque: Callable[[], int],
        unassigned: Callable[[str], int | float],
        fault: type[Exception],
        observe: Callable | None,
        callees: dict[str, Callable],
        pointed: dict[tuple[int, str], Callable],
        clock: list[int] | None = None,
    ) -> Callable:
        """`run(limit, depth, *arguments) -> (status, value, steps)` over these accessors and
        streams.

        `accessors` has a function for each of `accesses` ('load4') and of `tensors`, `callees` the
        `run` of each function that may be called, `pointed` those that have an address, by it and
        `called_as`; `depth` is how many calls led here.  `clock` is that of
        `compiler.interpret.generate_threads`: the steps of all threads, and their limit.
        """
        space = {**NAMESPACE, **accessors}
        space |= {name: addresses(symbol) for name, symbol in self.symbols.items()}
        space |= {"draw_opaque": opaque, "unassigned": unassigned, "Fault": fault}
        space |= {"observe": observe, "callees": callees, "clock": clock}
        space["pointed"] = pointed
        exec(self.code, space)
        return space["run"]


@cached_by_version
def translate(function: Function) -> GeneratedFunction:
    """Translate a verified function."""
    return Generator(function, observed=False).generate()


@cached_by_version
def translate_observed(function: Function) -> GeneratedFunction:
    """Translate a verified function so that it tells of its accesses."""
    return Generator(function, observed=True).generate()


def source_name(function: str) -> str:
    """What tracebacks call the source of a function."""
    return f"<ir @{function}>"


def called_as(function: Function) -> str:
    """What functions must share for one to be called as another: '(i64, ptr) -> f64'."""
    return f"({', '.join(t.name for _, t in function.parameters)}) -> {function.result}"


class Generator:
    def __init__(self, function: Function, observed: bool):
        self.function, self.observed = function, observed
        self.order = control_flow(function).reverse_postorder
        self.numbers = {name: number for number, name in enumerate(self.order)}
        self.variables = {name: f"v{number}" for number, name in enumerate(function.types)}
        self.uncertain = {instruction: names for _, instruction, names in uncertain_reads(function)}
        self.lines: list[str] = []
        self.points: dict[int, tuple[str, int]] = {}
        self.accesses: dict[tuple[str, int], None] = {}
        self.symbols: dict[str, str] = {}
        self.tensors: dict[str, tuple[str, int]] = {}
        self.point: tuple[str, int] | None = None

    def generate(self) -> GeneratedFunction:
        self.head([self.variables[name] for name, _ in self.function.parameters])
        self.line(1, "block = 0")
        arguments = {name for name, _ in self.function.parameters}
        doubtful = dict.fromkeys(name for names in self.uncertain.values() for name in names)
        for name in doubtful:
            if name not in arguments:
                self.line(1, f"{self.variables[name]} = None")
        self.line(1, "while True:")
        self.decision(2, 0, len(self.order))
        source = "\n".join(self.lines) + "\n"
        code = compile(source, source_name(self.function.name), "exec")
        return GeneratedFunction(
            source, code, self.points, tuple(self.accesses), self.symbols, self.tensors
        )

    def head(self, parameters: list[str]) -> None:
        self.line(0, f"def run({', '.join(['limit', 'depth', *parameters])}):")
        self.line(1, "steps = 0")

    def line(self, depth: int, text: str) -> None:
        self.lines.append(" " * depth + text)
        if self.point:
            self.points[len(self.lines)] = self.point

    def decision(self, depth: int, first: int, end: int) -> None:
        """Choose among the blocks numbered [first, end)."""
        if end - first == 1:
            self.block(depth, self.function.blocks[self.order[first]])
            return
        middle = (first + end) // 2
        self.line(depth, f"if block < {middle}:")
        self.decision(depth + 1, first, middle)
        self.line(depth, "else:")
        self.decision(depth + 1, middle, end)

    def block(self, depth: int, block: Block) -> None:
        self.count(depth, len(block.instructions))
        for index, instruction in enumerate(block.instructions):
            self.point = (block.name, index)
            if instruction.operation.is_terminator:
                self.terminator(depth, block, instruction)
            elif not instruction.is_phi:
                self.instruction(depth, instruction)
            self.point = None

    def count(self, depth: int, count: int) -> None:
        self.line(depth, f"steps += {count}")
        self.line(depth, f"if steps > limit: return 'limit', None, steps - {count}")

    def instruction(self, depth: int, instruction: Instruction) -> None:
        doubtful = self.uncertain.get(instruction, ())
        guard = instruction.guard
        if guard is None:
            self.check_assigned(depth, doubtful)
            self.operation(depth, instruction)
            return
        if guard.name in doubtful:
            self.check_assigned(depth, (guard.name,))
        self.line(depth, f"if {'not ' if guard.negated else ''}{self.variables[guard.name]}:")
        self.check_assigned(depth + 1, [name for name in doubtful if name != guard.name])
        self.operation(depth + 1, instruction)
        if instruction.otherwise:
            self.line(depth, "else:")
            tied = zip(instruction.results, instruction.otherwise, strict=True)
            for name, value in tied:
                self.line(depth + 1, f"{self.variables[name]} = {self.value(value)}")

    def check_assigned(self, depth: int, names) -> None:
        """A variable that nothing has assigned reads 0 and is reported."""
        for name in dict.fromkeys(names):
            variable = self.variables[name]
            self.line(depth, f"if {variable} is None: {variable} = unassigned({name!r})")

    def operation(self, depth: int, instruction: Instruction) -> None:
        """Fault check, memory access and meaning of one instruction."""
        if is_of_threads(instruction, self.function.buffers):
            self.of_threads(depth, instruction)
        elif instruction.operation.walk:
            self.tensor(depth, instruction)
        elif instruction.operation.calls:
            self.call(depth, instruction)
        else:
            self.scalar(depth, instruction)

    def scalar(self, depth: int, instruction: Instruction) -> None:
        row, access = instruction.operation, instruction.operation.access
        names = self.operand_names(instruction)
        if row.faults_if:
            condition = parsed(row.faults_if).placed(names)
            self.line(depth, f"if {condition}: raise Fault({row.fault!r})")
        kinds = access.kind.split("_") if access else ()
        if "load" in kinds:
            address = names[access.address]
            self.line(depth, f"loaded = {self.access('load', access.bytes, address)}")
            self.observe(depth, row, address)
        for written, name in zip(row.writes, instruction.results, strict=True):
            names[written.name] = self.variables[name]
        for text in parsed(row.meaning).placed(names).splitlines():
            self.line(depth, text)
        if "store" in kinds:
            address = names[access.address]
            self.line(depth, self.access("store", access.bytes, f"{address}, stored"))
            self.observe(depth, row, address)

    def access(self, kind: str, size: int, arguments: str) -> str:
        """A load or store as an expression."""
        self.accesses[kind, size] = None
        return f"{kind}{size}({arguments})"

    def of_threads(self, depth: int, instruction: Instruction) -> None:
        """What only a thread of a grid can do: see `compiler.interpret.generate_threads`."""
        message = f"@{self.function.name} runs many times at once: '{instruction.operation}'"
        hint = "run it on a machine that has threads or cores: --machine h200, --machine mlu370"
        raise input_error(message, instruction.location, hint=hint)

    def call(self, depth: int, instruction: Instruction) -> None:
        """Run a function; its steps count with those of this one."""
        callee, *arguments = instruction.operands
        found = f"callees[{callee!r}]"
        if instruction.operation.calls_through:
            pointer = self.value(arguments.pop(0))
            self.line(depth, self.access("load", 8, pointer))
            key = f"{pointer}, {called_as(self.function.functions[str(callee)])!r}"
            self.line(depth, f"if ({key}) not in pointed: raise Fault('bad branch target')")
            found = f"pointed[{key}]"
        given = "".join(f", {self.value(value)}" for value in arguments)
        self.line(depth, f"if depth >= {MOST_CALLS}: raise Fault('calls too deep')")
        run = f"{found}(limit - steps, depth + 1{given})"
        self.line(depth, f"status, returned, more = {run}")
        self.line(depth, "steps += more")
        self.line(depth, "if status != 'done': return status, None, steps")
        for name in instruction.results:
            self.line(depth, f"{self.variables[name]} = returned")

    def observe(self, depth: int, row: Operation, address: str) -> None:
        """Tell of a scalar access that has just happened."""
        if self.observed:
            kind, size = row.access.kind, row.access.bytes
            position = [operand.name for operand in row.reads].index(row.access.address)
            what = f"{self.point[0]!r}, {self.point[1]}, {position}, {kind!r}"
            self.line(depth, f"observe({what}, {address}, {size})")

    def tensor(self, depth: int, instruction: Instruction) -> None:
        """Call what `TensorUnit` makes of a tensor instruction."""
        name = f"tensor{len(self.tensors)}"
        self.tensors[name] = self.point
        call = f"{name}({', '.join(map(self.value, tensor_arguments(instruction)))})"
        results = "".join(f"{self.variables[result]} = " for result in instruction.results)
        self.line(depth, results + call)

    def terminator(self, depth: int, block: Block, instruction: Instruction) -> None:
        row = instruction.operation
        self.check_assigned(depth, self.uncertain.get(instruction, ()))
        if row.control == "return":
            value = self.value(instruction.operands[0]) if instruction.operands else "None"
            self.leave(depth, value)
        elif row.control == "jump":
            self.edge(depth, block.name, instruction.labels[0])
        else:
            self.line(depth, parsed(row.meaning).placed(self.operand_names(instruction)))
            then, other = instruction.labels
            self.line(depth, "if taken:")
            self.edge(depth + 1, block.name, then)
            self.line(depth, "else:")
            self.edge(depth + 1, block.name, other)

    def leave(self, depth: int, value: str) -> None:
        self.line(depth, f"return 'done', {value}, steps")

    def edge(self, depth: int, source: str, target: str) -> None:
        """Go to a block; its phis take their values together."""
        results, values = [], []
        for phi in self.function.blocks[target].instructions:
            if phi.is_phi:
                value = phi.operands[2 * phi.operands[::2].index(source) + 1]
                if value in self.uncertain.get(phi, ()):
                    self.check_assigned(depth, (value,))
                results.append(self.variables[phi.results[0]])
                values.append(self.value(value))
        if results:
            self.line(depth, f"{', '.join(results)} = {', '.join(values)}")
        self.line(depth, f"block = {self.numbers[target]}")

    def operand_names(self, instruction: Instruction) -> dict[str, str]:
        """The row's operand names, each with the expression that stands for it here."""
        names = {name: self.implicit(name) for name in instruction.operation.implicit_reads}
        for operand, value in zip(instruction.operation.reads, instruction.operands, strict=True):
            if isinstance(operand.kind, Symbol):
                names[operand.name] = self.symbol(str(value))
            elif not isinstance(operand.kind, Label):
                names[operand.name] = self.value(value)
        return names

    def implicit(self, name: str) -> str:
        """What is read without being an operand; of one thread, that is only 'opaque'."""
        return "draw_opaque()"

    def symbol(self, buffer: str) -> str:
        for name, known in self.symbols.items():
            if known == buffer:
                return name
        name = f"address{len(self.symbols)}"
        self.symbols[name] = buffer
        return name

    def value(self, value: Value) -> str:
        return self.variables[value] if isinstance(value, str) else python_literal(value)
