"""What code for chips has beside operations: their memories, who runs beside whom, and where
buffers stand."""

from __future__ import annotations

from machines.code_facts import CodeFacts, Note, Space
from machines.layout import PAGE

DRAM, SRAM, NRAM, WRAM = "dram", "sram", "nram", "wram"
SPACES = (Space(DRAM, is_flat=True, alignment=PAGE), Space(SRAM), Space(NRAM), Space(WRAM))

BESIDE = Note("beside", dict[str, str], dict, names_functions=True)
"""The functions that other processors run beside a function, by what these are called."""
ADDRESSES = Note("addresses", dict[str, int], dict, places_buffers=True)
"""The places of buffers in their spaces, in bytes, once they are known."""

CODE = CodeFacts(SPACES, (BESIDE, ADDRESSES))
