"""What code for warps has beside operations: where their threads meet again."""

from __future__ import annotations

from machines.code_facts import CodeFacts, Note

MARKER = Note("marker", bool, bool)
"""Whether a convergence marker stands before a block."""
MARKER_AFTER = Note("marker_after", bool, bool)
"""Whether control checks, as it leaves a block, where it goes from here."""
RECONVERGE = Note("reconverge", str | None, lambda: None)
"""The block at which the threads of a block's branch meet again, None if they do not."""

ROLLED = Note("rolled", bool, bool)
"""Whether the loop whose head a block is is not to be unrolled (`.pragma "nounroll"`)."""

ENDS = Note("ends", bool, bool)
"""Whether threads end at once that a block would lead to one where they do nothing but end: an exit
stands for the branch or the jump."""

CODE = CodeFacts(blocks=(MARKER, MARKER_AFTER, RECONVERGE, ROLLED, ENDS))
