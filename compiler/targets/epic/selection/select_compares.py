"""Selection of integer and pointer comparisons, and of minimum and maximum, which compare."""

from __future__ import annotations

from compiler.ir.module import Guard, Instruction
from compiler.targets.epic.selection.select_integers import IMMEDIATE_8, WIDTHS
from compiler.targets.epic.selection.selector import Selector, rule
from machines.types import I32, I64, PTR

# The machine has eq, lt and ltu; the others swap the operands or the two predicates:
# relation -> (row, operands swapped, predicates swapped)
_RELATIONS = {
    "eq": ("eq", False, False),
    "ne": ("eq", False, True),
    "lt": ("lt", False, False),
    "gt": ("lt", True, False),
    "ge": ("lt", False, True),
    "le": ("lt", True, True),
    "ltu": ("ltu", False, False),
    "gtu": ("ltu", True, False),
    "geu": ("ltu", False, True),
    "leu": ("ltu", True, True),
}


def emit_compare(
    s: Selector,
    width: str,
    relation: str,
    targets: tuple[str, str],
    left: str,
    right: str | int,
    guard: Guard | str | None = None,
) -> None:
    """`targets` = left relation right, and its complement; `right` may be a small constant.

    `width` is 'cmp' (64 bits) or 'cmp4' (the low 32).  The immediate form has the constant on the
    left, so `left < c` becomes the complement of `c - 1 < left`; there is no such c - 1 for -128
    and, unsigned, for 0.
    """
    row, swap_operands, swap_targets = _RELATIONS[relation]
    if isinstance(right, int) and row == "eq":
        operation, operands = f"{width}.eq.imm", (right, left)
    elif isinstance(right, int) and swap_operands:
        operation, operands = f"{width}.{row}.imm", (right, left)
    elif isinstance(right, int) and right - 1 in IMMEDIATE_8 and (row == "lt" or right != 0):
        operation, operands = f"{width}.{row}.imm", (right - 1, left)
        swap_targets = not swap_targets
    else:
        right = s.constant(right) if isinstance(right, int) else right
        operation = f"{width}.{row}"
        operands = (right, left) if swap_operands else (left, right)
    s.emit(operation, targets[::-1] if swap_targets else targets, operands, guard)


def compare_integers(s: Selector, relation: str, targets: tuple[str, str], guard=None) -> None:
    """Compare operands 0 and 1 of the IR instruction into a pair of predicates.

    Signed and unsigned order of sign-extended values is that of the narrow values; a 32-bit
    compare reads only the low halves.
    """
    t = s.operand_type(0)
    width = "cmp4" if t is I32 else "cmp"
    read = s.integer if t in (I32, I64, PTR) else s.extended
    left, right = s.literal(0), s.literal(1)
    if left is not None and right is None:
        row, swap_operands, swap_targets = _RELATIONS[relation]
        relation = _NAMES[row, not swap_operands if row != "eq" else False, swap_targets]
        first, second = read(1), left
    else:
        first, second = read(0), read(1) if right is None else right
    if isinstance(second, int) and second not in IMMEDIATE_8:
        second = s.constant(second)
    emit_compare(s, width, relation, targets, first, second, guard)


_NAMES = {shape: relation for relation, shape in _RELATIONS.items()}


def _relation_rule(name: str, machine_relation: str, types) -> None:
    @rule(name, types)
    def compare(s: Selector, i: Instruction) -> None:
        compare_integers(s, machine_relation, s.pair(), s.guard)


for _name in ("eq", "ne"):
    _relation_rule(_name, _name, (*WIDTHS, PTR))
for _name in ("lt", "le", "gt", "ge"):
    _relation_rule(f"{_name}_s", _name, WIDTHS)
    _relation_rule(f"{_name}_u", f"{_name}u", (*WIDTHS, PTR))


def _extreme_rule(name: str, relation: str) -> None:
    @rule(name, WIDTHS)
    def extreme(s: Selector, i: Instruction) -> None:
        first = s.temporary("predicate")
        compare_integers(s, relation, (first, "p0"))
        read = s.integer if s.result_name in s.loose else s.extended
        result = s.target()
        s.emit("mov", (result,), (read(1),))
        s.emit("mov", (result,), (read(0),), first)
        s.finish(result)


_extreme_rule("min_s", "lt")
_extreme_rule("max_s", "gt")
_extreme_rule("min_u", "ltu")
_extreme_rule("max_u", "gtu")
