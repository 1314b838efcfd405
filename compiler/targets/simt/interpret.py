"""What a program of ptx rows means: runs a grid and judges the core that runs warps.

    thread 0 runs to bar.sync, then thread 1, …; when the last one has come all go on

Every thread runs alone, in the order of their numbers, up to where it meets others: a barrier or an
operation of its warp.  There is no time, and no warp beyond the lanes that a mask names, so nothing
depends on how threads part and meet; the rows of convergence barriers and markers do nothing, and
`activemask` is the thread alone.  Blocks run one after another,
those of a cluster in turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from compiler.interpret.functions import STEP_LIMIT
from compiler.targets.simt.interpreter.cluster import Cluster
from compiler.targets.simt.interpreter.kernel_launch import Launch
from compiler.targets.simt.interpreter.outcome import Fault, Outcome, Waiting
from compiler.targets.simt.interpreter.thread_block import BlockRun, run_together
from machines.diagnostics import input_error, nearest
from machines.kinds.simt.clusters import clustered, objection
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import Kernel, WarpProgram, parameter_bytes
from machines.layout import Extent, Memory
from machines.threads.grid import Grid

__all__ = ["Fault", "Outcome", "Waiting", "interpret", "memory_for"]


def interpret(
    program: WarpProgram,
    machine: Simt,
    memory: Memory,
    kernel: str | None,
    grid: Grid,
    arguments: Mapping[str, object] | Sequence[object] | bytes = (),
    *,
    limit: int = STEP_LIMIT,
    backward: bool = False,
    number: int = 0,
) -> Outcome:
    """Run a kernel (the program's entry if None) on every thread of a grid; changes `memory`.

    An argument is a number, the bytes of a struct, or the name of a placed buffer for its address;
    bytes in place of the arguments are the whole parameter space.  `backward` runs blocks and
    threads from the last to the first, which shows many races.  `number` is the launch's.
    Raises InputError for a kernel that the program has not and for arguments that do not fit.
    """
    name = kernel or program.entry
    if name not in program.kernels:
        hint = nearest(str(name), program.kernels)
        raise input_error(f"the program has no kernel '{name}'", hint=hint)
    chosen = program.kernels[name]
    parameters = arguments
    if not isinstance(arguments, bytes):
        parameters = parameter_bytes(chosen.frame, _values(chosen, arguments, memory))
    grid = clustered(chosen.frame, grid)
    if found := objection(machine, chosen.frame, grid):
        raise input_error(found[0], chosen.location, hint=found[1])
    launch = Launch(program, machine, memory, chosen, grid, parameters, limit, number)
    numbers = range(prod(grid.clusters))
    clusters = (_begin(launch, n) for n in (reversed(numbers) if backward else numbers))
    if chosen.frame.meets:
        blocks = [block for cluster in clusters for block in cluster]
        outcome = run_together(blocks, backward)
    else:
        ended = (_run(cluster, backward) for cluster in clusters)
        outcome = next((one for one in ended if one is not None), None)
    return outcome or Outcome("done", launch.spent[0])


def _begin(launch: Launch, number: int) -> list[BlockRun]:
    """The blocks of a cluster, by rank."""
    grid, cluster = launch.grid, Cluster()
    return [
        BlockRun(launch, grid.block_index(grid.block_of_cluster(number, rank)), cluster, rank)
        for rank in range(grid.cluster_size)
    ]


def _run(cluster: list[BlockRun], backward: bool) -> Outcome | None:
    """Run the blocks of a cluster: one alone, several in turn."""
    if len(cluster) == 1:
        return cluster[0].run(backward)
    return run_together(cluster[::-1] if backward else cluster, backward)


def memory_for(program: WarpProgram, arrays: Mapping[str, np.ndarray]) -> Memory:
    """A memory with arrays, then the program's buffers, and their contents."""
    blocks = [Extent(name, array.nbytes) for name, array in arrays.items()]
    memory = Memory([*blocks, *(buffer.extent for buffer in program.buffers)])
    for name, array in arrays.items():
        memory.view(name)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for buffer in program.buffers:
        if buffer.data is not None:
            memory.view(buffer.name)[:] = np.frombuffer(buffer.data, np.uint8)
    return memory


def _values(kernel: Kernel, arguments, memory: Memory) -> list:
    names = [parameter.name for parameter in kernel.frame.parameters]
    if isinstance(arguments, Mapping):
        missing = [name for name in names if name not in arguments]
        if missing:
            raise input_error(f"kernel '{kernel.name}' needs an argument '{missing[0]}'")
        arguments = [arguments[name] for name in names]
    return [memory.address(one) if isinstance(one, str) else one for one in arguments]
