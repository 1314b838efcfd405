"""What a launch gives a parameter, or computes: numbers, pointers, structures, expressions.

    arguments: [x, x + 16, null, n - step, {struct: [{i32: 3}, {f32: 2.5}, {ptr: x}]}]

A text is an expression over the workload's scalars and the counters of the loops around; one that
begins with an array's name is a pointer into it, moved on by whole elements as in C.  A structure
lists its fields in order, each with its type; they lie where a C compiler puts them.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from machines.description.schema import BYTES
from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, Location, nearest
from machines.elements import as_elements, in_memory, type_of
from machines.kinds.simt.program import KernelParameter
from machines.later import Later
from machines.types import ELEMENTS
from sim.kinds.simt import tensor_maps
from sim.kinds.simt.conditions import CHECKED, NONE, Conditions, conditions
from sim.workload.element_types import overflows
from sim.workload.expressions import Expression, evaluate, parse
from sim.workload.inputs import shown
from sim.workload.values import ROOM, STRUCTURE, TENSOR_MAP, is_array, is_room, is_structure

np = Later("numpy")

POINTER, BOOLEAN = "ptr", "boolean"
_FLOATS = {name: type for name, type in ELEMENTS.items() if type.is_float}
FIELD_TYPES = (*(name for name, type in ELEMENTS.items() if type.in_byte == 1), POINTER)
"""Types of a structure's fields; the workload says a parameter's by its bits: see `bits_type`."""
ALIGNMENT = "align"
MOST_ALIGNMENT = 128
MOST_ROOM = 1 << 30
"""Bytes; what a block of a machine may have is asked when it is launched."""
_IN_UNITS = re.compile(r"\d+ ?([KMG]i)?B")
_DIVIDES = "'//' divides integers"


def bits_type(bytes: int) -> str:
    """The type of so many bytes that may be a signed or an unsigned integer."""
    return f"b{8 * bytes}"


def size_of(type: str) -> int:
    """Bytes of a type, which is also its alignment."""
    if type == POINTER:
        return 8
    return ELEMENTS[type].bytes if type in ELEMENTS else int(type[1:]) // 8


# ---- What there is when a launch begins ---------------------------------------------------------


@dataclass
class Names:
    """What the texts of launches may name.

    arguments  the workload's
    counters   of the loops around
    """

    arguments: Mapping[str, Node]
    counters: frozenset[str] = frozenset()

    @property
    def scalars(self) -> list[str]:
        return [n for n, a in self.arguments.items() if isinstance(a.value, bool | int | float)]

    def with_counter(self, name: str) -> Names:
        return Names(self.arguments, self.counters | {name})


@dataclass
class State:
    """What the names stand for when a launch begins.

    numbers  scalars and counters
    aliases  which array a name stands for, where it is not the one of its own name
    arrays   (type of an element, elements) of every array
    address  of an array
    tables   (bytes of an element, elements) of those that are tables
    shapes   extents of every array
    """

    numbers: dict[str, int | float | bool]
    arrays: Mapping[str, tuple[np.dtype, int]]
    address: Callable[[str], int]
    aliases: dict[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def array(self, name: str) -> str:
        """The array that a name stands for."""
        return self.aliases.get(name, name)


# ---- Values -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number: as written, that of a scalar or counter, or that of an expression."""

    node: Node
    value: int | float | bool | None = None
    name: str | None = None
    expression: Expression | None = None
    must: Conditions = NONE

    @property
    def names(self) -> Iterator[str]:
        if self.name is not None:
            yield self.name
        if self.expression is not None:
            yield from _names_in(self.expression.tree)

    def of(self, state: State) -> int | float | bool:
        value = self._value(state)
        problem = self.must.broken_by_number(value)
        if problem is not None:
            own = self.name or self.node.value
            own = f"'{own}' is " if isinstance(own, str) else ""
            raise self.error(state, f"{own}{shown(value)}, {problem[0]}", problem[1])
        return value

    def _value(self, state: State) -> int | float | bool:
        if self.name is not None:
            return state.numbers[self.name]
        if self.expression is not None:
            return _evaluated(self.node, self.expression, state)
        return self.value

    def integer(self, state: State, what: str, lowest: int, highest: int) -> int:
        """The value, which must be an integer in a range."""
        value = self.of(state)
        if isinstance(value, bool) or not isinstance(value, int):
            hint = _DIVIDES if self.expression else None
            raise self.error(state, f"{what} is {shown(value)}, not an integer", hint)
        if not lowest <= value <= highest:
            raise self.error(state, f"{what} is {value}", f"from {lowest} to {highest}")
        return value

    def error(self, state: State, message: str, hint: str | None = None) -> InputError:
        """An error at the value; that of an expression says what its names stood for."""
        named = [name for name in dict.fromkeys(self.names) if name in state.numbers]
        if self.expression is not None and named:
            message += " where " + ", ".join(f"{n} = {state.numbers[n]}" for n in named)
        return InputError(self.node.finding(message, hint))


