"""Global and local variables as buffers.

Initial values are bytes; an address in one is not known before the program is laid out, so it is
stored when the program begins:

    @names = global [1 x ptr] [ptr @text]   ->   store.ptr names, text
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from compiler.frontends.llvm.lowering.code import (
    ARGUMENTS,
    RESULT,
    STACK,
    STACK_BYTES,
    STACK_USED,
    Code,
    tidy,
    unique,
)
from compiler.frontends.llvm.lowering.locations import Locations
from compiler.frontends.llvm.lowering.lower_memory import moved, store_scalar
from compiler.frontends.llvm.reading.heads import Head
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.lexer import Unreadable
from compiler.frontends.llvm.reading.reader import LlvmModule, read_global
from compiler.frontends.llvm.reading.sections import alignment_of_global, input_section
from compiler.frontends.llvm.reading.tree import Bytes, Elements, Global, Operand, Statement, Zero
from compiler.frontends.llvm.reading.types import (
    Array,
    Integer,
    Vector,
    bits_of,
    is_packed,
    parts_of,
    size_of,
    stored_bytes,
)
from compiler.ir.module import Buffer
from machines.diagnostics import Location
from machines.layout import WRITTEN_BYTES
from machines.types import I1, I8, I64, PTR, Type

RESULT_WORDS = 64
"""Of a result that is more than one scalar, at most."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable as a buffer; `addresses` are the parts of its initial value that the
    program computes, each with its offset in bytes; `input_section` as in reading/sections.py."""

    buffer: Buffer
    addresses: tuple[tuple[int, Operand], ...]
    input_section: str | None = None


class Variables:
    """The variables of a module; `taken` are names that no buffer may have.

    names   what each is called here
    callee  callee(name) -> what is known of a function of the file, None if it is none
    """

    def __init__(
        self,
        tree: LlvmModule,
        locations: Locations,
        taken: set[str],
        callee: Callable[[str], Head | None],
    ):
        self._tree, self._locations, self._taken = tree, locations, set(taken)
        self._callee = callee
        self._own: dict[str, Buffer] = {}  # the stack, and the like
        self.names = {name: self._new(name) for name in tree.globals_}
        self._known: dict[str, Variable] = {}
        self._whole: set[str] = set()  # those whose initial values are known to be possible

    def _new(self, name: str) -> str:
        found = unique(name, self._taken)
        self._taken.add(found)
        return found

    def symbol(self, name: str) -> str:
        """The buffer of a global variable; raises Refused if it cannot be had."""
        if name not in self._whole:
            self._whole.update(self._closure((name,)))
        return self.names[name]

    def local(self, name: str, size: int, alignment: int, location: Location | None) -> Buffer:
        """A new buffer for a local variable."""
        name = self._new(tidy(name))
        return Buffer(name, I8, max(1, size), location=location, alignment=alignment)

    def stack(self) -> str:
        """The buffer of local variables of functions that may run several times at once."""
        return self._made(STACK, I8, STACK_BYTES)

    def stack_used(self) -> str:
        """The buffer that says how many bytes of the stack are in use."""
        return self._made(STACK_USED, I64, 1)

    def arguments(self, words: int) -> str:
        """The buffer of arguments that are in no register; always of the same length."""
        return self._made(ARGUMENTS, I64, words)

    def result(self) -> str:
        """The buffer of results that are more than one scalar."""
        return self._made(RESULT, I64, RESULT_WORDS)

    def _made(self, name: str, dtype: Type, count: int) -> str:
        if name not in self._own:
            self._own[name] = Buffer(self._new(name), dtype, count)
        return self._own[name].name

    def descriptors(self) -> list[Buffer]:
        """The buffers whose addresses are those of functions."""
        return [v.buffer for v in self._known.values() if v.buffer.function is not None]

    def functions_named(self, names: Iterable[str]) -> list[str]:
        """The functions whose addresses these variables are, or hold."""
        return [name for name in self._closure(names) if name in self._tree.functions]

    def buffers(self, codes: Iterable[Code]) -> Iterator[Buffer]:
        """The buffers of global variables that functions use, then those of their own; variables of
        one input section stand together, as a linker finds them."""
        codes = list(codes)
        used = self._closure(variable for code in codes for variable in code.used)
        globals_ = [self._known[name] for name in self.names if name in used]
        inputs = list(dict.fromkeys(one.input_section for one in globals_))
        ordered = sorted(globals_, key=lambda one: inputs.index(one.input_section))
        yield from (one.buffer for one in ordered)
        for code in codes:
            yield from code.buffers
        yield from self._own.values()

    def with_addresses(self, names: Iterable[str]) -> list[str]:
        """Which of these variables, and of those whose addresses they hold, hold addresses."""
        return [name for name in self._closure(names) if self._known[name].addresses]

    def store_addresses(self, code: Code, name: str) -> None:
        """What a variable's initial value leaves open."""
        for offset, operand in self._known[name].addresses:
            target = moved(code, code.emit("address.ptr", self.symbol(name)), offset)
            store_scalar(code, operand.type, target, code.value(operand), operand.type.bytes)

    def _closure(self, names: Iterable[str]) -> list[str]:
        found = list(dict.fromkeys(names))
        for name in found:  # grows while it is gone through
            for _, operand in self._variable(name).addresses:
                found += [other for other in _named(operand) if other not in found]
        return found

    def _variable(self, name: str) -> Variable:
        if name not in self._known:
            described = name not in self._tree.globals_
            self._known[name] = self._descriptor(name) if described else self._read(name)
        return self._known[name]

    def _descriptor(self, name: str) -> Variable:
        """A function's address is that of a buffer that says where its code is."""
        function = self._callee(name)
        if function is None:
            raise Refused(
                f"the address of the function '{name}' is used, which this file does not define",
                "join the files with llvm-link, or write the function in C",
            )
        self.names[name] = self._new(f"{function.name}.descriptor")
        buffer = Buffer(self.names[name], I64, 2, "constant", function=function.name)
        return Variable(buffer, ())

    def _read(self, name: str) -> Variable:
        try:
            found = read_global(name, self._tree)
        except Unreadable as error:
            raise Refused(f"the variable '{name}' cannot be read: {error}") from None
        if found.value is None:
            raise Refused(
                f"the variable '{name}' is used, which this file does not define",
                "join the files with llvm-link",
            )
        size, is_zero = size_of(found.type), isinstance(found.value.value, Zero)
        if size > WRITTEN_BYTES and not is_zero:
            raise Refused(f"the variable '{name}' begins with {size} bytes", "let a loop fill it")
        data = bytearray(0 if is_zero else size)
        addresses = tuple(_write(found.value, 0, data))
        dtype, count = _elements(found.type)
        location = self._locations.of_global(name) if self._locations.own_lines else None
        held = bytes(data) if any(data) else None
        section = input_section(found, held, bool(addresses))
        made = Buffer(
            self.names[name],
            dtype,
            count,
            data=held,
            location=location,
            alignment=alignment_of_global(found),
            section=section.partition(".")[0],
        )
        return Variable(made, addresses, section)


