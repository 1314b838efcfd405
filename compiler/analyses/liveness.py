"""Which variables are live where, by the classic backward fixpoint over bit sets.

A guarded definition kills nothing: if its guard is false the earlier value stays.  In SSA form that
earlier value is the tied use (`else x2`), which counts as a use like any other.  A phi's operand is
used at the end of the predecessor it belongs to, its result is defined at the head of its block.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Block, Function, Instruction


@dataclass(frozen=True, slots=True)
class Liveness:
    """Live variables at both ends of every block, unreachable ones included.

    The results of a block's phis are not in its `live_in`: the phis define them at its head.
    Names stand in the order of `Function.types`.
    """

    live_in: dict[str, tuple[str, ...]]
    live_out: dict[str, tuple[str, ...]]


def kills(instruction: Instruction) -> bool:
    """Whether the definitions of an instruction end the life of the values before them."""
    return instruction.guard is None or bool(instruction.otherwise)


@cached_by_version
def liveness(function: Function) -> Liveness:
    """Live variables of a well-formed function in variable or SSA form."""
    numbers = {name: index for index, name in enumerate(function.types)}
    flow = control_flow(function)
    gen, kill, on_edge = {}, {}, {}
    for name, block in function.blocks.items():
        gen[name], kill[name] = _upward_exposed(block, numbers)
        for source, mask in _phi_uses(block, numbers).items():
            on_edge[source, name] = mask

    live_in = dict.fromkeys(function.blocks, 0)
    live_out = dict.fromkeys(function.blocks, 0)
    order = (*reversed(flow.reverse_postorder), *flow.unreachable)
    changed = True
    while changed:
        changed = False
        for name in order:
            out = 0
            for target in flow.successors[name]:
                out |= live_in[target] | on_edge.get((name, target), 0)
            before = gen[name] | (out & ~kill[name])
            changed |= before != live_in[name]
            live_out[name], live_in[name] = out, before
    names = tuple(function.types)
    return Liveness(
        {block: _names(mask, names) for block, mask in live_in.items()},
        {block: _names(mask, names) for block, mask in live_out.items()},
    )


def _upward_exposed(block: Block, numbers: dict[str, int]) -> tuple[int, int]:
    """Variables a block reads before it kills them, and variables it kills, as bit sets."""
    exposed = killed = 0
    for instruction in block.instructions:
        if not instruction.is_phi:
            for name in instruction.variables_read:
                exposed |= (1 << numbers[name]) & ~killed
        if kills(instruction):
            for name in instruction.results:
                killed |= 1 << numbers[name]
    return exposed, killed


def _phi_uses(block: Block, numbers: dict[str, int]) -> dict[str, int]:
    """For each predecessor the variables that the block's phis read on that edge."""
    uses: dict[str, int] = {}
    for instruction in block.instructions:
        if instruction.is_phi:
            labels, values = instruction.operands[::2], instruction.operands[1::2]
            for label, value in zip(labels, values, strict=True):
                if isinstance(value, str):
                    uses[label] = uses.get(label, 0) | 1 << numbers[value]
    return uses


def _names(mask: int, names: tuple[str, ...]) -> tuple[str, ...]:
    found = []
    while mask:
        lowest = mask & -mask
        found.append(names[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(found)
