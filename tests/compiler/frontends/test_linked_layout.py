"""Variables of C and of assembly lie where GNU ld puts them: same order, same distances.

The judges are clang and GNU as, which make an object file of the same source, and GNU ld.  What is
compared are the addresses within each section of its output: where a section begins depends on the
size of the code, too.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from compiler.frontends.ia64 import PLUGIN as ASSEMBLY
from compiler.frontends.llvm import PLUGIN as LLVM
from compiler.interpret.functions import memory_for
from machines.description.load import load_machine
from machines.layout import Memory
from tests.campaign.seeds import campaign, check_all
from tests.compiler.frontends.llvm_native import CLANG, clang, needs_clang

IA64 = "ia64-linux-gnu-"
needs_ld = pytest.mark.skipif(
    not (shutil.which("ld") and shutil.which("nm")), reason="GNU ld is not installed"
)
needs_ia64 = pytest.mark.skipif(
    not all(shutil.which(IA64 + tool) for tool in ("as", "ld", "nm")),
    reason="the binutils for ia64 are not installed",
)
SCALARS = ("char", "short", "int", "long", "float", "double")


def linked(source: Path, command: list[str], prefix: str = "") -> dict[str, dict[str, int]]:
    """Addresses of the symbols of each section, as ld gives them."""
    made, whole = source.with_suffix(".o"), source.with_suffix(".out")
    subprocess.run([*command, str(source), "-o", str(made)], check=True, capture_output=True)
    ld = [f"{prefix}ld", "-e", "0", str(made), "-o", str(whole)]
    subprocess.run(ld, check=True, capture_output=True)
    text = subprocess.run(
        [f"{prefix}nm", str(whole)], check=True, capture_output=True, text=True
    ).stdout
    found: dict[str, dict[str, int]] = {}
    for line in text.splitlines():
        address, kind, name = line.rsplit(maxsplit=2)
        if kind in "rRdDbBgGsS" and not name.startswith("_"):  # of sections that ld defines
            found.setdefault(kind.lower(), {})[name] = int(address, 16)
    return found


def distances(addresses: Mapping[str, int]) -> list[tuple[str, int]]:
    """From the first, in the order of the addresses."""
    ordered = sorted(addresses.items(), key=lambda item: (item[1], item[0]))
    return [(name, address - ordered[0][1]) for name, address in ordered]


def compared(memory: Memory, judged: dict[str, dict[str, int]]) -> int:
    """How many variables stand as the judge has them; all do, or the test fails."""
    for names in filter(None, judged.values()):
        ours = {name: memory.address(name) for name in names}
        assert distances(ours) == distances(names)
    return sum(map(len, judged.values()))


def variables(random: Random) -> str:
    """C: variables of all sizes, kinds and sections, and a function that reads each."""
    lines, names = [], []
    for number in range(random.randint(2, 14)):
        name, scalar = f"v{number}", random.choice(SCALARS)
        count = random.choice([0, 1, 2, 3, 5, 8, 16, 17, random.randint(1, 70)])
        kind = random.choice(["zero", "zero", "data", "const", "struct"])
        align = random.choice(["", "", "", f"_Alignas({random.choice([16, 32, 64, 128])}) "])
        linkage = random.choice(["", "static "])
        shape = f"[{count}]" if count else ""
        begins = f" = {{{random.randint(1, 99)}, 7}}" if count > 1 else f" = {number + 3}"
        if count == 1:
            begins = f" = {{{number + 3}}}"
        if kind == "struct":
            other = random.choice(SCALARS)
            lines.append(f"{align}{linkage}struct {{ {scalar} a; {other} b[3]; }} {name}{shape};")
        elif kind == "zero":
            lines.append(f"{align}{linkage}{scalar} {name}{shape};")
        else:
            const = "const " if kind == "const" else ""
            lines.append(f"{align}{linkage}{const}{scalar} {name}{shape}{begins};")
        names.append(name)
    reads = "\n".join(f"    sum += ((volatile char *)&{name})[at];" for name in names)
    writes = "\n".join(
        f"    ((volatile char *)&{name})[at] = 1;"
        for name, line in zip(names, lines, strict=True)
        if "const " not in line
    )
    body = f"    long sum = 0;\n{reads}\n{writes}\n    return sum;"
    return "\n".join(lines) + f"\nlong run(long at)\n{{\n{body}\n}}\n"


def check_c(seed: int, folder: Path) -> int:
    source = folder / f"v{seed}.c"
    source.write_text(variables(Random(seed)), encoding="utf-8")
    level = Random(seed).choice(["-O0", "-O1", "-O2"])
    judged = linked(source, [CLANG, "-c", level, "-fno-pic"])
    module = LLVM.read(clang(source, level, "-fno-pic"), "v.ll")
    return compared(memory_for(module, {}), judged)


@needs_clang
@needs_ld
def test_variables_of_c(tmp_path):
    assert sum(check_c(seed, tmp_path) for seed in range(3)) > 10


@needs_clang
@needs_ld
@campaign(100, 0, 500)
def test_variables_of_c_campaign(seeds, tmp_path):
    check_all(lambda seed: check_c(seed, tmp_path), seeds)


def data_sections(random: Random) -> str:
    """Assembly: labels in sections, with data of all widths, alignment and space."""
    lines = []
    sections = random.sample([".data", ".rodata", ".bss", ".sdata", ".sbss"], 4)
    for number in range(random.randint(3, 16)):
        if number % 3 == 0:
            section = random.choice(sections)
            lines.append(f"\t{section}" if section != ".sdata" else '\t.section .sdata, "aws"')
        if random.random() < 0.3:
            lines.append(f"\t.align {random.choice([4, 8, 16, 64])}")
        lines.append(f"v{number}:")
        for _ in range(random.randint(1, 3)):
            width = random.choice([1, 2, 4, 8])
            values = ", ".join(str(random.randint(0, 99)) for _ in range(random.randint(1, 5)))
            unaligned = ".ua" if width > 1 and random.random() < 0.5 else ""
            if section in (".bss", ".sbss"):
                lines.append(f"\t.skip {random.randint(1, 40)}")
            else:
                lines.append(f"\tdata{width}{unaligned} {values}")
    for number in range(random.randint(0, 2)):
        size, alignment = random.randint(1, 40), random.choice([1, 4, 8, 16, 32])
        lines.append(f"\t.comm c{number}, {size}, {alignment}")
    return "\n".join(lines) + "\n"


CODE = "\t.text\n\t.proc main\nmain:\n\tbr.ret.sptk b0 ;;\n\t.endp main\n"


def check_assembly(seed: int, folder: Path) -> int:
    source = folder / f"v{seed}.s"
    source.write_text(data_sections(Random(seed)) + CODE, encoding="utf-8")
    judged = linked(source, [f"{IA64}as"], IA64)
    program = ASSEMBLY.read(source.read_text(), "v.s", machine=load_machine("itanium2"))
    for names in judged.values():  # ld sorts what is common by a hash of its names
        for name in [name for name in names if name.startswith("c")]:
            del names[name]
    return compared(Memory(buffer.extent for buffer in program.buffers), judged)


@needs_ia64
def test_labels_of_assembly(tmp_path):
    assert sum(check_assembly(seed, tmp_path) for seed in range(4)) > 12


@needs_ia64
@campaign(100, 0, 500)
def test_labels_of_assembly_campaign(seeds, tmp_path):
    check_all(lambda seed: check_assembly(seed, tmp_path), seeds)
