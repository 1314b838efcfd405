"""Operands of instructions as values: registers become variables, literals numbers.

context.read(operand, S32)     '%r1', or 5
context.write(operand, S32)    '%r1'; a fresh variable for '_'
"""

from __future__ import annotations

import struct
from collections.abc import Collection
from dataclasses import dataclass, field

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.lowering.code import Code
from compiler.frontends.ptx.lowering.layout import Layout
from compiler.frontends.ptx.lowering.parameters import Passed, Uses, uses_of
from compiler.frontends.ptx.lowering.scope import Meaning, Register, Scope
from compiler.frontends.ptx.reading.lexer import Real
from compiler.frontends.ptx.reading.tree import (
    Address,
    Constant,
    Name,
    Negated,
    Operand,
    Operation,
    Pair,
    Statement,
    Variable,
    Vector,
)
from compiler.frontends.ptx.types import (
    OF_INSTRUCTIONS,
    OTHER_TYPES,
    PRED,
    WIDE,
    PtxType,
    fits,
    fits_or_wider,
    variable_type,
)
from compiler.ir.module import Value
from machines.diagnostics import nearest
from machines.types import I1, I32, I64
from machines.vocabulary.numbers import bits_from_f32

SINK = "_"


@dataclass
class KernelState:
    """What all code of one kernel shares, that of inlined functions too.

    scope       the module's names
    unusable    buffers that cannot be had: why, by name
    warp_width  what WARP_SZ stands for
    target      what the file is for: 80 of sm_80; 0 if it does not say
    classes     the scheduling classes that the machine describes; None: it has all
    """

    layout: Layout
    scope: Scope
    unusable: dict[str, Refused]
    warp_width: int
    target: int = 0
    classes: Collection[str] | None = None
    carry: str | None = None
    _uses: dict[int, dict[str, Uses]] = field(default_factory=dict)

    def uses(self, statements: list[Statement]) -> dict[str, Uses]:
        """What statements do with every name."""
        found = self._uses.get(id(statements))
        if found is None:
            found = self._uses[id(statements)] = uses_of(statements)
        return found

    def local_offset(self, variable: Variable) -> int:
        """Where in local memory a parameter lies that is passed in memory."""
        known = self.layout.offsets.get(id(variable))
        if known is None:
            known = self.layout.local(variable.bytes, max(variable.alignment, 8))
            self.layout.offsets[id(variable)] = known
        return known


class Context:
    """What the instruction that is lowered finds around it: names, and the code to come.

    leave   the block behind an inlined function, or from where a shared one goes back; None in a
            kernel
    within  the shared function (`shared_calls.SharedRoutine`) in which it stands
    """

    def __init__(self, code: Code, scope: Scope, kernel: KernelState):
        self.code, self.scope, self.kernel = code, scope, kernel
        self.leave: str | None = None
        self.within = None

    # Names

    def meaning(self, name: Name) -> Meaning:
        """What a name stands for; a register that is named for the first time gets a variable."""
        found = self.scope.find(name)
        if found is None:
            raise self.scope.undeclared(name)
        if isinstance(found, tuple):
            scope, declared = found
            found = scope.meanings[name.text] = self.new_register(name.text, declared)
        return found

    def new_register(self, name: str, declared: Variable) -> Register:
        text = name if name.startswith("%") else f"%{name}"
        variable = self.code.variable(text, variable_type(declared.type))
        self.code.registers[variable] = name, declared.at
        if declared.type is not WIDE:
            return Register(variable, declared.type)
        high = self.code.variable(f"{text}.high", I64)
        self.code.registers[high] = name, declared.at
        return Register(variable, WIDE, high)

    def register(self, operand: Operand) -> Register:
        """The register that an operand is."""
        if not isinstance(operand, Name) or operand.addend or operand.index is not None:
            raise Refused(f"expected a register, found {kind_of(operand)}", at=operand.at)
        found = self.meaning(operand)
        if not isinstance(found, Register):
            raise Refused(f"'{operand.text}' is no register", at=operand.at)
        return found

    # Values

    def read(self, operand: Operand, type: PtxType, wider: bool = False) -> Value | Real:
        """A register of a type (or, if `wider`, an integer one of more bits), or a literal."""
        if isinstance(operand, Constant):
            return _checked(operand, type)
        register = self.register(operand)
        self._check(register, operand, type, wider)
        return register.variable

    def write(
        self, operand: Operand, type: PtxType, wider: bool = False, may_sink: bool = True
    ) -> str:
        """The register that is written; a fresh variable for '_', where that may stand."""
        if isinstance(operand, Name) and operand.text == SINK:
            if not may_sink:
                raise Refused("a result of this instruction cannot be left out", at=operand.at)
            return self.code.temporary(variable_type(type))
        if isinstance(operand, Constant):
            raise Refused("a number cannot be written", at=operand.at)
        register = self.register(operand)
        self._check(register, operand, type, wider)
        return register.variable

    def predicate(self, operand: Operand) -> Value:
        """A predicate that is read, perhaps negated."""
        if not isinstance(operand, Negated):
            return self.read(operand, PRED)
        return self.code.compute("not.pred", I1, self.read(operand.name, PRED))

    # What code shares

    def carry(self) -> str:
        """The carry flag."""
        if self.kernel.carry is None:
            self.kernel.carry = self.code.variable("%cc", I1)
            self.code.registers[self.kernel.carry] = "the carry flag", 0
        return self.kernel.carry

    def narrow_address(self, variable: str) -> str:
        """The low 32 bits of an address, computed once in a block."""
        return self.code.once("cvt.u32.u64", variable, I32)

    def piece(self, passed: Passed, offset: int, type: PtxType, at: int) -> str:
        """The variable that holds a piece of a parameter."""
        if not 0 <= offset <= passed.bytes - type.bytes:
            message = f"'{passed.name}' has {passed.bytes} bytes, {type} at {offset} is not in it"
            raise Refused(message, at=at)
        key = offset, type.bytes
        if key not in passed.pieces:
            kind = I64 if type.bits == 64 else I32
            passed.pieces[key] = self.code.variable(f"%{passed.name}", kind)
        return passed.pieces[key]

    def check_buffer(self, name: Name) -> None:
        """Refuse a buffer that cannot be had."""
        if name.text in self.kernel.unusable:
            raise self.kernel.unusable[name.text]

    def _check(self, register: Register, operand: Name, type: PtxType, wider: bool) -> None:
        if (fits_or_wider if wider else fits)(register.type, type):
            return
        message = f"'{operand.text}' is a {register.type} register, the instruction takes {type}"
        raise Refused(message, at=operand.at, length=len(operand.text))


