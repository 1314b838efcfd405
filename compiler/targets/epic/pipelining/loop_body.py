"""Loops that can be pipelined, and how they count or test.

    loop:  ld8 %x = [%p]                  LoopBody: the load and the add, the counter %c
           add %s = %s, %x
           adds %c = -1, %c        |
           p0, %t = cmp.eq 0, %c   |      counted: ar.lc does all this
           (%t) br.cond loop       |

Fit is an innermost loop of one block that ends with a conditional branch back to it (and perhaps a
branch elsewhere), whose instructions name virtual registers and constants only.  A loop is counted
if its condition is that a register, which nothing else touches, is not zero after 1 was taken from
it; any other tests its condition as it goes (a while loop).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from compiler.analyses.code_flow import targets
from compiler.ir.module import Block, Function, Instruction
from compiler.machine_code.liveness import MachineLiveness
from compiler.machine_code.loops import machine_loops
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import (
    CONSTANT,
    files_of,
    machine_liveness,
    reads,
    writes,
)
from machines.instructions import operations


class NotPipelinedError(Exception):
    """Why a loop stays as it is: `reason` names the cause, `detail` says more of this loop."""

    def __init__(self, reason: str, detail: str = ""):
        super().__init__(reason)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class LoopBody:
    """One loop.

    code       what is done in each iteration, control left out
    branch     the branch back; its guard is the condition to go on
    leave      an unconditional branch behind it, None: the loop falls into the next block
    counter    the register whose value before the loop is the number of iterations; None if the
               loop is not counted
    live_out   the virtual registers that are read after the loop
    """

    block: Block
    code: tuple[Instruction, ...]
    branch: Instruction
    leave: Instruction | None
    counter: str | None
    live_out: frozenset[str]


@dataclass(frozen=True)
class Surroundings:
    """What the loops of a function have around them, found once for all of them.

    A pipelined loop reads nothing on entry and leaves nothing behind that the loop did not, so
    that what was alive around the others stays.

    live       the liveness of the function
    following  the block behind each in the layout
    setters    of each register what writes it, with the block
    branches   what branches to a block; leads_to: where each branch led
    """

    live: MachineLiveness
    following: dict[str, str]
    setters: dict[str, list[tuple[Block, Instruction]]]
    branches: dict[str, list[Instruction]]
    leads_to: dict[Instruction, tuple[str, ...]]


def surroundings(function: Function) -> Surroundings:
    setters: dict[str, list[tuple[Block, Instruction]]] = {}
    branches: dict[str, list[Instruction]] = {}
    leads_to: dict[Instruction, tuple[str, ...]] = {}
    for block, instruction in function.instructions():
        for name in instruction.results:
            setters.setdefault(name, []).append((block, instruction))
        if labels := targets(instruction):
            leads_to[instruction] = labels
        for label in labels:
            branches.setdefault(label, []).append(instruction)
    following = dict(pairwise(function.blocks))
    return Surroundings(machine_liveness(function), following, setters, branches, leads_to)


def innermost_loops(function: Function) -> Iterator[tuple[Block, int]]:
    """The heads of the loops that hold no other loop, and how many blocks each has.

    A head without instructions, which falls into the next block, is none of one that is fit.
    """
    for head, loop in machine_loops(function).by_header.items():
        block = function.blocks[head]
        is_done = not block.instructions or "kernel" in block.terminator.attributes
        if not loop.children and not is_done:
            yield block, len(loop.members)


def read_loop(function: Function, block: Block, blocks: int, around: Surroundings) -> LoopBody:
    """What a loop consists of; raises NotPipelinedError if it is not fit."""
    if blocks > 1:
        raise NotPipelinedError("several blocks", f"{blocks} of them")
    if block is function.entry:
        raise NotPipelinedError("the function begins with it")
    code, branch, leave = _split(block)
    for instruction in code:
        _check(instruction)
    if branch.guard is None:
        raise NotPipelinedError("it does not end")
    live_out = _live_out(around, block, leave)
    counting = _counting(code, branch, live_out)
    counter = counting[0].results[0] if counting else None
    kept = tuple(i for i in code if not any(i is other for other in counting))
    return LoopBody(block, kept, branch, leave, counter, live_out)


def _split(block: Block) -> tuple[list[Instruction], Instruction, Instruction | None]:
    """The straight code, the branch back, and the branch elsewhere."""
    code = list(block.instructions)
    leave = None
    last = code.pop()
    if block.name not in last.labels and last.guard is None and last.operation.control == "branch":
        leave, last = last, code.pop()
    if last.operation.name != "br.cond" or last.labels != (block.name,):
        raise NotPipelinedError("several exits")
    return code, last, leave


def _check(instruction: Instruction) -> None:
    operation = instruction.operation
    if operation.control == "call":
        raise NotPipelinedError("call")
    if operation.control is not None:
        raise NotPipelinedError("several exits")
    if operation.implicit_reads or operation.implicit_writes:
        raise NotPipelinedError("uses a special register", str(operation))
    for name, _ in files_of(instruction):
        if not is_virtual(name) and name not in CONSTANT:
            raise NotPipelinedError("names a register of the machine", name)


def _live_out(around: Surroundings, block: Block, leave: Instruction | None) -> frozenset[str]:
    after = around.leads_to[leave][0] if leave else around.following.get(block.name)
    if after is None:
        raise NotPipelinedError("nothing follows it")
    return frozenset(around.live.names(around.live.live_in[after]))


def _counting(
    code: list[Instruction], branch: Instruction, live_out: frozenset[str]
) -> tuple[Instruction, ...]:
    """The decrement and the compare of a counted loop; nothing if it is not counted."""
    condition = branch.guard.name
    compares = [i for i in code if condition in i.results]
    if len(compares) != 1 or compares[0].guard is not None:
        return ()
    compare = compares[0]
    tested = _tested_for_zero(compare, condition)
    steps = [i for i in code if tested in i.results]
    if tested is None or len(steps) != 1 or steps[0].guard is not None:
        return ()
    step = steps[0]
    counts_down = step.operation.name == "adds" and step.operands == (-1, tested)
    if not counts_down or _position(code, step) > _position(code, compare):
        return ()
    own = {tested, *compare.results} - CONSTANT
    others = [i for i in code if i is not step and i is not compare]
    touched = {name for i in others for name, _ in (*reads(i), *writes(i))}
    return () if own & (touched | live_out) else (step, compare)


def _tested_for_zero(compare: Instruction, condition: str) -> str | None:
    """The register that is not zero when `condition` holds."""
    name, operands = compare.operation.name, compare.operands
    if compare.results[1] != condition:
        return None
    if name == "cmp.eq.imm" and operands[0] == 0:
        return str(operands[1])
    if name == "cmp.eq" and "r0" in operands:
        return str(operands[1 - operands.index("r0")])
    return None


def _position(code: list[Instruction], wanted: Instruction) -> int:
    return next(k for k, i in enumerate(code) if i is wanted)


def known_count(around: Surroundings, loop: LoopBody) -> int | None:
    """The number of iterations, if one constant is all that the counter is set to elsewhere."""
    writers = around.setters.get(loop.counter, ())
    setters = [instruction for block, instruction in writers if block is not loop.block]
    if len(setters) != 1 or setters[0].guard is not None:
        return None
    (setter,) = setters
    if setter.operation.name in ("addl", "adds") and setter.operands[1] == "r0":
        return int(setter.operands[0])
    if setter.operation is operations()["ia64", "movl"]:
        return int(setter.operands[0])
    return None
