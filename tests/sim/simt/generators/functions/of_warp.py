"""Functions under @warp.kernel that tests call."""

import warp as wp


@wp.kernel
def thrown(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), g: wp.vec3, dt: float):
    i = wp.tid()
    v[i] = v[i] + g * dt
    x[i] = x[i] + v[i] * dt


@wp.kernel
def rows(x: wp.array2d(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    wp.tile_store(y, wp.tile_sum(wp.tile_load(x[i], shape=64)), offset=i)
