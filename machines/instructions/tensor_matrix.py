"""IR rows: products of matrices, and convolutions.

    tensor.matmul.f32     d, a, b, m, k, n             d = 0, then d + a * b, k ascending
    tensor.matmul_add.f32 d, acc, a, b, m, k, n        d = acc, then the same: no tiling of k shows
    tensor.matmul_t.f32   d, a, b, m, k, n             b is n × k: a row for each column of d

Types of two names are those of the sources and of `d`, in which it is accumulated; what is of
halves alone is accumulated in f32 and rounded once.

`conv_padded` has windows that reach beyond the image, where nothing is added; their points are `dy`
rows and `dx` points apart.  Channels are in groups, each of which sees its own: a depthwise
convolution has as many groups as channels.
"""

from __future__ import annotations

from machines.instructions.tensor_operands import (
    load,
    narrowed,
    row,
    scalar,
    store,
    walk,
    wide,
    zero,
)
from machines.instructions.tensor_reduce import (
    LIMITS,
    PADDED_LIMITS,
    PADDED_SHAPE,
    PADDING,
    SHAPE,
    inside,
    place_inside,
)
from machines.types import BF16, E4M3, E5M2, F16, F32, F64, I4, I8, I16, I32, I64, U4, U8, Type

SAME = (I8, I16, I32, I64, F16, BF16, F32, F64)
WIDENING = (
    (I8, I32), (I16, I32), (U8, I32), (I4, I32), (U4, I32),
    (F16, F32), (BF16, F32), (E4M3, F32), (E5M2, F32),
)  # fmt: skip
TYPES = (*((t,) for t in SAME), *WIDENING)

PRODUCT = {"m": I64, "k": I64, "n": I64}
KERNEL = {
    "height": I64, "width": I64, "ci": I64, "co": I64, "kh": I64, "kw": I64, "sy": I64, "sx": I64
}  # fmt: skip
PIXEL = ("(y * ow + x) * co + o", "oh * ow * co")
BATCH = {"batch": I64, **PRODUCT}
GROUPED = KERNEL | PADDING | {"groups": I64}
IN_GROUPS = (
    "groups",
    "groups > 0 and ci % groups == 0 and co % groups == 0",
    "groups divide the channels of both images",
)


def _accumulated(target: Type) -> tuple[str, str]:
    """What a turn does, and the end: halves are accumulated in f32, and rounded then."""
    wider = wide(target)
    product = scalar("mul", wider)
    end = f"d = {narrowed('d', target)}" if wider is not target else ""
    return scalar("add", wider, a="d", b=f"({product})"), end


def _rows_of(types: tuple[Type, ...]):
    source, target = types[0], types[-1]
    meaning, end = _accumulated(target)
    for suffix, acc, start, also in (
        ("", {}, zero(target), "0"),
        ("_add", {"acc": load(target)}, "acc", "`acc`"),
    ):
        operands = {"d": store(target), **acc, "a": load(source), "b": load(source)}
        place = ("i * n + j", "m * n")
        started = {"acc": place} if acc else {}
        yield row(
            f"matmul{suffix}",
            types,
            operands | PRODUCT,
            meaning,
            f"The matrix product: d, m × n, is {also} and a, m × k, times b, k × n.",
            "matmul",
            walk(
                "i<m j<n l<k" if end else "i<m l<k j<n",
                start=start,
                end=end,
                d=place,
                **started,
                a=("i * k + l", "m * k"),
                b=("l * n + j", "k * n"),
            ),
        )
        yield row(
            f"matmul_t{suffix}",
            types,
            operands | PRODUCT,
            meaning,
            f"The matrix product: d, m × n, is {also} and a, m × k, times the transposed b, n × k.",
            "matmul",
            walk(
                "i<m j<n l<k",
                start=start,
                end=end,
                d=place,
                **started,
                a=("i * k + l", "m * k"),
                b=("j * k + l", "n * k"),
            ),
        )
        started = {"acc": PIXEL} if acc else {}
        yield row(
            f"conv{suffix}",
            types,
            operands | KERNEL,
            meaning,
            f"The convolution: d, an image of `co` channels, is {also} and a, one of `ci` channels,"
            " times b, co × kh × kw × ci.",
            "conv",
            walk(
                "y<oh x<ow o<co ky<kh kx<kw c<ci",
                *LIMITS,
                start=start,
                end=end,
                d=PIXEL,
                **started,
                a=("((y * sy + ky) * width + x * sx + kx) * ci + c", "height * width * ci"),
                b=("((o * kh + ky) * kw + kx) * ci + c", "co * kh * kw * ci"),
                derived=SHAPE,
            ),
        )


def _batched(types: tuple[Type, ...]):
    source, target = types[0], types[-1]
    meaning, end = _accumulated(target)
    operands = {"d": store(target), "a": load(source), "b": load(source)}
    by_row = "p<batch i<m j<n l<k" if end else "p<batch i<m l<k j<n"
    for name, loops, right, size, words in (
        ("batch_matmul", by_row, "(p * k + l) * n + j", "batch * k * n", "b, k × n"),
        (
            "batch_matmul_t", "p<batch i<m j<n l<k", "(p * n + j) * k + l", "batch * n * k",
            "the transposed b, n × k",
        ),
    ):  # fmt: skip
        yield row(
            name,
            types,
            operands | BATCH,
            meaning,
            f"So many products of matrices: each d, m × n, is a, m × k, times {words}.",
            "matmul",
            walk(
                loops,
                start=zero(target),
                end=end,
                d=("(p * m + i) * n + j", "batch * m * n"),
                a=("(p * m + i) * k + l", "batch * m * k"),
                b=(right, size),
            ),
        )


def _padded(types: tuple[Type, ...]):
    source, target = types[0], types[-1]
    product, end = _accumulated(target)
    for suffix, acc, start, also in (
        ("", {}, zero(target), ""),
        ("_add", {"acc": load(target)}, "acc", ", added to `acc`"),
    ):
        place = ("(y * ow + x) * co + g * cog + o", "oh * ow * co")
        started = {"acc": place} if acc else {}
        yield row(
            f"conv_padded{suffix}",
            types,
            {"d": store(target), **acc, "a": load(source), "b": load(source)} | GROUPED,
            f"({product}) if {inside()} else d",
            "The convolution of an image with a border of nothing, with windows of points apart,"
            f" in groups of channels{also}.",
            "conv",
            walk(
                "y<oh x<ow g<groups o<cog ky<kh kx<kw c<cig",
                *PADDED_LIMITS,
                IN_GROUPS,
                start=start,
                end=end,
                d=place,
                **started,
                a=(place_inside("ci", "g * cig + c"), "height * width * ci"),
                b=("(((g * cog + o) * kh + ky) * kw + kx) * cig + c", "co * kh * kw * cig"),
                derived={"cig": "ci // groups", "cog": "co // groups", **PADDED_SHAPE},
            ),
        )


ROWS = tuple(
    row for types in TYPES for row in (*_rows_of(types), *_batched(types), *_padded(types))
)
