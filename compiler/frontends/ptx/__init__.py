"""Front end for PTX, NVIDIA's assembly for GPUs, as nvcc writes it; PTX.md tells what it takes.

Lexer and parser make a tree of the text; `lower_*` make rows of the family `ptx` of it.
"""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "ptx",
    (".ptx",),
    "PTX, as nvcc writes it: kernels for machines that run warps.",
    "compiler.frontends.ptx.frontend:read",
    family="ptx",
    default_machine="h200",
)
