"""Selection: which machine operations an operation of the IR becomes."""
