"""What may stand in one instruction group: our check and that of GNU as agree."""

from __future__ import annotations

import pytest

from compiler.frontends.ia64 import PLUGIN
from machines.description.load import load_machine
from machines.diagnostics import InputError
from tests.compiler.gnu_as import complaints, needs_gnu_as

MACHINE = load_machine("itanium2")
END = "{ .mib\nnop.m 0\nnop.i 0\nbr.ret.sptk b0 ;;\n}\n"


def one_group(*instructions: str, before: str = "") -> str:
    """A group of bundles with one instruction each: 'M …', 'F …', 'I …' or 'B …'."""
    text = ""
    for instruction in instructions:
        slot, _, body = instruction.partition(" ")
        template = "mib" if slot == "B" else "mfi"
        lines = [f"nop.{letter} 0" for letter in template]
        lines[{"M": 0, "F": 1}.get(slot, 2)] = body
        text += "{ ." + template + "\n" + "\n".join(lines) + "\n}\n"
    return ".text\nstart:\n" + before + text + ";;\n" + END


ALLOWED = {
    "write after read": ("M add r14 = r15, r16", "M add r15 = r17, r18"),
    "compare before its branch": ("M cmp.eq p6, p7 = r14, r15", "B (p6) br.cond.sptk start"),
    "bit test before its branch": ("I tbit.z p6, p7 = r14, 3", "B (p7) br.cond.sptk start"),
    "branch register before its branch": ("I mov b6 = r14", "B br.cond.sptk b6"),
    "ar.pfs before return": ("I mov ar.pfs = r14", "B (p6) br.ret.sptk b0"),
    "store then load": ("M st8 [r14] = r15", "M ld8 r16 = [r14]"),
    "parallel or": ("M cmp.eq.or p6, p7 = r14, r15", "M cmp.eq.or p6, p7 = r16, r17"),
    "parallel and": ("M cmp.ne.and p6, p7 = r14, r15", "M cmp.eq.and p6, p8 = r16, r17"),
    "stage predicates": ("M cmp.eq p16, p17 = r3, r4", "B br.ctop.sptk.few start"),
    "rotating register": ("M (p17) add r33 = r32, r34", "B br.ctop.sptk.few start"),
    "before clrrrb": ("M add r34 = r4, r5", "B clrrrb"),
    "writes of p0": ("M cmp.eq p6, p0 = r14, r15", "M cmp.eq p7, p0 = r14, r15"),
}
FORBIDDEN = {
    "read after write": ("M add r14 = r15, r16", "M add r17 = r14, r18"),
    "write after write": ("M add r14 = r15, r16", "M add r14 = r17, r18"),
    "post-increment then use": ("M ld8 r14 = [r15], 8", "M add r16 = r15, r17"),
    "two post-increments": ("M ld8 r14 = [r15], 8", "M ld8 r16 = [r15], 8"),
    "load then use": ("M ldfd f6 = [r14]", "F fma.d f7 = f6, f6, f6"),
    "fma then store": ("F fma.d f6 = f7, f7, f7", "M stfd [r14] = f6"),
    "compare before a predicated add": ("M cmp.eq p6, p7 = r14, r15", "M (p6) add r16 = r17, r18"),
    "fcmp before its branch": ("F fcmp.eq p6, p7 = f6, f7", "B (p6) br.cond.sptk start"),
    "loop counter": ("I mov ar.lc = r14", "B br.cloop.sptk.few start"),
    "all predicates": ("I mov pr = r14, -1", "M (p6) add r16 = r17, r18"),
    "reading all predicates": ("M cmp.eq p6, p7 = r14, r15", "I mov r16 = pr"),
    "two compares": ("M cmp.eq p6, p7 = r14, r15", "M cmp.eq p8, p6 = r14, r15"),
    "and with or": ("M cmp.ne.and p6, p7 = r14, r15", "M cmp.eq.or p6, p8 = r16, r17"),
    "ar.ccv": ("M mov ar.ccv = r14", "M cmpxchg8.acq r15 = [r16], r17, ar.ccv"),
    "seed predicate": ("F frcpa.s0 f6, p6 = f7, f8", "F (p6) fma.d f9 = f10, f10, f10"),
    "frame and return": ("M alloc r2 = ar.pfs, 1, 2, 0, 0", "B (p6) br.ret.sptk b0"),
    "frame and rotation": ("M alloc r2 = ar.pfs, 0, 8, 0, 8", "B br.ctop.sptk.few start"),
    "frame and clrrrb": ("M alloc r2 = ar.pfs, 0, 8, 0, 8", "B clrrrb"),
    "the next stage's predicate": ("M cmp.eq p16, p63 = r3, r4", "B br.ctop.sptk.few start"),
    "rotating predicates": ("I mov pr.rot = 1 << 16", "B br.wtop.sptk.few start"),
    "epilogue count": ("I mov ar.ec = 4", "B br.ctop.sptk.few start"),
    "unknown predicates": ("M (p6) mov r14 = r15", "M (p7) mov r14 = r16"),
}
COMPARE = "{ .mfi\ncmp.eq p6, p7 = r20, r21\nnop.f 0\nnop.i 0 ;;\n}\n"
DECLARED = '.pred.rel "mutex", p6, p7\n'
PARTLY = "{ .mfi\n(p8) cmp.eq p6, p7 = r20, r21\nnop.f 0\nnop.i 0 ;;\n}\n"


def findings(text: str) -> list[str]:
    try:
        PLUGIN.read(text, "test.s", MACHINE)
    except InputError as error:
        return [finding.message for finding in error.diagnostics]
    return []


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name):
    assert findings(one_group(*ALLOWED[name])) == []


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(name):
    found = findings(one_group(*FORBIDDEN[name]))
    assert found
    assert all("in the same group" in message for message in found)


@pytest.mark.parametrize(("before", "forbidden"), [(COMPARE, 0), (DECLARED, 0), (PARTLY, 1)])
def test_predicates_that_exclude_each_other(before, forbidden):
    """Known from an unconditional compare, or declared; not from a compare that may not happen."""
    text = one_group(*FORBIDDEN["unknown predicates"], before=before)
    assert len(findings(text)) == forbidden


@needs_gnu_as
def test_gnu_as_agrees_on_predicates(tmp_path):
    for before, forbidden in ((COMPARE, False), (DECLARED, False), (PARTLY, True)):
        text = one_group(*FORBIDDEN["unknown predicates"], before=before)
        assert bool(complaints(".explicit\n" + text, tmp_path)) == forbidden, before


@needs_gnu_as
def test_gnu_as_agrees(tmp_path):
    for name, instructions in ALLOWED.items():
        assert not complaints(".explicit\n" + one_group(*instructions), tmp_path), name
    for name, instructions in FORBIDDEN.items():
        assert "dependency" in complaints(".explicit\n" + one_group(*instructions), tmp_path), name
