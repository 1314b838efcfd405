"""Front end for IA-64 assembly as GNU as takes it; IA64.md beside this folder tells what it reads.

frontend      text → program
statements    text → statements with positions
names         constants, rotating names, numbered labels
registers     register names
directives    which directives do nothing, and why
reader        statements → a source: instructions not yet decoded, labels, buffers
expressions   constant expressions, GNU precedence
data          data sections → buffers
syntax        instruction text → row and operand values, by the rows' own syntax
aliases       pseudo-operations, each a pattern and the row it stands for
instructions  an instruction decoded
templates     which template takes the next instructions best
bundling      instructions → bundles, as GNU as makes them
checks        rules about a single instruction
"""

from compiler.frontends import Frontend

PLUGIN = Frontend(
    "ia64",
    (".s",),
    "IA-64 assembly, as GNU as takes it; it runs as it is written.",
    "compiler.frontends.ia64.frontend:read",
    family="ia64",
)
