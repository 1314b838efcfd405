"""Random programs of one thread, run by the IR's interpreter and as rows by the machine's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from compiler.interpret.functions import interpret, memory_for
from compiler.ir.copy import copy_function
from compiler.ir.module import Function
from compiler.pass_lists import passes
from compiler.targets.simt import TARGET
from compiler.targets.simt.interpret import interpret as run_rows
from compiler.targets.simt.interpret import memory_for as rows_memory
from compiler.transformation import make_options
from machines.description.load import Machine
from machines.threads.grid import Grid
from machines.vocabulary.numbers import bits_from_f32
from tests.programs.random_programs import RandomProgram

ONE_THREAD = Grid((1, 1, 1), (1, 1, 1))
CLEAN_UP = (
    "propagate_lanes",
    "combine_lanes",
    "propagate_lanes",
    "reuse_lanes",
    "propagate_lanes",
    "remove_dead_lanes",
)
DEFAULT = (*CLEAN_UP, "join_loads", "schedule_lanes")
NAN = 0x7FFF_FFFF
"""What f32 arithmetic of the machine makes of NaN; the IR's is 0x7FC00000."""


def without_result(function: Function) -> Function:
    """The function as a kernel: it returns nothing."""
    found = copy_function(function)
    found.result = None
    for block in found.blocks.values():
        last = block.terminator
        if last.operation.control == "return":
            block.instructions[-1] = replace(last, operands=())
    return found


def allocated(
    kernel: Function, machine: Machine, names: tuple[str, ...] = DEFAULT, **options: object
) -> Function:
    """What passes make of a kernel in variable form, up to registers of the machine; each leaves
    code that verifies.  `options` are those of pass `allocate_registers`.
    """
    known, function = passes("simt"), copy_function(kernel)
    known["leave_ssa"].run(function, machine, None)
    known["inline_calls"].run(function, machine, make_options(known["inline_calls"], {}))
    for name in ("select", *names, "lay_out_blocks"):
        known[name].run(function, machine, make_options(known[name], {}))
        assert TARGET.verify(function, "virtual", machine.description) == [], name
    chosen = known["allocate_registers"]
    chosen.run(function, machine, make_options(chosen, options))
    return function


def check(
    program: RandomProgram, machine: Machine, names: tuple[str, ...] = DEFAULT, **options: object
) -> None:
    """Both leave the same memory, or fault: there, as long as no rows were put in another order."""
    kernel = without_result(program.function)
    expected = memory_for(program.module, program.arguments)
    wanted = interpret(kernel, program.arguments, expected, limit=200_000)
    if wanted.status == "limit":
        return
    function = allocated(kernel, machine, names, **options)
    code = TARGET.emit([function], program.module, machine.description)
    arrays = {n: a for n, a in program.arguments.items() if isinstance(a, np.ndarray)}
    memory = rows_memory(code, arrays)
    given = {n: n if n in arrays else a for n, a in program.arguments.items()}
    found = run_rows(code, machine.description, memory, None, ONE_THREAD, given, limit=2_000_000)
    assert found.status == wanted.status, str(found)
    if "schedule_lanes" not in names and wanted.fault:
        assert found.fault.kind == wanted.fault.kind
        assert found.fault.location == wanted.fault.location
    if "schedule_lanes" not in names or not wanted.fault:
        assert_alike(expected.bytes, memory.bytes)


def assert_alike(expected: np.ndarray, found: np.ndarray) -> None:
    """Equal bytes, but for what the bits of a NaN of 32 bits are."""
    one, two = expected.view(np.uint32), found.view(np.uint32)
    places = np.flatnonzero(one != two)
    canonical = bits_from_f32(float("nan"))
    others = [k for k in places if (int(one[k]), int(two[k])) != (canonical, NAN)]
    assert not others, [(k * 4, hex(one[k]), hex(two[k])) for k in others[:5]]
