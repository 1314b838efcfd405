"""What names mean where the text is being read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from compiler.ir.reading.linear import Amount, Linear
from compiler.ir.reading.views import View
from machines.types import TYPES, Type


class Computed(dict[Linear | str, str]):
    """Amounts, and what the core is -> the variable that holds them.

    Of each variable it knows the amounts that it is in, so that to forget one takes no longer in a
    long block.
    """

    def __init__(self) -> None:
        super().__init__()
        self._with: dict[str, set[Linear | str]] = {}

    def __setitem__(self, amount: Linear | str, held: str) -> None:
        super().__setitem__(amount, held)
        for name in (held, *_names(amount)):
            self._with.setdefault(name, set()).add(amount)

    def forget(self, name: str) -> None:
        """Nothing holds that was computed of a variable, or is held in it."""
        for amount in self._with.pop(name, ()):
            self.pop(amount, None)

    def clear(self) -> None:
        super().clear()
        self._with.clear()


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
    computed: Computed = field(default_factory=Computed)
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
        self.computed.forget(name)


def _names(amount: Linear | str) -> Iterator[str]:
    return (name for name, _ in amount.terms) if isinstance(amount, Linear) else iter(())