@dataclass(frozen=True)
class Pointer:
    """The address of an array, moved on by so many elements; null if there is no array."""

    node: Node
    array: str | None
    offset: Number | None = None
    must: Conditions = NONE

    @property
    def names(self) -> Iterator[str]:
        if self.array is not None:
            yield self.array
        if self.offset is not None:
            yield from self.offset.names

    def of(self, state: State) -> int:
        if self.array is None:
            return 0
        array = state.array(self.array)
        address = self._address(array, state)
        problem = self.must.broken_by_array(*self._facts(array, state), address)
        if problem is not None:
            message, hint = problem
            raise InputError(self.node.finding(f"'{self.node.value}' is {message}", hint))
        return address

    def _facts(self, array: str, state: State) -> tuple[str | None, int | None]:
        """Its elements and axes, where they are known."""
        if array not in state.arrays:
            return None, None
        shape = state.shapes.get(array)
        return type_of(state.arrays[array][0]).name, None if shape is None else len(shape)

    def _address(self, array: str, state: State) -> int:
        if self.offset is None:
            return state.address(array)
        what = f"the offset into '{array}'"
        if array in state.tables:
            size, count = state.tables[array]
            return state.address(array) + size * self.offset.integer(state, what, 0, count)
        dtype, count = state.arrays[array]
        type = type_of(dtype)
        offset = self.offset.integer(state, what, 0, count)
        if offset % type.in_byte:
            message = f"{what} is {offset}, which is within a byte"
            hint = f"{type.in_byte} elements of {type} are one: an even number"
            raise self.offset.error(state, message, hint)
        return state.address(array) + type.size(offset)


@dataclass(frozen=True)
class ArrayFact(Number):
    """A number that an array says: its elements, bytes of one, an extent, a stride.

    array, axis  of which; `what` is one of FACTS
    """

    array: str = ""
    what: str = ""
    axis: int = 0

    @property
    def names(self) -> Iterator[str]:
        yield self.array

    def _value(self, state: State) -> int:
        array = state.array(self.array)
        dtype, count = state.arrays[array]
        bytes, shape = type_of(dtype).bytes, state.shapes[array]
        if self.what == "size":
            return count
        if self.what == "item":
            return bytes
        if not 0 <= self.axis < len(shape):
            message = f"'{self.array}' has {len(shape)} axes: there is no axis {self.axis}"
            raise InputError(self.node.finding(message))
        if self.what == "extent":
            return shape[self.axis]
        stride = math.prod(shape[self.axis + 1 :])
        return stride * bytes if self.what == "stride" else stride


@dataclass(frozen=True)
class MapWord(Number):
    """A number of 64 bits of a tensor map."""

    map: tensor_maps.TensorMap | None = None
    word: int = 0

    @property
    def names(self) -> Iterator[str]:
        yield from self.map.pointer.names
        for listed in (self.map.shape, self.map.strides, self.map.box, self.map.steps):
            for one in listed or ():
                yield from one.names

    def _value(self, state: State) -> int:
        return self.map.words(state)[self.word]


