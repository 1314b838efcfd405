"""Selection of boolean operations.

A boolean is a predicate and its complement.  `cmp.eq p, q = r0, r0` sets the pair to (1, 0) and
`cmp.eq q, p` to (0, 1); under a predicate they are conditional assignments.
"""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import I1


def _assign(s: Selector, targets: tuple[str, str], value: bool, guard=None) -> None:
    s.emit("cmp.eq", targets if value else targets[::-1], ("r0", "r0"), guard)


def _set_from_general(s: Selector, register: str) -> None:
    s.emit("cmp.eq", s.pair()[::-1], (register, "r0"), s.guard)


def _in_place(s: Selector, i: Instruction) -> bool:
    """True if the result's predicates may be written step by step."""
    return s.guard is None and s.result_name not in i.operands


@rule("const", (I1,))
@rule("copy", (I1,))
def copy_boolean(s: Selector, i: Instruction) -> None:
    if s.literal(0) is not None:
        _assign(s, s.pair(), bool(s.literal(0)), s.guard)
    elif _in_place(s, i):
        _assign(s, s.pair(), False)
        _assign(s, s.pair(), True, s.true_when(0))
    else:
        _set_from_general(s, s.boolean(0))


@rule("not", (I1,))
def not_boolean(s: Selector, i: Instruction) -> None:
    if s.literal(0) is not None:
        _assign(s, s.pair(), not s.literal(0), s.guard)
    elif _in_place(s, i):
        _assign(s, s.pair(), True)
        _assign(s, s.pair(), False, s.true_when(0))
    else:
        s.emit("cmp.eq", s.pair(), (s.boolean(0), "r0"), s.guard)


@rule("and", (I1,))
def and_booleans(s: Selector, i: Instruction) -> None:
    if _in_place(s, i):
        _assign(s, s.pair(), False)
        _assign(s, s.pair(), True, s.true_when(0))
        _assign(s, s.pair(), False, s.true_unless(1))
    else:
        both = s.boolean(0)
        s.emit("addl", (both,), (0, "r0"), s.true_unless(1))
        _set_from_general(s, both)


@rule("or", (I1,))
def or_booleans(s: Selector, i: Instruction) -> None:
    if _in_place(s, i):
        _assign(s, s.pair(), False)
        _assign(s, s.pair(), True, s.true_when(0))
        _assign(s, s.pair(), True, s.true_when(1))
    else:
        either = s.boolean(0)
        s.emit("addl", (either,), (1, "r0"), s.true_when(1))
        _set_from_general(s, either)


@rule("xor", (I1,))
def xor_booleans(s: Selector, i: Instruction) -> None:
    result = s.boolean(0)
    s.emit("xor.imm", (result,), (1, result), s.true_when(1))
    _set_from_general(s, result)


@rule("select", (I1,))
def select_boolean(s: Selector, i: Instruction) -> None:
    result = s.boolean(2)
    s.emit("mov", (result,), (s.boolean(1),), s.true_when(0))
    _set_from_general(s, result)


@rule("opaque.i1")
@rule("branch.opaque")
def opaque(s: Selector, i: Instruction) -> None:
    s.refuse("nothing is known about an opaque condition", "write a comparison in its place")
