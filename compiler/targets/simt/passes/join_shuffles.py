"""Two shuffles of the halves of a value become one of the pair.

    mov.b64  {%l, %h}, %x
    shfl.sync.down %m, %l, 8, 31, -1          shfl.sync.down.pair %y, %x, 8, 31, -1
    shfl.sync.down %i, %h, 8, 31, -1    ->
    mov.b64  %y, {%m, %i}

PTX shuffles 32 bits, so an f64 is taken apart and put together again.  A pair is two registers of
the hardware, which it shuffles where they are; so there are no moves, and the row that stands for
both shuffles costs two.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.targets.simt.combination.values import Values, row
from compiler.targets.simt.passes.remove_dead_lanes import remove_dead
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.instructions.ptx_threads import SHUFFLES

PAIRS = {f"shfl.sync.{mode}.alone": f"shfl.sync.{mode}.pair" for mode in SHUFFLES}
"""By the row of 32 bits, that of 64."""


def join_shuffles(function: Function) -> Changes:
    changes, builder = Changes(), Builder(function)
    uses = Values(function).uses
    for block in function.blocks.values():
        code = _joined(block, uses, changes)
        if len(code) < len(block.instructions):
            builder.set_instructions(block, code)
    if changes:
        remove_dead(function)  # what takes values apart
    return changes


def _joined(block: Block, uses: dict[str, int], changes: Changes) -> list[Instruction]:
    written: dict[str, int] = {}
    code, gone = list(block.instructions), set()
    for number, instruction in enumerate(code):
        shuffles = _halves(code, written, instruction, uses)
        if shuffles is not None:
            code[number] = _of_pair(code, written, instruction, shuffles)
            gone.update(shuffles)
            changes.note("shuffles joined", instruction)
        written.update(dict.fromkeys(instruction.results, number))
    return [i for number, i in enumerate(code) if number not in gone]


def _halves(
    code: list[Instruction], written: dict[str, int], pack: Instruction, uses: dict[str, int]
) -> tuple[int, int] | None:
    """The shuffles of whose results a row makes a pair, if those of the halves of one value."""
    if pack.operation.name != "mov.pack.b64" or pack.guard is not None:
        return None
    places = [written.get(value, -1) for value in pack.operands if isinstance(value, str)]
    if len(places) < 2 or min(places) < 0 or any(uses.get(v, 0) != 1 for v in pack.operands):
        return None
    low, high = (code[place] for place in places)
    is_shuffle = low.operation.name in PAIRS and low.operation is high.operation
    if not is_shuffle or low.guard or high.guard:
        return None
    if low.operands[1:] != high.operands[1:]:
        return None
    parts = [low.operands[0], high.operands[0]]
    apart = {written.get(part, -1) for part in parts if isinstance(part, str)}
    if len(apart) != 1 or not 0 <= (place := apart.pop()) < min(places):
        return None
    unpack = code[place]
    is_whole = unpack.operation.name == "mov.unpack.b64" and list(unpack.results) == parts
    if not is_whole or unpack.guard is not None:
        return None
    before = {**dict.fromkeys(low.operands[1:], min(places)), unpack.operands[0]: place}
    is_kept = all(_last(written, value) < limit for value, limit in before.items())
    return (places[0], places[1]) if is_kept else None


def _last(written: dict[str, int], value: Value) -> int:
    return written.get(value, -1) if isinstance(value, str) else -1


def _of_pair(
    code: list[Instruction], written: dict[str, int], pack: Instruction, shuffles: tuple[int, int]
) -> Instruction:
    low = code[shuffles[0]]
    whole = code[written[low.operands[0]]].operands[0]
    operands = (whole, *low.operands[1:])
    joined = row(PAIRS[low.operation.name])
    return Instruction(joined, pack.results, operands, location=low.location)


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return join_shuffles(function)


PLUGIN = Pass(
    "join_shuffles",
    "Shuffles of the halves of a value become one of the pair.",
    run,
    forms={"virtual": "virtual"},
    kinds=("simt",),
)
