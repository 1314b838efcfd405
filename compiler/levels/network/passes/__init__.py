"""Passes over networks, a file each.  They leave a network; a target lowers it."""

from compiler.transformation import Pass

PASSES: tuple[Pass, ...] = ()
