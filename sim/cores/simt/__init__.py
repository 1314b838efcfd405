"""SIMT machines: warps of threads on streaming multiprocessors."""

from sim.cores import CoreKind
from sim.cores.simt.counters import COUNTERS, HEADLINES
from sim.cores.simt.run import run

PLUGIN = CoreKind("simt", run, COUNTERS, HEADLINES)
