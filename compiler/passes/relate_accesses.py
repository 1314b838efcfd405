"""Number the accesses of innermost loops, and keep what is known of their dependences.

    loop: x = load.f64 p                    loop: x = load.f64 p {access: 1}
          …                           ->          …
          store.f64 q, y                          store.f64 q, y {access: 2}

    with q 16 bytes after p, both by 8 each iteration:
    loop_distances {(1, 2): None, (2, 1): 2, (2, 2): None}: the load reads what was stored two
    before

Addresses are known best in SSA form and needed last, when loops are pipelined: so the answers of
`compiler.analyses.loop_memory` go along, in the attribute 'access' and in
`Function.loop_distances`, for both orders of each pair of which one stores.  A pass that copies an
instruction into another iteration (unrolling, rotation) has to drop the attribute of the copy;
moving, guarding, and copying onto another way through the same iteration keep it.  For functions
in SSA form.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.loop_memory import LoopMemory, loop_memory
from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class RelateOptions:
    limit: int = option(64, "Most accesses of a loop that are related, each with all.")


def relate(function: Function, limit: int) -> Changes:
    """Number and relate the accesses of all innermost loops anew."""
    changes = Changes()
    builder = Builder(function)
    forget(builder)
    found: list[LoopMemory] = []
    for loop in loops(function).by_header.values():
        if loop.children:
            continue
        about = function.blocks[loop.header].instructions[0]
        accessing = [
            instruction
            for block in loop.members
            for instruction in function.blocks[block].instructions
            if instruction.operation.access is not None
        ]
        if not accessing:
            continue
        if any(instruction.operation.orders_memory for instruction in accessing):
            changes.note("loop left alone", about, "it has atomic operations")
            continue
        if loop.is_irreducible:
            changes.note("loop left alone", about, "it has several entries")
        elif len(accessing) > limit:
            changes.note("loop left alone", about, f"it has {len(accessing)} accesses")
        else:
            found.append(loop_memory(function, loop))
            changes.note("loop related", about, _summary(found[-1]))
    numbers = _number(builder, found)
    for memory in found:
        _remember(function, memory, numbers)
    return changes


def forget(builder: Builder) -> None:
    """Take the numbers and all that is kept of them away."""
    builder.function.loop_distances.clear()
    for _, instruction in builder.function.instructions():
        if "access" in instruction.attributes:
            builder.change(instruction, attributes=without(instruction))


def without(instruction: Instruction) -> dict[str, object]:
    """The attributes of an instruction but its number."""
    return {key: value for key, value in instruction.attributes.items() if key != "access"}


def _number(builder: Builder, found: list[LoopMemory]) -> dict[Instruction, int]:
    """Numbers from 1 for loads and stores; what accesses several intervals has none."""
    numbers: dict[Instruction, int] = {}
    for memory in found:
        for access in memory.accesses:
            instruction = access.instruction
            if instruction.operation.access is not None:
                numbers[instruction] = number = len(numbers) + 1
                attributes = {**instruction.attributes, "access": number}
                builder.change(instruction, attributes=attributes)
    return numbers


def _remember(function: Function, memory: LoopMemory, numbers: dict[Instruction, int]) -> None:
    for said in (*memory.dependences, *memory.independences):
        source, target = said.source.instruction, said.target.instruction
        if source in numbers and target in numbers:
            function.loop_distances[numbers[source], numbers[target]] = getattr(said, "omega", None)


def _summary(memory: LoopMemory) -> str:
    dependent, apart = len(memory.dependences), len(memory.independences)
    return f"{len(memory.accesses)} accesses, {dependent} dependences, {apart} pairs without"


def run(function: Function, machine: Machine, options: RelateOptions) -> Changes:
    return relate(function, options.limit)


PLUGIN = Pass(
    "relate_accesses",
    "Number the accesses of innermost loops and keep their dependences.",
    run,
    forms={"ssa": "ssa"},
    options=RelateOptions,
)
