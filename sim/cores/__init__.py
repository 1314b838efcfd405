"""The jitted cores: a folder a kind of machine, each a plugin that runs that kind's programs."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from machines.description.load import Machine
from machines.diagnostics import Location
from machines.layout import Memory
from machines.plugins import discover
from sim.results.counters import Counter, Headline


@dataclass(frozen=True)
class Request:
    """What is to be run, and within which limits.

    program      what was compiled for `machine`
    memory       holds the inputs; the run changes it
    arguments    the program's arguments by name: numbers, and addresses of arrays
    launches     of a SIMT machine: what the host does in each stream
                 (`sim.kinds.simt.host_program`), each
                 asked for when the one before has ended
    cycle_limit  cycles after which the run ends
    quantum      cycles per call of the core, which results do not depend on; None: it chooses
    on_progress  called with the cycle now and then
    on_trace     called with the events of a trace as they come, if one is wanted
    """

    program: Any
    machine: Machine
    memory: Memory
    arguments: Mapping[str, Any]
    launches: Mapping[int, Iterable[Any]] = field(default_factory=dict)
    cycle_limit: int = 10**12
    quantum: int | None = None
    on_progress: Callable[[int], None] | None = None
    on_trace: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class Failure:
    """Why a program could not go on.

    where    place in the machine's own terms: 'bundle 3 slot 1', 'block (1, 0, 0) thread (5, 0, 0)'
    details  the same as plain data
    """

    kind: str
    cycle: int
    where: str
    location: Location | None = None
    address: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


class Ended(Protocol):
    """How a run ended and what it counted: what every kind's outcome has.

    status     one of `sim.results.result`'s
    value      what the program returned
    breakdown  where the time went: shares of it by cause, each once
    causes     the columns of `stalls`
    executed   int64[instructions]: how often each was executed
    stalls     int64[instructions, causes]: time lost by the instruction that waited
    columns    more figures per instruction, by name: int64[instructions]
    waits_for  of a hang: what repeats, or who waits for whom
    """

    status: str
    cycles: int
    counters: dict[str, int]
    value: int | float | None
    failure: Failure | None
    breakdown: dict[str, int]
    causes: Sequence[str]
    executed: np.ndarray
    stalls: np.ndarray
    columns: Mapping[str, np.ndarray]
    waits_for: str | None
    launches: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class CoreKind:
    """A kind of core: how it runs a program, and what it counts.

    name       the kind of machine
    run        run(request) -> how it ended
    counters   by name, in the order in which results list them
    headlines  figures people look at first
    """

    name: str
    run: Callable[[Request], Ended]
    counters: Mapping[str, Counter]
    headlines: Sequence[Headline]


def core_kind(name: str) -> CoreKind:
    """The core of a kind of machine; only that one is imported."""
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return importlib.import_module(f"{__name__}.{name}").PLUGIN
    return core_kinds()[name]


def core_kinds() -> dict[str, CoreKind]:
    """All kinds of core by name (entry-point group `simrun.cores`)."""
    return discover("cores", sys.modules[__name__], CoreKind)


def all_counters() -> dict[str, Counter]:
    """Every counter that some kind declares."""
    return {n: counter for kind in core_kinds().values() for n, counter in kind.counters.items()}
