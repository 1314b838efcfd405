"""What a result is a result of, part by part: studies, baselines and comparisons share it.

    identity = identity_of(compiled, case)
    identity.key                     # SHA-256; two runs of one key have equal results
    identity.moved_since(other)      # ('machine', 'program'): which parts differ

There are two steps.  Source, passes, the compiler's text and the figures that it asked of the
machine give a program (`machines.description.results_for_machines` finds it again).  The program,
the machine, the inputs and the text of the simulator give the result.  So the compiler is no part
of a result's key: where it makes the same program, the result is the same.

A text counts as a whole, since a release number cannot tell two checkouts apart.  Of a machine what
it says counts, not how its file is written; of arrays in files, their names and contents.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machines.cache.file_dependencies import content_of, record_all
from machines.cache.installed import Versions, moved
from machines.cache.results import software
from machines.cache.software import SIMULATING
from machines.description.strict_yaml import Node
from sim.levels import inputs_of
from sim.oracles.own import own_oracle
from sim.results.profile import shown_file
from sim.results.result import FORMAT
from sim.workload.given_arguments import recorded

if TYPE_CHECKING:
    from sim.runner import Compiled
    from sim.workload.schema import Case


@dataclass(frozen=True)
class Identity:
    """The parts, each a digest, a name, a number, or versions.

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
    simulator     the text of `sim` and `machines`, and of plugins
    installed     versions of Python and of the libraries that take part, by name
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
    installed: Versions

    @cached_property
    def key(self) -> str:
        """SHA-256 of all of it."""
        return _digest([FORMAT, asdict(self)])

    def moved_since(self, before: Identity) -> tuple[str, ...]:
        """The parts that differ."""
        names = [field.name for field in fields(self)]
        return tuple(name for name in names if getattr(self, name) != getattr(before, name))

    def told_since(self, before: Identity) -> str:
        """The same for people, who want to know which packages have moved."""
        parts = self.moved_since(before)
        packages = f"installed ({moved(before.installed, self.installed)})"
        return ", ".join(packages if part == "installed" else part for part in parts)


def identity_of(
    compiled: Compiled, case: Case, cycle_limit: int | None = None, values: bool = True
) -> Identity:
    """The identity of the run of a case."""
    from sim.cores import core_of

    workload, folder = compiled.workload, compiled.workload.folder
    said = inputs_of(workload.form, workload.tree)
    arguments = {name: _plain(node, folder) for name, node in case.arguments.items()}
    steps = {key: _plain(holder.value[key], folder) for key, holder in case.section.items()}
    limits = [case.cycle_limit if cycle_limit is None else cycle_limit, values]
    region = case.measure
    measured = [[region.after, region.until]] if region is not None else []
    return Identity(
        workload=f"{workload.name} {case.name}",
        source=_digest([compiled.sources, compiled.made.entry, _texts(compiled)]),
        passes=_digest(compiled.passes),
        program=compiled.program.content_hash,
        machine=compiled.machine.content_hash,
        inputs=_digest([arguments, steps, said]),
        expectations=_digest({name: _plain(node, folder) for name, node in case.expect.items()}),
        limits=_digest([*limits, *measured]),
        model=core_of(compiled.machine).model,
        simulator=software().text_of(SIMULATING),
        installed=software().installed,
    )


def _texts(compiled: Compiled) -> list[tuple[str, str]]:
    """Names and digests of the files of source lines: a program that another compiler made says
    where they are."""
    files = {location.file for location in compiled.program.locations if location is not None}
    folder = compiled.workload.folder
    answers = {file: content_of(file) for file in files}
    record_all(answers.values())
    return sorted((shown_file(file, folder), answer[2]) for file, answer in answers.items())


def has_own_oracles(case: Case) -> bool:
    """Whether what must come out is told by code of the workload's own, which may read whatever it
    likes: nobody knows what its answers depend on."""
    return any(_own_file(node) is not None for node in case.expect.values())


def _plain(node: Node, folder: Path) -> Any:
    """A node as data, in which each file that it names is its name and the digest of its content;
    where it lies says nothing."""
    if isinstance(node.value, dict):
        found = {key: _plain(inner, folder) for key, inner in node.value.items()}
        if isinstance(found.get("file"), str):
            found["file"] = _file(found["file"], folder)
        own = _own_file(node)
        if own is not None:
            found["oracle"] = [found["oracle"], _file(own, folder)]
        return found
    if isinstance(node.value, list):
        return [_plain(inner, folder) for inner in node.value]
    return recorded({"": node})[""]


def _file(name: str, folder: Path) -> dict[str, str]:
    answer = content_of(str(folder / name))
    record_all([answer])
    return {"name": Path(name).name, "sha256": answer[2]}


def _own_file(node: Node) -> str | None:
    """The file of the workload's own oracle that an expectation names."""
    oracle = node.value.get("oracle") if isinstance(node.value, dict) else None
    own = own_oracle(oracle) if oracle is not None else None
    return own.file if own is not None else None


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
