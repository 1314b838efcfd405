"""What results of SIMT machines say."""

from sim.cores.simt.counters import COUNTERS, HEADLINES
from sim.results.vocabulary import Vocabulary

VOCABULARY = Vocabulary("simt", tuple(COUNTERS.values()), HEADLINES)
