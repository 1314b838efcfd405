"""Checked kernels: trees in which every value has its type and every conversion is written.

`check_*` modules build them from Python's syntax trees; `lower_*` modules turn them into IR.  A
value whose `type` is None is *flexible*: a literal, or a choice between literals, that takes the
type of what it meets (`conversions.settle`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.ir.module import Function
from compiler.python_syntax.scalars import BOOLEAN, I64, Scalar
from machines.diagnostics import Location
from machines.instructions import operations


@dataclass(slots=True, eq=False)
class Array:
    """An array a kernel can index.

    element    type of one element
    dimensions row-major; a number, an i64 expression of parameters, or None for an open first
    sizes      the same as text, with module constants put in
    location   where its type is written
    buffer     name of the module buffer it stands for; None for a parameter
    constant   a module table, which may not be stored to
    space      where its buffer stands: 'global', 'shared' or 'local'
    """

    name: str
    element: Scalar
    dimensions: tuple[int | Value | None, ...]
    sizes: tuple[int | str | None, ...]
    location: Location
    buffer: str | None = None
    constant: bool = False
    space: str = "global"

    def __str__(self) -> str:
        sizes = (":" if size is None else str(size) for size in self.sizes)
        return f"{self.element}[{', '.join(sizes)}]"


@dataclass(slots=True, eq=False, kw_only=True)
class Value:
    """An expression; `location` is where it stands, `type` is None while it is flexible."""

    location: Location
    type: Scalar | None = None


@dataclass(slots=True, eq=False)
class Constant(Value):
    """A number; typed integers are within their type's range, booleans are 0 or 1."""

    value: int | float


@dataclass(slots=True, eq=False)
class Read(Value):
    """A scalar variable or parameter."""

    name: str


@dataclass(slots=True, eq=False)
class Element(Value):
    """An array element; the indices are i64."""

    array: Array
    indices: list[Value]


@dataclass(slots=True, eq=False)
class Current(Value):
    """The element that the augmented assignment around it updates."""


@dataclass(slots=True, eq=False)
class Length(Value):
    """The first dimension of an array, as i64."""

    array: Array
    type: Scalar | None = field(default=I64, kw_only=True)


@dataclass(slots=True, eq=False)
class Convert(Value):
    """`a` as a value of type `type`."""

    a: Value


@dataclass(slots=True, eq=False)
class Unary(Value):
    """`operation`: 'neg', 'not' (bitwise), 'abs' or 'sqrt', on an operand of the result's type."""

    operation: str
    a: Value


@dataclass(slots=True, eq=False)
class Binary(Value):
    """An operation on two operands of the result's type.

    operation  'add' 'sub' 'mul' 'div' 'floor' 'modulo' 'and' 'or' 'xor' 'shl' 'shr' 'min' 'max'
    """

    operation: str
    a: Value
    b: Value


@dataclass(slots=True, eq=False)
class Power(Value):
    """`a` to a constant power, by repeated squaring."""

    a: Value
    exponent: int


@dataclass(slots=True, eq=False)
class FusedMultiplyAdd(Value):
    """a * b + c rounded once."""

    a: Value
    b: Value
    c: Value


@dataclass(slots=True, eq=False)
class Compare(Value):
    """`relation`: 'eq' 'ne' 'lt' 'le' 'gt' 'ge', on two operands of one type."""

    relation: str
    a: Value
    b: Value
    type: Scalar | None = field(default=BOOLEAN, kw_only=True)


@dataclass(slots=True, eq=False)
class Shared(Value):
    """A middle operand of a chained comparison: evaluated once, though two comparisons read it."""

    a: Value


@dataclass(slots=True, eq=False)
class Not(Value):
    """Logical negation of a boolean."""

    a: Value
    type: Scalar | None = field(default=BOOLEAN, kw_only=True)


@dataclass(slots=True, eq=False)
class Logic(Value):
    """Short-circuit 'and' or 'or' of booleans, left to right."""

    operation: str
    terms: list[Value]
    type: Scalar | None = field(default=BOOLEAN, kw_only=True)


