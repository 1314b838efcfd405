"""An instruction's text → its row, its operands and what bundling must know of it.

    (p6) fma.d.s2 f8 = f9, f10, f0   →   row fmpy.d.s0, predicate 6, operands 8, 9, 10; slot F

Hints without effect on one core are dropped, defaults written out: `patterns_of` then finds the
rows and pseudo-operations of the mnemonic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from compiler.frontends.ia64.aliases import alias_patterns
from compiler.frontends.ia64.hints import without_hints
from compiler.frontends.ia64.source import Instruction
from compiler.frontends.ia64.syntax import (
    FORM,
    Mismatch,
    Names,
    Pattern,
    match,
    row_patterns,
    split_mnemonic,
)
from compiler.frontends.ia64.templates import ANY, Kind
from machines.diagnostics import Diagnostic, nearest
from machines.operations.row import Operation

_PREDICATED = re.compile(r"\(\s*([\w.$]+)\s*\)\s*")
_ONE_TARGET = re.compile(r"\A\s*([^=,]+?)\s*=")
_COMPARE = re.compile(r"(?:f?cmp4?|tbit|fclass)\.")
NOT_MODELLED = (
    (re.compile(r"ld\w+\.(s|a|sa|c)\b|chk|ldf\w+\.(s|a|sa|c)\b|invala|tnat"),
     "speculation (NaT bits, ALAT) is not modelled"),
    (re.compile(r"brl|rfi|epc|bsw|br\.ia|cover|loadrs|flushrs"),
     "this form of control flow is not modelled"),
    (re.compile(r"fp(?!ac)\w+|fpack|fswap|fmix|fsxt"), "SIMD floating point is not modelled"),
    (re.compile(r"[rs]sm|srlz|itc|itr|ptc|pt[re]|tak|tpa|thash|ttag|probe|fc\b|sync|mf\.a|halt"
                r"|fwb|vmsw"),
     "system instructions are not modelled"),
    (re.compile(r"padd|psub|pavg|pmpy|pshl|pshr|pcmp|pmax|pmin|psad|unpack|pack|mix|mux|czx2"),
     "multimedia arithmetic is not modelled, but for mux1 @rev and @brcst, mux2, czx1, pmpy2 and "
     "pmpyshr2"),
    (re.compile(r"f(?:chkf|clrf)"), "the flags of ar.fpsr are not modelled"),
    (re.compile(r"ld16|st16|cmp8xchg16"), "accesses of 16 bytes to two registers are not modelled"),
    (re.compile(r"clz|mpy4|mpyshl4|tf\.|lfetch\.count"),
     "instructions of later processors are not modelled"),
    (re.compile(r"hint"), "hints to the processor are not modelled: leave it out"),
)  # fmt: skip


def canonical_mnemonic(mnemonic: str, slot: str) -> str:
    """The mnemonic as the patterns have it: hints dropped, defaults written out."""
    if mnemonic in ("nop", "break"):
        return f"{mnemonic}.{'x' if slot == 'L' else slot.lower()}"
    return without_hints(mnemonic)


def patterns_of(mnemonic: str) -> list[Pattern]:
    """Patterns of a mnemonic, rows before aliases; floating ones default to status field s0."""
    for name in (mnemonic, f"{mnemonic}.s0"):
        found = row_patterns().get(name, []) + alias_patterns().get(name, [])
        if found:
            return found
    return []


@dataclass(frozen=True)
class Decoded:
    """A row, the predicate that guards it and its operands; `final` if no label can change them."""

    row: Operation
    guard: int
    values: list[int]
    final: bool


class Refused(Exception):
    """The text is no instruction of the machine; carries the finding."""

    def __init__(self, finding: Diagnostic):
        super().__init__(finding.message)
        self.finding = finding


def decode(instruction: Instruction, names: Names, slot: str = "M") -> Decoded:
    """The instruction as `names` reads it, in a slot if it names none; raises Refused."""

    def refused(message: str, hint: str | None) -> Refused:
        return Refused(Diagnostic(message, instruction.location, instruction.written, hint))

    text, guard = instruction.text, 0
    if predicate := _PREDICATED.match(text):
        found = instruction.scope.registers.find(predicate.group(1))
        if not found or found[0] != "pr":
            raise refused(f"'{predicate.group(1)}' is not a predicate", "predicates are p0 to p63")
        guard, text = found[1], text[predicate.end() :]
    written, operands = split_mnemonic(text.replace("\t", " "))
    mnemonic = canonical_mnemonic(written.lower(), slot)
    if _COMPARE.match(mnemonic):
        operands = _ONE_TARGET.sub(r"\1, p0 =", operands, count=1)
    candidates = patterns_of(mnemonic)
    if not candidates:
        raise refused(*_unknown(written, mnemonic))
    names.scope, names.consulted = instruction.scope, False
    try:
        row, values = match(operands, candidates, names)
    except Mismatch as failure:
        if failure.closeness == FORM and (reason := _not_modelled(mnemonic)):
            raise refused(f"this form of '{written}' is not supported", reason) from None
        forms = "; ".join(dict.fromkeys(candidate.syntax for candidate in candidates[:6]))
        raise refused(f"{written}: {failure}", f"forms: {forms}") from None
    return Decoded(row, guard, values, not names.consulted)


def _not_modelled(mnemonic: str) -> str | None:
    """Why the machine does not have an instruction of the architecture."""
    return next((reason for applies, reason in NOT_MODELLED if applies.match(mnemonic)), None)


def _unknown(written: str, mnemonic: str) -> tuple[str, str]:
    if reason := _not_modelled(mnemonic):
        return f"'{written}' is not supported", reason
    return f"unknown instruction '{written}'", nearest(mnemonic, _mnemonics())


def _mnemonics() -> Iterable[str]:
    return [*row_patterns(), *alias_patterns()]


def kind_of(instruction: Instruction, decoded: Decoded | None) -> Kind:
    """What bundling must know; of an instruction that was refused: that it goes anywhere."""
    text = _PREDICATED.sub("", instruction.text, count=1).strip()
    if decoded is None or split_mnemonic(text.replace("\t", " "))[0].lower() in ("nop", "break"):
        return Kind(ANY)
    row = decoded.row
    return Kind(
        row.slot_kind,
        last_slot="last_slot" in row.flags,
        first="first_in_group" in row.flags,
        final="last_in_group" in row.flags,
    )
