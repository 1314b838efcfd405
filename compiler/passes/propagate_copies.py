"""Read the source of a copy instead of the copy.

    entry: x1 = copy.i32 a                  entry: branch p, loop, out
           branch p, loop, out       ->     loop:  y1 = add.i32 a, 1
    loop:  x2 = phi [entry: x1, loop: x2]          branch q, loop, out
           y1 = add.i32 x2, 1               …
           branch q, loop, out

In SSA form no variable changes under a copy, so nothing can be in the way.  A phi is a copy if all
its operands are one variable, itself aside; phis of a loop may be so together (Braun, Buchwald,
Hack, Leißa, Mallon, Zwinkau, *Simple and Efficient Construction of Static Single Assignment Form*,
2013, section 3.2).  So all are first taken for copies, and one that turns out to join different
values no more, until nothing changes.

Copies of numbers are left to propagate_constants.  A guarded copy stays: it chooses between its
source and the earlier value, unless these are the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction
from compiler.rewriting.replace import rename_variables
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def propagate(function: Function) -> Changes:
    """Remove the copies of a function in SSA form."""
    changes, builder = Changes(), Builder(function)
    originals = copied(function)
    for block in function.blocks.values():
        kept = [i for i in block.instructions if not _is_copied(i, originals)]
        for instruction in block.instructions:
            _note(instruction, originals, changes)
        if len(kept) < len(block.instructions):
            builder.set_instructions(block, kept)
    for _, instruction in function.instructions():
        if not originals.keys().isdisjoint(instruction.variables_read):
            rename_variables(builder, instruction, lambda name: originals.get(name, name))
    builder.forget_unused_types()
    return changes


def copied(function: Function) -> dict[str, str]:
    """The variables that are copies, each with the variable that it is a copy of in the end."""
    blocks = [function.blocks[name] for name in control_flow(function).reverse_postorder]
    candidates = list(_candidates(blocks))
    original: dict[str, str | None] = dict.fromkeys(name for name, _ in candidates)
    own: set[str] = set()  # phis that join different values
    changed = True
    while changed:
        changed = False
        for name, sources in candidates:
            if name in own:
                continue
            found = {original.get(s, s) for s in sources} - {None}
            if len(found) > 1:
                own.add(name)
            new = name if len(found) > 1 else next(iter(found), None)
            changed |= new != original[name]
            original[name] = new
    return {name: other for name, other in original.items() if other and other != name}


def _candidates(blocks: list[Block]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each result that may be a copy, with what it may be a copy of."""
    for block in blocks:
        for instruction in block.instructions:
            values = instruction.values
            is_candidate = instruction.is_phi or _is_certain_copy(instruction)
            if is_candidate and all(isinstance(value, str) for value in values):
                yield instruction.results[0], values


def _is_certain_copy(instruction: Instruction) -> bool:
    """Whether the result is the source whatever the guard is."""
    is_certain = instruction.guard is None or instruction.values == instruction.otherwise
    return _is_copy(instruction) and is_certain


def _is_copy(instruction: Instruction) -> bool:
    return instruction.operation.name.startswith("copy.")


def _is_copied(instruction: Instruction, originals: dict[str, str]) -> bool:
    return any(name in originals for name in instruction.results)


def _note(instruction: Instruction, originals: dict[str, str], changes: Changes) -> None:
    if _is_copied(instruction, originals):
        what = "phi removed" if instruction.is_phi else "copy removed"
        changes.note(what, instruction, f"it is '{originals[instruction.results[0]]}'")
    elif _is_copy(instruction) and instruction.guard is not None:
        changes.note("copy left", instruction, "whether it is made depends on its guard")


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return propagate(function)


PLUGIN = Pass(
    "propagate_copies",
    "Read the source of a copy instead of the copy.",
    run,
    forms={"ssa": "ssa"},
)
