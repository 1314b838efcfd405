"""Graph programs on their way to the IR: modules whose functions have a graph instead of blocks.

What the level `arrays` names of itself (`machines.levels.Level`) stands here.  Passes take its
functions on: `vectorize`, which may be left out, and `lower_graph`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from compiler.ir.module import Function, Module
from compiler.levels import uncalled
from compiler.levels.arrays.interpret import evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.lowering.function import lower_into
from compiler.levels.arrays.parsing import parse_graph
from compiler.levels.arrays.printing import print_graph
from compiler.levels.arrays.rewriting import Rewriter, allowances
from compiler.levels.arrays.rule_files import rules_of, rules_with
from compiler.levels.arrays.simplify import simplified
from compiler.levels.arrays.table import Graph, Symbol
from compiler.levels.arrays.types import Array, GraphType, Tuple
from compiler.levels.arrays.vectorize import Vectorized, vectorize
from compiler.levels.arrays.verify import refuse_functions, verify_graph
from machines.diagnostics import input_error
from machines.levels import NO_OPTIONS
from machines.levels.arrays.function import ArrayFunction
from machines.levels.arrays.types import ARENA, passing
from machines.signature import Argument
from machines.types import F32, F64, I1, I8, I16, I32, I64

FORM = "arrays"
_SOURCES = ".graph", ".py"
_NAMES = {I1: "boolean", I8: "i8", I16: "i16", I32: "i32", I64: "i64", F32: "f32", F64: "f64"}


@dataclass(frozen=True)
class GraphProgram:
    """A function of a graph.

    parameters, result  their types as the source has them: leaves are names of element types
    lanes               parameters that are arrays of an element for each lane
    callees             functions of its module that it reaches by calls
    """

    graph: Graph
    symbol: Symbol
    name: str
    parameters: Mapping[str, Any]
    result: Any
    lanes: tuple[str, ...] = ()
    callees: tuple[str, ...] = ()

    @property
    def types(self) -> tuple[dict[str, GraphType], GraphType]:
        """Those of the parameters, by name, and of the result, as the graph has them."""
        graph, node = self.graph, self.graph[self.symbol]
        parameters = {graph[p].operation.name: graph.type(p) for p in node.operation.parameters}
        return parameters, graph.type(node.arguments[0])

    @property
    def findings(self) -> list[str]:
        """What is wrong with the graph."""
        return verify_graph(self.graph)

    def __str__(self) -> str:
        return print_graph(self.graph, [self.symbol])


def parse(text: str, file: str, options: Mapping[str, Any] = NO_OPTIONS) -> Module:
    """The module of a file of functions marked @function, or of the table of a graph.

    They may call the primitives of the file that the option `rules` names.  Raises InputError.
    """
    suffix = Path(file).suffix
    if suffix not in _SOURCES:
        hint = "functions stand in a .py file, marked @function, or as a table in a .graph file"
        raise input_error(f"{file} is no graph program", hint=hint)
    read = parse_graph if suffix == ".graph" else read_functions
    return _module(read(text, file, rules_with(rules_of(options)).primitives), text)


def read(
    text: str,
    file: str,
    machine: object = None,
    entries: Sequence[str] = (),
    options: Mapping[str, Any] = NO_OPTIONS,
) -> Module:
    """The module of a `.graph` file; raises InputError."""
    return parse(text, file, options)


def text_of(function: Function) -> str:
    """A function that is not lowered, as the table of its graph."""
    return str(function.body)


def findings(function: Function) -> list[str]:
    """What is wrong with the graph of a function that is not lowered."""
    return function.body.findings


def interpret(function: Function, arguments: Sequence[Any]) -> Any:
    """What a function that is not lowered gives, on Python numbers, lists and tuples."""
    return evaluate(function.body.graph, function.body.symbol, arguments)


def _module(graph: Graph, text: str) -> Module:
    module = Module(source=text, form=FORM)
    names = {symbol: name for name, symbol in graph.functions.items()}
    for name, symbol in graph.functions.items():
        callees = tuple(names[s] for s in graph.reached([symbol]) if s in names and s != symbol)
        declared = _declared(graph, name, symbol)
        program = GraphProgram(graph, symbol, name, *declared, callees=callees)
        function = Function(name, location=graph[symbol].location, body=program)
        function.functions = module.functions
        module.functions[name] = function
    roots = uncalled(module)
    module.entry = roots[0] if len(roots) == 1 else None
    return module


def _declared(graph: Graph, name: str, symbol: Symbol) -> tuple[Mapping[str, Any], Any]:
    """Types of a function's parameters, and of its result."""
    if name in graph.kinds:
        return graph.kinds[name]
    parameters, result = GraphProgram(graph, symbol, name, {}, None).types
    return {parameter: _named(type) for parameter, type in parameters.items()}, _named(result)


