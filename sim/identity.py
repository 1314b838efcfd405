"""What a result is a result of, part by part: studies, baselines and comparisons share it.

    identity = identity_of(compiled, case)
    identity.key                     # SHA-256; two runs of one key have equal results
    identity.moved_since(other)      # ('machine', 'program'): which parts differ

There are two steps.  Source, passes, the compiler's text and the figures that it asked of the
machine give a program (`machines.kept.results_for_machines` finds it again).  The program, the
machine, the inputs and the text of the simulator give the result.  So the compiler is no part of a
result's key: where it makes the same program, the result is the same.

A text counts as a whole, since a release number cannot tell two checkouts apart.  Of a machine what
it says counts, not how its file is written; of arrays in files, their names and contents.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machines.description.strict_yaml import Node
from machines.kept.questions import content_of
from machines.kept.results import software
from machines.kept.software import SIMULATING
from sim.oracles.own import own_oracle
from sim.results.profile import shown_file
from sim.results.result import FORMAT
from sim.workload.given_arguments import recorded

if TYPE_CHECKING:
    from sim.runner import Compiled
    from sim.workload.schema import Case

_FILES = ("file", "oracle")
"""Keys of arguments and expectations that name files beside the workload."""


@dataclass(frozen=True)
class Identity:
    """The parts, each a digest, a name or a number.

    workload      its name and the variant's
    source        the files that the program was compiled from, its entry, and the files whose lines
                  results show
    passes        with their options
    program       what runs
    machine       what its description says
    inputs        arguments, the host's steps, contents of files
    expectations  what must come out
    limits        where the run ends, whether values are computed, and which region is measured
    model         version of the kind's timing model
    simulator     the text of `sim` and `machines`, of plugins, and what is installed
    """

    workload: str
    source: str
    passes: str
    program: str
    machine: str
    inputs: str
    expectations: str
    limits: str
    model: int
    simulator: str

    @cached_property
    def key(self) -> str:
        """SHA-256 of all of it."""
        return _digest([FORMAT, asdict(self)])

    def moved_since(self, before: Identity) -> tuple[str, ...]:
        """The parts that differ."""
        names = [field.name for field in fields(self)]
        return tuple(name for name in names if getattr(self, name) != getattr(before, name))


def identity_of(
    compiled: Compiled, case: Case, cycle_limit: int | None = None, values: bool = True
) -> Identity:
    """The identity of the run of a case."""
    from sim.cores import core_of

    form, folder = compiled.workload.form, compiled.workload.folder
    arguments = {name: _plain(node, folder) for name, node in case.arguments.items()}
    steps = {key: _plain(holder.value[key], folder) for key, holder in case.section.items()}
    limits = [case.cycle_limit if cycle_limit is None else cycle_limit, values]
    measured = [astuple(case.measure)] if case.measure is not None else []
    return Identity(
        workload=f"{compiled.workload.name} {case.name}",
        source=_digest([compiled.sources, compiled.made.entry, _texts(compiled)]),
        passes=_digest(compiled.passes),
        program=compiled.program.content_hash,
        machine=compiled.machine.content_hash,
        inputs=_digest([arguments, steps, form.scratch]),
        expectations=_digest({name: _plain(node, folder) for name, node in case.expect.items()}),
        limits=_digest([*limits, *measured]),
        model=core_of(compiled.machine).model,
        simulator=software().digest_of(SIMULATING),
    )


def _texts(compiled: Compiled) -> list[tuple[str, str]]:
    """Names and digests of the files of source lines: a program that another compiler made says
    where they are."""
    files = {location.file for location in compiled.program.locations if location is not None}
    folder = compiled.workload.folder
    return sorted((shown_file(file, folder), content_of(file)[2]) for file in files)


def _plain(node: Node, folder: Path) -> Any:
    """A node as data, with the content of each file that it names."""
    plain = recorded({"": node})[""]
    files = {name: content_of(str(folder / name))[2] for name in sorted(set(_named(node)))}
    return [_without_folders(plain), sorted([Path(n).name, digest] for n, digest in files.items())]


def _named(node: Node) -> Iterator[str]:
    """The files that a node names."""
    if isinstance(node.value, dict):
        for key, inner in node.value.items():
            if key in _FILES and isinstance(inner.value, str):
                own = own_oracle(inner) if key == "oracle" else None
                if own is not None or key == "file":
                    yield own.file if own is not None else inner.value
            yield from _named(inner)
    elif isinstance(node.value, list):
        for inner in node.value:
            yield from _named(inner)


def _without_folders(plain: Any) -> Any:
    """The data of a node with files by their names alone: where they lie says nothing."""
    if isinstance(plain, Mapping):
        return {
            key: Path(inner).name
            if key == "file" and isinstance(inner, str)
            else _without_folders(inner)
            for key, inner in plain.items()
        }
    return [_without_folders(one) for one in plain] if isinstance(plain, list) else plain


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
