"""Induction variables, and every integer and address as a polynomial in iteration numbers.

    entry: row = mul.i64 r, n
    loop:  k = phi.i64 [entry: 0, loop: next]     k:    [loop]              start 0, step 1
           at = add.i64 row, k                    at:   n·r + [loop]
           o = shl.i64 at, 3                      o:    8·n·r + 8·[loop]
           p = add.ptr a, o                       p:    a + 8·n·r + 8·[loop]
           next = add.i64 k, 2                    next: 2 + k
           again = lt_s.i64 next, 10              the header runs 5 times at most

A *basic* induction variable is a phi of a header that comes round with the same invariant sum added
each time; all else follows from definitions, each before its uses (Wolfe, *Beyond Induction
Variables*, 1992).  Arithmetic of one width is exact modulo 2**width, so nothing has to be proven of
it.  An extension looks at the number: it is followed if the polynomial, as a sum of integers, stays
within the narrow type for all values of its symbols and for as many iterations as the loop's tests
let pass; else the extended variable is a symbol of its own.  For functions in SSA form.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.analyses.affine import Address, Atom, Iteration, Polynomial, Range
from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.def_use import def_use
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Loop, loops
from compiler.analyses.trip_counts import FLIPPED, NEGATED, most_passes
from compiler.analyses.value_ranges import ValueRange, value_ranges
from compiler.ir.module import Function, Instruction, Value
from machines.layout import BASE

MOST_TERMS = 16
"""A longer sum is a symbol of its own."""
MOST_BYTES = 1 << 48
"""Memory is real memory of the host, so that no two addresses inside buffers are farther apart."""


@dataclass(frozen=True, slots=True)
class BasicInduction:
    """A phi that is `start + step·[header]`."""

    header: str
    start: Value
    step: Polynomial


@dataclass(frozen=True, slots=True)
class _Test:
    """A test that lets the loop go on at most `passes` times in one run of it; `stay` is the block
    that runs only if it has passed, None if there is no such block."""

    passes: int
    stay: str | None


class ClosedForms:
    """The polynomials of a function.

    basic    the basic induction variables by name
    refused  why a variable of integer or pointer type is a symbol of its own

    With `within`, only the loop's blocks are looked at, and every name from outside is a symbol.
    """

    def __init__(self, function: Function, within: Loop | None = None):
        self.basic: dict[str, BasicInduction] = {}
        self.refused: dict[str, str] = {}
        self._function = function
        self._loops = loops(function)
        self._members = {h: frozenset(loop.members) for h, loop in self._loops.by_header.items()}
        self._definition = def_use(function).definition
        self._ranges = value_ranges(function)
        self._forms: dict[str, Polynomial] = {}
        self._tests: dict[str, list[_Test]] = {}
        blocks = control_flow(function).reverse_postorder if within is None else within.members
        for name in blocks:
            self._pass_over(name)

    def form(self, value: Value, block: str) -> Polynomial:
        """A literal or integer or pointer variable as the block sees it."""
        if not isinstance(value, str):
            return Polynomial.number(int(value), 64)
        known = self._forms.get(value)
        if known is not None and self._is_current(value, block):
            return known
        return Polynomial.atom(value, self._function.types[value].bits)

    def range(self, form: Polynomial, block: str) -> Range:
        """Between which numbers the polynomial lies, as a sum of integers, whenever the block
        runs."""
        return form.range(lambda atom: self.range_of(atom, block))

    def range_of(self, atom: Atom, block: str) -> Range:
        """Between which numbers an atom lies whenever the block runs."""
        if isinstance(atom, Iteration):
            return 0, max(self.most_iterations(atom.header, block) - 1, 0)
        if isinstance(atom, Address):
            return BASE, MOST_BYTES
        known = self._ranges.get(atom) or ValueRange.of_type(self._function.types[atom])
        return known.low, known.high

    def fits(self, form: Polynomial, block: str) -> bool:
        """Whether it lies within its width as a signed number, so that it does not wrap."""
        low, high = self.range(form, block)
        return -(1 << form.bits - 1) <= low and high < 1 << form.bits - 1

    def most_iterations(self, header: str, block: str) -> int:
        """How many iterations of a loop can run `block` in one run of the loop, at most."""
        dominance = dominators(self._function)
        return min(
            (
                test.passes
                if test.stay is not None and dominance.dominates(test.stay, block)
                else test.passes + 1
                for test in self._tests.get(header, ())
            ),
            default=1 << 64,
        )

    def is_invariant(self, form: Polynomial, loop: Loop) -> bool:
        """Whether nothing it is made of changes while the loop runs."""
        return not any(self.varies(atom, loop) for atom in form.atoms)

    def varies(self, atom: Atom, loop: Loop) -> bool:
        """Whether an atom may change while the loop runs."""
        if isinstance(atom, Iteration):
            return atom.header in self._members[loop.header]
        return isinstance(atom, str) and self._is_inside(atom, loop)

    def root(self, value: Value, loop: Loop) -> tuple[str, Polynomial] | None:
        """The phi of the header that a value of the loop is a sum of, and what is added to it."""
        added = None
        while isinstance(value, str) and self._is_inside(value, loop):
            block, instruction = self._definition[value]
            bits = self._function.types[value].bits
            added = added or Polynomial.number(0, bits)
            if instruction.is_phi and block == loop.header:
                return value, added
            step = self._added(instruction, loop, bits)
            if step is None:
                return None
            value, added = step[0], added + step[1]
        return None

    def _added(self, i: Instruction, loop: Loop, bits: int) -> tuple[Value, Polynomial] | None:
        """What a copy, sum or difference is made of: a value of the loop, and an invariant."""
        kind = i.operation.name.split(".")[0]
        if i.guard is not None or kind not in ("copy", "add", "sub"):
            return None
        if kind == "copy":
            return i.operands[0], Polynomial.number(0, bits)
        a, b = i.operands
        for value, other in ((a, b), (b, a)) if kind == "add" else ((a, b),):
            invariant = self._invariant(other, loop)
            if invariant is not None:
                same = invariant.with_bits(bits)
                return value, same if kind == "add" else same.times(-1)
        return None

    def _invariant(self, value: Value, loop: Loop) -> Polynomial | None:
        """The polynomial of a number, or of a variable that the loop does not assign."""
        if isinstance(value, str) and self._is_inside(value, loop):
            _, instruction = self._definition[value]
            if "literal" not in instruction.operation.flags or instruction.guard is not None:
                return None
            value = instruction.operands[0]
        return self.form(value, loop.header)

    # One walk over the blocks

    def _pass_over(self, block: str) -> None:
        loop = self._loops.by_header.get(block)
        instructions = self._function.blocks[block].instructions
        phis = [i for i in instructions if i.is_phi]
        for phi in phis:
            if not self._function.types[phi.results[0]].is_float:
                self._follow_phi(phi, loop)
        if loop is not None and not loop.is_irreducible:
            self._tests[block] = self._tests_of(loop)
        for instruction in instructions[len(phis) :]:
            for result in instruction.results:
                kind = self._function.types[result]
                if not kind.is_float and kind.bits > 1:
                    self._define(result, self._form_of(instruction, block))

    def _define(self, name: str, form: Polynomial | str) -> None:
        """Keep a polynomial, or the reason why there is none."""
        if isinstance(form, str):
            self.refused[name] = form
        else:
            self._forms[name] = form

    def _follow_phi(self, phi: Instruction, loop: Loop | None) -> None:
        (name,) = phi.results
        if loop is None:
            self.refused[name] = "it has a value from each of several ways"
        elif loop.is_irreducible:
            self.refused[name] = "the loop has several entries"
        else:
            found = self._basic(phi, loop)
            if isinstance(found, str):
                self.refused[name] = found
                return
            self.basic[name] = found
            start = self.form(found.start, loop.header).with_bits(found.step.bits)
            along = Polynomial.atom(Iteration(loop.header), found.step.bits)
            self._define(name, _bounded(start + along * found.step))

    def _basic(self, phi: Instruction, loop: Loop) -> BasicInduction | str:
        labels, values = phi.operands[::2], phi.operands[1::2]
        members = self._members[loop.header]
        pairs = list(zip(labels, values, strict=True))
        starts = dict.fromkeys(value for label, value in pairs if label not in members)
        if len(starts) != 1:
            return "the loop is entered with several values of it"
        steps = {}
        for label, value in pairs:
            if label in members:
                root = self.root(value, loop)
                if root is None or root[0] != phi.results[0]:
                    return "it does not come round with an invariant sum added"
                steps[root[1]] = None
        if len(steps) != 1:
            return "several ways round the loop add different sums"
        return BasicInduction(loop.header, next(iter(starts)), next(iter(steps)))

    def _form_of(self, i: Instruction, block: str) -> Polynomial | str:
        """The polynomial of an instruction's result, or why it has none."""
        if i.guard is not None:
            return "it is assigned under a guard"
        kind = i.operation.name.split(".")[0]
        bits = self._function.types[i.results[0]].bits
        if kind == "address":
            return Polynomial.atom(Address(str(i.operands[0])), 64)
        if kind in ("sext", "zext", "trunc"):
            return self._converted(kind, i.operands[0], bits, block)
        rule = _RULES.get(kind)
        if rule is None:
            return f"{i.operation.name} is not followed"
        found = rule(*(self.form(v, block).with_bits(bits) for v in i.operands))
        return _bounded(found) if found is not None else "it is shifted by a variable"

    def _converted(self, kind: str, value: Value, bits: int, block: str) -> Polynomial | str:
        """The number a value has in another width."""
        form = self.form(value, block)
        if kind == "trunc" or not isinstance(value, str):
            return form.with_bits(bits)
        narrow = self._function.types[value]
        if narrow.bits == 1:
            return "it is 0 or 1"
        low, high = self.range(form, block)
        limits = (-(1 << narrow.bits - 1), (1 << narrow.bits - 1) - 1)
        if kind == "zext":
            limits = (0, (1 << narrow.bits) - 1)
        if limits[0] <= low and high <= limits[1]:
            return form.with_bits(bits)
        if kind == "sext" or self._ranges[value].low >= 0:
            return Polynomial.atom(value, bits)
        return f"{narrow} may wrap before it is extended"

    # How often a loop goes round

    def _tests_of(self, loop: Loop) -> list[_Test]:
        """The tests that every iteration has to pass to come round."""
        dominance, flow = dominators(self._function), control_flow(self._function)
        found = []
        for source, target in loop.exits:
            is_once = self._loops.innermost[source] == loop.header
            if is_once and all(dominance.dominates(source, latch) for latch in loop.latches):
                passes = self._passes(loop, source, target)
                if passes is not None:
                    (stay,) = (s for s in flow.successors[source] if s != target)
                    is_alone = flow.predecessors[stay] == (source,) and stay != loop.header
                    found.append(_Test(passes, stay if is_alone else None))
        return found

    def _passes(self, loop: Loop, source: str, target: str) -> int | None:
        """How often the branch at the end of `source` does not go to `target`, at most."""
        branch = self._function.blocks[source].terminator
        if branch.operation.name != "branch" or branch.operands[0] not in self._definition:
            return None
        condition, then, _ = branch.operands
        _, compare = self._definition[condition]
        relation, _, sign = compare.operation.name.split(".")[0].partition("_")
        if relation not in FLIPPED or compare.guard is not None:
            return None
        if then == target:
            relation = NEGATED[relation]
        a, b = compare.operands
        for counter, bound, how in ((a, b, relation), (b, a, FLIPPED[relation])):
            root, limit = self.root(counter, loop), self._invariant(bound, loop)
            if root is None or limit is None or root[0] not in self.basic:
                continue
            variable = self.basic[root[0]]
            bits, step = variable.step.bits, variable.step.constant
            start = self.form(variable.start, loop.header).with_bits(bits)
            first, limit = start + root[1], limit.with_bits(bits)
            if step is not None and self.fits(first, loop.header) and self.fits(limit, loop.header):
                low, high = self.range(first, loop.header), self.range(limit, loop.header)
                return most_passes(how, low, step, high, bits, sign != "u")
        return None

    def _is_current(self, name: str, block: str) -> bool:
        """Whether the iteration numbers in a name's polynomial are those that the block sees: a
        value that has left its loop is that of the last iteration."""
        home = self._loops.innermost[self._definition[name][0]]
        return home is None or block in self._members[home]

    def _is_inside(self, name: str, loop: Loop) -> bool:
        place = self._definition.get(name)
        return place is not None and place[0] in self._members[loop.header]


def _bounded(form: Polynomial) -> Polynomial | str:
    iterations = [atom for atom in form.atoms if isinstance(atom, Iteration)]
    if not form.is_affine_in(iterations):
        return "it is a product of things that change"
    return form if len(form.terms) <= MOST_TERMS else "its sum is too long"


def _shifted(a: Polynomial, count: Polynomial) -> Polynomial | None:
    if count.constant is None:
        return None
    places = count.constant % (1 << count.bits)
    return a.times(1 << places if places < a.bits else 0)


_RULES = {
    "const": lambda a: a,
    "copy": lambda a: a,
    "int": lambda a: a,
    "ptr": lambda a: a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: a.times(-1),
    "not": lambda a: a.times(-1) + Polynomial.number(-1, a.bits),
    "shl": _shifted,
}
"""First part of an operation's name -> the polynomial of its result."""


@cached_by_version
def closed_forms(function: Function) -> ClosedForms:
    """The polynomials of a function in SSA form, in the iteration numbers of all loops."""
    return ClosedForms(function)
