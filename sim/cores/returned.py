"""What a core's `advance(until)` returns."""

QUANTUM, DONE, FAULTED, STUCK = range(4)
"""QUANTUM: `until` is reached, or there is something to look at before it.  DONE: nothing is left
to do.  FAULTED: the program cannot go on.  STUCK: something is left to do, and never can be."""
