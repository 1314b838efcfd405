"""Named oracles: what a program's outputs must be, computed by other code than the program's."""
