"""Passes over networks, a file each.  They leave a network; a target lowers it."""

from compiler.levels.network.passes import (
    cancel_transposes,
    fold_constants,
    fold_scales,
    fuse_layers,
    recognize_operators,
    remove_dead_nodes,
    share_batches,
    sink_reshapes,
    transpose_weights,
)

PASSES = (
    fold_constants.PLUGIN,
    cancel_transposes.PLUGIN,
    recognize_operators.PLUGIN,
    share_batches.PLUGIN,
    sink_reshapes.PLUGIN,
    fold_scales.PLUGIN,
    transpose_weights.PLUGIN,
    remove_dead_nodes.PLUGIN,
    fuse_layers.PLUGIN,
)
"""In the order in which a target should run them."""
