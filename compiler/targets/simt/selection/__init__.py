"""Selection: which `ptx` rows an operation of the IR becomes."""
