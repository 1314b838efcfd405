"""What selection rules of EPIC machines write with, beside what `CodeSelector` says:

    %!x       the complement of i1 variable x, kept beside it by everything that writes x

**Narrow integers.**  A variable is held sign-extended unless nothing that reads it can see the
bits above its width; then it is *loose* and those bits are arbitrary (see `loose_variables`).
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir.memory_spaces import is_of_threads
from compiler.ir.module import Block, Function, Guard, Instruction, Value, argument_types
from compiler.machine_code.selector import CodeSelector, Rules
from compiler.targets.epic.calling import Convention
from compiler.targets.epic.registers.operands import complement_of, copies_onto_itself, file_of_type
from machines.types import F32, F64, I1, I64, Type
from machines.vocabulary.numbers import bits_from_f64, round_f32, sign_extend

RULES = Rules()
rule = RULES.rule
TENSOR_HINT = (
    "tensor operations run in the interpreter and on machines with tensor units; "
    "write loops over scalars"
)
CLUSTER_HINT = "cores with queues, and what they compute, are there on machines of kind 'cluster'"
SIMT_HINT = "threads, barriers, atomics and shared memory are there on machines of kind 'simt'"

TYPE_OF_FILE = {"general": I64, "floating": F64, "predicate": I1}

PSEUDO: dict[str, Callable[..., tuple]] = {
    "mov": lambda a: ("adds", 0, a),
    "shl.imm": lambda a, count: ("dep.z", a, count, 64 - count),
    "mov.f": lambda a: ("fmerge.s", a, a),
    "fneg": lambda a: ("fmerge.ns", a, a),
    "fabs": lambda a: ("fmerge.s", "f0", a),
    "fadd.d": lambda a, b: ("fma.d.s0", a, "f1", b),
    "fadd.s": lambda a, b: ("fma.s.s0", a, "f1", b),
    "fsub.d": lambda a, b: ("fms.d.s0", a, "f1", b),
    "fsub.s": lambda a, b: ("fms.s.s0", a, "f1", b),
    "fmpy.d": lambda a, b: ("fmpy.d.s0", a, b),
    "fmpy.s": lambda a, b: ("fmpy.s.s0", a, b),
    "fnorm.d": lambda a: ("fmpy.d.s0", a, "f1"),
    "fnorm.s": lambda a: ("fmpy.s.s0", a, "f1"),
    "xmpy.l": lambda a, b: ("xma.l", a, b, "f0"),
    "xmpy.h": lambda a, b: ("xma.h", a, b, "f0"),
    "xmpy.hu": lambda a, b: ("xma.hu", a, b, "f0"),
}
"""The assembler's pseudo operations: operands -> (row, its operands)."""


