"""What results of EPIC machines say."""

from sim.cores.epic.counters import COUNTERS, HEADLINES
from sim.results.vocabulary import Vocabulary

VOCABULARY = Vocabulary("epic", tuple(COUNTERS.values()), HEADLINES)
