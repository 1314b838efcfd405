"""The scoreboard: from when each register of a warp is there, and why one waits for it.

An entry of `scoreboard` is ready << PRODUCER_BITS | where the row of its producer begins in
`producers`, which has a row for each class of instructions, behind one of what nobody has written.
"""

from __future__ import annotations

import numpy as np

from machines.kinds.simt.classes import comes_as_guard
from machines.kinds.simt.fields import Simt
from machines.operations.row import Lane
from sim.cores.simt import stall_reasons as why
from sim.cores.simt.tables import NEVER, code, numbered, parameters
from sim.cores.simt.unit import Decoded, Instruction, Sizes, Unit

DEPENDENCE = code.columns(
    PRODUCER="Where the row of its class begins in `producers`.",
    DESTINATIONS="How many scoreboard entries it writes.",
    DESTINATION="Where these begin in `lists`, counted from the warp's first.",
    WAITS="How many it waits for.",
    WAITED="Where these begin in `lists`, in the order in which reasons count: an entry << "
    "WAITED_BITS | a column of PRODUCER; behind them others up to WAITED_AT_ONCE that nobody waits "
    "for.",
)
PRODUCER = numbered(
    AS_GUARD="Cycles from when a result is ready until what it guards may issue.",
    AGAIN="The same until who writes the register again may.",
    NEVER_LATER="The same of nobody.",
    REASON="Why one waits for it, of `stall_reasons`.",
    AS_SOURCE="From here on, for each pipe: until who reads it there may issue.",
)
"""Columns of a row of `producers`."""
BOARD = parameters.columns(
    STRIDE="Entries of a warp.",
    FIRST_PREDICATE="Which of them are the first predicate's, and on.",
)
PRODUCER_BITS, WAITED_BITS, WAITED_AT_ONCE = 12, 12, 4
WAITS = {"fixed": why.WAIT, "short": why.SHORT_SCOREBOARD, "long": why.LONG_SCOREBOARD}


def producers(machine: Simt) -> np.ndarray:
    """int64[1 + classes, columns of PRODUCER]."""
    pipes = list(machine.pipes)
    shape = 1 + len(machine.classes), PRODUCER.AS_SOURCE + len(pipes)
    rows = np.zeros(shape, dtype=np.int64)
    assert rows.size <= 1 << PRODUCER_BITS  # classes are given, pipes are 64 at most
    rows[0, PRODUCER.REASON] = why.WAIT
    rows[:, PRODUCER.NEVER_LATER] = -NEVER
    for row, described in zip(rows[1:], machine.classes.values(), strict=True):
        extra = machine.pipes[described.pipe].extra
        row[PRODUCER.AS_GUARD], row[PRODUCER.REASON] = described.guard, WAITS[described.result]
        if row[PRODUCER.REASON] == why.WAIT:  # of fixed latencies the later write comes later
            row[PRODUCER.AGAIN] = -NEVER
        row[PRODUCER.AS_SOURCE :] = [extra.get(pipe, 0) for pipe in pipes]
    return rows


def decode(instruction: Instruction) -> None:
    into, row, decoded = instruction.into, instruction.row, instruction.decoded
    classes, columns = list(decoded.machine.classes), decoded.producers.shape[1]
    into[DEPENDENCE.PRODUCER] = columns * (1 + classes.index(row.scheduling_class))
    read, written = _registers(instruction)
    instruction.sources, instruction.destinations = read, written
    into[DEPENDENCE.DESTINATIONS] = len(written)
    into[DEPENDENCE.DESTINATION] = decoded.listed(written)
    pipe = decoded.pipes.index(decoded.machine.classes[row.scheduling_class].pipe)
    as_guards = _asked_of_all(instruction)
    waited = [(e, PRODUCER.AS_GUARD if e in as_guards else PRODUCER.AS_SOURCE + pipe) for e in read]
    waited += [(entry, PRODUCER.AGAIN) for entry in written]
    if instruction.guard:
        waited.append((decoded.registers + abs(instruction.guard) - 1, PRODUCER.AS_GUARD))
    into[DEPENDENCE.WAITS] = len(waited)
    waited += [(0, PRODUCER.NEVER_LATER)] * (WAITED_AT_ONCE - len(waited))
    into[DEPENDENCE.WAITED] = decoded.listed(e << WAITED_BITS | column for e, column in waited)


def _registers(instruction: Instruction) -> tuple[list[int], list[int]]:
    """The scoreboard entries, counted from the warp's first, of what an instruction reads beside
    its guard, which is a branch's condition, and of what it writes."""
    read, written = [], []
    if instruction.row.control is not None:
        return read, written
    predicates = instruction.decoded.registers
    for operand, value in zip(instruction.row.operands, instruction.values, strict=False):
        if value < 0 or not isinstance(operand.kind, Lane):
            continue
        file = operand.kind.file
        entry = predicates + value if file == "pred" else value
        if operand.is_read:
            read.append(entry)
        if operand.is_written:
            written += [entry, entry + 1] if file == "b64" else [entry]
    return read, written


def _asked_of_all(instruction: Instruction) -> set[int]:
    """Entries of predicates that it reads but that come as late as guards."""
    row, values = instruction.row, instruction.values
    return {
        instruction.decoded.registers + value
        for operand, value in zip(row.operands, values, strict=False)
        if value >= 0 and isinstance(operand.kind, Lane) and comes_as_guard(row, operand.kind)
    }


def sizes(decoded: Decoded) -> Sizes:
    yield BOARD.STRIDE, max(1, decoded.registers + decoded.predicates)
    yield BOARD.FIRST_PREDICATE, decoded.registers


UNIT = Unit("scoreboard", decode=decode, parameters=sizes)
