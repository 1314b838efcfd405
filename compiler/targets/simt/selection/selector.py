"""What selection rules of SIMT machines write with, beside what `CodeSelector` says.

**Literals** stand in the rows as they are: an operand that is read may be a constant.

**Narrow integers** (i8, i16) are held sign-extended in a register of 32 bits.

**Pointers** into shared or local memory alone (`spaces` says of which variables that is known) are
held as offsets in 32 bits, all others as generic addresses in 64.
"""

from __future__ import annotations

from compiler.ir.memory_spaces import space_layout
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.machine_code.selector import CodeSelector, Rules
from compiler.targets.simt.selection.pointer_spaces import WINDOWED, PointerSpaces
from machines.operations.row import Lane
from machines.types import I8, I16, I32, I64, PTR, Type
from machines.vocabulary.lanes import lane_bits

RULES = Rules()
rule = RULES.rule
NARROW = (I8, I16)


class Selector(CodeSelector):
    """The rows written so far for one function.

    spaces       what is known of the pointers among its variables
    layouts      where its shared and local buffers stand in their spaces
    """

    rules, family = RULES, "ptx"

    def __init__(self, function: Function, warp_width: int):
        super().__init__(function)
        self.warp_width = warp_width
        self.spaces = PointerSpaces(function)
        self.layouts = {space: space_layout(function, space) for space in WINDOWED}

    def check(self) -> None:
        if self.instruction.operation.calls:
            self.refuse(
                f"calls are inlined, and this one of @{self.instruction.operands[0]} was not",
                "a function of a kernel may not call itself, not even through others",
            )

    def register_type(self, name: str) -> Type:
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
    ) -> Instruction:
        """Append a row."""
        row = self._table[operation]
        literals = tuple(map(_literal, (o.kind for o in row.reads), operands))
        made = Instruction(row, results, literals, guard, location=self.location)
        source = self.instruction and self.instruction.operation
        if row.accesses and source is not None and source.is_volatile:
            made.attributes["ordered"] = True
        self.out.append(made)
        return made

    def new(self, operation: str, *operands: Value) -> str:
        """Emit an operation with one result; returns its new temporary."""
        lane = self._table[operation].writes[0].kind
        assert isinstance(lane, Lane)
        result = self.temporary_of(lane.holds)
        self.emit(operation, (result,), operands)
        return result

    # ── the result of the current IR instruction ─────────────────────────────────────────────

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


def _literal(kind: object, value: Value) -> Value:
    """An operand, of which a float stands for its bits where the row takes bits."""
    if isinstance(kind, Lane) and isinstance(value, float) and kind.type[0] != "f":
        return lane_bits(value, kind.type)
    return value


def file_of(t: Type) -> str:
    """The kind of register that holds a type."""
    return "pred" if t.bits == 1 else "b64" if t.bits == 64 else "b32"
