"""Lowering: a function of arrays becomes a function of the IR (see LOWERING.md beside the package)."""
