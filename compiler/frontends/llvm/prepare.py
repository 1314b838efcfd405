"""LLVM's part: it reads, verifies, upgrades and simplifies the file, and prints it canonically.

It runs in a process of its own (`worker.py`).  What it is asked to do, in this order, and why:

    link                    functions of the C library that are called, from libc.ll
    tail_call_elimination   a function that calls itself last becomes a loop
    global_dead_code        what the entry does not reach goes
    always_inliner          calls of functions with a body go away, as far as their callers stay
                            short (`worker.decide`)
    global_dead_code        and with them the local functions that nothing else needs
    sroa                    local variables become values (mem2reg is part of it)
    simplify_cfg            blocks that inlining left behind join
    lower_switch            switches become compares

Nothing else is optimized here, no arithmetic and no loop: that is the compiler's work.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

from compiler.frontends.llvm.library import WITH_ARGUMENTS, libraries, needed
from compiler.frontends.llvm.lowering.locations import Locations, with_lines
from compiler.frontends.llvm.lowering.variadic import SYSTEM_V, kind_of
from compiler.frontends.llvm.reading.computed_goto import without_computed_gotos
from compiler.frontends.llvm.reading.lexer import bare
from machines.diagnostics import InputError, Location, input_error

HINT = "newer LLVM may print what this one cannot read: clang 16 to 22 are known to work"
HINT_OF_CONSTANTS = (
    "LLVM has no such constant expression any more; of bitcode it makes instructions: give the .bc "
    "file (clang -c -emit-llvm)"
)
_OLD_CONSTANT = re.compile(r"\w+ constexprs are no longer supported")
_OLD_FORM = re.compile(r"\binrange @")
LAYOUT = "e-p:64:64-i64:64-i128:128"
"""Of a file without a layout."""

_ATTRIBUTE = re.compile(
    r'(?P<text>"[^"]*")(?:="[^"]*")?|(?P<word>[\w.]+)(?:\([^()"]*(?:"[^"]*")?[^()"]*\)|=\d+)?'
)
"""`"no-trapping-math"="true"`, `noinline`, `memory(none)`, `allockind("alloc,zeroed")`."""
_UNWANTED = frozenset({"noinline", "optnone", "optsize", "minsize"})
"""Attributes of functions that keep calls; so does what is said for one target, in quotes."""
_LAYOUT = re.compile(r'^\s*target datalayout = "(.*)"', re.MULTILINE)
_TRIPLE = re.compile(r'^target triple = "(.*)"', re.MULTILINE)
_DEFINED = re.compile(r'^define\b[^@\n]*@("[^"]*"|[-\w$.]+)\(', re.MULTILINE)
_TITLE = re.compile(r"^LLVM .* parsing error\n")
_ASSERTION = re.compile(r"Assertion .*")
_ERROR = re.compile(r":(\d+):(\d+): error: (.*)")


@dataclass(frozen=True)
class Prepared:
    """The printed module, where its instructions came from, its functions that no other one called
    before calls were inlined, and all that the file itself defines."""

    text: str
    locations: Locations
    roots: tuple[str, ...]
    own: frozenset[str] = frozenset()


def prepare(data: str | bytes, file: str, entries: Sequence[str] = ()) -> Prepared:
    """Read a file's text or bitcode; of `entries`, if there are some, and what they reach.

    Raises InputError if LLVM does not take it.
    """
    worker = _Worker(data, file)
    printed = _read(worker, data, file)
    written = data if isinstance(data, str) else printed
    if "\n@llvm.global_ctors =" in printed:
        raise input_error(
            f"{file}: code that runs before the program (llvm.global_ctors) is not supported",
            hint="call it from the entry function",
        )
    own_lines = "\n!llvm.dbg.cu = " not in printed
    text = "\n".join(map(_without_unwanted, printed.splitlines()))
    if own_lines:
        text = with_lines(text, written)
    unnamed = needed(text)
    missing = (line for name, line in unnamed.items() if not _knows(name, text))
    text = without_computed_gotos("\n".join([text, *missing, ""]))
    result = worker.ask(
        "simplify", text=text, entries=list(entries), libraries=libraries(text),
        needed=list(unnamed), without=_foreign(text),
    )  # fmt: skip
    locations = Locations(result["printed"], file, written, own_lines)
    own = frozenset(bare(name) for name in _DEFINED.findall(text))
    return Prepared(result["printed"], locations, tuple(result["roots"]), own)


def _foreign(text: str) -> list[str]:
    """Functions of the library that cannot be had: what is given as a va_list of another target."""
    triple = _TRIPLE.search(text)
    is_other = triple is not None and kind_of(triple[1]) != SYSTEM_V
    return [f"v{name}" for name in WITH_ARGUMENTS] if is_other else []


def _knows(name: str, text: str) -> bool:
    """Whether a printed module has a function of a name, with a body or without."""
    head = rf"^(?:define|declare)\b[^@\n]*@{re.escape(name)}\("
    return re.search(head, text, re.MULTILINE) is not None


def _without_unwanted(line: str) -> str:
    if not line.startswith("attributes #"):
        return line
    head, _, said = line.partition("{")
    kept = [
        match.group()
        for match in _ATTRIBUTE.finditer(said.rpartition("}")[0])
        if match["word"] is not None and match["word"] not in _UNWANTED
    ]
    return f'{head}{{ {" ".join(kept)} "simrun" }}'  # so that no group becomes empty


class _Worker:
    """LLVM's process.  It is started once, and again if it ended over a file."""

    _started: ClassVar[dict[int, tuple[subprocess.Popen, IO[bytes]]]] = {}
    """The process and what it says of its end, by the process that started it: one that was forked
    from this one starts its own."""
    _one_at_a_time = threading.Lock()

    def __init__(self, data: str | bytes, file: str):
        self._data, self._file = data, file

    def ask(self, do: str, **request: object) -> dict:
        """The reply to a request; raises InputError if LLVM refuses the file, or ends over it."""
        with self._one_at_a_time:
            process, _ = self._started.get(os.getpid()) or self._start()
            try:
                process.stdin.write(json.dumps({"do": do, **request}).encode() + b"\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except BrokenPipeError:
                line = b""
            if not line:
                raise _not_llvm(f"it gave up: {self._end()}", self._data, self._file)
        reply = json.loads(line)
        if "error" in reply:
            raise _not_llvm(reply["error"], self._data, self._file)
        return reply

    def _start(self) -> tuple[subprocess.Popen, IO[bytes]]:
        said = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as the process
        process = subprocess.Popen(
            [sys.executable, "-I", str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
        )  # fmt: skip
        self._started[os.getpid()] = process, said
        return process, said

    def _end(self) -> str:
        """Why LLVM ended, in its words; the next request starts it again."""
        process, said = self._started.pop(os.getpid())
        process.communicate()
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines() or ["without a message"]
        said.close()
        why = _ASSERTION.search(lines[-1])
        return why[0] if why else lines[-1]


def _read(worker: _Worker, data: str | bytes, file: str) -> str:
    """The module as LLVM prints it."""
    if isinstance(data, bytes):
        reply = worker.ask("read", bitcode=base64.b64encode(data).decode())
    else:
        reply = worker.ask("read", text=_with_layout(data))
    printed = _with_layout(reply["printed"])
    _check_layout(_LAYOUT.search(printed)[1], file)
    return printed


def _with_layout(text: str) -> str:
    """A module with `LAYOUT` if it has none, or an empty one; clang 17 and older do not say of
    integers of 128 bits what C means: that they stand at multiples of 16 bytes."""
    found = _LAYOUT.search(text)
    if found is None:
        return f'target datalayout = "{LAYOUT}" {text}'
    layout = found[1] or LAYOUT
    if "-i128:" not in layout:
        layout += "-i128:128"
    return f"{text[: found.start(1)]}{layout}{text[found.end(1) :]}"


def _not_llvm(said: str, data: str | bytes, file: str) -> InputError:
    found = _ERROR.search(said)
    if not isinstance(data, str) or not found:
        reason = " ".join(_TITLE.sub("", said).split())
        return input_error(f"{file}: LLVM does not take this: {reason}", hint=HINT)
    line = data.splitlines()[int(found[1]) - 1 :][:1]
    is_old = _OLD_CONSTANT.search(said) or any(map(_OLD_FORM.search, line))
    location = Location(file, int(found[1]), int(found[2]))
    return input_error(
        f"LLVM does not take this: {found[3]}",
        location,
        source=data,
        hint=HINT_OF_CONSTANTS if is_old else HINT,
    )


def _check_layout(layout: str, file: str) -> None:
    parts = layout.split("-")
    narrow = any(re.match(r"p0?:(?!64)", part) for part in parts)
    aligned = all(
        any(part.startswith(wanted) for part in parts) for wanted in ("i64:64", "i128:128")
    )
    if "E" in parts or narrow or not aligned:
        raise input_error(
            f"{file}: the data layout '{layout}' is not that of a 64-bit, little-endian target",
            hint="compile with --target=x86_64-linux-gnu",
        )
