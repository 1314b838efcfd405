"""A printed module as a module of our IR: heads first, then bodies, then what depends on all.

define i32 @f(i32 %n) { … call i32 @f(i32 %m) … }   ->   func @f(n: i32) -> i32, which calls @f
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from compiler.frontends.llvm_ir.code import Code, unique
from compiler.frontends.llvm_ir.debug_types import argument_names, argument_types
from compiler.frontends.llvm_ir.instructions import Refused
from compiler.frontends.llvm_ir.lower_function import lower_body, lower_value, refusal
from compiler.frontends.llvm_ir.places import Places
from compiler.frontends.llvm_ir.prepare import Prepared
from compiler.frontends.llvm_ir.reader import LlvmModule, blocks_of, read_module
from compiler.frontends.llvm_ir.terms import VOID
from compiler.frontends.llvm_ir.tree import LlvmFunction
from compiler.frontends.llvm_ir.types import Unsupported, UnsupportedType
from compiler.frontends.llvm_ir.variables import Variables
from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import Function, Module
from compiler.ir.signature import Argument
from machines.diagnostics import InputError, input_error
from machines.types import I1, PTR, Type


class ModuleLowering:
    """Lowers function after function; global variables when one is first used.

    names, parameters   what functions and their parameters are called here
    codes               the functions that were written, by their new names
    """

    def __init__(self, prepared: Prepared):
        self.places: Places = prepared.places
        self.tree: LlvmModule = read_module(prepared.text)
        self.module = Module(source=self.places.source)
        self.names: dict[str, str] = {}
        self.parameters: dict[str, list[str]] = {}
        for name, function in self.tree.functions.items():
            self.names[name] = unique(name, set(self.names.values()))
            self.parameters[name] = self._parameter_names(function)
        if len(prepared.roots) == 1:
            self.module.entry = self.names[prepared.roots[0]]
        taken = {name for names in self.parameters.values() for name in names}
        self.variables = Variables(self.tree, self.places, taken)
        self.codes: dict[str, Code] = {}

    def run(self) -> Module:
        """The module; a function that cannot be had is in `Module.refused`."""
        builders: dict[str, Builder] = {}
        for function in self.tree.functions.values():
            with self._refusing(function.name):
                builders[function.name] = self._head(function)
        for name, builder in builders.items():
            with self._refusing(name):
                self._body(self.tree.functions[name], builder)
        self._refuse_callers()
        self._store_addresses()
        for buffer in self.variables.buffers(self.codes.values()):
            add_buffer(self.module, buffer)
        return self.module

    @contextmanager
    def _refusing(self, name: str) -> Iterator[None]:
        """An error in here is that of one function."""
        try:
            yield
        except InputError as error:
            self._refuse(self.names[name], error)

    def _refuse(self, name: str, error: InputError) -> None:
        self.module.functions.pop(name, None)
        self.codes.pop(name, None)
        self.module.refused[name] = error

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

    def _head(self, function: LlvmFunction) -> Builder:
        """Declare a function, so that others may call it."""
        place = self.places.of_function(function.name, function.debug)
        given = self.parameters[function.name]
        try:
            kinds = [_parameter_type(parameter.type) for parameter in function.parameters]
            result = None if function.result is VOID else _parameter_type(function.result)
        except (Refused, UnsupportedType) as error:
            raise refusal(error, f"define @{function.name}", place, self.places) from None
        parameters = list(zip(given, kinds, strict=True))
        name = self.names[function.name]
        builder = add_function(self.module, name, parameters, result, place)
        made = builder.function
        made.places = dict.fromkeys(given, place)
        made.returns, *known = self._arguments(function, [result, *kinds])
        made.signature = {n: a for n, a in zip(given, known, strict=True) if a is not None} or None
        made.separate = frozenset(
            name
            for (name, kind), parameter in zip(parameters, function.parameters, strict=True)
            if kind is PTR and "noalias" in parameter.words
        )
        return builder

    def _body(self, function: LlvmFunction, builder: Builder) -> None:
        code = Code(builder, self.variables, lower_value, self._callee)
        for parameter, (given, _) in zip(
            function.parameters, builder.function.parameters, strict=True
        ):
            code.values[parameter.name] = given
        blocks = blocks_of(function, self.tree, self._unread)
        lower_body(code, function, blocks, self.places)
        self.codes[builder.function.name] = code

    def _callee(self, name: str) -> str | None:
        """What a function of the file is called here; None if the file does not define it.

        Raises InputError if that function cannot be had: its caller cannot be had either.
        """
        found = self.names.get(name)
        if found in self.module.refused:
            raise self.module.refused[found]
        return found

    def _refuse_callers(self) -> None:
        """Functions that call one that cannot be had, and those that have a local array for each
        of an unknown number of calls of themselves."""
        functions = self.module.functions
        for name, code in list(self.codes.items()):
            if code.buffers and name in reachable(functions, name):
                first = code.buffers[0]
                message = f"'{name}' calls itself and has a local array, '{first.name}'"
                hint = "pass the array as an argument, or write a loop"
                place, source = first.location, self.places.source
                self._refuse(name, input_error(message, place, source=source, hint=hint))
        changed = True
        while changed:
            changed = False
            for name in list(functions):
                lost = next((c for c in functions[name].callees if c not in functions), None)
                if lost is not None:
                    self._refuse(name, self.module.refused[lost])
                    changed = True

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

    # Addresses in initial values

    def _store_addresses(self) -> None:
        """Each function that may be the entry stores them; one that is also called gets a shell
        around it that does, because they are stored once."""
        functions = self.module.functions
        called = {callee for function in functions.values() for callee in function.callees}
        wanted = {
            name: self.variables.with_addresses(
                variable
                for other in (name, *reachable(functions, name))
                for variable in self.codes[other].used
            )
            for name in functions
        }
        for name in [name for name in functions if name in called and wanted[name]]:
            self._wrap(name)
        for name, variables in wanted.items():
            code, entry = self.codes[name], functions[name].entry
            rest = entry.instructions
            code.builder.set_instructions(entry, [])
            code.builder.at(entry)
            code.builder.location = None
            for variable in variables:
                self.variables.store_addresses(code, variable)
            code.builder.set_instructions(entry, [*entry.instructions, *rest])
            code.builder.forget_unused_types()

    def _wrap(self, name: str) -> None:
        """Make `f` call `f.inner`, which is what it was; all calls of it become calls of that."""
        functions, old = self.module.functions, self.module.functions.pop(name)
        inner = unique(f"{name}.inner", functions)
        shell = add_function(self.module, name, old.parameters, old.result, old.location)
        new = shell.function
        new.places, new.signature, new.returns = old.places, old.signature, old.returns
        new.separate = old.separate
        functions[inner], old.name = old, inner
        for code in self.codes.values():
            for _, instruction in code.builder.function.instructions():
                if instruction.operation.calls and instruction.operands[0] == name:
                    code.builder.change(instruction, operands=(inner, *instruction.operands[1:]))
        shell.location = old.location
        shell.block("entry")
        arguments = [parameter for parameter, _ in old.parameters]
        row = f"call.{old.result}" if old.result else "call"
        value = shell.emit(row, inner, *arguments)
        shell.return_(*([] if value is None else [value]))
        self.codes[inner] = self.codes[name]
        self.codes[name] = Code(shell, self.variables, lower_value, self._callee)


def reachable(functions: Mapping[str, Function], name: str) -> list[str]:
    """The functions that a function calls, and those that they call; itself only if one does."""
    found: list[str] = []
    waiting = [name]
    while waiting:
        for callee in functions[waiting.pop()].callees:
            if callee in functions and callee not in found:
                found.append(callee)
                waiting.append(callee)
    return found


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
