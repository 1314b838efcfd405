"""Of the counters of chips of clusters: where they are counted.  No counter of a real chip is known
to count the same: tools such as CNPerf name rates of their own."""

from __future__ import annotations

_CHIP = "sim/cores/cluster"
PLACES = {
    "COMPUTE_COMMANDS": f"{_CHIP}/compute_queue.py",
    "*_COMMANDS": f"{_CHIP}/transfers/dma_engine.py",
    "*_BYTES": f"{_CHIP}/transfers/dma_engine.py",
    "*_CARRIED": f"{_CHIP}/transfers/sharing.py",
    "ROWS_OPENED": f"{_CHIP}/transfers/banks.py",
    "BARRIERS": f"{_CHIP}/barrier.py",
}
"""Files, by name or pattern; the first that fits."""
