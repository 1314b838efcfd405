"""What results of a kind of machine say, declared once: reports, checks, traces and lists read it.

    vocabulary = vocabulary_of(machine.kind)
    vocabulary.count(outcome.statistics)        # {'CPU_CYCLES': 4711, …}

Values are functions of the *statistics* that a core's runs leave, whatever these are.  What a
machine does not model is absent from its results, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from machines.kinds import kind_named, parts
from machines.later import Later
from machines.plugins import not_a
from sim.results.energy import Events
from sim.results.histograms import Histogram
from sim.results.histograms import problems as problems_of_histograms
from sim.results.layer import Layer
from sim.results.line import Line
from sim.results.roofline import Roofs
from sim.timeline.declared import Event, Sum, TrackFamily, problems

np = Later("numpy")

CYCLES, INSTRUCTIONS, ACCESSES, LINES, BYTES, EVENTS = (
    "cycles", "instructions", "accesses", "lines", "bytes", "events",
)  # fmt: skip
"""Units that several kinds have."""

Number = "int | np.integer"
AGGREGATIONS: Mapping[str, Callable[[np.ndarray], Number]] = {
    "sum": lambda values: values.sum(),
    "maximum": lambda values: values.max(initial=0),
}
"""How several values of a counter become one."""
REGIONS = ("difference", "level", "none")
"""What a region's value of a counter is."""


@dataclass(frozen=True, slots=True)
class Reason:
    """What time goes to: a share of the breakdown, or a column of what instructions lose.

    idle  whether there was nothing to do: no work, and no waiting either
    """

    name: str
    sentence: str
    since: int = 1
    idle: bool = False


def numbered(known: list[Any], declared: Any) -> int:
    """Declare a reason or an event under the number by which a core knows it: the next one."""
    known.append(declared)
    return len(known) - 1


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter.

    value        its value in a run, or an array of the values of parts of the machine or of the
                 program; None where the machine does not model it
    aggregation  how values of parts, of several cores or of several runs become one: 'sum' or
                 'maximum'
    since        version of the vocabulary that had it first
    region       of a region of a run: 'difference' of what only grows between its ends, 'level' of
                 what is as it is at its end, 'none' of what cannot be told of it; if it is not said
                 the difference of a sum, and none of a maximum
    formula      of other counters, if it is made of them; else it is counted
    place        the file of the model that counts it: 'sim/cores/…'
    real         what it is called on the real machine: 'Nsight Compute: dram__bytes_read.sum'
    """

    name: str
    unit: str
    sentence: str
    value: Callable[[Any], Number | np.ndarray | None]
    aggregation: str = "sum"
    since: int = 1
    region: str = ""
    formula: str = ""
    place: str = ""
    real: str = ""

    def __post_init__(self) -> None:
        if not self.region:
            is_sum = self.aggregation == "sum"
            object.__setattr__(self, "region", "difference" if is_sum else "none")

    def of(self, statistics: Any) -> int | None:
        """Its value in a run."""
        value = self.value(statistics)
        return None if value is None else self.combined(value)

    def combined(self, values: Number | np.ndarray | Sequence[int]) -> int:
        """Several values as one; raises ValueError if they are not whole numbers."""
        array = np.asarray(values)
        if array.size and array.dtype.kind not in "iub":
            raise ValueError(f"counter '{self.name}' counts in whole numbers, not {values!r}")
        return int(AGGREGATIONS[self.aggregation](array))


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of each instruction beside its executions and stalls, which source lines add up.

    value  of the statistics: int64[instructions]
    """

    name: str
    unit: str
    sentence: str
    value: Callable[[Any], np.ndarray]
    since: int = 1


@dataclass(frozen=True, slots=True)
class Law:
    """Two figures of the statistics that are equal in every run; or two mappings of such figures,
    where the law holds for several parts (levels of caches, kinds of accesses) by name."""

    name: str
    left: Callable[[Any], Number | Mapping[str, Number]]
    right: Callable[[Any], Number | Mapping[str, Number]]


