"""Selection of calls, and what a function that calls keeps for its own return.

    x = call.i64 @f(a, 1.5)            adds o0 = 0, %a
                                       fmerge.s f8 = %1, %1
                                       br.call.sptk b0 = @f
                                       adds %x = 0, r8
    x = call_through.i64 @f(p, a)      ld8 %2 = [%p]
                                       adds o0 = 0, %a
                                       mov b6 = %2
                                       br.call.sptk b0 = b6

A function's address is that of its descriptor, whose first word is where the code begins; the
second, a global pointer, is not loaded, as no code needs one.  A block ends with its call, as what
follows stands in the next bundle.
"""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.registers.operands import RETURN_ADDRESS
from compiler.targets.epic.selection.select_control import ALWAYS
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR

RESULTS = ("", I1, I8, I16, I32, I64, F32, F64, PTR)
CALLED_THROUGH = "b6"


@rule("call", RESULTS)
def call(s: Selector, i: Instruction) -> None:
    passed = _pass(s, range(1, len(i.operands)))
    _call(s, "br.call", f"@{s.callee.name}", passed)


@rule("call_through", RESULTS)
def call_through(s: Selector, i: Instruction) -> None:
    code = s.temporary("general")
    s.emit("ld8", (code,), (s.integer(1),), s.guard, fresh=True)
    passed = _pass(s, range(2, len(i.operands)))
    s.emit("mov.to_branch", (CALLED_THROUGH,), (code,))
    _call(s, "br.call.indirect", CALLED_THROUGH, passed)


def _pass(s: Selector, indices: range) -> tuple[str, ...]:
    """Put the arguments, operands at these indices, where the callee finds them."""
    passed = s.calling.passing(s.callee, s.location)
    values = [_argument(s, index) for index in indices]
    for (_, t), register, value in zip(s.callee.parameters, passed, values, strict=True):
        s.emit("mov.f" if t.is_float else "mov", (register,), (value,))
    return tuple(passed)


def _call(s: Selector, operation: str, target: str, passed: tuple[str, ...]) -> None:
    s.emit(
        operation, (RETURN_ADDRESS,), (ALWAYS, target), s.guard,
        passes=passed, clobbers=s.calling.clobbered, fresh=True,
    )  # fmt: skip
    if s.instruction.results:
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
