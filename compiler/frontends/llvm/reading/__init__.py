"""Reads what LLVM prints: lines, types, constants, the heads of functions."""
