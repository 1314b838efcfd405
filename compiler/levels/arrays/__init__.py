"""Graph programs: pure functions over scalars, tuples and (nested) arrays (see README.md)."""
