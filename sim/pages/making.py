"""Pages of what was run, compared or studied, as text of an HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.pages.content import Data, Page
from sim.pages.document import html_of
from sim.pages.of_comparison import chapter_of_comparison
from sim.pages.of_run import chapter_of_run
from sim.pages.of_study import chapter_of_study

Facts = Mapping[str, Any]


def page_of_runs(runs: Sequence[Facts]) -> str:
    """Of what `sim.pages.gathered` gathered of each run; raises InputError where the library that
    draws is not installed."""
    data = Data({"runs": list(runs)})
    chapters = [chapter_of_run(data.part(f"/runs/{k}")) for k in range(len(runs))]
    title = chapters[0].title if len(chapters) == 1 else _title(runs)
    return html_of(Page(title, chapters, data))


def page_of_comparisons(comparisons: Sequence[Facts]) -> str:
    """Of what `Comparison.to_dict` says; raises InputError as `page_of_runs` does."""
    data = Data({"comparisons": list(comparisons)})
    places = range(len(comparisons))
    chapters = [chapter_of_comparison(data.part(f"/comparisons/{k}")) for k in places]
    return html_of(Page(chapters[0].title, chapters, data))


def page_of_study(facts: Facts) -> str:
    """Of what `sim.pages.of_study.facts_of_study` says; raises InputError as `page_of_runs`
    does."""
    data = Data(dict(facts))
    chapter = chapter_of_study(data)
    return html_of(Page(chapter.title, [chapter], data))


def _title(runs: Sequence[Facts]) -> str:
    """Of several variants of a workload."""
    first = runs[0]["result"]
    return f"{first['workload']} on {first['machine']}, {len(runs)} variants"
