"""Level `the_name`: a polynomial over an array, by its coefficients, the highest power first.

of x
2 0 1          2·x² + 1, for each element of x
"""

from compiler.frontends import Frontend
from machines.levels import Level

LEVEL = Level(
    "the_name",
    parse="the_name.level:parse",
    print="the_name.level:text_of",
    verify="the_name.level:findings",
    interpret="the_name.level:interpret",
    passes="the_name.lowering:PASSES",
)
FRONTEND = Frontend(
    "the_name",
    (".the_name",),
    "A polynomial over an array.",
    "the_name.level:read",
)
