"""The function that is being made: its blocks, variables and rows, whatever they are made from.

A row is emitted into the open block.  Behind a terminator no block is open; what is emitted there
without a label is unreachable, goes into a block of its own and is dropped at the end.
"""

from __future__ import annotations

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.reading.lexer import Real
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from machines.diagnostics import Location
from machines.instructions import operations
from machines.operations.row import Immediate, Lane, Operation
from machines.types import Type
from machines.vocabulary.numbers import round_f32

MOST_INSTRUCTIONS = 100_000
"""Of a kernel with all it calls inlined."""


class TooLarge(Exception):
    """The kernel has more instructions than are taken."""


class Code:
    """Emits rows; `guard`, `location` and `at` (its position in the text) are those of the
    statement that is lowered.

    registers  variables that hold registers of the source: name there, position of its declaration
    positions  `at` of rows by identity

    A row without effects that writes temporaries only is not guarded: they would seem to be read
    before they are written.
    """

    def __init__(self, function: Function):
        self.builder = Builder(function)
        self.function = function
        self.rows = operations().family("ptx")
        self.guard: Guard | None = None
        self.location: Location | None = None
        self.at = 0
        self.is_open = False
        self.count = 0
        self._computed: dict[tuple[str, str], str] = {}
        self._temporaries: set[str] = set()
        self._names: dict[str, int] = {}
        self.registers: dict[str, tuple[str, int]] = {}
        self.positions: dict[int, int] = {}

    # Names

    def unique(self, hint: str) -> str:
        """A name of a variable or block that nobody has yet: hint, hint.2, hint.3, …"""
        name = hint
        while name in self._names:
            self._names[hint] += 1
            name = f"{hint}.{self._names[hint]}"
        self._names[name] = 1
        return name

    def variable(self, hint: str, type: Type) -> str:
        """A new variable that holds a register."""
        return self.builder.declare(self.unique(hint), type)

    def temporary(self, type: Type) -> str:
        """A new variable that is written once, right before it is read."""
        name = self.variable("%t", type)
        self._temporaries.add(name)
        return name

    # Blocks

    def begin(self, name: str) -> None:
        """Open a block; the one before runs on into it."""
        if self.is_open:
            self.jump(name)
        self.builder.block(name, self.location)
        self._computed.clear()
        self.is_open = True

    def close(self) -> None:
        """Leave the open block as it is: what is still missing in it comes later."""
        self.is_open = False

    def reopen(self, name: str) -> None:
        """Go on at the end of a block that was left."""
        self.builder.at(self.function.blocks[name])
        self._computed.clear()
        self.is_open = True

    def at_head(self, name: str) -> None:
        """Emit at the head of a block that has its end, until it is left."""
        self.builder.at(self.function.blocks[name], 0)
        self._computed.clear()
        self.is_open = True

    def jump(self, to: str) -> None:
        self._terminate("bra.uni", to)

    def branch(self, condition: Guard, to: str, otherwise: str) -> None:
        """To one block if the guard holds, else to the other."""
        ways = (otherwise, to) if condition.negated else (to, otherwise)
        self._terminate("bra", condition.name, *ways)

    def exit(self) -> None:
        self._terminate("exit")

    def _terminate(self, row: str, *operands: Value) -> None:
        self._open()
        self._insert(Instruction(self.rows[row], (), operands, location=self.location))
        self.is_open = False

    def _open(self) -> None:
        if not self.is_open:
            self.builder.block(self.unique("unreachable"))
            self._computed.clear()
            self.is_open = True

    # Rows

    def row(self, *names: str) -> Operation:
        """The first of these rows that exists; the first name is what the source says."""
        for name in names:
            if name in self.rows:
                return self.rows[name]
        raise unsupported(f"'{names[0]}' is not supported")

    def emit(self, row: str | Operation, results=(), operands=(), attributes=None) -> None:
        """Emit a row; literals among its operands are brought to the form it takes."""
        row = self.row(row) if isinstance(row, str) else row
        results, operands = tuple(results), tuple(operands)
        for kind, given in ((row.writes, results), (row.reads, operands)):
            if len(kind) != len(given):
                raise Refused(f"'{row}' takes {len(kind)} such operands, not {len(given)}")
        pairs = zip(operands, row.reads, strict=True)
        values = tuple(_literal(value, operand.kind) for value, operand in pairs)
        self._open()
        pure = not (row.stores or row.loads or row.flags) and row.control is None
        is_free = pure and results and self._temporaries.issuperset(results)
        guard = None if is_free else self.guard
        attributes = attributes or {}
        self._insert(Instruction(row, results, values, guard, (), attributes, self.location))

    def compute(self, row: str, type: Type, *operands: Value) -> str:
        """Emit a row with one result, into a new temporary."""
        result = self.temporary(type)
        self.emit(row, (result,), operands)
        return result

    def once(self, row: str, operand: str, type: Type) -> str:
        """The same of one variable; what the block has computed already is there."""
        known = self._computed.get((row, operand))
        if known is None:
            known = self._computed[row, operand] = self.compute(row, type, operand)
        return known

    def _insert(self, instruction: Instruction) -> None:
        self.count += 1
        if self.count > MOST_INSTRUCTIONS:
            raise TooLarge
        for name in instruction.results if self._computed else ():
            for key in [key for key in self._computed if key[1] == name]:
                del self._computed[key]
        self.builder.insert(instruction)
        self.positions[id(instruction)] = self.at

    def finish(self) -> None:
        """End the last block, and drop what the entry does not reach."""
        if self.is_open:
            self.exit()
        blocks = self.function.blocks
        seen, work = {self.function.entry.name}, [self.function.entry.name]
        while work:
            for label in blocks[work.pop()].successors:
                if label not in seen:
                    seen.add(label)
                    work.append(label)
        for name in [name for name in blocks if name not in seen]:
            self.builder.remove_block(name)
        self.builder.forget_unused_types()


def _literal(value: Value | Real, kind: object) -> Value:
    """A literal as a row's operand holds it: a number for floats, bits for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(kind, Immediate):
        if not kind.lowest <= value <= kind.highest:
            raise Refused(f"{value} does not fit in the instruction's field of {kind.bits} bits")
        return value
    if not isinstance(kind, Lane):
        return value
    bits = 1 if kind.type == "pred" else int(kind.type[1:])
    if kind.type.startswith("f"):
        number = value.value if isinstance(value, Real) else float(value)
        return round_f32(number) if bits == 32 else number
    if isinstance(value, Real):
        value = _bits(value, bits)
    if kind.type == "pred":
        return int(value != 0)
    lowest, highest = -(1 << (bits - 1)), (1 << bits) - 1
    value = value if lowest <= value <= highest else value & highest
    return value - (1 << bits) if kind.type.startswith("s") and value > highest >> 1 else value


def _bits(value: Real, bits: int) -> int:
    """The bits of a floating literal of the width wanted."""
    if value.width == bits:
        return value.bits
    raise Refused(f"a floating literal of {value.width} bits stands for {bits} bits")
