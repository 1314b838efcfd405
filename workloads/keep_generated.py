"""What the workloads of generators keep: compiled again from their sources, where the generator is.

    python -m workloads.keep_generated triton        # or numba, warp, cute; needs no GPU

A source has a function `write(folder)`; of what it writes stays what runs, without debug sections
and without the paths of the machine that it was made on.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
import tempfile
from pathlib import Path

GPU = Path(__file__).parent / "gpu"
SOURCES = {
    "triton": ("softmax.py", "cache"),
    "numba": ("relax.py", ""),
    "warp": ("drift.py", "cache"),
    "cute": ("transpose.py", ""),
}
"""Of each generator: the source, and the folder beside it that keeps what it becomes."""
_DEBUG = re.compile(r"^\s*\.section\s+\.debug\w*\s*\{.*?^\s*\}\n?", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^\s*\.section\s+\.debug\w*\s*\{\s*\}\n?", re.MULTILINE)
_PATH = re.compile(r"(?:/[\w.+-]+)+/([\w.+-]+\.(?:py|h|cu))")


def write(generator: str, folder: Path) -> list[Path]:
    """Compile the source of a generator into a folder; gives the files that are kept."""
    source = GPU / generator / SOURCES[generator][0]
    spec = importlib.util.spec_from_file_location(source.stem, source)
    module = importlib.util.module_from_spec(spec)
    sys.modules[source.stem] = module
    spec.loader.exec_module(module)
    module.write(folder)
    for path in sorted(folder.iterdir()):
        path.write_text(kept(path.read_text()))
    return sorted(folder.iterdir())


def kept(text: str) -> str:
    """A file's text as it is kept."""
    text = _DEBUG.sub("", _SECTION.sub("", text))
    return _PATH.sub(r"\1", text)


if __name__ == "__main__":
    for name in sys.argv[1:] or SOURCES:
        with tempfile.TemporaryDirectory() as made:
            into = GPU / name / SOURCES[name][1]
            into.mkdir(exist_ok=True)
            if SOURCES[name][1]:
                for old in into.iterdir():
                    old.unlink()
            for path in write(name, Path(made)):
                shutil.copy(path, into / path.name)
                print((into / path.name).relative_to(GPU))
