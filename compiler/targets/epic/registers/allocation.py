"""Give every virtual register a register of the machine, by graph colouring.

    add %1 = %a, %b            add r33 = r14, r15
    st8 [%p] = %1        ->    st8 [r16] = r33

Two registers interfere if one is written while the other is alive.  Registers are taken off the
graph one by one, those with few neighbours first; in the opposite order each gets a register none
of its neighbours has, the one it is copied from or to if possible, otherwise the next in turn, so
that false dependences are rare (Chaitin 1982; Briggs, Cooper, Torczon 1994).  What finds no
register lives in memory, or is computed again at each use if it is a constant, and the whole is
done again.  What a kernel of a pipelined loop reads has to stay in a register; if there
are too few, it gets a copy of its own around each kernel, so that the value may live in memory
elsewhere.  On exit every operand is a register of the machine, copies onto themselves are gone,
and an `alloc` opens the frame if a stacked register is used.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard
from compiler.targets.epic.frame import open_frame
from compiler.targets.epic.kernels import invariants, split_around_kernels
from compiler.targets.epic.registers.colouring import colour
from compiler.targets.epic.registers.crowding import crowded_out
from compiler.targets.epic.registers.interference import Interference
from compiler.targets.epic.registers.operands import copies_onto_itself, is_virtual
from compiler.targets.epic.registers.spilling import Spiller
from machines.diagnostics import input_error
from machines.kinds.epic.fields import Epic


def allocate(function: Function, description: Epic, rounds: int) -> dict[str, int]:
    """Allocate registers in place, spilling at most `rounds` times; returns counts of what was
    spilled or recomputed.

    Raises InputError if the register files cannot hold the code even with everything spilled.
    """
    spiller = Spiller(function, description)
    fixed = invariants(function)
    crowd = crowded_out(function, description, fixed)
    if crowd:
        spiller.spill(crowd)
    split, waiting = frozenset(), frozenset()
    graph = Interference(function, description)
    for _ in range(rounds):
        colours, uncoloured = colour(graph, description, spiller.temporaries | fixed)
        if not uncoloured:
            _rename(function, colours)
            open_frame(function, description)
            return spiller.counts
        file = graph.files[uncoloured[0]]
        blocked = [n for n in uncoloured if n in spiller.temporaries or n in split]
        homeless = fixed - split - colours.keys()  # something beside each gives way
        if (fixed - split and blocked) or homeless & waiting.union(uncoloured):
            fixed = split = split_around_kernels(function, fixed)
            graph = Interference(function, description)
        elif blocked:
            _give_up(function, description, graph.files[blocked[0]])
        else:
            waiting |= homeless
            graph.spilled(uncoloured, spiller.spill(uncoloured))
    return _give_up(function, description, file)


def _give_up(function: Function, description: Epic, file: str) -> None:
    raise input_error(
        f"{description.name} has too few {file} registers for '{function.name}', even with "
        "every value kept in memory",
        function.location,
        hint=f"raise registers.{file}.count or shorten registers.{file}.reserved",
    )


def _rename(function: Function, colours: dict[str, str]) -> None:
    builder = Builder(function)
    for block in function.blocks.values():
        for instruction in block.instructions:
            guard = instruction.guard
            builder.change(
                instruction,
                results=tuple(colours.get(name, name) for name in instruction.results),
                operands=tuple(
                    colours[value] if is_virtual(value) else value for value in instruction.operands
                ),
                guard=guard and Guard(colours.get(guard.name, guard.name)),
            )
        builder.set_instructions(
            block, [i for i in block.instructions if not copies_onto_itself(i)]
        )
    function.types = {}
