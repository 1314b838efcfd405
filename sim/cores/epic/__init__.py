"""EPIC machines: bundles issued in order."""

from sim.cores import CoreKind
from sim.cores.epic.counters import COUNTERS, HEADLINES
from sim.cores.epic.run import run

PLUGIN = CoreKind("epic", run, COUNTERS, HEADLINES)
