"""Writes the source of the jitted core out of the rows of the operation table.

The text of `issue_bundles.py` becomes a module of its own with the meaning of every row put in
where it says OPERATIONS: a binary search over opcodes, whose leaves read a row's operands, run its
meaning and write its results.  The module holds nothing of a machine or a program, so it is
compiled once per version of the table and of the jitted files (see `sim.cores.machine_code`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from machines.instructions import operations
from machines.instructions.ia64_control import break_fault
from machines.instructions.ia64_frame import ILLEGAL_FRAME, OUTSIDE_FRAME, STACK_EMPTY, STACK_FULL
from machines.operations.meaning import parsed
from machines.operations.row import Immediate, Operand, Operation, RegisterKind
from machines.vocabulary import floating, numbers
from sim.cores.epic import state
from sim.cores.machine_code import COMPILER, Code, Text, load_code, text_of
from sim.cores.written import NUMBER, distinct, filled, indented, search

MODULE = "sim.cores.epic.issue_bundles"
"""Whose text becomes the core."""
JITTED = (
    *COMPILER, "machines.layout", "machines.description.schema",
    "machines.instructions.ia64_absent", "machines.instructions.ia64_frame",
    "machines.kinds.epic.program", "machines.kinds.epic.stalls", "machines.vocabulary.floating",
    "machines.vocabulary.numbers", "sim.cores.returned",
    "sim.cores.bounds", "sim.cores.numbers", "sim.cores.floating", "sim.cores.epic.state",
    "sim.cores.epic.memory.hierarchy", "sim.cores.epic.memory.cache",
    "sim.cores.epic.register_stack", "sim.cores.epic.accesses", "sim.cores.epic.prediction",
    "sim.cores.epic.waiting", "sim.cores.epic.noting", "sim.cores.epic.bind_packets",
    "sim.cores.epic.certainties",
    "sim.cores.epic.packets", "sim.cores.bound_code",
)  # fmt: skip
"""Files whose text is part of the core, too, or of code that its pieces are put together in.  None
is imported to find a core that was kept."""
VOCABULARY = {"sim.cores.numbers": numbers.VOCABULARY, "sim.cores.floating": floating.VOCABULARY}
"""Functions that meanings may call, where their jitted twins are."""
MARK = "OPERATIONS"
"""Begins the comment that the search for an operation replaces."""
BEYOND = ("fault, fault_address = at.NOT_CODE, CODE_BASE + syllable // 3 * BUNDLE_BYTES",)
"""The case after the last row's: the pipe has run off the end of the code."""
GROUP = 29
"""Cases in a function."""
ARGUMENTS = (
    "opcode, operand0, operand1, operand2, operand3, operand4, wide_operand, loaded, loaded_high, "
    "syllable, general, floating, significands, tags, predicates, branch_registers, application, "
    "frame"
)
RESULTS = "taken, target, stored, stored_high, fault, fault_address"
INTERFACE = {"taken", "target", "loaded", "loaded_high", "stored", "stored_high"}
OWN_NAMES = {*ARGUMENTS.split(", "), *RESULTS.split(", ")} - INTERFACE
"""Names that a meaning cannot have, because the functions of cases use them."""
REGISTER_TEXTS = {
    "gr": ("general[{0}]",) * 2,
    "pr": ("predicates[{0}]",) * 2,
    "br": ("branch_registers[{0}]",) * 2,
    "fr": (
        "(floating[{0}], significands[{0}], tags[{0}])",
        "floating[{0}], significands[{0}], tags[{0}]",
    ),
}
"""Text that reads a register of each file, and the target of an assignment to it."""
READ_ALL, UNPACK = "pack_predicates(predicates)", "unpack_predicates(pr, predicates)"
SPECIAL = {
    "ip": "(CODE_BASE + syllable // 3 * BUNDLE_BYTES)",
    "link": "(CODE_BASE + (syllable // 3 + 1) * BUNDLE_BYTES)",
    "pr": READ_ALL,
}


@cache
def faults(instructions: str) -> tuple[str, ...]:
    """The fault kinds by the numbers the core reports them with."""
    rows = operations().family(instructions).values()
    return (
        "none", "out of bounds", "misaligned", "bad branch target",
        ILLEGAL_FRAME, OUTSIDE_FRAME, STACK_FULL, STACK_EMPTY,
        *sorted({row.fault for row in rows if row.fault}),
    )  # fmt: skip


def fault_kind(instructions: str, number: int, detail: int) -> str:
    """The name of a fault; `detail` is what the core reported beside its number."""
    kind = faults(instructions)[number]
    return break_fault(detail) if kind == "break" else kind


@cache
def application_registers(instructions: str) -> tuple[str, ...]:
    """The application registers that rows of a family read or write without an operand."""
    rows = operations().family(instructions).values()
    names = {name for row in rows for name in (*row.implicit_reads, *row.implicit_writes)}
    return tuple(sorted(name for name in names if name.startswith("ar.")))


def is_narrow(operand: Operand) -> bool:
    """Whether the operand fits a column of `code`: registers and small unsigned immediates."""
    kind = operand.kind
    if isinstance(kind, Immediate):
        return kind.lowest >= 0 and kind.highest <= state.LARGEST_NARROW
    return isinstance(kind, RegisterKind)


