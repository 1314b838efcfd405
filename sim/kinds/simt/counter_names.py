"""Of the counters of SIMT machines: where they are counted, of what they are made, and the metrics
of Nsight Compute that count the same (NVIDIA, Nsight Compute: Kernel Profiling Guide, "Metrics
Structure"; names as `ncu --query-metrics` lists them).  Where Nsight Compute counts something near
it only, no name is given."""

from __future__ import annotations

_CYCLE, _MEMORY = "sim/cores/simt/cycle", "sim/cores/simt/memory"
PLACES = {
    "ELAPSED_CYCLES": "sim/cores/simt/drive.py",
    "WARPS_*": f"{_CYCLE}/stalls.py",
    "EMPTY_CYCLES": f"{_CYCLE}/stalls.py",
    "RECONVERGENCE_*": f"{_CYCLE}/convergence.py",
    "SHARED_*": f"{_MEMORY}/shared_memory.py",
    "CONSTANT_*": f"{_MEMORY}/shared_memory.py",
    "CLUSTER_*": f"{_MEMORY}/cluster_network.py",
    "*_L2_*": f"{_MEMORY}/device_memory.py",
    "L2_*": f"{_MEMORY}/device_memory.py",
    "*DRAM_*": f"{_MEMORY}/device_memory.py",
    "ATOMIC_WAIT": f"{_MEMORY}/device_memory.py",
    "MEMORY_PATH_WAIT": f"{_MEMORY}/global_memory.py",
    "L1_*": f"{_MEMORY}/global_memory.py",
    "*_L1_*": f"{_MEMORY}/global_memory.py",
    "*_BYTES": f"{_MEMORY}/global_memory.py",
    "LOAD_INSTRUCTIONS": f"{_MEMORY}/global_memory.py",
    "STORE_INSTRUCTIONS": f"{_MEMORY}/global_memory.py",
    "ATOMIC_INSTRUCTIONS": f"{_MEMORY}/global_memory.py",
    "REDUCTION_INSTRUCTIONS": f"{_MEMORY}/global_memory.py",
    "LOCAL_*_INSTRUCTIONS": f"{_MEMORY}/global_memory.py",
    "COPYING_LOAD_INSTRUCTIONS": f"{_MEMORY}/global_memory.py",
    "*": f"{_CYCLE}/issue.py",
}
"""Files, by name or pattern; the first that fits."""

FORMULAS = {
    "IDLE_LANES": "lanes of a warp x WARP_INSTRUCTIONS - THREAD_INSTRUCTIONS",
    "WARPS_SELECTED": "ISSUE_SLOTS",
    "DRAM_BYTES_READ": "bytes of a sector x (all *_DRAM_SECTORS + L2_COMPLETED)",
}

_OPS = {"LOAD": "ld", "STORE": "st", "ATOMIC": "atom", "REDUCTION": "red"}
_L2_OPS = {"LOAD": "read", "STORE": "write"}
_STALLS = (
    "not_selected", "wait", "long_scoreboard", "short_scoreboard", "math_pipe_throttle",
    "mio_throttle", "lg_throttle", "barrier", "membar", "branch_resolving", "dispatch_stall",
    "drain", "sleeping", "selected",
)  # fmt: skip


def _metrics() -> dict[str, str]:
    found = {
        "ELAPSED_CYCLES": "sm__cycles_elapsed.max",
        "WARP_INSTRUCTIONS": "smsp__inst_executed.sum",
        "THREAD_INSTRUCTIONS": "smsp__thread_inst_executed_pred_on.sum",
        "ISSUE_SLOTS": "smsp__issue_active.sum",
        "EMPTY_CYCLES": "smsp__cycles_elapsed.sum - smsp__cycles_active.sum",
        "SHARED_INSTRUCTIONS": "smsp__sass_inst_executed_op_shared.sum",
        "SHARED_BANK_CONFLICTS": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
        "DRAM_BYTES_READ": "dram__bytes_read.sum",
        "DRAM_BYTES_WRITTEN": "dram__bytes_write.sum",
    }
    for reason in _STALLS:
        stalled = f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"
        found[f"WARPS_{reason.upper()}"] = f"{stalled} x smsp__issue_active.sum"
    for kind, op in _OPS.items():
        l1 = f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}"
        found[f"{kind}_L1_SECTORS"] = f"{l1}.sum"
        if op in ("ld", "st"):
            found[f"{kind}_L1_HITS"] = f"{l1}_lookup_hit.sum"
            found[f"{kind}_L1_MISSES"] = f"{l1}_lookup_miss.sum"
            found[f"{kind}_INSTRUCTIONS"] = f"smsp__sass_inst_executed_op_global_{op}.sum"
            local = f"smsp__sass_inst_executed_op_local_{op}.sum"
            found[f"LOCAL_{kind}_INSTRUCTIONS"] = local
            sectors = f"l1tex__t_sectors_pipe_lsu_mem_local_op_{op}.sum"
            found[f"LOCAL_{kind}_L1_SECTORS"] = sectors
    for kind, op in _L2_OPS.items():
        l2 = f"lts__t_sectors_srcunit_tex_op_{op}"
        found[f"{kind}_L2_HITS"] = f"{l2}_lookup_hit.sum"
        found[f"{kind}_L2_MISSES"] = f"{l2}_lookup_miss.sum"
        found[f"{kind}_L2_REQUESTS"] = f"lts__t_requests_srcunit_tex_op_{op}.sum"
    return {name: f"Nsight Compute: {metric}" for name, metric in found.items()}


NAMES = _metrics()
