"""What runs programs: a folder a kind of machine, which names its `Core` among its parts.

`sim.simulate` runs one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from machines.description.load import Machine
from machines.diagnostics import Diagnostic, Location
from machines.kinds import kind_named, parts
from machines.layout import Memory
from sim.cores.rest import Rest, Resumed
from sim.timeline.span import Happening

if TYPE_CHECKING:
    import numpy as np

    from sim.timeline.window import TraceWindow


@dataclass(frozen=True)
class Request:
    """What is to be run, and within which limits.

    program      what was compiled for `machine`
    memory       holds the inputs; the run changes it
    arguments    the program's arguments by name: numbers, and addresses of arrays
    host         what the host does in each stream, made by the kind's binding: actions, each asked
                 for when the one before has ended; a `sim.cores.rest.Script` if that depends on
                 memory.  Who has a host has no `arguments`: its actions say theirs
    cycle_limit  cycles after which the run ends
    quantum      cycles per call of the core, which results do not depend on; None: it chooses
    threads      of the host that the core may use, which results do not depend on
    values       whether what is computed is wanted; else only the time (see `Core.needs_values`)
    races        whether a kind that can looks for commands without an order, which end the run
    on_progress  called with the cycle now and then
    on_trace     called with spans and instants of the run's timeline as they come, if it is wanted
    trace_window  the part of it that is wanted; a core that `notes_windows` leaves out the rest
    on_race      called with each race, which then does not end the run
    on_start     called before anything happens with what gives, whenever it is asked, what the run
                 would come to if it ended now; a core that cannot tell does not call it
    on_rest      called at points of rest, if the kind has any; whether to pause there
    resumed      a run at rest to go on from; memory holds what it held then
    """

    program: Any
    machine: Machine
    memory: Memory
    arguments: Mapping[str, Any] = field(default_factory=dict)
    host: Mapping[int, Iterable[Any]] = field(default_factory=dict)
    cycle_limit: int = 10**12
    quantum: int | None = None
    threads: int = 1
    values: bool = True
    races: bool = True
    on_progress: Callable[[int], None] | None = None
    on_trace: Callable[[Iterable[Happening]], None] | None = None
    trace_window: TraceWindow | None = None
    on_race: Callable[[Any], None] | None = None
    on_start: Callable[[Callable[[], Outcome]], None] | None = None
    on_rest: Callable[[Rest], bool] | None = None
    resumed: Resumed | None = None


@dataclass(frozen=True)
class Failure:
    """Why a program could not go on; everything before has happened.

    kind     'out of bounds', 'misaligned', 'division by zero', …
    where    in the machine's own terms: 'bundle 3 slot 1', 'block (1, 0, 0) thread (5, 0, 0)'
    address  of the access or of the code, None where there is none
    details  `where` and more as plain data, in which there may be places
    about    what is wrong, in the program's words: 'x[64:96] of 64 elements'
    hint     what would help, if somebody knows
    """

    kind: str
    cycle: int
    where: str
    location: Location | None = None
    address: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    hint: str | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended and what it counted.

    status      one of `sim.status`
    statistics  what the kind's counters and laws are functions of
    breakdown   where the time went: shares of it by reason, each once
    value       what the program returned
    causes      the columns of `stalls`
    executed    int64[instructions]: how often each was executed; None of a core that does not say
                what instructions cost
    stalls      int64[instructions, causes]: time lost by the instruction that waited or that made
                others wait
    waits_for   of a hang: what repeats, or who waits for whom
    steps       what the host did, in the order in which it ended
    state       what the machine holds at the end (registers), for who looks closer than results do
    """

    status: str
    cycles: int
    statistics: Any
    breakdown: Mapping[str, int]
    value: int | float | None = None
    failure: Failure | None = None
    causes: Sequence[str] = ()
    executed: np.ndarray | None = None
    stalls: np.ndarray | None = None
    waits_for: str | None = None
    steps: Sequence[Mapping[str, Any]] = ()
    state: Any = None


Running = Generator[Any, float, Outcome]
"""A run, as far as it is asked for.

It yields what the machine holds: first before anything has happened, then whenever it pauses.  It
is sent the cycle before which to pause next: of what happens in that cycle or later nothing has
happened then.  It returns how the run ended.
"""


@dataclass(frozen=True)
class Core:
    """How programs of a kind of machine run.

    run           run(request) -> the run of it
    model         version of the timing model: a change that moves cycles raises it
    has_threads   whether one run may use several threads of the host
    needs_values  needs_values(program) -> why its time is not had without what it computes, nothing
                  if it is; None of a core that always computes
    finds_races   whether its runs end where commands have no order
    notes_windows  whether it notes only what a `Request.trace_window` wants
    """

    run: Callable[[Request], Running]
    model: int
    has_threads: bool = False
    needs_values: Callable[[Any], Iterable[Diagnostic]] | None = None
    finds_races: bool = False
    notes_windows: bool = False


def core_of(machine: Machine) -> Core:
    """The core of a machine; only that one is imported."""
    return kind_named(machine.kind).part("core", Core)


def cores() -> dict[str, Core]:
    """Those of all kinds, by kind; all are imported."""
    return parts("core", Core)
