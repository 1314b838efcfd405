"""Statements: names get values; an `if`, a `while` and a `for` become nodes of what they assign."""

from __future__ import annotations

import ast

from compiler.levels.arrays.language.expressions import binary, condition, evaluate
from compiler.levels.arrays.language.iteration import array, bind
from compiler.levels.arrays.language.kinds import Closure, Found, Named
from compiler.levels.arrays.language.scope import Scope
from compiler.levels.arrays.operations.calls import Fold, If, While
from compiler.levels.arrays.operations.structural import Item, MakeTuple
from compiler.python_syntax.unsupported import refuse_syntax

_NO_JUMP = "write the condition of the loop, or an if around the rest of its body"


def block(scope: Scope, body: list[ast.stmt], after: set[str]) -> Found | None:
    """Reads statements; gives what they return, or None if they go on.

    after  names that are read behind them: only those an `if` assigns matter
    """
    needed = [after]
    for statement in reversed(body):
        needed.append(needed[-1] | _names(statement, ast.Load))
    for i, statement in enumerate(body):
        wanted = needed[len(body) - 1 - i]
        if isinstance(statement, ast.Return):
            return _return(scope, statement)
        if isinstance(statement, ast.If) and _has_return(statement):
            return _last_if(scope, statement, body[i + 1 :], after)
        with scope.at(statement):
            _statement(scope, statement, wanted)
    return None


def _names(node: ast.AST, context: type) -> set[str]:
    """Names that are read (ast.Load) or assigned (ast.Store) in a statement.

    Those of comprehensions are assigned in these only; a name of an augmented assignment is read.
    """
    found: set[str] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name) and isinstance(part.ctx, context):
            found.add(part.id)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            found.add(part.target.id)
        if context is ast.Store and isinstance(part, ast.ListComp | ast.Lambda):
            continue
        waiting += ast.iter_child_nodes(part)
    return found


def _has_return(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Return) for part in ast.walk(node))


def _returns(body: list[ast.stmt]) -> bool:
    """Whether control never comes behind these statements."""
    return any(
        isinstance(s, ast.Return)
        or (isinstance(s, ast.If) and _returns(s.body) and _returns(s.orelse))
        for s in body
    )


def _return(scope: Scope, node: ast.Return) -> Found:
    if node.value is None:
        scope.source.refuse(node, "return without a value", f"return {scope.result}")
    with scope.at(node):
        found = evaluate(scope, node.value)
        return scope.assign(node.value, found, scope.result, "the result")


def _last_if(scope: Scope, node: ast.If, rest: list[ast.stmt], after: set[str]) -> Found:
    """An `if` that returns: what follows belongs to the arm that does not."""
    if rest and not (_returns(node.body) or _returns(node.orelse)):
        scope.source.refuse(
            node, "an arm of this if returns only sometimes", "return on every path of one arm"
        )
    test = condition(scope, node.test)
    symbols = []
    for arm in (node.body, node.orelse):
        with scope.perhaps():
            found = block(scope.branch(), arm if _returns(arm) else [*arm, *rest], after)
        if found is None:
            scope.source.refuse(
                node, "the function can end without return", "return a value on every path"
            )
        symbols.append(scope.hold(node, found)[0])
    with scope.at(node):
        then, other = map(scope.arm, symbols)
        return scope.value(scope.add(If(), test, then, other), scope.result)


def _statement(scope: Scope, node: ast.stmt, after: set[str]) -> None:
    source = scope.source
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Lambda()):
            if name in scope.values or name in scope.kinds:
                source.refuse(target, f"'{name}' has a value already", "use another name")
            scope.values[name] = Closure(node.value, scope.branch())
        case ast.Assign(targets=[target]):
            found = evaluate(scope, node.value)
            bind(scope, target, found, lambda n, v: put(scope, n, v, node.value))
        case ast.Assign():
            source.refuse(node, "chained assignment is not in the language", "write a line each")
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr()):
            _annotated(scope, node, target)
        case ast.AugAssign(target=ast.Name() as target):
            read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            put(scope, target, binary(scope, node, read, node.op, node.value), node)
        case ast.AnnAssign(value=None):
            source.refuse(node, "a declaration has a value", "write name: i64 = 0")
        case ast.AugAssign() | ast.AnnAssign():
            bind(scope, node.target, (), lambda n, v: None)
        case ast.If():
            _if(scope, node, after)
        case ast.While() | ast.For():
            _loop(scope, node, after)
        case ast.Break() | ast.Continue():
            word = "break" if isinstance(node, ast.Break) else "continue"
            source.refuse(node, f"{word} is not in the language", _NO_JUMP)
        case ast.Expr():
            source.refuse(node, "a value that nobody gets", "assign it, or return it")
        case ast.FunctionDef():
            source.refuse(
                node, "a function cannot contain a function", "write f = lambda …, or one beside it"
            )
        case _:
            refuse_syntax(source, node)