def _named(operand: Operand) -> list[str]:
    """The global variables whose addresses a constant is computed from."""
    if isinstance(operand.value, Global):
        return [operand.value.name]
    if isinstance(operand.value, Statement):
        return [name for part in operand.value.operands for name in _named(part)]
    return []


def _elements(type) -> tuple[Type, int]:
    """A buffer's element type and count: those of the array, bytes for what is no array."""
    size = size_of(type)
    count = 1
    while isinstance(type, Array):
        count, type = count * type.count, type.element
    if isinstance(type, Type) and type is not I1 and type is not PTR and count:
        return type, count
    return I8, max(1, size)


def _write(operand: Operand, offset: int, data: bytearray) -> Iterator[tuple[int, Operand]]:
    """Put a constant's bytes where they belong; yields what only the program can compute."""
    value, type = operand.value, operand.type
    if isinstance(value, Bytes):
        data[offset : offset + len(value.data)] = value.data
    elif isinstance(value, Elements) and is_packed(type):
        data[offset : offset + stored_bytes(type)] = _packed(type, value)
    elif isinstance(value, Elements):
        for (_, within), part in zip(parts_of(type), value.values, strict=True):
            yield from _write(part, offset + within, data)
    elif isinstance(value, Global | Statement):
        if not isinstance(type, Type):
            raise Refused(f"an initial value of type {type} is not supported")
        yield offset, operand
    elif isinstance(type, Integer) and not isinstance(value, Zero):
        data[offset : offset + type.bytes] = (value & type.mask).to_bytes(type.bytes, "little")
    elif not isinstance(value, Zero):
        size = type.bytes
        if type.is_float:
            encoded = struct.pack("<f" if size == 4 else "<d", value)
        else:
            encoded = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        data[offset : offset + size] = encoded


def _packed(type: Vector, elements: Elements) -> bytes:
    """The bytes of a vector whose elements stand bit by bit side by side."""
    bits, whole = bits_of(type.element), 0
    for k, part in enumerate(elements.values):
        number = 0 if isinstance(part.value, Zero) else part.value
        whole |= (number & (1 << bits) - 1) << bits * k
    return whole.to_bytes(stored_bytes(type), "little")
