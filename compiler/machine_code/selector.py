"""Selection rules, and what they have in common on all targets.

A rule is a function `rule(s, instruction)` registered for IR operations by name; it writes machine
instructions over virtual registers through the selector `s`:

    %x        the register of IR variable x
    %1, %2 …  temporaries; a temporary is written once, before it is read

**Guards.**  An IR instruction under a guard becomes a sequence whose temporaries are computed
without it, since nothing but memory accesses and division checks can fault; only what writes the IR
variable, memory or control carries the guard.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from compiler.ir.module import Block, Function, Guard, Instruction, Value
from machines.diagnostics import Location, input_error
from machines.instructions import operations
from machines.operations.row import Operation
from machines.types import Type
from machines.vocabulary.numbers import sign_extend

Rule = Callable[[Any, Instruction], None]
LEAVE = "phis and tied values ('else x') need the pass 'leave_ssa' before 'select'"


class Rules(dict[str, Rule]):
    """The selection rules of a target, by the IR operation that each selects."""

    def rule(self, name: str, types: Iterable[Type | str] = ("",)) -> Callable[[Rule], Rule]:
        """Register a rule for `name.type` of each type (or for `name` alone)."""

        def register(function: Rule) -> Rule:
            for t in types:
                full = f"{name}.{t}" if t != "" else name
                if full in self:
                    raise ValueError(f"two selection rules for {full}")
                self[full] = function
            return function

        return register


class CodeSelector(ABC):
    """The machine code written so far for one function.

    rules, family    of the target: its rules, and the family of operations that they write
    out, types       instructions of the block being written; the types of all registers
    instruction      the IR instruction being selected; guard: its guard as a predicate register
    """

    rules: ClassVar[Rules]
    family: ClassVar[str]

    def __init__(self, function: Function):
        self.function = function
        self.types: dict[str, Type] = {}
        self.out: list[Instruction] = []
        self.instruction: Instruction | None = None
        self.guard: Guard | None = None
        self.location: Location | None = None
        self._temporaries = 0
        self._table: Mapping[str, Operation] = operations().family(self.family)

    def select(self, block: Block) -> list[Instruction]:
        """The machine instructions of an IR block."""
        self.out = []
        for instruction in block.instructions:
            self.instruction, self.location = instruction, instruction.location
            guard = instruction.guard
            self.guard = guard and self.guard_of(guard)
            self.check()
            rule = self.rules.get(instruction.operation.name)
            if rule is None or instruction.otherwise:
                is_of_ssa = instruction.is_phi or instruction.otherwise
                self.refuse("it has no selection rule in this form", LEAVE if is_of_ssa else None)
            rule(self, instruction)
        return self.out

    # ── what a target says ───────────────────────────────────────────────────────────────────

    @abstractmethod
    def check(self) -> None:
        """Refuse an IR instruction for which no machine of this kind could have a rule."""

    @abstractmethod
    def register_type(self, name: str) -> Type:
        """The type that the register of an IR variable has."""

    @abstractmethod
    def emit(
        self,
        operation: str,
        results: tuple[str, ...] = (),
        operands: tuple[Value, ...] = (),
        guard: Guard | None = None,
    ) -> Instruction:
        """Append a machine instruction."""

    def guard_of(self, guard: Guard) -> Guard:
        """The guard of machine instructions that stands for one of the IR."""
        return Guard(self.variable(guard.name), guard.negated)

    # ── names ────────────────────────────────────────────────────────────────────────────────

    def temporary_of(self, type: Type) -> str:
        """A new virtual register of a type."""
        self._temporaries += 1
        name = f"%{self._temporaries}"
        self.types[name] = type
        return name

    def variable(self, name: str) -> str:
        """The register of an IR variable."""
        register = f"%{name}"
        self.types[register] = self.register_type(name)
        return register

    # ── the current IR instruction ───────────────────────────────────────────────────────────

    @property
    def result_name(self) -> str:
        return self.instruction.results[0]

    @property
    def result_type(self) -> Type:
        return self.function.types[self.result_name]

    def define(self, operation: str, *operands: Value) -> None:
        """Write the IR result by one machine operation under the IR guard."""
        self.emit(operation, (self.variable(self.result_name),), operands, self.guard)

    def operand_type(self, index: int) -> Type:
        """The type of operand `index`."""
        return self.instruction.operation.reads[index].kind

    def literal(self, index: int) -> int | None:
        """Operand `index` if it is a literal integer, as a signed value of its type."""
        value = self.instruction.operands[index]
        if isinstance(value, str):
            return None
        bits = self.operand_type(index).bits
        return int(value) if bits == 1 else sign_extend(int(value), bits)

    def refuse(self, why: str, hint: str | None = None) -> None:
        """Raise InputError at the IR instruction."""
        raise input_error(
            f"'{self.instruction.operation}' cannot be compiled for this machine: {why}",
            self.location,
            hint=hint,
        )
