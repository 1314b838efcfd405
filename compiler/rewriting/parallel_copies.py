"""Parallel copies one after another: all sources are read before any destination is written.

    (a, b, c) = (b, a, a)    ->    c = a; a = b; b = c
    (a, b) = (b, a)          ->    t = a; a = b; b = t

After Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, *Revisiting Out-of-SSA Translation
for Correctness, Code Quality, and Efficiency*, 2009, algorithm 1: a value that was copied once may
be overwritten, as it can be read from its copy; so only a pure cycle needs a temporary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from compiler.ir.module import Value

Copy = tuple[str, Value]
"""A destination and what it becomes."""


def in_sequence(copies: Mapping[str, Value], temporary: Callable[[str], str]) -> list[Copy]:
    """The parallel copies `destination: source` as a list of copies to do one by one.

    `temporary(a)` gives a name of its own that can hold what `a` holds; it is asked for once for
    each cycle.  Copies of a name to itself are left out.

    >>> in_sequence({"a": "b", "b": "a", "c": "a", "d": 1}, lambda name: f"{name}.1")
    [('c', 'a'), ('d', 1), ('a', 'b'), ('b', 'c')]
    >>> in_sequence({"a": "b", "b": "a"}, lambda name: f"{name}.1")
    [('a.1', 'a'), ('a', 'b'), ('b', 'a.1')]
    """
    pending = {name: source for name, source in copies.items() if name != source}
    readers = Counter(source for source in pending.values() if isinstance(source, str))
    ready = [name for name in reversed(pending) if not readers[name]]
    kept: dict[Value, str] = {}  # what may be overwritten because this name holds it too
    overwritten: set[Value] = set()
    done: list[Copy] = []

    def free(name: Value) -> None:
        """Its old value is needed no more, or is kept elsewhere: it may be written."""
        if name in pending and name not in ready:
            ready.append(name)

    while pending:
        if not ready:
            stuck = min(pending, key=lambda name: name not in kept)
            if stuck not in kept:
                kept[stuck] = temporary(stuck)
                done.append((kept[stuck], stuck))
            free(stuck)
        name = ready.pop()
        source = pending.pop(name)
        done.append((name, kept[source] if source in overwritten else source))
        overwritten.add(name)
        if isinstance(source, str):
            readers[source] -= 1
            kept.setdefault(source, name)
            if not readers[source]:
                free(source)
    return done
