from __future__ import annotations

from compiler.kernel import f32, function


@function
def scaled(x: f32, y: f32) -> f32:
    return 2.0 * x + y


@function
def quotient(x: f32, y: f32) -> f32:
    return x / y
