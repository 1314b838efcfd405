"""A printed module as a module of our IR: heads first, then bodies, then what depends on all.

define i32 @f(i32 %n) { … call i32 @f(i32 %m) … }   ->   func @f(n: i32) -> i32, which calls @f
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from compiler.frontends.llvm.lowering.code import Code, unique
from compiler.frontends.llvm.lowering.locations import Locations
from compiler.frontends.llvm.lowering.lower_function import lower_body, lower_value, refusal
from compiler.frontends.llvm.lowering.passing import IN_REGISTERS, Head, beyond_registers
from compiler.frontends.llvm.lowering.variables import RESULT_WORDS, Variables
from compiler.frontends.llvm.prepare import Prepared
from compiler.frontends.llvm.reading.call_graph import CallGraph, has_dynamic_arrays
from compiler.frontends.llvm.reading.debug_types import argument_names, argument_types
from compiler.frontends.llvm.reading.instructions import Refused
from compiler.frontends.llvm.reading.reader import LlvmModule, blocks_of, read_module
from compiler.frontends.llvm.reading.terms import VOID
from compiler.frontends.llvm.reading.tree import LlvmFunction
from compiler.frontends.llvm.reading.types import LlvmType, Unsupported, UnsupportedType, leaves_of
from compiler.ir.builder import Builder, add_buffer, add_function
from compiler.ir.module import Function, Module
from machines.diagnostics import InputError
from machines.signature import Argument
from machines.types import I1, PTR, Type


class ModuleLowering:
    """Lowers function after function; global variables when one is first used.

    own                 functions that the file itself defines
    names, parameters   what functions and their parameters are called here
    codes               the functions that were written, by their new names
    entries             those that alone will be run, if that is known
    begin               those whose parameters are a workload's arguments
    heads               what callers know of functions, by their new names
    """

    def __init__(self, prepared: Prepared, entries: Sequence[str] = ()):
        self.locations: Locations = prepared.locations
        self.tree: LlvmModule = read_module(prepared.text)
        self.own = prepared.own
        self.module = Module(source=self.locations.source)
        self.names: dict[str, str] = {}
        self.parameters: dict[str, list[str]] = {}
        for name, function in self.tree.functions.items():
            self.names[name] = unique(name, set(self.names.values()))
            self.parameters[name] = self._parameter_names(function)
        if len(prepared.roots) == 1:
            self.module.entry = self.names[prepared.roots[0]]
        taken = {name for names in self.parameters.values() for name in names}
        self.variables = Variables(self.tree, self.locations, taken, self._callee)
        self.graph = CallGraph(self.tree.functions, self.tree.globals_.values())
        self.entries = set(entries) & set(self.names)
        self.begin = self.entries or set(prepared.roots) - self.graph.pointed
        self.heads: dict[str, Head] = {}
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
        for buffer in self.variables.descriptors():
            if buffer.function in self.module.functions:
                add_buffer(self.module, buffer)
        self._store_addresses()
        for buffer in self.variables.buffers(self.codes.values()):
            if buffer.function is None:
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
        for known in (self.module.functions, self.heads, self.codes):
            known.pop(name, None)
        self.module.refused[name] = error

    # Functions

    def _parameter_names(self, function: LlvmFunction) -> list[str]:
        """As the C source names them, if the file says so, else as LLVM does; `%0` is arg0."""
        said, names = argument_names(self.locations.nodes, function.debug), []
        for position, parameter in enumerate(function.parameters):
            name = parameter.name
            if name.isdigit():
                name = said.get(position + 1, f"arg{position}")
            names.append(unique(name, names))
        return names

    def _head(self, function: LlvmFunction) -> Builder:
        """Declare a function, so that others may call it."""
        location = self.locations.of_function(function.name, function.debug)
        try:
            kinds = [_parts(p.type) for p in function.parameters]
            results = [] if function.result is VOID else _parts(function.result)
            if len(results) > RESULT_WORDS:
                raise Refused(f"a result of type {function.result} is not supported",
                              "give it through a pointer")  # fmt: skip
            stored = self._stored(function, [kind for parts in kinds for kind in parts])
        except (Refused, UnsupportedType) as error:
            raise refusal(error, f"define @{function.name}", location, self.locations) from None
        result = results[0] if len(results) == 1 else None
        parameters = []
        for given, parts in zip(self.parameters[function.name], kinds, strict=True):
            names = [given] if len(parts) == 1 else [f"{given}.{k}" for k in range(len(parts))]
            parameters += zip(names, parts, strict=True)
        name, every = self.names[function.name], tuple(kind for _, kind in parameters)
        self.heads[name] = Head(name, every, stored, result)
        parameters = [p for k, p in enumerate(parameters) if k not in stored]
        builder = add_function(self.module, name, parameters, result, location)
        made = builder.function
        made.locations = dict.fromkeys((given for given, _ in parameters), location)
        whole = [parts[0] if len(parts) == 1 else None for parts in kinds]
        made.returns, *known = self._arguments(function, [result, *whole])
        said = zip(self.parameters[function.name], known, strict=True)
        made.signature = {n: a for n, a in said if a and n in made.locations} or None
        made.noalias = frozenset(
            given
            for given, parameter in zip(
                self.parameters[function.name], function.parameters, strict=True
            )
            if parameter.type is PTR and "noalias" in parameter.words and given in made.locations
        )
        return builder

    def _stored(self, function: LlvmFunction, kinds: list[Type]) -> tuple[int, ...]:
        """Which of the parts of its parameters come by way of memory: none of the entry's, as
        those are a workload's arguments."""
        stored = beyond_registers(kinds)
        if stored and function.name in self.begin:
            if function.name in self.graph.pointed:  # all of a type are called alike
                raise Refused(f"the entry has more than {IN_REGISTERS} arguments, and its address "
                              "is taken", "let the entry be a function that calls it")  # fmt: skip
            return ()
        return stored

    def _body(self, function: LlvmFunction, builder: Builder) -> None:
        name = function.name
        stacked = name in self.graph.reached(name) or has_dynamic_arrays(function)
        triple = self.tree.triple if name in self.own else ""
        code = Code(
            builder, self.variables, lower_value, self.heads, self._callee, stacked,
            self.tree.never_return, triple,
        )  # fmt: skip
        blocks = blocks_of(function, self.tree, self._unread)
        lower_body(code, function, blocks, self.locations)
        self.codes[builder.function.name] = code

    def _callee(self, name: str) -> Head | None:
        """What is known of a function of the file; None if the file does not define it.

        Raises InputError if that function cannot be had: its caller cannot be had either.
        """
        found = self.names.get(name)
        if found in self.module.refused:
            raise self.module.refused[found]
        return found and self.heads[found]

    def _refuse_callers(self) -> None:
        """Functions that call one that cannot be had, or take its address."""
        functions = self.module.functions
        needs = {
            name: {
                *(str(i.operands[0]) for _, i in functions[name].instructions()
                  if i.operation.calls),
                *map(self.names.__getitem__, self.variables.functions_named(code.used)),
            }
            for name, code in self.codes.items()
        }  # fmt: skip
        changed = True
        while changed:
            changed = False
            for name in list(functions):
                lost = next((c for c in needs[name] if c not in functions), None)
                if lost is not None:
                    self._refuse(name, self.module.refused[lost])
                    changed = True

    def _arguments(self, function: LlvmFunction, kinds: list[Type | None]) -> list[Argument | None]:
        """What is known of the result and the parameters: from debug information, or `zeroext`."""
        words = [function.result_words, *(parameter.words for parameter in function.parameters)]
        said = argument_types(self.locations.nodes, function.debug)
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
        location = self.locations.at(int(number)) if number.isdigit() else None
        text = " ".join(found[0].rstrip(", ").split())
        raise refusal(error, text, location, self.locations)

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
            for name in (map(self.names.__getitem__, self.entries) if self.entries else functions)
            if name in functions
        }
        for name in [name for name in wanted if name in called and wanted[name]]:
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
        new.locations, new.signature, new.returns = old.locations, old.signature, old.returns
        new.noalias = old.noalias
        functions[inner], old.name = old, inner
        for code in self.codes.values():
            for _, instruction in code.builder.function.instructions():
                if instruction.operation.calls and instruction.operands[0] == name:
                    code.builder.change(instruction, operands=(inner, *instruction.operands[1:]))
        for buffer in list(self.module.buffers.values()):
            if buffer.function == name:
                self.module.buffers[buffer.name] = replace(buffer, function=inner)
        shell.location = old.location
        shell.block("entry")
        arguments = [parameter for parameter, _ in old.parameters]
        row = f"call.{old.result}" if old.result else "call"
        value = shell.emit(row, inner, *arguments)
        shell.return_(*([] if value is None else [value]))
        self.codes[inner] = self.codes[name]
        self.codes[name] = Code(shell, self.variables, lower_value, self.heads, self._callee)


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


def _parts(type: LlvmType) -> list[Type]:
    """The scalars that a value is passed as."""
    if isinstance(type, Unsupported):
        raise UnsupportedType(type)
    return [leaf for leaf, _ in leaves_of(type)]


def _agree(argument: Argument, kind: Type) -> bool:
    """Whether what the source says can be so of a parameter that LLVM gives this type."""
    if argument.shape is not None:
        return kind is PTR
    return argument.dtype == "boolean" or (
        int(argument.dtype[1:]) == kind.bits and (argument.dtype[0] == "f") == kind.is_float
    )


def _unsigned(type: Type) -> Argument:
    return Argument("boolean" if type is I1 else f"u{type.bits}")
