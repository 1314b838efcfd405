"""Programs of clusters as text: where buffers stand, then the code of each role."""

from __future__ import annotations

from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram


def print_listing(program: ClusterProgram, description: Cluster) -> str:
    """An instruction a line, with its position and the queue that takes it."""
    lines = []
    for kernel in program.kernels:
        lines += ["", f"; kernel {kernel.name}"] if len(program.kernels) > 1 else []
        lines += [
            f"; {b.name}: {b.dtype}[{b.count}] in {b.space} at {b.address}"
            for b in kernel.scratchpads
        ]
        for code in kernel.codes:
            given = ", ".join(f"r{register} = {name}" for name, register in code.parameters)
            lines += ["", f"{code.role} @{code.name}" + (f" with {given}" if given else "")]
            lines += [f"{k:6}  {i.queue or '':8}{i}" for k, i in enumerate(code.code)]
    return "\n".join(lines).lstrip("\n") + "\n"
