"""Runs ptxas and nvdisasm: PTX in, registers, spills and a listing of each kernel out.

Neither is part of the project.  Both come with a CUDA toolkit, and as Python packages:

    pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {"ptxas": "nvidia-cuda-nvcc", "nvdisasm": "nvidia-cuda-nvdisasm"}
_RESOURCES = re.compile(
    r"Compiling entry function '(?P<kernel>[\w$.]+)' for"
    r"(?:(?!Compiling)[^\0])*?(?P<local>\d+) bytes stack frame,[^\n]*\n"
    r"(?:(?!Compiling)[^\0])*?Used (?P<registers>\d+) registers"
)


class NoToolkit(Exception):
    """A tool is missing, or refused its input: what it said."""


@dataclass(frozen=True)
class Assembled:
    """What ptxas said of a kernel, and its listing.

    local    bytes of local memory of a thread
    listing  lines of nvdisasm
    """

    name: str
    registers: int
    local: int
    listing: list[str]


def missing_tools() -> list[str]:
    """The tools that are not here."""
    return [tool for tool in PACKAGES if _path_of(tool) is None]


def assemble(path: Path, target: str) -> dict[str, Assembled]:
    """Each kernel of a file of PTX by name, as ptxas compiles it for a target ('sm_90'), or for the
    file's own where that is the same with more instructions ('sm_90a').

    Raises NoToolkit if a tool is missing or ptxas refuses the file.
    """
    text = path.read_text(errors="replace")
    named = re.search(rf"(?m)^\s*\.target\s+({target}[af])\b", text)
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "kernels.cubin"
        options = [f"-arch={named[1] if named else target}", "-v", "-lineinfo", "-o", str(binary)]
        try:
            said = _run("ptxas", *options, str(path))
        except NoToolkit as error:
            newer = re.search(r"Unsupported \.version .*current version is '([\d.]+)'", str(error))
            if newer is None:
                raise
            # What it says is mostly what an older one says, too.
            copy = Path(folder) / path.name
            copy.write_text(re.sub(r"(?m)^\s*\.version .*", f".version {newer[1]}", text))
            said = _run("ptxas", *options, str(copy))
        listing = _run("nvdisasm", "-hex", "-c", "-g", str(binary))
    sections = _sections(listing)
    return {
        m["kernel"]: Assembled(
            m["kernel"],
            int(m["registers"]),
            int(m["local"]),
            sections[m["kernel"]],
        )
        for m in _RESOURCES.finditer(said)
    }


def _sections(listing: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in listing.splitlines():
        if line.split()[:1] == [".section"]:
            lines = []
            if name := re.match(r"\s*\.section\s+\.text\.([\w$.]+)", line):
                found[name[1]] = lines
        lines.append(line)
    return found


def _run(tool: str, *words: str) -> str:
    program = _path_of(tool)
    if program is None:
        hint = f"pip install {PACKAGES[tool]}, or put a CUDA toolkit's on the PATH"
        raise NoToolkit(f"there is no {tool}; {hint}")
    done = subprocess.run([program, *words], capture_output=True, text=True, errors="replace")
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise NoToolkit(f"{tool}: {lines[0] if lines else 'it ended without a word'}")
    return done.stdout + done.stderr


def _path_of(tool: str) -> str | None:
    """On the PATH, or in a package of this Python."""
    if found := shutil.which(tool):
        return found
    package = find_spec("nvidia")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        for program in sorted(Path(folder).glob(f"*/bin/{tool}")):
            return str(program)
    return None
