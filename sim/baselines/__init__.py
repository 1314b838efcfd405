"""Accepted cycles and counters: written, checked, compared with, and what has moved them."""
