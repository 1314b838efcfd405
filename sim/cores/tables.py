"""A state of many arrays as one word: jitted code is given a table of where the arrays are.

    class State(NamedTuple):
        clock: I64
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

In jitted code a state is three words: the arena (see `sim.cores.addresses`), the places of its
arrays, and the table.  In code that is made for one program the places are constants: LLVM finds
the elements of constant arrays, and turns all others of the arena into its address plus a number.
Of a state without an arena only the table is used.
"""

from __future__ import annotations

from functools import cache

from llvmlite import ir
from llvmlite.binding import get_process_triple
from numba import from_dtype, types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, register_model
from numba.np.arrayobj import populate_array

from machines.array_fields import ArrayField, fields_of
from sim.cores.addresses import is_bound

WORD = ir.IntType(64)
"""What a table is made of."""


class TableType(types.Type):
    """The type of tables of the states of a class: where each field stands, and what it is."""

    def __init__(self, kind: type):
        super().__init__(f"Table({kind.__module__}.{kind.__qualname__})")
        self.kind = kind
        self.fields: dict[str, tuple[int, types.Type]] = {}
        self.extents: dict[str, tuple[int | None, ...]] = {}
        place = 0
        for name, of in fields_of(kind).items():
            if not isinstance(of, ArrayField):
                found = table_type(of)
                words = found.words
            elif of.axes == 1:
                found, words = types.CPointer(from_dtype(of.dtype)), 1
            else:
                found, words = types.Array(from_dtype(of.dtype), of.axes, "C"), 1 + of.axes
                self.extents[name] = of.extents
            self.fields[name] = place, found
            place += words
        self.words = place


@register_model(TableType)
class _TableModel(models.StructModel):
    """Three words, of which the functions of a state without an arena use the last."""

    def __init__(self, manager, kind):
        words = types.CPointer(types.int64)
        members = [("arena", types.CPointer(types.uint8)), ("places", words), ("table", words)]
        super().__init__(manager, kind, members)


@infer_getattr
class _TableFields(AttributeTemplate):
    key = TableType

    def generic_resolve(self, kind, name):
        return kind.fields[name][1] if name in kind.fields else None


@lower_getattr_generic(TableType)
def _read_field(context, builder, kind, state, name):
    place, of = kind.fields[name]
    step = ir.Constant(WORD, place)
    arena, places, table = (builder.extract_value(state, k) for k in range(3))
    if isinstance(of, TableType):
        inner = builder.insert_value(state, builder.gep(places, [step]), 1)
        return builder.insert_value(inner, builder.gep(table, [step]), 2)
    pointer = context.get_value_type(
        of if isinstance(of, types.CPointer) else types.CPointer(of.dtype)
    )
    word = builder.gep(table, [step])
    if not is_bound(kind.kind) or name in kind.kind.OUTSIDE:
        data = _load(builder, word, pointer)
    elif name in kind.kind.CONSTANT:
        data = _load(builder, builder.gep(places, [step]), pointer)
    else:
        distance = _load(builder, builder.gep(places, [step]), WORD)
        data = builder.bitcast(builder.gep(arena, [distance]), pointer)
    if isinstance(of, types.CPointer):
        return data
    return _array(context, builder, of, data, word, kind.extents[name])


def _array(context, builder, of, data, word, extents):
    """An array of several axes, whose extents stand behind its word of the table; those that are
    known before are part of the code."""
    array = context.make_array(of)(context, builder)
    shape = [
        _load(builder, builder.gep(word, [ir.Constant(WORD, 1 + axis)]), WORD)
        if extent is None
        else ir.Constant(WORD, extent)
        for axis, extent in enumerate(extents)
    ]
    itemsize = ir.Constant(WORD, of.dtype.bitwidth // 8)
    strides = [itemsize]
    for extent in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], extent))
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
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
            kind = signature.return_type
            table = builder.inttoptr(arguments[0], WORD.as_pointer())
            state = ir.Constant(context.get_value_type(kind), ir.Undefined)
            if is_bound(kind.kind):
                places = builder.gep(table, [ir.Constant(WORD, kind.words)])
                last = builder.gep(places, [ir.Constant(WORD, kind.words)])
                arena = _load(builder, last, ir.IntType(8).as_pointer())
                state = builder.insert_value(state, arena, 0)
                state = builder.insert_value(state, places, 1)
            return builder.insert_value(state, table, 2)

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


@intrinsic
def call_at(typing_context, address, first, second):
    """What the C function at an address gives, of two numbers."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(WORD, [WORD, WORD])
        function = builder.inttoptr(arguments[0], kind.as_pointer())
        return builder.call(function, arguments[1:])

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def copy_elements(typing_context, target, source, count):
    """Copy `count` elements from one pointer to another; they do not overlap."""

    def generate(context, builder, signature, arguments):
        byte = ir.IntType(8).as_pointer()
        element = context.get_abi_sizeof(context.get_value_type(target.dtype))
        words = [builder.bitcast(pointer, byte) for pointer in arguments[:2]]
        length = builder.mul(arguments[2], ir.Constant(WORD, element))
        copy = builder.module.declare_intrinsic("llvm.memcpy", [byte, byte, WORD])
        builder.call(copy, [*words, length, ir.Constant(ir.IntType(1), 0)])
        return context.get_dummy_value()

    return types.none(target, source, types.int64), generate


@intrinsic
def prefetch(typing_context, pointer, count):
    """Ask the host's cache for the element that is `count` after the first."""

    def generate(context, builder, signature, arguments):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        place = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), byte)
        builder.call(ask, [place, *(ir.Constant(number, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.none(pointer, types.int64), generate


@intrinsic
def load_acquire(typing_context, pointer, count):
    """An element that another thread of the host writes by `store_release`: what that thread wrote
    before it is there, too."""

    def generate(context, builder, signature, arguments):
        return builder.load_atomic(builder.gep(arguments[0], [arguments[1]]), "acquire", 8)

    return types.int64(pointer, types.int64), generate


@intrinsic
def store_release(typing_context, pointer, count, value):
    """See `load_acquire`."""

    def generate(context, builder, signature, arguments):
        place = builder.gep(arguments[0], [arguments[1]])
        builder.store_atomic(arguments[2], place, "release", 8)
        return context.get_dummy_value()

    return types.none(pointer, types.int64, types.int64), generate


@intrinsic
def pause(typing_context):
    """Let the host's processor do something else for some cycles, where it can be told to: another
    thread may share what it has."""

    def generate(context, builder, signature, arguments):
        if get_process_triple().startswith("x86_64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.none(), generate
