"""Integer divisions of 32 bits as the rows that hardware does them with.

    loop:                             before: %m = …                  seven rows, once
        %q = div.u32 %x, %d     ->    loop:   %q = mul.hi.u32 %m, %x
        …                                     …                       eight more

What all divisions by one divisor share (`compiler.targets.simt.reciprocal_division`) is computed
where the divisor is known, in front of the loops that do not change it; of equal ones behind each
other `reuse_lanes` leaves the first.  As in ptxas, also for constants.  For machines that have a
compute capability, unless another wish is told: `--passes default,-divide_by_reciprocal`, or
`{divide_by_reciprocal: {always: true}}`; otherwise a division is one row, of class
`divide_integer`, as those of 16 and 64 bits are.
"""

from __future__ import annotations

from compiler.analyses.dominators import dominators
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.machine_code.loops import machine_loops
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.values import values_of
from compiler.targets.simt.reciprocal_division import DIVISIONS, DivisionWriter, Reciprocal
from compiler.transformation import Changes, Pass
from machines.description.load import Machine


def divide(function: Function) -> Changes:
    changes = Changes()
    if any(_is_division(i) for _, i in function.instructions()):
        _Divisions(function, changes).write()
    return changes


def _is_division(i: Instruction) -> bool:
    return i.operation.name in DIVISIONS and i.operands[1] != 0


class _Divisions:
    """The divisions of a function.

    made    block of a single register -> the block that makes it
    ahead   block -> rows that go to its end
    shared  (block, divisor, signs) -> what stands there of a divisor
    """

    def __init__(self, function: Function, changes: Changes):
        self.function, self.changes, self.builder = function, changes, Builder(function)
        self.values, self.loops = values_of(function), machine_loops(function)
        self.tree = dominators(function)
        self.made = {
            name: block.name
            for block in function.blocks.values()
            for i in block.instructions
            for name in i.results
            if name in self.values.origins
        }
        self.ahead: dict[str, list[Instruction]] = {}
        self.shared: dict[tuple[str, Value, bool], Reciprocal] = {}

    def write(self) -> None:
        code = {block.name: self._of(block) for block in self.function.blocks.values()}
        for name, rows in code.items():
            rows[-1:-1] = self.ahead.get(name, [])
            self.builder.set_instructions(self.function.blocks[name], rows)

    def _of(self, block: Block) -> list[Instruction]:
        code: list[Instruction] = []
        here: dict[tuple[Value, bool], Reciprocal] = {}
        for i in block.instructions:
            if _is_division(i):
                writer = DivisionWriter(self.builder, i.location)
                writer.divide(i, self._reciprocal(block.name, i, here, writer))
                code += writer.rows
                self.changes.note("division written out", i)
            else:
                code.append(i)
            for key in [key for key in here if key[0] in i.results]:
                del here[key]
        return code

    def _reciprocal(
        self,
        block: str,
        i: Instruction,
        here: dict[tuple[Value, bool], Reciprocal],
        writer: DivisionWriter,
    ) -> Reciprocal:
        """What is shared by divisions by the divisor of `i`, written where it has not been."""
        divisor, is_signed = i.operands[1], DIVISIONS[i.operation.name][1]
        home = self._home(block, divisor)
        if home == block:
            if (divisor, is_signed) not in here:
                here[divisor, is_signed] = writer.reciprocal(divisor, is_signed)
            return here[divisor, is_signed]
        key = home, divisor, is_signed
        if key not in self.shared:
            ahead = DivisionWriter(self.builder, i.location)
            self.shared[key] = ahead.reciprocal(divisor, is_signed)
            self.ahead.setdefault(home, []).extend(ahead.rows)
        return self.shared[key]

    def _home(self, block: str, divisor: Value) -> str:
        """The block at whose end the divisor is known, in front of the loops around another that
        do not write it; that other one if there are none."""
        if not self.values.is_stable(divisor):
            return block
        home, header = block, self.loops.innermost.get(block)
        while header is not None:
            loop = self.loops.by_header[header]
            before = self.tree.parent.get(header)
            if before is None or self.made.get(divisor) in loop.members:
                break
            home, header = before, loop.parent
        return home


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return divide(function) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "divide_by_reciprocal",
    "Integer divisions of 32 bits as the rows that hardware does them with.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
