"""One step of a gravitational n-body system: all pairs, symplectic Euler."""

from __future__ import annotations

from compiler.kernel import f64, fma, i64, kernel, sqrt


@kernel
def nbody_step(
    n: i64,
    dt: f64,
    softening: f64,
    position: f64[n, 3],
    velocity: f64[n, 3],
    mass: f64[:],
):
    """Velocities change by the pull of all bodies, then positions by the new velocities.

    The pull of a body at distance d is m·d / (|d|² + softening)^1.5; a body pulls itself by 0.
    """
    for i in range(n):
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        pull_x, pull_y, pull_z = 0.0, 0.0, 0.0
        for j in range(n):
            dx, dy, dz = position[j, 0] - x, position[j, 1] - y, position[j, 2] - z
            squared = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening)))
            factor = mass[j] / (squared * sqrt(squared))
            pull_x = fma(factor, dx, pull_x)
            pull_y = fma(factor, dy, pull_y)
            pull_z = fma(factor, dz, pull_z)
        velocity[i, 0] = fma(dt, pull_x, velocity[i, 0])
        velocity[i, 1] = fma(dt, pull_y, velocity[i, 1])
        velocity[i, 2] = fma(dt, pull_z, velocity[i, 2])
    for i in range(n):
        position[i, 0] = fma(dt, velocity[i, 0], position[i, 0])
        position[i, 1] = fma(dt, velocity[i, 1], position[i, 1])
        position[i, 2] = fma(dt, velocity[i, 2], position[i, 2])
