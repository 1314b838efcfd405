"""IR rows: many elements become one: of an interval, of each row of a matrix, of each window of an
image, and the largest few of a row.

A maximum begins with the lowest value of the type (-inf for floats), passes over NaN, as `max`
does, and a minimum does so with the highest.  Where places count (argmax, topk), NaN is below all
numbers, and of equal elements the first one comes first.  An image is `height` rows of `width`
points of `channels` elements (NHWC, one image); its windows begin every `sy` rows and every `sx`
points and lie inside.  Those of `_padded` rows may reach `top`, `left`, `bottom` and `right` points
beyond the image, where there is nothing to take (an average divides by all points of a window), and
their points are `dy` rows and `dx` points apart.
"""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    FLOATS,
    TENSOR_TYPES,
    about,
    highest,
    load,
    lowest,
    maximum,
    minimum,
    narrowed,
    row,
    scalar,
    store,
    walk,
    wide,
    with_result,
    zero,
)
from machines.types import I32, I64, Type

MATRIX = ("i * columns + j", "rows * columns")
WINDOW = {
    "height": I64, "width": I64, "channels": I64, "kh": I64, "kw": I64, "sy": I64, "sx": I64
}  # fmt: skip
LIMITS = (
    ("kh", "0 < kh <= height", "a window has a row or more, not more than the image"),
    ("kw", "0 < kw <= width", "a window has a point or more a row, not more than the image"),
    ("sy", "sy > 0", "a stride is 1 or more"),
    ("sx", "sx > 0", "a stride is 1 or more"),
)
PADDING = {"top": I64, "left": I64, "bottom": I64, "right": I64, "dy": I64, "dx": I64}
_REACH = {"kh": "dy * (kh - 1) + 1", "kw": "dx * (kw - 1) + 1"}
_SPAN = {"kh": "height + top + bottom", "kw": "width + left + right"}
PADDED_LIMITS = (
    ("height", "height > 0 and width > 0", "an image has a point or more"),
    ("dy", "dy > 0", "points are 1 or more apart"),
    ("dx", "dx > 0", "points are 1 or more apart"),
    *(
        (k, f"{k} > 0 and {_REACH[k]} <= {_SPAN[k]}", "a window is not more than image and border")
        for k in _REACH
    ),
    ("sy", "sy > 0", "a stride is 1 or more"),
    ("sx", "sx > 0", "a stride is 1 or more"),
)
PADDED_SHAPE = {
    "oh": f"({_SPAN['kh']} - ({_REACH['kh']})) // sy + 1",
    "ow": f"({_SPAN['kw']} - ({_REACH['kw']})) // sx + 1",
}
_ROW, _POINT = "y * sy + ky * dy - top", "x * sx + kx * dx - left"
SHAPE = {"oh": "(height - kh) // sy + 1", "ow": "(width - kw) // sx + 1"}


def inside() -> str:
    """Whether the point of a window that may reach beyond the image lies in it."""
    return f"({_ROW}) >= 0 and ({_ROW}) < height and ({_POINT}) >= 0 and ({_POINT}) < width"


def place_inside(channels: str, channel: str) -> str:
    """The element of such a point, of others the first of the image."""
    return f"((({_ROW}) * width + {_POINT}) * {channels} + {channel}) if {inside()} else 0"


def _precedes(t: Type, a: str, b: str) -> str:
    return f"({a} > {b} or ({b} != {b} and {a} == {a}))" if t.is_float else f"{a} > {b}"


def _folds(t: Type):
    """Name of a result, of rows and of windows; meaning, start, sentence."""
    one = {"a": "d", "b": "a"}
    accumulated = scalar("add", wide(t), **one)
    yield "sum", "reduce_sum", None, accumulated, zero(t), "The sum; 0 of no element."
    product = scalar("mul", wide(t), **one)
    words = "The product; 1 of no element."
    yield "product", "reduce_prod", None, product, "1.0" if t.is_float else "1", words
    yield (
        "maximum",
        "reduce_max",
        "pool_max",
        maximum(t, **one),
        lowest(t),
        ("The maximum, signed; the lowest value of the type of no element."),
    )
    yield (
        "minimum",
        "reduce_min",
        "pool_min",
        minimum(t, **one),
        highest(t),
        ("The minimum, signed; the highest value of the type of no element."),
    )


