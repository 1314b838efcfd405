"""C programs of other people, on a modelled Itanium 2 and on this computer.

    python -m tests.campaign.c_programs FOLDER… [-I DIR] [-D NAME=1] [--with FILE] [--set …]

A folder that holds `.c` files is a program: all of them are compiled by clang at -O1 and joined;
any other folder is looked through.  `main` runs here and in simrun, and what it returns, what it
printed and what it left in its global variables is compared.  The table says of each program
whether it is right, or at what it failed; the sources are not changed and nothing of them is kept.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

CLANG = next((c for c in ("clang-16", "clang-17", "clang-18", "clang-19") if shutil.which(c)), None)
OPTIONS = (
    "-O1", "-g", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-math-errno",
    "-ffp-contract=off", "-w", "--target=x86_64-linux-gnu",
)  # fmt: skip
MACHINE = "itanium2"
MEMORY = 6 << 30
CYCLES = 2_000_000_000


@dataclass
class Verdict:
    """How one program went: 'right', 'wrong', 'refused', 'fault', 'not ended', 'not compiled' (by
    clang), 'no judge' (the native run did not end well) or 'crash' (of simrun)."""

    name: str
    verdict: str
    detail: str = ""
    cycles: int = 0
    seconds: float = 0.0


@dataclass
class Settings:
    """What all programs are compiled with, and how long each may take."""

    flags: list[str] = field(default_factory=list)
    sources: list[Path] = field(default_factory=list)
    seconds: int = 120
    overrides: list[str] = field(default_factory=list)


def programs(folder: Path) -> Iterator[Path]:
    """The folders that hold `.c` files, not looking below one that does."""
    if any(folder.glob("*.c")):
        yield folder
        return
    for inner in sorted(folder.iterdir()):
        if inner.is_dir() and not inner.name.startswith("."):
            yield from programs(inner)


def judge(folder: Path, settings: Settings) -> Verdict:
    """Compile, run both ways, compare."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.monotonic()
        verdict = _judge(folder, settings, Path(scratch))
        verdict.seconds = time.monotonic() - began
        return verdict


def _judge(folder: Path, settings: Settings, scratch: Path) -> Verdict:
    name = folder.name
    try:
        joined = _compiled(folder, settings, scratch)
    except subprocess.CalledProcessError as error:
        return Verdict(name, "not compiled", _first_error(error.stderr))
    native = _child("native", joined, 60, [])
    if "value" not in native:
        return Verdict(name, "no judge", native["detail"])
    ours = _child("ours", joined, settings.seconds, settings.overrides)
    if "value" not in ours:
        return Verdict(name, ours["verdict"], ours["detail"])
    different = [
        f"{key}: {_short(ours[key])}, native {_short(native[key])}"
        for key in ("value", "stdout")
        if ours[key] != native[key]
    ]
    compared = [name for name in native["after"] if name in ours["after"]]
    different += [
        f"{name}: is not there"
        for name, held in native["after"].items()
        if name not in ours["after"] and held != native["before"][name]
    ]
    different += [
        f"{name}: differs at byte {place}"
        for name in compared
        if (place := first_difference(name, ours, native)) is not None
    ]
    if different:
        return Verdict(name, "wrong", "; ".join(different), ours["cycles"])
    return Verdict(name, "right", f"{len(compared)} globals", ours["cycles"])


def first_difference(variable: str, ours: dict, native: dict) -> int | None:
    """The first byte in which the runs left other values in a variable.

    A word that natively is an address in a variable must be that address here; of other pointers
    (to functions, to what malloc gave) only whether they are null is compared.
    """
    a, b = (bytes.fromhex(run["after"][variable]) for run in (ours, native))
    pointers = set(native["pointers"][variable])
    place = 0
    while place < len(b):
        x, y = a[place : place + 8], b[place : place + 8]
        x_is, y_is = int.from_bytes(x, "little"), int.from_bytes(y, "little")
        if x != y and len(y) == 8 and (expected := _places(y_is, native)):
            if not expected & _places(x_is, ours):
                return place
            place += 8
        elif place in pointers and bool(x_is) == bool(y_is):
            place += 8
        elif a[place : place + 1] != b[place : place + 1]:
            return place
        else:
            place += 1
    return None


def _places(address: int, run: dict) -> set[tuple[str, int]]:
    """The variables, with distances, that an address may be of: the end of one may be another."""
    return {
        (name, address - start)
        for name, (start, size) in run["places"].items()
        if start <= address <= start + size
    }


