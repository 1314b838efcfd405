"""Functions of arrays that run unchanged on an Itanium and on a GPU."""

from __future__ import annotations

from compiler.kernel import exp, f32, function, i32, i64, replicate, scatter_add, sqrt, u8


@function
def axpy(a: f32, x: f32, y: f32) -> f32:
    return a * x + y


@function
def polynomial(x: f32) -> f32:
    """The sum of (k + 1)·x^k for k from 0 to 7."""
    return 1 + x * (2 + x * (3 + x * (4 + x * (5 + x * (6 + x * (7 + x * 8))))))


@function
def softmax(row: f32[:]) -> f32[:]:
    powers = [exp(v) for v in row]
    whole = sum(powers)
    return [p / whole for p in powers]


@function
def histogram(data: u8[:]) -> i32[:]:
    return scatter_add(replicate(i32(0), 256), [i64(v) for v in data], replicate(i32(1), len(data)))


@function
def pull_on(
    i: i64, x: f32[:], y: f32[:], z: f32[:], mass: f32[:], softening: f32
) -> tuple[f32, f32, f32]:
    ax, ay, az = f32(0.0), f32(0.0), f32(0.0)
    for j in range(len(x)):
        dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
        square = dx * dx + dy * dy + dz * dz + softening
        strength = mass[j] / (square * sqrt(square))
        ax, ay, az = ax + strength * dx, ay + strength * dy, az + strength * dz
    return ax, ay, az


@function
def gravity(
    x: f32[:], y: f32[:], z: f32[:], mass: f32[:], softening: f32
) -> tuple[f32, f32, f32][:]:
    return [pull_on(i, x, y, z, mass, softening) for i in range(len(x))]
