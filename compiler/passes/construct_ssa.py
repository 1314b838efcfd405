"""Give every assignment a name of its own, and join names with phis where control joins.

    BB1: i = const.i32 0                   BB1: i1 = const.i32 0
         jump BB2                               jump BB2
    BB2: @p i = add.i32 i, 1          ->   BB2: i2 = phi.i32 [BB1: i1, BB2: i3]
         branch opaque, BB2, BB3                @p i3 = add.i32 i2, 1 else i2
    BB3: return i                               branch opaque, BB2, BB3
                                           BB3: return i3

Which phis and which names: `compiler.analyses.ssa.renaming`.  Blocks the entry does not reach are
removed first.  An entry that is jumped to joins the call and the jumps, which a phi cannot say; so
it gets another one in front.  What was never assigned reads 0.  A function in SSA form already
stays as it is.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.analyses.control_flow import control_flow
from compiler.analyses.graphs import NOTHING
from compiler.analyses.ssa.occurrences import DEFINITION, occurrences
from compiler.analyses.ssa.renaming import Renaming, renaming
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions import operations
from machines.types import PTR, Type


def construct(function: Function) -> Changes:
    """Bring a function in variable form into SSA form."""
    changes = Changes()
    if occurrences(function).is_ssa:
        return changes
    builder = Builder(function)
    for name in control_flow(function).unreachable:
        builder.remove_block(name)
        changes.count("unreachable blocks removed")
    if control_flow(function).predecessors[function.entry.name]:
        builder.new_entry()
        changes.count("entries added")
    renamed = renaming(function)
    _Rewriting(builder, renamed).run()
    changes.count("phis placed", sum(map(len, renamed.phis)))
    return changes


class _Rewriting:
    """Writes the names of a renaming into the function it is of."""

    def __init__(self, builder: Builder, renamed: Renaming):
        self.builder, self.function, self.renamed = builder, builder.function, renamed
        self.occurrences = renamed.occurrences
        self.zeros: dict[Type, str] = {}
        self.types = self.function.types
        self.function.types = {}  # the new name of one variable may be the old one of another
        for value, name in renamed.names.items():
            builder.declare(name, self.type(renamed.variable(value)))

    def run(self) -> None:
        for number, block in enumerate(self.function.blocks.values()):
            phis = [self.phi(number, block, value) for value in self.renamed.phis[number]]
            self.rename(number, block)
            self.builder.set_instructions(block, [*phis, *block.instructions])
        self.builder.at(self.function.entry, 0)
        for type, name in self.zeros.items():
            zero = "copy" if type is PTR else "const"
            self.builder.emit(f"{zero}.{type}", 0, result=name)
        self.builder.forget_unused_types()

    def type(self, variable: int) -> Type:
        return self.types[self.occurrences.variables[variable]]

    def read(self, value: int, variable: int) -> Value:
        """The name of a value, or the 0 of its type."""
        if value != NOTHING:
            return self.renamed.names[value]
        return 0.0 if self.type(variable).is_float else 0

    def read_variable(self, value: int, variable: int) -> str:
        """The same where no literal may stand."""
        if value != NOTHING:
            return self.renamed.names[value]
        type = self.type(variable)
        if type not in self.zeros:
            self.zeros[type] = self.builder.fresh("zero", type)
        return self.zeros[type]

    def phi(self, number: int, block: Block, value: int) -> Instruction:
        variable = self.renamed.joined[value]
        operands: list[Value] = []
        joined = self.renamed.operands[value]
        for source, other in zip(self.renamed.sources(number), joined, strict=True):
            operands += (self.occurrences.blocks[source], self.read(other, variable))
        return Instruction(
            operations()["ir", f"phi.{self.type(variable)}"],
            (self.renamed.names[value],),
            tuple(operands),
            location=block.location,
        )

    def rename(self, number: int, block: Block) -> None:
        """Rename what the instructions of a block read and write."""
        numbered = self.occurrences
        for position, instruction in enumerate(block.instructions, numbered.first[number]):
            found = list(numbered.of(position))
            written = [o for o, kind in found if kind == DEFINITION]
            read = {self.name(o): o for o, kind in found if kind != DEFINITION}
            self.change(instruction, written, read)

    def name(self, occurrence: int) -> str:
        return self.occurrences.variables[self.occurrences.variable[occurrence]]

    def change(self, instruction: Instruction, written: list[int], read: dict[str, int]) -> None:
        """`written` are the occurrences that define, `read` has one that uses for each name."""
        value, variable = self.renamed.value, self.occurrences.variable
        may_be_literal = not instruction.operation.regions

        def new(name: str) -> Value:
            reader = self.read if may_be_literal else self.read_variable
            return reader(value[read[name]], variable[read[name]])

        operands = instruction.operands_with(new)
        guard, otherwise = instruction.guard, ()
        if guard is not None:
            occurrence = read[guard.name]
            name = self.read_variable(value[occurrence], variable[occurrence])
            guard = replace(guard, name=name)
            otherwise = tuple(self.read(self.renamed.previous[o], variable[o]) for o in written)
        self.builder.change(
            instruction,
            results=tuple(self.renamed.names[o] for o in written),
            operands=operands,
            guard=guard,
            otherwise=otherwise,
        )


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return construct(function)


PLUGIN = Pass(
    "construct_ssa",
    "Give every assignment a name of its own, and join names with phis.",
    run,
    forms={"ir": "ssa"},
)
