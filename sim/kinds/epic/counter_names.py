"""Of the counters of EPIC machines: where they are counted, of what they are made, and the events
of Itanium 2's performance-monitoring unit of the same name (Intel Itanium 2 Processor Reference
Manual for Software Development and Optimization, 251110)."""

from __future__ import annotations

_CORE = "sim/cores/epic"
PLACES = {
    "SPLIT_ISSUES*": "machines/kinds/epic/dispersal.py",
    "BR_MISPRED_DETAIL.*": f"{_CORE}/prediction.py",
    "BE_RSE_BUBBLE.*": f"{_CORE}/register_stack.py",
    "RSE_REFERENCES_RETIRED.*": f"{_CORE}/register_stack.py",
    "B[EA]*_BUBBLE.*": f"{_CORE}/waiting.py",
    "FE_BUBBLE.*": f"{_CORE}/waiting.py",
    "L[123]*": f"{_CORE}/memory/cache.py",
    "BUS_BYTES_*": f"{_CORE}/memory/cache.py",
    "MISALIGNED_*": f"{_CORE}/accesses.py",
    "PREFETCHES_DROPPED": f"{_CORE}/accesses.py",
    "*_RETIRED*": f"{_CORE}/statistics.py",
    "*": f"{_CORE}/issue_bundles.py",
}
"""Files, by name or pattern; the first that fits."""
_REAL = (
    "CPU_CYCLES", "IA64_INST_RETIRED", "NOPS_RETIRED", "PREDICATE_SQUASHED_RETIRED",
    "INST_DISPERSED", "LOADS_RETIRED", "STORES_RETIRED", "FP_OPS_RETIRED", "BE_FLUSH_BUBBLE.ALL",
    "BE_FLUSH_BUBBLE.BRU", "BE_FLUSH_BUBBLE.XPN", "BE_L1D_FPU_BUBBLE.ALL",
    "BE_L1D_FPU_BUBBLE.L1D_L2BPRESS", "BE_EXE_BUBBLE.ALL", "BE_EXE_BUBBLE.GRALL",
    "BE_EXE_BUBBLE.GRGR", "BE_EXE_BUBBLE.FRALL", "BE_EXE_BUBBLE.PR", "BE_EXE_BUBBLE.ARCR",
    "BE_RSE_BUBBLE.ALL", "BE_RSE_BUBBLE.OVERFLOW", "BE_RSE_BUBBLE.UNDERFLOW", "FE_BUBBLE.IMISS",
    "FE_BUBBLE.BUBBLE", "BACK_END_BUBBLE.ALL", "BACK_END_BUBBLE.FE", "RSE_REFERENCES_RETIRED.LOAD",
    "RSE_REFERENCES_RETIRED.STORE", "L2_MISSES", "L3_MISSES", "MISALIGNED_LOADS_RETIRED",
    "MISALIGNED_STORES_RETIRED",
)  # fmt: skip
NAMES = {
    **{name: f"Itanium 2 PMU: {name}" for name in _REAL},
    "BE_EXE_BUBBLE.GRALL-GRGR": "Itanium 2 PMU: BE_EXE_BUBBLE.GRALL - BE_EXE_BUBBLE.GRGR",
    "BR_MISPRED_DETAIL.*": "Itanium 2 PMU: BR_MISPRED_DETAIL, of all branches (ALL.…)",
}
FORMULAS = {
    "USEFUL_INST_RETIRED": "instructions that are no nop, less those with a false predicate",
    "SPLIT_ISSUES": "all SPLIT_ISSUES.*",
    "IA64_INST_RETIRED": "INST_DISPERSED - what a taken branch cut off",
    "BE_EXE_BUBBLE.GRALL": "BE_EXE_BUBBLE.GRALL-GRGR + BE_EXE_BUBBLE.GRGR",
    "BE_EXE_BUBBLE.ALL": "all lost to causes reported as BE_EXE_BUBBLE.*",
    "BE_L1D_FPU_BUBBLE.ALL": "all lost to causes reported as BE_L1D_FPU_BUBBLE.*",
    "BE_FLUSH_BUBBLE.ALL": "all lost to causes reported as BE_FLUSH_BUBBLE.*",
    "BACK_END_BUBBLE.FE": "all lost to causes reported as FE_BUBBLE.*",
    "BACK_END_BUBBLE.ALL": "CPU_CYCLES - ISSUE_CYCLES",
    "BUS_BYTES_*": "lines that the bus carried x bytes of a line of the last cache",
}
