"""Compute what is known before the program runs: numbers, guards, branches, simple identities.

    entry: n1 = const.i32 4                  entry: n1 = const.i32 4
           m1 = shl.i32 n1, 1                       m1 = const.i32 8
           z1 = add.i32 x, 0                        jump left
           p1 = lt_s.i32 n1, 9        ->     left:  y1 = add.i32 x, 8
           branch p1, left, right                   return y1
    left:  y1 = add.i32 z1, m1
           return y1
    right: return m1

The numbers are those of `compiler.analyses.values.constants`, computed by the rows' own meanings,
the identities those of `compiler.analyses.values.algebra`.  A number takes the place of the
variable in all that reads it; its definition becomes a `const`, which remove_dead_code takes away.
A guard known to hold is dropped; one known not to leaves the earlier value in place of the result.

What faults is not computed but left to fault.  So is an interval that would turn out to be outside
its buffer, or of the wrong size: its bounds stay variables.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.values.algebra import simplify
from compiler.analyses.values.constants import Constants, Number, constants, has_meaning_alone
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Interval, Value
from compiler.rewriting.replace import number_operation, rename_variables
from compiler.transformation import Changes, Pass, option
from compiler.verify.tensors import interval_findings, size_findings
from machines.description.load import Machine
from machines.instructions import operations
from machines.operations.row import Region
from machines.types import PTR


@dataclass(frozen=True, slots=True)
class ConstantsOptions:
    identities: bool = option(True, "Use identities, as x + 0 = x, where an operand is unknown.")


def propagate(function: Function, options: ConstantsOptions) -> Changes:
    """Fold a function in SSA form."""
    folding = _Folding(function, options)
    for block in list(function.blocks.values()):
        folding.block(block)
    folding.rename()
    folding.builder.forget_unused_types()
    return folding.changes


class _Folding:
    def __init__(self, function: Function, options: ConstantsOptions):
        self.function, self.options = function, options
        self.known: Constants = constants(function)
        self.builder, self.changes = Builder(function), Changes()
        self.same_as: dict[str, str] = {}

    # What is decided

    def block(self, block: Block) -> None:
        if block.name not in self.known.reached:
            self.builder.remove_block(block.name)
            about = block.instructions[0]
            self.changes.note("block removed", about, f"control never reaches '{block.name}'")
            return
        phis, others = [], []
        for instruction in block.instructions:
            if instruction.is_phi:
                self.drop_operands(block, instruction)
            kept = self.instruction(instruction)
            if kept is not None:
                (phis if kept.is_phi else others).append(kept)
        self.builder.set_instructions(block, [*phis, *others])

    def drop_operands(self, block: Block, phi: Instruction) -> None:
        """A phi takes nothing from blocks that control does not come from."""
        pairs = list(zip(phi.operands[::2], phi.values, strict=True))
        left = [pair for pair in pairs if (pair[0], block.name) in self.known.edges]
        if len(left) < len(pairs):
            self.builder.change(phi, operands=tuple(value for pair in left for value in pair))
            self.changes.count("phi operands removed", len(pairs) - len(left))

    def instruction(self, instruction: Instruction) -> Instruction | None:
        """Simplify one instruction; None if it goes."""
        if instruction.operation.name == "branch":
            return self.branch(instruction)
        if instruction.guard is not None:
            holds = self.known.decides(instruction.guard.name)
            if holds is not None and holds == instruction.guard.negated:
                return self.switched_off(instruction)
            if holds is not None:
                self.builder.change(instruction, guard=None, otherwise=())
                self.changes.note("guard dropped", instruction, "it always holds")
        self.put_numbers(instruction)
        return self.folded(instruction)

    def branch(self, instruction: Instruction) -> Instruction:
        condition, then, other = instruction.operands
        holds = self.known.decides(condition)
        if holds is not None:
            target = then if holds else other
            self.builder.change(
                instruction, operation=operations()["ir", "jump"], operands=(target,)
            )
            why = f"its condition is always {'true' if holds else 'false'}"
            self.changes.note("branch decided", instruction, why)
        return instruction

    def switched_off(self, instruction: Instruction) -> Instruction | None:
        """An instruction whose guard never holds leaves the earlier value."""
        why = "its guard never holds"
        for result, previous in zip(instruction.results, instruction.otherwise, strict=True):
            number = self.number(result)
            if number is not None:
                return self.number_instead(instruction, number, why)
            self.same_as[result] = str(previous)
        self.changes.note("operation removed", instruction, why)
        return None

    def folded(self, instruction: Instruction) -> Instruction | None:
        """An operation whose result is known becomes a number, or the variable that it equals."""
        row = instruction.operation
        if not instruction.results or _gives_a_number(instruction):
            return instruction
        (result,) = instruction.results
        known = self.number(result)
        if known is not None:
            return self.number_instead(instruction, known, "what it reads is known")
        identities = self.options.identities and instruction.guard is None
        if identities and has_meaning_alone(row):
            same = simplify(row, instruction.operands)
            if isinstance(same, str):
                self.same_as[result] = same
                self.changes.note("identity used", instruction, f"{row} gives '{same}'")
                return None
        return instruction

    def number_instead(self, instruction: Instruction, number: Number, why: str) -> Instruction:
        row = number_operation(instruction.operation.writes[0].kind)
        fields = {"operation": row, "operands": (number,), "guard": None, "otherwise": ()}
        self.builder.change(instruction, **fields)
        self.changes.note("result computed", instruction, f"it is always {number}: {why}")
        return instruction

    # What takes its place

    def number(self, name: str) -> Number | None:
        """The number that stands in place of a variable; a literal address is not negative."""
        number = self.known.values.get(name)
        is_literal = number is not None and not (self.function.types[name] is PTR and number < 0)
        return number if is_literal else None

    def put_numbers(self, instruction: Instruction) -> None:
        """Numbers for all operands and ties that are known, if the verifier allows them."""

        def number_or_name(name: str) -> Value:
            number = self.number(name)
            return name if number is None else number

        before, intervals = instruction.operands, instruction.intervals
        ties = tuple(number_or_name(v) if isinstance(v, str) else v for v in instruction.otherwise)
        operands = instruction.operands_with(number_or_name)
        self.builder.change(instruction, operands=operands, otherwise=ties)
        if instruction.operation.walk is None or operands == before:
            return
        wrong = self.refusal(instruction)
        if wrong is not None:
            self.builder.change(instruction, operands=before)
            self.changes.note("bounds left", instruction, f"it faults: {wrong}")
        elif instruction.intervals != intervals:
            self.changes.note("bounds made exact", instruction, "their variables are known")

    def refusal(self, instruction: Instruction) -> str | None:
        """What the verifier would say of a tensor operation."""
        for operand, value in zip(instruction.operation.reads, instruction.operands, strict=True):
            if isinstance(value, Interval) and isinstance(operand.kind, Region):
                found = interval_findings(value, operand.kind, operand.name, self.function.buffers)
                for message, _, _ in found:
                    return message
        return next((message for message, _, _ in size_findings(instruction)), None)

    def rename(self) -> None:
        """Read what a removed operation equals in place of its result."""
        for _, instruction in self.function.instructions():
            if any(name in self.same_as for name in instruction.variables_read):
                rename_variables(self.builder, instruction, self.original)

    def original(self, name: str) -> str:
        while name in self.same_as:
            name = self.same_as[name]
        return name


def _gives_a_number(instruction: Instruction) -> bool:
    """Whether it is what a folded operation becomes."""
    name = instruction.operation.name.split(".")[0]
    is_copy = name in ("const", "copy") and not isinstance(instruction.operands[0], str)
    return is_copy and instruction.guard is None


def run(function: Function, machine: Machine, options: ConstantsOptions) -> Changes:
    return propagate(function, options)


PLUGIN = Pass(
    "propagate_constants",
    "Compute what is known before the program runs; decide branches and guards.",
    run,
    forms={"ssa": "ssa"},
    options=ConstantsOptions,
)
