"""SIMT machines: warps of threads on streaming multiprocessors."""
