"""Scalar accesses whose bytes are known: a buffer's address and a constant.

    b = address.ptr a
    q = add.ptr b, 12
    x = load.i32 q        bytes 12 … 15 of a

In variable form as in SSA form: a variable counts that has one definition, without a guard, which
dominates the access.  An address outside the buffer it was made from may lie in another one, so
nothing is said of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.ir.module import Function, Instruction, Value


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes low … high of a buffer, both included."""

    buffer: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class _Sum:
    """A buffer's address (None: no buffer's) and a number."""

    buffer: str | None
    offset: int


@cached_by_version
def constant_addresses(function: Function) -> dict[Instruction, Bytes]:
    """The loads and stores of reached blocks whose bytes are known."""
    return _Walk(function).found


class _Walk:
    """In reverse post-order, in which what dominates an instruction comes before it."""

    def __init__(self, function: Function):
        self.function = function
        self.dominators = dominators(function)
        self.definitions = _definitions(function)
        self.known: dict[str, tuple[str, _Sum]] = {}
        self.found: dict[Instruction, Bytes] = {}
        for block in control_flow(function).reverse_postorder:
            for instruction in function.blocks[block].instructions:
                self.instruction(block, instruction)

    def instruction(self, block: str, instruction: Instruction) -> None:
        access = instruction.operation.access
        if access is not None:
            names = [operand.name for operand in instruction.operation.reads]
            address = self.sum(block, instruction.operands[names.index(access.address)])
            if address is not None and address.buffer is not None:
                low, high = address.offset, address.offset + access.bytes - 1
                if low >= 0 and high < self.function.buffers[address.buffer].size:
                    self.found[instruction] = Bytes(address.buffer, low, high)
        elif instruction.guard is None and instruction.results:
            result = self.result(block, instruction)
            if result is not None and self.definitions[instruction.results[0]] == 1:
                self.known[instruction.results[0]] = block, result

    def result(self, block: str, instruction: Instruction) -> _Sum | None:
        """What an instruction computes, None if that is no such sum."""
        name, operands = instruction.operation.name, instruction.operands
        if name == "address.ptr":
            return _Sum(str(operands[0]), 0)
        if name in ("const.i64", "copy.i64", "copy.ptr"):
            return self.sum(block, operands[0])
        if name in ("add.ptr", "add.i64"):
            a, b = (self.sum(block, value) for value in operands)
            if a is not None and b is not None and None in (a.buffer, b.buffer):
                return _Sum(a.buffer or b.buffer, a.offset + b.offset)
        return None

    def sum(self, block: str, value: Value) -> _Sum | None:
        if not isinstance(value, str):
            return _Sum(None, int(value))
        defined, found = self.known.get(value, (None, None))
        return found if defined and self.dominators.dominates(defined, block) else None


def _definitions(function: Function) -> dict[str, int]:
    """How often each variable is defined."""
    count = dict.fromkeys(function.types, 0)
    for name, _ in function.parameters:
        count[name] += 1
    for _, instruction in function.instructions():
        for name in instruction.results:
            count[name] += 1
    return count
