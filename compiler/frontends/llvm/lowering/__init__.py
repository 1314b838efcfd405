"""From what LLVM printed to operations of the IR, a file for each kind of instruction."""
