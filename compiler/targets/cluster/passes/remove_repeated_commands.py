"""Remove commands that would write what is there already.

    tensor.copy.f32 w[0:64], x[0:64]                tensor.copy.f32 w[0:64], x[0:64]
    loop:                                           loop:
      tensor.copy.f32 w[0:64], x[0:64]        ->
      tensor.mul.f32 a[0:64], a[0:64], w[0:64]        tensor.mul.f32 a[0:64], a[0:64], w[0:64]
      sync_cluster 0                                  sync_cluster 0
      branch p, loop, out                             branch p, loop, out

What is there is said by `compiler.targets.cluster.available_commands`.  What is available has not
faulted, so the same again cannot.  `number_values` does this where the last write to what a command
touches is an equal command above it; here it is also found on different ways, behind barriers,
round loops, and of parts.

Nothing is moved: what a loop does in each turn, and nobody before it, stays there.  For functions
in SSA form.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.effects import counts_commands
from compiler.ir.module import Function, Instruction
from compiler.targets.cluster.available_commands import AvailableCommands, Expression
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    changes = Changes()
    if counts_commands(function):
        return changes
    available, builder = AvailableCommands(function), Builder(function)
    stays: set[Instruction] = set()
    for name, state in available.at_heads().items():
        block = function.blocks[name]
        for instruction in block.instructions:
            expression = available.available_before(instruction, state)
            if expression is None:
                stays.add(instruction)
            else:
                changes.note("command removed", instruction, _why(expression, stays))
            state = available.after(instruction, state)
        kept = [i for i in block.instructions if i in stays]
        if len(kept) < len(block.instructions):
            builder.set_instructions(block, kept)
    builder.forget_unused_types()
    return changes


def _why(expression: Expression, stays: set[Instruction]) -> str:
    """Who has computed it, of those above that stay."""
    lines = dict.fromkeys(
        str(c.location.line) for c in expression.commands if c in stays and c.location
    )
    where = f", by line {' or '.join(lines)}" if lines else ""
    return f"its intervals hold the result already{where}"


PLUGIN = Pass(
    "remove_repeated_commands",
    "Remove commands that would write what is there already, on whatever way.",
    run,
    forms={"ssa": "ssa"},
    kinds=("cluster",),
)
