"""Give every virtual register a register of the thread.

    add.s32 %c, %a, %b            add.s32 r0, r0, r1
    mov.b32 %d, %c          ->
    st.global.b32 [%p], %d        st.global.b32 [d2], r0         (the pair r2, r3)

As few registers as the graph colouring finds, since their number says how many warps an SM holds;
registers that a plain move joins become one first.  Every thread has registers of its own, so they
interfere as those of one thread do, whatever the others of its warp do.  What finds none lives in
local memory, or is computed again (`spilling`), and the whole is done again: what is common to all
targets says `compiler.machine_code`.
"""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir.module import Function
from compiler.machine_code.allocation import Allocator
from compiler.machine_code.colouring import Node, coalesce
from compiler.machine_code.loops import block_weights
from compiler.targets.simt.registers.colouring import Part, Sources, colour
from compiler.targets.simt.registers.halves import parts
from compiler.targets.simt.registers.operands import OPERANDS, PREFIX, SIZES, reads
from compiler.targets.simt.registers.spilling import LocalMemory
from machines.diagnostics import InputError, input_error
from machines.kinds.simt.fields import Simt

PREDICATES = 7
"""Of a thread, besides the one that is always true (simt hardware since Volta)."""
FEWEST = 8
"""Registers without which a row's own operands do not fit."""


def allocate(
    function: Function, description: Simt, rounds: int, registers: int = 0, is_apart: bool = False
) -> dict[str, int]:
    """Allocate registers in place, spilling at most `rounds` times; returns counts of what was
    spilled, and of registers used.

    is_apart  each gets one that no other has: code stays as it is written, also where nobody reads
              a result, which would else share its register with other such
    Raises InputError if the code does not fit even with everything spilled.
    """
    limit = registers_allowed(function, description, registers)
    limits = description.limits
    step = limits.register_unit // description.warp_width
    costless = limits.registers // (limits.warps * limits.register_unit) * step
    banks = description.register_file.banks
    allocator = _Allocator(function, limit, step, costless, banks)
    allocator.is_apart = is_apart
    colours = allocator.allocate(rounds)
    found = (colours[name] for name in function.valueless if name in colours)
    function.valueless = tuple(dict.fromkeys(found))
    return {**allocator.spiller.counts, "registers": allocator.used}


class _Allocator(Allocator):
    """Allocates the registers of one kernel.

    used      how many of 32 bits the last colouring used
    is_apart  whether no two get the same register
    """

    def __init__(self, function: Function, limit: int, step: int, costless: int, banks: int):
        super().__init__(function, OPERANDS)
        self.is_apart = False
        self.spiller = LocalMemory(function)
        self._limit, self._step, self._banks = limit, step, banks
        self._costless = costless
        self.used = 0

    def colour(self) -> tuple[dict[str, str], list[list[str]]]:
        nodes = self.graph.nodes()
        if self.is_apart:
            return self._one_each(nodes), []
        coalesce(nodes, self.graph.moves)
        unspillable = {k for k, node in enumerate(nodes) if self.must_stay(node.members)}
        limits = {"general": self._limit, "predicates": PREDICATES}
        colours, homeless = colour(
            nodes,
            limits,
            unspillable,
            self._step,
            self._parts(nodes),
            self._sources(nodes),
            self._costless,
        )
        self.used = max(
            (
                first + SIZES[nodes[k].file]
                for k, first in colours.items()
                if nodes[k].file != "pred"
            ),
            default=0,
        )
        registers = {
            name: f"{PREFIX[nodes[k].file]}{first}"
            for k, first in colours.items()
            for name in nodes[k].members
        }
        return registers, [nodes[k].members for k in homeless]

    def _one_each(self, nodes: Sequence[Node]) -> dict[str, str]:
        """Registers in the order of the nodes, pairs from even ones on; raises InputError if there
        are too few."""
        registers, predicates = {}, 0
        for node in nodes:
            if node.file == "pred":
                first, predicates = predicates, predicates + 1
            else:
                size = SIZES[node.file]
                first = -(-self.used // size) * size
                self.used = first + size
            registers |= dict.fromkeys(node.members, f"{PREFIX[node.file]}{first}")
            if predicates > PREDICATES or self.used > self._limit:
                raise self.refusal(node.file)
        return registers

    def _parts(self, nodes: Sequence[Node]) -> list[Part]:
        """Which nodes are halves of which, each once."""
        number_of = {name: number for number, node in enumerate(nodes) for name in node.members}
        found = (
            (number_of[pair], number_of[half], which)
            for _, i in self.function.instructions()
            for pair, half, which in parts(i)
            if pair in number_of and half in number_of
        )
        return list(dict.fromkeys(found))

    def _sources(self, nodes: Sequence[Node]) -> Sources | None:
        """Which nodes of 32 bits rows read together, if the register file has banks."""
        if not self._banks:
            return None
        found = Sources(self._banks)
        number_of = {
            name: number
            for number, node in enumerate(nodes)
            if node.file == "b32"
            for name in node.members
        }
        weights = block_weights(self.function)
        for name, block in self.function.blocks.items():
            for instruction in block.instructions:
                read = {number_of[one] for one, _ in reads(instruction) if one in number_of}
                if len(read) > 1:
                    found.add(read, weights[name])
        return found

    def refusal(self, file: str) -> InputError:
        return input_error(
            f"'{self.function.name}' does not fit in {self._limit} registers of a thread, even "
            "with every value kept in memory",
            self.function.location,
            hint="allow more: option 'registers' of pass 'allocate_registers', or "
            "limits.registers_per_thread of the machine",
        )


def registers_allowed(function: Function, description: Simt, wanted: int) -> int:
    """32-bit registers a thread may have: what is wanted (0: all), and no more than the machine
    gives
    it in a block as large as the kernel promises."""
    limits = description.limits
    allowed = [limits.registers_per_thread]
    if wanted:
        allowed.append(max(FEWEST, wanted))
    if function.frame and function.frame.most_threads:
        warps = -(-function.frame.most_threads // description.warp_width)
        of_a_warp = limits.registers // warps // limits.register_unit * limits.register_unit
        allowed.append(of_a_warp // description.warp_width)
    return min(allowed)
