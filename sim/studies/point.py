"""One point: compiled or found, prepared, run and judged.  This is what workers do.

    outcome = run_point(setting, known)
    outcome.status              # 'done', or why it is none
    outcome.document            # the result as JSON text, the same bytes in every process

What a wrong setting comes to is an outcome too: one bad point is no reason to lose the others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from machines.cache.file_dependencies import CONTENT, Dependency, recorded
from machines.cache.results import are_kept, kept_results, software
from machines.description.load import Machine
from machines.diagnostics import InputError
from sim import options
from sim.identity import Identity, has_own_oracles, identity_of
from sim.prepared_case import prepare
from sim.results.compared import DESCRIBED
from sim.results.result import Result, to_json
from sim.runner import Compiled, as_it_is_on, compile_workload, execute, machine_of
from sim.status import DONE
from sim.studies.plan import Setting
from sim.studies.traces import tracing
from sim.workload.given_arguments import as_arguments
from sim.workload.schema import Case, Workload, read_workload

WRONG, REFUSED, DIED = "wrong", "refused", "died"
"""Ends of points beside `sim.status`: outputs were wrong; the setting cannot be run; its process
ended."""
WAITING, OUTDATED = "waiting", "outdated"
"""Of points that have no result yet, or one of something else than they say now."""
KNOWN = "known"
"""Of a point that was not run, as the store has a result of its key."""


@dataclass(frozen=True)
class Outcome:
    """What a point came to.

    status       'done', 'wrong', 'fault', 'limit', 'hang', 'refused' or 'died'; of a worker's also
                 'known'
    identity     of the run; None if the program could not be made, or if nobody knows
    document     the result as JSON text; None if there was no run, or if it is known
    diagnostics  why it is no result, for people
    seconds      that it took
    software     digest of the text of all that took part
    files        path and digest of each file that was read for it, once for each content it had
    """

    status: str
    identity: Identity | None = None
    document: str | None = None
    diagnostics: str = ""
    seconds: float = 0.0
    software: str = ""
    files: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str | None:
        return self.identity.key if self.identity is not None else None

    @property
    def is_known(self) -> bool:
        """Whether it was not run as its result is known."""
        return self.identity is not None and self.document is None and self.status != REFUSED

    @property
    def stands_for(self) -> Identity | str | None:
        """What a result of the point is one of, or why there can be none; None if nobody knows."""
        if self.identity is None and self.status == REFUSED:
            return self.diagnostics
        return self.identity


def run_point(setting: Setting, known: Collection[str] = ()) -> Outcome:
    """Run a point, unless the key of its result is known."""
    begin = time.perf_counter()
    with nullcontext() if are_kept() else kept_results():
        text = software().digest_of()
        with recorded() as answers:
            try:
                outcome = _run(setting, known)
            except InputError as error:
                outcome = Outcome(REFUSED, diagnostics=str(error))
    seconds = time.perf_counter() - begin
    return replace(outcome, seconds=seconds, software=text, files=contents(answers))


def contents(answers: Iterable[Dependency]) -> tuple[tuple[str, str], ...]:
    """Paths and digests of the files that were read."""
    return tuple((path, digest) for asked, path, digest in answers if asked == CONTENT)


def identity_of_point(setting: Setting, only_kept: bool = False) -> Identity:
    """What a point's result would be a result of.

    To be asked while results are kept.  Raises InputError for a setting that cannot be run, and
    LookupError if its program was to be kept, and is not.
    """
    compiled, case = _compiled(setting, only_kept)
    return identity_of(compiled, case, setting.cycle_limit)


def own_limit(setting: Setting) -> int | None:
    """The cycles at which a point's run ends in any case; None if the setting cannot be run."""
    if setting.cycle_limit is not None:
        return setting.cycle_limit
    try:
        return _workload(setting.workload).case(setting.variant).cycle_limit
    except InputError:
        return None


def is_known_whole(setting: Setting) -> bool:
    """Whether all that a point's result depends on is known, so that it need not be run again."""
    return not has_own_oracles(_workload(setting.workload).case(setting.variant))


def _run(setting: Setting, known: Collection[str]) -> Outcome:
    compiled, case = _compiled(setting)
    identity = identity_of(compiled, case, setting.cycle_limit)
    if identity.key in known and not has_own_oracles(case):
        return Outcome(KNOWN, identity)
    try:
        prepared = prepare(compiled, case, setting.trust)
        with tracing(prepared, setting.trace) as recording:
            result = execute(
                prepared,
                cycle_limit=setting.cycle_limit,
                warm=setting.warm,
                recording=recording,
            )
    except InputError as error:
        return Outcome(REFUSED, identity, diagnostics=str(error))
    status = WRONG if result.status == DONE and not result.ok else result.status
    return Outcome(status, identity, document_of(result, identity), _diagnostics(result))


def document_of(result: Result, identity: Identity) -> str:
    """The result as it is kept: it says what it is a result of, and not by which words that was
    asked for."""
    content = result.to_dict()
    words = ("overrides", "arguments", DESCRIBED)
    kept = {key: value for key, value in content["provenance"].items() if key not in words}
    return to_json({**content, "provenance": {**kept, "inputs": identity.inputs}})


def _diagnostics(result: Result) -> str:
    if result.ok:
        return ""
    if result.status == DONE:
        return "\n".join(str(check) for check in result.checks if not check.ok)
    fault = result.fault or {}
    where = ", ".join(f"{key} {value}" for key, value in fault.items() if value is not None)
    return f"the run ended with '{result.status}' at cycle {result.cycles}: {where}"


def _compiled(setting: Setting, only_kept: bool = False) -> tuple[Compiled, Case]:
    """The program on its machine, and the case; raises LookupError if it was to be kept, and is
    not."""
    workload = _workload(setting.workload)
    case = workload.case(setting.variant)
    if setting.arguments:
        case = case.with_arguments(as_arguments(setting.arguments))
    if setting.seeds:
        case = case.with_seeds(setting.seeds)
    if setting.base is None:
        return _program(setting, only_kept), case
    return as_it_is_on(_machine(workload, setting), _program(setting.base, only_kept)), case


def _program(setting: Setting, only_kept: bool) -> Compiled:
    workload = _workload(setting.workload)
    machine, passes = _machine(workload, setting), options.passes(setting.passes)
    return compile_workload(workload, machine, passes=passes, only_kept=only_kept)


def _machine(workload: Workload, setting: Setting) -> Machine:
    """The machine, which few points share: it is not kept."""
    return machine_of(workload, setting.machine, setting.overrides, is_kept=False)


def _workload(name: str) -> Workload:
    path = Path(name)
    path = path / "workload.yaml" if path.is_dir() else path
    status = os.stat(path) if path.exists() else None
    return _read(str(path), status and (status.st_mtime_ns, status.st_size, status.st_ino))


@lru_cache(maxsize=64)
def _read(path: str, signature: object) -> Workload:
    """A workload is read once, until its file changes."""
    return read_workload(path)