class Cases(NamedTuple):
    """What the core can be told to execute.

    texts    the lines of each case; rows that differ only in access, guard or unit share one
    opcodes  the case of each row
    """

    texts: tuple[tuple[str, ...], ...]
    opcodes: dict[str, int]


@cache
def cases(instructions: str) -> Cases:
    """The cases of a family of rows."""
    context = _Context(application_registers(instructions), faults(instructions))
    rows = operations().family(instructions).values()
    return Cases(*distinct(rows, lambda row: _case(row, context)))


def core_source(instructions: str) -> str:
    """The text of the core's module for a family of rows: functions of cases, then what calls
    them."""
    texts = (*cases(instructions).texts, BEYOND)
    groups = {low: texts[low : low + GROUP] for low in range(0, len(texts), GROUP)}
    calls = [(f"{RESULTS} = execute_from_{low}({ARGUMENTS})",) for low in groups]
    lines = [
        "from sim.cores.jit import chosen",
        *(f"from {module} import {', '.join(names)}"
          for module, names in _called(instructions).items() if names),
        *(line for low, group in groups.items() for line in _function(low, group)),
    ]  # fmt: skip
    core = filled(text_of(MODULE), MARK, search("opcode", calls, scale=GROUP))
    return "\n".join([*lines, "", "", core])


def _called(instructions: str) -> dict[str, list[str]]:
    """By vocabulary module: its functions that some meaning calls."""
    rows = operations().family(instructions).values()
    texts = (text for row in rows for text in (row.meaning, row.faults_if) if text)
    called = frozenset().union(*(parsed(text).calls for text in texts))
    return {module: sorted(called & names.keys()) for module, names in VOCABULARY.items()}


def _function(first: int, texts: Sequence[Sequence[str]]) -> list[str]:
    """A function that executes the cases from `first` on.

    The compiler puts it back into `advance`; but numba's share of the work grows faster than the
    length of a function, so many cases are not written in one.
    """
    return [
        "",
        "",
        "@chosen",
        f"def execute_from_{first}({ARGUMENTS}):",
        f"    {RESULTS} = 0, 0, 0, 0, at.NO_FAULT, 0",
        *indented(search("opcode", texts, first)),
        f"    return {RESULTS}",
    ]


class _Context(NamedTuple):
    """What writing a case needs beside its row."""

    application: tuple[str, ...]
    faults: tuple[str, ...]


def _case(row: Operation, context: _Context) -> list[str]:
    """The lines of one row: its meaning, with the texts of operands where their names stood."""
    meaning = parsed(row.meaning)
    values, targets = _texts(row, context)
    before, after = [], []
    if not meaning.is_one_assignment:  # a name that changes on the way needs a variable
        changed = sorted(meaning.assigns & values.keys())
        before = [f"{name} = {values.pop(name)}" for name in changed]
        after = [f"{targets[name]} = {name}" for name in targets if name in meaning.assigns]
        after = [UNPACK if line.startswith(READ_ALL) else line for line in after]
        targets = {}
    elif meaning.assigns == {"pr"}:
        targets, after = {}, [UNPACK]
    body = [*meaning.placed(values, targets, NUMBER).splitlines(), *after]
    if row.faults_if is None:
        return [*before, *body] or ["pass"]
    condition = parsed(row.faults_if).placed(values, {}, NUMBER)
    detail = values["imm"] if "break" in row.flags else "0"
    number = context.faults.index(row.fault)
    lines = [*before, f"if {condition}:", f"    fault, fault_address = {number}, {detail}"]
    return [*lines, "else:", *indented(body)] if body else lines


def _texts(row: Operation, context: _Context) -> tuple[dict[str, str], dict[str, str]]:
    """Text that reads each name of a meaning, and text that each written one is assigned to."""
    wide = [operand.name for operand in row.operands if not is_narrow(operand)]
    if OWN_NAMES & {operand.name for operand in row.operands}:
        raise ValueError(f"row {row.name}: an operand has a name that the core uses itself")
    is_brp = row.scheduling_class == "branch_hint"  # two labels, which it does not use
    if len(row.operands) > state.MAXIMUM_OPERANDS or (len(wide) > 1 and not is_brp):
        raise ValueError(f"row {row.name} does not fit the packed form of a syllable")
    values, targets = dict(SPECIAL), {"pr": READ_ALL}
    for name in context.application:
        text = f"application[{context.application.index(name)}]"
        values[name.replace(".", "_")] = targets[name.replace(".", "_")] = text
    values["cfm"] = targets["cfm"] = "frame[at.MARKER]"
    targets["rotate"], targets["stage"] = "frame[at.ROTATES_NOW]", "frame[at.STAGE]"
    values["qp"] = f"predicates[operand{len(row.operands)}]"  # a column that is free
    for k, operand in enumerate(row.operands):
        if isinstance(operand.kind, RegisterKind):
            read, write = REGISTER_TEXTS[operand.kind.name]
            if operand.is_read:
                values[operand.name] = read.format(f"operand{k}")
            if operand.is_written:
                targets[operand.name] = write.format(f"operand{k}")
        elif is_narrow(operand):
            values[operand.name] = f"int64(operand{k})"
        else:
            values[operand.name] = "wide_operand"
    return values, targets


def load_core(instructions: str) -> Code:
    """`advance` of `issue_bundles` for a family of rows, and its pieces; compiled if they were not
    before."""
    name, what = f"core_{instructions}", "the epic core"
    return load_code("epic", what, name, lambda: Text(core_source(instructions), JITTED))
