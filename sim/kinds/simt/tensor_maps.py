"""Tensor maps, which copies of boxes read (`cp.async.bulk.tensor`), as a launch describes them.

    {tensor_map: x, box: [64, 8], swizzle: 128}
    {tensor_map: x + 16, element: f16, shape: [100, 30], strides: [256], box: [64, 8], fill: nan}

The parameters and rules are those of CUDA's `cuTensorMapEncodeTiled`: dimensions are told from the
innermost on, `strides` are the bytes from one element to the next of the others.  Where element,
shape and strides are not told, they are those of the array, one row after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, nearest
from machines.elements import type_of
from machines.types import ELEMENTS
from machines.vocabulary import tensor_maps as maps
from machines.vocabulary.bulk_reductions import TYPES

SIZE, ALIGNMENT = 128, 64
SWIZZLES = {0: maps.NO_SWIZZLE, 32: maps.SWIZZLE_32, 64: maps.SWIZZLE_64, 128: maps.SWIZZLE_128}
FILLS = {"zero": maps.ZEROS, "nan": maps.NANS}
MOST_BOX, MOST_STEP, LINE = 256, 8, 16
MOST_STRIDE, MOST_EXTENT = 1 << 40, 1 << 32
_NAMES = {"i32": "s32", "i64": "s64"}
KEYS = (
    "tensor_map", "element", "shape", "strides", "box", "element_strides", "swizzle", "fill",
    "interleave",
)  # fmt: skip


@dataclass(frozen=True)
class TensorMap:
    """A map as it is described; numbers are what `read_value` makes of them, None: as the array."""

    node: Node
    pointer: object
    element: str | None
    shape: list | None
    strides: list | None
    box: list
    steps: list | None
    swizzle: int
    fill: int

    def words(self, state) -> list[int]:
        """Sixteen numbers of 64 bits (see `machines.vocabulary.tensor_maps`)."""
        element, extents = self._of_array(state)
        if self.element is not None:
            element = ELEMENTS[self.element]
        if self.shape is not None:
            extents = [one.integer(state, "an extent", 1, MOST_EXTENT - 1) for one in self.shape]
        rank, size = len(extents), element.bytes
        self._check_rank(rank)
        strides = self._strides(state, extents, size)
        box = [one.integer(state, "an extent of a box", 1, MOST_BOX) for one in self.box]
        steps = [1] * rank
        if self.steps is not None:
            steps = [one.integer(state, "an element stride", 1, MOST_STEP) for one in self.steps]
        self._check(element, box, self.pointer.of(state))
        words = [0] * maps.WORDS
        words[maps.IS_MAP] = maps.MAGIC
        words[maps.FORM] = rank | size << 8 | self.swizzle << 16 | self.fill << 24
        words[maps.FORM] |= TYPES.get(_NAMES.get(element.name, element.name), 0) << 25
        address = self.pointer.of(state)
        words[maps.BASE : maps.BASE + 2] = _halves(address)
        for k, stride in enumerate(strides):
            words[maps.STRIDES + 2 * k : maps.STRIDES + 2 * k + 2] = _halves(stride)
        for first, numbers in ((maps.SHAPE, extents), (maps.BOX, box), (maps.STEPS, steps)):
            words[first : first + rank] = numbers
        return [words[k] | words[k + 1] << 32 for k in range(0, maps.WORDS, 2)]

    def _of_array(self, state) -> tuple[object, list[int]]:
        """Type and extents of the array, from the innermost on."""
        array = state.array(self.pointer.array)
        if array not in state.arrays or array not in state.shapes:
            raise self._wrong(f"'{array}' has no elements that a tensor map could describe")
        return type_of(state.arrays[array][0]), list(reversed(state.shapes[array]))

    def _check_rank(self, rank: int) -> None:
        if not 1 <= rank <= maps.MOST_RANK:
            raise self._wrong(f"a tensor has 1 to {maps.MOST_RANK} dimensions, not {rank}")
        for what, given, wanted in (
            ("box", self.box, rank), ("strides", self.strides, rank - 1),
            ("element_strides", self.steps, rank),
        ):  # fmt: skip
            if given is not None and len(given) != wanted:
                message = f"the tensor has {rank} dimensions: '{what}' has {wanted} numbers, not "
                raise self._wrong(f"{message}{len(given)}")

    def _strides(self, state, extents: list[int], size: int) -> list[int]:
        if self.strides is None:
            found, stride = [], size
            for extent in extents[:-1]:
                stride *= extent
                found.append(stride)
        else:
            found = [one.integer(state, "a stride", 0, MOST_STRIDE - 1) for one in self.strides]
        for stride in found:
            if stride % LINE:
                message = f"strides of a tensor map are multiples of {LINE} bytes, and {stride} "
                raise self._wrong(f"{message}is not", "pad the rows of the array")
        return found

    def _check(self, element, box: list[int], address: int) -> None:
        row = box[0] * element.bytes
        if element.in_byte != 1 or element.bytes > 8:
            raise self._wrong(f"a tensor map of {element.name} is not supported", "8 to 64 bits")
        if address % LINE:
            raise self._wrong(f"a tensor begins at a multiple of {LINE} bytes, not {address:#x}")
        if row % LINE:
            message = f"a row of a box is a multiple of {LINE} bytes, not {row}"
            raise self._wrong(message, f"box: [{-(-row // LINE) * LINE // element.bytes}, …]")
        if self.swizzle and row > LINE << self.swizzle:
            message = f"a row of a box has {row} bytes, and swizzle {LINE << self.swizzle} takes "
            raise self._wrong(f"{message}{LINE << self.swizzle} at most")
        if self.fill == maps.NANS and not element.is_float:
            raise self._wrong(f"'fill: nan' is for floats, not for {element.name}")

    def _wrong(self, message: str, hint: str | None = None) -> InputError:
        return InputError(self.node.finding(message, hint))


def _halves(number: int) -> list[int]:
    return [number & 0xFFFFFFFF, number >> 32]


def checked_keys(node: Node) -> Mapping[str, Node]:
    """What a node says of a map, none of which is unknown."""
    for key in node.value:
        if key not in KEYS:
            raise InputError(node.finding(f"a tensor map has no '{key}'", nearest(key, KEYS), key))
    if "box" not in node.value:
        raise InputError(node.finding("a tensor map has a box", "box: [64, 8]"))
    for key, known in (("swizzle", SWIZZLES), ("fill", FILLS), ("interleave", ("none",))):
        given = node.value.get(key)
        if given is not None and given.value not in known:
            hint = ", ".join(map(str, known))
            raise InputError(given.finding(f"'{key}' is none of a tensor map here", hint))
    element = node.value.get("element")
    if element is not None and element.value not in ELEMENTS:
        hint = nearest(str(element.value), ELEMENTS)
        raise InputError(element.finding(f"there is no type '{element.value}'", hint))
    return node.value
