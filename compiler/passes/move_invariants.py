"""Move what a loop computes anew in every iteration to where it is computed once, before the loop.

    entry: jump loop                          entry: c = mul.i64 a, b
                                                     s = load.f32 q
                                                     jump loop
    loop:  i = phi [entry: 0, loop: j]        loop:  i = phi [entry: 0, loop: j]
           s = load.f32 q              ->
           x = load.f32 p                            x = load.f32 p
           c = mul.i64 a, b
           j = add.i64 i, c                          j = add.i64 i, c
           branch p, loop, done                      branch p, loop, done

From inner loops to outer ones, instructions all of whose operands (guard and tied values included)
come from outside the loop go to its preheader:

* what cannot fault and touches no memory, always; long sequences only if no iteration ends without
  them; literals and addresses of buffers only with what reads them, as the target makes them anew
  for nothing;
* what may fault, if the loop runs it as soon as it is entered: nothing that may fault, store, draw,
  leave or go round may come before it on any way from the header, so that a fault stays the same
  fault with the same memory; or if it cannot fault before the loop either;
* loads only if nothing in the loop may write what they read;
* stores and tensor operations only if the loop runs them as soon as it is entered, nothing before
  them reads what they write, nothing else writes it and nothing writes what they read.

For functions in SSA form.  Aho, Lam, Sethi, Ullman, *Compilers*, 2006, section 9.5, asks the same
of motion: that no operation is done on a way that did not do it, unless nobody can tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.analyses.control_flow import control_flow
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Loop, loops
from compiler.analyses.memory.addresses import Footprint, addresses
from compiler.analyses.memory.footprint_index import Writers
from compiler.analyses.safe_accesses import safe_accesses
from compiler.costs import Costs
from compiler.ir.builder import Builder
from compiler.ir.effects import counts_commands, keeps_order, may_fault
from compiler.ir.module import Function, Instruction
from compiler.rewriting.preheaders import preheaders
from compiler.targets import costs_of
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class InvariantOptions:
    loads: bool = option(True, "Also move loads.")
    stores: bool = option(True, "Also move stores and tensor operations that write.")
    literals: bool = option(False, "Move literals and addresses of buffers even for themselves.")
    speculate_long: bool = option(
        False, "Move divisions and square roots even if an iteration may do without them."
    )


def move(function: Function, options: InvariantOptions, costs: Costs) -> Changes:
    """Move the invariant code of all loops but irreducible regions."""
    changes = Changes()
    for region in loops(function).irreducible:
        about = function.blocks[region.header].instructions[0]
        changes.note("region left alone", about, "it has several entries")
    _Plan(function, options, costs, changes).carry_out()
    return changes


@dataclass(slots=True)
class _Walk:
    """A walk through a loop in reverse post-order, each block once.

    reached  where a way from the header may go on: what has been come to and not been passed.  A
             block that is come to again, or that lies outside, stays there for good
    first    whether nothing has been passed that something else must not overtake
    loads    what has been read on the ways up to here
    """

    reached: set[str]
    first: bool = True
    loads: list[Footprint] = field(default_factory=list)

    def enter(self, block: str) -> bool:
        """Whether every way from the header comes to this block."""
        always = self.reached == {block}
        self.reached.discard(block)
        return always


class _Plan:
    """What goes before which loop.  Nothing changes while it is made, so the analyses hold.

    before   header of a loop -> what its preheader gets, in order
    home     variable -> header of the innermost loop around its definition (None: in no loop)
    written  header of a loop -> which of the writers are in it
    """

    def __init__(
        self, function: Function, options: InvariantOptions, costs: Costs, changes: Changes
    ):
        self.function, self.options, self.costs, self.changes = function, options, costs, changes
        self.is_counted = counts_commands(function)
        self.loops, self.dominators = loops(function), dominators(function)
        self.where, self.safe = addresses(function), safe_accesses(function)
        self.before: dict[str, dict[Instruction, None]] = {}
        self.home: dict[str, str | None] = {}
        self.literals: dict[str, Instruction] = {}
        self.went: dict[Instruction, str] = {}
        self.steps: dict[str | None, list[str]] = {}
        order = control_flow(function).reverse_postorder
        for name in order:
            self._see(name)
        self.writers = Writers((function.blocks[name] for name in order), self.where)
        self.written = self._written()
        for loop in reversed(self.loops.by_header.values()):
            if not loop.is_irreducible:
                self._look_at(loop)

    def _see(self, name: str) -> None:
        """Note where a block's variables are at home, and of which loop it is a step."""
        header = around = self.loops.innermost[name]
        if header == name and not self.loops.by_header[name].is_irreducible:
            outer = self._natural(self.loops.by_header[name].parent)
            self.steps.setdefault(outer, []).append(name)
        self.steps.setdefault(self._natural(around), []).append(name)
        for instruction in self.function.blocks[name].instructions:
            for result in instruction.results:
                self.home[result] = header
            if _is_literal(instruction):
                self.literals[instruction.results[0]] = instruction

    def _written(self) -> dict[str | None, int]:
        found: dict[str | None, int] = {None: 0, **dict.fromkeys(self.loops.by_header, 0)}
        for block, writes in self.writers.in_block.items():
            found[self.loops.innermost[block]] |= writes
        for header, loop in reversed(self.loops.by_header.items()):  # those inside come first
            found[loop.parent] |= found[header]
        return found

    def _natural(self, header: str | None) -> str | None:
        """The innermost loop around that is no irreducible region."""
        while header is not None and self.loops.by_header[header].is_irreducible:
            header = self.loops.by_header[header].parent
        return header

    def carry_out(self) -> None:
        """Make the preheaders that are needed and move the instructions."""
        builder = Builder(self.function)
        for block in self.function.blocks.values():
            kept = [i for i in block.instructions if i not in self.went]
            if len(kept) < len(block.instructions):
                builder.set_instructions(block, kept)
        entered = [self.loops.by_header[header] for header, code in self.before.items() if code]
        for header, block in preheaders(self.function, entered).items():
            *rest, last = block.instructions
            builder.set_instructions(block, [*rest, *self.before[header], last])

    def _look_at(self, loop: Loop) -> None:
        """Decide what leaves a loop; the loops in it have been looked at.

        A loop inside is looked at as the code before it, which is run once when it is entered.
        """
        self.before[loop.header] = {}
        walk = _Walk({loop.header})
        for name in self.steps[loop.header]:
            is_loop = name != loop.header and name in self.before
            code = self.before[name] if is_loop else self.function.blocks[name].instructions
            always = walk.enter(name)
            for instruction in list(code):
                first = always and walk.first
                if not self._moves(instruction, name, loop, walk.loads if first else None):
                    self._pass(instruction, walk)
            walk.reached.update(self.function.blocks[name].successors)

    def _pass(self, instruction: Instruction, walk: _Walk) -> None:
        """Leave an instruction where it is."""
        row = instruction.operation
        if row.stores or keeps_order(instruction) or not self.safe.is_safe(instruction):
            walk.first = False
        walk.loads += self.where.touched(instruction).loads

    def _moves(
        self,
        instruction: Instruction,
        block: str,
        loop: Loop,
        read_before: list[Footprint] | None,
    ) -> bool:
        """Take an instruction out of the loop if that is right and good, and say why not.

        `read_before` is what the loop reads before it; None if it does not run it first of all.
        """
        if not self._is_invariant(instruction, loop):
            return False
        kind = _kind(instruction)
        why_not = self._why_not(instruction, block, loop, read_before)
        if why_not:
            self.changes.note(f"{kind} left in the loop", instruction, why_not)
            return False
        for name in instruction.variables_read:
            if not self._is_outside(name, loop):
                self._take(self.literals[name], loop)
        self._take(instruction, loop)
        why = "the loop runs it first of all"
        if not instruction.operation.stores and self._is_safe_before(loop, instruction):
            why = "it cannot fault"
        self.changes.note(f"{kind} moved out of the loop", instruction, why)
        return True

    def _take(self, instruction: Instruction, loop: Loop) -> None:
        if instruction in self.went:
            del self.before[self.went[instruction]][instruction]
        self.before[loop.header][instruction] = None
        self.went[instruction] = loop.header
        for result in instruction.results:
            self.home[result] = loop.parent

    def _is_invariant(self, instruction: Instruction, loop: Loop) -> bool:
        """Whether it does the same in every iteration, and is looked at for itself."""
        row = instruction.operation
        if instruction.is_phi or row.control or keeps_order(instruction):
            return False
        if _is_literal(instruction) and not self.options.literals:
            return False
        return all(
            self._is_outside(name, loop) or name in self.literals
            for name in instruction.variables_read
        )

    def _is_outside(self, name: str, loop: Loop) -> bool:
        header = self.home.get(name)
        while header is not None and self.loops.by_header[header].depth > loop.depth:
            header = self.loops.by_header[header].parent
        return header != loop.header

    def _why_not(
        self,
        instruction: Instruction,
        block: str,
        loop: Loop,
        read_before: list[Footprint] | None,
    ) -> str | None:
        """Why an invariant instruction has to stay, None if it need not."""
        row, first = instruction.operation, read_before is not None
        touched = self.where.touched(instruction)
        if row.regions and self.is_counted:
            return "the program counts its commands"
        if row.stores:
            if not self.options.stores:
                return "stores stay, as the options say"
            if not first:
                return "the loop may not run it first of all"
            if any(w.may_meet(footprint) for w in touched.stores for footprint in read_before):
                return "the loop may read before it what it writes"
        elif row.loads and not self.options.loads:
            return "loads stay, as the options say"
        among = self.written[loop.header]
        writer = self.writers.of(touched.stores, among, instruction)
        writer = writer or self.writers.of(touched.loads, among)
        if writer is not None:
            at = f" at line {writer.location.line}" if writer.location else ""
            return f"{writer.operation}{at} may write there"
        if not first and not self._is_safe_before(loop, instruction):
            return "it may fault, and the loop may not run it first of all"
        if not first and self._is_long(instruction):
            often = all(self.dominators.dominates(block, latch) for latch in loop.latches)
            if instruction.guard is not None or not often:
                return "it takes long, and an iteration may do without it"
        return None

    def _is_safe_before(self, loop: Loop, instruction: Instruction) -> bool:
        """Whether an instruction cannot fault on any way into the loop."""
        if not may_fault(instruction):
            return True
        from_blocks = loop.header != self.function.entry.name
        return from_blocks and all(
            self.safe.is_safe_at(source, instruction) for source, _ in loop.entering
        )

    def _is_long(self, instruction: Instruction) -> bool:
        row = instruction.operation
        long = self.costs.is_long(instruction) or bool(row.regions)
        return long and not self.options.speculate_long


def _is_literal(instruction: Instruction) -> bool:
    """Whether the target makes the result anew for nothing wherever it is read."""
    row = instruction.operation
    return instruction.guard is None and ("literal" in row.flags or row.name == "address.ptr")


def _kind(instruction: Instruction) -> str:
    row = instruction.operation
    return "store" if row.stores else "load" if row.loads else "operation"


def run(function: Function, machine: Machine, options: InvariantOptions) -> Changes:
    return move(function, options, costs_of(machine))


PLUGIN = Pass(
    "move_invariants",
    "Compute before a loop what every iteration would compute anew.",
    run,
    forms={"ssa": "ssa"},
    options=InvariantOptions,
)