def _rows_of(t: Type):
    half = f"d = {narrowed('d', t)}" if wide(t) is not t else ""
    for name, of_rows, of_windows, meaning, start, words in _folds(t):
        sentence = about(words, t)
        yield with_result(name, t, meaning, start, sentence)
        yield row(
            of_rows,
            (t,),
            {"d": store(t), "a": load(t), "rows": I64, "columns": I64},
            meaning,
            f"Of each row: {sentence[0].lower()}{sentence[1:]}",
            "reduce",
            walk("i<rows j<columns", d=("i", "rows"), a=MATRIX, start=start, end=half),
        )
        if of_windows:
            loops = "y<oh x<ow ky<kh kx<kw c<channels"
            yield from _pools(of_windows, t, meaning, start, loops, "")
    for name, first, second in (("argmax", "a", "best"), ("argmin", "best", "a")):
        taken = _precedes(t, first, second)
        if name == "argmin" and t.is_float:
            taken = "(a < best or (best != best and a == a))"
        yield row(
            f"reduce_{name}",
            (t, I32),
            {"d": store(I32), "a": load(t), "rows": I64, "columns": I64},
            f"j if {taken} else d",
            f"Of each row the place of its {name[3:]}imum: the first one; NaN only if all are.",
            "reduce",
            walk(
                "i<rows j<columns",
                d=("i", "rows"),
                a=MATRIX,
                also={"best": ("a", "i * columns + d")},
                start="0",
            ),
        )
    yield _topk(t)


def _average(t: Type):
    scale = scalar("div", t, a="d", b="f64_from_signed(kh * kw)")
    accumulated = scalar("add", wide(t), a="d", b="a")
    loops = "y<oh x<ow c<channels ky<kh kx<kw"
    return _pools("pool_average", t, accumulated, "0.0", loops, f"d = {scale}")


def _pools(name: str, t: Type, meaning: str, start: str, loops: str, end: str):
    what = f"The {name[5:]} of each window of `kh` × `kw` points, channel by channel"
    size = "height * width * channels"
    yield row(
        f"{name}_padded",
        (t,),
        {"d": store(t), "a": load(t), **WINDOW, **PADDING},
        f"({meaning}) if {inside()} else d",
        f"{what}; windows may reach beyond the image.",
        "pool",
        walk(
            loops,
            *PADDED_LIMITS,
            d=("(y * ow + x) * channels + c", "oh * ow * channels"),
            a=(place_inside("channels", "c"), size),
            derived=PADDED_SHAPE,
            start=start,
            end=end,
        ),
    )
    yield row(
        name,
        (t,),
        {"d": store(t), "a": load(t), **WINDOW},
        meaning,
        f"{what}.",
        "pool",
        walk(
            loops,
            *LIMITS,
            d=("(y * ow + x) * channels + c", "oh * ow * channels"),
            a=(
                "((y * sy + ky) * width + x * sx + kx) * channels + c",
                size,
            ),
            derived=SHAPE,
            start=start,
            end=end,
        ),
    )


def _topk(t: Type):
    """In each turn of t the best of the elements that come after the last one chosen."""
    before = "i * k + (t - 1 if t > 0 else 0)"
    later = _precedes(t, "last", "a")
    behind = f"(not {_precedes(t, 'a', 'last')} and j > place)"
    return row(
        "topk",
        (t,),
        {"d": store(t), "e": store(I32), "a": load(t), "rows": I64, "columns": I64, "k": I64},
        f"later = t == 0 or {later} or {behind}\n"
        f"better = later and (e < 0 or {_precedes(t, 'a', 'd')})\n"
        "d = a if better else d\n"
        "e = j if better else e",
        "Of each row the `k` largest elements, the largest first, and their places.",
        "sort",
        walk(
            "i<rows t<k j<columns",
            ("k", "k <= columns", "it is not more than the columns"),
            d=("i * k + t", "rows * k"),
            e=("i * k + t", "rows * k"),
            a=MATRIX,
            also={"last": ("d", before), "place": ("e", before)},
            start={"d": zero(t), "e": "-1"},
        ),
    )


ROWS = (
    *(row for t in TENSOR_TYPES for row in _rows_of(t)),
    *(row for t in FLOATS for row in _average(t)),
)
