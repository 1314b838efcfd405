"""Rules for predicates and what they decide: see `combining`.

setp.lt.s32 %p, %a, %b
not.pred    %q, %p            ->     setp.ge.s32 %q, %a, %b
"""

from __future__ import annotations

from compiler.ir.module import Guard, Instruction
from compiler.targets.simt.combination.combining import Combiner, instead, rewritten, rule

COMPLEMENTS = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


@rule("not.pred")
def opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Compare the other way round; of floats the opposite of an ordered relation is unordered."""
    found = c.origin(i.operands[0])
    if found is None:
        return None
    name, *rest = found.operation.name.split(".")
    if name == "not":
        return instead(i, "mov.pred", found.operands[0])
    if name != "setp" or not c.is_read_once(i.operands[0]):
        return None
    relation = rest[0]
    is_float = rest[-1][0] == "f"
    if relation.removesuffix("u") not in COMPLEMENTS:
        return None
    other = COMPLEMENTS[relation.removesuffix("u")]
    if is_float and not relation.endswith("u"):
        other += "u"
    return instead(i, ".".join((name, other, *rest[1:])), *found.operands)


@rule("setp.ne.s32", "setp.eq.s32", "setp.ne.s16", "setp.eq.s16")
def test_of_boolean(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """(p ? 1 : 0) != 0 is p."""
    value, zero = i.operands
    found = c.origin(value, "selp.b32", "selp.b16")
    if found is None or zero != 0 or found.operands[:2] not in ((1, 0), (0, 1)):
        return None
    is_same = (".ne." in i.operation.name) == (found.operands[0] == 1)
    return instead(i, "mov.pred" if is_same else "not.pred", found.operands[2])


@rule("selp.b16", "selp.b32", "selp.b64")
def selected_by_opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    a, b, p = i.operands
    found = c.origin(p, "not.pred")
    return instead(i, i.operation.name, b, a, found.operands[0]) if found else None


@rule("bra")
def branch_on_opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    p, taken, otherwise = i.operands
    found = c.origin(p, "not.pred")
    return instead(i, "bra", found.operands[0], otherwise, taken) if found else None


def guarded_by_opposite(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """For any row under a guard."""
    found = c.origin(i.guard.name, "not.pred")
    if found is None or not isinstance(found.operands[0], str):
        return None
    guard = Guard(found.operands[0], not i.guard.negated)
    return [rewritten(i, i.operation, i.operands, guard)]
