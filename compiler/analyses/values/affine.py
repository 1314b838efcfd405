"""Sums of products of symbols and iteration numbers, modulo a power of two.

    a[row*n + k] of f64:    &a + 8·row·n + 8·[k]        [k]: the iteration number of k's loop

The integers modulo 2**bits are a ring, so sums, differences and products of such polynomials are
exact whatever wraps; only what looks at the *number* (an extension to a wider type, a comparison)
has to know that it does not wrap.  A polynomial is affine in an iteration number if that stands in
each product at most once; what it is multiplied by is then the *stride* of the loop, a chain of
recurrences {start, +, stride} (Bachmann, Wang, Zima, *Chains of Recurrences — a Method to Expedite
the Evaluation of Closed-Form Functions*, 1994).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from machines.vocabulary.numbers import sign_extend

Range = tuple[int, int]
"""The lowest and the highest number something may be."""


@dataclass(frozen=True, slots=True)
class Iteration:
    """How often the loop of this header has gone back to it since it was entered: 0, 1, 2, …

    Two numbers of one loop that need not be equal differ in `copy`.
    """

    header: str
    copy: int = 0

    def __str__(self) -> str:
        return f"[{self.header}]" + "'" * self.copy


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a buffer of the module."""

    buffer: str

    def __str__(self) -> str:
        return f"&{self.buffer}"


Atom = str | Iteration | Address
"""What polynomials are made of; a name is the (signed) number that the variable holds."""
Product = tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """`terms` are products of atoms with their factors, which are signed, in a fixed order; the
    product of no atoms is 1."""

    terms: tuple[tuple[Product, int], ...]
    bits: int

    @classmethod
    def of(cls, factors: Mapping[Product, int], bits: int) -> Polynomial:
        """The sum of products, each times its factor."""
        reduced = ((product, sign_extend(factor, bits)) for product, factor in factors.items())
        terms = sorted((t for t in reduced if t[1]), key=lambda t: [str(atom) for atom in t[0]])
        return cls(tuple(terms), bits)

    @classmethod
    def number(cls, value: int, bits: int) -> Polynomial:
        return cls.of({(): value}, bits)

    @classmethod
    def atom(cls, atom: Atom, bits: int) -> Polynomial:
        return cls.of({(atom,): 1}, bits)

    def __add__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, 1)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, -1)

    def plus(self, other: Polynomial, times: int) -> Polynomial:
        """The sum of this one and a multiple of another one."""
        factors = dict(self.terms)
        for product, factor in other.terms:
            factors[product] = factors.get(product, 0) + times * factor
        return Polynomial.of(factors, self.bits)

    def __mul__(self, other: Polynomial) -> Polynomial:
        factors: dict[Product, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                product = tuple(sorted(left + right, key=str))
                factors[product] = factors.get(product, 0) + a * b
        return Polynomial.of(factors, self.bits)

    def times(self, number: int) -> Polynomial:
        return self * Polynomial.number(number, self.bits)

    def with_bits(self, bits: int) -> Polynomial:
        """The same sum modulo another power of two; a larger one needs a proof of the caller's."""
        return Polynomial.of(dict(self.terms), bits)

    @property
    def constant(self) -> int | None:
        """The signed number it is, None if it is none."""
        if not self.terms:
            return 0
        ((product, factor), *others) = self.terms
        return factor if not product and not others else None

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Each atom once."""
        return tuple(dict.fromkeys(atom for product, _ in self.terms for atom in product))

    def stride(self, iteration: Iteration) -> Polynomial:
        """What an affine polynomial grows by in each iteration."""
        factors = {
            tuple(atom for atom in product if atom != iteration): factor
            for product, factor in self.terms
            if iteration in product
        }
        return Polynomial.of(factors, self.bits)

    def start(self, iteration: Iteration) -> Polynomial:
        """What it is in iteration 0."""
        kept = {product: factor for product, factor in self.terms if iteration not in product}
        return Polynomial.of(kept, self.bits)

    def is_affine_in(self, iterations: Iterable[Iteration]) -> bool:
        """Whether every product holds at most one of the iteration numbers, and once."""
        chosen = set(iterations)
        return all(sum(atom in chosen for atom in product) <= 1 for product, _ in self.terms)

    def renamed(self, new: Callable[[Atom], Atom]) -> Polynomial:
        """With other atoms."""
        factors: dict[Product, int] = {}
        for product, factor in self.terms:
            changed = tuple(sorted(map(new, product), key=str))
            factors[changed] = factors.get(changed, 0) + factor
        return Polynomial.of(factors, self.bits)

    def range(self, of: Callable[[Atom], Range]) -> Range:
        """Between which numbers it lies as a sum of integers that never wraps, its factors taken
        as the signed numbers they are."""
        low = high = 0
        for product, factor in self.terms:
            ends = (factor, factor)
            for atom in product:
                corners = [a * b for a in ends for b in of(atom)]
                ends = min(corners), max(corners)
            low, high = low + ends[0], high + ends[1]
        return low, high

    def __str__(self) -> str:
        """`a + 8·n·[k] - 4`"""
        text = ""
        for product, factor in sorted(self.terms, key=lambda term: not term[0]):
            size = abs(factor)
            factors = [str(size)] if size != 1 or not product else []
            sign = "-" if factor < 0 else "+"
            part = "·".join([*factors, *map(str, product)])
            text += f" {sign} {part}" if text else f"-{part}" if factor < 0 else part
        return text or "0"
