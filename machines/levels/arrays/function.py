"""What a caller has to know of a function of arrays that was lowered to loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from machines.diagnostics import Location


@dataclass(frozen=True, slots=True)
class ArrayFunction:
    """What a function of arrays takes and gives (see `machines.levels.arrays.types`; leaves are
    names of element types), and what it may end with.

    parameters  by name, in order
    result      the type of the result
    faults      kind and source place; a run leaves 0, or the number of one, from 1
    lanes       arrays that have an element for each lane
    together    whether all threads of a grid execute it together; else one thread does
    """

    call: ClassVar[str] = "sim.levels.arrays.array_call:array_call"
    parameters: tuple[tuple[str, Any], ...]
    result: Any
    faults: tuple[tuple[str, Location | None], ...] = ()
    lanes: tuple[str, ...] = ()
    together: bool = False
