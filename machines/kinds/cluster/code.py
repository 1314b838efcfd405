"""What code for chips has beside operations: their memories, who runs beside whom, where buffers
stand, and which layers instructions belong to.

    layers = ("conv1", "pool1")                   what they are called
    least_bytes = (602112, 802816)                what each has to move from and to DRAM at least
    tensor.conv.f32 … {layer: 0}                  a command of conv1

Instructions without a layer that are no commands, such as waits, belong to that of the next
instruction of their block that has one, or else of the last one before.
"""

from __future__ import annotations

from machines.code_facts import CodeFacts, Note, Space
from machines.layout import PAGE

DRAM, SRAM, NRAM, WRAM = "dram", "sram", "nram", "wram"
SPACES = (Space(DRAM, is_flat=True, alignment=PAGE), Space(SRAM), Space(NRAM), Space(WRAM))

BESIDE = Note("beside", dict[str, str], dict, names_functions=True)
"""The functions that other processors run beside a function, by what these are called."""
ADDRESSES = Note("addresses", dict[str, int], dict, places_buffers=True)
"""The places of buffers in their spaces, in bytes, once they are known."""
LAYERS = Note("layers", tuple[str, ...], tuple)
"""The names of the layers of a function that cores run, and of what runs beside it, in order."""
LEAST_BYTES = Note("least_bytes", tuple[int, ...], tuple)
"""Of each of these the bytes of DRAM that it reads and makes, every element once; nothing: it is
not known."""
LAYER = "layer"
"""The attribute of an instruction that says which one it belongs to, from 0."""

SCRATCH = Note("scratch", tuple[str, ...], tuple)
"""Buffers on the chip of which no element is read that the function has not written: what they hold
at first does not matter."""

CODE = CodeFacts(SPACES, (BESIDE, ADDRESSES, LAYERS, LEAST_BYTES, SCRATCH))
