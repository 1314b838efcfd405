"""How windows lie on images: padding that is worked out, counted or given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compiler.frontends.onnx.emitting.call import Call
from compiler.frontends.onnx.emitting.refusal import Refusal


@dataclass(frozen=True)
class Windows:
    """Of every axis of an image: extent of a window, stride, dilation, padding before and after,
    and how many windows there are.

    rest  what a last window reaches beyond the padding, with `ceil_mode`
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    counts: tuple[int, ...]
    rest: tuple[int, ...]

    def without_border(self) -> Windows:
        """The same on an image that has its border."""
        none = (0,) * len(self.kernel)
        return replace(self, before=none, after=none)


def windows(call: Call, extents: Sequence[int], kernel: Sequence[int]) -> Windows:
    """Those that the attributes of a convolution or a pool say; raises Refusal."""
    rank = len(extents)
    kernel = tuple(map(int, kernel))
    strides = _each(call, "strides", rank, 1)
    dilations = _each(call, "dilations", rank, 1)
    pads = _pads(call, rank)
    how, up = call.attribute("auto_pad", "NOTSET"), call.attribute("ceil_mode", 0)
    if len(kernel) != rank:
        raise Refusal("malformed", f"a window of {len(kernel)} axes on an image of {rank}")
    before, after, counts, rest = [], [], [], []
    for k in range(rank):
        reach = dilations[k] * (kernel[k] - 1) + 1
        low, high = pads[k], pads[k + rank]
        if how in ("SAME_UPPER", "SAME_LOWER"):
            count = -(-extents[k] // strides[k])
            total = max((count - 1) * strides[k] + reach - extents[k], 0)
            less, more = total // 2, total - total // 2
            low, high = (less, more) if how == "SAME_UPPER" else (more, less)
        elif how == "VALID":
            low = high = 0
        elif how != "NOTSET":
            raise Refusal("malformed", f"auto_pad '{how}' is not known")
        span = extents[k] + low + high
        if span < reach:
            raise Refusal(
                "shape or type", f"a window of {reach} on an image of {span}, with border"
            )
        count, beyond = (span - reach) // strides[k] + 1, 0
        if up and (span - reach) % strides[k] and count * strides[k] < extents[k] + low:
            # One window more, but only one that begins before the padding behind.
            beyond = count * strides[k] + reach - span
            count += 1
        before.append(low)
        after.append(high)
        counts.append(count)
        rest.append(beyond)
    return Windows(kernel, strides, dilations, *map(tuple, (before, after, counts, rest)))


def _each(call: Call, name: str, rank: int, default: int) -> tuple[int, ...]:
    found = tuple(call.attribute(name) or (default,) * rank)
    if len(found) != rank or any(n < 1 for n in found):
        raise Refusal("malformed", f"{name} {list(found)} of an image of {rank} axes")
    return found


def _pads(call: Call, rank: int) -> tuple[int, ...]:
    found = tuple(call.attribute("pads") or (0,) * (2 * rank))
    if len(found) != 2 * rank or any(n < 0 for n in found):
        raise Refusal("malformed", f"pads {list(found)} of an image of {rank} axes")
    return found


def part(found: Windows, axes: Sequence[int | None]) -> Windows:
    """The windows of some axes alone; of an axis None that of one point."""
    columns = (
        (found.kernel, 1), (found.strides, 1), (found.dilations, 1), (found.before, 0),
        (found.after, 0), (found.counts, 1), (found.rest, 0),
    )  # fmt: skip
    return Windows(*(tuple(one if k is None else c[k] for k in axes) for c, one in columns))
