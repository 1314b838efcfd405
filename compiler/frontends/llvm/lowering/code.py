"""A function while it is lowered: its values, its blocks, its locations.

A value is a variable's name, a number, or for an aggregate a tuple of the values of its parts; of
an integer beyond 64 bits a tuple of its halves, the low one first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import Protocol

from compiler.frontends.llvm.reading.heads import Head
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.tree import (
    Bytes,
    Elements,
    Global,
    Local,
    Operand,
    Statement,
    Zero,
)
from compiler.frontends.llvm.reading.types import (
    WIDEST,
    Array,
    Integer,
    LlvmType,
    Structure,
    Unsupported,
    UnsupportedType,
    parts_of,
)
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Buffer, Instruction
from compiler.ir.reading.lexer import RESERVED
from machines.diagnostics import Location
from machines.types import Type
from machines.vocabulary.numbers import sign_extend

Value = str | int | float | tuple
Scalar = str | int | float

STACK, STACK_USED, STACK_BYTES, STACK_ALIGNMENT = "c.stack", "c.stack.used", 1 << 20, 16
"""Where local variables stand of functions that may run several times at once."""
ARGUMENTS = "c.arguments"
"""Where callers leave arguments for which there is no register, and where variable ones stand."""
RESULT = "c.result"
"""Where functions leave results that are more than one scalar, until their caller takes them."""
VECTORS = "compile with -O1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops"
"""What keeps clang from writing vectors."""


def tidy(name: str, prefix: str = "v") -> str:
    """A name as our IR may have it: `%5` is v.5, `@.str` is v.str, `in` is in_."""
    name = re.sub(r"[^\w.$]", "_", name, flags=re.ASCII)
    if not re.match(r"[A-Za-z_]", name):
        name = f"{prefix}{'' if name.startswith('.') else '.'}{name}"
    return f"{name}_" if name in RESERVED else name


def unique(name: str, taken: Container[str], prefix: str = "v") -> str:
    """The tidy name, or that name with the first free number behind it."""
    name = tidy(name, prefix)
    found, number = name, 0
    while found in taken:
        number += 1
        found = f"{name}.{number}"
    return found


def type_hint(type: Unsupported) -> str:
    """What to do about a type that has no counterpart."""
    text = str(type)
    if text.startswith("<"):
        return f"elements of vectors are integers, floats and pointers: {VECTORS}"
    if re.fullmatch(r"i\d+", text):
        return (
            f"integers have at most {WIDEST} bits; clang reads a whole run of bit-fields at once, "
            "and a field without a name and bits (int : 0;) ends a run"
        )
    if text in ("half", "bfloat", "x86_fp80", "fp128", "ppc_fp128"):
        return "floats are float and double: no long double, no _Float16"
    return "there is no such type here"


class Variables(Protocol):
    """What is asked of the variables of a file: `compiler.frontends.llvm.lowering.variables`."""

    def symbol(self, name: str) -> str: ...

    def local(self, name: str, size: int, alignment: int, location: Location | None) -> Buffer: ...


class Code:
    """Writes one function of our IR.

    values    what each local name stands for
    owned     the blocks that each LLVM block became, in order; the last one has its terminator
    used      the global variables it names, in order
    buffers   of its local variables
    heads     what is known of the functions of the file, by their names here
    callee    callee(name) -> that of a function by its name in the file, None if it is none
    stacked   whether its local variables stand on a stack, as it may run several times at once or
              has arrays whose size is not known
    never_return  functions that the file declares, and that do not return
    triple    the target that the function was compiled for; nothing: x86-64 Linux
    frame     bytes of its local variables there
    more      where its variable arguments are
    """

    def __init__(
        self,
        builder: Builder,
        variables: Variables,
        lower: Callable[[Code, Statement], Value | None],
        heads: Mapping[str, Head],
        callee: Callable[[str], Head | None],
        stacked: bool = False,
        never_return: Container[str] = (),
        triple: str = "",
    ):
        self.never_return, self.triple = never_return, triple
        self.stacked, self.frame = stacked, 0
        self.base: str | None = None
        self.more: Scalar = 0
        self.builder = builder
        self.variables = variables
        self.lower = lower
        self.heads = heads
        self.callee = callee
        self.used: list[str] = []
        self.values: dict[str, Value] = {}
        self.owned: dict[str, list[Block]] = {}
        self.buffers: list[Buffer] = []
        self.last: Instruction | None = None
        self._owner = ""
        self._names: dict[str, str] = {}

    # Values

    def value(self, operand: Operand) -> Value:
        """The value of an operand; a constant that has to be computed is computed here."""
        held, type = operand.value, operand.type
        if isinstance(held, Local):
            return self.values[held.name]
        if isinstance(held, Global):
            if held.name not in self.used:
                self.used.append(held.name)
            return self.emit("address.ptr", self.variables.symbol(held.name))
        if isinstance(held, Statement):
            return self.lower(self, held)
        if isinstance(held, Zero):
            return each(type, lambda leaf: 0.0 if leaf.is_float else 0)
        if isinstance(held, Elements):
            return tuple(self.value(part) for part in held.values)
        if isinstance(held, Bytes):
            return tuple(sign_extend(byte, 8) for byte in held.data)
        if isinstance(type, Integer) and isinstance(held, int):
            return type.held(held)
        return held

    def emit(self, operation: str, *operands: Scalar) -> str | None:
        """One instruction; its result's name."""
        result = self.builder.emit(operation, *operands)
        self.last = self.builder.current.instructions[-1]
        return result

    def name_result(self, name: str, value: Value | None) -> None:
        """What the statement `%name = …` gave; the instruction that gave it writes `name`."""
        last = self.last
        if isinstance(value, str) and last is not None and last.results == (value,):
            value = unique(name, self.builder.function.types)
            self.builder.change(last, results=(value,))
        self.values[name] = value

    # Blocks

    def begin(self, label: str) -> None:
        """Go to the first block of an LLVM block."""
        block = self.builder.block(self.first_block(label))
        self.owned[label] = [block]
        self._owner = label

    def first_block(self, label: str) -> str:
        """The name of the block that an LLVM block begins with, written already or not."""
        if label not in self._names:
            self._names[label] = unique(label, set(self._names.values()), "b")
        return self._names[label]

    def new_block(self, hint: str) -> Block:
        """A block more for the LLVM block that is being written; the builder goes to it."""
        block = self.builder.block(
            self.first_block(f"{self._owner}.{hint}{len(self.owned[self._owner])}")
        )
        self.owned[self._owner].append(block)
        return block

    def local(self, name: str, size: int, alignment: int = STACK_ALIGNMENT) -> str:
        """The address of a local variable of this many bytes."""
        if self.stacked:
            offset = self.frame
            self.frame += -(-max(1, size) // STACK_ALIGNMENT) * STACK_ALIGNMENT
            return self.emit("add.ptr", self.base, offset)
        whole = f"{self.builder.function.name}.{tidy(name)}"
        self.buffers.append(self.variables.local(whole, size, alignment, self.builder.location))
        return self.emit("address.ptr", self.buffers[-1].name)


def each(type: LlvmType, make: Callable[[Type], Scalar]) -> Value:
    """A value of a type, with `make(leaf type)` for each scalar in it."""
    if isinstance(type, Array | Structure):
        return tuple(each(part, make) for part, _ in parts_of(type))
    if isinstance(type, Integer):
        found = tuple(map(make, type.carriers))
        return found if type.is_wide else found[0]
    return make(scalar(type))


def scalars(value: Value) -> list[Scalar]:
    """The scalars of a value, in order."""
    return [s for part in value for s in scalars(part)] if isinstance(value, tuple) else [value]


def scalar(type: LlvmType) -> Type:
    """The type as one of our IR's; raises UnsupportedType, and Refused for aggregates and integers
    of other widths."""
    if isinstance(type, Unsupported):
        raise UnsupportedType(type)
    if not isinstance(type, Type):
        raise Refused(f"a whole {type} is not supported here", "access its parts one by one")
    return type
