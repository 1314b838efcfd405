"""Rows that two pipes can do go to the one that has less to do.

    %a = lop3.b32 %x, %y, %z, 150             %a = lop3.b32 %x, %y, %z, 150        alu
    %b = shl.b32 %a, 4                  ->    %b = mul.lo.s32 %a, 16               fma
    %c = shr.u32 %a, 3                        %c = shr.u32 %a, 3                   alu

A shift, a sum of two and a sign change are also products, a sum of two is also one of three.  What
ptxas does too: IMAD.SHL, IMAD.IADD and IMAD.MOV where the code is logic and shifts, SHF and IADD3
where it is products.  Each block is gone through in order; first counts what has no choice.  For
machines that have a compute capability, unless another wish is told: `--passes
default,-balance_pipes`, or `{balance_pipes: {always: true}}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.targets.simt.as_ptxas import AsPtxasOptions, is_wanted
from compiler.targets.simt.combination.combining import rewritten
from compiler.targets.simt.combination.values import row
from compiler.transformation import Changes, Pass
from machines.description.load import Machine
from machines.kinds.simt.fields import Simt

Form = tuple[str, tuple[Value, ...]]
"""A row and its operands."""


def _sum(a: Value, b: Value) -> list[Form]:
    return [("add3.s32", (a, b, 0, 0)), ("mad.lo.s32", (a, 1, b))]


def _difference(a: Value, b: Value) -> list[Form]:
    return [("add3.s32", (a, b, 0, 2)), ("mad.lo.s32", (b, -1, a))]


def _shift(a: Value, count: Value) -> list[Form]:
    known = isinstance(count, int) and 0 <= count < 32
    return [("mul.lo.s32", (a, 1 << count))] if known else []


def _sum_with_carry(a: Value, b: Value, carry: Value) -> list[Form]:
    return [("madc.lo.u32", (a, 1, b, carry))]


def _opposite(a: Value) -> list[Form]:
    return [("mul.lo.s32", (a, -1))]


FORMS: dict[str, Callable[..., list[Form]]] = {
    "add.s32": _sum,
    "addc.u32": _sum_with_carry,
    "sub.s32": _difference,
    "shl.b32": _shift,
    "neg.s32": _opposite,
}
"""What else rows may be."""


def balance(function: Function, description: Simt) -> Changes:
    changes, builder = Changes(), Builder(function)
    for block in function.blocks.values():
        code = _Balance(description).of(block)
        moved = [old for new, old in zip(code, block.instructions, strict=True) if new is not old]
        if moved:
            builder.set_instructions(block, code)
            changes.count("rows moved to another pipe", len(moved))
    return changes


class _Balance:
    """busy: pipe -> cycles that the rows of a block occupy it, as far as is decided."""

    def __init__(self, description: Simt):
        self.description, self.busy = description, Counter[str]()

    def of(self, block: Block) -> list[Instruction]:
        choices = [self._choices(i) for i in block.instructions]
        for i, forms in zip(block.instructions, choices, strict=True):
            if not forms:
                self._take(i.operation.scheduling_class)
        return [
            self._chosen(i, forms) if forms else i
            for i, forms in zip(block.instructions, choices, strict=True)
        ]

    def _choices(self, i: Instruction) -> dict[str, Form]:
        """The forms of a row by pipe, its own first; none if there is no choice."""
        others = FORMS[i.operation.name](*i.operands) if i.operation.name in FORMS else []
        forms: dict[str, Form] = {}
        for name, operands in ((i.operation.name, i.operands), *others):
            pipe = self.description.classes[row(name).scheduling_class].pipe
            forms.setdefault(pipe, (name, operands))
        return forms if len(forms) > 1 else {}

    def _chosen(self, i: Instruction, forms: dict[str, Form]) -> Instruction:
        name, operands = forms[min(forms, key=lambda pipe: self.busy[pipe])]
        self._take(row(name).scheduling_class)
        return i if name == i.operation.name else rewritten(i, row(name), operands, i.guard)

    def _take(self, name: str | None) -> None:
        if name in self.description.classes:
            pipe = self.description.classes[name].pipe
            self.busy[pipe] += self.description.occupancy(name)


def run(function: Function, machine: Machine, options: AsPtxasOptions) -> Changes:
    return balance(function, machine.description) if is_wanted(machine, options) else Changes()


PLUGIN = Pass(
    "balance_pipes",
    "Rows that two pipes can do go to the one that has less to do.",
    run,
    forms={"virtual": "virtual"},
    options=AsPtxasOptions,
    kinds=("simt",),
)
