"""Bounds that the command line, files and callers share; imports nothing."""

MOST_CYCLES = 10**14
"""Of a limit.  Times are kept in ticks of 1/256 cycle with eight bits beside them, and a step may
end some 10**13 cycles behind the limit: more would not fit in 64 bits."""
