"""Rules for predicates that hardware makes in one row and sources in several: see `combining`.

setp.lt.s32 %p, %a, %b
setp.ge.s32 %q, %c, %d
and.pred    %r, %p, %q        ->     setp.ge.and.s32 %r, %c, %d, %p

and.b32     %x, %a, 4
setp.eq.s32 %p, %x, 0         ->     lop3.eq.b32 %p, %a, 4, 0, 192

What ptxas 13.0 makes of them for sm_80 and sm_90 (ISETP.GE.AND, LOP3.LUT with a predicate, PLOP3).
"""

from __future__ import annotations

from itertools import product

from compiler.ir.module import Instruction, Value
from compiler.targets.simt.combination.combining import Combiner, Rule, instead, rule
from compiler.targets.simt.logic_cones import INPUTS, OF_TWO, PLACES, table_of
from machines.instructions.ptx_compare import COMBINATIONS, COMBINED
from machines.vocabulary.lanes import look_up_bits

PREDICATE_RULES: dict[str, list[Rule]] = {}
COMPARISONS = tuple(
    f"setp.{relation}{unordered}.{kind}"
    for kind in COMBINED
    for relation in ("eq", "ne", "lt", "le", "gt", "ge", "num", "nan")
    for unordered in ("", "u")
)
LOGIC = ("and.b32", "or.b32", "xor.b32", "not.b32", "lop3.b32")
LOGIC_OF_PREDICATES = ("and.pred", "or.pred", "xor.pred", "not.pred")


@rule(*(f"{way}.pred" for way in COMBINATIONS), among=PREDICATE_RULES)
def combined_comparison(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """A comparison that nothing else reads, the later one of two."""
    way = i.operation.name.removesuffix(".pred")
    for made, other in zip(_made_of(c, i), reversed(i.operands), strict=True):
        if made is not None and isinstance(other, str):
            _, relation, kind = made.operation.name.split(".")
            return instead(i, f"setp.{relation}.{way}.{kind}", *made.operands, other)
    return None


def _made_of(c: Combiner, i: Instruction) -> list[Instruction | None]:
    """The comparison that each operand is, unless the other one's is made later."""
    first, second = (c.nearby(value, *COMPARISONS) for value in i.operands)
    if first and second:
        later = next(one for one in reversed(c.here.values()) if one is first or one is second)
        return [one if one is later else None for one in (first, second)]
    return [first, second]


@rule("setp.eq.s32", "setp.ne.s32", among=PREDICATE_RULES)
def test_of_logic(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Whether a row of logic gives 0."""
    value, zero = i.operands
    made = c.nearby(value, *LOGIC) if zero == 0 and isinstance(zero, int) else None
    found = table_of(made) if made is not None else None
    if found is None:
        return None
    operands, table = found
    relation = i.operation.name.split(".")[1]
    padded = (*operands, *[0] * (INPUTS - len(operands)))
    return instead(i, f"lop3.{relation}.b32", *padded, table)


@rule(*LOGIC_OF_PREDICATES, among=PREDICATE_RULES)
def logic_of_three(c: Combiner, i: Instruction) -> list[Instruction] | None:
    """Logic of predicates of which one is logic, too."""
    made = [c.nearby(value, *LOGIC_OF_PREDICATES) for value in i.operands]
    if not any(made):
        return None
    for taken in product(*([True, False] if one else [False] for one in made)):
        if not any(taken):
            break
        parts = [one if take else None for one, take in zip(made, taken, strict=True)]
        leaves: dict[Value, int] = {}
        for value, part in zip(i.operands, parts, strict=True):
            for leaf in part.operands if part else (value,):
                leaves.setdefault(leaf, PLACES[len(leaves)] if len(leaves) < INPUTS else 0)
        if len(leaves) <= INPUTS:
            values = [
                _table(part, [leaves[leaf] for leaf in part.operands]) if part else leaves[value]
                for value, part in zip(i.operands, parts, strict=True)
            ]
            padded = (*leaves, *[0] * (INPUTS - len(leaves)))
            return instead(i, "lop3.pred", *padded, _table(i, values))
    return None


def _table(i: Instruction, values: list[int]) -> int:
    """Of a row of logic of predicates, whose operands have these tables."""
    mnemonic = i.operation.name.removesuffix(".pred")
    if mnemonic == "not":
        return ~values[0] & 0xFF
    return look_up_bits(values[0], values[1], 0, OF_TWO[mnemonic]) & 0xFF
