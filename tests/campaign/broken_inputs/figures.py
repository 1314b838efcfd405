"""What many broken inputs came to: how far they got, how they ended, and what must not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

COLUMNS = "inputs", "read", "ran", "ended", "right", "judged", "seconds", "MiB"
MOST_MEBIBYTES = 1024


@dataclass
class Figures:
    """Counts by kind of input, and the inputs that simrun must not have met like that."""

    by_kind: dict[str, Counter] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, ended: dict[str, Any]) -> None:
        """Count one input."""
        counts = self.by_kind.setdefault(ended["kind"], Counter())
        counts["inputs"] += 1
        counts["read"] += ended["read"]
        counts["ran"] += ended["status"] is not None
        counts["ended"] += ended["status"] == "done"
        counts["right"] += ended["status"] == "done" and ended["code"] == 0
        counts["judged"] += bool(ended["judged"]) and ended["judged"] != "not judged"
        counts["seconds"] += ended["seconds"]
        counts["MiB"] = max(counts["MiB"], ended["mebibytes"])
        problem = ended["problem"]
        if problem is None and ended["mebibytes"] > MOST_MEBIBYTES:
            problem = f"{ended['mebibytes']} MiB"
        if problem is not None:
            self.problems.append(f"{ended['seed']} {ended['kind']}: {problem}")

    @property
    def total(self) -> Counter:
        """Of all kinds together."""
        sums: Counter = Counter()
        for counts in self.by_kind.values():
            sums.update({name: counts[name] for name in COLUMNS[:-1]})
        sums["MiB"] = max((counts["MiB"] for counts in self.by_kind.values()), default=0)
        return sums

    def lines(self) -> Iterator[str]:
        """A table, and every problem."""
        yield f"{'':12}" + "".join(f"{name:>9}" for name in COLUMNS)
        for kind, counts in [*sorted(self.by_kind.items()), ("all", self.total)]:
            yield f"{kind:12}" + "".join(f"{counts[name]:9.0f}" for name in COLUMNS)
        yield from self.problems


def figures_of(all_ended: Iterable[dict[str, Any]]) -> Figures:
    """The figures of these inputs."""
    figures = Figures()
    for ended in all_ended:
        figures.add(ended)
    return figures
