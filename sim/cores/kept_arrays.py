"""The arrays of a state that a run changes: what is kept of it at rest, and taken up again.

A state is a NamedTuple of arrays and of states (see `sim.cores.addresses`).  What is fixed before
the run is made anew; so a field that is added is kept unless somebody says that it is fixed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from machines.diagnostics import input_error

State = TypeVar("State", bound=NamedTuple)


def arrays_of(state: NamedTuple, fixed: Collection[str]) -> dict[str, Any]:
    """The arrays by the names of their fields, those of states within it as mappings."""
    kept = ((name, value) for name, value in state._asdict().items() if name not in fixed)
    return {
        name: value if isinstance(value, np.ndarray) else arrays_of(value, ())
        for name, value in kept
    }


def with_arrays(
    state: State, kept: Mapping[str, Any], fixed: Collection[str], grow: Collection[str] = ()
) -> State:
    """The state with what was kept: in its own arrays, but for those that a run lets grow.

    Raises InputError if it does not fit.
    """
    wanted = [name for name in state._fields if name not in fixed]
    if sorted(wanted) != sorted(kept):
        raise input_error("what was kept of the run is damaged: other arrays than there are")
    changes: dict[str, Any] = {}
    for name in wanted:
        own, other = getattr(state, name), kept[name]
        if not isinstance(own, np.ndarray):
            changes[name] = with_arrays(own, other, ())
            continue
        alike = isinstance(other, np.ndarray) and own.dtype == other.dtype
        if not alike or own.ndim != other.ndim or (own.shape != other.shape and name not in grow):
            raise input_error(f"what was kept of the run is damaged: '{name}' does not fit")
        if own.shape == other.shape:
            own[...] = other
        else:
            changes[name] = other.copy()
    return state._replace(**changes)