FACTS = {
    "size": False, "item": False, "extent": True, "stride": True, "stride_in_elements": True,
}  # fmt: skip
"""What an array can be asked for in a launch, and whether of an axis: `{extent: [x, 0]}`."""


@dataclass(frozen=True)
class Structure:
    """Bytes with values at offsets; padding is zero.

    parts  (offset, type, value) of what is in it, those of inner structures too
    """

    node: Node
    size: int
    alignment: int
    parts: tuple[tuple[int, str, Number | Pointer], ...]

    @property
    def names(self) -> Iterator[str]:
        for _, _, value in self.parts:
            yield from value.names

    def of(self, state: State) -> bytes:
        space = bytearray(self.size)
        for offset, type, value in self.parts:
            space[offset : offset + size_of(type)] = packed(value, type, state, f"a field ({type})")
        return bytes(space)


@dataclass(frozen=True)
class Room:
    """So many bytes of dynamic shared memory, of which the parameter gets the address."""

    node: Node
    size: Number

    @property
    def names(self) -> Iterator[str]:
        yield from self.size.names

    def bytes(self, state: State) -> int:
        return self.size.integer(state, "room in shared memory", 1, MOST_ROOM)


Value = Number | Pointer | Structure | Room


def _names_in(tree: ast.AST) -> Iterator[str]:
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return (
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called
    )


def _evaluated(node: Node, expression: Expression, state: State) -> int | float:
    inputs = {name: np.asarray(value) for name, value in state.numbers.items()}
    value = evaluate(expression, inputs).value
    if value.ndim:
        raise InputError(node.finding("this is an array, and one number is wanted"))
    return value.item()


# ---- Reading ------------------------------------------------------------------------------------


def read_value(node: Node, names: Names) -> Value:
    """What a node of a launch stands for; raises InputError where it stands for nothing."""
    if node.value is None:
        return Pointer(node, None)
    if is_structure(node):
        return read_structure(node, names)
    if isinstance(node.value, dict) and CHECKED in node.value:
        inner = read_value(node.value[CHECKED], names)
        if isinstance(inner, Structure | Room):
            raise InputError(node.finding("a structure has no conditions, nor has room"))
        return replace(inner, must=conditions(node))
    if isinstance(node.value, dict) and len(node.value) == 1 and next(iter(node.value)) in FACTS:
        return _read_fact(node, names)
    if is_room(node):
        return _read_room(node, names)
    if isinstance(node.value, list | dict):
        hint = f"name an argument, or write {{{STRUCTURE}: […]}}"
        raise InputError(node.finding("an array cannot stand here", hint))
    if not isinstance(node.value, str):
        return Number(node, node.value)
    named = names.arguments.get(node.value)
    if named is not None:
        if named.value is None:
            return Pointer(node, None)
        if is_structure(named):
            return read_structure(named, names)
        if is_room(named):
            return _read_room(named, names)
        if is_array(named):
            return Pointer(node, node.value)
        if not isinstance(named.value, str):
            return Number(node, name=node.value)
    if node.value in names.counters:
        return Number(node, name=node.value)
    return _read_text(node, names)


def _read_fact(node: Node, names: Names) -> ArrayFact:
    """What is asked of an array: `{size: x}`, `{extent: [x, 0]}`."""
    [(what, asked)] = node.value.items()
    parts = asked.value if isinstance(asked.value, list) else [asked]
    plain = [one.value for one in parts]
    of_axis = FACTS[what]
    if len(plain) != 1 + of_axis or (of_axis and type(plain[1]) is not int):
        example = f"{{{what}: [x, 0]}}" if of_axis else f"{{{what}: x}}"
        raise InputError(node.finding(f"'{what}' is asked of an array, {example}"))
    named = names.arguments.get(plain[0]) if isinstance(plain[0], str) else None
    if named is None or not is_array(named):
        hint = nearest(str(plain[0]), [n for n, one in names.arguments.items() if is_array(one)])
        raise InputError(asked.finding(f"there is no array '{plain[0]}'", hint))
    return ArrayFact(node, array=plain[0], what=what, axis=plain[1] if of_axis else 0)


