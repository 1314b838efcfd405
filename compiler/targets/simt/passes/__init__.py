"""Transformations of machine code for warps, one a file."""
