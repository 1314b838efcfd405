"""Elements of an array that jitted code looks at together, by the host's vector instructions.

up_to(ready_at, first, cycle)      0b00100001: of eight warps the first and the sixth are ready
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from sim.cores.host import HOST_LINE

_WORD = ir.IntType(64)


@intrinsic
def equal_bytes(typing_context, pointer, first, byte):
    """Which of the 32 elements from `first` on of a pointer to bytes are this byte, as bits."""

    def generate(context, builder, signature, arguments):
        byte, lane = ir.IntType(8), ir.IntType(32)
        vector = ir.VectorType(byte, 32)
        place = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), vector.as_pointer())
        there, wanted = builder.load(place, align=1), ir.Constant(vector, ir.Undefined)
        one = builder.trunc(arguments[2], byte)
        for number in range(32):
            wanted = builder.insert_element(wanted, one, ir.Constant(lane, number))
        same = builder.icmp_unsigned("==", there, wanted)
        return builder.zext(builder.bitcast(same, lane), _WORD)

    return types.int64(pointer, types.int64, types.int64), generate


def _line_of(context, builder, arguments):
    """A line of elements from one on, and a number as often."""
    vector, lane = ir.VectorType(_WORD, HOST_LINE), ir.IntType(32)
    place = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), vector.as_pointer())
    there, same = builder.load(place, align=8), ir.Constant(vector, ir.Undefined)
    for number in range(HOST_LINE):
        same = builder.insert_element(same, arguments[2], ir.Constant(lane, number))
    return there, same


@intrinsic
def up_to(typing_context, pointer, first, limit):
    """Which of the HOST_LINE elements from `first` on are not above a limit, as bits."""

    def generate(context, builder, signature, arguments):
        there, limits = _line_of(context, builder, arguments)
        bits = builder.bitcast(builder.icmp_signed("<=", there, limits), ir.IntType(HOST_LINE))
        return builder.zext(bits, _WORD)

    return types.int64(pointer, types.int64, types.int64), generate


@intrinsic
def with_any_of(typing_context, pointer, first, mask):
    """Which of the HOST_LINE elements from `first` on have any of the bits of a mask, as bits."""

    def generate(context, builder, signature, arguments):
        there, masks = _line_of(context, builder, arguments)
        none = ir.Constant(there.type, None)
        bits = builder.icmp_signed("!=", builder.and_(there, masks), none)
        return builder.zext(builder.bitcast(bits, ir.IntType(HOST_LINE)), _WORD)

    return types.int64(pointer, types.int64, types.int64), generate


@intrinsic
def least_above(typing_context, pointer, first, limit):
    """The least of the HOST_LINE elements from `first` on that are above a limit, else the largest
    int64."""

    def generate(context, builder, signature, arguments):
        there, limits = _line_of(context, builder, arguments)
        largest = ir.Constant(there.type, [(1 << 63) - 1] * HOST_LINE)
        above = builder.select(builder.icmp_signed(">", there, limits), there, largest)
        name = f"llvm.vector.reduce.smin.v{HOST_LINE}i64"
        kind = ir.FunctionType(_WORD, [there.type])
        return builder.call(builder.module.declare_intrinsic(name, (), kind), [above])

    return types.int64(pointer, types.int64, types.int64), generate
