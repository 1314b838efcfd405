"""A function of a generator as a workload: compiled now, its PTX a text that is in no file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from machines.description.load import Machine
from machines.diagnostics import InputError, input_error
from sim.kinds.simt.generators import that_compiles
from sim.kinds.simt.generators.calls import Call
from sim.kinds.simt.generators.entries import ptx_of
from sim.workload.schema import Source, Workload, workload_of


def workload_of_call(
    function: Any,
    machine: Machine,
    grid: Sequence[int] | None,
    arguments: Mapping[str, Any] | Sequence[Any] | None,
    block: Sequence[int] | None = None,
    compiled_with: Mapping[str, Any] | None = None,
) -> Workload:
    """A call of a function, for a machine.

    Raises InputError if the generator is not installed, does not take the function, or if what it
    makes is not what its reader knows.
    """
    generator = that_compiles(function)
    assert generator is not None  # who calls this has asked
    given = arguments if arguments is not None else {}
    if not isinstance(given, Mapping | Sequence) or isinstance(given, str | bytes):
        kind = type(given).__name__
        message = f"arguments: expected a mapping or a sequence, found a {kind}"
        raise input_error(message, hint='{"x": x, "n": 300}')
    try:
        makes = generator.part("makes")
        with tempfile.TemporaryDirectory(prefix="simrun-") as folder:
            call = Call(machine, grid, given, block, compiled_with or {}, Path(folder))
            content = makes(function, call).workload
            described = workload_of({"machine": machine.name, **content})
            text = ptx_of(described.program)
    except ImportError as error:
        message = f"'{generator.name}' cannot be used: {error}"
        raise input_error(message, hint=f"pip install 'simrun[{generator.name}]'") from None
    except InputError as error:
        raise InputError([_without(folder, one) for one in error.diagnostics]) from None
    return replace(described, source=Source(f"{content['workload']}.ptx", text))


def _without(folder: str, finding: Any) -> Any:
    """A finding without the path of files that are gone."""
    return replace(finding, message=finding.message.replace(f"{folder}/", ""))
