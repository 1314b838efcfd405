"""Remove operations whose results nothing needs.

    entry: x1 = load.i32 a                    entry: x1 = load.i32 a        (it may fault)
           y1 = mul.i32 x1, 3                        jump loop
           jump loop                   ->     loop:  branch opaque, loop, out
    loop:  i2 = phi [entry: y1, loop: i3]
           i3 = add.i32 i2, 1
           branch opaque, loop, out

Needed is what has an effect (a store, a fault, a draw, control) and what something needed reads:
mark and sweep over the definitions (Cytron, Ferrante, Rosen, Wegman, Zadeck, *Efficiently Computing
Static Single Assignment Form and the Control Dependence Graph*, 1991, section 7.1, without its
branches).  A phi or an operation that only feeds itself is therefore gone.  Loads that cannot fault
have no effect.

A guarded definition reads the earlier value, which so stays needed, unless nothing can see it:

    @p  x2 = f a else x1               x2 = f a
    @!p x3 = g b else x2       ->      @!p x3 = g b else x2

x2 is read only where p holds, so it may be anything where p does not.  If f cannot fault and needs
no guard either, the guard goes; otherwise its earlier value becomes 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.def_use import Site, def_use
from compiler.analyses.safe_accesses import safe_accesses
from compiler.analyses.values.guards import Condition, condition_of
from compiler.ir.builder import Builder
from compiler.ir.effects import counts_commands, is_pure, is_removable, keeps_order
from compiler.ir.module import Function, Instruction
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class DeadCodeOptions:
    loads: bool = option(True, "Remove loads and reductions that are proven not to fault.")
    hidden_ties: bool = option(True, "Drop earlier values that the guards of all uses hide.")


def remove(function: Function, options: DeadCodeOptions) -> Changes:
    """Remove the dead code of a function in SSA form."""
    changes = Changes()
    effects = _effects(function, options)
    _sweep(function, effects, changes)
    if options.hidden_ties and _drop_hidden_ties(function, changes):
        _sweep(function, effects, changes)
    Builder(function).forget_unused_types()
    return changes


# Mark and sweep


def _effects(function: Function, options: DeadCodeOptions) -> list[Instruction]:
    """The instructions that must stay even if nothing reads their results."""
    safe = safe_accesses(function) if options.loads else None
    is_counted = counts_commands(function)

    def is_dispensable(instruction: Instruction) -> bool:
        row = instruction.operation
        if row.regions and is_counted:
            return False
        if is_removable(instruction) or safe is None:
            return is_removable(instruction)
        does_more = row.stores or row.control or keeps_order(instruction)
        return not does_more and safe.is_safe(instruction)

    return [i for _, i in function.instructions() if not is_dispensable(i)]


def _sweep(function: Function, effects: list[Instruction], changes: Changes) -> None:
    needed = _needed(function, effects)
    builder = Builder(function)
    for block in function.blocks.values():
        kept = [i for i in block.instructions if i in needed]
        if len(kept) == len(block.instructions):
            continue
        for instruction in block.instructions:
            if instruction not in needed:
                what = "phi removed" if instruction.is_phi else "operation removed"
                changes.note(what, instruction, f"nothing needs '{instruction.results[0]}'")
        builder.set_instructions(block, kept)


def _needed(function: Function, effects: list[Instruction]) -> set[Instruction]:
    """The instructions that have an effect, and those that they need."""
    definition = def_use(function).definition
    pending, needed = list(effects), set(effects)
    while pending:
        for name in pending.pop().variables_read:
            _, made = definition.get(name, (None, None))
            if made is not None and made not in needed:
                needed.add(made)
                pending.append(made)
    return needed


# Earlier values that are hidden


def _drop_hidden_ties(function: Function, changes: Changes) -> bool:
    """Free guarded definitions from earlier values that no use of theirs can see."""
    conditions = _Conditions(function)
    hidden = [i for _, i in function.instructions() if i.otherwise and conditions.hide_tie(i)]
    builder = Builder(function)
    for instruction in hidden:
        why = f"'{instruction.results[0]}' is read only where {instruction.guard} holds"
        if is_pure(instruction):
            builder.change(instruction, guard=None, otherwise=())
            changes.note("guard dropped", instruction, why)
        else:
            zeros = (0.0 if o.kind.is_float else 0 for o in instruction.operation.writes)
            builder.change(instruction, otherwise=tuple(zeros))
            changes.note("earlier value dropped", instruction, why)
    return bool(hidden)


class _Conditions:
    """Under which conditions values are read."""

    def __init__(self, function: Function):
        self.function = function
        self.uses = def_use(function).uses

    def hide_tie(self, instruction: Instruction) -> bool:
        """Whether every use of the result is made only where the instruction's guard holds."""
        if not any(isinstance(value, str) for value in instruction.otherwise):
            return False
        condition = condition_of(self.function, instruction.guard)
        return all(
            self.is_read_only_under(condition, name, site)
            for name in instruction.results
            for site in self.uses[name]
        )

    def is_read_only_under(self, condition: Condition, name: str, site: Site) -> bool:
        """Whether the instruction reads `name` only where the condition holds.

        Its operands are read where its guard holds, its earlier values where it does not.
        """
        _, user = site
        if user.guard is None or user.guard.name == name:
            return False
        its_own = condition_of(self.function, user.guard)
        as_operand = name in user.variables_read[1 : len(user.variables_read) - len(_ties(user))]
        as_tie = name in user.otherwise
        return (not as_operand or its_own == condition) and (
            not as_tie or its_own.complement == condition
        )


def _ties(instruction: Instruction) -> tuple[str, ...]:
    return tuple(value for value in instruction.otherwise if isinstance(value, str))


def run(function: Function, machine: Machine, options: DeadCodeOptions) -> Changes:
    return remove(function, options)


PLUGIN = Pass(
    "remove_dead_code",
    "Remove operations whose results nothing needs.",
    run,
    forms={"ssa": "ssa"},
    options=DeadCodeOptions,
)
