"""Names of a model as names of a network: each legal, and none twice."""

from __future__ import annotations

import re

LONGEST = 60
"""Characters of a name of a tensor."""
_ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


class Names:
    """Gives every text a name of its own.

    >>> names = Names()
    >>> names.new("gpu_0/conv_w"), names.new("gpu_0.conv_w"), names.new("0 → x"), names.new("")
    ('gpu_0_conv_w', 'gpu_0_conv_w_2', 'x0_x', 'x')
    """

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def new(self, text: str) -> str:
        legal = _ILLEGAL.sub("_", text)[:LONGEST].strip("_")
        legal = legal if legal and not legal[0].isdigit() else "x" + legal
        return _unused(legal, self._taken)


class Layers:
    """The same for names of layers, which stand in quotes and may be nearly anything."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def new(self, text: str) -> str:
        legal = "".join(c if c.isprintable() and c not in '"\\' else "_" for c in text)
        return _unused(legal[:LONGEST], self._taken)


def _unused(name: str, taken: dict[str, int]) -> str:
    found = name
    while found in taken:
        taken[name] += 1
        found = f"{name}_{taken[name]}"
    taken[found] = 1
    return found
