"""Front end `the_name`: formulas of integers, a line each; the last one is what comes out.

square = a * a
square + b
"""

from compiler.frontends import Frontend

FRONTEND = Frontend(
    "the_name",
    (".the_name",),
    "Formulas of integers, a line each.",
    "the_name.reader:read",
)