@dataclass(slots=True, eq=False)
class Conditional(Value):
    """`a if test else b`; only the chosen arm is evaluated."""

    test: Value
    a: Value
    b: Value


@dataclass(slots=True, eq=False)
class Call(Value):
    """A call of another kernel; it has no type if the kernel returns nothing."""

    kernel: str
    arguments: list[Value | Array]


@dataclass(slots=True, eq=False)
class ScalarFunction:
    """A function of arrays (`compiler/levels/arrays/language`) that takes and gives scalars.

    code  returns once, at its end, and never comes back to its entry
    """

    name: str
    parameters: dict[str, Scalar]
    result: Scalar
    code: Function


@dataclass(slots=True, eq=False)
class FunctionCall(Value):
    """A call of a function of arrays; the arguments have its parameters' types."""

    function: ScalarFunction
    arguments: list[Value]


@dataclass(slots=True, eq=False)
class ThreadOperation(Value):
    """What only a thread of a grid does: an IR row of machines/instructions/ir_parallel.py.

    It has no type if it gives nothing (`syncthreads`); `element` is what an atomic one changes.
    """

    row: str
    operands: list[Value]
    element: Element | None = None

    @property
    def acts(self) -> bool:
        """Whether it may stand as a statement, for what it does."""
        return operations()["ir", self.row].orders_memory

    @property
    def is_constant(self) -> bool:
        """Whether the thread always gets the same value."""
        return not (self.acts or operations()["ir", self.row].is_convergent)


# Statements ------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, kw_only=True)
class Statement:
    location: Location


@dataclass(slots=True, eq=False)
class Assign(Statement):
    """Targets (variable names or elements) get values; all values are computed first."""

    targets: list[str | Element]
    values: list[Value]


@dataclass(slots=True, eq=False)
class Update(Statement):
    """An element gets a value in which `Current` stands for what it held."""

    target: Element
    value: Value


@dataclass(slots=True, eq=False)
class If(Statement):
    test: Value
    then: list[Statement]
    otherwise: list[Statement]


@dataclass(slots=True, eq=False)
class While(Statement):
    test: Value
    body: list[Statement]


@dataclass(slots=True, eq=False)
class For(Statement):
    """`for name in range(start, stop, step)`.

    own_counter  the loop counts in a variable of its own and copies it to `name` each time, because
                 the body assigns `name` or its value is still wanted after the loop
    copy_range   the body may change what stop and step were computed from
    step         a constant of either sign, or a value that must be positive when the loop begins
    """

    name: str
    type: Scalar
    start: Value
    stop: Value
    step: int | Value
    body: list[Statement]
    own_counter: bool
    copy_range: bool


@dataclass(slots=True, eq=False)
class Break(Statement):
    pass


@dataclass(slots=True, eq=False)
class Continue(Statement):
    pass


@dataclass(slots=True, eq=False)
class Return(Statement):
    value: Value | None


@dataclass(slots=True, eq=False)
class Evaluate(Statement):
    """A kernel called, or an operation of threads done, for its effects."""

    call: Call | ThreadOperation


@dataclass(slots=True, eq=False)
class Kernel:
    """A checked kernel.

    parameters  name -> scalar type or array, in order
    locations   name -> where that parameter is declared
    variables   every scalar's type, parameters included
    assigned    names of the scalars that statements assign
    stored      names of the array parameters it stores to, itself or through a kernel it calls
    measured    (array name, axis) of the dimensions that indexing or len() needs
    scratch     the arrays it declares
    calls       kernels called, with the first location of each call
    """

    name: str
    parameters: dict[str, Scalar | Array]
    result: Scalar | None
    location: Location
    locations: dict[str, Location] = field(default_factory=dict)
    variables: dict[str, Scalar] = field(default_factory=dict)
    assigned: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    measured: dict[tuple[str, int], Array] = field(default_factory=dict)
    scratch: list[Array] = field(default_factory=list)
    calls: dict[str, Location] = field(default_factory=dict)
    body: list[Statement] = field(default_factory=list)
