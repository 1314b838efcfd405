"""How many units of the corpus are accepted and right, and what is refused.

python -m tests.corpus.measure FOLDER [WORD …]                 # those with a word in their path
python -m tests.corpus.measure FOLDER --keep PATH …            # keep these from now on
"""

from __future__ import annotations

import argparse
import collections
import re
from collections.abc import Sequence
from pathlib import Path

import sim
from compiler.frontends.ptx.frontend import read
from machines.description.load import load_machine
from machines.diagnostics import InputError
from tests.corpus.keeping import MACHINES, Unit, pack, units, workload, wrong


def refusals(unit: Unit) -> list[str]:
    """What the front end refuses of a unit."""
    machine = load_machine(MACHINES[unit.meta["target"]])
    try:
        module = read(unit.ptx.decode(), "kernel.ptx", machine)
    except InputError as error:
        return [one.message for one in error.diagnostics]
    return [one.message for one in module.refused.get(unit.meta["entry"], ())]


def judged(unit: Unit) -> list[str]:
    """What is wrong with a run of a unit; nothing if it is right."""
    try:
        result = sim.run(workload(unit), source=unit.ptx.decode())
    except InputError as error:
        return [str(error).splitlines()[0]]
    return wrong(unit, result.outputs) if result.status == "done" else [result.status]


def measure(found: Sequence[Unit]) -> None:
    """Print a line for each generator and target, then every refusal by its form."""
    counts: dict[tuple[str, str], collections.Counter] = collections.defaultdict(
        collections.Counter
    )
    forms: dict[str, list[str]] = collections.defaultdict(list)
    for unit in found:
        own = counts[unit.meta["generator"], unit.meta["target"]]
        refused = refusals(unit)
        problems = [] if refused else judged(unit)
        own["refused" if refused else "wrong" if problems else "right"] += 1
        for message in {re.sub(r", and so \d+ times.*|%\w+", "", one) for one in refused}:
            forms[message].append(unit.path)
        for one in problems:
            print(f"{unit.path}: {one}")
    for (generator, target), own in sorted(counts.items()):
        print(f"{generator:7} {target}  {dict(own)}")
    for message, paths in sorted(forms.items(), key=lambda one: -len(one[1])):
        print(f"{len(paths):4}  {message}  ({paths[0]})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--keep", nargs="*", default=[])
    asked = parser.parse_args()
    everything = list(units(asked.folder))
    if asked.keep:
        for name in dict.fromkeys(path.partition("/")[0] for path in asked.keep):
            chosen = [one for one in everything if one.path in asked.keep]
            print(pack(name, [one for one in chosen if one.meta["generator"] == name]))
    else:
        words = asked.words or [""]
        measure([one for one in everything if any(word in one.path for word in words)])
