"""A printed module as a module of our IR.

Global variables become buffers.  Their initial values are bytes; an address in one is not known
before the program is laid out, so the entry stores it when it begins:

    @names = global [1 x ptr] [ptr @text]   ->   store.ptr names, text
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.frontends.llvm_ir.code import Code, tidy, unique
from compiler.frontends.llvm_ir.debug_types import argument_names, argument_types
from compiler.frontends.llvm_ir.instructions import Refused
from compiler.frontends.llvm_ir.lexer import Unreadable
from compiler.frontends.llvm_ir.lower_function import lower_body, lower_value, refusal
from compiler.frontends.llvm_ir.lower_memory import moved, store_scalar
from compiler.frontends.llvm_ir.places import Places
from compiler.frontends.llvm_ir.prepare import Prepared
from compiler.frontends.llvm_ir.reader import LlvmModule, blocks_of, read_global, read_module
from compiler.frontends.llvm_ir.terms import VOID
from compiler.frontends.llvm_ir.tree import (
    Bytes,
    Elements,
    Global,
    LlvmFunction,
    Operand,
    Statement,
    Zero,
)
from compiler.frontends.llvm_ir.types import (
    Array,
    Unsupported,
    UnsupportedType,
    parts_of,
    size_of,
)
from compiler.ir.builder import add_buffer, add_function
from compiler.ir.module import Buffer, Module
from compiler.ir.signature import Argument
from machines.diagnostics import InputError
from machines.types import I1, I8, PTR, Type


@dataclass(slots=True)
class Variable:
    """A global variable as a buffer; `addresses` are the parts of its initial value that the
    program computes, each with its offset in bytes."""

    buffer: Buffer
    addresses: list[tuple[int, Operand]] = field(default_factory=list)


class ModuleLowering:
    """Lowers function after function; global variables when one is first used."""

    def __init__(self, prepared: Prepared):
        self.places: Places = prepared.places
        self.tree: LlvmModule = read_module(prepared.text)
        self.module = Module(source=self.places.source)
        self.names = {name: self._parameter_names(f) for name, f in self.tree.functions.items()}
        taken = {name for names in self.names.values() for name in names}
        self.symbols: dict[str, str] = {}
        for name in self.tree.globals_:
            self.symbols[name] = unique(name, taken)
            taken.add(self.symbols[name])
        self.taken = taken
        if len(prepared.roots) == 1:
            self.module.entry = tidy(prepared.roots[0])
        self.variables: dict[str, Variable] = {}
        self.used: set[str] = set()
        self.locals: list[Buffer] = []

    def run(self) -> Module:
        """The module; a function that cannot be had is in `Module.refused`."""
        for function in self.tree.functions.values():
            self._function(function)
        for name in self.tree.globals_:
            if name in self.used:
                add_buffer(self.module, self.variables[name].buffer)
        for buffer in self.locals:
            add_buffer(self.module, buffer)
        return self.module

    # Functions

    def _parameter_names(self, function: LlvmFunction) -> list[str]:
        """As the C source names them, if the file says so, else as LLVM does; `%0` is arg0."""
        said, names = argument_names(self.places.nodes, function.debug), []
        for position, parameter in enumerate(function.parameters):
            name = parameter.name
            if name.isdigit():
                name = said.get(position + 1, f"arg{position}")
            names.append(unique(name, names))
        return names

    def _function(self, function: LlvmFunction) -> None:
        name = tidy(function.name)
        try:
            self._lower(function, name)
        except InputError as error:
            self.module.functions.pop(name, None)
            self.module.refused[name] = error

    def _lower(self, function: LlvmFunction, name: str) -> None:
        place = self.places.of_function(function.name, function.debug)
        head = f"define @{function.name}"
        try:
            parameters = [
                (given, _parameter_type(parameter.type))
                for given, parameter in zip(
                    self.names[function.name], function.parameters, strict=True
                )
            ]
            result = None if function.result is VOID else _parameter_type(function.result)
        except (Refused, UnsupportedType) as error:
            raise refusal(error, head, place, self.places) from None
        builder = add_function(self.module, name, parameters, result, place)
        made = builder.function
        made.places = {given: place for given, _ in parameters}
        made.returns, *known = self._arguments(
            function, [result, *(kind for _, kind in parameters)]
        )
        made.signature = {
            given: argument
            for (given, _), argument in zip(parameters, known, strict=True)
            if argument is not None
        } or None
        made.separate = frozenset(
            given
            for (given, kind), parameter in zip(parameters, function.parameters, strict=True)
            if kind is PTR and "noalias" in parameter.words
        )
        used: list[str] = []

        def symbol(variable: str) -> str:
            if variable not in used:
                used.append(variable)
            return self._variable(variable).buffer.name

        names = set(self.taken)
        code = Code(builder, symbol, lower_value, self.tree.functions.__contains__, names)
        for parameter, (given, _) in zip(function.parameters, parameters, strict=True):
            code.values[parameter.name] = given
        blocks = blocks_of(function, self.tree, self._unread)
        lower_body(code, function, blocks, self.places)
        self._store_addresses(code, used, symbol)
        builder.forget_unused_types()
        self.taken, self.used = names, self.used.union(used)
        self.locals += code.buffers

    def _arguments(self, function: LlvmFunction, kinds: list[Type | None]) -> list[Argument | None]:
        """What is known of the result and the parameters: from debug information, or `zeroext`."""
        words = [function.result_words, *(parameter.words for parameter in function.parameters)]
        said = argument_types(self.places.nodes, function.debug)
        if len(said) != len(kinds):  # structures that are passed in registers
            said = [None] * len(kinds)
        return [
            argument
            if argument is not None and kind is not None and _agree(argument, kind)
            else _unsigned(kind)
            if kind is not None and "zeroext" in heard
            else None
            for argument, kind, heard in zip(said, kinds, words, strict=True)
        ]

    def _unread(self, error: Exception, line: str) -> None:
        found = line.rsplit("!dbg !", 1)
        number = found[1].split(",")[0].strip() if len(found) > 1 else ""
        place = self.places.at(int(number)) if number.isdigit() else None
        text = " ".join(found[0].rstrip(", ").split())
        raise refusal(error, text, place, self.places)

    def _store_addresses(self, code: Code, used: list[str], symbol) -> None:
        """In the entry block, before everything else: the addresses in the variables used."""
        builder, entry = code.builder, code.builder.function.entry
        rest = entry.instructions
        builder.set_instructions(entry, [])
        builder.at(entry)
        builder.location = None
        for name in used:  # grows while it is gone through: addresses are of variables, too
            for offset, operand in self._variable(name).addresses:
                target = moved(code, code.emit("address.ptr", symbol(name)), offset)
                store_scalar(code, operand.type, target, code.value(operand), operand.type.bytes)
        builder.set_instructions(entry, [*entry.instructions, *rest])

    # Global variables

    def _variable(self, name: str) -> Variable:
        if name not in self.variables:
            if name not in self.tree.globals_:
                raise Refused(
                    f"the address of the function '{name}' is not supported",
                    "functions are inlined: call it by its name",
                )
            self.variables[name] = self._read_variable(name)
        return self.variables[name]

    def _read_variable(self, name: str) -> Variable:
        try:
            found = read_global(name, self.tree)
        except Unreadable as error:
            raise Refused(f"the variable '{name}' cannot be read: {error}") from None
        if found.value is None:
            raise Refused(
                f"the variable '{name}' is used, which this file does not define",
                "join the files with llvm-link",
            )
        data = bytearray(size_of(found.type))
        addresses = list(_write(found.value, 0, data))
        dtype, count = _elements(found.type)
        buffer = Buffer(
            self.symbols[name],
            dtype,
            count,
            data=bytes(data) if any(data) else None,
            location=self.places.of_global(name) if self.places.own_lines else None,
        )
        return Variable(buffer, addresses)


def _parameter_type(type) -> Type:
    if isinstance(type, Unsupported):
        raise UnsupportedType(type)
    if not isinstance(type, Type):
        raise Refused(f"a parameter or result of type {type} is not supported",
                      "give and return structures through pointers")  # fmt: skip
    return type


def _agree(argument: Argument, kind: Type) -> bool:
    """Whether what the source says can be so of a parameter that LLVM gives this type."""
    if argument.shape is not None:
        return kind is PTR
    return argument.dtype == "boolean" or (
        int(argument.dtype[1:]) == kind.bits and (argument.dtype[0] == "f") == kind.is_float
    )


def _unsigned(type: Type) -> Argument:
    return Argument("boolean" if type is I1 else f"u{type.bits}")


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
    elif isinstance(value, Elements):
        for (_, within), part in zip(parts_of(type), value.values, strict=True):
            yield from _write(part, offset + within, data)
    elif isinstance(value, Global | Statement):
        if not isinstance(type, Type):
            raise Refused(f"an initial value of type {type} is not supported")
        yield offset, operand
    elif not isinstance(value, Zero):
        size = type.bytes
        if type.is_float:
            encoded = struct.pack("<f" if size == 4 else "<d", value)
        else:
            encoded = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        data[offset : offset + size] = encoded