def _checked(operand: Constant, type: PtxType) -> int | Real:
    """A literal, if one of its kind may stand for a type."""
    value = operand.value
    if isinstance(value, Real):
        if (type.kind == "f" and type.bits == value.width) or type.kind == "b":
            return value
        if type.kind == "f" and type.bits == 32:
            return Real(_narrow(value), 32)
        if type.name == "f64":
            return Real(int.from_bytes(struct.pack("<d", value.value), "little"), 64)
        raise Refused(f"a floating literal cannot be a {type}", at=operand.at)
    if not -(1 << 63) <= value < 1 << 64:
        raise Refused(f"{value} has more than 64 bits", at=operand.at)
    if type.kind == "f":
        hint = "floats are 0f3F800000 (f32), 0d3FF0000000000000 (f64) or 1.0"
        raise Refused(f"the integer {value} cannot be a {type}", hint, at=operand.at)
    return value


def _narrow(value: Real) -> int:
    return bits_from_f32(value.value) & 0xFFFF_FFFF


def kind_of(operand: Operand) -> str:
    """What an operand is, for messages."""
    if isinstance(operand, Name):
        return f"'{operand.text}'"
    names = {Constant: "a number", Vector: "a vector", Address: "an address", Pair: "a pair"}
    return names.get(type(operand), "a negated predicate")


def take(operation: Operation, fewest: int, most: int | None = None) -> tuple[Operand, ...]:
    """The operands, if there are as many."""
    most = fewest if most is None else most
    count = len(operation.operands)
    if fewest <= count <= most:
        return operation.operands
    wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
    raise Refused(f"'{operation.text}' takes {wanted} operands, not {count}")


def type_of(operation: Operation, index: int = -1, allowed: str | None = None) -> PtxType:
    """The type among an instruction's modifiers; `allowed` lists those it may be."""
    text = operation.parts[index] if len(operation.parts) >= abs(index) else ""
    if text in OF_INSTRUCTIONS and (allowed is None or text in allowed.split()):
        return OF_INSTRUCTIONS[text]
    names = allowed.split() if allowed else list(OF_INSTRUCTIONS)
    if not text:
        raise Refused(f"'{operation.text}' has no type", f"types: {', '.join(names)}")
    raise wrong_type(operation, text, names)


def wrong_type(operation: Operation, text: str, names: list[str]) -> Refused:
    """A type that an instruction has not, or that is none."""
    if text in OF_INSTRUCTIONS:
        return Refused(f"'{operation.opcode}' takes no '.{text}'", f"types: {', '.join(names)}")
    if text in (*OTHER_TYPES, WIDE.name):
        return unsupported(f"'{operation.text}' is not supported: type '.{text}'")
    return Refused(f"there is no type '.{text}'", nearest(text, names))


def forbid(operation: Operation, parts, known: tuple[str, ...]) -> None:
    """Refuse modifiers that are not among `known`."""
    for part in parts:
        if part not in known:
            hint = nearest(part, known) if known else None
            raise unsupported(f"'.{part}' of '{operation.text}' is not supported", hint)
