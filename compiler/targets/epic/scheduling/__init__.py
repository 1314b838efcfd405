"""Scheduling of loops: the problem, the algorithms that solve it, and rotating registers."""
