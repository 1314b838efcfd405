"""Rules that make one row of two, or a cheaper one of a dear one.

    mul.wide.s32 %o, %i, 4
    add.s64      %p, %a, %o       ->     mad.wide.s32 %p, %i, 4, %a
    ld.global.b32 %x, [%q+8]      ->     ld.global.b32 %x, [%p+24]       (%q is %p + 16)

A rule is a function `rule(c, instruction)` registered for rows by name; it gives the rows to put in
the instruction's place (of which the last writes what it wrote), or None.  It may read what single
registers were made of (`c.origin`), and move those operands of theirs that are stable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.targets.simt.combination.values import Values, are_same, row, values_of
from compiler.transformation import Changes
from machines.operations.row import Operation

Rule = Callable[["Combiner", Instruction], "list[Instruction] | None"]
RULES: dict[str, list[Rule]] = {}


def rule(*names: str, among: dict[str, list[Rule]] = RULES) -> Callable[[Rule], Rule]:
    """Register a rule for rows by name; `among` those of another pass than `combine_lanes`."""

    def register(function: Rule) -> Rule:
        for name in names:
            among.setdefault(name, []).append(function)
        return function

    return register


class Combiner:
    """What rules know and write with.

    here   register -> the row of the block before this point that wrote it last, if what that
           reads has not been written since
    """

    def __init__(self, function: Function, values: Values):
        self.function, self.values = function, values
        self.here: dict[str, Instruction] = {}
        self._made_of: dict[str, list[str]] = {}
        self._made = 0

    def origin(self, value: Value, *names: str) -> Instruction | None:
        """The row that made a value, of which the operands are still what they were; of one of
        these names, if any are given."""
        found = self.here.get(value) if isinstance(value, str) else None
        if found is None:
            found = self.values.origin(value)
            if found is None or not all(map(self.values.is_stable, found.operands)):
                return None
        return found if not names or found.operation.name in names else None

    def nearby(self, value: Value, *names: str) -> Instruction | None:
        """The same of a row of this block that nothing else reads: it goes with its reader."""
        found = self.here.get(value) if isinstance(value, str) else None
        is_one = found is not None and found.operation.name in names
        return found if is_one and self.is_read_once(value) else None

    def begin_block(self) -> None:
        self.here.clear()
        self._made_of.clear()

    def pass_by(self, instruction: Instruction) -> None:
        """Go on behind a row: what was made of what it writes is no longer known."""
        for name in instruction.results:
            self.here.pop(name, None)
            for register in self._made_of.pop(name, ()):
                self.here.pop(register, None)
        if instruction.guard is not None:
            return
        for name in instruction.results:
            if name not in instruction.operands:
                self.here[name] = instruction
                for operand in instruction.operands:
                    if isinstance(operand, str):
                        self._made_of.setdefault(operand, []).append(name)

    def is_read_once(self, value: Value) -> bool:
        return self.values.uses.get(value, 0) == 1

    def temporary(self, like: str) -> str:
        """A new register for the result of the row `like`."""
        self._made += 1
        name = f"%c{self._made}"
        while name in self.function.types:
            self._made += 1
            name = f"%c{self._made}"
        self.function.types[name] = row(like).writes[0].kind.holds
        return name

    def made(self, i: Instruction, name: str, *operands: Value) -> Instruction:
        """A row that reads nothing but stable operands, into a new temporary."""
        result = self.temporary(name)
        found = Instruction(row(name), (result,), operands, location=i.location)
        self.values.origins[result] = found
        self.values.uses[result] = 1
        return found


def instead(i: Instruction, name: str, *operands: Value) -> list[Instruction]:
    """Another row that writes what `i` writes."""
    return [rewritten(i, row(name), operands, i.guard)]


def rewritten(
    i: Instruction, operation: Operation, operands: tuple[Value, ...], guard: Guard | None
) -> Instruction:
    """The same instruction with another row and operands, or under another guard."""
    attributes = dict(i.attributes)
    return Instruction(operation, i.results, operands, guard, (), attributes, i.location)


def either_way(i: Instruction) -> Iterable[tuple[Value, Value]]:
    """The first two operands, and the other way round."""
    a, b = i.operands[:2]
    return (a, b), (b, a)


def signed(value: int, bits: int) -> int:
    """The number that the low bits of a value are."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


# ── applying rules ───────────────────────────────────────────────────────────────────────────

MOST_STEPS = 32
"""How often an instruction is looked at again after a rule changed it."""


def apply(function: Function, rules_of: Callable[[Instruction], Sequence[Rule]]) -> Changes:
    """Apply rules in an order in which what dominates comes first, to each row until none does.

    rules_of   the rules for a row
    """
    changes = Changes()
    builder, combiner = Builder(function), Combiner(function, values_of(function))
    for name in control_flow(function).reverse_postorder:
        block = function.blocks[name]
        code: list[Instruction] = []
        combiner.begin_block()
        for instruction in block.instructions:
            code += _combined(combiner, rules_of, instruction, changes)
        if not are_same(code, block.instructions):
            builder.set_instructions(block, code)
    return changes


def _combined(
    c: Combiner,
    rules_of: Callable[[Instruction], Sequence[Rule]],
    instruction: Instruction,
    changes: Changes,
) -> list[Instruction]:
    """The rows in place of an instruction; what rules put in front of it is combined too."""
    pending, done = [instruction], []
    for _ in range(MOST_STEPS):
        if not pending:
            break
        current = pending.pop(0)
        found = next((new for r in rules_of(current) if (new := r(c, current))), None)
        if found is None:
            done.append(current)
            c.pass_by(current)
            continue
        changes.count(_what(current, found[-1]))
        for name in current.results:
            if c.values.origins.get(name) is current:
                c.values.origins[name] = found[-1]
        pending[:0] = found
    for left in pending:
        c.pass_by(left)
    return [*done, *pending]


def _what(old: Instruction, new: Instruction) -> str:
    before, after = (i.operation.name.split(".")[0] for i in (old, new))
    return f"{before} changed" if before == after else f"{before} to {after}"
