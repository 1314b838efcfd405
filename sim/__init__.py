"""Program in, Result out.  `run` is the only door; it imports what it needs when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.result import Result

__all__ = ["run"]


def run(workload: Any, **options: Any) -> Result:
    """Run one case of a workload file; see `sim.runner.run` for the options.

    >>> sim.run("workloads/saxpy/workload.yaml", machine="epic3").cycles  # doctest: +SKIP
    """
    from sim.runner import run as run_workload

    return run_workload(workload, **options)
