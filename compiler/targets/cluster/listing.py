"""Programs of clusters as text: where buffers stand, then the code of each role."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.targets import Listed
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.program import ClusterProgram, CoreCode, Kernel


def listing(program: ClusterProgram, description: Cluster) -> Iterator[Listed]:
    """An instruction a line, with its position and the queue that takes it."""
    for number, kernel in enumerate(program.kernels):
        if number:
            yield Listed("")
        if len(program.kernels) > 1:
            yield Listed(f"; kernel {kernel.name}")
        yield from _kernel(kernel)


def _kernel(kernel: Kernel) -> Iterator[Listed]:
    for b in kernel.scratchpads:
        yield Listed(f"; {b.name}: {b.dtype}[{b.count}] in {b.space} at {b.address}")
    for number, code in enumerate(kernel.codes):
        if number or kernel.scratchpads:
            yield Listed("")
        yield from _code(code)


def _code(code: CoreCode) -> Iterator[Listed]:
    given = ", ".join(f"r{register} = {name}" for name, register in code.parameters)
    yield Listed(f"{code.role} @{code.name}" + (f" with {given}" if given else ""))
    for k, i in enumerate(code.code):
        yield Listed(f"{k:6}  {i.queue or '':8}{i}", code.first + k)
