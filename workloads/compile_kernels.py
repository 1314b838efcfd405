"""The PTX of the workloads from their CUDA C: the command at the head of every .cu file, run.

    python -m workloads.compile_kernels            # all
    python -m workloads.compile_kernels saxpy      # one

nvcc writes the folder it ran in into the `.file` lines of the PTX; those lines keep the names of
files only, so that the PTX is the same wherever it is made.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
GPU = FOLDER / "gpu"
COMMAND = re.compile(r"^//\s+(nvcc .*)$", re.MULTILINE)
_NAMES = re.compile(r"^\s*\.section\s+\.debug_str\s*\{.*?^\s*\}", re.MULTILINE | re.DOTALL)
_FILE_LINE = re.compile(r'^(\s*\.file\s+\d+\s+")[^"]*/', re.MULTILINE)


def sources(folder: Path = FOLDER) -> list[Path]:
    """The CUDA C below a folder, in order of names; what a generator wrote has no command."""
    return sorted(one for one in folder.rglob("*.cu") if COMMAND.search(one.read_text()))


def command(source: Path) -> list[str]:
    """The command at the head of a .cu file; it runs in the folder of the file."""
    return COMMAND.search(source.read_text())[1].split()


def ptx(source: Path) -> str:
    """What the command makes, with names of files instead of paths."""
    words = command(source)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / source.with_suffix(".ptx").name
        words[words.index("-o") + 1] = str(output)
        subprocess.run(words, cwd=source.parent, check=True, capture_output=True)
        return _FILE_LINE.sub(r"\1", output.read_text())


def without_names(text: str) -> str:
    """PTX without its section of names, which hold a hash of the path that nvcc saw."""
    return _NAMES.sub("", text)


if __name__ == "__main__":
    for source in sources():
        if len(sys.argv) == 1 or source.stem in sys.argv[1:]:
            source.with_suffix(".ptx").write_text(ptx(source))
            print(source.with_suffix(".ptx").relative_to(FOLDER))
