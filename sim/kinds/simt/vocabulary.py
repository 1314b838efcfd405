"""What results of a SIMT machine say: of sub-cores in the breakdown, of warps by instruction."""

from __future__ import annotations

from sim.cores.simt import stall_reasons as why
from sim.cores.simt.timeline import EVENTS, SUMS, TRACKS
from sim.kinds.simt.counter_names import FORMULAS, NAMES, PLACES
from sim.kinds.simt.counters import COUNTERS, HEADLINES, LANES
from sim.kinds.simt.energy import ENERGY
from sim.kinds.simt.histograms import HISTOGRAMS
from sim.kinds.simt.laws import LAWS
from sim.kinds.simt.roofline import ROOFLINE
from sim.kinds.simt.summary import summary
from sim.results.explained import explained
from sim.results.shown import share, shown
from sim.results.vocabulary import Column, Table, Titles, Vocabulary

COLUMNS = (
    Column("active_lanes", LANES, "Lanes that took part.", lambda t: t.active),
    Column("idle_lanes", LANES, "Lanes that took no part.", lambda t: t.idle),
    Column("divergences", "events", "Branches both sides of which were taken.",
           lambda t: t.diverged),
)  # fmt: skip

IDLE = Table(
    "source lines that leave most lanes idle: instructions, lanes in use, divergences",
    by="idle_lanes",
    cells=(
        lambda line: shown(line.executed),
        lambda line: share(
            line.columns["active_lanes"], line.columns["active_lanes"] + line.columns["idle_lanes"]
        ),
        lambda line: shown(line.columns["divergences"]),
    ),
)

VOCABULARY = Vocabulary(
    whole=lambda t: t.core.core_cycles,
    reasons=(why.ISSUED, *why.REASONS, why.EMPTY_CORE),
    in_whole=False,
    issuing=why.ISSUED.name,
    counters=explained(COUNTERS, formulas=FORMULAS, places=PLACES, names=NAMES),
    headlines=HEADLINES,
    summary=summary,
    columns=COLUMNS,
    tracks=TRACKS,
    events=EVENTS,
    sums=SUMS,
    histograms=HISTOGRAMS,
    roofline=ROOFLINE,
    energy=ENERGY,
    laws=LAWS,
    titles=Titles(
        breakdown="where the cycles of all sub-cores went",
        lines="source lines at which warps are longest: instructions, and most of the time",
    ),
    tables=(IDLE,),
)
