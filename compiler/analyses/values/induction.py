"""Induction variables, and every integer and address as a polynomial in iteration numbers.

    entry: row = mul.i64 r, n
    loop:  k = phi.i64 [entry: 0, loop: next]     k:    2·[loop]            start 0, step 2
           at = add.i64 row, k                    at:   2·[loop] + n·r
           o = shl.i64 at, 3                      o:    16·[loop] + 8·n·r
           p = add.ptr a, o                       p:    16·[loop] + a + 8·n·r
           next = add.i64 k, 2                    next: 2·[loop] + 2
           again = lt_s.i64 next, 10              the header runs 5 times at most

A *basic* induction variable is a phi of a header that comes round with the same invariant sum added
each time; all else follows from definitions, each before its uses (Wolfe, *Beyond Induction
Variables*, 1992).  Arithmetic of one width is exact modulo 2**width, so nothing has to be proven of
it.  An extension looks at the number: it is followed if the polynomial, as a sum of integers, stays
within the narrow type for all values of its symbols and for as many iterations as the loop's tests
let pass; else the extended variable is a symbol of its own.  For functions in SSA form.
"""

from __future__ import annotations

from compiler.analyses.cache import cached_by_version
from compiler.analyses.control_flow import control_flow
from compiler.analyses.def_use import def_use
from compiler.analyses.dominators import dominators
from compiler.analyses.loops import Loop, loops
from compiler.analyses.values.affine import Address, Atom, Iteration, Polynomial, Range
from compiler.analyses.values.recurrences import BasicInduction, LoopTest, basic_induction, tests_of
from compiler.analyses.values.value_ranges import ValueRange, trailing_zeros, value_ranges
from compiler.ir.memory_spaces import alignment_of
from compiler.ir.module import Function, Instruction, Value
from machines.layout import BASE

MOST_TERMS = 16
"""A longer sum is a symbol of its own."""
MOST_BYTES = 1 << 48
"""Memory is real memory of the host, so that no two addresses inside buffers are farther apart."""