def _short(value: object) -> str:
    return repr(value) if len(repr(value)) < 60 else f"{repr(value)[:57]}…"


def _first_error(text: str) -> str:
    found = [line for line in text.splitlines() if "error" in line]
    return (found or text.splitlines() or ["?"])[0][:160]


def _compiled(folder: Path, settings: Settings, scratch: Path) -> Path:
    """One .ll file of all sources; raises CalledProcessError."""
    import llvmlite.binding as llvm

    texts = []
    for number, source in enumerate([*sorted(folder.glob("*.c")), *settings.sources]):
        made = scratch / f"{number}.ll"
        command = [CLANG, "-S", "-emit-llvm", *OPTIONS, f"-I{folder}", *settings.flags]
        subprocess.run(
            [*command, str(source), "-o", str(made)], check=True, capture_output=True, text=True
        )
        texts.append(made.read_text())
    with llvm.create_context() as context:
        try:
            whole = llvm.parse_assembly(texts[0], context)
            for text in texts[1:]:
                whole.link_in(llvm.parse_assembly(text, context))
        except RuntimeError as error:
            raise subprocess.CalledProcessError(1, "link", stderr=f"error: {error}") from None
        joined = scratch / "program.ll"
        joined.write_text(str(whole))
        whole.close()
    return joined


def _child(way: str, joined: Path, seconds: int, overrides: list[str]) -> dict:
    """What a run reports, or how it failed.  A crash ends a process of its own only."""
    command = [sys.executable, "-m", "tests.campaign.c_programs", "--child", way, str(joined)]
    changes = [word for change in overrides for word in ("--set", change)]
    report = joined.with_suffix(f".{way}.json")

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    ended = subprocess.run(
        [*command, str(report), *changes], capture_output=True, text=True, errors="replace",
        stdin=subprocess.DEVNULL, preexec_fn=limits, check=False,
    )  # fmt: skip
    last = json.loads(report.read_text()) if report.exists() else {}
    if "value" in last or "verdict" in last:
        return last
    stage = last.get("stage", "the start")
    if -ended.returncode in (signal.SIGXCPU, signal.SIGKILL):
        return {"verdict": "not ended", "detail": f"{seconds} s of CPU, at {stage}"}
    error = (ended.stderr.strip().splitlines() or ["no message"])[-1]
    return {"verdict": "crash", "detail": f"exit {ended.returncode} at {stage}: {error[:160]}"}


# ── in a child process ───────────────────────────────────────────────────────────────────────────


@dataclass
class Variable:
    """A variable of a program: its bytes, where it holds pointers, whether it is ever written."""

    size: int
    pointers: list[int]
    written: bool


_VARIABLE = re.compile(
    r'^@("[^"]*"|[-\w$.]+) = (?!.*\bexternal\b)[^@]*?\b(global|constant)\b', re.MULTILINE
)


def _variables(text: str) -> dict[str, Variable]:
    """Those of a module by name; `llvm.used` and the like are no data, and what has a type that
    programs here cannot have is none of theirs."""
    from compiler.frontends.llvm.reading.reader import read_global, read_module
    from compiler.frontends.llvm.reading.types import UnsupportedType, leaves_of, size_of
    from machines.types import PTR

    tree, found = read_module(text), {}
    for name, word in _VARIABLE.findall(text):
        if name.startswith(('"', "llvm.")):
            continue
        try:
            kind = read_global(name, tree).type
            pointers = [offset for leaf, offset in leaves_of(kind) if leaf is PTR]
            found[name] = Variable(size_of(kind), pointers, word == "global")
        except UnsupportedType:
            continue
    return found


def _native(joined: Path, report: Path) -> None:
    """Run `main` as LLVM compiles the file for this computer, with all variables as symbols."""
    import llvmlite.binding as llvm

    text = joined.read_text()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.load_library_permanently(ctypes.util.find_library("m"))
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
    context = llvm.create_context()
    module = llvm.parse_assembly(text, context)
    variables = _variables(text)
    for variable in module.global_variables:
        if variable.name in variables:
            variable.linkage = "external"
    module.triple, module.data_layout = llvm.get_process_triple(), str(machine.target_data)
    arguments = len(list(module.get_function("main").arguments))
    output = report.with_suffix(".txt")
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    places = {
        name: (engine.get_global_value_address(name), variable.size)
        for name, variable in variables.items()
    }

    def held() -> dict[str, str]:
        return {
            name: ctypes.string_at(*places[name]).hex()
            for name, variable in variables.items()
            if variable.written
        }

    before = held()
    main = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * arguments)
    value = main(engine.get_function_address("main"))(*[None] * arguments)
    ctypes.CDLL(None).fflush(None)
    found = {
        "value": value, "stdout": output.read_text(errors="replace"), "places": places,
        "before": before, "after": held(),
        "pointers": {name: variable.pointers for name, variable in variables.items()},
    }  # fmt: skip
    report.write_text(json.dumps(found))
    os._exit(0)  # LLVM's objects need not be taken down in order


