"""Program in, Result out.  `run` is the only door; it imports what it needs when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from machines.diagnostics import InputError

if TYPE_CHECKING:
    from sim.runner import run

__all__ = ["InputError", "run"]


def __getattr__(name: str) -> Any:
    """The door, opened when it is used: `import sim` alone takes no time.

    >>> sim.run("workloads/saxpy/workload.yaml", machine="epic3").cycles  # doctest: +SKIP
    """
    if name != "run":
        raise AttributeError(f"module 'sim' has no attribute '{name}'")
    from sim.runner import run

    return run
