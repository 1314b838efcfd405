"""What stands in the constant bank is loaded where it is needed, as ptxas does.

    entry: ld.param.b64 %p, 0               entry: ldc.stack    %stack
           …                                       …
           bra %q, leave, more         ->          bra %q, leave, more     (a guarded exit)
    more:  add.s64 %a, %p, %i               more:  ldc.descriptor %global
           ld.global.b32 %x, %a, 0                 ld.param.b64 %p, 0
                                                   …

Parameters, and sizes of blocks and grids, which stand beside them, go to the nearest block that
dominates all that read them, but into no loop: threads that end before do not load them, and until
then they take no register.  A kernel begins with its stack pointer, and where it accesses global
memory the descriptor of that is loaded, once (what ptxas 13.0 writes for sm_75 to sm_120: MOV or
LDC R1, c[0x0][0x28]; ULDC.64 c[0x0][0x118] or [0x208]).  For machines that have a compute
capability, unless another wish is told: `--passes default,-place_constants`, or
`{place_constants: {always: true}}`.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.analyses.dominators import Dominators, dominators
from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.values import row, values_of
from compiler.targets.simt.registers.operands import reads
from compiler.transformation import Changes, Pass
from machines.description.load import Machine

BY_DESCRIPTOR = ("global", "generic", "local")
"""Spaces whose accesses name the descriptor of global memory."""
DESCRIBED_FROM = 8.0
"""The first compute capability with descriptors."""
LOADED_FROM = 9.0
"""The first whose stack pointer comes by a load."""


def place(function: Function, capability: float) -> Changes:
    changes = Changes()
    _sink(function, changes)
    _load_descriptor(function, capability, changes)
    stack = "ldc.stack" if capability >= LOADED_FROM else "mov.stack"
    _insert(function, function.entry.name, 0, stack, changes)
    return changes


def _sink(function: Function, changes: Changes) -> None:
    """Move loads of constants down to what reads them."""
    values, builder = values_of(function), Builder(function)
    loaded = {
        instruction.results[0]: instruction
        for instruction in function.entry.instructions
        if instruction.operation.scheduling_class == "load_param"
        and len(instruction.results) == 1
        and values.origins.get(instruction.results[0]) is instruction
    }
    if not loaded:
        return
    readers: dict[str, dict[str, int]] = {name: {} for name in loaded}
    tree = dominators(function)
    for name in tree.order:
        for index, instruction in enumerate(function.blocks[name].instructions):
            for register, _ in reads(instruction):
                if register in readers:
                    readers[register].setdefault(name, index)
    depth, entry = loops(function).depth, function.entry.name
    moved: dict[str, list[tuple[int, Instruction]]] = {}
    for register, places in readers.items():
        home = _home(tree, depth, places) if places and not depth[entry] else entry
        if home != entry:
            last = len(function.blocks[home].instructions) - 1
            moved.setdefault(home, []).append((places.get(home, last), loaded[register]))
            changes.note("loaded later", loaded[register])
    gone = {id(instruction) for found in moved.values() for _, instruction in found}
    if gone:
        kept = [i for i in function.entry.instructions if id(i) not in gone]
        builder.set_instructions(function.entry, kept)
    for name, found in moved.items():
        code = list(function.blocks[name].instructions)
        found.sort(key=lambda one: one[0])
        for index, instruction in reversed(found):
            code.insert(index, instruction)
        builder.set_instructions(function.blocks[name], code)


def _home(tree: Dominators, depth: dict[str, int], places: Iterable[str]) -> str:
    """The nearest block outside loops that dominates all of these."""
    found = iter(places)
    home = next(found)
    for place in found:
        while not tree.dominates(home, place):
            home = tree.parent[home]
    while depth[home]:
        home = tree.parent[home]
    return home


def _load_descriptor(function: Function, capability: float, changes: Changes) -> None:
    tree = dominators(function)
    places = [
        name
        for name in tree.order
        if any(
            access.space in BY_DESCRIPTOR
            for instruction in function.blocks[name].instructions
            for access in instruction.operation.accesses
        )
    ]
    if places and capability >= DESCRIBED_FROM and not loops(function).depth[tree.order[0]]:
        home = _home(tree, loops(function).depth, places)
        before = len(function.blocks[home].instructions) - 1 if home not in places else 0
        _insert(function, home, before, "ldc.descriptor", changes)


def _insert(function: Function, name: str, index: int, written: str, changes: Changes) -> None:
    builder = Builder(function)
    block = function.blocks[name]
    result = builder.fresh(f"%{written.split('.')[1]}", row(written).writes[0].kind.holds)
    location = block.instructions[index].location
    made = Instruction(row(written), (result,), (), location=location)
    builder.set_instructions(
        block, [*block.instructions[:index], made, *block.instructions[index:]]
    )
    changes.count(f"{written} placed")


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    if not is_wanted(machine, options):
        return Changes()
    return place(function, machine.description.compute_capability or LOADED_FROM)


PLUGIN = Pass(
    "place_constants",
    "What stands in the constant bank is loaded where it is needed, as ptxas does.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
