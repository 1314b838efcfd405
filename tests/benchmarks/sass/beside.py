"""Kernels of files of PTX, compiled here and by ptxas: pairs of codes, and what was refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler import compile
from machines.description.load import Machine
from machines.diagnostics import InputError
from tests.benchmarks.sass.code import Code, code_of_rows, code_of_sass
from tests.benchmarks.sass.instruction import decode
from tests.benchmarks.sass.toolkit import Assembled, NoToolkit, assemble


@dataclass(frozen=True)
class Pair:
    """A kernel of a file: our code and theirs."""

    path: Path
    ours: Code
    theirs: Code


@dataclass(frozen=True)
class Refused:
    """A file, or a kernel of one, that one of the two does not take, with its first sentence."""

    path: Path
    by: str
    why: str
    kernel: str | None = None


def target_of(machine: Machine) -> str:
    """What ptxas calls the machine: 'sm_90'."""
    return f"sm_{round(machine.description.compute_capability * 10)}"


def beside(paths: Iterable[Path], machine: Machine) -> Iterator[Pair | Refused]:
    """Each kernel of each file."""
    for path in paths:
        try:
            theirs = assemble(path, target_of(machine))
        except NoToolkit as error:
            yield Refused(path, "ptxas", str(error))
            continue
        yield from _pairs(path, machine, theirs)


def _pairs(path: Path, machine: Machine, theirs: dict[str, Assembled]) -> Iterator[Pair | Refused]:
    """Where a file is refused for one of its kernels, the others are compiled alone."""
    try:
        wholes = [(None, compile(path, machine=machine).program)]
    except InputError as error:
        if len(theirs) == 1:
            yield Refused(path, "simrun", _first(error), next(iter(theirs)))
            return
        wholes = []
        for name in theirs:
            try:
                wholes.append((name, compile(path, machine=machine, entry=name).program))
            except InputError as refusal:
                yield Refused(path, "simrun", _first(refusal), name)
    for only, program in wholes:
        for name, kernel in program.kernels.items():
            if name in theirs and only in (None, name):
                found = theirs[name]
                yield Pair(path, code_of_rows(program, kernel, machine.description), code_of(found))


def code_of(found: Assembled) -> Code:
    """Of what ptxas and nvdisasm said."""
    return code_of_sass(found.name, found.registers, found.local, list(decode(found.listing)))


def _first(error: InputError) -> str:
    finding = error.diagnostics[0]
    return f"{finding.location.line if finding.location else '?'}: {finding.message}"
