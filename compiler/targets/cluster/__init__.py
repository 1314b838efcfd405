"""Chips of clusters of cores: programs of tensor commands in queues, and what waits for what."""

from compiler.targets import Target
from compiler.targets.cluster.emit import emit_program
from compiler.targets.cluster.listing import listing
from compiler.targets.cluster.pipeline import PASSES
from compiler.targets.cluster.verify import verify
from machines.kinds.cluster.code import BESIDE

TARGET = Target(
    passes=PASSES,
    last_form="stream",
    verify=verify,
    called=lambda function: [f"@{name}" for name in BESIDE.of(function).values()],
    emit=emit_program,
    listing=listing,
    several=True,
    calls=False,
    lowers={
        "network": (
            "fold_constants",
            "cancel_transposes",
            "recognize_operators",
            "share_batches",
            "sink_reshapes",
            "fold_scales",
            "transpose_weights",
            "remove_dead_nodes",
            "fuse_layers",
            "lower_network",
        )
    },
)
