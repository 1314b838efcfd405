"""Images of other sizes: `Resize` and what came before it.

Along an axis every new place is a place between old ones (`coordinates`), and takes the nearest of
them or a weighted sum of some.  So a tensor is resized one axis after the other: by gathering, or
by a product with the matrix of weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compiler.frontends.onnx.emitting.call import FLOATS, I8, U8, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, known

FAMILY = Family("resampling")
row = FAMILY.row
_REACH = {"linear": 1, "cubic": 2}
"""How many places away a kernel of a mode is 0."""


@dataclass(frozen=True)
class Axis:
    """From so many places to others; `region` is where the new ones lie, as parts of the old."""

    old: int
    new: int
    scale: float
    region: tuple[float, float]


@dataclass(frozen=True)
class Manner:
    """How new places are found, and what is taken there; the attributes of `Resize`."""

    mode: str
    coordinates: str
    nearest: str
    cubic: float
    exclude_outside: bool
    antialias: bool


def _coordinates(axis: Axis, how: str) -> np.ndarray:
    """Where among the old places each new one is."""
    # In f32, as onnxruntime has it: between two places it is rounding that chooses the nearest.
    new, old, scale = np.arange(axis.new, dtype=np.float32), axis.old, np.float32(axis.scale)
    half = (new + 0.5) / scale - 0.5
    if how == "half_pixel" or (how == "pytorch_half_pixel" and axis.new > 1):
        return half
    if how == "pytorch_half_pixel":
        return np.zeros(axis.new)
    if how == "half_pixel_symmetric":
        adjustment = axis.new / (scale * old)
        return old / 2 * (1 - adjustment) + half
    if how == "align_corners":
        last = scale * old - 1  # of new places, which may be no whole number: onnx.reference
        return new * (old - 1) / last if axis.new > 1 else np.zeros(1)
    if how == "asymmetric":
        return new / scale
    if how == "tf_crop_and_resize":
        first, last = axis.region
        if axis.new == 1:
            return np.array([(first + last) * (old - 1) / 2])
        return first * (old - 1) + new * (last - first) * (old - 1) / (axis.new - 1)
    raise Refusal("malformed", f"coordinate_transformation_mode '{how}' is not known")


_NEAREST = {
    "round_prefer_floor": lambda x: np.ceil(x - 0.5),
    "round_prefer_ceil": lambda x: np.floor(x + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def _kernel(mode: str, x: np.ndarray, a: float) -> np.ndarray:
    """The weight of what is x places away; that of cubic convolution is Keys'."""
    x = np.abs(x)
    if mode == "linear":
        return np.clip(1 - x, 0, 1)
    near = (a + 2) * x**3 - (a + 3) * x**2 + 1
    far = a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))


def _weights(axis: Axis, how: Manner) -> np.ndarray:
    """(old, new): how much of each old place a new one has."""
    places, found = _coordinates(axis, how.coordinates), np.zeros((axis.old, axis.new))
    narrow = min(axis.scale, 1.0) if how.antialias else 1.0
    first = math.floor(-_REACH[how.mode] / narrow) + 1
    for k, place in enumerate(places):
        near = math.floor(place) + np.arange(first, 2 - first)
        weights = _kernel(how.mode, (near - place) * narrow, how.cubic)
        if how.exclude_outside:
            weights = np.where((near >= 0) & (near < axis.old), weights, 0)
        if how.exclude_outside or how.antialias:
            weights = weights / weights.sum()
        np.add.at(found[:, k], np.clip(near, 0, axis.old - 1), weights)
    return found


