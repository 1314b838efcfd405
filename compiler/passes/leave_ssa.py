"""Turn phis and tied values into copies, so that names may be assigned often.

    BB1: jump BB3                       BB1: x3.1 = copy.i32 x1
    BB2: jump BB3                            jump BB3
    BB3: x3 = phi [BB1: x1, BB2: x2] -> BB2: x3.1 = copy.i32 x2
                                             jump BB3
                                        BB3: x3 = copy.i32 x3.1

    @p x5 = add a1, b1 else x2      ->  x5 = copy.i32 x2
                                        @p x5 = add a1, b1

Each phi gets a variable of its own for the way between the blocks.  All copies at the end of a
predecessor read before any phi result is written, so phis that swap values and phis on critical
edges stay right (the first method of Sreedhar, Ju, Gillies, Santhanam, *Translating Out of Static
Single Assignment Form*, 1999).  A function without phis and ties stays as it is.
"""

from __future__ import annotations

from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.transformation import Changes, NoOptions, Pass
from machines.load import Machine


def replace_phis(function: Function) -> int:
    """Replace every phi; returns how many there were."""
    builder = Builder(function)
    replaced = 0
    for block in list(function.blocks.values()):
        phis = [i for i in block.instructions if i.is_phi]
        copies = []
        for phi in phis:
            (result,) = phi.results
            t = function.types[result]
            on_the_way = builder.fresh(result, t)
            pairs = zip(phi.operands[::2], phi.operands[1::2], strict=True)
            for label, value in pairs:
                source = function.blocks[str(label)]
                builder.at(source, len(source.instructions) - 1)
                builder.emit(f"copy.{t}", value, result=on_the_way, location=phi.location)
            copies.append((t, on_the_way, result, phi))
        if phis:
            rest = [i for i in block.instructions if not i.is_phi]
            builder.set_instructions(block, rest)
            builder.at(block, 0)
            for t, on_the_way, result, phi in copies:
                builder.emit(f"copy.{t}", on_the_way, result=result, location=phi.location)
        replaced += len(phis)
    return replaced


def replace_ties(function: Function) -> int:
    """Replace every tied value by a copy before its instruction; returns how many there were."""
    builder = Builder(function)
    replaced = 0
    for block in function.blocks.values():
        for instruction in list(block.instructions):
            builder.at(block, block.instructions.index(instruction))
            for name, value in zip(instruction.results, instruction.otherwise, strict=False):
                copy = f"copy.{function.types[name]}"
                builder.emit(copy, value, result=name, location=instruction.location)
                replaced += 1
            if instruction.otherwise:
                builder.change(instruction, otherwise=())
    return replaced


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    changes = Changes()
    changes.count("phis replaced", replace_phis(function))
    changes.count("tied values replaced", replace_ties(function))
    return changes


PLUGIN = Pass("leave_ssa", "Turn phis and tied values into copies.", run)
