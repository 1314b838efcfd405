"""frcpa and frsqrta beside the architecture: every entry of both tables, and every special case.

The tables, the order of their halves and the limits below are figures of the Intel Itanium
Architecture Software Developer's Manual: volume 3, frcpa and frsqrta.  Entry 134 of the second
(0x3ce) is 0x3cd in a published emulator; the rule of all others gives 0x3ce.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from machines.vocabulary.floating import BIAS, _from_fields
from tests.machines.test_floating import BOTH, EXACT, JITTED, canonical

RECIPROCALS = """
3fc 3f4 3ec 3e4 3dd 3d5 3cd 3c6 3be 3b7 3af 3a8 3a1 399 392 38b
384 37d 376 36f 368 361 35b 354 34d 346 340 339 333 32c 326 320
319 313 30d 307 300 2fa 2f4 2ee 2e8 2e2 2dc 2d7 2d1 2cb 2c5 2bf
2ba 2b4 2af 2a9 2a3 29e 299 293 28e 288 283 27e 279 273 26e 269
264 25f 25a 255 250 24b 246 241 23c 237 232 22e 229 224 21f 21b
216 211 20d 208 204 1ff 1fb 1f6 1f2 1ed 1e9 1e5 1e0 1dc 1d8 1d4
1cf 1cb 1c7 1c3 1bf 1bb 1b6 1b2 1ae 1aa 1a6 1a2 19e 19a 197 193
18f 18b 187 183 17f 17c 178 174 171 16d 169 166 162 15e 15b 157
154 150 14d 149 146 142 13f 13b 138 134 131 12e 12a 127 124 120
11d 11a 117 113 110 10d 10a 107 103 100 0fd 0fa 0f7 0f4 0f1 0ee
0eb 0e8 0e5 0e2 0df 0dc 0d9 0d6 0d3 0d0 0cd 0ca 0c8 0c5 0c2 0bf
0bc 0b9 0b7 0b4 0b1 0ae 0ac 0a9 0a6 0a4 0a1 09e 09c 099 096 094
091 08e 08c 089 087 084 082 07f 07c 07a 077 075 073 070 06e 06b
069 066 064 061 05f 05d 05a 058 056 053 051 04f 04c 04a 048 045
043 041 03f 03c 03a 038 036 033 031 02f 02d 02b 029 026 024 022
020 01e 01c 01a 018 015 013 011 00f 00d 00b 009 007 005 003 001
"""
RECIPROCAL_ROOTS = """
1a5 1a0 19a 195 18f 18a 185 180 17a 175 170 16b 166 161 15d 158
153 14e 14a 145 140 13c 138 133 12f 12a 126 122 11e 11a 115 111
10d 109 105 101 0fd 0fa 0f6 0f2 0ee 0ea 0e7 0e3 0df 0dc 0d8 0d5
0d1 0ce 0ca 0c7 0c3 0c0 0bd 0b9 0b6 0b3 0b0 0ad 0a9 0a6 0a3 0a0
09d 09a 097 094 091 08e 08b 088 085 082 07f 07d 07a 077 074 071
06f 06c 069 067 064 061 05f 05c 05a 057 054 052 04f 04d 04a 048
045 043 041 03e 03c 03a 037 035 033 030 02e 02c 029 027 025 023
020 01e 01c 01a 018 016 014 011 00f 00d 00b 009 007 005 003 001
3fc 3f4 3ec 3e5 3dd 3d5 3ce 3c7 3bf 3b8 3b1 3aa 3a3 39c 395 38e
388 381 37a 374 36d 367 361 35a 354 34e 348 342 33c 336 330 32b
325 31f 31a 314 30f 309 304 2fe 2f9 2f4 2ee 2e9 2e4 2df 2da 2d5
2d0 2cb 2c6 2c1 2bd 2b8 2b3 2ae 2aa 2a5 2a1 29c 298 293 28f 28a
286 282 27d 279 275 271 26d 268 264 260 25c 258 254 250 24c 249
245 241 23d 239 235 232 22e 22a 227 223 220 21c 218 215 211 20e
20a 207 204 200 1fd 1f9 1f6 1f3 1f0 1ec 1e9 1e6 1e3 1df 1dc 1d9
1d6 1d3 1d0 1cd 1ca 1c7 1c4 1c1 1be 1bb 1b8 1b5 1b2 1af 1ac 1aa
"""
ONE = (1.0, 0, 0)
WORD = (1 << 64) - 1


def _register(significand: int, exponent: int, sign: int = 0):
    """The register with these fields; the exponent is biased."""
    return _from_fields(sign, exponent, significand)


def _fields(functions, register) -> tuple[int, int, int]:
    """(sign, biased exponent, significand)."""
    both = functions.fr_sign_exponent(register)
    return both >> 17, both & 0x1FFFF, functions.fr_significand(register) & WORD


def _significands(index: int, bits: int) -> tuple[int, ...]:
    """The least and the greatest significand, and one between, of an interval of a table."""
    first, last = 1 << 63 | index << (63 - bits), 1 << 63 | ((index + 1) << (63 - bits)) - 1
    return first, (first + last) // 2, last


@BOTH
def test_every_entry_of_frcpa(functions):
    for index, entry in enumerate(int(text, 16) for text in RECIPROCALS.split()):
        for significand in _significands(index, 8):
            for sign, exponent in ((0, BIAS), (1, BIAS - 3), (0, BIAS + 16000), (1, 70)):
                divisor = _register(significand, exponent, sign)
                seed, refine = functions.fr_reciprocal(ONE, divisor, 1)
                # SDM volume 3: exponent 0x1FFFF - 2 - that of the divisor
                expected = sign, 0x1FFFF - 2 - exponent, 1 << 63 | entry << 53
                assert refine and _fields(functions, seed) == expected, index


@BOTH
def test_every_entry_of_frsqrta(functions):
    for index, entry in enumerate(int(text, 16) for text in RECIPROCAL_ROOTS.split()):
        for significand in _significands(index & 127, 7):
            for exponent in (BIAS, BIAS - 301, BIAS + 16000, 70):
                exponent += (exponent ^ index >> 7) & 1  # whose last bit chooses the half
                seed, refine = functions.fr_reciprocal_root(_register(significand, exponent), 1)
                expected = 0, BIAS - 1 - ((exponent - BIAS) >> 1), 1 << 63 | entry << 53
                assert refine and _fields(functions, seed) == expected, index


NAN, INFINITE = math.nan, math.inf
SPECIAL_QUOTIENTS = """
nan 1 nan; 1 nan nan; inf inf nan; -inf inf nan; 0 0 nan; -0 0 nan
inf 2 inf; inf -2 -inf; -inf 2 -inf; inf 0 inf; inf -0 -inf; -inf -0 inf
2 inf 0; -2 inf -0; 2 -inf -0; 0 inf 0; 0 -inf -0
0 2 0; -0 2 -0; 0 -2 -0; 0 1e-310 0
2 0 inf; -2 0 -inf; 2 -0 -inf; -1e-310 -0 inf
"""
SPECIAL_ROOTS = "nan nan; inf inf; -inf nan; -1 nan; -1e-310 nan; 0 0; -0 -0"


@BOTH
@pytest.mark.parametrize("wide", (0, 1))
def test_special_values(functions, wide):
    for line in SPECIAL_QUOTIENTS.strip().replace("\n", ";").split(";"):
        a, b, quotient = map(float, line.split())
        found = functions.fr_reciprocal((a, 0, 0), (b, 0, 0), wide)
        assert canonical(found) == canonical(((quotient, 0, 0), 0)), line
    for line in SPECIAL_ROOTS.split(";"):
        a, root = map(float, line.split())
        found = functions.fr_reciprocal_root((a, 0, 0), wide)
        assert canonical(found) == canonical(((root, 0, 0), 0)), line


@BOTH
def test_other_forms_of_a_value(functions):
    """Unnormalised registers are what they are worth; a pseudo-zero is a zero, and what has the
    greatest exponent without the first bit is no number."""
    integer = functions.fr_from_significand
    seed = functions.fr_reciprocal(ONE, (3.0, 0, 0), 1)
    assert functions.fr_reciprocal(ONE, integer(3), 1) == seed
    assert functions.fr_reciprocal(integer(5), integer(3), 1) == seed
    assert functions.fr_reciprocal(integer(0), ONE, 1) == ((0.0, 0, 0), 0)
    assert functions.fr_reciprocal(ONE, integer(0), 1) == ((INFINITE, 0, 0), 0)
    assert functions.fr_reciprocal_root(integer(0), 1) == ((0.0, 0, 0), 0)
    root = functions.fr_reciprocal_root((3.0, 0, 0), 1)
    assert functions.fr_reciprocal_root(integer(3), 1) == root
    unsupported = _register(1 << 62, 0x1FFFF)
    assert canonical(functions.fr_reciprocal(ONE, unsupported, 1)) == (("nan", 0, 0), 0)
    # exponent 0 stands for 0xC001, that of the least double-extended values
    denormal = _register(1 << 60, 0)
    reciprocal, refine = functions.fr_reciprocal(ONE, denormal, 1)
    assert refine and _fields(functions, reciprocal)[1] == 0x1FFFF - 2 - (0xC001 - 3)


LIMITS = (  # a, b: biased exponents; whether the seed may be refined
    (BIAS - 1, 2 * BIAS - 3, False),  # the quotient would be too small
    (BIAS, 2 * BIAS - 3, True),
    (BIAS + 9, 2 * BIAS - 2, False),  # so would the reciprocal
    (BIAS + 1, 1, False),  # the quotient would be too large
    (BIAS, 1, True),
    (64, BIAS - 100, False),  # the dividend is: its last place
    (65, BIAS - 100, True),
    (65, BIAS + 63, False),
    (65, BIAS + 62, True),
)


@BOTH
def test_exponents_at_the_limits(functions):
    for a, b, refine in LIMITS:
        dividend, divisor = _register(3 << 62, a, 1), _register(5 << 61, b)
        assert functions.fr_reciprocal(dividend, divisor, 1)[1] == refine, (a, b)
    for exponent, refine in ((64, 0), (65, 1), (0x1FFFE, 1), (1, 0)):
        assert functions.fr_reciprocal_root(_register(3 << 62, exponent), 1)[1] == refine
    tiny = _register(1, 60)  # normalised it is below the least exponent
    assert functions.fr_reciprocal(_register(1 << 63, 100), tiny, 1)[1] == 0


def _is_nearest(found: Fraction, exact, step: Fraction) -> bool:
    """Whether `found` is within half a step; `exact` compares a value with the true one."""
    return exact(found - step / 2) <= 0 <= exact(found + step / 2)


def test_software_assistance_gives_the_rounded_result():
    """Beyond the limits f1 is the quotient or the root itself, to nearest in 64 bits."""
    draw = random.Random(5)
    for _ in range(400):
        m_a, m_b = (draw.getrandbits(64) | 1 << 63 for _ in range(2))
        if draw.random() < 0.2:
            m_a, m_b = draw.choice([(m_b, m_b), (1 << 63, m_b), (WORD, m_b), (m_a, WORD)])
        a, b = draw.randrange(1, 65), draw.randrange(BIAS - 300, BIAS + 1)
        negative = draw.randrange(2)
        dividend, divisor = _register(m_a, a), _register(m_b, b, negative)
        for functions in (EXACT, JITTED):
            quotient, refine = functions.fr_reciprocal(dividend, divisor, 1)
            sign, exponent, m = _fields(functions, quotient)
            assert (refine, sign) == (0, negative)
            opposite, _ = functions.fr_reciprocal(_register(m_a, a, 1), divisor, 1)
            assert _fields(functions, opposite) == (1 - negative, exponent, m)
            step = Fraction(2) ** (exponent - BIAS - 63)
            true = Fraction(m_a, m_b) * Fraction(2) ** (a - b)
            if exponent > 1:
                assert _is_nearest(m * step, lambda x, true=true: x - true, step)
            root, refine = functions.fr_reciprocal_root(dividend, 1)
            sign, exponent, m = _fields(functions, root)
            assert (refine, sign) == (0, 0)
            step = Fraction(2) ** (exponent - BIAS - 63)
            true = m_a * Fraction(2) ** (a - BIAS - 63)
            assert _is_nearest(m * step, lambda x, true=true: x * x - true, step)
    # in the range of status field 0, that of a double-extended value, such results are 0
    assert EXACT.fr_reciprocal(ONE, _register(1 << 63, 2 * BIAS - 1), 0) == ((0.0, 0, 0), 0)
    assert JITTED.fr_reciprocal_root(_register(1 << 63, 1), 0) == ((0.0, 0, 0), 0)