def _resized(code: Code, x: Value, k: int, axis: Axis, how: Manner) -> Value:
    """x with one axis resized."""
    if how.mode == "nearest":
        if how.nearest not in _NEAREST:
            raise Refusal("malformed", f"nearest_mode '{how.nearest}' is not known")
        places = _NEAREST[how.nearest](_coordinates(axis, how.coordinates))
        places = np.clip(places, 0, axis.old - 1).astype(np.int32)
        return code.gather(x, known(places), k)
    weights = code.number(_weights(axis, how), x)
    last = code.last(x, k)
    rows = code.reshape(last, (last.count // axis.old, axis.old))
    found = code.reshape(code.matmul(rows, weights), (*last.shape[:-1], axis.new))
    return code.back(found, k)


def _all_resized(code: Code, x: Value, axes: dict[int, Axis], how: Manner, beyond: float) -> Value:
    found = x
    if how.mode not in ("nearest", *_REACH):
        raise Refusal("malformed", f"mode '{how.mode}' is not known")
    if how.mode != "nearest" and not x.element.is_float:
        raise Refusal("element type", f"weighted sums of {x.element}")
    crops = how.coordinates == "tf_crop_and_resize"
    for k, axis in axes.items():
        if axis.old != axis.new or axis.scale != 1 or crops:
            found = _resized(code, found, k, axis, how)
    if crops:
        outside = np.zeros(found.shape, np.bool_)
        for k, axis in axes.items():
            places = _coordinates(axis, how.coordinates)
            there = (places < 0) | (places > axis.old - 1)
            outside |= there.reshape(-1, *(1,) * (found.rank - k - 1))
        if outside.any():
            found = code.select(known(outside), beyond, found)
    return found


@row("Resize", 19, (*FLOATS, I8, U8), "By known scales or sizes.")
def resize(call: Call) -> Value:
    code, x = call.code, call[0]
    if call.version < 11:
        region, scales, sizes = None, call.known(1, "the scales"), None
        coordinates, nearest = "asymmetric", "floor"
    else:
        coordinates = call.attribute("coordinate_transformation_mode", "half_pixel")
        nearest = call.attribute("nearest_mode", "round_prefer_floor")
        region = call.known_or_none(1, "the region")
        scales = call.known_or_none(2, "the scales")
        sizes = call.known_or_none(3, "the sizes")
    axes = call.axes(call.attribute("axes") or range(x.rank), x.rank)
    how = Manner(
        call.attribute("mode", "nearest"),
        coordinates,
        nearest,
        call.attribute("cubic_coeff_a", -0.75),
        bool(call.attribute("exclude_outside", 0)),
        bool(call.attribute("antialias", 0)),
    )
    policy = call.attribute("keep_aspect_ratio_policy", "stretch")
    beyond = call.attribute("extrapolation_value", 0.0)
    if coordinates != "tf_crop_and_resize" or region is None or not region.size:
        region = np.array([0.0] * len(axes) + [1.0] * len(axes))
    if sizes is not None and sizes.size:
        found = _by_sizes(x, axes, [int(n) for n in sizes], policy)
    elif scales is not None and scales.size:
        factors = [float(s) for s in scales]
        found = [(math.floor(x.shape[k] * s), s) for k, s in zip(axes, factors, strict=True)]
    else:
        raise Refusal("malformed", "neither scales nor sizes are given")
    if any(new < 1 for new, _ in found):
        raise Refusal("no elements", "an axis has no element left")
    all_axes = {
        k: Axis(x.shape[k], new, scale, (float(region[i]), float(region[i + len(axes)])))
        for i, (k, (new, scale)) in enumerate(zip(axes, found, strict=True))
    }
    return _all_resized(code, x, all_axes, how, beyond)


def _by_sizes(x: Value, axes: list[int], sizes: list[int], policy: str) -> list[tuple[int, float]]:
    """New extents and scales."""
    scales = [size / x.shape[k] for k, size in zip(axes, sizes, strict=True)]
    if policy == "stretch":
        return list(zip(sizes, scales, strict=True))
    choose = {"not_larger": min, "not_smaller": max}.get(policy)
    if choose is None:
        raise Refusal("malformed", f"keep_aspect_ratio_policy '{policy}' is not known")
    scale = choose(scales)
    return [(math.floor(scale * x.shape[k] + 0.5), scale) for k in axes]


@row("Upsample", 10, (*FLOATS, I8, U8), "By known scales.")
def upsample(call: Call) -> Value:
    scales = [float(s) for s in call.known(1, "the scales")]
    how = Manner(call.attribute("mode", "nearest"), "asymmetric", "floor", 0.0, False, False)
    axes = {
        k: Axis(extent, math.floor(extent * scale), scale, (0.0, 1.0))
        for k, (extent, scale) in enumerate(zip(call[0].shape, scales, strict=True))
    }
    return _all_resized(call.code, call[0], axes, how, 0.0)
