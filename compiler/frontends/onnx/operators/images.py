"""Images: ONNX has their channels in front (NCHW), networks behind (NHWC).

An image of one axis is one of a single row.  Of those with three axes the first goes through the
network as rows and points do, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value


def require_image(x: Value, least: int = 3, most: int = 5) -> None:
    if not least <= x.rank <= most:
        raise Refusal(
            "shape or type",
            f"images of {x.rank - 2} axes; those of {least - 2} to {most - 2} are taken",
        )


def channels_last(code: Code, x: Value) -> Value:
    return code.transpose(x, (0, *range(2, x.rank), 1))


def channels_first(code: Code, x: Value) -> Value:
    return code.transpose(x, (0, x.rank - 1, *range(1, x.rank - 1)))


def planar(code: Code, x: Value, work: Callable[[Value], Value]) -> Value:
    """What `work` makes of an image of two axes, of one that may have one: NCHW or NCW."""
    if x.rank == 4:
        return channels_first(code, work(channels_last(code, x)))
    n, c, w = x.shape
    line = code.reshape(channels_last(code, x), (n, 1, w, c))
    found = work(line)
    n, _, w, c = found.shape
    return channels_first(code, code.reshape(found, (n, w, c)))
