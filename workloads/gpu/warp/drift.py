"""Particles that drift, in Warp; `python -m workloads.keep_generated warp` writes what is kept."""

from pathlib import Path

import warp as wp


@wp.kernel(module="unique", enable_backward=False)
def drift(
    x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), energy: wp.array(dtype=float), dt: float
):
    i = wp.tid()
    x[i] = x[i] + v[i] * dt
    wp.atomic_add(energy, 0, 0.5 * wp.dot(v[i], v[i]))


def write(folder: Path) -> None:
    """The kernel's module for sm_75."""
    drift.module.options["block_dim"] = 64
    wp.compile_aot_module(drift.module, arch=75, module_dir=folder, use_ptx=True)
