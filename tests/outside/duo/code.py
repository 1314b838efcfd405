"""The memory that `duo` has of its own: its scratchpad, in which buffers stand as in memory."""

from __future__ import annotations

from machines.code_facts import CodeFacts, Space

PAD = "pad"
CODE = CodeFacts(spaces=(Space(PAD, is_flat=True, alignment=64),))
