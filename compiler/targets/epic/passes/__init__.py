"""Transformations of machine code in bundles, one a file."""
