"""How the simulator's functions are compiled."""

from numba import njit

jitted = njit(_nrt=False, error_model="numpy")
"""Decorator of functions that work on arrays they are given and make none.

Without numba's reference counts: taking an array out of a tuple costs an atomic instruction with
them, which made the core six times slower.  Division by zero does not raise.
"""

inlined = njit(_nrt=False, error_model="numpy", forceinline=True)
"""The same for what is called all the time: to pass an array costs seven words."""

jitted_and_kept = njit(_nrt=False, error_model="numpy", cache=True)
"""The same for what is called from Python: its code is kept on disk."""