@dataclass(frozen=True, slots=True)
class Headline:
    """A line of figures that people look at first.

    wants     the counter that must be there
    describe  makes (label, value, note) of the counters and the cycles; None: nothing to say
    """

    wants: str
    describe: Callable[[Mapping[str, int], int], tuple[str, str, str] | None]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the source lines that have most of a column, the first ones first.

    cells  texts of a line, between its location and its text
    """

    title: str
    by: str
    cells: Sequence[Callable[[Line], str]]


@dataclass(frozen=True, slots=True)
class Titles:
    """What stands above the breakdown and above the lines that take most time."""

    breakdown: str = "where the cycles went"
    lines: str = "source lines that take most cycles: instructions, and most of the time"


@dataclass(frozen=True)
class Vocabulary:
    """The words of a kind's results; raises ValueError if there is something wrong with them.

    whole      what the breakdown adds up to in every run: a function of the statistics
    reasons    of the breakdown and of what instructions lose
    in_whole   whether what instructions lose are the lost cycles of the breakdown, each charged to
               one of them; else it is time of its own (of warps, many of which wait at once)
    issuing    the reason of the breakdown that is the time in which instructions issued; they share
               it alike.  None: lines have only what they lose
    counters   in the order in which results list them
    headlines  of the counters
    summary    headlines of a result that depend on more than its counters; they come first
    columns    by instruction
    layers     of the program that ran, with their figures; nothing of one that has none
    tracks     families of tracks of its timelines; none where runs leave no timeline
    events     on them
    sums       figures of a run that a timeline adds up to
    histograms of what lies on its timelines
    roofline   what its machines can do at most, and what runs do of it; None: runs have no roofline
    energy     events that energy is estimated of; None: of none
    laws       that the statistics keep
    tables     of further columns
    """

    whole: Callable[[Any], Number]
    reasons: Sequence[Reason]
    in_whole: bool = True
    issuing: str | None = None
    counters: Sequence[Counter] = ()
    headlines: Sequence[Headline] = ()
    summary: Callable[[Any], Iterable[tuple[str, str, str]]] = lambda result: ()
    columns: Sequence[Column] = ()
    layers: Callable[[Any], Sequence[Layer]] = lambda run: ()
    tracks: Sequence[TrackFamily] = ()
    events: Sequence[Event] = ()
    sums: Sequence[Sum] = ()
    histograms: Sequence[Histogram] = ()
    roofline: Roofs | None = None
    energy: Events | None = None
    laws: Sequence[Law] = ()
    titles: Titles = Titles()
    tables: Sequence[Table] = ()

    def __post_init__(self) -> None:
        for problem in _problems(self):
            raise ValueError(problem)

    @property
    def version(self) -> int:
        """The newest version that added a word that results have."""
        words = (*self.reasons, *self.counters, *self.columns)
        return max(word.since for word in words)

    def count(self, statistics: Any) -> dict[str, int]:
        """The counters of a run: what the machine models, by name."""
        values = {counter.name: counter.of(statistics) for counter in self.counters}
        return {name: value for name, value in values.items() if value is not None}

    def describe(self, counters: Mapping[str, int], cycles: int) -> Iterator[tuple[str, str, str]]:
        """The headlines of a run: label, value, note; a region lacks those of counters that cannot
        be told of it."""
        untold = {one.name for one in self.counters if one.region == "none"} - counters.keys()
        for headline in self.headlines:
            if headline.wants in counters:
                try:
                    if said := headline.describe(counters, max(cycles, 1)):
                        yield said
                except KeyError as missing:
                    if missing.args[0] not in untold:
                        raise


def _problems(vocabulary: Vocabulary) -> Iterator[str]:
    """The problems of a vocabulary, in the order in which they should be mended: a later one may
    only follow from an earlier one."""
    for sort, words in (
        (Reason, vocabulary.reasons),
        (Counter, vocabulary.counters),
        (Headline, vocabulary.headlines),
        (Column, vocabulary.columns),
        (TrackFamily, vocabulary.tracks),
        (Event, vocabulary.events),
        (Sum, vocabulary.sums),
        (Histogram, vocabulary.histograms),
        (Law, vocabulary.laws),
        (Table, vocabulary.tables),
    ):
        yield from _problems_of(sort, words)
    if not vocabulary.reasons:
        yield "it has no reasons"
    for counter in vocabulary.counters:
        if counter.aggregation not in AGGREGATIONS:
            known = " or ".join(map(repr, AGGREGATIONS))
            yield f"counter '{counter.name}' is combined by '{counter.aggregation}', not by {known}"
        if counter.region not in REGIONS:
            known = " or ".join(map(repr, REGIONS))
            yield f"counter '{counter.name}' of a region is '{counter.region}', not {known}"
    counters = {counter.name for counter in vocabulary.counters}
    columns = {column.name for column in vocabulary.columns}
    for name in sorted({headline.wants for headline in vocabulary.headlines} - counters):
        yield f"a headline wants counter '{name}', which is not declared"
    if vocabulary.roofline is not None and (problem := not_a(Roofs)(vocabulary.roofline)):
        yield f"its roofline: {problem}"
    if vocabulary.energy is not None and (problem := not_a(Events)(vocabulary.energy)):
        yield f"its energy: {problem}"
    yield from problems(vocabulary.tracks, vocabulary.events, vocabulary.sums)
    yield from problems_of_histograms(vocabulary.histograms, vocabulary.events)
    for name in sorted({table.by for table in vocabulary.tables} - columns):
        yield f"a table is by column '{name}', which is not declared"


def _problems_of(sort: type, words: Sequence[Any]) -> Iterator[str]:
    """What is wrong with the words of a sort."""
    what = sort.__name__.lower()
    if not isinstance(words, tuple | list):
        yield f"its words of sort {what} are of type {type(words).__name__}, not a tuple"
    for word in words:
        if problem := not_a(sort)(word):
            yield f"{what} {getattr(word, 'name', word)!r}: {problem}"
        if not isinstance(getattr(word, "since", 1), int):
            yield f"{what} '{word.name}' is there since version {word.since!r}, which is no number"
    names = [word.name for word in words if hasattr(word, "name")]
    for name in names:
        if names.count(name) > 1:
            yield f"two {what}s have the name '{name}'"


def vocabulary_of(kind: str) -> Vocabulary:
    """What results of a kind of machine say."""
    return kind_named(kind).part("vocabulary", Vocabulary)


def vocabularies() -> dict[str, Vocabulary]:
    """Those of all kinds, by kind."""
    return parts("vocabulary", Vocabulary)
