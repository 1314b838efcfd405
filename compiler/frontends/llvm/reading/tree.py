"""What a printed LLVM module says, as data.

    %sum = add nsw i32 %a, 1, !dbg !7

is a Statement with opcode 'add', name 'sum', operands (i32 %a), (i32 1) and debug number 7.  A
constant expression is a Statement without a name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.frontends.llvm.reading.types import LlvmType


@dataclass(frozen=True, slots=True)
class Local:
    """`%name`: what an instruction or a parameter gives."""

    name: str


@dataclass(frozen=True, slots=True)
class Global:
    """`@name`: the address of a global variable or function."""

    name: str


@dataclass(frozen=True, slots=True)
class Zero:
    """`zeroinitializer`, `null`, and `undef` and `poison`, which are read as 0."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """`c"…"`: an array of i8."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of a constant array or the fields of a constant structure."""

    values: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A value with its type; `alignment` is what a call says of a pointer argument, in bytes."""

    type: LlvmType
    value: Local | Global | Zero | Bytes | Elements | Statement | int | float
    alignment: int = 1


@dataclass(slots=True, eq=False)
class Statement:
    """An instruction, or a constant expression.

    opcode     'add', 'load', …; of a call it is 'call', and `callee` says of what: a name, or
               nothing if it goes through the pointer that is the first operand
    fixed      of a call with variable arguments: how many others stand before them
    type       of the result; None where there is none
    operands   values in the order in which they are printed
    word       the predicate of a compare
    labels     blocks: the targets of a branch, the origins of a phi
    pointee    the type that a getelementptr walks, a load reads, an alloca makes room for
    alignment  of a load, a store and an alloca, in bytes
    volatile   of a load and a store
    indices    of insertvalue and extractvalue
    debug      number of its !DILocation
    text       as printed, for messages
    """

    opcode: str
    type: LlvmType | None = None
    operands: tuple[Operand, ...] = ()
    name: str | None = None
    word: str = ""
    labels: tuple[str, ...] = ()
    callee: str = ""
    fixed: int | None = None
    pointee: LlvmType | None = None
    alignment: int = 1
    volatile: bool = False
    indices: tuple[int, ...] = ()
    debug: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter, with the words that are said of it ('noalias', 'zeroext', …); `copied` is the
    type behind a pointer of which the function has a copy (`byval`)."""

    name: str
    type: LlvmType
    words: frozenset[str]
    copied: LlvmType | None = None


@dataclass(slots=True, eq=False)
class LlvmFunction:
    """A function with a body; `lines` are those of its body in the printed text.  One that is
    `variadic` takes more arguments than its parameters."""

    name: str
    parameters: tuple[Parameter, ...]
    result: LlvmType
    result_words: frozenset[str]
    debug: int | None
    lines: list[str]
    variadic: bool = False
    blocks: dict[str, list[Statement]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LlvmGlobal:
    """A global variable.  `value` is None if another file defines it; `alignment` is that in bytes
    that is written, None if none is; `merges`: nobody asks whether its address is another's."""

    name: str
    type: LlvmType
    value: Operand | None
    alignment: int | None
    constant: bool = False
    merges: bool = False
