"""Caches, shared memory and DRAM of SIMT machines, jitted."""
