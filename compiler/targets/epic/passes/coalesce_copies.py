"""Let an operation write straight to where a copy would take its result.

    %1 = fma.d.s0 %a, %b, %c            %d = fma.d.s0 %a, %b, %c
    %d = fmerge.s %1, %1         ->

Within a block: %1 lives only there, and %d is neither read nor written between the first write of
%1 and the copy; %d may also be a register that an argument is passed in.  Copies between blocks are
left to the register allocator, which gives both ends one register where it can.  If %1 began as
a copy of %d, that copy is gone as well.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import (
    OUTPUT,
    copies_onto_itself,
    keeps_old_value,
    machine_liveness,
    move_source,
    reads,
    writes,
)
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def coalesce(function: Function) -> int:
    """Remove copies in all blocks; returns how many."""
    live = machine_liveness(function)  # which registers are local to a block: merging keeps them so
    builder, removed = Builder(function), 0
    for name, block in function.blocks.items():
        copies = _Copies(block.instructions, live, live.live_in[name] | live.live_out[name])
        copies.merge_all()
        if copies.removed:
            builder.set_instructions(block, copies.remaining())
            removed += len(copies.removed)
    return removed


class _Copies:
    """The copies of one block, and where each register is touched (read or written), in order.

    outside  bit set of the registers that are live where the block begins or is left
    """

    def __init__(self, code: list[Instruction], live: MachineLiveness, outside: int):
        self._code = code
        self.removed: set[int] = set()
        self._touched: dict[str, list[int]] = {}
        for index, instruction in enumerate(code):
            names = [name for name, _ in (*reads(instruction), *writes(instruction))]
            for name in dict.fromkeys(names):
                self._touched.setdefault(name, []).append(index)
        self._outside = live.among(outside, self._touched)

    def remaining(self) -> list[Instruction]:
        return [i for index, i in enumerate(self._code) if index not in self.removed]

    def merge_all(self) -> None:
        """Merge the two registers of every copy where that is possible."""
        for index, copy in enumerate(self._code):
            source, target = move_source(copy), copy.results[0] if copy.results else None
            if source is None or copy.guard is not None or source == target:
                continue
            is_ours = is_virtual(target) or target[0] == OUTPUT
            if not (is_virtual(source) and is_ours and source not in self._outside):
                continue
            span = self._touched[source]
            if self._begins_as_a_new_value(span[0], source) and self._is_free(target, span, index):
                for other in span:
                    _rename(self._code[other], source, target)
                self.removed |= {n for n in span if copies_onto_itself(self._code[n])}
                touched = {*self._touched[target], *span} - self.removed
                self._touched[target] = sorted(touched)

    def _begins_as_a_new_value(self, index: int, register: str) -> bool:
        instruction = self._code[index]
        is_read = any(name == register for name, _ in reads(instruction))
        return not is_read and not keeps_old_value(instruction)

    def _is_free(self, target: str, span: list[int], copy: int) -> bool:
        """True if `target` can hold the copied value over its whole span: nobody touches it before
        the copy or overwrites it after, and the copied register itself is not written again."""
        source = move_source(self._code[copy])
        for index in self._touched[target]:
            is_written = target in self._code[index].results
            if span[0] < index < copy or (index == span[0] and is_written):
                return False
            if copy < index <= span[-1] and is_written:
                return False
        return not any(source in self._code[index].results for index in span if index > copy)


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
    kinds=("epic",),
)
