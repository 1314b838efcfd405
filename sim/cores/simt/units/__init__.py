"""The units of a streaming multiprocessor: what each keeps and makes of an instruction.

What a unit does when an instruction issues is in the file of its name in `sim.cores.simt.cycle`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

ASKED_BY_EVERY_ISSUE = (
    "instructions", "pipes", "register_file", "scoreboard", "stalls", "warp_scheduler",
    "shortcuts",
)  # fmt: skip
PLACED = (
    *ASKED_BY_EVERY_ISSUE, "load_store", "branch", "convergence", "warp_barriers", "barriers",
    "clusters", "fences", "sleep", "async_copies", "mbarriers", "bulk_copies", "tensor_copies",
    "warp_groups", "faults", "block_dispatcher", "control_bits", "multiprocessor",
    "special_registers", "trace",
)  # fmt: skip
"""In the order in which their columns stand, and in which decode asks them: a unit behind those
whose files its own imports."""
OTHERS = sorted({found.name for found in iter_modules(__path__)} - {*PLACED})
NAMES = (*PLACED, *OTHERS)
"""All files of this folder.  Whoever imports one of them has Python import all, in this order."""
UNITS = tuple(import_module(f"{__name__}.{name}").UNIT for name in NAMES)
