"""A file of functions: its constants, the functions' types, and each function as it is needed."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from compiler.ir.reading.lexer import RESERVED
from compiler.levels.arrays.language.annotations import read_kind, read_parameter
from compiler.levels.arrays.language.array_functions import NAMES
from compiler.levels.arrays.language.calls import call
from compiler.levels.arrays.language.expressions import READERS, scalar
from compiler.levels.arrays.language.iteration import comprehension
from compiler.levels.arrays.language.kinds import FunctionOf, Kind, declared, graph_type
from compiler.levels.arrays.language.lists import is_table, table, written
from compiler.levels.arrays.language.scope import Primitives, Program, Scope
from compiler.levels.arrays.language.statements import block
from compiler.levels.arrays.operations.names import NO_PRIMITIVES
from compiler.levels.arrays.primitives import Meaning, Primitive
from compiler.levels.arrays.table import Graph
from compiler.python_syntax import conversions
from compiler.python_syntax.errors import Refused, Source
from compiler.python_syntax.parsing import is_marked, name_of, parse
from compiler.python_syntax.scalars import SCALARS
from compiler.python_syntax.scope import LIBRARY_NAMES
from compiler.python_syntax.tree import Constant
from machines.diagnostics import Location, input_error

LIBRARY = Path(__file__).parent.parent / "library" / "elementary.py"
"""Functions that every file may call; read as text, never imported."""
LIBRARY_FILE = "compiler/levels/arrays/library/elementary.py"
"""What its places are called."""
_PREFIX = "library."

READERS[ast.Call] = call
READERS[ast.ListComp] = comprehension
READERS[ast.List] = written
READERS[ast.AnnAssign] = table


def read_functions(text: str, file: str, primitives: Primitives = NO_PRIMITIVES) -> Graph:
    """The graph of a file's functions, each by its name; kernels beside them are passed over.

    primitives  those that files of rules declare, which functions call by name
    Raises InputError with the first finding of every function.
    """
    source, graph = Source(text, file), Graph()
    reader = _Reader(source, graph, primitives)
    reader.read(parse(source))
    source.raise_findings()
    for name in reader.program.headers.keys() - reader.program.takers.keys():
        parameters, result = reader.program.headers[name]
        by_name = {parameter: declared(kind) for parameter, kind in parameters.items()}
        graph.kinds[name] = by_name, declared(result)
    if not graph.functions:
        raise input_error(
            "the file has no function",
            Location(file, 1),
            source=text,
            hint="mark one: @function, with `from compiler.kernel import function`",
        )
    return graph


def read_primitive(text: str, file: str, name: str, known: Primitives) -> Primitive:
    """The primitive that is the only function of a text, marked `@primitive`; it calls those that
    are known.  Raises InputError."""
    source, graph = Source(text, file), Graph()
    reader = _Reader(source, graph, known, "primitive")
    reader.read(parse(source))
    source.raise_findings()
    symbol = graph.functions[name]
    kinds, kind = reader.program.headers[name]
    types = tuple(map(graph_type, kinds.values()))
    place = source.locate(reader.nodes[name])
    meaning = Meaning(text.strip(), graph, symbol, kinds, kind, place)
    return Primitive(name, types, graph_type(kind), meaning)


@cache
def _library() -> tuple[Source, ast.Module]:
    source = Source(LIBRARY.read_text(encoding="utf-8"), LIBRARY_FILE)
    return source, parse(source)


class _Reader:
    """Reads functions when one that is read calls them, so that their order does not matter.

    mark    of the functions that are read
    prefix  stands before their names in the graph
    """

    def __init__(
        self,
        source: Source,
        graph: Graph,
        primitives: Primitives = NO_PRIMITIVES,
        mark: str = "function",
        prefix: str = "",
    ) -> None:
        self.source, self.graph, self.mark, self.prefix = source, graph, mark, prefix
        self.program = Program.of(graph, source, self.function, self._find)
        self.program.primitives = primitives
        self.library: _Reader | None = None
        self.nodes: dict[str, ast.FunctionDef] = {}
        self.symbols: dict[str, int] = {}
        self.imported: set[str] = set()
        self.open: list[str] = []

    def read(self, tree: ast.Module) -> None:
        for node in tree.body:
            self._guarded(node, lambda n=node: self._declare(n))
        for name, node in self.nodes.items():
            if name not in self.declarations.broken:
                self._guarded(node, lambda n=name: self.function(self.nodes[n], n))
        found = self.library.symbols if self.library is not None else {}
        reached = set(self.graph.reached(self.symbols.values()))
        named = {_PREFIX + name: symbol for name, symbol in found.items() if symbol in reached}
        self.graph.functions = {**named, **self.symbols}

    def _find(self, name: str) -> bool:
        """Whether the library has such a function, which the file can then call."""
        if name not in LIBRARY_NAMES or self.prefix:
            return False
        if self.library is None:
            source, tree = _library()
            self.library = _Reader(source, self.graph, prefix=_PREFIX)
            for node in tree.body:
                self.library._declare(node)
        self.program.headers[name] = self.library.program.headers[name]
        return True

    @property
    def declarations(self):
        return self.program.declarations

    def _guarded(self, node: ast.stmt, work) -> None:
        """Does it; what is refused is not looked at again."""
        try:
            work()
        except Refused:
            self._break(node)
        except RecursionError:
            self.source.report_nesting(self.source.locate(node))
            self._break(node)
        self.open.clear()
        self.program.taking.clear()
        if self.library is not None:
            self.library.open.clear()

    def _break(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef):
            self.declarations.broken.add(node.name)
        for part in ast.walk(node) if not isinstance(node, ast.FunctionDef) else ():
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.declarations.broken.add(part.id)

    def _declare(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                self._header(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._constant(node, name, value, None)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                if is_table(node):
                    self._require_free(node, name)
                    self.program.tables[name] = node
                    return
                kind = node.annotation.id if isinstance(node.annotation, ast.Name) else None
                if kind not in SCALARS:
                    self.source.refuse(
                        node,
                        f"'{name}' is neither a constant nor a table",
                        "write NAME: i64 = 3, or NAME: i32[2] = [1, 2]",
                    )
                self._constant(node, name, value, SCALARS[kind])
            case ast.Import() | ast.ImportFrom():
                module = getattr(node, "module", None)
                if module not in ("__future__", "compiler.kernel"):
                    self.source.refuse(
                        node,
                        "functions use nothing but compiler.kernel",
                        "write: from compiler.kernel import …",
                    )
                self.imported.update(alias.name for alias in node.names)
            case ast.Expr(value=ast.Constant(value=str())):
                return
            case _:
                self.source.refuse(
                    node,
                    "only imports, constants and functions stand at module level",
                    "move it into a function",
                )

    def _require_free(self, node: ast.AST, name: str) -> None:
        """Refuse a name of the file that means something already."""
        self._require_plain(node, name)
        for names, meaning in (
            (self.nodes, "a function of arrays"),
            (self.program.takers, "a function of arrays"),
            (self.program.kernels, "a kernel"),
            (self.imported.intersection(LIBRARY_NAMES), "a name of compiler.kernel"),
            (self.declarations.constants, "a module constant"),
            (self.program.tables, "a constant table"),
        ):
            if name in names:
                self.source.refuse(node, f"'{name}' is {meaning} already", "use another name")

    def _require_plain(self, node: ast.AST, name: str) -> None:
        """Refuse a name that the IR cannot have."""
        if name in RESERVED:
            message = f"'{name}' is a reserved word of the IR already"
            self.source.refuse(node, message, "use another name")
        if not name.isascii():
            self.source.refuse(node, f"'{name}' is not plain ASCII", "use another name")

    def _constant(self, at: ast.stmt, name: str, node: ast.expr, kind) -> None:
        self._require_free(at, name)
        scope = Scope(self.program, {}, {}, None)
        with scope.at(node):
            value = scalar(scope, node, "a constant")
        if kind is not None:
            value = conversions.assignable(self.source, node, value, kind, f"'{name}'")
        if not isinstance(value, Constant):
            self.source.refuse(
                node, f"the value of '{name}' is not a constant", "compute it in a function"
            )
        self.declarations.constants[name] = value

    def _header(self, node: ast.FunctionDef) -> None:
        source, name = self.source, node.name
        at = name_of(source, node)
        self._require_free(at, name)
        if is_marked(node, "kernel") and len(node.decorator_list) == 1:
            self.program.kernels.add(name)
            return
        if not is_marked(node, self.mark):
            source.refuse(
                node, f"'{name}' is neither a function nor a kernel", "write @function above def"
            )
        if name in self.program.primitives:
            where = self.program.primitives[name].meaning.location
            source.refuse(node, f"'{name}' is a primitive, declared at {where}", "use another name")
        if name in NAMES:
            source.refuse(at, f"'{name}' is a function of the language", "use another name")
        if len(node.decorator_list) > 1:
            source.refuse(node.decorator_list[1], f"a function has no decorator but @{self.mark}")
        arguments = node.args
        odd = [arguments.vararg, arguments.kwarg, *arguments.kwonlyargs, *arguments.posonlyargs]
        odd += arguments.defaults
        for part in filter(None, odd):
            source.refuse(part, "parameters are plain names with types", "write name: f32[:]")
        parameters: dict[str, Kind | FunctionOf] = {}
        for parameter in arguments.args:
            if parameter.arg in parameters:
                source.refuse(parameter, f"there are two parameters '{parameter.arg}'")
            self._require_plain(parameter, parameter.arg)
            if parameter.annotation is None:
                source.refuse(
                    parameter,
                    f"parameter '{parameter.arg}' has no type",
                    f"write {parameter.arg}: i64, or f32[:]",
                )
            parameters[parameter.arg] = read_parameter(source, parameter.annotation)
        if node.returns is None:
            source.refuse(node, f"'{name}' has no result type", "write -> f32[:] behind it")
        takes = any(isinstance(kind, FunctionOf) for kind in parameters.values())
        (self.program.takers if takes else self.nodes)[name] = node
        self.program.headers[name] = parameters, read_kind(source, node.returns)

    def function(self, at: ast.AST, name: str) -> int:
        """The lambda of a function, which is read now if it has not been."""
        if name in self.symbols:
            return self.symbols[name]
        if name in self.declarations.broken:
            raise Refused
        if name not in self.nodes:
            return self.library.function(at, name)
        if name in self.open:
            cycle = [*self.open[self.open.index(name) :], name]
            self.source.refuse(
                at,
                f"recursion is not in the language: {' calls '.join(cycle)}",
                "write a while loop",
            )
        self.open.append(name)
        node = self.nodes[name]
        kinds, result = self.program.headers[name]
        scope = Scope(self.program, {}, dict(kinds), result)
        symbols = []
        for parameter in node.args.args:
            with scope.at(parameter):
                kind = kinds[parameter.arg]
                symbol, scope.values[parameter.arg] = scope.parameter(parameter.arg, kind)
                symbols.append(symbol)
        with scope.perhaps():
            found = block(scope, node.body, set())
        if found is None:
            self.source.refuse(
                node, f"{name} returns {result}, but can end without return", "return a value"
            )
        with scope.at(node):
            made = self.graph.function(symbols, scope.hold(node, found)[0], self.prefix + name)
        self.symbols[name] = made
        self.open.pop()
        return made
