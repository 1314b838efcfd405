"""What windows of a tile read along the two axes of an image, clipped to the image."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.targets.cluster.network.templates.followers import Expression, Span
from compiler.targets.cluster.network.templates.geometry import product_text
from compiler.targets.cluster.network.tile_text import TileFunction


@dataclass(frozen=True, slots=True)
class Along:
    """One of the two axes of an image."""

    name: str
    extent: int
    out: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int

    @property
    def reach(self) -> int:
        """From the first to the last point of a window."""
        return (self.kernel - 1) * self.dilation + 1

    def covered(self, out: int) -> int:
        """Points of the image that so many windows reach over, at most."""
        return min((out - 1) * self.stride + self.reach, self.extent)


@dataclass(frozen=True, slots=True)
class Window:
    """What a tile reads along an axis: from `low` of the image on `size` points; `before` and
    `after` are beyond it."""

    low: Expression
    size: Expression
    before: Expression
    after: Expression


@dataclass(frozen=True, slots=True)
class Taps:
    """A part of a window: rows and points, from the first to the one behind the last."""

    rows: tuple[int, int]
    points: tuple[int, int]

    @property
    def count(self) -> int:
        """Points of a window."""
        return (self.rows[1] - self.rows[0]) * (self.points[1] - self.points[0])


def window_of(function: TileFunction, along: Along, span: Span) -> Window:
    """What windows `span` of an axis read."""
    if span.low == 0 and span.size == along.out:
        reached = (along.out - 1) * along.stride + along.reach
        size = min(along.extent, reached - along.before)
        return Window(0, size, along.before, reached - along.before - size)
    first, low, size, end = (
        function.fresh(f"{along.name}_{what}") for what in ("first", "in", "read", "end")
    )
    function.line(f"{first} = {_times(span.low, along.stride)} - {along.before}")
    more = along.reach - along.stride
    last = f"{_times(span.size, along.stride)} {'-' if more < 0 else '+'} {abs(more)}"
    function.line(f"{end} = {first} + {last}")
    if not along.before and not along.after:
        if isinstance(span.size, int):
            count = (span.size - 1) * along.stride + along.reach
            return Window(first, count, 0, 0)
        function.line(f"{size} = {end} - {first}")
        return Window(first, size, 0, 0)
    before, after = function.fresh("before"), function.fresh("after")
    function.line(f"{low} = max({first}, 0)")
    function.line(f"{size} = min({end}, {along.extent}) - {low}")
    function.line(f"{before} = {low} - {first}")
    function.line(f"{after} = {end} - {low} - {size}")
    return Window(low, size, before, after)


def part_of(
    function: TileFunction,
    along: Along,
    window: Window,
    taps: tuple[int, int],
    guard: str,
) -> tuple[Window, str]:
    """What taps of a window read of what was loaded for all of it, from its first point on; and
    whether that is anything."""
    if taps == (0, along.kernel):
        return Window(0, window.size, window.before, window.after), guard
    ahead = taps[0] * along.dilation
    behind = (along.kernel - taps[1]) * along.dilation
    names = [function.fresh(f"{along.name}_{what}") for what in ("skip", "have", "pre", "post")]
    skip, have, before, after = names
    function.line(f"{skip} = max({ahead} - {_sum(window.before)}, 0)")
    function.line(f"{before} = max({_sum(window.before)} - {ahead}, 0)")
    function.line(f"{after} = max({_sum(window.after)} - {behind}, 0)")
    cut = function.fresh("cut")
    function.line(f"{cut} = max({behind} - {_sum(window.after)}, 0)")
    function.line(f"{have} = {_sum(window.size)} - {skip} - {cut}")
    some = function.fresh("some")
    function.line(f"{some} = lt_s.i64 0, {have}")
    if guard:
        both = function.fresh("both")
        function.line(f"{both} = and.i1 {guard.strip().lstrip('@')}, {some}")
        some = both
    return Window(skip, have, before, after), f"@{some} "


def _times(value: Expression, factor: int) -> Expression:
    return product_text(value, factor)


def _sum(value: Expression) -> str:
    return f"({value})" if isinstance(value, str) else str(value)
