"""A PTX text as a tree: variables, functions, statements, operands.

Every node has `at`, its position in the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.frontends.ptx.findings import Findings, Refused
from compiler.frontends.ptx.reading.lexer import Real, Token
from compiler.frontends.ptx.types import PtxType


@dataclass(frozen=True, slots=True)
class Name:
    """A register, symbol, label or special register, and what is added to it: bytes, and elements
    of an array (`table[3]`)."""

    text: str
    at: int
    addend: int = 0
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    value: int | Real
    at: int


@dataclass(frozen=True, slots=True)
class Negated:
    """`!%p1`."""

    name: Name
    at: int


@dataclass(frozen=True, slots=True)
class Pair:
    """`%p1|%p2`."""

    first: Name
    second: Name
    at: int


@dataclass(frozen=True, slots=True)
class Vector:
    """`{%r1, %r2}`."""

    items: tuple[Name | Constant, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Address:
    """`[%rd1+4]`, `[symbol]`, `[16]`; of a box of a tensor `[%rd1, {%r1, %r2}]`."""

    base: Name | None
    offset: int
    at: int
    coordinates: Vector | None = None


Operand = Name | Constant | Negated | Pair | Vector | Address


@dataclass(slots=True)
class Variable:
    """A declared variable or register.

    space   'reg', 'global', 'const', 'shared', 'local' or 'param'
    count   elements of an array; None for a scalar, 0 for one whose size is not said
    many    registers of `name<many>`
    data    initial values: numbers, or names of symbols whose addresses they are
    pointer whether a parameter is declared as a pointer (`.ptr`)
    room    of one into shared memory: the alignment of what it points at, else 0
    """

    space: str
    type: PtxType
    name: str
    at: int
    alignment: int
    count: int | None = None
    many: int | None = None
    data: list[Constant | Name] = field(default_factory=list)
    external: bool = False
    pointer: bool = False
    room: int = 0

    @property
    def bytes(self) -> int:
        return self.type.bytes * (1 if self.count is None else self.count)


@dataclass(slots=True)
class Label:
    name: str
    at: int


@dataclass(slots=True)
class Pragma:
    """`.pragma "nounroll";`, about the loop whose label stands before it; others say nothing."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Guard:
    """`@%p1`, `@!%p1`."""

    name: Name
    negated: bool


@dataclass(slots=True)
class Operation:
    """`@%p1 ld.global.f32 %f1, [%rd1];`, `length` characters long; `parts` of 'ld.global.f32' are
    'global' and 'f32'."""

    opcode: str
    parts: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Guard | None
    at: int
    length: int

    @property
    def text(self) -> str:
        return ".".join((self.opcode, *self.parts))


@dataclass(slots=True)
class Call:
    """`call (results), callee, (arguments);`.

    form   of a call through a register: the name of the prototype or of the list of functions that
           says what it may call
    """

    callee: Name
    results: tuple[Operand, ...]
    arguments: tuple[Operand, ...]
    guard: Guard | None
    form: Name | None
    at: int
    length: int


@dataclass(frozen=True, slots=True)
class Loc:
    """`.loc`: (file, line, column), and where that was inlined, innermost first."""

    chain: tuple[tuple[int, int, int], ...]
    at: int


@dataclass(slots=True)
class Prototype:
    """`name: .callprototype (results) _ (parameters);`: what a function has that is called through
    a register; `.calltargets f, g;` names the functions themselves."""

    name: str
    results: list[Variable]
    parameters: list[Variable]
    functions: tuple[Name, ...] | None
    at: int


@dataclass(slots=True)
class Targets:
    """`label: .branchtargets A, B;`."""

    name: str
    labels: tuple[Name, ...]
    at: int


@dataclass(slots=True)
class Braces:
    """A scope of its own; `broken` are words of its declarations that could not be read, `unhad` of
    those that are not supported: why."""

    statements: list[Statement]
    at: int
    broken: set[str] = field(default_factory=set)
    unhad: dict[str, Refused] = field(default_factory=dict)


Statement = Variable | Label | Pragma | Operation | Call | Loc | Targets | Prototype | Braces


@dataclass(slots=True)
class Routine:
    """A kernel (`.entry`) or device function (`.func`); `body` is None where it is only declared.

    most_threads   of a block by `.maxntid` or `.reqntid`, 0 if neither is there
    exact_block    threads of a block along x, y and z by `.reqntid`, else nothing
    exact_cluster  blocks of a cluster along x, y and z by `.reqnctapercluster`, else nothing
    most_cluster   blocks of a cluster by `.maxclusterrank`, else 0
    wants_cluster  whether `.explicitcluster` is there
    findings       what of it could not be read
    broken         words of its parameters, if they could not be read
    end            where it ends in the text
    """

    name: str
    at: int
    is_kernel: bool
    results: list[Variable]
    parameters: list[Variable]
    body: Braces | None
    findings: Findings
    most_threads: int = 0
    exact_block: tuple[int, ...] = ()
    exact_cluster: tuple[int, ...] = ()
    most_cluster: int = 0
    wants_cluster: bool = False
    end: int = 0
    broken: set[str] = field(default_factory=set)


@dataclass
class Tree:
    """A file.

    unusable  names of variables that cannot be had: why
    broken    words of declarations that could not be read
    aliases   other names of functions: whose
    files     the paths of its `.file` directives by number
    target    the word of its `.target`; None without
    """

    variables: dict[str, Variable] = field(default_factory=dict)
    unusable: dict[str, Refused] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    routines: dict[str, Routine] = field(default_factory=dict)
    aliases: dict[str, Name] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)
    target: Token | None = None
