"""Bounds that the command line, files and callers share; imports nothing."""

MOST_CYCLES = 10**18
"""Of a limit: what a 64-bit clock holds, with room for whatever a step may add."""
