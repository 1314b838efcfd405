"""Written cores on disk: a module of source text, and numba's code of it, kept between processes.

    module = load_written("core_ia64", source, texts)     # …/simrun/core_ia64_0123456789abcdef.py
    module.advance(state, until)

A core is written in the user's cache folder under a name that carries a hash of its own text and
of the texts of all jitted files that it calls (numba's own cache does not notice changes in files
that a function calls into).  An equal file is never written again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

from machines.diagnostics import input_error
from sim.files import write_atomically


def load_written(stem: str, source: str, texts: Iterable[str]) -> ModuleType:
    """The module of `source`, whose jitted functions use files of these `texts`."""
    digest = hashlib.sha256(source.encode())
    for text in texts:
        digest.update(text.encode())
    name = f"{stem}_{digest.hexdigest()[:16]}"
    path = cache_folder() / f"{name}.py"
    if not path.exists():
        write_atomically(path, source)
    spec = importlib.util.spec_from_file_location(f"simrun_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def is_compiled(jitted: Callable) -> bool:
    """Whether numba's code of a function of a written core is on disk already."""
    path = Path(inspect.getfile(jitted.py_func))
    return any((path.parent / "__pycache__").glob(f"{path.stem}.*.nbc"))


def run_announced(jitted: Callable, kind: str, run_once: Callable[[], object]) -> None:
    """Compile a core by running it once, telling the user if that takes long."""
    if is_compiled(jitted):
        run_once()
        return
    announce(f"simrun: compiling the {kind} core (once per version, about a minute) …")
    start = time.perf_counter()
    run_once()
    announce(f"simrun: core compiled in {time.perf_counter() - start:.0f} s")


def announce(message: str) -> None:
    """A line on stderr, for waits the user should know the reason of."""
    print(message, file=sys.stderr, flush=True)


def cache_folder() -> Path:
    """Where written cores are kept: $SIMRUN_CACHE, else the user's cache folder.

    Raises InputError if it cannot be made.
    """
    named = os.environ.get("SIMRUN_CACHE")
    try:
        folder = Path(named) if named else _users_caches() / "simrun"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: the user has no home
        problem = "SIMRUN_CACHE is no folder that can be made" if named else "no cache folder"
        hint = "set SIMRUN_CACHE to a folder that can be written"
        raise input_error(f"{problem}: {error}", hint=hint) from None
    return folder


def _users_caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home())
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
