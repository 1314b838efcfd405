"""Windows that go over images: convolutions and pools."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compiler.levels.network.network import AttributeKind, Attributes, Unfit
from compiler.levels.network.operators.type_rules import (
    require_count,
    require_least,
)

WINDOW_ATTRIBUTES = {
    "strides": AttributeKind(tuple, "Rows and points from one window to the next.", (1, 1)),
    "dilations": AttributeKind(tuple, "Rows and points between those of a window.", (1, 1)),
    "pads": AttributeKind(tuple, "Beyond the image: top, left, bottom, right.", (0, 0, 0, 0)),
}


@dataclass(frozen=True)
class Windows:
    """Of `rows` × `columns` points each, which begin every `strides`; there are `high` × `wide`."""

    rows: int
    columns: int
    strides: tuple[int, int]
    dilations: tuple[int, int]
    pads: tuple[int, int, int, int]
    high: int
    wide: int

    def padded(self, x: np.ndarray, value: float) -> np.ndarray:
        """An image (n, h, w, c) with its border."""
        top, left, bottom, right = self.pads
        if not any(self.pads):
            return x
        around = ((0, 0), (top, bottom), (left, right), (0, 0))
        return np.pad(x, around, constant_values=value)

    def point(self, x: np.ndarray, row: int, column: int) -> np.ndarray:
        """Of each window of an image with its border one point: (n, high, wide, c), a view."""
        y, z = row * self.dilations[0], column * self.dilations[1]
        step_y, step_z = self.strides
        down, across = (self.high - 1) * step_y + 1, (self.wide - 1) * step_z + 1
        return x[:, y : y + down : step_y, z : z + across : step_z]

    def all(self, x: np.ndarray) -> np.ndarray:
        """All points of the windows: (n, high, wide, rows, columns, c), a view."""
        n, _, _, channels = x.shape
        of_image, of_row, of_point, of_channel = x.strides
        (sy, sx), (dy, dx) = self.strides, self.dilations
        return np.lib.stride_tricks.as_strided(
            x,
            (n, self.high, self.wide, self.rows, self.columns, channels),
            (of_image, sy * of_row, sx * of_point, dy * of_row, dx * of_point, of_channel),
            writeable=False,
        )


def windows(height: int, width: int, kernel: tuple[int, ...], attributes: Attributes) -> Windows:
    """The windows over an image; raises Unfit."""
    strides, dilations, pads = (attributes[name] for name in ("strides", "dilations", "pads"))
    require_count(kernel, 2, "kernel", "rows and points of a window")
    require_least(kernel, 1, "kernel")
    for name, least in (("strides", 1), ("dilations", 1)):
        require_count(attributes[name], 2, name, "rows and points")
        require_least(attributes[name], least, name)
    require_count(pads, 4, "pads", "top, left, bottom, right")
    require_least(pads, 0, "pads")
    counts = []
    for k, (what, extent) in enumerate((("rows", height), ("points", width))):
        reach, span = dilations[k] * (kernel[k] - 1) + 1, extent + pads[k] + pads[k + 2]
        if reach > span:
            raise Unfit(f"a window spans {reach} {what}, the image and its border {span}")
        counts.append((span - reach) // strides[k] + 1)
    return Windows(*kernel, strides, dilations, pads, *counts)
