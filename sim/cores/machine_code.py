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

from machines.diagnostics import InputError
from machines.kept.compile_times import Compiling, announce
from machines.kept.entries import Entries
from machines.kept.results import recall
from sim.cores.host import SYMBOL, host

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

    def __init__(self, address: int, arguments: int):
        self.address = address
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(address)

    def __call__(self, table: np.ndarray, *numbers: int) -> int:
        return self._call(table.ctypes.data, *numbers)


Code = dict[str, Function]
"""Entry points by name."""
COMPILER = (
    "sim.cores.jit", "sim.cores.lowering", "sim.cores.object_code", "sim.cores.tables",
    "sim.cores.addresses", "sim.cores.host",
)  # fmt: skip
"""Files that every text hangs on."""
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
    digest = recall("digest", [name, *_compiled_by()], lambda: write().digest)
    try:
        return Entries().get(KEPT_AS, digest)
    except InputError:  # no cache folder
        return None


def made(text: Text) -> bytes:
    """What is kept of a text: {name: count of arguments} as a line of JSON, and an object file."""
    from sim.cores.lowering import lowered
    from sim.cores.object_code import object_code

    functions = lowered(text.source, text.digest)
    counts = {name: len(result.signature.args) for name, result in functions.items()}
    content = json.dumps(counts).encode() + b"\n" + object_code(functions, text.over_lanes)
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
    header, _, code = content.partition(b"\n")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), host())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _ENGINES.append(engine)
    return {
        name: Function(engine.get_function_address(SYMBOL.format(name)), count)
        for name, count in json.loads(header).items()
    }


_ENGINES: list[llvm.ExecutionEngine] = []
"""They own the memory that the loaded code is in."""


@cache
def _compiled_by() -> tuple[str, ...]:
    cpu = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return sys.version, version("numba"), version("llvmlite"), llvm.get_process_triple(), *cpu
