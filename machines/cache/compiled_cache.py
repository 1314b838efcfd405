"""Written cores on disk: a module of source text, and numba's code of it, kept between processes.

    module = load_written("core_ia64", source, texts)     # …/simrun/core_ia64_0123456789abcdef.py
    module.advance(state, until)

A core is written in the user's cache folder under a name that carries a hash of its own text and
of the texts of all jitted files that it calls (numba's own cache does not notice changes in files
that a function calls into).  What is there already is looked at before it is used: a text that is
not the expected one is written anew, compiled code that is not what was sealed is thrown away.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

from machines.cache.cache_folder import cache_folder, shared_folders
from machines.cache.compile_times import Compiling, announce
from machines.cache.compiled_files import CompiledFiles
from machines.cache.files import write_atomically
from machines.diagnostics import InputError, input_error

__all__ = ["Written", "cache_folder", "load_written", "run_announced"]


class Written:
    """A module to be written, or written already: its text, and the name that text has."""

    def __init__(self, stem: str, source: str, texts: Iterable[str]):
        """`texts` are those of the files whose jitted functions `source` uses."""
        digest = hashlib.sha256(source.encode())
        for text in texts:
            digest.update(text.encode())
        self.name, self.source = f"{stem}_{digest.hexdigest()[:16]}", source

    @property
    def is_compiled(self) -> bool:
        """Whether numba's code of it is on disk already."""
        return CompiledFiles(cache_folder() / f"{self.name}.py").are_there

    def load(self) -> ModuleType:
        """The module; its files are made if they are missing or damaged.

        Raises InputError if they cannot be written anywhere.
        """
        folder = cache_folder()
        try:
            return self._load(folder / f"{self.name}.py")
        except (OSError, InputError) as error:
            problem = error.strerror if isinstance(error, OSError) else error.diagnostics[0].message
        try:
            announce(f"simrun: {problem}: nothing compiled is kept in {folder}")
            return self._load(Path(_own_folder().name) / f"{self.name}.py")
        except (OSError, InputError):
            hint = "make room there, or set SIMRUN_CACHE to a folder that can be written"
            raise input_error(f"compiled cores need a folder: {problem}", hint=hint) from None

    def _load(self, path: Path) -> ModuleType:
        compiled = CompiledFiles(path)
        if _content(path) != self.source.encode():
            compiled.remove()
            if not self._copied_into(path):
                write_atomically(path, self.source)
        with compiled.mended_and_sealed() as attempt:
            return attempt(lambda: self._execute(path))

    def _copied_into(self, path: Path) -> bool:
        """Whether a shared folder had it, compiled and sealed."""
        for folder in shared_folders():
            theirs = CompiledFiles(folder / path.name)
            if _content(theirs.path) == self.source.encode() and theirs.are_whole:
                theirs.copy_to(path)
                return True
        return False

    def _execute(self, path: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"simrun_{self.name}", path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module


def load_written(stem: str, source: str, texts: Iterable[str]) -> ModuleType:
    """The module of `source`, whose jitted functions use files of these `texts`."""
    return Written(stem, source, texts).load()


def run_announced(
    jitted: Callable, kind: str, run_once: Callable[[], object], what: str = "core"
) -> None:
    """Compile a core, or what else there is of a kind, by running it once; tell the user if that
    takes long.

    `run_once` leaves everything as it is, so that it can be done again.
    """
    path = Path(inspect.getfile(jitted.py_func))
    if path in _ready:
        return
    compiled = CompiledFiles(path)
    with (
        compiled.mended_and_sealed() as attempt,
        Compiling(kind, f"the {kind} {what}") as compiling,
    ):
        if not compiled.are_there:
            compiling.begin(path.stat().st_size)
        try:
            attempt(run_once)
        except OSError as error:  # it is compiled, but could not be kept
            announce(f"simrun: {what} cannot be kept in {path.parent}: {error.strerror}")
            run_once()
    _ready.add(path)


_ready: set[Path] = set()
"""Files whose core has run in this process."""


@cache
def _own_folder() -> tempfile.TemporaryDirectory:
    """A folder that goes when this process ends."""
    return tempfile.TemporaryDirectory(prefix="simrun-cores-")


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None
