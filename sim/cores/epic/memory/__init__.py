"""Caches and main memory of EPIC machines, jitted."""
