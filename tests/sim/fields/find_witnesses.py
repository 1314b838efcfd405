"""Find for every figure a change that a program notices, and write them down.

    python -m tests.sim.fields.find_witnesses          # keeps those that are still right
    python -m tests.sim.fields.find_witnesses --anew   # looks for all of them again

A new figure needs one: if none is found, no program here uses it, or no program can.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from machines.diagnostics import InputError
from machines.load import Machine
from machines.shown_fields import ShownField
from tests.sim.fields.changes import values, written
from tests.sim.fields.configurations import CONFIGURATIONS
from tests.sim.fields.programs import programs
from tests.sim.fields.variants import variant
from tests.sim.fields.witnesses import (
    REFUSED,
    Witness,
    configured,
    is_witness,
    read_witnesses,
    result_of,
    write_witnesses,
)


class Search:
    """What was tried for a kind; programs that have noticed something like it come first."""

    def __init__(self, kind: str):
        self.kind, self.names = kind, list(programs(kind))
        self.noticed: Counter[tuple[str, str]] = Counter()

    def witness(self, configuration: str, field: ShownField) -> Witness | None:
        """A change of a figure of a configuration that a program notices."""
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
                if program.run(changed) != result_of(self.kind, configuration, name):
                    self.noticed[part, name] += 1
                    return Witness(configuration, value, name)
        return None

    def refusal(self, configuration: str, field: ShownField) -> Witness | None:
        """Of a figure that may have one value only: another one, which is refused."""
        others = values(configured(self.kind, configuration), field)
        changed = [self._changed(configuration, field, value) for value in others]
        if others and not any(changed):
            return Witness(configuration, others[0], REFUSED)
        return None

    def _changed(self, configuration: str, field: ShownField, value: str) -> Machine | None:
        name, changes = CONFIGURATIONS[self.kind][configuration]
        try:
            return variant(name, (*changes, *written(self.kind, field.keys, value)))
        except InputError:
            return None


def find(kind: str, known: dict[str, Witness]) -> Iterator[tuple[str, Witness | None]]:
    """Every figure that some configuration of a kind reads, with a witness if there is one."""
    search, refused, open_ = Search(kind), {}, {}
    for configuration in CONFIGURATIONS[kind]:
        for field in configured(kind, configuration).fields():
            if field.path in known or field.unread:
                continue
            open_.setdefault(field.path)
            if found := search.witness(configuration, field):
                known[field.path] = found
                print(f"{field.path}: {found}", flush=True)
            elif field.path not in refused and (no := search.refusal(configuration, field)):
                refused[field.path] = no
    yield from known.items()
    yield from ((path, refused.get(path)) for path in open_ if path not in known)


def main() -> None:
    for kind in CONFIGURATIONS:
        known = {} if "--anew" in sys.argv else read_witnesses(kind)
        known = {path: one for path, one in known.items() if is_witness(kind, path, one)}
        found = dict(find(kind, {p: one for p, one in known.items() if one.program != REFUSED}))
        write_witnesses(kind, {path: one for path, one in found.items() if one})
        for path in (path for path, one in found.items() if not one):
            print(f"nothing notices {path}")


if __name__ == "__main__":
    main()
