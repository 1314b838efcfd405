"""Which commands are available: what they would write is there already.

    1  tensor.copy.f32 w[0:64], x[0:64]         available behind 1: 1
    2  tensor.fill.f32 b[0:64], 0.0             behind 2: 1, 2, and so 3, which is a part of 2
    3  tensor.fill.f32 b[16:32], 0.0
    4  tensor.mul.f32 w[0:8], b[0:8], b[0:8]    behind 4: 2, 3, 4; what 1 wrote is overwritten

A command is available behind itself, until something that it has read or written may be written; at
a block, if it is so on every way there: available expressions (Aho, Lam, Sethi, Ullman,
*Compilers*, 2006, section 9.2.6) whose operands are intervals of memory.  Equal commands, of one
row with equal operands, are one *expression*: rows give the same bits of the same bits.  What is
computed under a guard is available where the guard holds.  An expression of one command that gives
no other command what that would write is of no use, and not followed: on the first way to its
command it has not been computed.

Where cores meet, the others may have written what they share; what nobody writes, and what is a
core's own, stays as it is.

For functions in SSA form.  As everywhere there, what is available is so for the values that its
variables have now: at the definition of one of them nothing that reads it is available yet, for on
the first way there it has not been computed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from compiler.analyses.control_flow import control_flow
from compiler.analyses.memory.addresses import Footprint, addresses
from compiler.analyses.memory.footprint_index import FootprintIndex
from compiler.analyses.memory.strides import intervals_are_apart
from compiler.analyses.values.algebra import identity
from compiler.analyses.values.guards import Condition, condition_of
from compiler.interpret.tensors import candidates
from compiler.ir.effects import keeps_order
from compiler.ir.module import Descriptor, Function, Instruction
from compiler.targets.cluster.shared_buffers import is_barrier, is_wait, shared_by
from machines.tensors.spans import Spans


@dataclass(eq=False, slots=True)
class Expression:
    """What equal commands compute.

    bits       those of a state that say that it is available: one for each interval, none if that
               is of no use
    condition  where it is available, None if everywhere
    commands   that compute it, in reverse post-order
    """

    bits: int
    condition: Condition | None
    commands: list[Instruction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Part:
    """Copies or fills of one kind to the elements low … high - 1; `number` in their order."""

    low: int
    high: int
    number: int
    expression: Expression


class AvailableCommands:
    """States are bit sets: a bit for each interval of each expression, gone where it is written.

    followed  how many bits there are
    """

    def __init__(self, function: Function):
        self._function = function
        self._where = addresses(function)
        self._flow = control_flow(function)
        self._expressions: dict[Hashable, Expression] = {}
        self._parts: dict[Hashable, Spans[_Part]] = {}
        self._own = dict(self._with_expressions())
        self._given_by: dict[Instruction, list[Expression]] = {}
        self._intervals: list[Descriptor] = []
        footprints = list(self._number())
        self._index = FootprintIndex(footprints)
        self.followed = len(footprints)
        self._everything = (1 << self.followed) - 1
        written = shared_by(function).written
        self._shared = self._bits(lambda interval: interval.buffer in written)
        self._strided = self._bits(lambda interval: bool(interval.steps))
        self._lost: dict[tuple[Descriptor, Footprint], int] = {}

    def _bits(self, is_wanted: Callable[[Descriptor], bool]) -> int:
        return sum(1 << bit for bit, one in enumerate(self._intervals) if is_wanted(one))

    # Expressions

    def _with_expressions(self) -> Iterator[tuple[Instruction, Expression]]:
        """The commands that can be available, each with what it computes."""
        for instruction in self._reached():
            if self._can_be_available(instruction):
                key = self._key(instruction, self._condition(instruction))
                if key not in self._expressions:
                    self._expressions[key] = self._new_expression(instruction)
                own = self._expressions[key]
                own.commands.append(instruction)
                yield instruction, own

    def _number(self) -> Iterator[Footprint]:
        """Give bits to what is of use, and where the intervals of that lie."""
        useful: dict[Expression, None] = {}
        for instruction, own in self._own.items():
            giving = [one for one in self._giving(instruction, own)
                      if one is not own or len(own.commands) > 1]  # fmt: skip
            if giving:
                self._given_by[instruction] = giving
                useful |= dict.fromkeys(giving)
        for expression in useful:
            command, begin = expression.commands[0], len(self._intervals)
            touched = self._where.touched(command)
            yield from (*touched.loads, *touched.stores)
            for access in ("load", "store"):
                self._intervals += [d for kind, d in command.intervals if kind.access == access]
            expression.bits = (1 << len(self._intervals)) - (1 << begin)

    def _reached(self) -> Iterator[Instruction]:
        for name in self._flow.reverse_postorder:
            yield from self._function.blocks[name].instructions

    def _can_be_available(self, instruction: Instruction) -> bool:
        """Not what overwrites what it reads, and not what may be other intervals each time."""
        if not instruction.operation.walk or instruction.results or keeps_order(instruction):
            return False
        touched = self._where.touched(instruction)
        return not any(a.may_meet(b) for a in touched.stores for b in touched.loads)

    def _condition(self, instruction: Instruction) -> Condition | None:
        return instruction.guard and condition_of(self._function, instruction.guard)

    def _key(self, instruction: Instruction, condition: Condition | None) -> Hashable:
        return instruction.operation.name, *map(identity, instruction.operands), condition

    def _new_expression(self, instruction: Instruction) -> Expression:
        expression = Expression(0, self._condition(instruction))
        whole = _whole(instruction)
        if whole is not None:
            target = instruction.operands[0]
            part = _Part(target.low, target.high, len(self._expressions), expression)
            self._parts.setdefault(whole, Spans()).add(part, target.low, target.high)
        return expression

    def _giving(self, instruction: Instruction, own: Expression) -> Iterator[Expression]:
        """The expressions of which each gives what an instruction would."""
        yield own
        always = self._expressions.get(self._key(instruction, None))
        if always is not None and always is not own:
            yield always
        target, parts = instruction.operands[0], self._parts.get(_whole(instruction))
        near = parts.near(target.low, target.high) if parts is not None else ()
        for part in sorted(near, key=lambda part: part.number):
            holds = part.expression.condition in (None, own.condition)
            covers = part.low <= target.low and target.high <= part.high
            if holds and covers and part.expression not in (own, always):
                yield part.expression

    # States

    def available_before(self, instruction: Instruction, state: int) -> Expression | None:
        """The expression that is available in a state and gives what an instruction would."""
        giving = self._given_by.get(instruction, ())
        return next((one for one in giving if state & one.bits == one.bits), None)

    def after(self, instruction: Instruction, state: int) -> int:
        """What is available behind an instruction, if that was available before it."""
        if is_wait(instruction):
            return state
        if is_barrier(instruction):
            return state & ~self._shared
        if self.available_before(instruction, state) is None:
            state &= ~self._lost_by(instruction)
        own = self._own.get(instruction)
        return state | own.bits if own is not None else state

    def at_heads(self) -> dict[str, int]:
        """What is available at the head of every reached block."""
        order = self._flow.reverse_postorder
        heads = dict.fromkeys(order, self._everything)
        ends = dict(heads)
        changed = True
        while changed:
            changed = False
            for name in order:
                state = self._everything if name != order[0] else 0
                for source in self._flow.predecessors[name]:
                    state &= ends.get(source, self._everything)
                heads[name] = state
                for instruction in self._function.blocks[name].instructions:
                    state = self.after(instruction, state)
                changed |= state != ends[name]
                ends[name] = state
        return heads

    def _lost_by(self, instruction: Instruction) -> int:
        """The bits of intervals that it may write."""
        stores = self._where.touched(instruction).stores
        if not instruction.operation.walk:
            return _union(map(self._index.meeting, stores))
        intervals = [
            one
            for kind, interval in instruction.intervals
            if kind.access == "store"
            for one in candidates(interval)
        ]
        return _union(map(self._meeting, intervals, stores))

    def _meeting(self, interval: Descriptor, footprint: Footprint) -> int:
        """The bits of intervals that one with this footprint may meet."""
        found = self._lost.get((interval, footprint))
        if found is None:
            found = self._index.meeting(footprint)
            maybe = found if interval.steps else found & self._strided
            while maybe:
                last = maybe.bit_length() - 1
                maybe ^= 1 << last
                if intervals_are_apart(interval, self._intervals[last]):
                    found ^= 1 << last
            self._lost[interval, footprint] = found
        return found


def _union(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _whole(instruction: Instruction) -> Hashable | None:
    """Of copies and fills: what those have in common of which one may be a part of another.

    A fill writes one value, as does a store of a scalar; a copy what stands as far behind in
    another buffer; sent to the same.
    """
    operation = instruction.operation
    if operation.scheduling_class not in ("copy", "fill"):
        return None
    target, source, *to_whom = instruction.operands
    if not all(one.is_exact and not one.steps for _, one in instruction.intervals):
        return None
    if not isinstance(source, Descriptor):
        return operation.name, target.buffer, identity(source)
    return operation.name, target.buffer, source.buffer, source.low - target.low, *to_whom
