"""Models in the wire format of protobuf, without what is large in them.

A model of 500 MB is nearly all weights.  `skimmed` copies what is left of it: the elements of a
large tensor become a reference to where they stand, in the way that ONNX itself refers to elements
in other files (`external_data`), with no file named.  So memory holds no weights, and what is read
of the rest is bounded.

The format: a message is fields one behind another, each a key (number * 8 + kind) and its content;
of kind 0 a number of 7 bits a byte, of 1 and 5 eight and four bytes, of 2 a length and so many
bytes.  (Protocol Buffers, Encoding.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LARGE = 4096
"""Bytes of elements from which on they stay where they are."""
MOST_LEFT = 1 << 28
"""Bytes of a model without its large tensors."""
DEEPEST = 60
"""How many messages stand within one another."""
IN_THIS_FILE = ""
"""The location of elements that stand in the model's own file."""

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
_MESSAGES = {
    "Model": {7: "Graph", 25: "Function"},
    "Function": {7: "Node"},
    "Graph": {1: "Node", 5: "Tensor"},
    "Node": {5: "Attribute"},
    "Attribute": {5: "Tensor", 6: "Graph", 10: "Tensor", 11: "Graph"},
}
"""Fields that are messages which may hold a tensor: onnx.proto of the package onnx."""
_ELEMENTS = {9: None, 4: 1, 10: 11}
"""Fields of a tensor with its elements as they are in memory: raw_data of any type, float_data of
FLOAT, double_data of DOUBLE; and that type."""
_DATA_TYPE, _EXTERNAL, _LOCATION = 2, 13, 14


class Malformed(Exception):
    """Bytes that are no model; the text says why."""


def skimmed(view: memoryview | Any) -> bytes:
    """A model as bytes, without its large tensors; raises Malformed."""
    out = _Out()
    _copy(view, 0, len(view), "Model", out, 0)
    return b"".join(out.parts)


class _Out:
    """Pieces of the result; `size` is bounded."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        if self.size > MOST_LEFT:
            raise Malformed(f"without its weights it has more than {MOST_LEFT >> 20} MiB")
        self.parts.append(piece)


def _copy(view, start: int, end: int, message: str, out: _Out, depth: int) -> None:
    if depth > DEEPEST:
        raise Malformed(f"more than {DEEPEST} messages stand within one another")
    if message == "Tensor":
        _tensor(view, start, end, out)
        return
    inner = _MESSAGES[message]
    for number, kind, begin, low, high in _fields(view, start, end):
        if kind == _BYTES and number in inner:
            within = _Out()
            within.size = out.size
            _copy(view, low, high, inner[number], within, depth + 1)
            size = within.size - out.size
            out.add(_varint(number << 3 | kind) + _varint(size))
            out.parts += within.parts
            out.size += size
        else:
            _check(high - begin)
            out.add(bytes(view[begin:high]))


def _tensor(view, start: int, end: int, out: _Out) -> None:
    """A tensor whose elements stay, if they are many and stand in one piece."""
    fields = list(_fields(view, start, end))
    type = None
    for number, kind, _, low, high in fields:
        if number == _DATA_TYPE and kind == _VARINT:
            type, _ = _read_varint(view, low, high)
    large = [
        field
        for field in fields
        if field[1] == _BYTES and field[0] in _ELEMENTS and field[4] - field[3] >= LARGE
    ]
    alone = [f for f in fields if f[0] in _ELEMENTS]
    moved = None
    if len(large) == len(alone) == 1 and _ELEMENTS[large[0][0]] in (None, type):
        moved = large[0]
    for field in fields:
        if field is moved:
            continue
        _check(field[4] - field[2])
        out.add(bytes(view[field[2] : field[4]]))
    if moved is not None:
        low, high = moved[3:]
        values = (("location", IN_THIS_FILE), ("offset", str(low)), ("length", str(high - low)))
        for key, value in values:
            entry = _text(1, key) + _text(2, value)
            out.add(_varint(_EXTERNAL << 3 | _BYTES) + _varint(len(entry)) + entry)
        out.add(_varint(_LOCATION << 3 | _VARINT) + _varint(1))


def _check(size: int) -> None:
    if size > MOST_LEFT:
        raise Malformed(f"a part that is no tensor has {size} bytes")


def _text(number: int, text: str) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(text)) + text.encode()


def _fields(view, start: int, end: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Of every field its number and kind, where it begins, and where its content does and ends."""
    at = start
    while at < end:
        begin = at
        key, at = _read_varint(view, at, end)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise Malformed(f"byte {begin} begins no field of a message")
        low = at
        if kind == _VARINT:
            _, at = _read_varint(view, at, end)
        elif kind == _BYTES:
            size, low = _read_varint(view, at, end)
            at = low + size
        elif kind in (_EIGHT, _FOUR):
            at += 8 if kind == _EIGHT else 4
        else:
            raise Malformed(f"byte {begin} begins a field of unknown kind {kind}")
        if at > end:
            raise Malformed(f"the field at byte {begin} ends {at - end} bytes behind its message")
        yield number, kind, begin, low, at


def _read_varint(view, at: int, end: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while True:
        if at >= end:
            raise Malformed(f"it ends in the midst of a number, at byte {at}")
        byte = view[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise Malformed(f"the number at byte {at} has more than 64 bits")


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
