"""The parts of the IA-64 assembly front end (`compiler/frontends/ia64_assembly.py`).

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
