"""Divisions and roots become the rows that a SIMT machine has for them.

    head: %d = rcp.rn.f32 %a          head: %t = add.s32 %a, 0x1800000  …
          …                                 bra %slow, slow, fast
                                ->    slow: %d = rcp.rn.f32 %a            a function of ptxas's
                                      fast: %y = rcp.approx.ftz.f32 %a  …
                                      on:   …

The unit for special functions approximates, a few rows make the rounded result of that, and for
operands for which this is not enough the warp goes another way (`division_sequences`).  So nothing
behind a division issues before its end, threads with unlike operands part, and what a division
costs are its rows.  It is done for machines that have a compute capability, as ptxas compiles for
those, unless another wish is told: `{write_out_divisions: {always: true}}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.analyses.liveness import kills, liveness
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction, Value
from compiler.targets.simt.combination.values import row
from compiler.targets.simt.division_sequences import Step, sequence
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.operations.row import Operation
from machines.vocabulary.lanes import lane_bits

MOVES = ("mov.b32", "mov.b64")
"""Rows by which a sequence has a copy of an operand that it changes."""


@dataclass(frozen=True, slots=True)
class WriteOutOptions:
    always: bool = option(False, "Also for machines without a compute capability.")


def write_out(function: Function) -> Changes:
    """Write out every row that has a sequence."""
    changes = Changes()
    live_out = liveness(function).live_out
    for name in list(function.blocks):
        block = function.blocks[name]
        if any(sequence(i.operation.name) for i in block.instructions):
            _Block(function, block, live_out[name], changes).run()
    return changes


class _Block:
    """Writes out the rows of a block, which goes on in new blocks behind ways around.

    code  the rows of the piece that is being written
    """

    def __init__(self, function: Function, block: Block, leaving: Iterable[str], changes: Changes):
        self.function, self.block, self.changes = function, block, changes
        self.builder = Builder(function)
        self.rows, self.stem = block.instructions, block.name
        self.last_reads = _last_reads(self.rows, leaving)
        self.code: list[Instruction] = []

    def run(self) -> None:
        for number, instruction in enumerate(self.rows):
            steps = sequence(instruction.operation.name)
            if steps is None:
                self.code.append(instruction)
                continue
            self.changes.note("written out", instruction)
            if instruction.guard is not None:
                self._guarded(instruction, steps)
            else:
                _Sequence(self, instruction, steps, self.last_reads[number]).run()
        self.builder.set_instructions(self.block, self.code)

    def _guarded(self, instruction: Instruction, steps: tuple[Step, ...]) -> None:
        """Threads for which the guard is false go around all of it."""
        inside, behind = self.new_block("divided"), self.new_block("on")
        guard = instruction.guard
        ways = (behind.name, inside.name) if guard.negated else (inside.name, behind.name)
        self.end("bra", instruction, guard.name, *ways)
        self.begin(inside)
        self.builder.change(instruction, guard=None)
        _Sequence(self, instruction, steps, frozenset()).run()
        self.end("bra.uni", instruction, behind.name)
        self.begin(behind)

    def new_block(self, hint: str) -> Block:
        name = self.builder.fresh_block(f"{self.stem}.{hint}")
        return self.builder.block(name, self.block.location)

    def end(self, name: str, near: Instruction, *operands: Value) -> None:
        """End the piece that is being written."""
        self.code.append(Instruction(row(name), (), operands, location=near.location))
        self.builder.set_instructions(self.block, self.code)

    def begin(self, block: Block) -> None:
        self.block, self.code = block, []


class _Sequence:
    """Writes the steps of one row.

    names  of the sequence's words: registers and constants
    """

    def __init__(
        self, into: _Block, instruction: Instruction, steps: tuple[Step, ...], dying: frozenset[str]
    ):
        self.into, self.instruction, self.steps, self.dying = into, instruction, steps, dying
        self.names: dict[str, Value] = dict(zip("ab", instruction.operands, strict=False))
        (self.result,) = instruction.results
        self.reads_result = self.result in instruction.operands
        branches = any(step.name == "branch" for step in steps)
        if not (branches and self.reads_result):
            self.names["d"] = self.result

    def run(self) -> None:
        behind = None
        for number, step in enumerate(self.steps):
            if step.name == "branch":
                behind = self._branch(step, is_last=number + 1 == len(self.steps))
            else:
                self._step(step)
        if self.names["d"] != self.result:
            move = row(f"mov.{self.instruction.operation.writes[0].kind.file}")
            self._add(move, self.result, (self.names["d"],), None)
        if behind is not None and behind is not self.into.block:
            self.into.end("bra.uni", self.instruction, behind.name)
            self.into.begin(behind)

    def _branch(self, step: Step, is_last: bool) -> Block:
        """Go on where the short way does; the block in which both meet."""
        into = self.into
        slow, behind = into.new_block("slow"), into.new_block("on")
        is_over = is_last and self.names["d"] == self.result
        fast = behind if is_over else into.new_block("fast")
        ways = (fast.name, slow.name) if step.negated else (slow.name, fast.name)
        into.end("bra", self.instruction, self.names[step.guard], *ways)
        into.begin(slow)
        into.code.append(self.instruction)
        into.end("bra.uni", self.instruction, behind.name)
        into.begin(fast)
        return behind

    def _step(self, step: Step) -> None:
        operation = row(step.name)
        operands = tuple(
            self._value(operand.kind, value)
            for operand, value in zip(operation.reads, step.operands, strict=True)
        )
        guard = Guard(self.names[step.guard], step.negated) if step.guard else None
        if operation.name in MOVES and operands[0] in self.dying:
            self.names[step.result] = operands[0]
            return
        if step.result not in self.names:
            kind = operation.writes[0].kind
            self.names[step.result] = self.into.builder.fresh(self.result, kind.holds)
        self._add(operation, self.names[step.result], operands, guard)

    def _value(self, kind: object, word: Value) -> Value:
        """What a word stands for; a float as its bits where a row takes bits."""
        value = self.names[word] if isinstance(word, str) else word
        if isinstance(value, float) and kind.type[0] != "f":
            return lane_bits(value, self.instruction.operation.reads[0].kind.type)
        return value

    def _add(
        self, operation: Operation, result: str, operands: tuple[Value, ...], guard: Guard | None
    ) -> None:
        location = self.instruction.location
        self.into.code.append(Instruction(operation, (result,), operands, guard, location=location))


def _last_reads(rows: list[Instruction], leaving: Iterable[str]) -> list[frozenset[str]]:
    """The registers that each row is the last to read, unless it writes them."""
    live, found = set(leaving), []
    for instruction in reversed(rows):
        if kills(instruction):
            live.difference_update(instruction.results)
        read = set(instruction.variables_read)
        found.append(frozenset(read - live - set(instruction.results)))
        live |= read
    return found[::-1]


def run(function: Function, machine: Machine, options: WriteOutOptions) -> Changes:
    own = machine.description.compute_capability is not None
    return write_out(function) if own or options.always else Changes()


PLUGIN = Pass(
    "write_out_divisions",
    "Divisions and roots become approximations, what rounds them, and a way around.",
    run,
    forms={"virtual": "virtual"},
    options=WriteOutOptions,
    kinds=("simt",),
)
