"""Tensor descriptors that the host makes: a tensor map, and extents and strides behind it.

    a: !tt.tensordesc<tensor<64x64xf16>>, i32, i32, i64, i64
    ->  {tensor_map: a, box: [64, 64], swizzle: 128}, extents of a, strides of a in elements

The metadata say how Triton wants each map (`tensordesc_meta`); where they say nothing, the target
has no such copies, and the descriptor is another structure, which is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sim.kinds.simt.generators.kernel import Axes, Parameter, named
from sim.kinds.simt.generators.triton.ttir import ELEMENTS, Said

_TYPE = re.compile(r"!tt\.tensordesc<tensor<((?:\d+x)+)(\w+)")
SWIZZLES = (0, 32, 64, 128)
"""As the metadata number them."""


def rank_of(said: Said) -> int:
    """Axes of a descriptor; 0: it is none."""
    found = _TYPE.match(said.type)
    return found[1].count("x") if found else 0


def is_known(own: Sequence[Said], metadata: Sequence[Mapping[str, Any]]) -> bool:
    """Whether there is a map for each descriptor, made as this reads it."""
    found = [one for one in own if "tensordesc" in one.type]
    return len(found) == len(metadata) and all(
        len(made.get("block_size", ())) == rank_of(said) > 0
        and made.get("swizzle") in range(4) and not made.get("fp4_padded")
        for said, made in zip(found, metadata, strict=True)
    )  # fmt: skip


def whole(own: Sequence[Said], metadata: Sequence[Mapping[str, Any]]) -> Iterator[Said | Parameter]:
    """The parameters of the source: descriptors are one each."""
    maps, skip = iter(metadata), 0
    for said in own:
        if skip:
            skip -= 1
        elif rank := rank_of(said):
            skip = 2 * rank
            yield _parameter(said, next(maps))
        else:
            yield said


def _parameter(said: Said, made: Mapping[str, Any]) -> Parameter:
    rank, element = rank_of(said), ELEMENTS.get(_TYPE.match(said.type)[2])

    def written(value: Any, axes: Axes) -> list[Any]:
        array = named(value, "Triton")
        if axes is not None and axes != rank:
            raise ValueError(f"'{array}' has {axes} axes, and the descriptor {rank}")
        described = {
            "tensor_map": array, "box": list(made["block_size"])[::-1],
            "swizzle": SWIZZLES[made["swizzle"]],
        }  # fmt: skip
        if element is not None:
            described["element"] = element
        extents = [{"extent": [array, k]} for k in range(rank)]
        strides = [{"stride_in_elements": [array, k]} for k in range(rank)]
        return [described, *extents, *strides]

    return Parameter(said.name, f"an array of {rank} axes", written)
