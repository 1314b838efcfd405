"""Lowering: a function of arrays becomes a function of the IR; `../LOWERING.md` says how."""
