"""The text of `machines/vocabulary/tensor_cores.py` compiled: the matrices of a warp in the core.

a = fragment(4)                     room for four registers of 32 lanes, on the stack
gather_b32(a, 0, register, 32)      its first register
put_b32(register, d, 0, mask, 32)   and back, for the lanes of a mask
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from machines.vocabulary import tensor_cores
from sim.cores import numbers
from sim.cores.jit import inlined, jitted_twins
from sim.cores.simt import vocabulary
from sim.cores.simt.host.lane_words import (
    read_b64,
    read_pair,
    read_u32,
    write_b32,
    write_pair,
)

MOST_LANES = 64


def _room(kind, elements_each):
    """An intrinsic: space on the stack for a literal number of elements of a type."""
    pointer = types.CPointer(kind)

    def typed(typing_context, count):
        if not isinstance(count, types.IntegerLiteral):
            raise TypingError("a literal says how much room there is")
        size = count.literal_value * elements_each

        def generate(context, builder, signature, arguments):
            with builder.goto_entry_block():
                element = context.get_value_type(kind)
                space = builder.alloca(ir.ArrayType(element, size))
            return builder.bitcast(space, context.get_value_type(pointer))

        return pointer(count), generate

    return intrinsic(prefer_literal=True)(typed)


room = _room(types.int32, 1)
fragment = _room(types.int64, MOST_LANES)

_TWINS = jitted_twins(tensor_cores, {**numbers.VOCABULARY, **vocabulary.VOCABULARY, "room": room})


chunk_address = _TWINS.chunk_address


@intrinsic
def words_at(typing_context, address):
    """The words of 32 bits at an address of the host."""
    pointer = types.CPointer(types.uint32)

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(pointer))

    return pointer(types.int64), generate


@inlined
def gather_b32(fragment, k, register, width):
    for lane in range(width):
        fragment[width * k + lane] = read_u32(register, lane)


@inlined
def gather_b64(fragment, k, register, width):
    for lane in range(width):
        fragment[width * k + lane] = read_pair(register, lane, width)


@inlined
def put_b32(register, fragment, k, mask, width):
    for lane in range(width):
        if (mask >> lane) & 1:
            write_b32(register, lane, fragment[width * k + lane])


@inlined
def put_b64(register, fragment, k, mask, width):
    for lane in range(width):
        if (mask >> lane) & 1:
            write_pair(register, lane, width, fragment[width * k + lane])


@inlined
def load_rows(fragment, words, targets, lanes, width):
    """Of the first lanes words from their targets on."""
    for lane in range(lanes):
        target = read_b64(targets, lane)
        for k in range(words):
            fragment[width * k + lane] = read_u32(target, k)


@inlined
def store_rows(fragment, words, targets, lanes, width):
    """And back."""
    for lane in range(lanes):
        target = read_b64(targets, lane)
        for k in range(words):
            write_b32(target, k, fragment[width * k + lane])


VOCABULARY = {
    **{name: getattr(_TWINS, name) for name in tensor_cores.VOCABULARY},
    "fragment": fragment, "gather_b32": gather_b32, "gather_b64": gather_b64,
    "words_at": words_at, "put_b32": put_b32, "put_b64": put_b64, "load_rows": load_rows,
    "store_rows": store_rows,
}  # fmt: skip
"""What a case of a row may name that has fragments of matrices."""
