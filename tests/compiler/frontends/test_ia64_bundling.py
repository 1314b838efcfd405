"""Bundles that the source leaves to the assembler are those of GNU as, byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

from compiler.frontends.ia64 import PLUGIN
from compiler.targets.epic.assembly import print_assembly
from machines.description.load import load_machine
from tests.compiler.frontends.random_bundles import random_text
from tests.compiler.gnu_as import ASSEMBLER, OBJCOPY, needs_gnu_as

MACHINE = load_machine("itanium2")
SEEDS = range(12)


def assembled(text: str, folder: Path) -> bytes:
    """The bytes of the text section; warnings (of dependences) do not matter here."""
    source, made, raw = folder / "text.s", folder / "text.o", folder / "text.bin"
    source.write_text(text)
    ended = subprocess.run([ASSEMBLER, "-x", source, "-o", made], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[:2000]
    subprocess.run([OBJCOPY, "-O", "binary", "-j", ".text", made, raw], check=True)
    return raw.read_bytes()


def check_bundles(text: str, folder: Path) -> None:
    """What we read, printed with every template and nop, has the bytes of the text itself."""
    printed = print_assembly(PLUGIN.read(text, "text.s", MACHINE), MACHINE.description)
    assert assembled(printed, folder) == assembled(text, folder)


@needs_gnu_as
def test_random_texts(tmp_path):
    for seed in SEEDS:
        check_bundles(random_text(seed), tmp_path)
