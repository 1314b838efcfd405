"""Let a variable go along with the loop instead of computing an address or product anew each time.

    before: jump loop                         before: p0 = add.ptr b, c8
    loop:   k = phi [before: 0, loop: k1]             n8 = shl.i64 n, 3
            t = mul.i64 k, n                          jump loop
            o = shl.i64 t, 3           ->     loop:   k = phi [before: 0, loop: k1]
            q = add.ptr b, o                          p = phi [before: p0, loop: p1]
            p = add.ptr q, c8                         x = load.f64 p
            x = load.f64 p                            k1 = add.i64 k, 1
            k1 = add.i64 k, 1                         again = lt_s.i64 k1, m
            again = lt_s.i64 k1, m                    p1 = add.ptr p, n8
            branch again, loop, done                  branch again, loop, done

From inner loops to outer ones, so that what is set up before an inner loop is reduced in the one
around it.  What is a polynomial start + stride·iteration may be replaced (Cocke, Kennedy, *An
Algorithm for Reduction of Operator Strength*, 1977; Cooper, Simpson, Vick, *Operator Strength
Reduction*, 2001, who find the same on the SSA graph).  A replacement costs an addition in each
iteration and two operands before the loop; it saves the operations that nothing else needs, which
`remove_dead_code` takes away, and shortens the way to an access.  The one that gains most is made
first.  Arithmetic wraps, so all this is exact.

The loop's test stays as it is: `p1 != end` in the place of `k1 < m` would be equal only if
8·n·m did not wrap.  For functions in SSA form.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.def_use import def_use
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Loop, loops
from compiler.analyses.memory.loop_accesses import address_of
from compiler.analyses.values.affine import Atom, Iteration, Polynomial
from compiler.analyses.values.induction import ClosedForms
from compiler.costs import Cost, Costs
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.rewriting.polynomial_code import PolynomialCode
from compiler.rewriting.preheaders import preheaders
from compiler.targets import costs_of
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.types import I64, PTR, Type

NOTHING = Cost(0, 0)
USUAL_ITERATIONS = 10
"""What is saved in so many iterations has to be worth more than what is done before the loop, if
it is not known that there are fewer."""


@dataclass(frozen=True, slots=True)
class StrengthOptions:
    limit: int = option(8, "Most new variables that go along with one loop.")


def reduce_strength(function: Function, limit: int, costs: Costs) -> Changes:
    """Reduce in all loops but irreducible regions, those of one depth together."""
    changes = Changes()
    for depth in range(max(loops(function).depth.values(), default=0), 0, -1):
        level = [loop for loop in loops(function).by_header.values() if loop.depth == depth]
        reductions = []
        for loop in level:
            if loop.is_irreducible:
                about = function.blocks[loop.header].instructions[0]
                changes.note("region left alone", about, "it has several entries")
            else:
                reductions.append(_Reduction(function, loop, costs, changes))
                reductions[-1].choose(limit)
        chosen = [reduction for reduction in reductions if reduction.chosen]
        before = preheaders(function, [reduction.loop for reduction in chosen])
        builder = Builder(function)
        replaced: dict[str, str] = {}
        for reduction in chosen:
            replaced |= reduction.make_variables(builder, before[reduction.loop.header])
        if replaced:
            _replace(function, replaced)
    return changes


@dataclass(slots=True)
class _Candidate:
    """A result that is start + stride·iteration.

    depth     cycles from the head of the iteration until it is there
    share     in how many of two iterations it is computed: 2, or 1 if only under a condition
    inputs    candidates among its operands
    users     how many instructions read it
    accesses  whether it is where one of them loads or stores
    """

    block: str
    instruction: Instruction
    form: Polynomial
    cost: Cost
    depth: int
    share: int
    inputs: tuple[str, ...]
    users: int
    accesses: bool

    @property
    def name(self) -> str:
        return self.instruction.results[0]


class _Reduction:
    """Of one loop."""

    def __init__(self, function: Function, loop: Loop, costs: Costs, changes: Changes):
        self.function, self.loop, self.costs, self.changes = function, loop, costs, changes
        self.here = Iteration(loop.header)
        self.forms = ClosedForms(function, loop, deep=False)
        self._deep: ClosedForms | None = None
        self.candidates: dict[str, _Candidate] = {}
        self.chosen: dict[str, _Candidate] = {}
        innermost = loops(function).innermost
        for block in loop.members:
            if innermost[block] == loop.header:
                for instruction in function.blocks[block].instructions:
                    self._consider(block, instruction)

    def choose(self, limit: int) -> None:
        """Choose what to replace; nothing is changed yet."""
        while True:
            gains = {name: self._gain(c) for name, c in self.candidates.items()}
            best = max(gains, key=gains.__getitem__, default=None)
            if best is None or gains[best] <= 0:
                break
            if len(self.chosen) == limit:
                self._decline(gains)
                break
            self.chosen[best] = self.candidates[best]
            self._settle(best)

    # What there is to gain

    def _consider(self, block: str, instruction: Instruction) -> None:
        """Note what can be replaced."""
        if instruction.is_phi or len(instruction.results) != 1:
            return
        (name,) = instruction.results
        kind = self.function.types[name]
        if kind.is_float or kind.bits == 1:
            return
        uses = [user for _, user in def_use(self.function).uses[name]]
        if not uses:
            return
        form = self.forms.form(name, block)
        changing = [a for a in form.atoms if a != self.here and self.forms.varies(a, self.loop)]
        if changing or self.here not in form.atoms:
            self._explain(instruction, changing)
            return
        cost = self._cost(instruction, uses)
        inputs = tuple(dict.fromkeys(v for v in instruction.variables_read if v in self.candidates))
        depth = cost.cycles + max((self.candidates[v].depth for v in inputs), default=0)
        always = all(
            dominators(self.function).dominates(block, latch) for latch in self.loop.latches
        )
        self.candidates[name] = _Candidate(
            block, instruction, form, cost, depth, 1 + always, inputs, len(uses),
            any(address_of(user) == name for user in uses),
        )  # fmt: skip

    def _explain(self, instruction: Instruction, changing: list[Atom]) -> None:
        """Say why a product stays."""
        if instruction.operation.name.startswith("mul."):
            why = "it does not change in the loop"
            if changing:
                reason = self._why_no_polynomial(changing[0])
                why = f"it depends on {changing[0]}, and {reason}"
            self.changes.note("product left in the loop", instruction, why)

    def _why_no_polynomial(self, name: Atom) -> str:
        """Why a name that changes in the loop has no polynomial there."""
        if name not in self.forms.refused and self._deep is None:
            self._deep = ClosedForms(self.function, self.loop)
        forms = self._deep or self.forms
        return forms.refused.get(name, "it comes from an inner loop")

    def _cost(self, instruction: Instruction, uses: list[Instruction]) -> Cost:
        """What it costs; a short shift may be part of the addition that reads it."""
        kind = instruction.operation.name.split(".")[0]
        if kind in ("copy", "const"):
            return NOTHING
        shift = _shift(kind, instruction.operands)
        if shift is not None:
            is_part = shift in self.costs.folded_shifts and all(
                u.operation.name.startswith("add.") for u in uses
            )
            return NOTHING if is_part else self.costs.simple
        if kind != "mul":
            return self.costs.simple
        factors = [abs(v) for v in instruction.operands if isinstance(v, int)]
        is_short = any(f.bit_count() == 2 or (f + 1).bit_count() == 1 for f in factors)
        return self.costs.short_product if is_short else self.costs.product

    def _gain(self, candidate: _Candidate) -> int:
        """What replacing it saves in two iterations: operations, and cycles on the way to accesses,
        each less what has to be done for it."""
        dead = self._dead_without(candidate.name)
        operations = sum(
            self.candidates[n].cost.operations * self.candidates[n].share for n in dead
        )
        saved = operations - 2 * self.costs.simple.operations
        if candidate.accesses or candidate.cost == self.costs.product:
            saved += candidate.depth * candidate.share
        if not operations:
            return 0
        most = self.forms.most_iterations(self.loop.header, self.loop.header)
        iterations = min(most, USUAL_ITERATIONS)
        return saved * iterations - 2 * self._setup(candidate.form)

    def _dead_without(self, name: str) -> list[str]:
        """The candidates that nothing needs once the uses of `name` read something else."""
        dead, lost = [name], {}
        for current in dead:
            for read in self.candidates[current].inputs:
                if read in self.candidates:
                    lost[read] = lost.get(read, 0) + 1
                    if lost[read] == self.candidates[read].users:
                        dead.append(read)
        return dead

    def _setup(self, form: Polynomial) -> int:
        """Operations and cycles before the loop."""
        terms = [*form.start(self.here).terms, *form.stride(self.here).terms]
        factor = self.costs.product.operations + self.costs.product.cycles
        return sum(1 + factor * (len(product) - 1) for product, _ in terms if product)

    def _settle(self, name: str) -> None:
        """Count a candidate as replaced: what only it needed goes, even if it was chosen before,
        and what needs it has it at once."""
        dead = self._dead_without(name)
        left = self.candidates | self.chosen
        for gone in dead:
            for read in self.candidates.pop(gone).inputs:
                if read in left and read not in dead:
                    left[read].users -= 1
                    if not left[read].users:
                        del self.chosen[read]
        for candidate in self.candidates.values():
            above = (self.candidates[v].depth for v in candidate.inputs if v in self.candidates)
            candidate.depth = candidate.cost.cycles + max(above, default=0)

    def _decline(self, gains: dict[str, int]) -> None:
        for name, gain in gains.items():
            if gain > 0:
                about = self.candidates[name].instruction
                self.changes.note("left in the loop", about, "enough variables go along with it")

    # Replacing

    def make_variables(self, builder: Builder, before: Block) -> dict[str, str]:
        """Make the new variables; gives for each chosen result the one that stands for it."""
        code = PolynomialCode(builder, before, before.terminator.location)
        made: dict[tuple[Polynomial, Type], str] = {}
        replaced = {}
        for name, candidate in self.chosen.items():
            form, kind = candidate.form, self.function.types[name]
            if (form, kind) not in made:
                made[form, kind] = self._variable(builder, code, before.name, candidate)
            replaced[name] = made[form, kind]
            what = "address" if candidate.accesses else "value"
            why = f"from {form.start(self.here)} by {form.stride(self.here)} each iteration"
            self.changes.note(f"{what} reduced", candidate.instruction, why)
        return replaced

    def _variable(
        self, builder: Builder, code: PolynomialCode, before: str, candidate: _Candidate
    ) -> str:
        """A phi that starts before the loop and grows at the end of every iteration."""
        kind, location = self.function.types[candidate.name], candidate.instruction.location
        start = code.value(candidate.form.start(self.here), kind)
        stride = code.value(candidate.form.stride(self.here), I64 if kind is PTR else kind)
        along = builder.fresh(candidate.name, kind)
        pairs: list[Value] = [before, start]
        for latch in self.loop.latches:
            block = self.function.blocks[latch]
            builder.at(block, len(block.instructions) - 1)
            following = builder.fresh(candidate.name, kind)
            builder.emit(f"add.{kind}", along, stride, result=following, location=location)
            pairs += [latch, following]
        builder.at(self.function.blocks[self.loop.header], 0)
        builder.emit(f"phi.{kind}", *pairs, result=along, location=location)
        return along


def _shift(kind: str, operands: tuple[Value, ...]) -> int | None:
    """By how many bits an operation shifts left, None if it does something else."""
    numbers = [v for v in operands if isinstance(v, int)]
    if kind == "shl" and isinstance(operands[1], int):
        return operands[1]
    if kind == "mul" and numbers and numbers[0] > 0 and not numbers[0] & (numbers[0] - 1):
        return numbers[0].bit_length() - 1
    return None


def _replace(function: Function, replaced: dict[str, str]) -> None:
    """Read other variables in the place of integers and pointers, which nothing assigns then."""
    builder = Builder(function)
    for block in function.blocks.values():
        kept = [i for i in block.instructions if not (i.results and i.results[0] in replaced)]
        if len(kept) < len(block.instructions):
            builder.set_instructions(block, kept)
        for instruction in kept:
            if any(name in replaced for name in instruction.variables_read):
                builder.change(
                    instruction,
                    operands=instruction.operands_with(lambda name: replaced.get(name, name)),
                    otherwise=tuple(replaced.get(v, v) for v in instruction.otherwise),
                )


def run(function: Function, machine: Machine, options: StrengthOptions) -> Changes:
    return reduce_strength(function, options.limit, costs_of(machine))


PLUGIN = Pass(
    "reduce_strength",
    "Let variables go along with a loop instead of computing addresses and products anew.",
    run,
    forms={"ssa": "ssa"},
    options=StrengthOptions,
)
