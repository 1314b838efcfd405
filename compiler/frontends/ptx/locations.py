"""Where code comes from: the source, if it lies beside the PTX file or where `.file` says, else the
PTX line.

    .file 1 "/build/saxpy.cu"  .loc 1 7 5   ->   saxpy.cu:7:5, if there is a saxpy.cu beside

Code that was inlined from a file that is not there (CUDA's headers) stands where it was inlined.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PureWindowsPath

from compiler.frontends.ptx.reading.tree import Loc
from machines.cache.file_dependencies import is_there
from machines.confinement import leads_out
from machines.diagnostics import InputError, Location
from machines.reading import MOST_SOURCE, read_bytes


class Locations:
    """The files of `.file` directives that were found."""

    def __init__(self, files: Mapping[int, str], file: str):
        folder = Path(file).parent
        self.found: dict[int, str] = {}
        for number, path in files.items():
            beside = folder / PureWindowsPath(path).name
            if is_there(beside):
                self.found[number] = str(beside)
            elif Path(path).is_absolute() and not leads_out(path, folder) and is_there(Path(path)):
                self.found[number] = path

    def location(self, loc: Loc) -> Location | None:
        """The innermost location in a file that is there; None if there is none."""
        for file, line, column in loc.chain:
            if file in self.found and line > 0:
                return Location(self.found[file], line, max(column, 1))
        return None

    def source(self) -> str | None:
        """The text of the first file found."""
        for path in self.found.values():
            try:
                return read_bytes(path, MOST_SOURCE).decode(errors="replace")
            except InputError:
                continue
        return None
