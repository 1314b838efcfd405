"""The trace of a SIMT machine: what warps do, an event a line, as JSON.

    {"cycle": 24, "sm": 0, "warp": 1, "event": "diverge", "block": 7, "row": 12, "at": "BB1", …}

Cycles, SMs and warps are numbers; `block` is the block of threads; `row` and `at` say where in the
program, `lanes` (hexadecimal) which lanes, `place` which source line.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from machines.kinds.simt.program import WarpProgram
from sim.files import open_atomically
from sim.results.profile import shown_file


@contextmanager
def open_trace(path: Path | None, prepared: Any) -> Iterator[Callable[[np.ndarray], None] | None]:
    """What takes events and writes them; None where no trace is wanted."""
    if path is None:
        yield None
        return
    from sim.cores.simt.state import EVENTS

    program, folder = prepared.program, prepared.compiled.workload.folder
    heads = sorted(program.labels)
    with open_atomically(path) as file:

        def write(events: np.ndarray) -> None:
            for event in events.tolist():
                file.write(_line(event, EVENTS, program, heads, folder))

        yield write


def _line(
    event: list[int], kinds: tuple[str, ...], program: WarpProgram, heads: list[int], folder: Path
) -> str:
    cycle, sm, warp, block, row, mask, kind = event
    content = {
        "cycle": cycle, "sm": sm, "warp": warp, "event": kinds[kind], "block": block, "row": row,
        "at": program.labels[heads[bisect_right(heads, row) - 1]] if heads else None,
        "lanes": f"{mask & 0xFFFF_FFFF_FFFF_FFFF:#x}",
    }  # fmt: skip
    location = program.locations[row] if 0 <= row < len(program.locations) else None
    if location is not None:
        content["place"] = f"{shown_file(location.file, folder)}:{location.line}"
    return json.dumps(content) + "\n"