def _read_room(node: Node, names: Names) -> Room:
    """`{shared: 4 KiB}`, `{shared: "4 * n"}`."""
    size = node.value[ROOM]
    if isinstance(size.value, str) and _IN_UNITS.fullmatch(size.value):
        return Room(node, Number(size, BYTES.parse(size.value)))
    return Room(node, read_number(size, names))


def read_number(node: Node, names: Names) -> Number:
    """A number, or an expression over scalars and counters."""
    value = read_value(node, names)
    if not isinstance(value, Number):
        raise InputError(node.finding("a number is wanted here"))
    return value


def _read_text(node: Node, names: Names) -> Number | Pointer:
    arrays = [name for name, argument in names.arguments.items() if is_array(argument)]
    text = node.value
    base = _base(text)
    if base in arrays:
        moved = "0".ljust(len(base)) + text.lstrip()[len(base) :]
        offset = text[: len(text) - len(text.lstrip())] + moved
        return Pointer(node, base, Number(node, expression=_parsed(node, offset, names)))
    if base is not None and text.strip() == base and base not in (*names.scalars, *names.counters):
        hint = nearest(base, [*names.arguments, *names.counters])
        raise InputError(node.finding(f"there is no argument '{base}'", hint))
    return Number(node, expression=_parsed(node, text, names))


def _base(text: str) -> str | None:
    """The name with which a sum begins: `x` of `x + 2 * n - 1`."""
    try:
        tree = ast.parse(text.strip().replace("\n", " "), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub):
        tree = tree.left
    return tree.id if isinstance(tree, ast.Name) else None


def _parsed(node: Node, text: str, names: Names) -> Expression:
    """An expression over scalars and counters; positions are exact if it stands on one line."""
    location = node.location
    line = node.text.splitlines()[location.line - 1] if node.text else ""
    if line[location.column - 1 : location.column] in ("'", '"'):
        location = Location(location.file, location.line, location.column + 1, location.length)
    return parse(text, [*names.scalars, *names.counters], location, node.text)


