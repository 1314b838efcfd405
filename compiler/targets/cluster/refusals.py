"""What a machine does not do, of what a program asks of a core.

load.f32 p                                      cores have commands for memory
tensor.broadcast.f32 w[0:64], s[0:64]           where the bus only sends to one core
tensor.matmul.f64 c[0:4], a[0:4], b[0:4], …     where the matrix unit multiplies no such types
sync_io 1                                       where waits are for all of a queue
x = add.i64 k, 1                                where the MEM core has no scalar unit
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.ir.module import AnyOf, Function, Instruction
from compiler.targets.cluster.roles import queue_for, role_of
from machines.diagnostics import Diagnostic, InputError, input_error
from machines.instructions.cluster_control import (
    BARRIERS,
    IDENTITY,
    OF_ALL_ROLES,
    WAITS,
    is_send,
)
from machines.kinds.cluster.classes import MATRIX_CLASSES, multiplied_types
from machines.kinds.cluster.code import BESIDE
from machines.kinds.cluster.fields import Cluster
from machines.kinds.cluster.queues import DMAS, MEM
from machines.operations.row import Operation

HANDED_OUT = {*IDENTITY, *WAITS, *BARRIERS, "jump", "return"}
"""What a MEM core without a scalar unit does beside its commands."""
Why = tuple[str, str | None]
"""A message and a hint; without a message there is nothing to say."""
NOTHING: Why = ("", None)


def refuse(function: Function, chip: Cluster) -> None:
    """Raises InputError for all that the cores that run a function cannot do."""
    if MEM in BESIDE.of(function) and chip.mem_core is None:
        message = f"no core runs @{BESIDE.of(function)[MEM]}: this machine has no MEM core"
        raise input_error(message, function.location, hint="see 'simrun machines show'")
    unknown = set(BESIDE.of(function)) - {MEM}
    if unknown:
        message = f"no core is called '{min(unknown)}', which should run beside @{function.name}"
        raise input_error(message, function.location, hint=f"beside = {{{MEM}: …}}")
    code = [instruction for _, instruction in function.instructions()]
    refusals = [refusal(function, one, chip) for one in code if not _is_of_other_machines(one)]
    found = [*_of_other_machines(function, code, chip), *filter(None, refusals)]
    if found:
        raise InputError(found)


def _is_of_other_machines(instruction: Instruction) -> bool:
    """Loads and stores of addresses, calls, threads: whole programs are made of them."""
    row = instruction.operation
    is_known = row.walk is not None or row.name in WAITS or row.name in BARRIERS
    return not is_known and (row.access is not None or row.calls or "threads" in row.flags)


def _of_other_machines(
    function: Function, code: Sequence[Instruction], chip: Cluster
) -> Iterator[Diagnostic]:
    """One finding for all of them, at the first."""
    found = [instruction for instruction in code if _is_of_other_machines(instruction)]
    if found:
        first, *others = dict.fromkeys(f"'{one.operation}'" for one in found)
        more = f" (and {len(found) - 1} more, {', '.join(others or (first,))})"
        message = (
            f"@{function.name} is made of what no core of {chip.name} executes: {first}"
            f"{more if len(found) > 1 else ''}"
        )
        hint = (
            "cores of a chip work on memory with tensor operations (tensor.add.f32 …), and scalars "
            "stand in registers; programs of loads and stores run on machines of other kinds"
        )
        yield Diagnostic(message, found[0].location, hint=hint)


def refusal(function: Function, instruction: Instruction, chip: Cluster) -> Diagnostic | None:
    """Why the cores that run a function cannot do an instruction, or None."""
    role = role_of(function)
    if instruction.operation.walk is None:
        message, hint = _of_a_core(instruction, role, chip)
    else:
        message, hint = _of_a_command(function, instruction, role, chip)
    return Diagnostic(message, instruction.location, hint=hint) if message else None


def _of_a_core(instruction: Instruction, role: str, chip: Cluster) -> Why:
    row = instruction.operation
    if row.name in WAITS or row.name in BARRIERS:
        number = instruction.operands[0]
        if not isinstance(number, int) or number < 0:
            message = f"'{row}' wants a number that is not negative, not '{number}'"
            return message, f"write it down: '{row} 0'"
        if row.name in WAITS and chip.waits == "drain" and number:
            message = f"a wait of this machine is for all of a queue: '{row}' wants 0"
            return message, f"write '{row} 0', or set waits=counted"
        if row.name in BARRIERS and role == MEM and row.name not in OF_ALL_ROLES:
            return f"no MEM core takes part in '{row}'", f"those that do: {', '.join(OF_ALL_ROLES)}"
    elif _is_of_other_machines(instruction):
        return f"no core of this machine executes '{row}'", None
    if row.name not in HANDED_OUT:
        return _of_a_scalar_unit(row, role, chip)
    return NOTHING


def _of_a_scalar_unit(row: Operation, role: str, chip: Cluster) -> Why:
    if role == MEM and chip.mem_core and not chip.mem_core.scalar_unit:
        message = f"no MEM core of this machine executes '{row}': it has no scalar unit"
        return message, "let it do copies at fixed places, waits and barriers"
    return NOTHING


def _of_a_command(function: Function, instruction: Instruction, role: str, chip: Cluster) -> Why:
    row = instruction.operation
    if any(isinstance(interval, AnyOf) for _, interval in instruction.intervals):
        return "which of several intervals is meant must be known", None
    queue, why = queue_for(function, instruction)
    if queue is None:
        return f"no queue takes '{row}' here: {why}", None
    dma = DMAS.get((role, queue))
    if dma is not None and getattr(chip, dma) is None:
        return f"nothing does '{row}' here: this machine has no {dma}", None
    why = _of_a_scalar_unit(row, role, chip) if instruction.results else NOTHING
    return _of_a_unit(row, chip) if why is NOTHING else why


def _of_a_unit(row: Operation, chip: Cluster) -> Why:
    mode = row.name.split(".")[1]
    if is_send(row) and mode != "to_cluster" and mode not in chip.bus.modes:
        return f"the bus of this machine does no {mode}", f"it does: {', '.join(chip.bus.modes)}"
    if row.scheduling_class in MATRIX_CLASSES:
        left, right = multiplied_types(row)
        if not chip.matrix.supports(left, right):
            message = f"the matrix unit of this machine does not multiply {left} by {right}"
            return message, f"it multiplies {', '.join(chip.matrix.pairs())}"
    return NOTHING
