"""What names mean where the text is being read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from compiler.ir.reading.linear import Amount, Linear
from compiler.ir.reading.views import View
from machines.types import TYPES, Type


@dataclass(slots=True)
class Scope:
    """Of a function, or of one call of a function that is put in place of its call.

    constants  of the file, by name
    known      constants of the function, and what its parameters are
    views      buffers of the function, and what its parameters are
    types      what names of types mean
    prefix     of the names of variables, blocks and buffers
    variables  names that are variables for sure
    computed   amounts, and what the core is, that a variable holds in the block that is written
    loops      variables of the loops that are open, which nothing else assigns
    is_foreign of a function of another file, which knows no buffers but its own
    """

    constants: Mapping[str, int | float] = field(default_factory=dict)
    known: dict[str, Amount | float] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    prefix: str = ""
    variables: set[str] = field(default_factory=set)
    computed: dict[Linear | str, str] = field(default_factory=dict)
    loops: list[str] = field(default_factory=list)
    is_foreign: bool = False

    def has(self, name: str) -> bool:
        """Whether a name stands for an amount."""
        return name in self.known or name in self.constants

    def amount(self, name: str) -> Amount | float | None:
        return self.known.get(name, self.constants.get(name))

    def sees_buffers(self, name: str) -> bool:
        """Whether a name may be that of a buffer of the program."""
        return not self.is_foreign and name not in self.known

    def type(self, name: str) -> Type | None:
        return self.types.get(name, TYPES.get(name))

    def renamed(self, name: str) -> str:
        """A variable's or a block's name in the function that is written."""
        return self.prefix + name

    def assigned(self, name: str) -> None:
        """What was computed of a variable holds no more."""
        self.variables.add(name)
        stale = [a for a, held in self.computed.items() if held == name or name in _names(a)]
        for amount in stale:
            del self.computed[amount]


def _names(amount: Linear | str) -> Iterator[str]:
    return (name for name, _ in amount.terms) if isinstance(amount, Linear) else iter(())
