"""Levels of code above the IR, a package each."""
