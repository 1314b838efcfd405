"""What there is: the rows that `simrun list` prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from machines.diagnostics import InputError

Rows = list[tuple[str, ...]]


def list_machines() -> Rows:
    from machines.description.load import load_machine, machine_names

    rows = []
    for name in machine_names():
        machine = load_machine(name)
        rows.append((name, machine.kind, machine.description.title))
    return rows


def list_workloads() -> Rows:
    """Those that come with simrun and those below ./workloads."""
    import workloads
    from sim.workload.schema import read_workload

    folders = [Path(folder) for folder in workloads.__path__]
    if Path("workloads").is_dir():
        folders.insert(0, Path("workloads"))
    rows, seen = [], set()
    found = (
        (folder, path) for folder in folders for path in sorted(folder.glob("**/workload.yaml"))
    )
    for folder, path in found:
        place = path.relative_to(folder)
        if place in seen:
            continue
        seen.add(place)
        try:
            workload = read_workload(path)
        except InputError:
            rows.append((path.parent.name, str(path), "cannot be read"))
            continue
        variants = f" ({len(workload.form.variants)} variants)" if workload.form.variants else ""
        rows.append((workload.name, str(path), workload.form.description + variants))
    return rows


def list_counters() -> Rows:
    from sim.cores import all_counters

    return [(counter.name, counter.unit, counter.sentence) for counter in all_counters().values()]


def list_oracles() -> Rows:
    from sim.oracles.registry import oracles

    return [(name, _first_line(oracle)) for name, oracle in oracles().items()]


def list_reports() -> Rows:
    from sim.results.output import reports

    return [(report.name, report.sentence) for report in reports().values()]


def list_frontends(frontends: Mapping[str, Any]) -> Rows:
    return [
        (name, " ".join(frontend.suffixes), frontend.sentence)
        for name, frontend in frontends.items()
    ]


def list_passes(passes: Mapping[str, Any]) -> Rows:
    return [(name, plugin.sentence) for name, plugin in passes.items()]


def list_plugins(frontends: Mapping[str, Any], passes: Mapping[str, Any]) -> Rows:
    """Every plugin with its kind, and those that failed to import."""
    from machines.description.load import machine_names
    from machines.kinds import kinds
    from machines.plugins import FAILED
    from sim.oracles.registry import built_in, oracles
    from sim.results.output import reports

    kinds = {
        "machine": machine_names(),
        "kind": kinds(),
        "frontend": frontends,
        "pass": passes,
        "report": reports(),
        "oracle": [name for name in oracles() if name not in built_in()],
    }
    rows: Rows = [(kind, name, "") for kind, names in kinds.items() for name in names]
    return rows + [("failed", owner, reason) for owner, reason in FAILED.items()]


LISTS: dict[str, Callable[..., Rows]] = {
    "machines": list_machines,
    "workloads": list_workloads,
    "passes": list_passes,
    "counters": list_counters,
    "plugins": list_plugins,
    "frontends": list_frontends,
    "oracles": list_oracles,
    "reports": list_reports,
}


def _first_line(documented: object) -> str:
    return (documented.__doc__ or "").strip().partition("\n")[0]
