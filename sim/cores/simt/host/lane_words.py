"""Reading and writing lanes of registers, as instructions of LLVM.

A register is a vector of words at an address of the host; lane k is element k of it:

    a = read_s32(register, lane)      load i32, extended to the int64 that meanings compute with
    write_f32(register, lane, d)      rounded to f32 (exactly, by the rows' contract), NaN canonical
    read_pair(register, lane, width)  a register of 64 bits: low halves, behind them the high ones

The halves of a pair stand as registers of 32 bits do: lanes that run other code may hold those
there at the same time.

LLVM takes the extensions out again where it makes vectors of a loop over lanes.  Addresses are
int64; functions that are called through one get int64 arguments only.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from machines.vocabulary.lanes import NAN_F32, NAN_F64

_I1, _I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
_F32, _F64 = ir.FloatType(), ir.DoubleType()
ARGUMENTS = 9
"""Of a function that runs meanings: see `sim.cores.simt.lanes`."""
MOST_LANES = 64


def _element(builder, base, number, kind):
    return builder.gep(builder.inttoptr(base, kind.as_pointer()), [number])


def _reader(stored, extend, result):
    """An intrinsic (register, lane) -> value."""

    def typed(typing_context, register, lane):
        def generate(context, builder, signature, arguments):
            return extend(builder, builder.load(_element(builder, *arguments, stored)))

        return result(types.int64, types.int64), generate

    return intrinsic(typed)


def _writer(stored, convert, given):
    """An intrinsic (register, lane, value)."""

    def typed(typing_context, register, lane, value):
        def generate(context, builder, signature, arguments):
            base, number, bits = arguments
            builder.store(convert(builder, bits), _element(builder, base, number, stored))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, given), generate

    return intrinsic(typed)


def _wide_sign(builder, value):
    return builder.sext(value, _I64)


def _wide_zero(builder, value):
    return builder.zext(value, _I64)


def _same(builder, value):
    return value


def _low_half(extend):
    """Of a 32-bit register the 16 bits in its low half."""
    return lambda builder, value: extend(builder, builder.trunc(value, _I16))


def _canonical(kind, bits, nan):
    def convert(builder, value):
        value = builder.fptrunc(value, kind) if kind is _F32 else value
        is_nan = builder.fcmp_unordered("uno", value, value)
        return builder.select(is_nan, ir.Constant(bits, nan), builder.bitcast(value, bits))

    return convert


read_s32 = _reader(_I32, _wide_sign, types.int64)
read_u32 = _reader(_I32, _wide_zero, types.int64)
read_s16 = _reader(_I32, _low_half(_wide_sign), types.int64)
read_u16 = _reader(_I32, _low_half(_wide_zero), types.int64)
read_b64 = _reader(_I64, _same, types.int64)
read_f32 = _reader(_F32, lambda builder, value: builder.fpext(value, _F64), types.float64)
read_f64 = _reader(_F64, _same, types.float64)
load_half = _reader(_I16, _wide_zero, types.int64)
store_half = _writer(_I16, lambda builder, value: builder.trunc(value, _I16), types.int64)
write_b32 = _writer(_I32, lambda builder, value: builder.trunc(value, _I32), types.int64)
write_b64 = _writer(_I64, _same, types.int64)
write_f32 = _writer(_I32, _canonical(_F32, _I32, NAN_F32), types.float64)
write_f64 = _writer(_I64, _canonical(_F64, _I64, NAN_F64), types.float64)


def _pair_reader(convert, result):
    """An intrinsic (register, lane, width) -> value of a pair."""

    def typed(typing_context, register, lane, width):
        def generate(context, builder, signature, arguments):
            base, number, width = arguments
            low = builder.load(_element(builder, base, number, _I32))
            high = builder.load(_element(builder, base, builder.add(number, width), _I32))
            upper = builder.shl(builder.zext(high, _I64), ir.Constant(_I64, 32))
            return convert(builder, builder.or_(upper, builder.zext(low, _I64)))

        return result(types.int64, types.int64, types.int64), generate

    return intrinsic(typed)


@intrinsic
def write_pair(typing_context, register, lane, width, value):
    def generate(context, builder, signature, arguments):
        base, number, width, value = arguments
        high = builder.lshr(value, ir.Constant(_I64, 32))
        second = builder.add(number, width)
        builder.store(builder.trunc(value, _I32), _element(builder, base, number, _I32))
        builder.store(builder.trunc(high, _I32), _element(builder, base, second, _I32))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64, types.int64), generate


read_pair = _pair_reader(_same, types.int64)
read_pair_f64 = _pair_reader(lambda builder, value: builder.bitcast(value, _F64), types.float64)
peek_u8, peek_s8 = _reader(_I8, _wide_zero, types.int64), _reader(_I8, _wide_sign, types.int64)
peek_u16, peek_s16 = _reader(_I16, _wide_zero, types.int64), _reader(_I16, _wide_sign, types.int64)
poke_8 = _writer(_I8, lambda builder, value: builder.trunc(value, _I8), types.int64)
poke_16 = _writer(_I16, lambda builder, value: builder.trunc(value, _I16), types.int64)


@intrinsic
def fresh_lanes(typing_context, number):
    """Room for a register on the stack, which nothing else can be; `number` sets it apart."""

    def generate(context, builder, signature, arguments):
        with builder.goto_entry_block():  # numba's own `alloca_once` would fill it with zeros
            room = builder.alloca(ir.ArrayType(_I64, MOST_LANES))
        return builder.ptrtoint(room, _I64)

    return types.int64(types.int64), generate


@intrinsic
def operand_address(typing_context, operands, number, base, own):
    """The address of an operand, from two int64 of the instruction: an offset in bytes from `base`,
    and 1 if the `own` bytes of the warp count too."""

    def generate(context, builder, signature, arguments):
        operands, number, base, own = arguments
        first = builder.mul(number, ir.Constant(_I64, 2))
        offset = builder.load(_element(builder, operands, first, _I64))
        second = builder.add(first, ir.Constant(_I64, 1))
        is_own = builder.load(_element(builder, operands, second, _I64))
        return builder.add(builder.add(base, offset), builder.mul(own, is_own))

    return types.int64(*[types.int64] * 4), generate


@intrinsic
def address_of(typing_context, pointer):
    """Where a pointer points to, as a number."""

    def generate(context, builder, signature, arguments):
        return builder.ptrtoint(arguments[0], _I64)

    return types.int64(pointer), generate


@intrinsic
def call_meaning(typing_context, function, a, b, c, d, e, f, g, h, i):
    """Call a function that runs meanings; the lanes' bits that it gives back are int64."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(_I64, [_I64] * ARGUMENTS)
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return types.int64(*[types.int64] * (ARGUMENTS + 1)), generate


@intrinsic
def first_bit(typing_context, bits):
    """The number of the lowest bit set; 64 if there is none."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(_I1, 0))

    return types.int64(types.int64), generate


@intrinsic
def last_bit(typing_context, bits):
    """The number of the highest bit set; -1 if there is none."""

    def generate(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(_I1, 0))
        return builder.sub(ir.Constant(_I64, 63), zeros)

    return types.int64(types.int64), generate


@intrinsic
def bit_count(typing_context, bits):
    """How many bits are set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate
