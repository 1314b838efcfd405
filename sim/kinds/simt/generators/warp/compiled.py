"""A function under @warp.kernel, compiled ahead of time for a machine that is not there."""

from __future__ import annotations

from typing import Any

from sim.kinds.simt.generators.calls import Call, Made, elements_of, failed
from sim.kinds.simt.generators.warp.cache import BLOCK

TILES = "tiles"
"""The option that makes a block of each place of the grid, as `wp.launch_tiled` does."""


def make(kernel: Any, call: Call) -> Made:
    """The workload of a call, whose grid is what Warp calls `dim`; raises InputError."""
    import warp

    name = kernel.key.rpartition(".")[2]
    names = [one.label for one in kernel.adj.args]
    given = call.named(name, names, names)
    for own in names:
        if not isinstance(given[own], list | tuple):  # a vector by value
            elements_of(own, given[own])
    options = dict(call.options)
    is_tiled = options.pop(TILES, False)
    block = call.threads()[0] if call.block is not None else BLOCK
    major, minor = call.capability
    module = kernel.module
    before = dict(module.options)
    try:
        module.options.update({"block_dim": block, "enable_backward": False, **options})
        target = 10 * major + minor
        warp.compile_aot_module(module, arch=target, module_dir=call.folder, use_ptx=True)
    except Exception as error:  # whatever a compiler of others raises at what it does not take
        raise failed("Warp", name, error) from None
    finally:
        module.options.clear()
        module.options.update(before)
    values = {own: list(one) for own, one in given.items() if isinstance(one, list | tuple)}
    return Made(
        {
            "workload": name,
            "program": str(call.folder),
            "arguments": {own: one for own, one in given.items() if own not in values},
            "launch": {
                "kernel": kernel.get_mangled_name() + "_cuda_kernel_forward",
                "block": [block],
                "tiles" if is_tiled else "dim": call.extents(),
                "arguments": [values.get(own, own) for own in names],
            },
        }
    )
