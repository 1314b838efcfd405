"""Which narrow integer variables need not be kept sign-extended.

    i = add.i32 i, 1          loose:   adds %i = 1, %i          strict:  adds %1 = 1, %i
    j = sext.i32.i64 i                 sxt4 %j = %i                      sxt4 %i = %1
                                                                         mov  %j = %i

Many operations read only the low bits of an operand (their result's low bits depend on nothing
else, and `cmp4` compares 32 bits).  A variable is *loose* if extending it at the reads that do see
the upper bits costs less, weighted by loop depth, than extending it at every write.
"""

from __future__ import annotations

from compiler.analyses.loops import loops
from compiler.ir.module import Function, Instruction
from machines.types import I32

LOW_BITS = {
    "add", "sub", "mul", "neg", "shl", "trunc", "zext", "store", "copy", "select",
    "store_volatile", "and", "or", "xor", "not", "shr_u", "div_u", "rem_u", "float_u", "bits",
}  # fmt: skip
"""Operations (names before the first dot) that read the low bits of their operands only, or whose
operands are zero-extended anyway."""
EXTENDED = {"const", "zext", "sext", "shr_s", "int_s", "call", "call_through"}
"""Operations whose result is sign-extended without an instruction of its own."""
PASSING = {"copy", "select", "and", "or", "xor", "not", "min_s", "max_s", "min_u", "max_u"}
"""Operations whose result is sign-extended if their operands are."""
LOOP_WEIGHT, DEEPEST = 10, 4


def loose_variables(function: Function) -> frozenset[str]:
    """The variables of type i8, i16, i32 that selection leaves unextended."""
    depth = loops(function).depth
    parameters = {name for name, _ in function.parameters}
    cost_loose = {name: 0 for name, t in function.types.items() if t.is_integer and 1 < t.bits < 64}
    code = [
        (LOOP_WEIGHT ** min(depth.get(block.name, 0), DEEPEST), instruction)
        for block, instruction in function.instructions()
    ]
    for weight, instruction in code:
        for index, value in enumerate(instruction.operands):
            if value in cost_loose and sees_upper_bits(instruction, index):
                cost_loose[value] += weight
    loose: frozenset[str] = frozenset()
    while True:
        cost_strict = dict.fromkeys(cost_loose, 0)
        for weight, instruction in code:
            for name in instruction.results:
                if name in cost_strict and _needs_extension(instruction, loose):
                    cost_strict[name] += weight
        found = frozenset(
            name
            for name, cost in cost_loose.items()
            if name not in parameters and cost <= cost_strict[name] and cost_strict[name]
        )
        if found == loose:
            return loose
        loose = found


def sees_upper_bits(instruction: Instruction, index: int) -> bool:
    """True if operand `index`, a narrow integer, must be sign-extended where it is read."""
    base, *_ = instruction.operation.name.split(".")
    kinds = instruction.operation.reads
    if base in LOW_BITS:
        return False
    if base == "shr_s":
        return index == 0 and isinstance(instruction.operands[1], str)
    is_relation = base.split("_")[0] in ("eq", "ne", "lt", "le", "gt", "ge", "min", "max")
    return not (is_relation and kinds[index].kind is I32)


def _needs_extension(instruction: Instruction, loose: frozenset[str]) -> bool:
    """True if making the result sign-extended takes an instruction."""
    base = instruction.operation.name.split(".")[0]
    if base in PASSING:
        return any(value in loose for value in instruction.operands)
    return base not in EXTENDED
