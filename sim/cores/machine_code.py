"""Machine code of the cores: made once through numba, kept on disk, loaded by LLVM alone.

    core = load_code("epic", "the epic core", "core_ia64", lambda: Text(source, modules))
    core["advance"](table, until)               # C functions

What is kept is an object file, under a digest of all that it was made from: the text of a module,
the texts of the files whose jitted functions it calls, the versions of numba and LLVM, the CPU.
Who finds it there imports neither numba nor any of those files.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np

from machines.cache.compile_times import Compiling, announce
from machines.cache.entries import Entries
from machines.cache.results import cached
from machines.diagnostics import InputError
from sim.cores.host import SYMBOL, machine

KEPT_AS = "code"


class Text:
    """A module to be compiled, and the files whose jitted functions it calls.

    digest  of their texts, and of what they are compiled by and for
    """

    def __init__(self, source: str, modules: Iterable[str], *, over_lanes: bool = False):
        """`modules`: what these files are imported as.  `over_lanes`: what takes time is loops over
        lanes, of which LLVM is to make vectors."""
        self.source, self.modules, self.over_lanes = source, tuple(modules), over_lanes
        texts = [text_of(module) for module in self.modules]
        digest = hashlib.sha256(json.dumps([source, over_lanes, *texts, *_compiled_by()]).encode())
        self.digest = digest.hexdigest()

    def is_what_runs(self) -> bool:
        """Whether the files still say what they said when this process first looked."""
        return all(_read(module) == text_of(module) for module in self.modules)


def _read(module: str) -> str:
    return Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")


text_of = cache(_read)
"""The text of a module's file, which need not be imported, as this process first found it: to read
it later would find, under a running process, what somebody has edited since, and keep old code
under the new text's name."""


class Function:
    """A C function that is given a table (see `sim.cores.addresses`) and numbers, and gives a
    number back; `address` is where it is."""

    def __init__(self, engine: llvm.ExecutionEngine, name: str, arguments: int):
        self._engine = engine  # the memory that the code is in is freed with it
        self.address = address = engine.get_function_address(SYMBOL.format(name))
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(address)

    def __call__(self, table: np.ndarray, *numbers: int) -> int:
        return self._call(table.ctypes.data, *numbers)


class Code(dict[str, Function]):
    """Entry points by name.

    digest   of the text, and of all that it was compiled by and for
    library  bitcode of the pieces that code for one program is put together of, or nothing
    """

    def __init__(
        self, digest: str, library: bytes, engine: llvm.ExecutionEngine, shared: Iterable[str]
    ):
        super().__init__()
        self.digest, self.library = digest, library
        self._engine, self._shared = engine, tuple(shared)

    def share(self) -> None:
        """Let object files that are loaded from now on find what the library calls."""
        for symbol in self._shared:
            llvm.add_symbol(symbol, self._engine.get_function_address(symbol))
        self._shared = ()


COMPILER = (
    "machines.array_fields", "sim.cores.jit", "sim.cores.lowering", "sim.cores.object_code",
    "sim.cores.tables", "sim.cores.addresses", "sim.cores.host", "sim.cores.machine_code",
)  # fmt: skip
"""Files that every text depends on."""
_LOADED: dict[str, Code] = {}
"""What this process has, by the names of texts."""


def load_code(kind: str, what: str, name: str, write: Callable[[], Text]) -> Code:
    """The entry points of one text; see `load_codes`."""
    return load_codes(kind, lambda count: what, {name: write})[name]


def load_codes(
    kind: str, what: Callable[[int], str], wanted: Mapping[str, Callable[[], Text]]
) -> dict[str, Code]:
    """The entry points of several texts by their names, compiled where they were not kept.

    kind    a word for texts that take as long as their length says
    what    what so many of them are called, for the user, if he has to wait
    wanted  gives the text of each name: always the same while simrun's own files are the same
    """
    missing = {name: write for name, write in wanted.items() if name not in _LOADED}
    kept = {name: _kept(name, write) for name, write in missing.items()}
    texts = {name: missing[name]() for name, content in kept.items() if content is None}
    with Compiling(kind, what(len(texts))) as compiling:
        if texts:
            compiling.begin(sum(len(text.source) for text in texts.values()))
        fresh = {name: made(text) for name, text in texts.items()}
    for name, content in (kept | fresh).items():
        _LOADED[name] = _loaded(content)
    return {name: _LOADED[name] for name in wanted}


def _kept(name: str, write: Callable[[], Text]) -> bytes | None:
    """What was kept of the text of this name; the text is only written if its digest was not."""
    digest = cached("digest", [name, *_compiled_by()], lambda: write().digest)
    try:
        return Entries().get(KEPT_AS, digest)
    except InputError:  # no cache folder
        return None


def made(text: Text) -> bytes:
    """What is kept of a text: a line of JSON, an object file, and a library of pieces.

    The line says {"digest": of the text, "entries": {name: count of arguments}, "shared": [symbol],
    "bytes": of the object file}.
    """
    from sim.cores.lowering import lowered
    from sim.cores.object_code import compiled

    entries, pieces = lowered(text.source, text.digest)
    found = compiled(entries, pieces, text.digest, text.over_lanes)
    counts = {name: len(result.signature.args) for name, result in entries.items()}
    header = {
        "digest": text.digest,
        "entries": counts,
        "shared": found.shared,
        "bytes": len(found.code),
    }
    content = json.dumps(header).encode() + b"\n" + found.code + found.library
    if text.is_what_runs() and not _keep(text.digest, content):
        announce("simrun: compiled code cannot be kept, and will be compiled again")
    return content


def _keep(digest: str, content: bytes) -> bool:
    try:
        entries = Entries()
    except InputError:
        return False
    entries.put(KEPT_AS, digest, content)
    return entries.get(KEPT_AS, digest) is not None


def _loaded(content: bytes) -> Code:
    first, _, rest = content.partition(b"\n")
    header = json.loads(first)
    engine = load_object(rest[: header["bytes"]])
    code = Code(header["digest"], rest[header["bytes"] :], engine, header["shared"])
    for name, count in header["entries"].items():
        code[name] = Function(engine, name, count)
    return code


def load_object(content: bytes) -> llvm.ExecutionEngine:
    """An object file in this process; the engine owns the memory that its code is in."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(content))
    engine.finalize_object()
    return engine


@cache
def _compiled_by() -> tuple[str, ...]:
    cpu = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return sys.version, version("numba"), version("llvmlite"), llvm.get_process_triple(), *cpu
