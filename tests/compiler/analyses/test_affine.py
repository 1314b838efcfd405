"""Polynomials modulo powers of two: their arithmetic against numbers."""

from __future__ import annotations

from random import Random

import pytest

from compiler.analyses.values.affine import Address, Atom, Iteration, Polynomial
from machines.vocabulary.numbers import sign_extend

ATOMS: tuple[Atom, ...] = ("a", "b", Iteration("loop"), Iteration("loop", 1), Address("table"))


def random_polynomial(random: Random, bits: int) -> Polynomial:
    factors = {}
    for _ in range(random.randrange(4)):
        product = tuple(sorted(random.choices(ATOMS, k=random.randrange(3)), key=str))
        factors[product] = random.choice((1, -1, 2, 8, -3, random.getrandbits(bits)))
    return Polynomial.of(factors, bits)


def value(form: Polynomial, values: dict[Atom, int]) -> int:
    """The sum as an integer, the factors as they are."""
    total = 0
    for product, factor in form.terms:
        for atom in product:
            factor *= values[atom]
        total += factor
    return total


@pytest.mark.parametrize("seed", range(100))
def test_arithmetic_is_that_of_the_numbers(seed):
    random = Random(seed)
    bits = random.choice((8, 32, 64))
    a, b = random_polynomial(random, bits), random_polynomial(random, bits)
    values = {atom: random.randrange(-9, 10) for atom in ATOMS}
    x, y, factor = value(a, values), value(b, values), random.randrange(-5, 6)
    expected = {a + b: x + y, a - b: x - y, a * b: x * y, a.times(factor): x * factor}
    for form, number in expected.items():
        assert sign_extend(value(form, values), bits) == sign_extend(number, bits)
    narrow = sign_extend(value(a.with_bits(8), values), 8)
    assert narrow == sign_extend(x, 8)


@pytest.mark.parametrize("seed", range(50))
def test_a_range_holds_every_value(seed):
    random = Random(seed)
    form = random_polynomial(random, 64)
    bounds = {atom: sorted(random.randrange(-50, 50) for _ in "lh") for atom in ATOMS}
    low, high = form.range(lambda atom: tuple(bounds[atom]))
    for _ in range(20):
        values = {atom: random.randint(*bounds[atom]) for atom in ATOMS}
        assert low <= value(form, values) <= high


def test_equal_sums_are_equal_whatever_they_were_made_of():
    a, b = Polynomial.atom("a", 64), Polynomial.atom("b", 64)
    assert (a + b) * (a - b) == a * a - b * b
    assert a.times(1 << 63).times(2) == Polynomial.number(0, 64)
    assert (a - a).constant == 0
    assert a.constant is None


def test_start_and_stride():
    k, n = Iteration("k"), Polynomial.atom("n", 64)
    form = Polynomial.atom(k, 64) * n.times(8) + Polynomial.atom("a", 64)
    assert str(form) == "8·[k]·n + a"
    assert str(form.stride(k)) == "8·n"
    assert str(form.start(k)) == "a"
    assert form.is_affine_in([k])
    assert not (form * Polynomial.atom(k, 64)).is_affine_in([k])
    assert str(form.times(-1) - Polynomial.number(4, 64)) == "-8·[k]·n - a - 4"
