"""A core runs programs: what workloads and their expectations are is not its business."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from machines.kinds import kinds

LOADED = """
import json, sys
from machines.kinds import kind_named
from sim.cores import Core
kind_named(sys.argv[1]).part("core", Core)
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("kind", kinds())
def test_a_core_loads_no_workload_no_oracle_no_compiler_and_no_numba(kind: str):
    command = [sys.executable, "-c", LOADED, kind]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    loaded = json.loads(done.stdout)
    assert "sim.cores" in loaded and "llvmlite" in loaded
    others = ("sim.workload", "sim.oracles", "sim.kinds", "sim.runner", "compiler", "numba")
    assert [name for name in loaded if name.startswith(others)] == []
