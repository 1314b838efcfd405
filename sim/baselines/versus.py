"""What runs are held against one by one, chosen before any of them begins.

against = find_against("baseline", compiled, ["default"])      # or the path of a result
print(against(result))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from machines.diagnostics import input_error, nearest
from sim.baselines.accepted import Baseline, Origin, origin_of, read_baseline
from sim.baselines.checking import baseline_path, machines_held
from sim.identity import identity_of
from sim.results.beside import beside
from sim.results.compared import ACCEPTED, Comparison
from sim.results.moved import Content
from sim.results.recorded import read_results
from sim.results.result import Result
from sim.workload.schema import Case

BASELINE = "baseline"
"""The word for the accepted baseline of the workload on the machine."""

Against = Callable[[Result], Comparison]


def find_against(given: str, compiled: Any, cases: Sequence[Case]) -> Against:
    """How the runs of a compiled workload (`sim.runner.Compiled`) are compared with the baseline,
    or with the results of a file.

    Raises InputError if there is nothing to compare one of the variants with.
    """
    variants = [case.name for case in cases]
    if given == BASELINE:
        baseline = _baseline(compiled, variants)
        origins = {case.name: origin_of(identity_of(compiled, case)) for case in cases}
        return lambda result: _beside_baseline(baseline, result, origins[result.variant])
    path = Path(given)
    if not path.exists():
        hint = f"--versus takes the word '{BASELINE}', or a file that --json or --out wrote"
        raise input_error(f"there is no file {path}", hint=hint)
    found = read_results(path)
    if len(found) == len(variants) == 1:
        [only] = found.values()
        found = {variants[0]: only}
    for variant in variants:
        if variant not in found:
            message = f"{path} holds no result of variant '{variant}'"
            raise input_error(message, hint=f"it has {', '.join(found)}; choose by --variant")

    def against(result: Result) -> Comparison:
        files = (None, result.host["machine"])
        return beside(found[result.variant], result.to_dict(), files)

    return against


def _baseline(compiled: Any, variants: Sequence[str]) -> Baseline:
    """The accepted baseline, with all the variants; raises InputError if there is none."""
    workload, machine = compiled.workload, compiled.machine.name
    path = baseline_path(workload.path, machine)
    baseline = read_baseline(path)
    if baseline is None:
        held = machines_held(workload.path)
        hint = f"simrun check {workload.path} --machine NAME --update accepts one"
        hint = f"there are of {', '.join(held)}; {hint}" if held else hint
        raise input_error(f"there is no baseline {path} to compare with", hint=hint)
    for variant in variants:
        if variant not in baseline.cases:
            message = f"{path} holds nothing of variant '{variant}'"
            raise input_error(message, hint=nearest(variant, baseline.cases))
    return baseline


def _beside_baseline(baseline: Baseline, result: Result, origin: Origin) -> Comparison:
    """What was accepted beside a run, which says of its inputs what a baseline does."""
    content = result.to_dict()
    content["provenance"] = {**content["provenance"], "inputs": origin.inputs}
    return beside(_accepted(baseline, result), content)


def _accepted(baseline: Baseline, result: Result) -> Content:
    """What the baseline holds of the case, as far as it goes as a result.

    Counters that are not there were 0, if the baseline's vocabulary had them.  Nothing of a run
    that is accepted is changed on the command line.
    """
    case, words = baseline.cases[result.variant], baseline.vocabulary
    known = {one.name for one in result.vocabulary.counters if one.since <= words.version}
    zeros = {name: 0 for name in result.counters if name in known}
    return {
        "workload": result.workload,
        "variant": result.variant,
        "machine": result.machine,
        "vocabulary": {"name": words.name, "version": words.version},
        "status": ACCEPTED,
        "complete": True,
        "ok": True,
        "cycles": case.cycles,
        "counters": {**zeros, **case.counters},
        "breakdown": case.breakdown,
        "provenance": {
            "model": case.identity.model,
            "inputs": case.identity.inputs,
            "overrides": [],
            "arguments": {},
        },
    }
