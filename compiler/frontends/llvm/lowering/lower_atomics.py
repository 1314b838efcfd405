"""Atomic accesses of one thread, and inline assembly without instructions.

    atomicrmw add ptr %p, i32 1   ->   old = load_volatile.i32 p; store_volatile.i32 p, old + 1

Nothing comes between the two accesses; as volatile ones they happen in the order of the program.
"""

from __future__ import annotations

from compiler.frontends.llvm.lowering.code import Code, Value
from compiler.frontends.llvm.lowering.lower_bits import Lower
from compiler.frontends.llvm.lowering.lower_memory import Place
from compiler.frontends.llvm.lowering.widths import choose
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import Operand, Statement, Zero
from compiler.frontends.llvm.reading.types import LlvmType, Structure
from machines.types import I1

OPERATIONS = ("add", "sub", "and", "or", "xor", "fadd", "fsub")
BINARY = {
    **{name: name for name in (*OPERATIONS, "umax", "umin")},
    "max": "smax", "min": "smin", "fmax": "maxnum", "fmin": "minnum", "usub_sat": "usub.sat",
    "fmaximum": "maximum", "fminimum": "minimum",
}  # fmt: skip
"""How the new value is made of the old one and the operand: an operation, or a function of LLVM."""


def _operation(code: Code, name: str, kind: LlvmType, *given: Value) -> Value:
    """An operation or a function of LLVM, of values of one type."""
    operands = tuple(Operand(kind, value) for value in given)
    if name in OPERATIONS:
        return code.lower(code, Statement(name, kind, operands))
    return code.lower(code, Statement("call", kind, operands, callee=f"llvm.{name}.{kind}"))


def _compare(code: Code, relation: str, kind: LlvmType, a: Value, b: Value) -> Value:
    operands = (Operand(kind, a), Operand(kind, b))
    return code.lower(code, Statement("icmp", I1, operands, word=relation))


def _modified(code: Code, statement: Statement, old: Value, given: Value) -> Value:
    name, kind = statement.word, statement.type
    if name == "xchg":
        return given
    if name in BINARY:
        return _operation(code, BINARY[name], kind, old, given)
    if name == "nand":
        return _operation(code, "xor", kind, _operation(code, "and", kind, old, given), _ones(kind))
    one, zero = (code.value(Operand(kind, number)) for number in (1, 0))
    if name == "uinc_wrap":
        around = _compare(code, "uge", kind, old, given)
        return choose(code, kind, around, zero, _operation(code, "add", kind, old, one))
    if name == "udec_wrap":
        at_end = code.emit(
            "or.i1", _compare(code, "eq", kind, old, zero), _compare(code, "ugt", kind, old, given)
        )
        return choose(code, kind, at_end, given, _operation(code, "sub", kind, old, one))
    if name == "usub_cond":
        fits = _compare(code, "uge", kind, old, given)
        return choose(code, kind, fits, _operation(code, "sub", kind, old, given), old)
    raise Refused(f"'atomicrmw {name}' is not supported")


def _ones(kind: LlvmType) -> Value:
    return kind.held(-1) if hasattr(kind, "held") else -1


def modify(code: Code, statement: Statement) -> Value:
    pointer, operand = statement.operands
    place = Place(code, code.value(pointer), statement.alignment, volatile=True)
    old = place.load(statement.type, 0)
    place.store(statement.type, 0, _modified(code, statement, old, code.value(operand)))
    return old


def exchange(code: Code, statement: Statement) -> Value:
    """cmpxchg: the store happens in any case, as the old value where it is not the expected one."""
    pointer, expected, new = statement.operands
    kind = expected.type
    place = Place(code, code.value(pointer), statement.alignment, volatile=True)
    old = place.load(kind, 0)
    same = _compare(code, "eq", kind, old, code.value(expected))
    place.store(kind, 0, choose(code, kind, same, code.value(new), old))
    return old, same


def fence(code: Code, statement: Statement) -> None:
    """There is nobody to see an order."""


def assembly(code: Code, statement: Statement) -> Value | None:
    """What its outputs are: the operand that shares their place, or nothing in particular."""
    operands, outputs, tied = list(statement.operands), [], {}
    for constraint in statement.word.split(","):
        if constraint.startswith("~"):
            continue
        is_output, is_indirect = constraint.startswith("="), "*" in constraint
        operand = operands.pop(0) if not is_output or is_indirect else None
        if is_output:
            outputs.append(is_indirect)
        elif constraint.isdigit():
            tied[int(constraint)] = operand
    kinds = statement.type.fields if isinstance(statement.type, Structure) else (statement.type,)
    places = [place for place, is_indirect in enumerate(outputs) if not is_indirect]
    found = tuple(
        code.value(tied.get(place, Operand(kind, Zero())))
        for place, kind in zip(places, kinds, strict=False)
    )
    if statement.type is None:
        return None
    return found if isinstance(statement.type, Structure) else found[0]


LOWER: dict[str, Lower] = {
    "atomicrmw": modify, "cmpxchg": exchange, "fence": fence, "asm": assembly,
}  # fmt: skip
