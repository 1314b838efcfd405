"""What results of an EPIC machine say."""

from __future__ import annotations

from machines.kinds.epic.stalls import CAUSES
from sim.cores.epic.timeline import EVENTS, SUMS, TRACKS
from sim.kinds.epic.counter_names import FORMULAS, NAMES, PLACES
from sim.kinds.epic.counters import COUNTERS, HEADLINES
from sim.kinds.epic.energy import ENERGY
from sim.kinds.epic.histograms import HISTOGRAMS
from sim.kinds.epic.laws import LAWS
from sim.kinds.epic.roofline import ROOFLINE
from sim.results.explained import explained
from sim.results.vocabulary import Reason, Vocabulary

VOCABULARY = Vocabulary(
    whole=lambda run: run.cycles,
    issuing="issuing",
    reasons=(
        Reason("issuing", "Instructions issued."),
        *(Reason(cause.name, cause.sentence, cause.since) for cause in CAUSES),
    ),
    counters=explained(COUNTERS, formulas=FORMULAS, places=PLACES, names=NAMES),
    headlines=HEADLINES,
    tracks=TRACKS,
    events=EVENTS,
    sums=SUMS,
    histograms=HISTOGRAMS,
    roofline=ROOFLINE,
    energy=ENERGY,
    laws=LAWS,
)
