"""What must hold of an argument of a launch.

    {value: n, multiple_of: 16}                     a number
    {value: "x + 4", multiple_of: 16}               a pointer: its address
    {value: x, elements: f32, axes: 2}              and the array that it points into

A compiler that assumed it made code that is wrong where it does not hold; a generator's files say
so, and a launch that breaks it is an error before cycle 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.description.strict_yaml import Node
from machines.diagnostics import InputError, nearest
from machines.types import ELEMENTS

CHECKED = "value"
"""The key at which the argument itself stands."""
KEYS = ("multiple_of", "elements", "axes")
Broken = tuple[str, str | None]


@dataclass(frozen=True)
class Conditions:
    """What must hold; 1 and None: anything does."""

    multiple_of: int = 1
    elements: str | None = None
    axes: int | None = None

    def broken_by_number(self, value: int | float | bool) -> Broken | None:
        """What is wrong with a number, and a hint; None if nothing is."""
        if self.elements is not None:
            return "and an array is wanted", "name an array"
        if self.multiple_of == 1:
            return None
        if isinstance(value, bool | float) or value % self.multiple_of:
            message = f"which is no multiple of {self.multiple_of}"
            return message, "the kernel was compiled for multiples: compile it again for this"
        return None

    def broken_by_array(
        self, elements: str | None, axes: int | None, address: int
    ) -> Broken | None:
        """What is wrong with a pointer into an array of such elements and so many axes."""
        if None not in (elements, self.elements) and not _same(elements, self.elements):
            message = f"an array of {elements}, and the kernel was compiled for {self.elements}"
            return message, f"dtype: {self.elements}"
        if None not in (axes, self.axes) and axes != self.axes:
            message = f"an array of {axes} axes, and the kernel was compiled for {self.axes}"
            return message, "give it another 'shape'"
        if address % self.multiple_of:
            message = f"at address {address:#x}, which is no multiple of {self.multiple_of}"
            return message, "the kernel was compiled for multiples: compile it again for this"
        return None


NONE = Conditions()


def _same(given: str, wanted: str) -> bool:
    """Whether elements are those that are wanted: of integers the sign makes no difference."""
    one, other = ELEMENTS[given], ELEMENTS[wanted]
    both = one.is_integer and other.is_integer
    return one is other or (both and one.bits == other.bits)


def conditions(node: Node) -> Conditions:
    """Those that a mapping says beside its value; raises InputError."""
    found = {key: one for key, one in node.value.items() if key != CHECKED}
    for key, one in found.items():
        if key not in KEYS:
            raise InputError(
                node.finding(f"there is no condition '{key}'", nearest(key, KEYS), key)
            )
        if key == "elements" and one.value not in ELEMENTS:
            hint = nearest(str(one.value), ELEMENTS)
            raise InputError(one.finding(f"there is no type '{one.value}'", hint))
        if key != "elements" and (type(one.value) is not int or one.value < 1):
            raise InputError(one.finding(f"'{key}' is a positive integer"))
    return Conditions(**{key: one.value for key, one in found.items()})
