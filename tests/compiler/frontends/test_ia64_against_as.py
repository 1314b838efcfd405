"""What GNU as takes this front end takes, and refuses what it refuses: lines of every form.

What the two do not agree on stands in `ia64_disagreements.yaml`, with the reason.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from compiler.frontends.ia64.instructions import Refused, decode
from compiler.frontends.ia64.names import Scope
from compiler.frontends.ia64.source import Instruction
from compiler.frontends.ia64.syntax import Names
from machines.diagnostics import Location
from tests.campaign.seeds import short_form
from tests.compiler.frontends.ia64_forms import LABEL, all_lines
from tests.compiler.gnu_as import ASSEMBLER, needs_gnu_as

PARTS = 8
"""Of the lines; each run takes the first."""
AGREED_TO_DIFFER = yaml.safe_load(
    Path(__file__).with_name("ia64_disagreements.yaml").read_text(encoding="utf-8")
)


def taken_by_as(lines: list[str], folder: Path) -> list[bool]:
    """Whether GNU as takes each line, a warning counts as taken."""
    source = folder / "lines.s"
    near = (line.replace(LABEL, "1b") for line in lines)  # some fields reach a few bundles
    source.write_text("".join(f"1: {line} ;;\n" for line in near))
    arguments = [ASSEMBLER, "-x", source, "-o", folder / "lines.o"]
    said = subprocess.run(arguments, capture_output=True, text=True).stderr
    refused = {int(number) - 1 for number in re.findall(r"lines\.s:(\d+): Error", said)}
    return [number not in refused for number in range(len(lines))]


def taken_here(line: str) -> bool:
    """Whether a line is of a form; which registers it may write `checks` says, more strictly."""
    names = Names(labels={LABEL: 0})
    try:
        decode(Instruction(line, Location("lines.s", 1), line, Scope()), names)
    except Refused:
        return False
    return True


def _reason(line: str, is_taken_here: bool) -> str | None:
    """Why the two do not agree, if it is meant so."""
    by = "here" if is_taken_here else "as"
    return next(
        (d["reason"] for d in AGREED_TO_DIFFER if d["by"] == by and re.fullmatch(d["lines"], line)),
        None,
    )


def differences(lines: list[str], folder: Path) -> list[tuple[str, str]]:
    found = zip(lines, taken_by_as(lines, folder), map(taken_here, lines), strict=True)
    return [
        (line, "here only" if here else "as only")
        for line, theirs, here in found
        if theirs != here and not _reason(line, here)
    ]


@needs_gnu_as
@pytest.mark.parametrize("part", short_form(range(PARTS), 1))
def test_as_takes_what_is_taken_here(part, tmp_path):
    assert differences(all_lines()[part::PARTS], tmp_path) == []


REPORTED = {
    "mov pr = r32, 0x20002": False, "mov pr = r32, 0x1fffe": True, "add r8 = 8192, r32": False,
    "add r8 = 8192, r3": True, "mov.m ar.lc = r32": False, "mov.i ar.ccv = r20": False,
    "mov.m r8 = ip": False, "br.few.sptk.few here": False, "br.cond here": False,
    "ld8.foo r8 = [r9]": False, "ld8.nta.acq r8 = [r9]": False, "tbit.z.orcm p6, p7 = r8, 3": True,
    "cmp.le.and.orcm p6, p7 = r8, r0": True, "fmin.s1 f8 = f9, f10": True,
    "mov r8 = ar.fpsr": True, "fsetc.s2 0x7f, 0x42": True, "pmpyshr2.u r8 = r9, r10, 16": True,
    "fadd f8 = f9, f0": True,
}  # fmt: skip


@needs_gnu_as
def test_what_was_reported(tmp_path):
    assert dict(zip(REPORTED, taken_by_as(list(REPORTED), tmp_path), strict=True)) == REPORTED
    assert {line: taken_here(line) for line in REPORTED} == REPORTED


@needs_gnu_as
@pytest.mark.campaign
def test_every_reason_is_needed(tmp_path):
    lines = all_lines()
    found = {
        _reason(line, here)
        for line, theirs, here in zip(
            lines, taken_by_as(lines, tmp_path), map(taken_here, lines), strict=True
        )
        if theirs != here
    }
    assert found >= {one["reason"] for one in AGREED_TO_DIFFER}
