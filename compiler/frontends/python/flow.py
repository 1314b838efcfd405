"""Following paths: which names have a value on every path to a statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TypeVar

from compiler.python_syntax.errors import Refused
from compiler.python_syntax.scope import Scope

State = set[str] | None
"""Names with a value; None where no path arrives."""

Checked = TypeVar("Checked")


def copy_state(state: State) -> State:
    """A state that can be changed without changing this one."""
    return None if state is None else set(state)


def merge(states: Sequence[State]) -> State:
    """What has a value on every path that arrives; None if none does."""
    arriving = [state for state in states if state is not None]
    return set.intersection(*arriving) if arriving else None


def mark_assigned(scope: Scope, name: str) -> None:
    """Note that from here on the variable has a value."""
    scope.kernel.assigned.add(name)
    if scope.assigned is not None:
        scope.assigned.add(name)


def attempt(checker: Callable[..., Checked], *arguments: object) -> Checked | None:
    """What the checker returns, or None if it refused, so that what follows is checked too."""
    try:
        return checker(*arguments)
    except Refused:
        return None


def stored_names(nodes: Sequence[ast.stmt]) -> set[str]:
    """Names that statements assign, inner ones included."""
    return {
        part.id
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def read_names(node: ast.AST) -> set[str]:
    """Names that an expression mentions."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
