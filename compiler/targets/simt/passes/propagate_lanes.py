"""Constants and copies into the rows that read them, and rows of constants computed.

    mov.b32 %a, 4
    shl.b32 %b, %a, 1       ->
    mov.b32 %c, %i
    add.s32 %d, %c, %b            add.s32 %d, %i, 8

For the rows of SIMT machines over virtual registers, of any source.  A row may have a constant
wherever it reads a register, so none needs to be moved into one.  Only values that are written once
are followed (see `compiler.targets.simt.combination.values`); what is no longer read is left for
`remove_dead_lanes`.
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.simt.combination.folding import fold
from compiler.targets.simt.combination.values import are_same, row, values_of
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.operations.row import Lane
from machines.vocabulary.lanes import lane_bits, read_lane

MOVES = ("mov.b16", "mov.b32", "mov.b64", "mov.pred")


def propagate(function: Function) -> Changes:
    """Follow values in an order in which what dominates comes first."""
    return _Propagation(function).run()


class _Propagation:
    """known: single register -> the bits it holds, or the register it is a copy of."""

    def __init__(self, function: Function):
        self.function, self.builder = function, Builder(function)
        self.values, self.changes = values_of(function), Changes()
        self.known: dict[str, int | str] = {}

    def run(self) -> Changes:
        for name in control_flow(self.function).reverse_postorder:
            block = self.function.blocks[name]
            code = [kept for i in block.instructions if (kept := self.instruction(i)) is not None]
            if not are_same(code, block.instructions):
                self.builder.set_instructions(block, code)
        return self.changes

    def instruction(self, i: Instruction) -> Instruction | None:
        """The instruction with what is known put in; None if its guard never lets it run."""
        kinds = (operand.kind for operand in i.operation.reads)
        operands = tuple(map(self.operand, kinds, i.operands))
        if operands != i.operands:
            self.builder.change(i, operands=operands)
            self.changes.count("operands known")
        if i.guard is not None and not self.guard(i):
            self.changes.count("rows that never run")
            return None
        if i.operation.control == "branch" and not isinstance(operands[0], str):
            taken = operands[1] if operands[0] else operands[2]
            self.changes.count("branches decided")
            return Instruction(row("bra.uni"), (), (taken,), location=i.location)
        if i.guard is None:
            self.remember(i)
        return i

    def operand(self, kind: object, value: Value) -> Value:
        known = self.known.get(value) if isinstance(value, str) else None
        if known is None or not isinstance(kind, Lane):
            return value
        return known if isinstance(known, str) else read_lane(known, kind.type)

    def guard(self, i: Instruction) -> bool:
        """Put what is known of the guard in; False if it never lets the instruction run."""
        known = self.known.get(i.guard.name)
        if isinstance(known, str):
            self.builder.change(i, guard=Guard(known, i.guard.negated))
        elif known is not None:
            if bool(known) == i.guard.negated:
                return False
            self.builder.change(i, guard=None)
        return True

    def remember(self, i: Instruction) -> None:
        if not all(name in self.values.origins for name in i.results):
            return
        if i.operation.name in MOVES:
            source, kind = i.operands[0], i.operation.reads[0].kind
            if not isinstance(source, str):
                self.known[i.results[0]] = lane_bits(source, kind.type)
            elif source in self.values.origins and not kind.type.endswith("16"):
                self.known[i.results[0]] = source
            return
        found = fold(i)
        if found is not None:
            self.known.update(zip(i.results, found, strict=True))
            self.changes.count("rows computed")


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return propagate(function)


PLUGIN = Pass(
    "propagate_lanes",
    "Constants and copies into the rows of a SIMT machine that read them.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
