"""What is known while a kernel file is checked: its declarations, and one kernel's names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from compiler.ir.reading.lexer import RESERVED
from compiler.python_syntax.errors import Refused, Source
from compiler.python_syntax.scalars import SCALARS
from compiler.python_syntax.tree import (
    Array,
    Constant,
    Kernel,
    Read,
    ScalarFunction,
    Value,
)
from machines.diagnostics import nearest

BUILTINS = ("min", "max", "abs", "len", "range", "sqrt", "fma")
THREAD_NAMES = (
    *("threadIdx", "blockIdx", "blockDim", "gridDim", "laneid", "warpsize", "grid"),
    *("syncthreads", "threadfence", "shared", "local", "atomic"),
    *("any_sync", "all_sync", "ballot_sync"),
    *("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"),
)
"""Names of programs of threads; in a file that does not import them they are free."""
FUNCTION_NAMES = (
    *("function", "reduce", "scan", "iota", "replicate", "gather", "flatten", "rows", "filter"),
    *("scatter", "scatter_add", "scatter_min", "scatter_max"),
)
"""Names of functions of arrays (`compiler/levels/arrays`), which may stand beside kernels."""
LIBRARY_NAMES = ("exp", "log", "sin", "cos", "tanh", "erf")
"""Functions of arrays that are written in their language (`compiler/levels/arrays/library`)."""
CALLED_NAMES = (*THREAD_NAMES, *LIBRARY_NAMES)
"""Names that mean something in kernels only in a file that imports them."""
IMPORTABLE = (
    *("kernel", *SCALARS, "sqrt", "fma", "Callable"),
    *(*THREAD_NAMES, *FUNCTION_NAMES, *LIBRARY_NAMES),
)
"""What compiler.kernel offers; a kernel file imports what it uses of it."""
FindFunction = Callable[[str, bool], ScalarFunction]


@dataclass
class Declarations:
    """The module level of a kernel file.

    imported   names taken from compiler.kernel
    constants  module constants; those without annotation are literals
    tables     constant tables, with their elements in `table_values`
    kernels    every kernel's signature; bodies are filled in later
    functions  names of the functions of arrays that stand beside the kernels
    find       reads one of them, or one of the library, when a kernel calls it: (name, whether of
               the file) -> function; raises InputError, or Unfit
    broken     names whose declaration was refused: using them adds no further finding
    """

    source: Source
    imported: set[str] = field(default_factory=set)
    constants: dict[str, Constant] = field(default_factory=dict)
    tables: dict[str, Array] = field(default_factory=dict)
    table_values: dict[str, list[int | float]] = field(default_factory=dict)
    kernels: dict[str, Kernel] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    find: FindFunction | None = None
    broken: set[str] = field(default_factory=set)

    def owner(self, name: str) -> str | None:
        """What a module-level or built-in name already means, in words; None if it is free."""
        for names, meaning in (
            (SCALARS, "a type"),
            (BUILTINS, "a built-in function"),
            (RESERVED, "a reserved word of the IR"),
            (self.kernels, "a kernel"),
            (self.functions, "a function of arrays"),
            (self.imported.intersection(CALLED_NAMES), "a name of compiler.kernel"),
            (self.constants, "a module constant"),
            (self.tables, "a module table"),
        ):
            if name in names:
                return meaning
        return None

    def require_import(self, node: ast.AST, name: str) -> None:
        """Report a name of compiler.kernel that the file uses without importing it."""
        if name not in self.imported:
            self.source.report(
                node, f"'{name}' is not imported", f"write: from compiler.kernel import {name}"
            )


@dataclass
class Scope:
    """One kernel while its body is checked.

    assigned  scalars that have a value on every path to the statement at hand; None where control
              cannot come
    broken    names whose first assignment was refused: reading them adds no further finding
    loops     the states in which each enclosing loop is left by `break`, innermost last
    passed    arrays given to other kernels: (kernel, parameter, array, call)
    """

    declarations: Declarations
    kernel: Kernel
    arrays: dict[str, Array] = field(default_factory=dict)
    assigned: set[str] | None = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    loops: list[list[set[str]]] = field(default_factory=list)
    passed: list[tuple[str, str, Array, ast.AST]] = field(default_factory=list)

    @property
    def source(self) -> Source:
        return self.declarations.source

    def read(self, node: ast.Name) -> Value:
        """The scalar value of a name; refuses anything else."""
        name, source = node.id, self.source
        if name in self.broken or name in self.declarations.broken:
            raise Refused
        if name in self.kernel.variables:
            if self.assigned is not None and name not in self.assigned:
                source.refuse(
                    node,
                    f"'{name}' may be read before it is assigned",
                    f"assign {name} on every path before this, or before the loop or if",
                )
            return Read(name, type=self.kernel.variables[name], location=source.locate(node))
        if name in self.declarations.constants:
            constant = self.declarations.constants[name]
            return Constant(constant.value, type=constant.type, location=source.locate(node))
        array = self.array(name)
        if array is not None:
            source.refuse(
                node,
                f"'{name}' is an array; only its elements are values",
                f"index it: {name}[{', '.join('ijkl'[: len(array.dimensions)])}]",
            )
        meaning = self.declarations.owner(name)
        if meaning:
            source.refuse(node, f"'{name}' is {meaning}, not a value", f"call it: {name}(…)")
        return source.refuse(node, f"unknown name '{name}'", nearest(name, self.visible()))

    def array(self, name: str) -> Array | None:
        """The array of that name: parameter, scratch array or module table."""
        return self.arrays.get(name) or self.declarations.tables.get(name)

    def names(self, name: str) -> bool:
        """Whether the file or the kernel gives a name a meaning of its own."""
        module = self.declarations
        own = name in self.kernel.variables or self.array(name) is not None
        return own or any(
            name in names for names in (module.kernels, module.functions, module.constants)
        )

    def require_free(self, node: ast.Name) -> None:
        """Refuse a new local name that already means something else."""
        name = node.id
        if name in self.broken:
            raise Refused
        if name in self.arrays:
            hint = f"assign its elements, or use another name: {name}[i] = …"
            self.source.refuse(node, f"'{name}' is an array", hint)
        meaning = self.declarations.owner(name)
        if meaning:
            self.source.refuse(node, f"'{name}' is {meaning}", "use another name")

    def visible(self) -> list[str]:
        """Names that may be read here."""
        return [
            *self.kernel.variables,
            *self.arrays,
            *self.declarations.constants,
            *self.declarations.tables,
        ]
