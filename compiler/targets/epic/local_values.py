"""Which values registers hold at a point of a block: versions, and the operation that made each."""

from __future__ import annotations

from compiler.ir.module import Instruction
from compiler.machine_code.operands import is_virtual
from compiler.targets.epic.registers.operands import reads, writes

Version = tuple[str, int]


class LocalValues:
    """Follows a block from its head; `pass_over` each instruction in order.

    A register's *version* counts its writes so far, so that equal versions mean equal values.
    """

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}
        self._makers: dict[Version, tuple[Instruction, tuple[Version, ...]]] = {}

    def now(self, name: str) -> Version:
        """The register with its current version."""
        return name, self._versions.get(name, 0)

    def maker(self, name: object) -> Instruction | None:
        """The instruction of this block that made a register's value from registers that still
        hold what it read; None if there is none."""
        if not is_virtual(name):
            return None
        instruction, operands = self._makers.get(self.now(name), (None, ()))
        valid = instruction is not None and all(self.now(v[0]) == v for v in operands)
        return instruction if valid else None

    def pass_over(self, instruction: Instruction) -> None:
        """Take note of what an instruction writes."""
        operands = tuple(self.now(name) for name, _ in reads(instruction))
        for name, _ in writes(instruction):
            self._versions[name] = self._versions.get(name, 0) + 1
            if is_value(instruction):
                self._makers[self.now(name)] = (instruction, operands)


def is_value(instruction: Instruction) -> bool:
    """True if the instruction does nothing but compute one virtual register from its operands."""
    operation = instruction.operation
    return (
        instruction.guard is None
        and len(instruction.results) == 1
        and is_virtual(instruction.results[0])
        and operation.access is None
        and not operation.has_effect
        and not operation.implicit_reads
        and not operation.implicit_writes
    )
