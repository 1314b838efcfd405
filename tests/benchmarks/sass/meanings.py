"""What instructions of SASS do to lanes: instruction -> function(threads, lanes).

By the names of operations and their operands' order as cuobjdump prints them, and by what code of
known meaning becomes; the arrays that executed kernels leave judge it.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.benchmarks.sass import accesses, floats, integers
from tests.benchmarks.sass.instruction import Instruction
from tests.benchmarks.sass.lanes import CannotExecute
from tests.benchmarks.sass.operands import Meaning


def meaning_of(instruction: Instruction) -> Meaning:
    """Raises CannotExecute for what is not known."""
    operation = instruction.operation.removeprefix("U")
    maker = _MAKERS.get(operation)
    if maker is None:
        raise CannotExecute(str(instruction))
    return maker(instruction)


_MAKERS: dict[str, Callable[[Instruction], Meaning]] = {
    **dict.fromkeys(("IADD3", "IADD", "VIADD"), integers.add),
    "IMAD": integers.product,  # whatever its name says that the product is used for
    "LEA": integers.lea,
    "LOP3": integers.logic,
    "PLOP3": integers.predicate_logic,
    "SHF": integers.shift,
    **dict.fromkeys(("ISETP", "FSETP", "DSETP"), integers.set_predicate),
    **dict.fromkeys(("SEL", "FSEL"), integers.choose),
    **dict.fromkeys(("FMNMX", "IMNMX", "VIMNMX", "VIADDMNMX"), integers.least),
    "PRMT": integers.permute,
    **dict.fromkeys(("MOV", "R2UR", "CS2R"), integers.move),
    **dict.fromkeys(("S2R", "S2UR"), integers.special),
    "IABS": integers.absolute,
    **dict.fromkeys(("POPC", "FLO", "BREV"), integers.count_bits),
    **dict.fromkeys(("FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA"), floats.arithmetic),
    "MUFU": floats.function,
    "FCHK": floats.may_be_slow,
    "F2I": floats.to_integer,
    "FRND": floats.to_whole,
    **dict.fromkeys(("I2F", "I2FP"), floats.from_integer),
    "F2F": floats.between_floats,
    "HFMA2": floats.constant_halves,
    **dict.fromkeys(("LDG", "STG", "LDS", "STS", "LDL", "STL"), accesses.access),
    **dict.fromkeys(("ATOMS", "REDG", "RED"), accesses.atomic),
    **dict.fromkeys(("LDC", "LDCU"), accesses.load_constant),
    "SHFL": accesses.shuffle,
    **dict.fromkeys(("VOTE", "VOTEU"), accesses.vote),
    "R2P": accesses.bits_to_predicates,
}
