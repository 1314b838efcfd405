"""Whether a change kept every result: all that simrun says of every workload on every machine that
holds a baseline of it, recorded by one tree and compared with another's.

    git worktree add /tmp/before REVISION       # with an environment of its own
    cd /tmp/before && .venv/bin/python NEW/tests/campaign/same_results.py record before.json
    python -m tests.campaign.same_results record after.json
    python -m tests.campaign.same_results record with_code.json --code
    python -m tests.campaign.same_results compare before.json after.json

A baseline holds cycles, breakdown and counters; here the cost of every source line, the bytes of
every output, launches and the compiled program's hash are held as well.  `record` uses `sim.run`
alone, so that this file can be run by an older tree.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

MAY_DIFFER = {"format", "provenance", "vocabulary"}
"""Parts of a result that say what made it."""
RENAMED = {"launches": "steps"}
"""Parts that had another name once."""


def cases(root: Path) -> list[tuple[str, str, str]]:
    """(workload file, variant, machine) of every baseline."""
    found = []
    for file in sorted(root.glob("workloads/**/baselines/**/*.yaml")):
        folder = file.parent
        if folder.name == "baselines":
            workload = folder.parent / "workload.yaml"
        else:
            workload = folder.parent.parent / f"{folder.name}.yaml"
        names = yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]
        found += [(str(workload.relative_to(root)), name, file.stem) for name in names]
    return found


def record(path: Path, run: Callable[..., Any]) -> None:
    """Run every case of the current folder's workloads, and write what came out."""
    results = {}
    for workload, variant, machine in cases(Path()):
        result = run(workload, machine=machine, variant=variant, trust=True).to_dict()
        results[f"{workload} {variant} {machine}"] = result
        print(f"\r{len(results):4} {workload} {machine}\033[K", end="", file=sys.stderr)
    print(file=sys.stderr)
    path.write_text(json.dumps(results), encoding="utf-8")


def run_with_code(*words: Any, **more: Any) -> Any:
    """A run whose hot packets have code of their own from its first cycle on, of a machine that
    has such (see `sim.cores.epic.hot_packets`); any other as it is."""
    import sim
    from tests.sim.epic.switched_code import with_code, without_code

    with without_code() as cores:
        result = sim.run(*words, **more)
    if not cores:
        return result
    packets, _, _ = cores[0].hot()
    with with_code(cores[0].bind(packets)):
        return sim.run(*words, **more)


def compare(before: Path, after: Path) -> int:
    """Print what differs; how many cases do."""
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    differing = programs = 0
    for case in {**old, **new}:
        if case not in old or case not in new:
            print(f"{case}: only {'before' if case in old else 'after'}")
            differing += 1
            continue
        for result in (old[case], new[case]):
            result |= {name: result.pop(was) for was, name in RENAMED.items() if was in result}
        keys = sorted({*old[case], *new[case]} - MAY_DIFFER)
        parts = [key for key in keys if old[case].get(key) != new[case].get(key)]
        if parts:
            print(f"{case}: {', '.join(parts)}")
            differing += 1
        hashes = [results[case]["provenance"]["program"] for results in (old, new)]
        programs += hashes[0] != hashes[1]
    print(f"{len(old)} cases before, {len(new)} after: {differing} differ; {programs} programs do")
    return differing


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", path]:
            sys.path.insert(0, ".")
            import sim

            record(Path(path), sim.run)
        case ["record", path, "--code"]:
            record(Path(path), run_with_code)
        case ["compare", before, after]:
            raise SystemExit(1 if compare(Path(before), Path(after)) else 0)
        case _:
            raise SystemExit(__doc__)
