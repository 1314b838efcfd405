"""Jitted twins of `machines/vocabulary/special_functions.py`: the same text, with the tables of
coefficients as constants of the machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from machines.vocabulary import special_functions, special_tables
from sim.cores import numbers
from sim.cores.jit import inlined, jitted_twins

_WORD = ir.IntType(64)


def _lookup(name: str, values: Iterable[int]) -> Callable:
    """An intrinsic: the number at an index of a constant table."""
    width = 64 if np.abs(values).max() >> 31 else 32
    element = ir.IntType(width)
    constants = [ir.Constant(element, int(value)) for value in values]

    def typed(typing_context, index):
        def generate(context, builder, signature, arguments):
            name_of_all = f"special.{name}"
            table = builder.module.globals.get(name_of_all)
            if table is None:
                array = ir.ArrayType(element, len(constants))
                table = cgutils.global_constant(
                    builder.module, name_of_all, ir.Constant(array, constants)
                )
            place = builder.gep(table, [ir.Constant(_WORD, 0), arguments[0]], inbounds=True)
            found = builder.load(place)
            return found if width == 64 else builder.sext(found, _WORD)

        return types.int64(types.int64), generate

    return intrinsic(typed)


_COLUMNS = {
    name: _lookup(name, column)
    for names, table in (
        (("constant_term", "linear_term", "square_term"), special_tables.ROWS),
        (("octave_start", "octave_bits"), special_tables.TANH_OCTAVES),
    )
    for name, column in zip(names, np.array(table).T, strict=True)
}
_TWINS = jitted_twins(special_functions, {**numbers.VOCABULARY, **_COLUMNS}, how=inlined)
VOCABULARY = {
    function.__name__: getattr(_TWINS, function.__name__)
    for function in special_functions.FUNCTIONS
}
