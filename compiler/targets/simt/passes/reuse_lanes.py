"""A row of a SIMT machine that computes what another one before it has computed is a copy.

    mov.tid.x %a                 mov.tid.x %a
    mov.tid.x %b          ->     mov.b32   %b, %a

Two rows are alike if name and operands are; the first must dominate the second, and what both read
be written once (see `combination.values`), as in value numbering over the dominator tree
(Briggs, Cooper, Simpson, *Value Numbering*, 1997).
"""

from __future__ import annotations

from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.simt.combination.folding import is_computed
from compiler.targets.simt.combination.values import Values, row, values_of
from compiler.targets.simt.contraction import CONTRACTIBLE
from compiler.targets.simt.registers.operands import reads, writes
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine

SPECIAL = ("special_register", "load_param")
"""Classes of rows that read special registers."""


def reuse(function: Function) -> Changes:
    changes, builder = Changes(), Builder(function)
    values, tree = values_of(function), dominators(function)
    seen: dict[tuple, list[tuple[str, Instruction]]] = {}
    for name in control_flow(function).reverse_postorder:
        block = function.blocks[name]
        code: list[Instruction] = []
        for instruction in block.instructions:
            if not _may_be_shared(instruction, values):
                code.append(instruction)
                continue
            sites = seen.setdefault(_key(instruction), [])
            earlier = next((i for at, i in sites if tree.dominates(at, name)), None)
            if earlier is None:
                sites.append((name, instruction))
                code.append(instruction)
            else:
                code += _copies(instruction, earlier)
                changes.note("computed before", instruction)
        builder.set_instructions(block, code)
    return changes


def _may_be_shared(instruction: Instruction, values: Values) -> bool:
    operation = instruction.operation
    is_parameter = any(access.space == "param" for access in operation.accesses)
    is_special = operation.scheduling_class in SPECIAL and not operation.flags
    return (
        instruction.guard is None
        and (is_parameter or is_special or is_computed(operation))
        and not operation.name.startswith("mov.b")
        and all(name in values.origins for name in instruction.results)
        and all(values.is_stable(name) for name, _ in reads(instruction))
    )


def _key(instruction: Instruction) -> tuple:
    """Alike for rows that compute the same; floats by their text, as -0.0 == 0.0.  What may be
    rounded with another row is another value."""
    operands = [value if isinstance(value, str) else repr(value) for value in instruction.operands]
    if instruction.operation.commutes:
        operands[:2] = sorted(operands[:2])
    return (instruction.operation.name, CONTRACTIBLE in instruction.attributes, *operands)


def _copies(instruction: Instruction, earlier: Instruction) -> list[Instruction]:
    files = [lane.file for _, lane in writes(instruction)]
    return [
        Instruction(row(f"mov.{file}"), (name,), (source,), location=instruction.location)
        for file, name, source in zip(files, instruction.results, earlier.results, strict=True)
    ]


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return reuse(function)


PLUGIN = Pass(
    "reuse_lanes",
    "Rows of a SIMT machine that compute what has been computed before become copies.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
