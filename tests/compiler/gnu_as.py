"""GNU as for ia64 as an oracle, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ASSEMBLER = shutil.which("ia64-linux-gnu-as")
OBJCOPY = shutil.which("ia64-linux-gnu-objcopy")
needs_gnu_as = pytest.mark.skipif(
    not (ASSEMBLER and OBJCOPY),
    reason="GNU binutils for ia64 are not installed (apt install binutils-ia64-linux-gnu)",
)


def complaints(text: str, folder: Path) -> str:
    """What GNU as says of a text in explicit mode; empty if it takes it without a warning."""
    source = folder / "text.s"
    source.write_text(text)
    arguments = [ASSEMBLER, "-x", "--fatal-warnings", source, "-o", folder / "text.o"]
    made = subprocess.run(arguments, capture_output=True, text=True)
    return made.stderr[:2000] if made.returncode else ""


def code_bytes(text: str, folder: Path) -> bytes:
    """The bytes of the text section."""
    said = complaints(text, folder)
    assert not said, said
    raw = folder / "text.bin"
    subprocess.run([OBJCOPY, "-O", "binary", "-j", ".text", folder / "text.o", raw], check=True)
    return raw.read_bytes()
