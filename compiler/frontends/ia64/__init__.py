"""The parts of the IA-64 assembly front end (`compiler/frontends/ia64_assembly.py`).

statements    text → statements with positions
expressions   constant expressions, GNU precedence
registers     register names and frame aliases
syntax        instruction text → row and operand values, by the rows' own syntax
aliases       pseudo-operations, each a pattern and the row it stands for
data          data sections → buffers
bundles       statements → bundles of undecoded instructions, labels, buffers
"""
