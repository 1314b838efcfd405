"""The module level of a kernel file: imports, constants, tables, kernels."""

from __future__ import annotations

import ast

from compiler.frontends.python.check_statements import check_statements
from compiler.frontends.python.check_types import check_type
from compiler.python_syntax import conversions
from compiler.python_syntax.errors import Refused, Source
from compiler.python_syntax.expressions import check, check_typed
from compiler.python_syntax.parsing import is_marked, name_of
from compiler.python_syntax.scalars import Scalar
from compiler.python_syntax.scope import IMPORTABLE, Declarations, FindFunction, Scope
from compiler.python_syntax.tree import Array, Constant, Kernel
from compiler.python_syntax.unsupported import refuse_syntax
from machines.diagnostics import Location, nearest

MOST_ENTRIES = 1 << 20
"""Elements of a table; more are read from a file, as an argument of the workload."""


def check_module(
    source: Source, tree: ast.Module, find: FindFunction | None = None
) -> Declarations:
    """Everything a kernel file declares, checked; findings are left in `source`.

    find  reads a function of arrays (see `Declarations`)
    """
    declarations = Declarations(source, find=find)
    functions: list[tuple[ast.FunctionDef, Scope]] = []
    for node in tree.body:
        try:
            if is_marked(node, "function"):
                _require_free(declarations, name_of(source, node), node.name)
                declarations.functions.add(node.name)
            elif isinstance(node, ast.FunctionDef):
                functions.append((node, _signature(declarations, node)))
            else:
                _declaration(declarations, node)
        except Refused:
            declarations.broken |= _declared_names(node)
        except RecursionError:
            source.report_nesting(source.locate(node))
            declarations.broken |= _declared_names(node)
    for node, scope in functions:
        _body(scope, node)
    _refuse_recursion(declarations)
    if not source.findings:
        _check_passed_arrays(declarations, [scope for _, scope in functions])
    return declarations


def _declared_names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _declaration(declarations: Declarations, node: ast.stmt) -> None:
    source = declarations.source
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.ImportFrom():
            _import(declarations, node)
        case ast.Import():
            source.refuse(
                node,
                "kernels use nothing but compiler.kernel",
                "write: from compiler.kernel import …",
            )
        case ast.Assign(targets=[ast.Name(id=name)]):
            _constant(declarations, node, name, node.value, None)
        case ast.AnnAssign(target=ast.Name(id=name)):
            _annotated(declarations, node, name)
        case ast.ClassDef() | ast.AsyncFunctionDef():
            refuse_syntax(source, node)
        case _:
            source.refuse(
                node,
                "only imports, constants, tables and kernels stand at module level",
                "move it into a kernel",
            )


def _import(declarations: Declarations, node: ast.ImportFrom) -> None:
    source = declarations.source
    if node.module == "__future__" and [alias.name for alias in node.names] == ["annotations"]:
        return
    if node.module != "compiler.kernel" or node.level:
        source.refuse(
            node, "kernels use nothing but compiler.kernel", "write: from compiler.kernel import …"
        )
    for alias in node.names:
        if alias.name == "*" or alias.asname:
            source.refuse(alias, "names are imported one by one, under their own name")
        if alias.name not in IMPORTABLE:
            hint = nearest(alias.name, IMPORTABLE)
            source.report(alias, f"compiler.kernel has no '{alias.name}'", hint)
        declarations.imported.add(alias.name)


# Constants and tables --------------------------------------------------------------------------


def _module_scope(declarations: Declarations, node: ast.AST) -> Scope:
    """A scope in which only module constants have values."""
    return Scope(declarations, Kernel("module", {}, None, declarations.source.locate(node)))


def _require_free(declarations: Declarations, node: ast.AST, name: str) -> None:
    meaning = declarations.owner(name)
    if meaning:
        declarations.source.refuse(node, f"'{name}' is {meaning} already", "use another name")
    if not name.isascii():
        declarations.source.refuse(node, f"'{name}' is not plain ASCII", "use another name")


