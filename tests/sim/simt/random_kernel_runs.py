"""A random kernel run by the IR's interpreter and by the core under all four policies."""

from __future__ import annotations

from functools import cache

import numpy as np

from compiler import Compilation, compile
from compiler.interpret.functions import memory_for
from compiler.interpret.grids import interpret_grid
from compiler.ir.printer import print_module
from compiler.targets.simt.interpret import interpret as interpret_rows
from compiler.targets.simt.interpret import memory_for as memory_of_rows
from machines.description.load import Machine
from machines.kinds.simt.program import parameter_bytes
from machines.layout import Memory
from sim.cores.returned import DONE, QUANTUM
from sim.cores.simt.drive import SimtCore
from tests.programs.random_kernels import Options, RandomKernel, generate
from tests.sim.fields.variants import variant

POLICIES = ("markers", "ipdom", "min_pc", "barriers")
BEGIN_LATER = ("dispatch.interval=2.5 cycles", "dispatch.latency=9 cycles")
"""Blocks have room some time before they begin."""
CYCLES = 50_000_000
"""After which a run is taken for one that does not end."""


@cache
def machine_of(policy: str, *overrides: str) -> Machine:
    """The teaching machine with a policy; not all of the other changes matter under each."""
    return variant("teaching_gpu", (f"reconvergence.policy={policy}", *BEGIN_LATER, *overrides))


def compiled(kernel: RandomKernel, machine: Machine) -> Compilation:
    text = print_module(kernel.module)
    return compile("kernel.sir", machine=machine, source=text, entry="main")


def expected(kernel: RandomKernel, machine: Machine) -> Memory:
    """Memory as the IR says it is in the end."""
    memory = memory_for(kernel.module, kernel.arguments)
    width = machine.description.warp_width
    outcome = interpret_grid(
        kernel.function, kernel.arguments, memory, kernel.grid, warp_width=width
    )
    assert outcome.status == "done", outcome.lines()
    return memory


def placed(kernel: RandomKernel, compilation: Compilation) -> tuple[Memory, dict[str, object]]:
    """Memory with the inputs, and the arguments with names for addresses."""
    arrays = {n: a for n, a in kernel.arguments.items() if isinstance(a, np.ndarray)}
    memory = memory_of_rows(compilation.program, arrays)
    return memory, {n: n if n in arrays else value for n, value in kernel.arguments.items()}


def run_rows(kernel: RandomKernel, compilation: Compilation) -> Memory:
    """Memory after the interpreter of the machine's rows."""
    memory, given = placed(kernel, compilation)
    description = compilation.machine.description
    outcome = interpret_rows(compilation.program, description, memory, None, kernel.grid, given)
    assert outcome.status == "done", str(outcome)
    return memory


def run_core(kernel: RandomKernel, compilation: Compilation, machine: Machine) -> Memory:
    """Memory after the core."""
    memory, given = placed(kernel, compilation)
    frame = compilation.program.kernels["main"].frame
    values = [memory.address(v) if isinstance(v, str) else v for v in given.values()]
    core = SimtCore(compilation.program, machine.description, memory)
    core.start(0, "main", kernel.grid, parameter_bytes(frame, values))
    while (status := core.advance(CYCLES)) == QUANTUM and core.cycle < CYCLES:
        pass
    assert status == DONE, (status, core.fault, core.stuck_report()[:4], core.cycle)
    return memory


def options_of(seed: int) -> Options:
    """Some kernels read what nothing has assigned, of some threads return before others meet."""
    return Options(unassigned=seed % 5 == 0, ends_early=seed % 4 == 1)


def check(seed: int, options: Options | None = None, overrides: tuple[str, ...] = ()) -> None:
    """All policies leave the memory that the IR says; a stack keeps threads apart for ever if some
    return before they meet."""
    options = options or options_of(seed)
    kernel = generate(seed, options)
    programs = {
        policy: compiled(kernel, machine_of(policy, *overrides))
        for policy in ("markers", "barriers")
    }
    wanted = expected(kernel, programs["markers"].machine)
    found = {"rows": run_rows(kernel, programs["markers"])}
    for policy in [p for p in POLICIES if not (options.ends_early and p == "ipdom")]:
        # Code is the same but for `barriers`: markers and meeting blocks are beside it.
        program = programs.get(policy, programs["markers"])
        found[policy] = run_core(kernel, program, machine_of(policy, *overrides))
    wrong = [name for name, m in found.items() if not np.array_equal(m.bytes, wanted.bytes)]
    assert not wrong, f"seed {seed}: memory differs under {', '.join(wrong)}"