class Selector(CodeSelector):
    """The machine code written so far for one function.

    pool_code        code that makes the constants kept in registers for whole loops
    in_loop          the block being written is in a loop
    saved            registers with the caller's frame and the return address, if calls change those
    """

    rules, family = RULES, "ia64"

    def __init__(self, function: Function, loose: frozenset[str], calling: Convention):
        super().__init__(function)
        self.calling = calling
        self.loose = loose
        self.result_register = calling.result(function)
        self.saved: tuple[str, str] | None = None
        self.pool_code: list[Instruction] = []
        self.in_loop = False
        self._pool: dict[tuple[str, object], str] = {}
        self._position = {name: k for k, name in enumerate(function.blocks)}
        self._block = -1

    def select(self, block: Block, in_loop: bool = False) -> list[Instruction]:
        self.in_loop, self._block = in_loop, self._position[block.name]
        return super().select(block)

    def check(self) -> None:
        instruction = self.instruction
        if instruction.operation.walk:
            self.refuse("it has no tensor units", TENSOR_HINT)
        if "cores" in instruction.operation.flags:
            self.refuse("it is no core of a chip", CLUSTER_HINT)
        if is_of_threads(instruction, self.function.buffers):
            self.refuse("it runs one thread and has one memory", SIMT_HINT)

    def guard_of(self, guard: Guard) -> Guard:
        name = guard.name
        return Guard(self.complement(name) if guard.negated else self.variable(name))

    def follows(self, label: str) -> bool:
        """True if the block of this name stands right after the one being written."""
        return self._position[label] == self._block + 1

    def is_behind(self, label: str) -> bool:
        """True if a branch to this block goes backward."""
        return self._position[label] <= self._block

    # ── names ────────────────────────────────────────────────────────────────────────────────

    def temporary(self, file: str) -> str:
        """A new virtual register of a file: 'general', 'floating' or 'predicate'."""
        return self.temporary_of(TYPE_OF_FILE[file])

    def register_type(self, name: str) -> Type:
        return TYPE_OF_FILE[file_of_type(self.function.types[name])]

    def complement(self, name: str) -> str:
        """The predicate that is true when i1 variable `name` is false."""
        register = complement_of(f"%{name}")
        self.types[register] = I1
        return register

    # ── writing instructions ─────────────────────────────────────────────────────────────────

    def emit(
        self,
        operation: str,
        results: tuple[str, ...] = (),
        operands: tuple[Value, ...] = (),
        guard: str | Guard | None = None,
        **attributes: object,
    ) -> Instruction:
        """Append a machine instruction, unless it is a move onto itself; the guard is a predicate
        register."""
        if operation in PSEUDO:
            operation, *operands = PSEUDO[operation](*operands)
        if isinstance(guard, str):
            guard = Guard(guard) if guard != "p0" else None
        row = self._table[operation]
        if row.access is not None and "access" in self.instruction.attributes:
            attributes["access"] = self.instruction.attributes["access"]
        if row.access is not None and self.instruction.operation.is_volatile:
            attributes["ordered"] = True
        instruction = Instruction(
            row,
            results,
            tuple(operands),
            guard,
            attributes=attributes,
            location=self.location,
        )
        if not copies_onto_itself(instruction):
            self.out.append(instruction)
        return instruction

    def general(self, operation: str, *operands: Value) -> str:
        """Emit an operation with one general result; returns its new temporary."""
        return self._into_temporary("general", operation, operands)

    def floating(self, operation: str, *operands: Value) -> str:
        """Emit an operation with one floating result; returns its new temporary."""
        return self._into_temporary("floating", operation, operands)

    def _into_temporary(self, file: str, operation: str, operands: tuple[Value, ...]) -> str:
        result = self.temporary(file)
        self.emit(operation, (result,), operands)
        return result

    def compare(self, operation: str, *operands: Value, guard: str | None = None) -> str:
        """Emit a compare into a new predicate, without its complement."""
        result = self.temporary("predicate")
        self.emit(operation, (result, "p0"), operands, guard)
        return result

    # ── the result of the current IR instruction ─────────────────────────────────────────────

    def define_wrapped(self, operation: str, *operands: Value) -> None:
        """Write an integer result whose bits above the type's width may be wrong as computed."""
        bits = self.result_type.bits
        if bits == 64 or self.result_name in self.loose:
            self.define(operation, *operands)
        else:
            self.define(f"sxt{bits // 8}", self.general(operation, *operands))

    def target(self) -> str:
        """A register to build the result in by several instructions; end with `finish`.

        It is the result's own register if no guard and no operand of that name is in the way.
        """
        name = self.result_name
        if self.guard is None and name not in self.instruction.operands:
            return self.variable(name)
        return self.temporary(file_of_type(self.result_type))

    def finish(self, register: str) -> None:
        """Move what was built in `target()` to the result, if it is not there."""
        if register != self.variable(self.result_name):
            self.define("mov.f" if self.result_type.is_float else "mov", register)

    # ── operands ─────────────────────────────────────────────────────────────────────────────

    def operand_type(self, index: int) -> Type:
        operation = self.instruction.operation
        if operation.calls:
            return argument_types(self.instruction, self.callee)[index - 1]
        return super().operand_type(index)

    @property
    def callee(self) -> Function:
        """The function that the current IR instruction calls, or its prototype."""
        return self.function.functions[str(self.instruction.operands[0])]

    def integer(self, index: int) -> str:
        """Operand `index` in a general register; a loose variable's upper bits are arbitrary."""
        value = self.instruction.operands[index]
        if isinstance(value, str):
            return self.variable(value)
        return self.constant(self.literal(index))

    def extended(self, index: int) -> str:
        """Operand `index` in a general register, sign-extended."""
        value = self.instruction.operands[index]
        if isinstance(value, str) and value in self.loose:
            return self.general(f"sxt{self.operand_type(index).bits // 8}", self.variable(value))
        return self.integer(index)

    def unsigned(self, index: int) -> str:
        """Operand `index` in a general register, zero-extended from its type's width."""
        t = self.operand_type(index)
        value = self.instruction.operands[index]
        if not isinstance(value, str):
            return self.constant(int(value) & ((1 << t.bits) - 1))
        return (
            self.variable(value)
            if t.bits == 64
            else self.general(f"zxt{t.bits // 8}", self.variable(value))
        )

    def float(self, index: int) -> str:
        """Operand `index` in a floating register."""
        value = self.instruction.operands[index]
        if isinstance(value, str):
            return self.variable(value)
        value = float(value)
        return self.float_constant(round_f32(value) if self.operand_type(index) is F32 else value)

    def addend(self, index: int) -> str:
        """A float operand that is added to a product: f0 would not be added at all."""
        register = self.float(index)
        return self.floating("mov.f", register) if register == "f0" else register

    # ── constants ────────────────────────────────────────────────────────────────────────────

    def constant(self, value: int) -> str:
        """An integer (taken modulo 2**64) in a general register."""
        value = sign_extend(value, 64)
        if value == 0:
            return "r0"
        if -(1 << 21) <= value < 1 << 21:
            return self._pooled("general", value, lambda: self.general("addl", value, "r0"))
        return self._pooled("general", value, lambda: self.general("movl", value))

    def float_constant(self, value: float) -> str:
        """A double in a floating register."""
        bits = bits_from_f64(value)
        if bits == 0:
            return "f0"
        if value == 1.0:
            return "f1"
        return self._pooled("floating", bits, lambda: self.floating("setf.d", self.constant(bits)))

    def address(self, symbol: str) -> str:
        """The address of a buffer."""
        return self._pooled("symbol", symbol, lambda: self.general("movl.symbol", symbol))

    def _pooled(self, kind: str, key: object, make: Callable[[], str]) -> str:
        """A constant: made once, on entry, if the code being selected is in a loop."""
        if not self.in_loop:
            return make()
        if (kind, key) not in self._pool:
            out, location = self.out, self.location
            self.out, self.location, self.in_loop = self.pool_code, None, False
            self._pool[kind, key] = make()
            self.out, self.location, self.in_loop = out, location, True
        return self._pool[kind, key]

    # ── predicates ───────────────────────────────────────────────────────────────────────────

    def true_when(self, index: int) -> str:
        """A predicate that is true when i1 operand `index` is."""
        value = self.instruction.operands[index]
        if isinstance(value, str):
            return self.variable(value)
        return "p0" if value else self.false()

    def true_unless(self, index: int) -> str:
        """A predicate that is true when i1 operand `index` is not."""
        value = self.instruction.operands[index]
        if isinstance(value, str):
            return self.complement(value)
        return self.false() if value else "p0"

    def false(self) -> str:
        """A predicate that is false."""
        result = self.temporary("predicate")
        self.emit("cmp.eq", ("p0", result), ("r0", "r0"))
        return result

    def boolean(self, index: int) -> str:
        """I1 operand `index` as 0 or 1 in a general register that the caller may change."""
        value = self.instruction.operands[index]
        if not isinstance(value, str):
            return self.general("addl", int(bool(value)), "r0")
        result = self.general("addl", 0, "r0")
        self.emit("addl", (result,), (1, "r0"), self.variable(value))
        return result

    def pair(self) -> tuple[str, str]:
        """The IR result's predicate and its complement, for a compare to write."""
        return self.variable(self.result_name), self.complement(self.result_name)