def _constant(
    declarations: Declarations,
    node: ast.stmt,
    name: str,
    text: ast.expr,
    declared: Scalar | None,
) -> None:
    source = declarations.source
    _require_free(declarations, node, name)
    if isinstance(text, ast.List | ast.Tuple):
        source.refuse(
            text, f"the table '{name}' has no type", f"write it: {name}: i64[{len(text.elts)}] = …"
        )
    value = check(_module_scope(declarations, node), text)
    if declared is not None:
        value = conversions.assignable(source, text, value, declared, f"'{name}'")
    if not isinstance(value, Constant):
        source.refuse(text, f"the value of '{name}' is not a constant", "compute it in a kernel")
    declarations.constants[name] = value


def _annotated(declarations: Declarations, node: ast.AnnAssign, name: str) -> None:
    source = declarations.source
    scope = _module_scope(declarations, node)
    open_length = isinstance(node.annotation, ast.Subscript) and isinstance(
        node.annotation.slice, ast.Slice
    )
    declared = check_type(scope, node.annotation, name, fixed=not open_length)
    if node.value is None:
        source.refuse(
            node, f"'{name}' has no value", "give it one, or declare a scratch array in a kernel"
        )
    if isinstance(declared, Scalar):
        _constant(declarations, node, name, node.value, declared)
        return
    _require_free(declarations, node, name)
    sizes = [len(_row(scope, node.value, None))] if open_length else list(declared.sizes)
    values = _table_values(scope, node.value, declared, sizes)
    extents = tuple(sizes)
    table = Array(
        name, declared.element, extents, extents, declared.location, buffer=name, constant=True
    )
    declarations.tables[name], declarations.table_values[name] = table, values


def _table_values(
    scope: Scope, node: ast.expr, array: Array, sizes: list[int]
) -> list[int | float]:
    """The numbers of a (nested) list of the given sizes, row-major."""
    values: list[int | float] = []
    for entry in _row(scope, node, sizes[0]):
        if len(sizes) > 1:
            values += _table_values(scope, entry, array, sizes[1:])
            continue
        what = f"an element of {array.name}"
        value = check(scope, entry)
        value = conversions.assignable(scope.source, entry, value, array.element, what)
        if not isinstance(value, Constant):
            scope.source.refuse(entry, f"{what} is not a constant", "write numbers")
        values.append(value.value)
    return values


def _row(scope: Scope, node: ast.expr, size: int | None) -> list[ast.expr]:
    """The entries of a list, written out or as `[0] * n`."""
    source = scope.source
    entries = None
    match node:
        case ast.List(elts=entries):
            pass
        case ast.BinOp(left=ast.List(elts=some), op=ast.Mult(), right=times):
            count = check_typed(scope, times)
            if isinstance(count, Constant) and isinstance(count.value, int):
                limit = MOST_ENTRIES if size is None else min(size, MOST_ENTRIES)
                if count.value * len(some) > limit:
                    source.refuse(node, f"the list is longer than {limit}")
                entries = some * count.value
    if not entries:
        source.refuse(node, "a table's value is a list of numbers", "write [1, 2, 3]")
    if size is not None and len(entries) != size:
        source.refuse(
            node, f"{len(entries)} values for {size} elements", "give one value per element"
        )
    return entries


# Kernels ---------------------------------------------------------------------------------------


def _signature(declarations: Declarations, node: ast.FunctionDef) -> Scope:
    """The kernel's parameters and result; declares it."""
    source = declarations.source
    _require_free(declarations, name_of(source, node), node.name)
    _check_decorators(declarations, node)
    _refuse_parameter_kinds(source, node.args)
    kernel = Kernel(node.name, {}, None, _name_location(source, node))
    scope = Scope(declarations, kernel)
    types: dict[str, Scalar | Array] = {}
    # Scalars first, because the dimensions of arrays may name parameters that come later.
    for arrays in (False, True):
        for parameter in node.args.args:
            if isinstance(parameter.annotation, ast.Subscript) == arrays:
                types[parameter.arg] = _parameter(scope, parameter)
    for parameter in node.args.args:
        kernel.parameters[parameter.arg] = types[parameter.arg]
        kernel.locations[parameter.arg] = source.locate(parameter)
    if node.returns is not None and not _is_none(node.returns):
        result = check_type(scope, node.returns, "the result")
        if isinstance(result, Array):
            source.refuse(
                node.returns,
                "a kernel cannot return an array",
                "pass an array to store the results in",
            )
        kernel.result = result
    declarations.kernels[node.name] = kernel
    return scope


