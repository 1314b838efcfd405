"""Which way a branch goes more likely, as far as the code itself says so.

    (%p) br.cond out    out leaves the loop                ->  not taken
    (%p) br.cond b      p = cmp.eq, b and c both inside    ->  not taken: values mostly differ

Source: T. Ball, J. R. Larus, "Branch Prediction for Free", PLDI 1993; the heuristics in order: the
loop branch, the return and the call, and the opcode.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.analyses.loops import Loops
from compiler.ir.module import Instruction
from compiler.targets.epic.straight import COMPARES, Straight


def likely_way(name: str, blocks: Mapping[str, Straight], loops: Loops) -> str | None:
    """Where control probably goes at the end of a block; None if nothing speaks for either way."""
    block = blocks[name]
    if block.exit is None or block.goes_on is None:
        return block.goes_on
    taken, passed = block.exit.labels[0], block.goes_on
    depth = loops.depth.get
    for worse in (
        lambda way: depth(way, 0) < depth(name, 0),
        lambda way: _ends(blocks[way]) == "return",
        lambda way: _ends(blocks[way]) == "call",
    ):
        if worse(taken) != worse(passed):
            return passed if worse(taken) else taken
    mostly = _mostly_true(block.code[:-1], block.exit.guard.name)
    return None if mostly is None else taken if mostly else passed


def _ends(block: Straight) -> str | None:
    """What control does at the end of a block."""
    return block.code[-1].operation.control if block.code else None


def _mostly_true(code: list[Instruction], predicate: str) -> bool | None:
    """Whether a predicate is likely true: two values are mostly different, numbers mostly not
    negative."""
    for instruction in reversed(code):
        if predicate in instruction.results:
            break
    else:
        return None
    operation = instruction.operation
    if operation.scheduling_class not in COMPARES or "parallel" in operation.flags:
        return None
    relation = operation.name.split(".")[1]
    if relation == "eq" or (relation == "lt" and instruction.operands[1] == "r0"):
        return instruction.results[0] != predicate
    return None
