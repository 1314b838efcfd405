"""Which variables of an isolated function get one name, and which name that is.

    i2 = phi [A: i1, B: i3]                     i1, i2, i3 (and i2* on the way)  ->  i
    i3 = add i2, 1                              x1, x2 where both are needed     ->  x, x2

Classes of variables grow along the copies: the two sides of a copy get one name if no variable of
one class disturbs one of the other.  Copies in deep loops come first, so that one that stays, stays
where it runs seldom.  A class with a parameter has the parameter's name.  Any other takes the name
its first variable had before it got a version, if that is free, else the first variable's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from compiler.analyses.loops import loops
from compiler.analyses.ssa.interference import Interference
from compiler.analyses.ssa.isolation import Copy, on_the_way
from compiler.ir.module import Function
from compiler.ir.reading.lexer import RESERVED

_VERSIONED = re.compile(r"(?P<base>.*[^\d.])\d+|(?P<dotted>.*[\d.])\.\d+")


def base_name(name: str) -> str:
    """The variable a name is a version of; the name itself if it is none.

    >>> base_name("x12"), base_name("x1.2"), base_name("x"), base_name("copy.1")
    ('x', 'x1', 'x', 'copy.1')
    """
    match = _VERSIONED.fullmatch(name)
    found = match and (match["base"] or match["dotted"])
    return found if found and found not in RESERVED else name


class _Classes:
    """Disjoint sets of variables by number (Tarjan, *Efficiency of a Good But Not Linear Set Union
    Algorithm*, 1975), each with its members and all that they disturb.
    """

    def __init__(self, found: Interference):
        self.above = list(range(len(found.numbers)))
        self.members = [1 << number for number in self.above]
        self.disturbs = list(found.disturbs)

    def of(self, number: int) -> int:
        while self.above[number] != number:
            self.above[number] = self.above[self.above[number]]
            number = self.above[number]
        return number

    def join(self, a: int, b: int) -> None:
        """Make one class of two, unless one disturbs the other."""
        a, b = self.of(a), self.of(b)
        apart = self.disturbs[a] & self.members[b] or self.disturbs[b] & self.members[a]
        if a != b and not apart:
            self.above[b] = a
            self.members[a] |= self.members[b]
            self.disturbs[a] |= self.disturbs[b]


def shared_names(
    function: Function, related: Iterable[Copy], found: Interference
) -> dict[str, str]:
    """The name that each variable gets, those on the way between blocks included."""
    classes, numbers, depth = _Classes(found), found.numbers, loops(function).depth
    for copy in sorted(related, key=lambda copy: -depth.get(copy.block, 0)):
        classes.join(numbers[copy.result], numbers[str(copy.source)])
    groups: dict[int | str, list[str]] = {}
    for name in _variables(function):
        group = classes.of(numbers[name]) if name in numbers else name
        groups.setdefault(group, []).append(name)
    return _named(function, groups.values())


def _variables(function: Function) -> Iterator[str]:
    """Every variable, parameters first, then in the order in which the layout assigns them."""
    yield from (name for name, _ in function.parameters)
    for _, instruction in function.instructions():
        yield from instruction.results
        if instruction.is_phi:
            yield on_the_way(instruction)


def _named(function: Function, groups: Iterable[list[str]]) -> dict[str, str]:
    names: dict[str, str] = {}
    taken = {*function.types}
    parameters = {name for name, _ in function.parameters}
    for group in groups:
        chosen = group[0] if group[0] in parameters else _free_name(group, taken)
        taken.add(chosen)
        names.update(dict.fromkeys(group, chosen))
    return names


def _free_name(group: list[str], taken: set[str]) -> str:
    """A name for a class of variables; the names of all variables are taken, its own are free."""
    own = [name for name in group if name in taken]
    wanted = [base_name(name.rstrip("*")) for name in group]
    free = {*own}
    for name in wanted + own:
        if name not in taken or name in free:
            return name
    return next(n for k in count(1) if (n := f"{wanted[0]}.{k}") not in taken)