def put(scope: Scope, node: ast.Name, found: Found, value: ast.AST) -> None:
    """Gives a name a value, of the type it has if it has one."""
    name = node.id
    scope.typed(value, found)
    if isinstance(scope.values.get(name), Closure | Named):
        scope.source.refuse(node, f"'{name}' is a function", "use another name")
    if name in scope.kinds:
        found = scope.assign(value, found, scope.kinds[name], f"'{name}'")
    symbol, kind = scope.hold(value, found)
    scope.kinds[name] = kind
    scope.values[name] = scope.value(symbol, kind)


def _annotated(scope: Scope, node: ast.AnnAssign, target: ast.Name) -> None:
    from compiler.levels.arrays.language.annotations import read_kind

    kind = read_kind(scope.source, node.annotation)
    if scope.kinds.get(target.id, kind) != kind:
        scope.source.refuse(target, f"'{target.id}' is {scope.kinds[target.id]} already")
    found = scope.assign(node.value, evaluate(scope, node.value), kind, f"'{target.id}'")
    put(scope, target, found, node.value)


def _if(scope: Scope, node: ast.If, after: set[str]) -> None:
    """The arms give the variables that either assigns and that have a value behind both."""
    test = condition(scope, node.test)
    arms = [scope.branch(), scope.branch()]
    for arm, body in zip(arms, (node.body, node.orelse), strict=True):
        with scope.perhaps():
            block(arm, body, after)
    assigned = _names(node, ast.Store)
    names = sorted(n for n in assigned if all(_is_value(arm, n) for arm in arms) and n in after)
    for name in assigned:
        if not all(_is_value(arm, name) for arm in arms):
            scope.values.pop(name, None)
    if not names:
        return
    functions = [scope.arm(_tuple(scope, node, arm, names)) for arm in arms]
    _unpack(scope, scope.add(If(), test, *functions), names)


def _is_value(scope: Scope, name: str) -> bool:
    return name in scope.values and not isinstance(scope.values[name], Closure | Named)


def _tuple(scope: Scope, node: ast.AST, arm: Scope, names: list[str]) -> int:
    parts = (scope.hold(node, arm.values[name])[0] for name in names)
    return scope.add(MakeTuple(), *parts)


def _unpack(scope: Scope, made: int, names: list[str]) -> None:
    for i, name in enumerate(names):
        scope.values[name] = scope.value(scope.add(Item(i), made), scope.kinds[name])


def _with_states(scope: Scope, names: list[str]) -> tuple[Scope, list[int]]:
    """The scope of a lambda that takes the states of a loop, and its parameters."""
    inner, symbols = scope.branch(), []
    for name in names:
        symbol, inner.values[name] = scope.parameter(name, scope.kinds[name])
        symbols.append(symbol)
    return inner, symbols


def _loop(scope: Scope, node: ast.While | ast.For, after: set[str]) -> None:
    """The state of a loop is what it assigns that has a value before it; one that changes nothing
    gives nothing, and so does nothing."""
    source = scope.source
    if node.orelse:
        source.refuse(node.orelse[0], "else after a loop is not in the language", "use an if")
    for part in ast.walk(node):
        if isinstance(part, ast.Break | ast.Continue | ast.Return):
            word = type(part).__name__.lower()
            source.refuse(part, f"{word} in a loop is not in the language", _NO_JUMP)
    xs = array(scope, node.iter, "for") if isinstance(node, ast.For) else None
    assigned = _names(node, ast.Store)
    names = sorted(name for name in assigned if _is_value(scope, name))
    body, symbols = _with_states(scope, names)
    starts = [scope.hold(node, scope.values[name])[0] for name in names]
    inside = after | _names(node, ast.Load)
    if xs is None:
        tested, read = _with_states(scope, names)
        test = scope.graph.function(read, condition(tested, node.test))
        with scope.perhaps():
            block(body, node.body, inside)
        step = scope.graph.function(symbols, _tuple(scope, node, body, names))
        made = scope.add(While(), test, step, *starts) if names else None
    else:
        element, value = scope.parameter("x", xs.kind.element)
        bind(body, node.target, value, lambda n, v: put(body, n, v, n))
        with scope.perhaps():
            block(body, node.body, inside)
        step = scope.graph.function([element, *symbols], _tuple(scope, node, body, names))
        made = scope.add(Fold(), step, xs.symbol, *starts) if names else None
    _unpack(scope, made, names)
    for name in assigned.difference(names):
        scope.values.pop(name, None)