class ClosedForms:
    """The polynomials of a function.

    basic    the basic induction variables by name
    refused  why a variable of integer or pointer type is a symbol of its own

    With `within`, only the loop's blocks are looked at, and every name from outside is a symbol;
    `deep` says whether those of inner loops are, too, whose names are symbols at others.
    """

    def __init__(self, function: Function, within: Loop | None = None, deep: bool = True):
        self.basic: dict[str, BasicInduction] = {}
        self.refused: dict[str, str] = {}
        self.function = function
        self._loops = loops(function)
        self._members = _members(function)
        self.definition = def_use(function).definition
        self._ranges = value_ranges(function)
        self._forms: dict[str, Polynomial] = {}
        self._tests: dict[str, tuple[LoopTest, ...]] = {}
        blocks = control_flow(function).reverse_postorder if within is None else within.members
        for name in blocks:
            if deep or self._loops.innermost[name] == within.header:
                self._pass_over(name)

    def form(self, value: Value, block: str) -> Polynomial:
        """A literal or integer or pointer variable as the block sees it."""
        if not isinstance(value, str):
            return Polynomial.number(int(value), 64)
        known = self._forms.get(value)
        if known is not None and self._is_current(value, block):
            return known
        return Polynomial.atom(value, self.function.types[value].bits)

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
        known = self._ranges.get(atom) or ValueRange.of_type(self.function.types[atom])
        return known.low, known.high

    def zeros(self, form: Polynomial) -> int:
        """How many low bits of a polynomial without iteration numbers are certainly 0."""
        return min(
            (
                trailing_zeros(factor) + sum(map(self._zeros_of, product))
                for product, factor in form.terms
            ),
            default=form.bits,
        )

    def _zeros_of(self, atom: Atom) -> int:
        if isinstance(atom, Address):
            return trailing_zeros(alignment_of(self.function.buffers[atom.buffer]))
        known = self._ranges.get(atom)
        return known.zeros if known else 0

    def fits(self, form: Polynomial, block: str) -> bool:
        """Whether it lies within its width as a signed number, so that it does not wrap."""
        low, high = self.range(form, block)
        return -(1 << form.bits - 1) <= low and high < 1 << form.bits - 1

    def most_iterations(self, header: str, block: str) -> int:
        """How many iterations of a loop can run `block` in one run of the loop, at most."""
        dominance = dominators(self.function)
        return min(
            (
                test.passes
                if test.stay is not None and dominance.dominates(test.stay, block)
                else test.passes + 1
                for test in self._tests.get(header, ())
            ),
            default=1 << 64,
        )

    def varies(self, atom: Atom, loop: Loop) -> bool:
        """Whether an atom may change while the loop runs."""
        if isinstance(atom, Iteration):
            return atom.header in self._members[loop.header]
        return isinstance(atom, str) and self.is_inside(atom, loop)

    def is_inside(self, name: str, loop: Loop) -> bool:
        """Whether a variable is assigned in the loop."""
        site = self.definition.get(name)
        return site is not None and site[0] in self._members[loop.header]

    # One walk over the blocks

    def _pass_over(self, block: str) -> None:
        loop = self._loops.by_header.get(block)
        instructions = self.function.blocks[block].instructions
        phis = [i for i in instructions if i.is_phi]
        for phi in phis:
            if not self.function.types[phi.results[0]].is_float:
                self._follow_phi(phi, loop)
        if loop is not None and not loop.is_irreducible:
            self._tests[block] = tests_of(loop, self)
        for instruction in instructions[len(phis) :]:
            for result in instruction.results:
                kind = self.function.types[result]
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
            found = basic_induction(phi, loop, self)
            if isinstance(found, str):
                self.refused[name] = found
                return
            self.basic[name] = found
            start = self.form(found.start, loop.header).with_bits(found.step.bits)
            along = Polynomial.atom(Iteration(loop.header), found.step.bits)
            self._define(name, _bounded(start + along * found.step))

    def _form_of(self, i: Instruction, block: str) -> Polynomial | str:
        """The polynomial of an instruction's result, or why it has none."""
        if i.guard is not None:
            return "it is assigned under a guard"
        kind = i.operation.name.split(".")[0]
        bits = self.function.types[i.results[0]].bits
        if kind == "address":
            return Polynomial.atom(Address(str(i.operands[0])), 64)
        if kind in ("sext", "zext", "trunc"):
            return self._converted(i, kind, bits, block)
        rule = _RULES.get(kind)
        if rule is None:
            return f"{i.operation.name} is not followed"
        found = rule(*(self.form(v, block).with_bits(bits) for v in i.operands))
        return _bounded(found) if found is not None else "it is shifted by a variable"

    def _converted(self, i: Instruction, kind: str, bits: int, block: str) -> Polynomial | str:
        """The number a value has in another width."""
        (value,), narrow = i.operands, i.operation.reads[0].kind
        form = self.form(value, block).with_bits(narrow.bits)
        if kind == "trunc":
            return form.with_bits(bits)
        if narrow.bits == 1:
            return "it is 0 or 1"
        low, high = self.range(form, block)
        limits = (-(1 << narrow.bits - 1), (1 << narrow.bits - 1) - 1)
        if kind == "zext":
            limits = (0, (1 << narrow.bits) - 1)
        if limits[0] <= low and high <= limits[1]:
            return form.with_bits(bits)
        if isinstance(value, str) and (kind == "sext" or self._ranges[value].low >= 0):
            return Polynomial.atom(value, bits)
        return f"{narrow} may wrap before it is extended"

    def _is_current(self, name: str, block: str) -> bool:
        """Whether the iteration numbers in a name's polynomial are those that the block sees: a
        value that has left its loop is that of the last iteration."""
        home = self._loops.innermost[self.definition[name][0]]
        return home is None or block in self._members[home]


@cached_by_version
def _members(function: Function) -> dict[str, frozenset[str]]:
    """The blocks of each loop by its header, to look up."""
    return {h: frozenset(loop.members) for h, loop in loops(function).by_header.items()}


def _bounded(form: Polynomial) -> Polynomial | str:
    iterations = [atom for atom in form.atoms if isinstance(atom, Iteration)]
    if not form.is_affine_in(iterations):
        return "it is a product of things that change"
    return form if len(form.terms) <= MOST_TERMS else "its sum is too long"


def _shifted(a: Polynomial, count: Polynomial) -> Polynomial | None:
    if count.constant is None:
        return None
    distance = count.constant % (1 << count.bits)
    return a.times(1 << distance if distance < a.bits else 0)


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
