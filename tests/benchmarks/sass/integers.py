"""What integer instructions, comparisons, moves and logic of SASS do to lanes."""

from __future__ import annotations

import numpy as np

from tests.benchmarks.sass.instruction import Instruction
from tests.benchmarks.sass.lanes import CannotExecute, Threads
from tests.benchmarks.sass.operands import (
    MASK,
    Meaning,
    bits,
    floating,
    is_predicate,
    predicate,
    put,
    signed_of,
    words_of,
)

_SPECIAL = {
    f"SR_{name}.{axis}": (source, number)
    for name, source in (("TID", "index"), ("CTAID", "block_index"))
    for number, axis in enumerate("XYZ")
}


def _destinations(operands: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """(written, read): the register first, then the predicates before the first that is read."""
    count = 1
    while count < len(operands) and is_predicate(operands[count]) and count < 3:
        count += 1
    return list(operands[:count]), list(operands[count:])


def _carry_in(threads: Threads, at: np.ndarray, names: list[str]) -> np.ndarray:
    total = np.zeros(len(at), np.uint64)
    for name in names:
        total += predicate(name)(threads, at).astype(np.uint64)
    return total


def add(instruction: Instruction) -> Meaning:
    written, read = _destinations(instruction.operands)
    carries = [o for o in read if is_predicate(o)] if "X" in instruction.modifiers else []
    terms = [bits(o) for o in read if not is_predicate(o)]

    def run(threads: Threads, at: np.ndarray) -> None:
        total = _carry_in(threads, at, carries)
        for term in terms:
            total += term(threads, at)
        put(threads, written[0], at, total)
        for number, name in enumerate(written[1:], start=1):
            threads.set_predicate(name, at, (total >> np.uint64(32)) >= number)

    return run


def lea(instruction: Instruction) -> Meaning:
    written, read = _destinations(instruction.operands)
    forms = set(instruction.modifiers)
    carries = [o for o in read if is_predicate(o)] if "X" in forms else []
    values = [o for o in read if not is_predicate(o)]
    low, add = bits(values[0]), bits(values[1])
    high = bits(values[2]) if "HI" in forms and "SX32" not in forms else None
    shift = np.uint64(int(values[-1], 16))

    def run(threads: Threads, at: np.ndarray) -> None:
        a = low(threads, at) & MASK
        if "HI" in forms:
            if high is None:
                wide = signed_of(a).view(np.uint64)
            else:
                wide = a | high(threads, at) << np.uint64(32)
            a = (wide << shift) >> np.uint64(32)
        else:
            a = a << shift & MASK
        total = a + add(threads, at) + _carry_in(threads, at, carries)
        put(threads, written[0], at, total)
        for name in written[1:]:
            threads.set_predicate(name, at, (total >> np.uint64(32)) >= 1)

    return run


def product(instruction: Instruction) -> Meaning:
    written, read = _destinations(instruction.operands)
    forms = instruction.modifiers
    carries = [o for o in read if is_predicate(o)] if "X" in forms else []
    values = [o for o in read if not is_predicate(o)]
    wide = "WIDE" in forms or "HI" in forms
    unsigned = "U32" in forms
    a, b, c = bits(values[0]), bits(values[1]), bits(values[2], pair=wide)

    def run(threads: Threads, at: np.ndarray) -> None:
        x, y = a(threads, at) & MASK, b(threads, at) & MASK
        if wide and not unsigned:
            product = (signed_of(x) * signed_of(y)).view(np.uint64)
        else:
            product = x * y
        total = product + c(threads, at) + _carry_in(threads, at, carries)
        if "HI" in forms:
            total = total >> np.uint64(32)
        put(threads, written[0], at, total, pair="WIDE" in forms)
        if len(written) > 1:
            if "WIDE" not in forms:
                product &= MASK
            carried = total < product if wide else (total >> np.uint64(32)) >= 1
            threads.set_predicate(written[1], at, carried)

    return run


def logic(instruction: Instruction) -> Meaning:
    operands = list(instruction.operands)
    flag = operands.pop(0) if is_predicate(operands[0]) else None
    target, values, table = operands[0], [bits(o) for o in operands[1:4]], int(operands[4], 16)

    def run(threads: Threads, at: np.ndarray) -> None:
        words = [value(threads, at) & MASK for value in values]
        result = _looked_up(table, words, MASK)
        put(threads, target, at, result)
        if flag:
            threads.set_predicate(flag, at, result != 0)

    return run


def _looked_up(table: int, words: list[np.ndarray], ones: np.uint64) -> np.ndarray:
    result = np.zeros_like(words[0])
    for row in range(8):
        if table >> row & 1:
            term = ones
            for number, word in enumerate(words):
                term = term & (word if row >> 2 - number & 1 else ~word & ones)
            result |= term
    return result


def predicate_logic(instruction: Instruction) -> Meaning:
    first, second, *read = instruction.operands
    values = [predicate(o) for o in read[:3]]
    tables = int(read[3], 16), int(read[4], 16)

    def run(threads: Threads, at: np.ndarray) -> None:
        words = [value(threads, at).astype(np.uint64) for value in values]
        for name, table in zip((first, second), tables, strict=True):
            threads.set_predicate(name, at, _looked_up(table, words, np.uint64(1)) != 0)

    return run


def shift(instruction: Instruction) -> Meaning:
    target, low, count, high = instruction.operands
    forms = instruction.modifiers
    a, n, c = bits(low), bits(count), bits(high)
    left, wraps = "L" in forms, "W" in forms
    upper = "HI" in forms
    signed = "S32" in forms or "S64" in forms
    limit = 63 if "U64" in forms or "S64" in forms else 32

    def run(threads: Threads, at: np.ndarray) -> None:
        amount = n(threads, at) & MASK
        amount = amount & np.uint64(31) if wraps else np.minimum(amount, np.uint64(limit))
        x, y = a(threads, at) & MASK, c(threads, at) & MASK
        both = x | y << np.uint64(32)
        if left:
            moved = both << amount
        elif signed:
            moved = (both.view(np.int64) >> amount.astype(np.int64)).view(np.uint64)
        else:
            moved = both >> amount
        put(threads, target, at, moved >> np.uint64(32) if upper else moved)

    return run


def set_predicate(instruction: Instruction) -> Meaning:
    forms = instruction.modifiers
    first, second, *read = instruction.operands
    with_floats = instruction.operation[0] in "FD"
    wide = instruction.operation[0] == "D"
    if with_floats:
        a, b = floating(read[0], wide), floating(read[1], wide)
    else:
        a, b = bits(read[0]), bits(read[1])
    combined, below = predicate(read[2]), predicate(read[3]) if "EX" in forms else None

    def run(threads: Threads, at: np.ndarray) -> None:
        x, y = a(threads, at), b(threads, at)
        if not with_floats:
            x, y = x & MASK, y & MASK
            if "U32" not in forms:
                x, y = signed_of(x), signed_of(y)
        holds = _compared(forms[0], x, y)
        if below is not None:
            low = below(threads, at)
            if forms[0] == "NE":
                holds = holds | low
            elif forms[0] == "EQ":
                holds = holds & low
            else:
                holds = np.where(x == y, low, _compared(forms[0][0] + "T", x, y))
        other = combined(threads, at)
        join = next(form for form in forms if form in _JOINS)
        threads.set_predicate(first, at, _JOINS[join](holds, other))
        threads.set_predicate(second, at, _JOINS[join](~holds, other))

    return run


_JOINS = {"AND": np.logical_and, "OR": np.logical_or, "XOR": np.logical_xor}
_COMPARISONS = {
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "EQ": np.equal,
}


def _compared(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`U` behind the name: true of NaN, too."""
    unordered = np.isnan(x) | np.isnan(y) if x.dtype.kind == "f" else np.zeros(len(x), bool)
    if name == "NAN":
        return unordered
    if name == "NUM":
        return ~unordered
    if name in ("NE", "NEU"):
        return (x != y) & ~unordered | (
            unordered if name == "NEU" or x.dtype.kind != "f" else False
        )
    holds = _COMPARISONS[name.removesuffix("U")](x, y)
    return holds | unordered if name.endswith("U") else holds


def choose(instruction: Instruction) -> Meaning:
    target, *read = instruction.operands
    get = floating if instruction.operation == "FSEL" else bits
    a, b, chosen = get(read[0]), get(read[1]), predicate(read[2])

    def run(threads: Threads, at: np.ndarray) -> None:
        x, y = a(threads, at), b(threads, at)
        if x.dtype.kind == "f":
            x, y = words_of(x), words_of(y)
        put(threads, target, at, np.where(chosen(threads, at), x, y))

    return run


def least(instruction: Instruction) -> Meaning:
    """Minimum where the predicate holds, else maximum; VIADDMNMX of a sum."""
    target, *read = instruction.operands
    floats = instruction.operation[0] == "F"
    of_sum = "ADD" in instruction.operation
    terms = [(floating if floats else bits)(o) for o in read[:-1]]
    least = predicate(read[-1])

    def run(threads: Threads, at: np.ndarray) -> None:
        words = [term(threads, at) for term in terms]
        if of_sum:
            words = [words[0] + words[1], words[2]]
        if floats:
            low, high = np.fmin(*words), np.fmax(*words)
            result = words_of(np.where(least(threads, at), low, high))
        else:
            if "U32" in instruction.modifiers:
                x, y = (word & MASK for word in words)
            else:
                x, y = (signed_of(word & MASK) for word in words)
            chosen = np.where(least(threads, at), np.minimum(x, y), np.maximum(x, y))
            result = chosen.astype(np.int64).view(np.uint64)
        put(threads, target, at, result)

    return run


def permute(instruction: Instruction) -> Meaning:
    target, first, selector, second = instruction.operands
    a, s, b = bits(first), bits(selector), bits(second)
    if instruction.modifiers:
        raise CannotExecute(str(instruction))

    def run(threads: Threads, at: np.ndarray) -> None:
        both = a(threads, at) & MASK | (b(threads, at) & MASK) << np.uint64(32)
        chosen, result = s(threads, at), np.zeros(len(at), np.uint64)
        for k in range(4):
            nibble = chosen >> np.uint64(4 * k) & np.uint64(15)
            byte = both >> np.uint64(8) * (nibble & np.uint64(7)) & np.uint64(255)
            sign = np.where(byte & np.uint64(128), np.uint64(255), np.uint64(0))
            byte = np.where(nibble & np.uint64(8), sign, byte)
            result |= byte << np.uint64(8 * k)
        put(threads, target, at, result)

    return run


def move(instruction: Instruction) -> Meaning:
    target, value = instruction.operands[0], instruction.operands[-1]
    pair = "64" in instruction.modifiers or (
        instruction.operation == "CS2R" and "32" not in instruction.modifiers
    )
    if value.startswith("SR_"):
        return special(instruction)
    read = bits("RZ" if value == "SRZ" else value, pair)
    return lambda threads, at: put(threads, target, at, read(threads, at), pair)


def absolute(instruction: Instruction) -> Meaning:
    target, value = instruction.operands
    read = bits(value)
    return lambda threads, at: put(
        threads, target, at, np.abs(signed_of(read(threads, at))).view(np.uint64)
    )


def special(instruction: Instruction) -> Meaning:
    target, name = instruction.operands

    def run(threads: Threads, at: np.ndarray) -> None:
        lane = threads.lane[at].astype(np.uint64)
        if name in _SPECIAL:
            source, axis = _SPECIAL[name]
            value = getattr(threads, source)[axis][at].astype(np.uint64)
        elif name == "SR_LANEID":
            value = lane
        elif name == "SR_CgaCtaId":
            value = np.zeros(len(at), np.uint64)
        elif name in ("SR_LTMASK", "SR_EQMASK", "SR_LEMASK", "SR_GTMASK", "SR_GEMASK"):
            own = np.uint64(1) << lane
            below = own - np.uint64(1)
            value = {
                "EQ": own, "LT": below, "LE": below | own, "GT": ~(below | own), "GE": ~below,
            }[name[3:5]]  # fmt: skip
        else:
            raise CannotExecute(str(instruction))
        put(threads, target, at, value)

    return run


def count_bits(instruction: Instruction) -> Meaning:
    target, value = instruction.operands[0], instruction.operands[-1]
    read = bits(value)
    operation = instruction.operation.removeprefix("U")
    if operation == "FLO" and "U32" not in instruction.modifiers:
        raise CannotExecute(str(instruction))

    def run(threads: Threads, at: np.ndarray) -> None:
        word = read(threads, at) & MASK
        if operation == "POPC":
            result = sum(word >> np.uint64(k) & np.uint64(1) for k in range(32))
        elif operation == "BREV":
            result = sum(
                (word >> np.uint64(k) & np.uint64(1)) << np.uint64(31 - k) for k in range(32)
            )
        else:
            place = np.floor(np.log2(np.maximum(word, 1).astype(np.float64))).astype(np.uint64)
            if "SH" in instruction.modifiers:
                place = np.uint64(31) - place
            result = np.where(word == 0, MASK, place)
        put(threads, target, at, result)

    return run
