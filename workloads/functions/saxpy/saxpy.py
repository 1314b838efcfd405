from __future__ import annotations

from compiler.kernel import f32, function


@function
def saxpy(a: f32, x: f32, y: f32) -> f32:
    return a * x + y