def read_structure(node: Node, names: Names) -> Structure:
    """A structure with its layout as C has it: every field at a multiple of its alignment, the
    whole a multiple of the largest; an empty one has a byte."""
    if TENSOR_MAP in node.value:
        return read_tensor_map(node, names)
    wrong = next((key for key in node.value if key not in (STRUCTURE, ALIGNMENT)), None)
    if wrong is not None:
        hint = f"a structure is {{{STRUCTURE}: [{{i32: 3}}, {{ptr: x}}], {ALIGNMENT}: 16}}"
        raise InputError(node.finding(f"a structure has no '{wrong}'", hint, key=wrong))
    fields = node.value[STRUCTURE]
    if not isinstance(fields.value, list):
        raise InputError(fields.finding("a structure is a list of fields", "[{i32: 3}, {ptr: x}]"))
    parts: list[tuple[int, str, Number | Pointer]] = []
    end, alignment = 0, _alignment(node)
    for one in fields.value:
        size, own, inner = _field(one, names)
        offset = -(-end // own) * own
        parts += [(offset + at, type, value) for at, type, value in inner]
        end, alignment = offset + size, max(alignment, own)
    return Structure(node, -(-max(end, 1) // alignment) * alignment, alignment, tuple(parts))


def read_tensor_map(node: Node, names: Names) -> Structure:
    """The 128 bytes of a tensor map: see `tensor_maps`."""
    said = tensor_maps.checked_keys(node)
    pointer = read_value(said[TENSOR_MAP], names)
    if not isinstance(pointer, Pointer) or pointer.array is None:
        raise InputError(said[TENSOR_MAP].finding("a tensor map is of an array", "name one"))

    def numbers(key: str) -> list[Number] | None:
        given = said.get(key)
        if given is None:
            return None
        listed = given.value if isinstance(given.value, list) else [given]
        found = [read_value(one, names) for one in listed]
        for one, place in zip(found, listed, strict=True):
            if not isinstance(one, Number):
                raise InputError(place.finding(f"'{key}' lists numbers"))
        return found

    swizzle, fill, element = (said.get(key) for key in ("swizzle", "fill", "element"))
    described = tensor_maps.TensorMap(
        node, pointer, element.value if element else None, numbers("shape"), numbers("strides"),
        numbers("box"), numbers("element_strides"),
        tensor_maps.SWIZZLES[swizzle.value if swizzle else 0],
        tensor_maps.FILLS[fill.value if fill else "zero"],
    )  # fmt: skip
    parts = [(8 * k, "b64", MapWord(node, map=described, word=k)) for k in range(16)]
    return Structure(node, tensor_maps.SIZE, tensor_maps.ALIGNMENT, tuple(parts))


def _alignment(node: Node) -> int:
    given = node.value.get(ALIGNMENT)
    if given is None:
        return 1
    value = given.value
    if type(value) is not int or not 1 <= value <= MOST_ALIGNMENT or value & (value - 1):
        hint = f"a power of two up to {MOST_ALIGNMENT}"
        raise InputError(given.finding(f"'{ALIGNMENT}': {shown(value)} is no alignment", hint))
    return value


def _field(node: Node, names: Names) -> tuple[int, int, list[tuple[int, str, Number | Pointer]]]:
    """Bytes, alignment and contents of a field."""
    if is_structure(node):
        inner = read_structure(node, names)
        return inner.size, inner.alignment, list(inner.parts)
    if not isinstance(node.value, dict) or len(node.value) != 1:
        raise InputError(node.finding("a field is its type and its value", "{f32: 2.5}"))
    [(type, content)] = node.value.items()
    if type not in FIELD_TYPES:
        hint = nearest(type, [*FIELD_TYPES, STRUCTURE])
        raise InputError(node.finding(f"there is no type '{type}'", hint, key=type))
    leaves = _leaves(content)
    size = size_of(type)
    values = [_field_value(leaf, type, names) for leaf in leaves]
    return size * len(leaves), size, [(size * k, type, v) for k, v in enumerate(values)]


def _leaves(node: Node) -> list[Node]:
    if not isinstance(node.value, list):
        return [node]
    return [leaf for child in node.value for leaf in _leaves(child)]


def _field_value(node: Node, type: str, names: Names) -> Number | Pointer:
    value = read_value(node, names)
    if isinstance(value, Structure):
        raise InputError(node.finding("a structure in a structure is a field of its own"))
    return value


# ---- Bytes --------------------------------------------------------------------------------------


def packed(value: Number | Pointer, type: str, state: State, what: str) -> bytes:
    """The bytes of a value of a type.

    Raises InputError, at the value, if it is none of the type; `what` says whose it is.
    """
    if isinstance(value, Pointer):
        if type not in (POINTER, "b64", "i64", "u64"):
            given = "null" if value.array is None else f"the array '{value.array}'"
            raise InputError(value.node.finding(f"{what} is a number, not {given}"))
        return value.of(state).to_bytes(8, "little")
    number = value.of(state)
    if type == POINTER:
        hint = "name an array, or write null for a pointer to nothing"
        raise value.error(state, f"{what} is an array, not a number", hint)
    problem = _misfit(number, type)
    if problem is not None:
        message, hint = problem
        if value.expression is not None and isinstance(number, float) and type not in _FLOATS:
            hint = _DIVIDES
        raise value.error(state, f"{what}: {message}", hint)
    if type in _FLOATS:
        return in_memory(as_elements([float(number)], type)).tobytes()
    return (int(number) & (1 << 8 * size_of(type)) - 1).to_bytes(size_of(type), "little")


def _misfit(number: int | float | bool, type: str) -> tuple[str, str | None] | None:
    """Why a number is none of a type, and a hint."""
    is_boolean = isinstance(number, bool)
    if type == BOOLEAN:
        is_bit = isinstance(number, int) and number in (0, 1)
        return None if is_bit else (f"{shown(number)} is not a boolean", "write true or false")
    if is_boolean and size_of(type) > 1:
        return f"expected a number, found {shown(number)}", None
    misfit = f"{shown(number)} does not fit into {_type_text(type)}"
    if type in _FLOATS:
        return (misfit, None) if overflows(number, _FLOATS[type]) else None
    if isinstance(number, float):
        return f"{number} is not an integer", f"write {number:.0f}" if number.is_integer() else None
    low, high = _range(type)
    return None if low <= number <= high else (misfit, f"from {low} to {high}")


def _type_text(type: str) -> str:
    return f"{8 * size_of(type)} bits" if type[0] == "b" else type


def _range(type: str) -> tuple[int, int]:
    bits = 8 * size_of(type)
    low = 0 if type[0] == "u" else -(1 << (bits - 1))
    return low, (1 << (bits - 1)) - 1 if type[0] == "i" else (1 << bits) - 1


def parameter_name(parameter: KernelParameter) -> str:
    """What messages call a parameter: those of PTX have the kernel's name and a number."""
    return re.sub(r"^.+_(param_\d+)$", r"\1", parameter.name)


def described(parameter: KernelParameter) -> str:
    """A parameter's name and what it takes."""
    type = parameter.type
    if type is None:
        what = f"a structure of {parameter.bytes} bytes"
    else:
        what = "a pointer" if type.kind == "pointer" else f"{8 * parameter.bytes} bits"
        what = "room in shared memory" if parameter.room else what
    return f"{parameter_name(parameter)} ({what})"


def parameter_type(parameter: KernelParameter, declared: str | None) -> str:
    """The type of a scalar parameter: what the source language says of it, else its bits.

    A pointer where the program says that it is one; of a 64-bit integer the value decides.
    """
    if declared is not None:
        return declared
    type = parameter.type
    if type.kind == "pointer":
        return POINTER
    if type.bits == 1:
        return BOOLEAN
    if type.is_float:
        return type.name
    return f"i{8 * parameter.bytes}" if parameter.signed else bits_type(parameter.bytes)


def parameter_bytes(
    value: Value, parameter: KernelParameter, declared: str | None, state: State
) -> bytes:
    """The bytes of a parameter; of room the launch knows where it is.

    Raises InputError at the value if it is not what the parameter takes.
    """
    name, node = parameter_name(parameter), value.node
    if isinstance(value, Room) != (parameter.room > 0):
        if parameter.room:
            hint = f"how many bytes it gets: {{{ROOM}: 1 KiB}}"
            raise InputError(node.finding(f"'{name}' points into shared memory", hint))
        raise InputError(node.finding(f"'{name}' does not point into shared memory"))
    if isinstance(value, Room):
        return bytes(parameter.bytes)
    if isinstance(value, Structure):
        check_structure(value, parameter)
        return value.of(state)
    if parameter.type is None:
        hint = f"its fields in order: {{{STRUCTURE}: [{{i32: 3}}, {{f32: 2.5}}, {{ptr: x}}]}}"
        raise InputError(node.finding(f"'{name}' is a structure of {parameter.bytes} bytes", hint))
    return packed(value, parameter_type(parameter, declared), state, f"'{name}'")


def check_structure(value: Structure, parameter: KernelParameter) -> None:
    """Raise InputError, at a structure, if a parameter is none or another one."""
    name, node = parameter_name(parameter), value.node
    if parameter.type is not None:
        message = f"'{name}' is {8 * parameter.bytes} bits ({parameter.type}), not a structure"
        raise InputError(node.finding(message))
    layout = f"its fields begin at bytes {', '.join(str(at) for at, _, _ in value.parts[:16])}"
    if value.size != parameter.bytes:
        message = f"the structure has {value.size} bytes, '{name}' has {parameter.bytes}"
        raise InputError(node.finding(message, layout))
    if value.alignment > parameter.alignment:
        message = f"the structure is aligned to {value.alignment} bytes, '{name}' to "
        raise InputError(node.finding(message + str(parameter.alignment), layout))