def _name_location(source: Source, node: ast.FunctionDef) -> Location:
    location = source.locate(node)
    return Location(location.file, location.line, location.column + len("def "), len(node.name))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _check_decorators(declarations: Declarations, node: ast.FunctionDef) -> None:
    source = declarations.source
    decorators = node.decorator_list
    if not any(isinstance(d, ast.Name) and d.id == "kernel" for d in decorators):
        source.refuse(
            name_of(source, node),
            f"the function '{node.name}' is not a kernel",
            f"write @kernel above def {node.name}",
        )
    if len(decorators) > 1:
        others = [d for d in decorators if not (isinstance(d, ast.Name) and d.id == "kernel")]
        another = [*others, decorators[1]][0]
        source.refuse(another, "a kernel has no decorator but one @kernel", "remove it")
    declarations.require_import(decorators[0], "kernel")


def _refuse_parameter_kinds(source: Source, arguments: ast.arguments) -> None:
    for extra, word in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if extra is not None:
            source.refuse(
                extra,
                f"'{word}{extra.arg}' is not in the language",
                "name each parameter, with its type",
            )
    if arguments.kwonlyargs or arguments.posonlyargs:
        odd = (arguments.kwonlyargs or arguments.posonlyargs)[0]
        source.refuse(odd, "parameters are plain: no '*' or '/' between them")
    if arguments.defaults:
        source.refuse(
            arguments.defaults[0],
            "default values are not in the language",
            "pass every argument",
        )


def _parameter(scope: Scope, node: ast.arg) -> Scalar | Array:
    source, name = scope.source, node.arg
    if node.annotation is None:
        source.refuse(node, f"parameter '{name}' has no type", f"write {name}: i64, or f32[:]")
    _require_free(scope.declarations, node, name)
    found = check_type(scope, node.annotation, name)
    if isinstance(found, Array):
        scope.arrays[name] = found
    else:
        scope.kernel.variables[name] = found
        scope.assigned.add(name)
    return found


def _body(scope: Scope, node: ast.FunctionDef) -> None:
    kernel = scope.kernel
    kernel.body = check_statements(scope, node.body)
    if kernel.result is not None and scope.assigned is not None:
        scope.source.report(
            name_of(scope.source, node),
            f"{kernel.name} returns {kernel.result}, but can end without return",
            "return a value on every path",
        )


# Calls -----------------------------------------------------------------------------------------


def _refuse_recursion(declarations: Declarations) -> None:
    """Report each kernel that calls itself, directly or round a cycle, with the cycle."""
    reported: set[str] = set()
    for name, kernel in declarations.kernels.items():
        cycle = _cycle(declarations.kernels, name)
        if cycle is None or reported & set(cycle):
            continue
        reported |= set(cycle)
        declarations.source.report_at(
            kernel.calls[cycle[1]],
            f"recursion is not in the language: {' → '.join(cycle)}",
            "write a loop, with an array as the stack",
        )


def _cycle(kernels: dict[str, Kernel], start: str) -> list[str] | None:
    """The shortest chain of calls from a kernel back to itself."""
    chains = [[start]]
    seen: set[str] = set()
    while chains:
        chain = chains.pop(0)
        for callee in kernels[chain[-1]].calls:
            if callee == start:
                return [*chain, start]
            if callee not in seen:
                seen.add(callee)
                chains.append([*chain, callee])
    return None


def _check_passed_arrays(declarations: Declarations, scopes: list[Scope]) -> None:
    """Refuse constant tables passed to kernels that store to them, through others too."""
    changed = True
    while changed:
        changed = False
        for scope in scopes:
            for callee, parameter, array, _ in scope.passed:
                stores = parameter in declarations.kernels[callee].stored
                new = array.name not in scope.kernel.stored and array.buffer is None
                if stores and new:
                    scope.kernel.stored.add(array.name)
                    changed = True
    for scope in scopes:
        for callee, parameter, array, node in scope.passed:
            if array.constant and parameter in declarations.kernels[callee].stored:
                declarations.source.report(
                    node,
                    f"{callee} stores to '{parameter}', but '{array.name}' is a constant table",
                    "copy the table into a scratch array first",
                )
