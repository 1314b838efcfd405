"""What code of bundles has beside operations: how many registers turn."""

from __future__ import annotations

from machines.code_facts import CodeFacts, Note

ROTATING = Note("rotating", int, int, in_ir=False)
"""How many general registers rotate in the kernels of a function's pipelined loops."""

CODE = CodeFacts(functions=(ROTATING,))
