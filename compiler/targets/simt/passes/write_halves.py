"""Moves between a pair of registers and its halves: what is in place already goes.

    mov.unpack.b64 r4, r9, d4          mov.b32 r9, r5
    cvt.s64.s32    d6, r6        ->    shr.s32 r7, r6, 31
    mov.pack.b64   d0, r0, r1          (nothing)

A pair is two neighbouring registers, so a half that the allocator put where it belongs needs no
row, and a sign or zeros above one need one instead of the two that a conversion to 64 bits stands
for.  As in the machine code of ptxas, where such moves are not found at all.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction, Value
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.values import row
from compiler.targets.simt.registers.halves import EXTENDED, LOW_OF, PACK, UNPACK
from compiler.targets.simt.registers.operands import halves
from compiler.transformation import Changes, Pass
from machines.description.load import Machine

SIGN = 31


def write(function: Function) -> Changes:
    changes, builder = Changes(), Builder(function)
    for block in function.blocks.values():
        code: list[Instruction] = []
        for i in block.instructions:
            made = _instead(i)
            code += [i] if made is None else made
            if made is not None:
                changes.count("moves of halves", 1)
        if code != block.instructions:
            builder.set_instructions(block, code)
    function.types = {}
    return changes


def _instead(i: Instruction) -> list[Instruction] | None:
    """The rows that are left of a move; None if it stays, or is none."""
    name = i.operation.name
    if name == UNPACK and isinstance(i.operands[0], str):
        return _moved(i, i.results, halves(i.operands[0]))
    if name == PACK:
        return _moved(i, halves(i.results[0]), i.operands)
    if name in LOW_OF and isinstance(i.operands[0], str):
        return _moved(i, i.results, halves(i.operands[0])[:1])
    if name in EXTENDED and isinstance(i.operands[0], str):
        return _extended(i)
    return None


def _moved(
    i: Instruction, results: tuple[Value, ...], sources: tuple[Value, ...]
) -> list[Instruction] | None:
    """Moves of single registers in an order in which none is overwritten before it is read."""
    moves = [(r, s) for r, s in zip(results, sources, strict=True) if r != s]
    if len(moves) == 2 and moves[0][0] == moves[1][1]:
        moves.reverse()
        if moves[0][0] == moves[1][1]:
            return None
    return [_row(i, "mov.b32", r, s) for r, s in moves]


def _extended(i: Instruction) -> list[Instruction]:
    source = i.operands[0]
    low, high = halves(i.results[0])
    is_signed = EXTENDED[i.operation.name]
    made = ("shr.s32", source, SIGN) if is_signed else ("mov.b32", 0)
    rows = [_row(i, made[0], high, *made[1:])]
    if low != source:
        move = _row(i, "mov.b32", low, source)
        rows = [move, *rows] if high == source and not is_signed else [*rows, move]
        if high == source and is_signed:
            rows = [move, _row(i, "shr.s32", high, low, SIGN)]
    return rows


def _row(i: Instruction, name: str, result: Value, *operands: Value) -> Instruction:
    return Instruction(row(name), (str(result),), operands, i.guard, location=i.location)


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return write(function) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "write_halves",
    "Moves between pairs of registers and their halves that are in place already go.",
    run,
    forms={"allocated": "allocated"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
