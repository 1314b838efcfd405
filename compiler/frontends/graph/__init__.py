"""Front end for graph programs as text (`.graph`); `compiler/levels/arrays` describes them."""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "graph",
    (".graph",),
    "Functions of arrays, as the table of their graph.",
    "compiler.levels.arrays.programs:read",
)
