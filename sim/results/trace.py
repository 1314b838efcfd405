"""The trace of a run: what happened, an event a line, as JSON.

    {"cycle": 24, "event": "diverge", "sm": 0, "warp": 1, "block": 7, "pc": 12, "at": "BB1", …}

Which events there are and what they have beside the cycle, the kind's vocabulary says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from machines.diagnostics import Location
from machines.kept.files import open_atomically
from sim.results.profile import shown_file
from sim.results.vocabulary import Vocabulary, vocabulary_of


@contextmanager
def open_trace(path: Path | None, prepared: Any) -> Iterator[Callable[[Any], None] | None]:
    """What takes the events of a prepared case and writes them; None where no trace is wanted."""
    if path is None:
        yield None
        return
    vocabulary = vocabulary_of(prepared.compiled.machine.kind)
    folder = prepared.compiled.workload.folder
    with open_atomically(path) as file:

        def write(given: Any) -> None:
            for event in prepared.bound.events(given):
                file.write(event_line(vocabulary, event, folder))

        yield write


def event_line(vocabulary: Vocabulary, event: Mapping[str, Any], folder: Path) -> str:
    """A line of the trace; source locations in it are shown as from `folder`.

    Raises ValueError if the event is not as the vocabulary declares it.
    """
    declared = next((one for one in vocabulary.events if one.name == event["event"]), None)
    if declared is None or event.keys() != {"cycle", "event", *declared.fields}:
        raise ValueError(f"the vocabulary declares no such event: {dict(event)}")

    def text(value: Any) -> str:
        assert isinstance(value, Location), value
        return f"{shown_file(value.file, folder)}:{value.line}"

    return json.dumps(event, default=text) + "\n"