def _ours(joined: Path, report: Path, overrides: list[str]) -> None:
    """Compile and simulate; what is asked of simrun is what a workload asks."""
    from compiler import compile
    from compiler.frontends.llvm.lowering.lower_module import ModuleLowering
    from compiler.frontends.llvm.prepare import prepare
    from machines.description.load import load_machine
    from machines.diagnostics import InputError
    from tests.campaign.test_random_programs_end_to_end import program_memory
    from tests.sim.epic.epic_runs import simulate

    def at(stage: str, **more: object) -> None:
        report.write_text(json.dumps({"stage": stage, **more}))

    at("compiling")
    machine, text = load_machine(MACHINE, overrides), joined.read_text()
    try:
        program = compile(joined, machine=machine, entry="main").program
    except InputError as error:
        first = error.diagnostics[0]
        at("compiling", verdict="refused", detail=f"{first.message[:150]} ({first.location})")
        return
    at("simulating")
    arguments = {p.name: 0 for p in program.parameters}
    memory = program_memory(program, arguments)
    outcome = simulate(program, machine, memory, arguments, cycle_limit=CYCLES)
    if outcome.status != "done":
        fault = outcome.fault
        said = f"{fault.kind} at {fault.location}" if fault else outcome.status
        at("simulating", verdict="fault" if fault else "not ended", detail=said)
        return
    variables = _variables(text)
    called = ModuleLowering(prepare(text, str(joined), ["main"]), ["main"]).variables.names
    called = {name: called[name] for name in called if called[name] in memory.placements}
    places = {
        name: (memory.address(called[name]), variable.size)
        for name, variable in variables.items()
        if name in called
    }
    held = {
        name: memory.view(called[name]).tobytes()[: variables[name].size].hex()
        for name in places
        if variables[name].written
    }
    printed = ""
    if "stdout_text" in memory.placements:
        printed = memory.view("stdout_text").tobytes().split(b"\0")[0].decode(errors="replace")
    found = {"value": outcome.value, "stdout": printed, "after": held, "places": places}
    report.write_text(json.dumps({**found, "cycles": outcome.cycles}))


# ── the table ────────────────────────────────────────────────────────────────────────────────────


def table(verdicts: list[Verdict]) -> str:
    lines = [
        f"{v.name:18} {v.verdict:12} {v.cycles or '':>13} {v.seconds:6.1f} s  {v.detail[:150]}"
        for v in verdicts
    ]
    counts = Counter(v.verdict for v in verdicts)
    total = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    return "\n".join([*lines, f"{len(verdicts)} programs: {total}"])


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign.c_programs")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("-I", action="append", default=[], dest="include", metavar="DIR")
    parser.add_argument("-D", action="append", default=[], dest="define", metavar="NAME[=VALUE]")
    parser.add_argument("--with", action="append", default=[], type=Path, dest="sources",
                        metavar="FILE", help="a source that is part of every program")  # fmt: skip
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--seconds", type=int, default=120, help="of CPU for each program")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], dest="overrides",
                        metavar="PATH=VALUE", help="of the machine")  # fmt: skip
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.child:
        way, joined, report = given.child
        if way == "native":
            _native(Path(joined), Path(report))
        else:
            _ours(Path(joined), Path(report), given.overrides)
        return 0
    if CLANG is None:
        print("clang 16 to 19 is not installed: apt install clang-16", file=sys.stderr)
        return 2
    flags = [f"-I{d}" for d in given.include] + [f"-D{d}" for d in given.define]
    settings = Settings(flags, given.sources, given.seconds, given.overrides)
    found = [program for folder in given.folders for program in programs(folder)]
    found = [f for f in found if not given.only or f.name in given.only]
    verdicts = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for verdict in pool.map(lambda folder: judge(folder, settings), found):
            verdicts.append(verdict)
            print(table([verdict]).splitlines()[0], flush=True)
    print(table(verdicts).splitlines()[-1])
    return int(any(v.verdict in ("wrong", "crash") for v in verdicts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
