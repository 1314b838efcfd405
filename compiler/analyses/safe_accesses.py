"""Which operations that may fault certainly do not: loads, stores, tensor operations, divisions.

    b = address.ptr a              a: i32[4]
    p = add.ptr b, 8
    x = load.i32 p                 safe: bytes 8 … 11 of a
    y = load.i32 q
    @c store.i32 q, x              safe: the load has succeeded at q, and no buffer moves
    z = div_s.i32 x, y
    w = rem_s.i32 1, y             safe: y is not 0, or the division would have faulted

An operation is safe if its operands prove it, or if one that proves it has succeeded on every path
to it: available expressions (Aho, Lam, Sethi, Ullman, *Compilers*, 2006, section 9.2.6) over bit
sets, of facts that nothing ever makes false.  In SSA form a fact about a variable is about the
value it has now: on a path that comes to its definition again the fact has to be proved again,
because the same path without the round through it has to prove it too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.def_use import def_use
from compiler.analyses.memory.addresses import addresses
from compiler.ir.effects import keeps_order, may_fault
from compiler.ir.module import Function, Instruction, Value

SIZES = (1, 2, 4, 8)
"""Of scalar accesses, in bytes."""


class SafeAccesses:
    """The operations of a function in SSA form that cannot fault where they stand.

    Of blocks that the entry does not reach nothing is said.
    """

    def __init__(self, function: Function):
        self._function = function
        self._addresses = addresses(function)
        self._bits: dict[Hashable, int] = {}
        order = control_flow(function).reverse_postorder
        self._number_facts(order)
        self._at_end = self._known_at_ends(order)
        self._safe = frozenset(self._safe_instructions(order))

    def is_safe(self, instruction: Instruction) -> bool:
        """Whether an instruction of a reached block cannot fault where it stands."""
        return not may_fault(instruction) or instruction in self._safe

    def is_safe_at(self, block: str, instruction: Instruction) -> bool:
        """Whether an instruction could not fault if it stood at the end of a reached block.

        All variables that it reads must have been assigned there.
        """
        return not may_fault(instruction) or self._is_known(instruction, self._at_end[block])

    def _number_facts(self, order: tuple[str, ...]) -> None:
        for name in order:
            for instruction in self._function.blocks[name].instructions:
                fact = self._fact(instruction)
                if fact is not None:
                    self._bits.setdefault(fact, 1 << len(self._bits))

    def _fact(self, instruction: Instruction) -> Hashable | None:
        """What is known once an instruction has been passed; a guard limits it to when it holds."""
        if not may_fault(instruction) or self._is_proven(instruction):
            return None
        claim = self._claim(instruction)
        return (instruction.guard, claim) if claim is not None else None

    def _proves(self, instruction: Instruction) -> int:
        fact = self._fact(instruction)
        return self._bits[fact] if fact is not None else 0

    def _known_at_ends(self, order: tuple[str, ...]) -> dict[str, int]:
        """For every reached block the facts that hold at its end, as a bit set."""
        predecessors = control_flow(self._function).predecessors
        own = dict.fromkeys(order, 0)
        for name in order:
            for instruction in self._function.blocks[name].instructions:
                own[name] |= self._proves(instruction)
        everything = (1 << len(self._bits)) - 1
        at_end = dict.fromkeys(order, everything)
        changed = True
        while changed:
            changed = False
            for name in order:
                known = own[name] | self._at_head(name, at_end, predecessors[name])
                changed |= known != at_end[name]
                at_end[name] = known
        return at_end

    def _at_head(self, name: str, at_end: dict[str, int], predecessors: tuple[str, ...]) -> int:
        if name == self._function.entry.name:
            return 0
        known = -1
        for source in predecessors:
            known &= at_end.get(source, -1)
        return known

    def _safe_instructions(self, order: tuple[str, ...]) -> Iterator[Instruction]:
        predecessors = control_flow(self._function).predecessors
        for name in order:
            known = self._at_head(name, self._at_end, predecessors[name])
            for instruction in self._function.blocks[name].instructions:
                if may_fault(instruction):
                    if self._is_known(instruction, known):
                        yield instruction
                    known |= self._proves(instruction)

    def _is_known(self, instruction: Instruction, known: int) -> bool:
        """Whether an instruction cannot fault where these facts hold."""
        if self._is_proven(instruction):
            return True
        guards = dict.fromkeys((None, instruction.guard))
        facts = ((guard, proof) for proof in self._proofs(instruction) for guard in guards)
        return any(known & self._bits.get(fact, 0) for fact in facts)

    def _is_proven(self, instruction: Instruction) -> bool:
        """Whether the operands alone prove that an operation that may fault does not."""
        row = instruction.operation
        if row.access is not None:
            footprint = self._addresses.accessed(instruction)
            return footprint.extent is not None and self._addresses.is_aligned(footprint)
        return row.faults_if is not None and self._is_not_zero(instruction.operands[1])

    def _is_not_zero(self, divisor: Value) -> bool:
        known = self._addresses.range(divisor)
        if known is not None and not known.low <= 0 <= known.high:
            return True
        _, made = def_use(self._function).definition.get(divisor, (None, None))
        if made is None or made.guard is not None or made.operation.name.split(".")[0] != "or":
            return False
        return any(isinstance(value, int) and value for value in made.operands)

    def _claim(self, instruction: Instruction) -> Hashable | None:
        """What an operation that may fault proves by succeeding, None if nothing."""
        row = instruction.operation
        if row.access is not None:
            footprint = self._addresses.accessed(instruction)
            return "access", footprint.base, footprint.offset, footprint.size
        if row.faults_if is not None:
            return "divisor", instruction.operands[1]
        if keeps_order(instruction):
            return None  # the next draw may be another interval
        return "tensors", row.name, instruction.operands

    def _proofs(self, instruction: Instruction) -> Iterator[Hashable]:
        """The claims of which each proves that an operation cannot fault."""
        if instruction.operation.access is None:
            yield self._claim(instruction)
        else:
            footprint = self._addresses.accessed(instruction)
            for offset, size in _covering(footprint.offset, footprint.size):
                yield "access", footprint.base, offset, size


def _covering(offset: int, size: int) -> Iterator[tuple[int, int]]:
    """The accesses, with offset and size, whose success proves one: those that hold it whole.

    Their address is a multiple of their size, so the part is aligned if it stands at a multiple of
    its own size in them.
    """
    for other in SIZES:
        for back in range(0, other - size + 1, size):
            yield offset - back, other


@cached_by_version
def safe_accesses(function: Function) -> SafeAccesses:
    """What cannot fault in a function in SSA form."""
    return SafeAccesses(function)
