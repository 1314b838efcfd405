"""Definition and uses of every name of a function in SSA form, for passes.

    entry: x1 = add.i32 a, b        definition x1: (entry, add)    uses x1: (loop, phi), (loop, mul)
    loop:  x2 = phi [entry: x1, loop: x3]        x2: (loop, phi)             (loop, mul)
           x3 = mul.i32 x2, x1                   x3: (loop, mul)             (loop, phi)

Unlike `compiler.analyses.chains` this looks at names only: it folds no phi and numbers nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.ir.module import Function, Instruction

Site = tuple[str, Instruction]
"""The name of a block and an instruction in it."""


@dataclass(frozen=True, slots=True)
class DefUse:
    """Where names are defined and used; unreachable blocks count too.

    definition   the one site that defines a name; parameters are not keys
    uses         for every name, parameters included, the instructions that read it (as operand,
                 guard, bound or tie), each once, in layout order; a phi stands under its own block
    """

    definition: dict[str, Site]
    uses: dict[str, tuple[Site, ...]]


@cached_by_version
def def_use(function: Function) -> DefUse:
    """The definitions and uses of a function in SSA form."""
    definition: dict[str, Site] = {}
    uses: dict[str, list[Site]] = {name: [] for name in function.types}
    for block, instruction in function.instructions():
        site = block.name, instruction
        for name in instruction.results:
            definition[name] = site
        for name in dict.fromkeys(instruction.variables_read):
            uses[name].append(site)
    return DefUse(definition, {name: tuple(sites) for name, sites in uses.items()})
