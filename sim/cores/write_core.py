"""Writes the source of the jitted core out of the rows of the operation table.

The text of `issue_bundles.py` becomes a module of its own with the meaning of every row put in
where it says OPERATIONS: a binary search over opcodes, whose leaves read a row's operands, run its
meaning and write its results.  The module holds nothing of a machine or a program, so it is
compiled once per version of the table and of the jitted files, whose texts its name carries
(numba's own cache does not notice changes in files that a function calls into).
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from machines.instructions import operations
from machines.instructions.ia64_control import break_fault
from machines.isa import Immediate, Operand, Operation, RegisterKind
from sim import jit
from sim.cores import floating, issue_bundles, numbers, state
from sim.memory import cache as caches
from sim.memory import hierarchy

JITTED = (jit, numbers, floating, state, hierarchy, caches, issue_bundles)
"""Modules whose text is part of the core."""
VOCABULARY = (numbers, floating)
"""Modules whose functions meanings may call."""
PLACE = "# OPERATIONS"
BEYOND = ("fault, fault_address = NOT_CODE, CODE_BASE + at // 3 * BUNDLE_BYTES",)
"""The case after the last row's: the pipe has run off the end of the code."""
READ = {
    "gr": "general[{}]",
    "fr": "(floating[{0}], significands[{0}], tags[{0}])",
    "pr": "predicates[{}]",
    "br": "branch_registers[{}]",
}
WRITE = READ | {"fr": "floating[{0}], significands[{0}], tags[{0}]"}
SPECIAL = {
    "ip": "CODE_BASE + at // 3 * BUNDLE_BYTES",
    "link": "CODE_BASE + (at // 3 + 1) * BUNDLE_BYTES",
    "pr": "pack_predicates(predicates)",
}


@cache
def faults(instructions: str) -> tuple[str, ...]:
    """The fault kinds by the numbers the core reports them with."""
    rows = operations().family(instructions).values()
    return (
        "none", "out of bounds", "misaligned", "bad branch target",
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
    """Whether the operand fits a 16-bit column: registers and small unsigned immediates."""
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
        _own_names(inspect.getsource(issue_bundles)),
    )
    numbers: dict[tuple[str, ...], int] = {}
    opcodes = {
        name: numbers.setdefault(tuple(_case(row, context)), len(numbers))
        for name, row in operations().family(instructions).items()
    }
    return Cases(tuple(numbers), opcodes)


def core_source(instructions: str) -> str:
    """The text of the core's module for a family of rows."""
    text = inspect.getsource(issue_bundles)
    before, _, after = text.partition(PLACE)
    indent = before[before.rindex("\n") + 1 :]
    texts = (*cases(instructions).texts, BEYOND)
    body = "\n".join(indent + line for line in _search(texts, 0, len(texts)))
    rows = list(operations().family(instructions).values())
    vocabulary = "".join(
        f"from {module.__name__} import {', '.join(names)}\n"
        for module in VOCABULARY
        if (names := _names_used(module, rows))
    )
    text = before.rstrip(" ") + body + after[after.index("\n") :]
    imports = f"{vocabulary}from sim.jit import jitted_and_kept\n"
    text = text.replace("from machines.layout", f"{imports}from machines.layout", 1)
    return text.replace("def advance(", "@jitted_and_kept\ndef advance(", 1)


def _search(texts: Sequence[Sequence[str]], low: int, high: int) -> Iterator[str]:
    """Lines that find the case of an opcode in [low, high)."""
    if high - low == 1:
        yield from texts[low]
        return
    middle = (low + high) // 2
    yield f"if opcode < {middle}:"
    yield from ("    " + line for line in _search(texts, low, middle))
    yield "else:"
    yield from ("    " + line for line in _search(texts, middle, high))


class _Context(NamedTuple):
    """What writing a case needs beside its row."""

    application: tuple[str, ...]
    faults: tuple[str, ...]
    taken_names: set[str]


def _case(row: Operation, context: _Context) -> list[str]:
    """The lines of one row: operands in, meaning, results out."""
    detail = "imm" if "break" in row.flags else "0"
    used = set(re.findall(r"[A-Za-z_]\w*", f"{row.meaning}\n{row.faults_if or ''}\n{detail}"))
    before, after = [], []
    wide = [o.name for o in row.operands if not is_narrow(o) and o.name in used]
    if len(row.operands) > state.MAXIMUM_OPERANDS or len(wide) > 1:
        raise ValueError(f"row {row.name} does not fit the packed form of a syllable")
    for k, operand in enumerate(row.operands):
        if operand.name not in used:
            continue
        if operand.name in context.taken_names:
            raise ValueError(f"row {row.name}: operand name {operand.name} is the core's own")
        column = f"operand{k}"
        if isinstance(operand.kind, RegisterKind):
            file = operand.kind.name
            if operand.is_read:
                before.append(f"{operand.name} = {READ[file].format(column)}")
            if operand.is_written:
                after.append(f"{WRITE[file].format(column)} = {operand.name}")
        elif is_narrow(operand):
            before.append(f"{operand.name} = int({column})")
        else:
            before.append(f"{operand.name} = wide_operand")
    for name in sorted({*row.implicit_reads, *row.implicit_writes, "link"}):
        variable = name.replace(".", "_")
        if variable not in used:
            continue
        place = SPECIAL.get(name) or f"application[{context.application.index(name)}]"
        before.append(f"{variable} = {place}")
        if name in row.implicit_writes:
            is_pr = name == "pr"
            after.append("unpack_predicates(pr, predicates)" if is_pr else f"{place} = {variable}")
    body = [*row.meaning.splitlines(), *after]
    if row.faults_if is None:
        return [*before, *body] or ["pass"]
    number = context.faults.index(row.fault)
    lines = [*before, f"if {row.faults_if}:", f"    fault, fault_address = {number}, {detail}"]
    return lines + (["else:", *("    " + line for line in body)] if body else [])


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
    source = core_source(instructions)
    digest = hashlib.sha256(source.encode())
    for module in JITTED:
        digest.update(inspect.getsource(module).encode())
    name = f"core_{instructions}_{digest.hexdigest()[:16]}"
    folder = cache_folder()
    path = folder / f"{name}.py"
    if not path.exists():
        _write_atomically(path, source)
    spec = importlib.util.spec_from_file_location(f"simrun_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.advance


def is_compiled(instructions: str) -> bool:
    """Whether the core of a family is on disk already."""
    advance = load_core(instructions)
    folder = Path(inspect.getfile(advance.py_func)).parent / "__pycache__"
    return any(folder.glob(f"{Path(inspect.getfile(advance.py_func)).stem}.*.nbc"))


def announce(message: str) -> None:
    """A line on stderr, for waits the user should know the reason of."""
    print(message, file=sys.stderr, flush=True)


def warm_up(instructions: str, run_once: Callable[[], object]) -> None:
    """Compile the core by running it once, telling the user if that takes long."""
    if is_compiled(instructions):
        run_once()
        return
    announce("simrun: compiling the core (once per version, about half a minute) …")
    start = time.perf_counter()
    run_once()
    announce(f"simrun: core compiled in {time.perf_counter() - start:.0f} s")


def cache_folder() -> Path:
    """Where written cores are kept: $SIMRUN_CACHE, else the user's cache folder."""
    named = os.environ.get("SIMRUN_CACHE")
    if named:
        folder = Path(named)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "simrun"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches" / "simrun"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "simrun"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _write_atomically(path: Path, text: str) -> None:
    """Write a file that other processes see either whole or not at all."""
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=path.stem, suffix=".tmp", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    os.replace(file.name, path)
