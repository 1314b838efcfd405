"""Passes over functions of arrays, in the order in which they lead to loops of scalars in IR."""

from compiler.levels.arrays.passes import lower_graph, vectorize

PASSES = (vectorize.PLUGIN, lower_graph.PLUGIN)
