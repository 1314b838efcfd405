"""Analyses of control flow that only warps need: where threads that went apart come together."""
