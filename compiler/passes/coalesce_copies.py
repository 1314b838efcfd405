"""Let an operation write straight to where a copy would take its result.

    %1 = fma.d.s0 %a, %b, %c            %d = fma.d.s0 %a, %b, %c
    %d = fmerge.s %1, %1         ->

Within a block: %1 lives only there, and %d is neither read nor written between the first write of
%1 and the copy.  Copies between blocks are left to the register allocator, which gives both ends
one register where it can.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Guard, Instruction
from compiler.targets.epic.colouring import move_source
from compiler.targets.epic.flow import MachineLiveness, machine_liveness
from compiler.targets.epic.registers import is_virtual, keeps_old_value, reads, writes
from compiler.transformation import Changes, NoOptions, Pass
from machines.load import Machine


def coalesce(function: Function) -> int:
    """Remove copies in all blocks; returns how many."""
    live = machine_liveness(function)  # which block-local registers are: merging keeps them so
    return sum(_coalesce_block(function, block, live) for block in function.blocks.values())


def _coalesce_block(function: Function, block: Block, live: MachineLiveness) -> int:
    code = list(block.instructions)
    touched = _occurrences(code)
    outside = live.live_in[block.name] | live.live_out[block.name]
    removed: set[int] = set()
    for place, copy in enumerate(code):
        source = move_source(copy)
        if source is None or copy.guard is not None or not is_virtual(source):
            continue
        target = copy.results[0]
        if target == source or not is_virtual(target):
            continue
        span = touched[source]
        if _may_merge(source, target, span, place, code, touched, outside, live, removed):
            for other in span:
                _rename(code[other], source, target)
            touched[target] = sorted({*touched[target], *span} - {place})
            removed.add(place)
    if removed:
        kept = [i for place, i in enumerate(code) if place not in removed]
        Builder(function).set_instructions(block, kept)
    return len(removed)


def _occurrences(code: list[Instruction]) -> dict[str, list[int]]:
    """Where each register is read or written, in order."""
    found: dict[str, list[int]] = {}
    for place, instruction in enumerate(code):
        for name in dict.fromkeys(n for n, _ in (*reads(instruction), *writes(instruction))):
            found.setdefault(name, []).append(place)
    return found


def _may_merge(
    source: str,
    target: str,
    span: list[int],
    place: int,
    code: list[Instruction],
    touched: dict[str, list[int]],
    outside: int,
    live: MachineLiveness,
    removed: set[int],
) -> bool:
    first, last = span[0], span[-1]
    if outside >> live.numbers[source] & 1 or keeps_old_value(code[first]):
        return False
    if any(source == name for name, _ in reads(code[first])):
        return False
    for other in touched[target]:
        if other in removed or other == place:
            continue
        writes_target = any(name == target for name, _ in writes(code[other]))
        if first < other < place or (other == first and writes_target):
            return False
        if place < other <= last and writes_target:
            return False
    return not any(
        name == source for other in span if other > place for name, _ in writes(code[other])
    )


def _rename(instruction: Instruction, old: str, new: str) -> None:
    instruction.results = tuple(new if name == old else name for name in instruction.results)
    instruction.operands = tuple(new if v == old else v for v in instruction.operands)
    if instruction.guard is not None and instruction.guard.name == old:
        instruction.guard = Guard(new)


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return Changes({"copies removed": coalesce(function)})


PLUGIN = Pass(
    "coalesce_copies",
    "Let operations write straight to where a copy would take their result.",
    run,
    forms={"virtual": "virtual"},
)
