"""Every ia64 row: hand-computed cases, and what GNU as says to its syntax."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from compiler.targets.epic.interpret import interpret
from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.epic.program import COLUMNS, FIRST_OPERAND
from machines.vocabulary.floating import VOCABULARY as FLOATING
from machines.vocabulary.numbers import VOCABULARY as NUMBERS
from tests.machines import ia64_cases

ROWS = operations().family("ia64")
CASES = ia64_cases.cases()
ASSEMBLER = shutil.which("ia64-linux-gnu-as")
DISASSEMBLER = shutil.which("ia64-linux-gnu-objdump")
needs_binutils = pytest.mark.skipif(
    not (ASSEMBLER and DISASSEMBLER),
    reason="GNU binutils for ia64 are not installed (apt install binutils-ia64-linux-gnu)",
)


@pytest.fixture(scope="module")
def machine():
    return load_machine("itanium2")


def test_every_row_has_a_case():
    assert {case.row for case in CASES} == set(ROWS)


@pytest.mark.campaign
def test_cases_on_the_machine_interpreter(machine):
    """In every run the core's test of the cases compares it with the interpreter."""
    for case in CASES:
        program, memory = ia64_cases.prepare(case, machine)
        outcome = interpret(program, memory, limit=1000)
        files = {"r": outcome.gr, "f": outcome.fr, "p": outcome.pr, "b": outcome.br}

        def read(file, number, files=files, outcome=outcome):
            return files[file][number] if file in files else outcome.ar[file]

        ia64_cases.check(case, program, memory, outcome, read)


@pytest.mark.parametrize("row", ROWS.values(), ids=str)
def test_a_row_is_whole(row):
    """Its operands fit the code columns, its meaning uses the vocabulary and assigns its writes."""
    assert len(row.operands) <= COLUMNS - FIRST_OPERAND
    names = {operand.name for operand in row.operands}
    used = set(re.findall(r"\{(\w+)\}", row.syntax))
    assert used == names
    words = set(re.findall(r"[A-Za-z_]\w*", row.meaning))
    resources = {r.replace(".", "_") for r in (*row.implicit_reads, *row.implicit_writes)}
    known = names | resources | set(NUMBERS) | set(FLOATING)
    known |= {
        "if",
        "else",
        "and",
        "or",
        "rotate",
        "stage",
        "loaded",
        "loaded_high",
        "stored",
        "stored_high",
    }
    known |= {"taken", "target", "link", "symbol"}
    assert words <= known
    assigned = set(re.findall(r"^([\w, ]+) = ", row.meaning, re.MULTILINE))
    assigned = {name for group in assigned for name in group.split(", ")}
    written = {operand.name for operand in row.writes}
    assert written <= assigned
    assert {r.replace(".", "_") for r in row.implicit_writes} <= assigned
    assert row.sentence.endswith(".")
    assert row.scheduling_class is not None


def test_every_class_has_a_port_and_with_results_a_latency(machine):
    description = machine.description
    classes = {row.scheduling_class for row in ROWS.values()}
    accepted = {name for port in description.ports.values() for name in port.accepts}
    assert classes <= accepted
    with_result = {o.produces or row.scheduling_class for row in ROWS.values() for o in row.writes}
    assert with_result <= set(description.latencies)


def _one_case_of_each_row() -> list[ia64_cases.Case]:
    return list({case.row: case for case in reversed(CASES)}.values())


@needs_binutils
def test_gnu_as_takes_every_row_and_objdump_names_it(tmp_path):
    """One bundle a row: assembled without a warning, then read back from the bytes."""
    chosen = _one_case_of_each_row()
    bundles = ["there:\n"]
    for case in chosen:
        row = ROWS[case.row]
        bundles.append(ia64_cases._bundle(row.slot_kind, ia64_cases.instruction_text(case)))
    text = ".explicit\n.text\n" + "".join(bundles) + ".data\ncell: .skip 128\n"
    source, binary = tmp_path / "rows.s", tmp_path / "rows.o"
    source.write_text(text)
    made = subprocess.run(
        [ASSEMBLER, "-x", "--fatal-warnings", source, "-o", binary], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr[:2000]
    listing = subprocess.run([DISASSEMBLER, "-d", binary], capture_output=True, text=True).stdout
    shown = re.findall(r"^\s+[0-9a-f]+:\t(?:[0-9a-f]{2} )+ *\t(.*)$", listing, re.MULTILINE)
    assert len(shown) >= len(chosen)
    missing = []
    found = " ".join(shown)
    for case in chosen:
        mnemonic = ROWS[case.row].syntax.format_map(_AnyHint()).split()[0]
        short = mnemonic.removesuffix(".s0")
        if not re.search(rf"(?<![\w.]){re.escape(short)}", found) and mnemonic not in SHOWN_AS:
            missing.append(mnemonic)
    assert missing == []


SHOWN_AS = {"adds": "mov", "addl": "mov", "dep.z": "shl", "extr": "shr", "extr.u": "shr.u",
            "br.cond.sptk": "br"}  # fmt: skip
"""Mnemonics that objdump may show as the pseudo-operation that the operands make of them."""


class _AnyHint(dict):
    def __missing__(self, key: str) -> str:
        return "sptk" if key == "hint" else key
