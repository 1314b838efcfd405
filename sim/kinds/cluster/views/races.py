"""`simrun explain --show races`: all races of a run, which goes on behind each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from machines.diagnostics import Location
from sim.cores.cluster.races.detector import Race, Side
from sim.results.profile import failure_of, with_places
from sim.status import DONE
from sim.views import RUNNABLE, Option, Shown, View


def show(compiled: Any, variant: str | None = None) -> Shown:
    """Those of one case: of two lines the first race, and how many there are."""
    from sim.prepared_case import prepare
    from sim.runner import request_of
    from sim.simulate import simulate

    prepared = prepare(compiled, compiled.workload.case(variant))
    first: dict[tuple, Race] = {}
    times: Counter[tuple] = Counter()

    def found(race: Race) -> None:
        first.setdefault(_lines(race), race)
        times[_lines(race)] += 1

    request = replace(request_of(prepared), on_race=found)
    outcome, folder = simulate(request), compiled.workload.folder
    ended = failure_of(outcome, folder, request.cycle_limit)
    races = [(first[key], times[key]) for key in first]
    content = {
        "status": outcome.status,
        "message": ended["message"] if ended else None,
        "races": [{**with_places(race.plain, folder), "hint": race.hint, "times": count}
                  for race, count in races],
    }  # fmt: skip
    text = "\n".join(line for race, count in races for line in _told(race, count, folder))
    if outcome.status != DONE:
        how = f"the run ended before its end: {ended['message'] if ended else outcome.status}\n"
    else:
        how = "" if races else "no races: the run leaves what every order leaves\n"
    return Shown(f"{text}\n{how}" if text else how, content)


def _lines(race: Race) -> tuple:
    return tuple((side.location, side.does) for side in (race.earlier, race.later))


def _told(race: Race, times: int, folder: Path) -> Iterator[str]:
    for side in (race.earlier, race.later):
        yield _side(side, with_places(side.location, folder))
    more = f", and between these lines {times - 1} times more" if times > 1 else ""
    yield f"    bytes {race.begin} to {race.end - 1} of {race.memory}{more}"
    yield f"    hint: {race.hint}"
    yield ""


def _side(side: Side, place: dict[str, Any] | None) -> str:
    at = f"{Location(**place)}: " if place else ""
    return f"{at}{side.title} of {side.giver} {side.does} {side.interval}"


VIEW = View(
    "races",
    "Which commands of a run have no order, of all that touch the same bytes (it runs a case).",
    RUNNABLE,
    show,
    options=(Option("variant", "The case that runs, of several.", "NAME"),),
)
