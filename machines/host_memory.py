"""How much memory of this computer a run may still take."""

from __future__ import annotations

import os
import resource
from pathlib import Path

granted: int | None = None
"""Bytes; who works for others may let a run have less than the computer has."""
_INFO, _STATUS = Path("/proc/meminfo"), Path("/proc/self/status")


def free_bytes() -> int:
    """What the system has to give without paging, or less where this process is limited
    (`RLIMIT_AS`, `granted`); the whole memory on a system that does not say."""
    told = _kibibytes(_INFO, "MemAvailable:")
    free = told << 10 if told else os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    free = free if granted is None else min(free, granted)
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return free
    return min(free, max(0, limit - (_kibibytes(_STATUS, "VmSize:") << 10)))


def _kibibytes(file: Path, key: str) -> int:
    """What a line of such a file says, 0 if there is none."""
    try:
        lines = file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(key)), 0)
