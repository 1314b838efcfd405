"""Selection of what ends a block.

A branch goes to the block that does not follow in the layout; if neither follows it takes two
branches.  Backward branches are predicted taken, forward ones not taken, both dynamically.
"""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.registers.operands import RETURN_ADDRESS
from compiler.targets.epic.selection.selector import Selector, rule
from machines.instructions.ia64_operands import BRANCH_HINTS

ALWAYS = BRANCH_HINTS.index("sptk")
LIKELY = BRANCH_HINTS.index("dptk")
UNLIKELY = BRANCH_HINTS.index("dpnt")


@rule("jump")
def jump(s: Selector, i: Instruction) -> None:
    _go(s, str(i.operands[0]))


@rule("branch")
def branch(s: Selector, i: Instruction) -> None:
    condition, then, other = i.operands[0], str(i.operands[1]), str(i.operands[2])
    if then == other or not isinstance(condition, str):
        _go(s, then if then == other or condition else other)
    elif s.follows(then):
        _branch_if(s, s.true_unless(0), other)
    else:
        _branch_if(s, s.true_when(0), then)
        _go(s, other)


@rule("return")
def leave(s: Selector, i: Instruction) -> None:
    attributes = {}
    if i.operands:
        _set_result(s, i)
        attributes["returns"] = s.result_register
    if s.saved is not None:
        frame, address = s.saved
        s.emit("mov.to_ar.pfs", (), (frame,))
        s.emit("mov.to_branch", (RETURN_ADDRESS,), (address,))
    s.emit("br.ret", (), (ALWAYS, RETURN_ADDRESS), **attributes)


def _set_result(s: Selector, i: Instruction) -> None:
    """The value in the register that the machine returns results in."""
    t = s.function.result
    value = i.operands[0]
    if t.is_float:
        register = value if not isinstance(value, str) else s.variable(value)
        if not isinstance(value, str):
            register = s.float_constant(float(value))
        s.emit("mov.f", (s.result_register,), (register,))
    elif t.bits == 1:
        s.emit("addl", (s.result_register,), (0, "r0"))
        if isinstance(value, str):
            s.emit("addl", (s.result_register,), (1, "r0"), s.variable(value))
        elif value:
            s.emit("addl", (s.result_register,), (1, "r0"))
    elif not isinstance(value, str):
        s.emit("mov", (s.result_register,), (s.constant(int(value)),))
    elif value in s.loose:
        s.emit(f"sxt{t.bits // 8}", (s.result_register,), (s.variable(value),))
    else:
        s.emit("mov", (s.result_register,), (s.variable(value),))


def _go(s: Selector, label: str) -> None:
    if not s.follows(label):
        s.emit("br.cond", (), (ALWAYS, label))


def _branch_if(s: Selector, predicate: str, label: str) -> None:
    hint = LIKELY if s.is_behind(label) else UNLIKELY
    s.emit("br.cond", (), (hint, label), predicate)
