"""The target of SIMT machines: selection, registers, control bits, programs and their listings."""
