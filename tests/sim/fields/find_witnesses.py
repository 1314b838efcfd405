"""Find for every figure a change that a program notices, and write them down.

    python -m tests.sim.fields.find_witnesses          # keeps those that are still right
    python -m tests.sim.fields.find_witnesses --anew   # looks for all of them again

A new figure needs one: if none is found, no program here uses it, or no program can.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from machines.description.load import Machine
from machines.description.shown_fields import ShownField
from machines.diagnostics import InputError
from tests.sim.fields.changes import values, written
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.programs import is_refusal, programs
from tests.sim.fields.variants import is_well_typed, variant
from tests.sim.fields.witnesses import (
    KIND,
    REFUSED,
    Witness,
    configured,
    is_witness,
    read_witnesses,
    result_of,
    runs,
    write_witnesses,
)


class Search:
    """What was tried for a kind; programs that have noticed something like it come first."""

    def __init__(self, kind: str):
        self.kind, self.names = kind, list(programs(kind))
        self.noticed: Counter[tuple[str, str]] = Counter()

    def witnesses(self, configuration: str, field: ShownField) -> Iterator[tuple[Witness, bool]]:
        """Changes of a figure of a configuration that a program notices, and whether it still runs
        then: a machine may refuse it."""
        machine = configured(self.kind, configuration)
        part = ".".join(field.keys[:3])
        comes_along = not CONFIGURATIONS[self.kind][configuration][1]
        names = [name for name in self.names if comes_along or programs(self.kind)[name].is_large]
        for value in values(machine, field):
            changed = self._changed(configuration, field, value)
            if changed is None:
                continue
            for name in sorted(names, key=lambda name: -self.noticed[part, name]):
                program = programs(self.kind)[name]
                if not program.suits(machine) or not program.suits(changed):
                    continue
                before, after = result_of(self.kind, configuration, name), program.run(changed)
                if not is_refusal(before) and after != before:
                    self.noticed[part, name] += not is_refusal(after)
                    yield Witness(configuration, value, name), not is_refusal(after)

    def refusal(self, configuration: str, field: ShownField) -> Witness | None:
        """Of a figure that may have one value only: another one of its type, which is refused."""
        name, changes = CONFIGURATIONS[self.kind][configuration]
        others = [
            value
            for value in values(configured(self.kind, configuration), field)
            if is_well_typed(name, (*changes, *written(self.kind, field.keys, value)))
        ]
        if others and not any(self._changed(configuration, field, value) for value in others):
            return Witness(configuration, others[0], REFUSED)
        return None

    def _changed(self, configuration: str, field: ShownField, value: str) -> Machine | None:
        name, changes = CONFIGURATIONS[self.kind][configuration]
        try:
            return variant(name, (*changes, *written(self.kind, field.keys, value)))
        except InputError:
            return None


def find(kind: str, known: dict[str, Witness]) -> Iterator[tuple[str, Witness | None]]:
    """Every figure that some configuration of a kind reads, with a witness if there is one: best a
    program that runs, else one that is refused, else a rule that refuses all values."""
    search, refusing, refused = Search(kind), {}, {}
    wanted: dict[str, None] = {}
    for configuration in CONFIGURATIONS[kind]:
        for field in configured(kind, configuration).fields():
            path = field.path
            if path in known or field.unread or path == KIND:
                continue
            wanted.setdefault(path)
            for witness, still_runs in search.witnesses(configuration, field):
                if still_runs:
                    known[path] = witness
                    print(f"{path}: {witness}", flush=True)
                    break
                refusing.setdefault(path, witness)
            if path not in known and (no := search.refusal(configuration, field)):
                refused.setdefault(path, no)
    yield from known.items()
    for path in wanted:
        if path not in known:
            yield path, refusing.get(path) or refused.get(path)


def main() -> None:
    for kind in CONFIGURATIONS:
        known = {} if "--anew" in sys.argv else read_witnesses(kind)
        known = {path: one for path, one in known.items() if is_witness(kind, path, one)}
        found = dict(find(kind, {p: one for p, one in known.items() if runs(kind, p, one)}))
        write_witnesses(kind, {path: one for path, one in found.items() if one})
        for path in (path for path, one in found.items() if not one):
            print(f"nothing notices {path}")


if __name__ == "__main__":
    main()
