"""What a core's `advance(until)` returns."""

QUANTUM, DONE, FAULTED, STUCK, WAITS = range(5)
"""QUANTUM: `until` is reached, or there is something to look at before it.  DONE: nothing is left
to do.  FAULTED: the program cannot go on.  STUCK: something is left to do, and never can be.
WAITS: a part of a core, for other parts."""
