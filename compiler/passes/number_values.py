"""Use again what has been computed: operations, loads, tensor operations.

    x1 = add.i32 a, b              x1 = add.i32 a, b
    y1 = add.i32 b, a              z1 = load.i32 p
    z1 = load.i32 p        ->      u1 = mul.i32 x1, z1
    store.i32 q, x1                store.i32 q, x1           (q is another buffer)
    u1 = mul.i32 y1, z1            return u1
    v1 = load.i32 p
    w1 = mul.i32 x1, v1
    return w1

One walk of the dominator tree with a table of what the blocks above have computed (Briggs, Cooper,
Simpson, *Value Numbering*, 1997, section 4: dominator-based value numbering).  Operations are equal
if they are the same on equal operands; phis if they join the same from the same blocks; loads if
their memory has not been written since (`compiler.analyses.memory.memory_versions`).  A load after
a store to the same address reads what was stored.  What is used again has not faulted, so its
repetition could not have either.  Meanings are functions of the bits, so this holds for NaN too.

Under a guard: the whole of `@p x2 = f a else x1` is one value.  f a itself is known after it where
p holds, and everywhere after an f a without a guard:

    x1 = load.i32 q                         x1 = load.i32 q
    @p x3 = load.i32 q else x2      ->      @p x3 = copy.i32 x1 else x2

A tensor operation goes if the last write to anything it touches was the same operation: its
intervals hold already what it would write.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from compiler.analyses.dominators import dominators
from compiler.analyses.memory.addresses import addresses
from compiler.analyses.memory.memory_versions import LastWrites, memory_versions
from compiler.analyses.values.affine import Polynomial
from compiler.analyses.values.algebra import identity, in_order
from compiler.analyses.values.guards import Condition, condition_of
from compiler.ir.builder import Builder
from compiler.ir.effects import counts_commands, keeps_order
from compiler.ir.module import Function, Instruction, Value
from compiler.rewriting.replace import copy_operation, number_operation, rename_variables
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class ValuesOptions:
    loads: bool = option(True, "Use loaded, stored and reduced values again.")
    tensors: bool = option(True, "Remove tensor operations that write what is there already.")
    reach: int = option(64, "How many writes back a load is followed, at most.")


def number(function: Function, options: ValuesOptions) -> Changes:
    """Remove what a function in SSA form computes again."""
    numbering = _Numbering(function, options)
    numbering.walk()
    numbering.rewrite()
    return numbering.changes


@dataclass(frozen=True, slots=True)
class _Known:
    """`value` is what `maker` computed, or stored, where `condition` holds (None: everywhere).

    Where it does not, `value` is `tie`; of a store, which has none, nothing is known there.
    """

    value: Value
    condition: Condition | None
    tie: Value | None
    maker: Instruction


@dataclass
class _Table:
    """What is known at a point, by what was computed; the blocks above it see what it sees."""

    known: dict[Hashable, list[_Known]] = field(default_factory=dict)
    order: list[Hashable] = field(default_factory=list)

    def add(self, key: Hashable, known: _Known) -> None:
        self.known.setdefault(key, []).append(known)
        self.order.append(key)

    def forget(self, length: int) -> None:
        """All but the first `length` entries."""
        while len(self.order) > length:
            self.known[self.order.pop()].pop()


class _Numbering:
    def __init__(self, function: Function, options: ValuesOptions):
        self.function, self.options = function, options
        self.changes, self.table = Changes(), _Table()
        self.versions = memory_versions(function)
        self.writes = LastWrites(function, options.reach)
        self.addresses = addresses(function)
        self.is_counted = counts_commands(function)
        self.same_as: dict[str, str] = {}
        self.removed: set[Instruction] = set()
        self.copies: dict[Instruction, Value] = {}  # what becomes a copy, of this value

    # The walk; nothing is changed before it ends, so that all analyses stay as they are

    def walk(self) -> None:
        children = dominators(self.function).children
        pending: list[str | int] = [self.function.entry.name]
        while pending:
            step = pending.pop()
            if isinstance(step, int):
                self.table.forget(step)
                continue
            pending += len(self.table.order), *reversed(children[step])
            for instruction in self.function.blocks[step].instructions:
                self.visit(instruction)

    def visit(self, instruction: Instruction) -> None:
        row = instruction.operation
        operands = instruction.operands_with(self.original)
        if row.regions and self.is_counted:
            return
        if row.stores:
            self.store(instruction, operands)
        elif row.control or keeps_order(instruction) or (row.loads and not self.options.loads):
            return
        elif instruction.is_phi:
            values = dict(zip(operands[::2], map(identity, operands[1::2]), strict=True))
            self.use_again(instruction, (row.name, *sorted(values.items(), key=str)))
        elif row.loads:
            self.load(instruction, operands)
        else:
            name, operands = in_order(row, operands)
            self.use_again(instruction, (name, *map(identity, operands)))

    def original(self, value: Value) -> Value:
        """The one name of equal values."""
        return self.same_as.get(value, value) if isinstance(value, str) else value

    def condition(self, instruction: Instruction) -> Condition | None:
        guard = instruction.guard
        return guard and condition_of(self.function, guard, self.original)

    # Values

    def use_again(self, instruction: Instruction, key: Hashable) -> None:
        """Look an operation up in the table; if it is not there, it is from now on."""
        (result,) = instruction.results
        condition = self.condition(instruction)
        tie = self.original(instruction.otherwise[0]) if instruction.otherwise else None
        found = self.table.known.get(key, ())
        usable = [known for known in found if known.condition in (None, condition)]
        for known in usable:
            if _is_whole(known, condition, tie):
                self.replace(instruction, known.value)
                return
        if usable and _is_work(instruction):
            self.copies[instruction] = usable[-1].value
            why = f"its value is known as '{usable[-1].value}' where its guard holds"
            self.changes.note("guarded operation made a copy", instruction, why)
        elif found and not usable:
            why = _under_other_guard(found[-1].maker)
            self.changes.note("operation repeated", instruction, why)
        self.table.add(key, _Known(result, condition, tie, instruction))

    def replace(self, instruction: Instruction, value: Value) -> None:
        """The result is this value: read it; a number is left for propagate_constants to spread."""
        (result,) = instruction.results
        what = "load removed" if instruction.operation.loads else "operation removed"
        if isinstance(value, str):
            self.same_as[result] = value
            self.removed.add(instruction)
        else:
            self.copies[instruction] = value
        self.changes.note(what, instruction, f"'{value}' is the same")

    # Memory

    def load(self, instruction: Instruction, operands: tuple[Value, ...]) -> None:
        """A load or reduction is known by what it reads where, and by who wrote that last."""
        row = instruction.operation
        where = self.address_of(operands[0]) if row.access else operands
        version = self.writes.seen_by(instruction)
        key = row.name, where, version
        if not self.table.known.get(key) and self.table.known.get((row.name, where)):
            self.changes.note("load repeated", instruction, self.why_written(version))
        self.use_again(instruction, key)
        self.table.add((row.name, where), _Known(instruction.results[0], None, None, instruction))

    def address_of(self, pointer: Value) -> Polynomial:
        return self.addresses.form(self.original(pointer))

    def why_written(self, version: int) -> str:
        writer = self.versions.writer[version]
        if writer is None:
            return "memory may be written on a way here"
        where = f" at {writer.location}" if writer.location else ""
        return f"'{writer.operation}'{where} may write there"

    def store(self, instruction: Instruction, operands: tuple[Value, ...]) -> None:
        row = instruction.operation
        if row.orders_memory:
            return
        if row.access is not None:
            pointer, value = operands
            key = row.name.replace("store", "load"), self.address_of(pointer)
            version = self.versions.made[instruction]
            known = _Known(value, self.condition(instruction), None, instruction)
            self.table.add((*key, version), known)
        elif self.options.tensors and not keeps_order(instruction):
            self.tensor(instruction, operands)

    def tensor(self, instruction: Instruction, operands: tuple[Value, ...]) -> None:
        """A tensor operation whose last write is itself, on sources that it has not overwritten."""
        last = self.versions.writer[self.writes.seen_by(instruction)]
        if last is None or last.operation is not instruction.operation:
            return
        before = last.operands_with(self.original)
        is_done = self.condition(last) in (None, self.condition(instruction))
        if not is_done or [*map(identity, before)] != [*map(identity, operands)]:
            return
        if self.writes.writes_own_sources(last):
            why = "it may overwrite what it reads"
            self.changes.note("tensor operation repeated", instruction, why)
            return
        self.removed.add(instruction)
        self.writes.removed.add(instruction)
        why = "its intervals hold the result already"
        self.changes.note("tensor operation removed", instruction, why)

    # The end

    def rewrite(self) -> None:
        builder = Builder(self.function)
        for instruction, value in self.copies.items():
            t = instruction.operation.writes[0].kind
            row = copy_operation(t) if isinstance(value, str) else number_operation(t)
            builder.change(instruction, operation=row, operands=(value,))
        for block in self.function.blocks.values():
            kept = [i for i in block.instructions if i not in self.removed]
            if len(kept) < len(block.instructions):
                builder.set_instructions(block, kept)
            for instruction in self.renamed(kept):
                rename_variables(builder, instruction, self.original)
        builder.forget_unused_types()

    def renamed(self, instructions: list[Instruction]) -> Iterator[Instruction]:
        for instruction in instructions:
            if not self.same_as.keys().isdisjoint(instruction.variables_read):
                yield instruction


def _is_whole(known: _Known, condition: Condition | None, tie: Value | None) -> bool:
    """Whether a known value is what an operation gives, be its guard true or false."""
    if condition is None:
        return True
    return identity(tie) in (identity(known.value), identity(known.tie))


def _is_work(instruction: Instruction) -> bool:
    """Whether a copy is less than the operation."""
    return instruction.operation.name.split(".")[0] not in ("const", "copy")


def _under_other_guard(maker: Instruction) -> str:
    where = f" at {maker.location}" if maker.location else ""
    return f"the same{where} is computed only under {maker.guard}"


def run(function: Function, machine: Machine, options: ValuesOptions) -> Changes:
    return number(function, options)


PLUGIN = Pass(
    "number_values",
    "Use again what has been computed or loaded, and tensor results that are there already.",
    run,
    forms={"ssa": "ssa"},
    options=ValuesOptions,
)
