"""Give every virtual register a register of the thread.

    add.s32 %c, %a, %b            add.s32 r0, r0, r1
    mov.b32 %d, %c          ->
    st.global.b32 [%p], %d        st.global.b32 [d2], r0         (the pair r2, r3)

As few registers as the graph colouring finds, since their number says how many warps an SM holds.
What finds none lives in local memory, or is computed again (see `spilling`), and the whole is done
again.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction
from compiler.targets.simt.registers.colouring import colour
from compiler.targets.simt.registers.interference import Interference, copied
from compiler.targets.simt.registers.operands import PREFIX
from compiler.targets.simt.registers.spilling import Spiller
from machines.diagnostics import input_error
from machines.kinds.simt.fields import Simt

PREDICATES = 7
"""Of a thread, besides the one that is always true (simt hardware since Volta)."""
GENERAL = ("b32", "b64")
FEWEST = 8
"""Registers without which a row's own operands do not fit."""


def allocate(
    function: Function, description: Simt, rounds: int, registers: int = 0
) -> dict[str, int]:
    """Allocate registers in place, spilling at most `rounds` times; returns counts of what was
    spilled, and of registers used.

    Raises InputError if the code does not fit even with everything spilled.
    """
    limit = registers_allowed(function, description, registers)
    spiller = Spiller(function)
    for _ in range(rounds):
        graph = Interference(function)
        fixed = frozenset(
            node
            for node, names in enumerate(graph.members)
            if names and spiller.temporaries.issuperset(names)
        )
        general, without = colour(graph, GENERAL, limit, fixed)
        predicates, unguarded = colour(graph, ("pred",), PREDICATES, fixed)
        homeless = [*without, *unguarded]
        if not homeless:
            colours = general | predicates
            _rename(function, graph, colours)
            return {**spiller.counts, "registers": _used(graph, general)}
        if fixed.intersection(homeless):
            break
        files = {name: graph.files[node] for name, node in graph.nodes.items()}
        spiller.spill((name for node in homeless for name in graph.members[node]), files)
    raise input_error(
        f"'{function.name}' does not fit in {limit} registers of a thread, even with every value "
        "kept in memory",
        function.location,
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


def _used(graph: Interference, colours: dict[int, int]) -> int:
    sizes = {"b32": 1, "b64": 2}
    return max((r + sizes[graph.files[node]] for node, r in colours.items()), default=0)


def _rename(function: Function, graph: Interference, colours: dict[int, int]) -> None:
    names = {
        name: f"{PREFIX[graph.files[node]]}{colours[node]}" for name, node in graph.nodes.items()
    }
    builder = Builder(function)
    for block in function.blocks.values():
        for instruction in block.instructions:
            guard = instruction.guard
            instruction.results = tuple(names[name] for name in instruction.results)
            instruction.operands = instruction.operands_with(names.__getitem__)
            instruction.guard = guard and Guard(names[guard.name], guard.negated)
        kept = [i for i in block.instructions if not _copies_onto_itself(i)]
        builder.set_instructions(block, kept)
    function.types = {}
    found = (names[name] for name in function.valueless if name in names)
    function.valueless = tuple(dict.fromkeys(found))


def _copies_onto_itself(instruction: Instruction) -> bool:
    source = copied(instruction)
    return source is not None and source == instruction.results[0]
