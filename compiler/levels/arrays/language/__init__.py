"""The source language of graphs: functions marked `@function`, parsed and never executed.

LANGUAGE.md beside this folder describes it; `read_functions` reads a file of it.
"""

from compiler.levels.arrays.language.module import read_functions

__all__ = ["read_functions"]
