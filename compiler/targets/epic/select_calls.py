"""Selection of calls, and what a function that calls keeps for its own return.

    x = call.i64 @f(a, 1.5)        adds o0 = 0, %a
                                   fmerge.s f8 = %1, %1
                                   br.call.sptk b0 = @f
                                   adds %x = 0, r8

A block ends with its call, as what follows stands in the next bundle.
"""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.registers import RETURN_ADDRESS
from compiler.targets.epic.select_control import ALWAYS
from compiler.targets.epic.selector import Selector, rule
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR


@rule("call", ("", I1, I8, I16, I32, I64, F32, F64, PTR))
def call(s: Selector, i: Instruction) -> None:
    passed = s.calling.passing(s.callee, s.location)
    values = [_argument(s, index) for index in range(1, len(i.operands))]
    for (_, t), register, value in zip(s.callee.parameters, passed, values, strict=True):
        s.emit("mov.f" if t.is_float else "mov", (register,), (value,))
    s.emit(
        "br.call", (RETURN_ADDRESS,), (ALWAYS, f"@{s.callee.name}"), s.guard,
        passes=tuple(passed), clobbers=s.calling.clobbered, fresh=True,
    )  # fmt: skip
    if i.results:
        _take_result(s)


def _argument(s: Selector, index: int) -> str:
    t = s.operand_type(index)
    if t.is_float:
        return s.float(index)
    return s.boolean(index) if t is I1 else s.extended(index)


def _take_result(s: Selector) -> None:
    register = s.calling.result(s.callee)
    if s.result_type is I1:
        s.emit("cmp.eq", s.pair()[::-1], (register, "r0"), s.guard)
    else:
        s.define("mov.f" if s.result_type.is_float else "mov", register)


def save_return(s: Selector) -> list[Instruction]:
    """Code for the entry of a function that calls."""
    s.out, s.location = [], s.function.location
    s.saved = s.temporary("general"), s.temporary("general")
    s.emit("mov.from_ar.pfs", (s.saved[0],))
    s.emit("mov.from_branch", (s.saved[1],), (RETURN_ADDRESS,))
    return s.out
