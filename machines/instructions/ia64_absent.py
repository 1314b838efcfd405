"""The break that stands for a function of another file."""

ABSENT_FUNCTION, UNDEFINED_FUNCTION = 0x1F_FFFF, "undefined function"
"""The number of the break that stands for a function of another file, which the label of its bundle
names, and the fault that reaching it is."""
