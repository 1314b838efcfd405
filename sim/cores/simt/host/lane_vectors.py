"""Lanes of registers and words of memory that are moved several at a time, as vectors of the host.

    copy_words(register, fresh, first)             lanes first … first + 15 of a register
    choose_words(register, fresh, mask, first)     the same, but those that are not in the mask stay
    gather_words(memory, offsets, register, first) each lane's word, from `memory` + its offset

A register is written as a whole, since the host waits long where what it reads was written piece by
piece just before.  Addresses are int64, as in `lane_words`.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

AT_ONCE = 16
"""Lanes that are moved together: a warp whose width is no multiple of it goes lane by lane."""
WORD = 4
"""Bytes."""

_I16, _I32, _I64 = (ir.IntType(bits) for bits in (16, 32, 64))
_WORDS = ir.VectorType(_I32, AT_ONCE)


def _place(builder, base, number, kind):
    """A vector that begins with element `number` of what is at an address."""
    element = builder.gep(builder.inttoptr(base, kind.element.as_pointer()), [number])
    return builder.bitcast(element, kind.as_pointer())


def _load(builder, base, number, element=_I32):
    kind = ir.VectorType(element, AT_ONCE)
    return builder.load(_place(builder, base, number, kind), align=element.width // 8)


def _store(builder, words, base, number):
    builder.store(words, _place(builder, base, number, _WORDS), align=4)


def _all_of(builder, value):
    """A vector of which every element is one value."""
    kind = ir.VectorType(value.type, AT_ONCE)
    vector = ir.Constant(kind, ir.Undefined)
    for lane in range(AT_ONCE):
        vector = builder.insert_element(vector, value, ir.Constant(_I32, lane))
    return vector


def _chosen(builder, words, mask, first, base, number):
    """Words of the lanes that are in a mask, others from where they are."""
    bits = builder.trunc(builder.lshr(mask, first), _I16)
    is_in = builder.bitcast(bits, ir.VectorType(ir.IntType(1), AT_ONCE))
    return builder.select(is_in, words, _load(builder, base, number))


def _merge(builder, register, fresh, first, width=None, mask=None):
    """Lanes of `fresh` into a register, or, with a width, lanes of 64 bits into a pair; if there is
    a mask, those in it."""
    if width is None:
        parts = [(_load(builder, fresh, first), first)]
    else:
        pairs = _load(builder, fresh, first, _I64)
        upper = builder.lshr(pairs, ir.Constant(pairs.type, [32] * AT_ONCE))
        parts = [
            (builder.trunc(pairs, _WORDS), first),
            (builder.trunc(upper, _WORDS), builder.add(first, width)),
        ]
    for words, number in parts:
        if mask is not None:
            words = _chosen(builder, words, mask, first, register, number)
        _store(builder, words, register, number)


@intrinsic
def copy_words(typing_context, register, fresh, first):
    """Lanes of `fresh` into those of a register."""

    def generate(context, builder, signature, arguments):
        _merge(builder, *arguments)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 3), generate


@intrinsic
def choose_words(typing_context, register, fresh, mask, first):
    """The same for the lanes in a mask."""

    def generate(context, builder, signature, arguments):
        register, fresh, mask, first = arguments
        _merge(builder, register, fresh, first, mask=mask)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), generate


@intrinsic
def copy_pairs(typing_context, register, fresh, width, first):
    """Lanes of `fresh`, 64 bits each, into those of a pair."""

    def generate(context, builder, signature, arguments):
        register, fresh, width, first = arguments
        _merge(builder, register, fresh, first, width)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), generate


@intrinsic
def choose_pairs(typing_context, register, fresh, mask, width, first):
    """The same for the lanes in a mask."""

    def generate(context, builder, signature, arguments):
        register, fresh, mask, width, first = arguments
        _merge(builder, register, fresh, first, width, mask)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 5), generate


@intrinsic
def spread_word(typing_context, register, value, mask, first):
    """One value for the lanes in a mask."""

    def generate(context, builder, signature, arguments):
        register, value, mask, first = arguments
        words = _all_of(builder, builder.trunc(value, _I32))
        _store(builder, _chosen(builder, words, mask, first, register, first), register, first)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), generate


def _are_apart(builder, offsets, step):
    """Whether each lane's offset is so much larger than that of the lane before."""
    first = _all_of(builder, builder.extract_element(offsets, ir.Constant(_I32, 0)))
    steps = ir.Constant(offsets.type, [step * lane for lane in range(AT_ONCE)])
    same = builder.icmp_unsigned("==", offsets, builder.add(first, steps))
    every = ir.Constant(_I16, -1)
    return builder.icmp_unsigned("==", builder.bitcast(same, _I16), every)


def _wide(builder, offset):
    return offset if offset.type == _I64 else builder.zext(offset, _I64)


def _gatherer(stored):
    """An intrinsic (memory, offsets, register, first): of lanes from `first` on, the word at
    `memory` and a lane's element of `offsets` into its element of `register`.

    Most lanes want words that follow each other, or the same one."""

    def typed(typing_context, memory, offsets, register, first):
        def generate(context, builder, signature, arguments):
            memory, offsets, register, first = arguments
            offsets = _load(builder, offsets, first, stored)

            def place(lane):
                offset = builder.extract_element(offsets, ir.Constant(_I32, lane))
                return builder.add(memory, _wide(builder, offset))

            def word(lane):
                return builder.load(builder.inttoptr(place(lane), _I32.as_pointer()))

            with builder.if_else(_are_apart(builder, offsets, WORD)) as (then, otherwise):
                with then:
                    words = _load(builder, place(0), ir.Constant(_I64, 0))
                    _store(builder, words, register, first)
                with otherwise, builder.if_else(_are_apart(builder, offsets, 0)) as (then, last):
                    with then:
                        _store(builder, _all_of(builder, word(0)), register, first)
                    with last:
                        words = ir.Constant(_WORDS, ir.Undefined)
                        for lane in range(AT_ONCE):
                            number = ir.Constant(_I32, lane)
                            words = builder.insert_element(words, word(lane), number)
                        _store(builder, words, register, first)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 4), generate

    return intrinsic(typed)


def _scatterer(stored):
    """An intrinsic (memory, offsets, register, first): the other way; of lanes that meet the last
    one stays."""

    def typed(typing_context, memory, offsets, register, first):
        def generate(context, builder, signature, arguments):
            memory, offsets, register, first = arguments
            offsets, words = _load(builder, offsets, first, stored), _load(builder, register, first)

            def place(lane):
                offset = builder.extract_element(offsets, ir.Constant(_I32, lane))
                return builder.add(memory, _wide(builder, offset))

            with builder.if_else(_are_apart(builder, offsets, WORD)) as (then, otherwise):
                with then:
                    _store(builder, words, place(0), ir.Constant(_I64, 0))
                with otherwise:
                    for lane in range(AT_ONCE):
                        word = builder.extract_element(words, ir.Constant(_I32, lane))
                        builder.store(word, builder.inttoptr(place(lane), _I32.as_pointer()))
            return context.get_dummy_value()

        return types.void(*[types.int64] * 4), generate

    return intrinsic(typed)


gather_words, gather_words_at = _gatherer(_I32), _gatherer(_I64)
scatter_words, scatter_words_at = _scatterer(_I32), _scatterer(_I64)
