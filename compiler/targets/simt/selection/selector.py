"""What selection rules write with: the state of selecting one function.

A rule is a function `rule(s, instruction)` registered for IR operations by name; it emits rows of
the family `ptx` over virtual registers through the `Selector` s:

    %x        the register of IR variable x
    %1, %2 …  temporaries; a temporary is written once, before it is read

**Literals** stand in the rows as they are: an operand that is read may be a constant.

**Guards.**  An IR instruction under a guard becomes a sequence whose temporaries are computed
without it, since nothing but memory accesses and division checks can fault; only what writes the IR
variable, memory or control carries the guard.

**Narrow integers** (i8, i16) are held sign-extended in a register of 32 bits.

**Pointers** into shared or local memory alone (`spaces` says of which variables that is known) are
held as offsets in 32 bits, all others as generic addresses in 64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from compiler.ir.memory_spaces import space_layout
from compiler.ir.module import Block, Function, Guard, Instruction, Value
from compiler.targets.simt.selection.pointer_spaces import WINDOWED, PointerSpaces
from machines.diagnostics import Location, input_error
from machines.instructions import operations
from machines.operations.row import Lane
from machines.types import I8, I16, I32, I64, PTR, Type
from machines.vocabulary.lanes import lane_bits
from machines.vocabulary.numbers import sign_extend

Rule = Callable[["Selector", Instruction], None]
RULES: dict[str, Rule] = {}
"""IR operation name -> the rule that selects it."""
NARROW = (I8, I16)


def rule(name: str, types: Iterable[Type | str] = ("",)) -> Callable[[Rule], Rule]:
    """Register a rule for `name.type` of each type (or for `name` alone)."""

    def register(function: Rule) -> Rule:
        for t in types:
            full = f"{name}.{t}" if t != "" else name
            if full in RULES:
                raise ValueError(f"two selection rules for {full}")
            RULES[full] = function
        return function

    return register


class Selector:
    """The rows written so far for one function.

    spaces       what is known of the pointers among its variables
    layouts      where its shared and local buffers stand in their spaces
    out, types   rows of the block being written; the types of all registers
    instruction  the IR instruction being selected; guard: its guard as a predicate register
    """

    def __init__(self, function: Function, warp_width: int):
        self.function, self.warp_width = function, warp_width
        self.spaces = PointerSpaces(function)
        self.layouts = {space: space_layout(function, space) for space in WINDOWED}
        self.types: dict[str, Type] = {}
        self.out: list[Instruction] = []
        self.instruction: Instruction | None = None
        self.guard: Guard | None = None
        self.location: Location | None = None
        self._temporaries = 0
        self._table: Mapping = operations().family("ptx")

    def select(self, block: Block) -> list[Instruction]:
        """The rows of an IR block."""
        self.out = []
        for instruction in block.instructions:
            self.instruction, self.location = instruction, instruction.location
            guard = instruction.guard
            self.guard = guard and Guard(self.variable(guard.name), guard.negated)
            if instruction.operation.calls:
                self.refuse(
                    f"calls are inlined, and this one of @{instruction.operands[0]} was not",
                    "a function of a kernel may not call itself, not even through others",
                )
            selection_rule = RULES.get(instruction.operation.name)
            if selection_rule is None or instruction.otherwise:
                self.refuse("it has no selection rule in this form")
            selection_rule(self, instruction)
        return self.out

    # ── names ────────────────────────────────────────────────────────────────────────────────

    def temporary(self, type: Type) -> str:
        """A new virtual register."""
        self._temporaries += 1
        name = f"%{self._temporaries}"
        self.types[name] = type
        return name

    def variable(self, name: str) -> str:
        """The register of an IR variable."""
        register = f"%{name}"
        self.types[register] = self._register_type(name)
        return register

    def _register_type(self, name: str) -> Type:
        t = self.function.types[name]
        if t in NARROW or (t is PTR and self.spaces.of(name) in WINDOWED):
            return I32
        return I64 if t is PTR else t

    # ── writing rows ─────────────────────────────────────────────────────────────────────────

    def emit(
        self,
        operation: str,
        results: tuple[str, ...] = (),
        operands: tuple[Value, ...] = (),
        guard: Guard | None = None,
    ) -> None:
        """Append a row."""
        row = self._table[operation]
        literals = tuple(map(_literal, (o.kind for o in row.reads), operands))
        made = Instruction(row, results, literals, guard, location=self.location)
        source = self.instruction and self.instruction.operation
        if row.accesses and source is not None and source.is_volatile:
            made.attributes["ordered"] = True
        self.out.append(made)

    def new(self, operation: str, *operands: Value) -> str:
        """Emit an operation with one result; returns its new temporary."""
        lane = self._table[operation].writes[0].kind
        assert isinstance(lane, Lane)
        result = self.temporary(lane.holds)
        self.emit(operation, (result,), operands)
        return result

    # ── the result of the current IR instruction ─────────────────────────────────────────────

    @property
    def result_name(self) -> str:
        return self.instruction.results[0]

    @property
    def result_type(self) -> Type:
        return self.function.types[self.result_name]

    def define(self, operation: str, *operands: Value) -> None:
        """Write the IR result by one row under the IR guard."""
        self.emit(operation, (self.variable(self.result_name),), operands, self.guard)

    def define_wrapped(self, operation: str, *operands: Value) -> None:
        """Write an integer result; of a narrow one the bits above its width may be wrong as
        computed."""
        if self.result_type in NARROW:
            self.define(f"cvt.s32.s{self.result_type.bits}", self.new(operation, *operands))
        else:
            self.define(operation, *operands)

    def define_value(self, value: Value) -> None:
        """Give the IR result a value that its register holds as it is."""
        register = self.variable(self.result_name)
        self.emit(f"mov.{file_of(self.types[register])}", (register,), (value,), self.guard)

    # ── operands ─────────────────────────────────────────────────────────────────────────────

    def operand_type(self, index: int) -> Type:
        return self.instruction.operation.reads[index].kind

    def value(self, index: int) -> Value:
        """Operand `index`: its register, or the literal."""
        value = self.instruction.operands[index]
        return self.variable(value) if isinstance(value, str) else value

    def unsigned(self, index: int) -> Value:
        """Operand `index`, zero-extended from its type's width if that is narrow."""
        t = self.operand_type(index)
        value, mask = self.value(index), (1 << t.bits) - 1
        if t not in NARROW:
            return value
        return self.new("and.b32", value, mask) if isinstance(value, str) else value & mask

    def literal(self, index: int) -> int | None:
        """Operand `index` if it is a literal integer, as a signed value of its type."""
        value = self.instruction.operands[index]
        if isinstance(value, str):
            return None
        bits = self.operand_type(index).bits
        return int(value) if bits == 1 else sign_extend(int(value), bits)

    # ── refusing ─────────────────────────────────────────────────────────────────────────────

    def refuse(self, why: str, hint: str | None = None) -> None:
        """Raise InputError at the IR instruction."""
        raise input_error(
            f"'{self.instruction.operation}' cannot be compiled for this machine: {why}",
            self.location,
            hint=hint,
        )


def _literal(kind: object, value: Value) -> Value:
    """An operand, of which a float stands for its bits where the row takes bits."""
    if isinstance(kind, Lane) and isinstance(value, float) and kind.type[0] != "f":
        return lane_bits(value, kind.type)
    return value


def file_of(t: Type) -> str:
    """The kind of register that holds a type."""
    return "pred" if t.bits == 1 else "b64" if t.bits == 64 else "b32"
