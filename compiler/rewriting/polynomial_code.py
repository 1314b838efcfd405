"""Instructions that compute a polynomial, at the end of a block.

    a + 8·n·row + 8·k      x = mul.i64 n, row
                           y = add.i64 x, k
                           z = shl.i64 y, 3
                           p = add.ptr a, z

A power of two that all factors share is shifted in at the end; what the block computes already, or
this has computed before, is not computed again.
"""

from __future__ import annotations

from compiler.analyses.values.affine import Address, Atom, Polynomial, Product
from compiler.analyses.values.value_ranges import trailing_zeros
from compiler.ir.builder import Builder
from compiler.ir.effects import is_pure
from compiler.ir.module import Block, Value
from machines.diagnostics import Location
from machines.types import I64, PTR, Type


class PolynomialCode:
    """Emits before the terminator of a block of a function in SSA form.

    All variables of the polynomials must be assigned there; iteration numbers have no variable.
    """

    def __init__(self, builder: Builder, block: Block, location: Location | None = None):
        self._builder, self._block, self._location = builder, block, location
        self._made: dict[tuple, str] = {
            (i.operation.name, i.operands): i.results[0]
            for i in block.instructions
            if i.results and i.guard is None and not i.is_phi and is_pure(i)
        }

    def value(self, form: Polynomial, kind: Type) -> Value:
        """The literal or variable of an integer or pointer type that holds the polynomial."""
        if form.constant is not None and kind is not PTR:
            return form.constant
        if kind is not PTR:
            return self._scaled(form, kind)
        bases = [p[0] for p, factor in form.terms if factor == 1 and self._is_base(p)]
        if not bases:
            return self._emit("ptr.i64.ptr", self.value(form, I64))
        rest = self.value(form - Polynomial.atom(bases[0], 64), I64)
        base = self._atom(bases[0], PTR)
        return base if rest == 0 else self._emit("add.ptr", base, rest)

    def _scaled(self, form: Polynomial, kind: Type) -> Value:
        shift = min(trailing_zeros(factor) for _, factor in form.terms)
        if not shift:
            return self._sum(form, kind)
        factors = {product: factor >> shift for product, factor in form.terms}
        return self._emit(f"shl.{kind}", self._sum(Polynomial.of(factors, form.bits), kind), shift)

    def _sum(self, form: Polynomial, kind: Type) -> Value:
        """Positive terms first, the number last."""
        terms = sorted(form.terms, key=lambda term: (not term[0], term[1] < 0))
        total: Value = 0
        for product, factor in terms:
            term = self._times(product, abs(factor), kind)
            if total == 0:
                total = term if factor > 0 else self._emit(f"neg.{kind}", term)
            else:
                total = self._emit(f"{'add' if factor > 0 else 'sub'}.{kind}", total, term)
        return total

    def _times(self, product: Product, factor: int, kind: Type) -> Value:
        if not product:
            return factor
        first, *others = (self._atom(atom, kind) for atom in product)
        for other in others:
            first = self._emit(f"mul.{kind}", first, other)
        if factor == 1:
            return first
        if factor & (factor - 1):
            return self._emit(f"mul.{kind}", first, factor)
        return self._emit(f"shl.{kind}", first, trailing_zeros(factor))

    def _atom(self, atom: Atom, kind: Type) -> str:
        """A variable or the address of a buffer, brought to a type."""
        held, have = atom, PTR
        if isinstance(atom, Address):
            held = self._emit("address.ptr", atom.buffer)
        else:
            have = self._builder.function.types[held]
        if have is PTR and kind is not PTR:
            held, have = self._emit("int.ptr.i64", held), I64
        if have.bits == kind.bits:
            return held
        return self._emit(f"{'sext' if have.bits < kind.bits else 'trunc'}.{have}.{kind}", held)

    def _is_base(self, product: Product) -> bool:
        if len(product) != 1:
            return False
        (atom,) = product
        types = self._builder.function.types
        return isinstance(atom, Address) or (isinstance(atom, str) and types[atom] is PTR)

    def _emit(self, operation: str, *operands: Value) -> str:
        key = operation, operands
        if key not in self._made:
            self._builder.at(self._block, len(self._block.instructions) - 1)
            self._made[key] = self._builder.emit(operation, *operands, location=self._location)
        return self._made[key]