def _named(type: GraphType) -> Any:
    """A type of which the source knows no signs: integers have one.  (Of functions there are no
    programs, see `refuse_functions`.)"""
    if isinstance(type, Array):
        return Array(_named(type.element))
    if isinstance(type, Tuple):
        return Tuple(tuple(map(_named, type.parts)))
    return _NAMES.get(type, type)


def _lifted(made: GraphType, type: GraphType, kind: Any) -> Any:
    """What the source would call the type that vectorization made of one that it calls `kind`."""
    if made == type:
        return kind
    if isinstance(made, Array):
        return Array(_lifted(made.element, type, kind))
    if isinstance(made, Tuple):
        return Tuple(tuple(_lifted(part, type, kind) for part in made.parts))
    return _NAMES[made]


def vectorize_function(
    function: Function, over: Sequence[str], rules: str, allow: Sequence[str]
) -> int:
    """Put /f/ in the place of f; gives how many steps that took.  Raises InputError."""
    program = function.body
    made = vectorize(
        program.graph, program.name, over, rules_with(rules), rules != "none", allow=allow
    )
    function.body = _made_of(program, made, over)
    return len(made.steps)


def _made_of(program: GraphProgram, made: Vectorized, over: Sequence[str]) -> GraphProgram:
    """/f/, with its types as the source of f would call them."""
    vectorized = GraphProgram(made.graph, made.function, f"/{program.name}/", {}, None)
    before, result = program.types
    after, all = vectorized.types
    return replace(
        vectorized,
        parameters={
            name: _lifted(after[name], before[name], kind)
            for name, kind in program.parameters.items()
        },
        result=_lifted(all, result, program.result),
        lanes=tuple(name for name in over if after[name] == Array(before[name])),
    )


def rewrite_function(function: Function, rules: str, allow: Sequence[str]) -> int:
    """Rewrite a function that stays one of one lane; gives how many rewrites were made."""
    program = function.body
    rewriter = Rewriter(rules_with(rules).rewrites, allowances(allow))
    graph, symbol = simplified(program.graph, program.symbol, rewriter)
    function.body = replace(program, graph=graph, symbol=symbol)
    return len(rewriter.used)


def lower_function(function: Function, allow: Sequence[str], width: int = 0) -> int:
    """Write the IR of a function that is a graph; gives how many arrays it puts into memory.

    width  threads of a warp, if all threads of a grid execute it together; 0: one thread does
    """
    program = function.body
    refuse_functions(program.graph, program.symbol)
    if ARENA in program.parameters:
        message = f"a parameter cannot be called '{ARENA}': the memory in which a function works is"
        raise input_error(message, function.location, hint="rename it")
    carried = [c.name for c in passing(program.parameters.items()).all]
    if len(set(carried)) < len(carried):
        name = next(name for name in carried if carried.count(name) > 1)
        message = f"'{name}' is a parameter, and what carries a part of another one"
        raise input_error(message, function.location, hint="rename it")
    lowered = lower_into(function, program.graph, program.symbol, allowances(allow), width)
    parameters = tuple(program.parameters.items())
    function.body = ArrayFunction(
        parameters, program.result, lowered.faults, program.lanes, together=width > 0
    )
    function.signature = {
        carrier.name: Argument(str(carrier.leaf), (None,) if carrier.is_column else None)
        for carrier in passing(parameters).in_registers
    }
    function.signature[ARENA] = Argument("u8", (None,))
    return lowered.stored
