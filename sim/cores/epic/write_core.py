"""Writes the source of the jitted core out of the rows of the operation table.

The text of `issue_bundles.py` becomes a module of its own with the meaning of every row put in
where it says OPERATIONS: a binary search over opcodes, whose leaves read a row's operands, run its
meaning and write its results.  The module holds nothing of a machine or a program, so it is
compiled once per version of the table and of the jitted files, whose texts its name carries
(numba's own cache does not notice changes in files that a function calls into).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import NamedTuple

from machines.instructions import operations
from machines.instructions.ia64_control import break_fault
from machines.kinds.epic import frame, stalls
from machines.kinds.epic.frame import ILLEGAL_FRAME, OUTSIDE_FRAME, STACK_EMPTY, STACK_FULL
from machines.operations.row import Immediate, Operand, Operation, RegisterKind
from sim.cores import floating, jit, numbers, returned
from sim.cores.epic import issue_bundles, register_stack, state
from sim.cores.epic.memory import cache as caches
from sim.cores.epic.memory import hierarchy
from sim.cores.kept import load_written, run_announced

JITTED = (
    frame,
    stalls,
    returned,
    jit,
    numbers,
    floating,
    state,
    hierarchy,
    caches,
    register_stack,
    issue_bundles,
)
"""Modules whose text is part of the core."""
TEXTS = {module: inspect.getsource(module) for module in JITTED}
"""Their text as imported: to read it later would find, under a running process, what somebody has
edited since, and keep old code under the new text's name."""
VOCABULARY = (numbers, floating)
"""Modules whose functions meanings may call."""
PLACE = "# OPERATIONS"
BEYOND = ("fault, fault_address = NOT_CODE, CODE_BASE + at // 3 * BUNDLE_BYTES",)
"""The case after the last row's: the pipe has run off the end of the code."""
GROUP = 29
"""Cases in a function."""
ARGUMENTS = (
    "opcode, operand0, operand1, operand2, operand3, operand4, wide_operand, loaded, loaded_high, "
    "at, general, floating, significands, tags, predicates, branch_registers, application, frame"
)
RESULTS = "taken, target, stored, stored_high, fault, fault_address"
PLACES = {
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
    "ip": "CODE_BASE + at // 3 * BUNDLE_BYTES",
    "link": "CODE_BASE + (at // 3 + 1) * BUNDLE_BYTES",
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
    context = _Context(
        application_registers(instructions),
        faults(instructions),
        _own_names(TEXTS[issue_bundles]),
    )
    numbers: dict[tuple[str, ...], int] = {}
    opcodes = {
        name: numbers.setdefault(tuple(_case(row, context)), len(numbers))
        for name, row in operations().family(instructions).items()
    }
    return Cases(tuple(numbers), opcodes)


def core_source(instructions: str) -> str:
    """The text of the core's module for a family of rows."""
    text = TEXTS[issue_bundles]
    texts = (*cases(instructions).texts, BEYOND)
    rows = list(operations().family(instructions).values())
    imports = "".join(
        f"from {module.__name__} import {', '.join(names)}\n"
        for module in VOCABULARY
        if (names := _names_used(module, rows))
    )
    imports += "from sim.cores.jit import jitted_and_kept\n"
    groups = [(low, min(low + GROUP, len(texts))) for low in range(0, len(texts), GROUP)]
    calls = [(f"{RESULTS} = execute_from_{low}({ARGUMENTS})",) for low, _ in groups]
    before, _, after = text.partition(PLACE)
    indent = before[before.rindex("\n") + 1 :]
    chosen = "\n".join(indent + line for line in _search(calls, 0, len(calls), GROUP))
    text = before.rstrip(" ") + chosen + after[after.index("\n") :]
    text = text.replace("from machines.layout", f"{imports}from machines.layout", 1)
    functions = "".join(_group(texts, low, high) for low, high in groups)
    return text.replace("def advance(", f"{functions}@jitted_and_kept\ndef advance(", 1)


def _group(texts: Sequence[Sequence[str]], low: int, high: int) -> str:
    """A function that executes the cases from `low` to `high`.

    The compiler puts it back into `advance`; but numba's share of the work grows faster than the
    length of a function, so many cases are not written in one.
    """
    lines = [
        "@inlined",
        f"def execute_from_{low}({ARGUMENTS}):",
        f"    {RESULTS} = 0, 0, 0, 0, NO_FAULT, 0",
        *("    " + line for line in _search(texts, low, high)),
        f"    return {RESULTS}",
    ]
    return "\n".join(lines) + "\n\n\n"


def _search(texts: Sequence[Sequence[str]], low: int, high: int, scale: int = 1) -> Iterator[str]:
    """Lines that find the text of an opcode: text k is for those from k * scale on."""
    if high - low == 1:
        yield from texts[low]
        return
    middle = (low + high) // 2
    yield f"if opcode < {middle * scale}:"
    yield from ("    " + line for line in _search(texts, low, middle, scale))
    yield "else:"
    yield from ("    " + line for line in _search(texts, middle, high, scale))


class _Context(NamedTuple):
    """What writing a case needs beside its row."""

    application: tuple[str, ...]
    faults: tuple[str, ...]
    taken_names: set[str]


def _case(row: Operation, context: _Context) -> list[str]:
    """The lines of one row: its meaning, with the places of operands where their names stood."""
    meaning = ast.parse(row.meaning)
    assigned = {n.id for n in ast.walk(meaning) if _is_stored(n)}
    values, targets = _places(row, context)
    is_single = len(meaning.body) == 1 and isinstance(meaning.body[0].targets[0], ast.Name)
    before, after = [], []
    if not is_single:  # a name that changes on the way needs a variable
        before = [f"{name} = {values.pop(name)}" for name in sorted(assigned & set(values))]
        after = [f"{targets[name]} = {name}" for name in targets if name in assigned]
        after = [UNPACK if line.startswith(READ_ALL) else line for line in after]
        targets = {}
    elif assigned == {"pr"}:
        targets, after = {}, [UNPACK]
    write = _Placer(values, targets)
    body = [*ast.unparse(write.visit(meaning)).splitlines(), *after]
    if row.faults_if is None:
        return [*before, *body] or ["pass"]
    condition = ast.unparse(write.visit(ast.parse(row.faults_if)))
    detail = values["imm"] if "break" in row.flags else "0"
    number = context.faults.index(row.fault)
    lines = [*before, f"if {condition}:", f"    fault, fault_address = {number}, {detail}"]
    return lines + (["else:", *("    " + line for line in body)] if body else [])


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _places(row: Operation, context: _Context) -> tuple[dict[str, str], dict[str, str]]:
    """Text that reads each name of a meaning, and the place that each written one goes to."""
    wide = [operand.name for operand in row.operands if not is_narrow(operand)]
    names = {operand.name for operand in row.operands}
    is_brp = row.scheduling_class == "branch_hint"  # two labels, which it does not use
    if len(row.operands) > state.MAXIMUM_OPERANDS or (len(wide) > 1 and not is_brp):
        raise ValueError(f"row {row.name} does not fit the packed form of a syllable")
    if (names & context.taken_names) - {"target"}:
        raise ValueError(f"row {row.name}: an operand has a name that the core uses itself")
    values, targets = dict(SPECIAL), {"pr": READ_ALL}
    for name in context.application:
        place = f"application[{context.application.index(name)}]"
        values[name.replace(".", "_")] = targets[name.replace(".", "_")] = place
    values["cfm"] = targets["cfm"] = "frame[MARKER]"
    targets["rotate"], targets["stage"] = "frame[ROTATES_NOW]", "frame[STAGE]"
    values["qp"] = f"predicates[operand{len(row.operands)}]"  # a column that is free
    for k, operand in enumerate(row.operands):
        if isinstance(operand.kind, RegisterKind):
            read, write = PLACES[operand.kind.name]
            if operand.is_read:
                values[operand.name] = read.format(f"operand{k}")
            if operand.is_written:
                targets[operand.name] = write.format(f"operand{k}")
        elif is_narrow(operand):
            values[operand.name] = f"int64(operand{k})"
        else:
            values[operand.name] = "wide_operand"
    return values, targets


class _Placer(ast.NodeTransformer):
    """Puts places where names stood, and makes constant arguments `int64(…)`: numba compiles a
    function anew for every constant that it is given; LLVM sees them all the same."""

    def __init__(self, values: dict[str, str], targets: dict[str, str]):
        self.values = values
        self.targets = targets

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Store):
            if node.id not in self.targets:
                return node
            return ast.parse(f"{self.targets[node.id]} = 0").body[0].targets[0]
        if node.id not in self.values:
            return node
        return ast.parse(self.values[node.id], mode="eval").body

    def visit_Call(self, node: ast.Call) -> ast.Call:
        return ast.Call(node.func, [self._argument(a) for a in node.args], [])

    def _argument(self, node: ast.expr) -> ast.expr:
        number = node.operand if isinstance(node, ast.UnaryOp) else node
        if isinstance(number, ast.Constant) and type(number.value) is int:
            return ast.Call(ast.Name("int64", ast.Load()), [node], [])
        return self.visit(node)


def _own_names(text: str) -> set[str]:
    """Names that `advance` uses itself, without those that are the meanings' interface."""
    interface = {"taken", "target", "loaded", "loaded_high", "stored", "stored_high"}
    tree = ast.parse(text)
    advance = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "advance")
    return {n.id for n in ast.walk(advance) if isinstance(n, ast.Name)} - interface


def _names_used(module: ModuleType, rows: list[Operation]) -> list[str]:
    """Functions of a vocabulary module that some meaning calls."""
    text = "\n".join(f"{row.meaning}\n{row.faults_if or ''}" for row in rows)
    called = set(re.findall(r"([A-Za-z_]\w*)\(", text))
    return sorted(name for name in called if getattr(module, name, None) is not None
                  and not name.startswith("_"))  # fmt: skip


@cache
def load_core(instructions: str) -> Callable:
    """The jitted `advance` of a family of rows, written and compiled if it was not before."""
    return load_written(f"core_{instructions}", core_source(instructions), TEXTS.values()).advance


def warm_up(instructions: str, run_once: Callable[[], object]) -> None:
    """Compile the core by running it once, telling the user if that takes long."""
    run_announced(load_core(instructions), "epic", run_once)
