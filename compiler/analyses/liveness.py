"""Which variables are live where, by the classic backward fixpoint over bit sets.

A guarded definition kills nothing: if its guard is false the earlier value stays; unless it has the
attribute 'fresh', which says that nobody reads that.  In SSA form the earlier value is the tied use
(`else x2`), which counts as a use like any other.  A phi's operand is used at the end of the
predecessor it belongs to, its result is defined at the head of its block.

The bit sets hold only what some block reads before it writes it: all else is live between blocks
nowhere (the *semi-pruned* names of Briggs, Cooper, Harvey, Simpson, *Practical Improvements to the
Construction and Destruction of Static Single Assignment Form*, 1998).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.ir.module import Block, Function, Instruction


class LiveSets(Mapping[str, tuple[str, ...]]):
    """The live variables at one end of every block; a set is listed when somebody asks for it.

    mask(block) is the set as a number, of which bit k stands for `names[k]`.
    """

    def __init__(self, numbers: Mapping[str, int], masks: Mapping[str, int]):
        self.numbers, self.names, self._masks = numbers, tuple(numbers), masks
        self._listed: dict[str, tuple[str, ...]] = {}

    def mask(self, block: str) -> int:
        return self._masks[block]

    def mask_of(self, names: Iterable[str]) -> int:
        """Those of some variables that are live at the end of any block."""
        numbers = self.numbers
        return sum(1 << numbers[name] for name in set(names) if name in numbers)

    def among(self, block: str, names: Iterable[str]) -> tuple[str, ...]:
        """Those of some variables that are live here, be all that are as many as they may."""
        return self.listed(self._masks[block] & self.mask_of(names))

    def listed(self, mask: int) -> tuple[str, ...]:
        """The variables of a set, in the order of `Function.types`."""
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self.names[lowest.bit_length() - 1])
            mask ^= lowest
        return tuple(found)

    def __getitem__(self, block: str) -> tuple[str, ...]:
        if block not in self._listed:
            self._listed[block] = self.listed(self._masks[block])
        return self._listed[block]

    def __iter__(self) -> Iterator[str]:
        return iter(self._masks)

    def __len__(self) -> int:
        return len(self._masks)


@dataclass(frozen=True, slots=True)
class Liveness:
    """Live variables at both ends of every block, unreachable ones included.

    The results of a block's phis are not in its `live_in`: the phis define them at its head.
    Names stand in the order of `Function.types`.
    """

    live_in: LiveSets
    live_out: LiveSets


def kills(instruction: Instruction) -> bool:
    """Whether the definitions of an instruction end the life of the values before them."""
    is_whole = instruction.guard is None or bool(instruction.otherwise)
    return is_whole or "fresh" in instruction.attributes


@cached_by_version
def liveness(function: Function) -> Liveness:
    """Live variables of a well-formed function in variable or SSA form."""
    flow = control_flow(function)
    exposed = {name: _upward_exposed(block) for name, block in function.blocks.items()}
    on_edge = {
        (source, name): names
        for name, block in function.blocks.items()
        for source, names in _phi_uses(block).items()
    }
    crossing = set().union(*(read for read, _ in exposed.values()), *on_edge.values())
    numbers = {name: k for k, name in enumerate(n for n in function.types if n in crossing)}

    def mask(names: Iterable[str]) -> int:
        found = 0
        for name in names:
            if name in numbers:
                found |= 1 << numbers[name]
        return found

    gen = {name: mask(read) for name, (read, _) in exposed.items()}
    kept = {name: ~mask(killed) for name, (_, killed) in exposed.items()}
    edge = {way: mask(names) for way, names in on_edge.items()}
    live_in = dict.fromkeys(function.blocks, 0)
    live_out = dict.fromkeys(function.blocks, 0)
    order = (*reversed(flow.reverse_postorder), *flow.unreachable)
    changed = True
    while changed:
        changed = False
        for name in order:
            out = 0
            for target in flow.successors[name]:
                out |= live_in[target] | edge.get((name, target), 0)
            before = gen[name] | (out & kept[name])
            changed |= before != live_in[name]
            live_out[name], live_in[name] = out, before
    return Liveness(LiveSets(numbers, live_in), LiveSets(numbers, live_out))


def _upward_exposed(block: Block) -> tuple[set[str], set[str]]:
    """Variables a block reads before it kills them, and variables it kills."""
    exposed: set[str] = set()
    killed: set[str] = set()
    for instruction in block.instructions:
        if not instruction.is_phi:
            exposed.update(name for name in instruction.variables_read if name not in killed)
        if kills(instruction):
            killed.update(instruction.results)
    return exposed, killed


def _phi_uses(block: Block) -> dict[str, set[str]]:
    """For each predecessor the variables that the block's phis read on that edge."""
    uses: dict[str, set[str]] = {}
    for instruction in block.instructions:
        if not instruction.is_phi:
            break
        labels, values = instruction.operands[::2], instruction.operands[1::2]
        for label, value in zip(labels, values, strict=True):
            if isinstance(value, str):
                uses.setdefault(label, set()).add(value)
    return uses
