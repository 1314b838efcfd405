"""A state of many arrays as one word: jitted code is given a table of where the arrays are.

    class State(NamedTuple):
        clock: NDArray[np.int64]
        caches: Hierarchy                       # a NamedTuple of arrays, too

    table = table_of(state)                    # int64[arrays], in Python; `state` stays alive

    @jitted
    def tick(table):                            # the address of `table`
        state = view_of_state(table)            # view_of_state = view_of(State)
        state.clock[0] += 1                     # a pointer: one word, no bounds, no negative index

numba hands an array on as seven words and a tuple of arrays as all words of all of them: of fifty
arrays the compiler spent most of its time on that.  A function that is given a table gets one word.
Pointers have no length: what a function must know of it stands in the state.  An array of several
axes is one of numba's, made where it is named.
"""

from __future__ import annotations

from functools import cache

from llvmlite import ir
from numba import from_dtype, types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, register_model
from numba.np.arrayobj import populate_array

from sim.cores.addresses import ArrayField, fields_of

WORD = ir.IntType(64)
"""What a table is made of."""


class TableType(types.Type):
    """The type of tables of the states of a class: where each field stands, and what it is."""

    def __init__(self, kind: type):
        super().__init__(f"Table({kind.__module__}.{kind.__qualname__})")
        self.fields: dict[str, tuple[int, types.Type]] = {}
        place = 0
        for name, of in fields_of(kind).items():
            if not isinstance(of, ArrayField):
                found = table_type(of)
                words = found.words
            elif of.axes == 1:
                found, words = types.CPointer(from_dtype(of.dtype)), 1
            else:
                found, words = types.Array(from_dtype(of.dtype), of.axes, "C"), 1 + of.axes
            self.fields[name] = place, found
            place += words
        self.words = place


@register_model(TableType)
class _TableModel(models.PrimitiveModel):
    """A table is where its first word stands."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, WORD.as_pointer())


@infer_getattr
class _TableFields(AttributeTemplate):
    key = TableType

    def generic_resolve(self, kind, name):
        return kind.fields[name][1] if name in kind.fields else None


@lower_getattr_generic(TableType)
def _read_field(context, builder, kind, table, name):
    place, of = kind.fields[name]
    word = builder.gep(table, [ir.Constant(WORD, place)])
    if isinstance(of, TableType):
        return word
    if isinstance(of, types.CPointer):
        return _load(builder, word, context.get_value_type(of))
    array = context.make_array(of)(context, builder)
    shape = [
        _load(builder, builder.gep(word, [ir.Constant(WORD, 1 + axis)]), WORD)
        for axis in range(of.ndim)
    ]
    itemsize = ir.Constant(WORD, of.dtype.bitwidth // 8)
    strides = [itemsize]
    for extent in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], extent))
    populate_array(
        array,
        data=_load(builder, word, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=itemsize,
        meminfo=None,
    )
    return array._getvalue()


def _load(builder, word, kind):
    """A word of a table.  Nothing writes a table while jitted code runs, so LLVM may keep it."""
    found = builder.load(builder.bitcast(word, kind.as_pointer()))
    found.set_metadata("invariant.load", builder.module.add_metadata([]))
    return found


@cache
def table_type(kind: type) -> TableType:
    """The type of tables of the states of a NamedTuple class."""
    return TableType(kind)


@cache
def view_of(kind: type):
    """A jitted function: the table that stands at an address (int64), as a state of this class."""

    @intrinsic
    def view(typing_context, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], WORD.as_pointer())

        return table_type(kind)(types.int64), generate

    return view


@intrinsic
def beyond(typing_context, array, count):
    """A pointer to the element of an array that is `count` after the first, rows one after the
    other; `array` may be a pointer, too."""

    def generate(context, builder, signature, arguments):
        first = arguments[0]
        if isinstance(array, types.Array):
            first = context.make_array(array)(context, builder, first).data
        return builder.gep(first, [arguments[1]])

    pointer = types.CPointer(array.dtype)
    return pointer(array, types.int64), generate
