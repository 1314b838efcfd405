"""A tensor operation done on the places of its intervals.

known = checked(row, places, scalars)      # raises OperationFault if sizes do not fit
perform(row, places, known)                # its result, if it has one
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from machines.operations.evaluate import OperationFault
from machines.operations.row import Operation
from machines.tensors.loops import Number, Runner, python_loops
from machines.tensors.places import Place
from machines.tensors.sizes import misfit

Loops = Callable[[Operation], Runner]
"""Who runs the loops of a row: `python_loops`, or who compiles them."""


def checked(
    row: Operation, places: Mapping[str, Place], scalars: Mapping[str, Number]
) -> dict[str, Number]:
    """The sizes of all intervals and the other operands; raises OperationFault if they misfit."""
    return fitting(row, {name: place.size for name, place in places.items()}, scalars)


def fitting(
    row: Operation, sizes: Mapping[str, int], scalars: Mapping[str, Number]
) -> dict[str, Number]:
    """The same, of sizes alone."""
    known = {**sizes, **scalars}
    if misfit(row.walk, known):
        raise OperationFault("size mismatch")
    return known


def perform(
    row: Operation,
    places: Mapping[str, Place],
    known: Mapping[str, Number],
    loops: Loops = python_loops,
) -> Number | None:
    """Every element is read before the first one is written."""
    written = row.written_names
    read = {n: place.elements.ravel() for n, place in places.items() if n not in written}
    found = loops(row)(read, known)
    result = None
    for name, elements in found.items():
        if name in places:
            target = places[name].elements
            target[...] = elements.reshape(target.shape)
        else:
            result = elements.item()
    return result
