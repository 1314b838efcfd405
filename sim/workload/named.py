"""Workloads by their names: those that come with simrun, and those below ./workloads."""

from __future__ import annotations

import re
from pathlib import Path

from machines.confinement import store
from machines.diagnostics import InputError
from machines.reading import read_text

_NAME = re.compile(r"^workload:[ \t]*([^\s#]+)", re.MULTILINE)
_MOST = 1 << 20
"""Bytes of a file that is looked at."""


def workload_files() -> list[Path]:
    """The files; one below ./workloads hides that of simrun's that has the same path."""
    import workloads

    folders = [Path(folder) for folder in workloads.__path__]
    if Path("workloads").is_dir():
        folders.insert(0, Path("workloads"))
    found: dict[Path, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("**/workload.yaml")):
            found.setdefault(path.relative_to(folder), path)
    return list(found.values())


def hint_for(word: str | Path) -> str | None:
    """What to write for a workload that is named where its file is wanted; None if there is none
    of that name, or where files are those of a store."""
    word = str(word)
    if "/" in word or store() is not None:
        return None
    files = workload_files()
    found = [path for path in files if word == _name(path)]
    found = found or [path for path in files if word == path.parent.name]
    return f"the workload of that name is {' or '.join(map(_shown, found))}" if found else None


def _name(path: Path) -> str | None:
    """What the file says, which need not be right otherwise."""
    try:
        found = _NAME.search(read_text(path, _MOST))
    except InputError:
        return None
    return found[1] if found else None


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
