"""The verifier of EPIC machine code, form by form."""

from __future__ import annotations

import pytest

from tests.compiler.machine_code import code, findings

HEAD = ["%x = adds 1, r0", "%f = fmerge.s f1, f1", "%p, %!p = cmp.lt %x, r0"]
RETURN = "br.ret 0, b0"


def messages(*lines: str, form: str = "virtual", **more: list[str]) -> list[str]:
    """What is found in a function of one block that returns, and `more`."""
    entry = [*HEAD, *lines] if form == "virtual" else list(lines)
    return findings(code("ia64", form, entry=[*entry, RETURN], **more), "itanium2", form)


def test_what_is_right():
    right = [
        "%y = add %x, r12",
        "@%p %y = adds -3, %y",
        "r35 = adds 0, %y",
        "o0 = adds 0, %y",
        "@%!p br.cond 0, more",
    ]
    assert messages(*right, more=["st8 %y, %x", RETURN]) == []


@pytest.mark.parametrize(
    "line, message",
    [
        ("%y = add %x", "it reads 2 operands, not 1"),
        ("%y = add %x, %f", "'%f' is a register of file fr, not gr"),
        ("%y = add %x, f8", "'f8' is a register of file fr, not gr"),
        ("%y = add %x, 5", "5 is no register"),
        ("%y = add %x, r128", "the machine has no 'r128'"),
        ("%y = add %x, r20", "'r20' is read here, and nothing has written it before"),
        ("%y = adds 8192, %x", "8192 is outside -8192 … 8191"),
        ("%y = addl 0, r4", "'r4' does not fit, the field takes r0 to r3"),
        ("r0 = adds 1, %x", "'r0' never changes and cannot be written"),
        ("@!%p %y = adds 1, %x", "a guard cannot be negated"),
        ("@%x %y = adds 1, %x", "guard '%x' is a register of file gr, not pr"),
        ("@%p br.cloop 0, entry", "it takes no guard"),
        ("b0 = br.call 0, @nobody", "there is no function '@nobody'"),
        ("br.cond 0, nowhere", "there is no block 'nowhere'"),
        ("%y = movl.symbol nothing", "there is no buffer 'nothing'"),
    ],
)
def test_damage(line: str, message: str):
    found = messages(line)
    assert len([one for one in found if message in one]) == 1, found


def test_a_function_does_not_run_on_behind_its_end():
    [found] = messages("br.cond 0, more", more=["%y = adds 0, %x"])
    assert "the function runs on behind its last block, 'more'" in found


def test_what_a_callee_may_change_is_not_what_it_writes():
    def call(reads: str) -> list[str]:
        passed = '{passes: ("o0"), clobbers: ("r8" to "r11")}'
        made = ["o0 = adds 0, %x", f"b0 = br.call 0, @k {passed}", f"%y = adds 0, {reads}"]
        return messages(*made)

    assert call("r8") == []  # the result
    assert "'r9' is read here" in call("r9")[0]


def test_rows():
    adds = "adds 1, r12 {cycle: 0}"
    right = [f"r14 = {adds}", f"r15 = {adds}", f"{RETURN} {{cycle: 2}}"]
    assert findings(code("ia64", "scheduled", entry=right), "itanium2", "scheduled") == []
    [found] = messages("r14 = adds 1, r12 {cycle: 1}", form="scheduled")
    assert "its row is None, behind row 1" in found
    back = code("ia64", "scheduled", entry=[right[2], right[0]])
    assert "its row is 0, behind row 2" in findings(back, "itanium2", "scheduled")[0]
    wide = [f"r{14 + k} = adds 1, r12 {{cycle: 0}}" for k in range(7)]
    [found] = findings(code("ia64", "scheduled", entry=[*wide, right[2]]), "itanium2", "scheduled")
    assert "no cycle of the machine takes the 7 instructions of row 0" in found


def bundled(*lines: str) -> list[str]:
    return findings(code("ia64", "bundled", entry=list(lines)), "itanium2", "bundled")


def test_bundles():
    returns = ['nop.m 0 {template: "MIB;"}', "nop.i 0", RETURN]
    long = ['nop.m 0 {template: "MLX"}', "r14 = movl 81985529216486895", *returns]
    assert bundled(*returns) == bundled(*long) == []
    assert "it is in no bundle" in bundled("nop.m 0", "nop.i 0", RETURN)[0]
    assert "the machine has no template 'MBI'" in bundled('nop.m 0 {template: "MBI"}', RETURN)[0]
    assert "nop.m: slot 1 of a MIB; bundle is I" in bundled(returns[0], "nop.m 0", RETURN)[0]
    assert "br.ret: slot 0 of a MIB; bundle is M" in bundled(f'{RETURN} {{template: "MIB;"}}')[0]
    short = bundled(returns[0], "nop.i 0", 'nop.m 0 {template: "MIB;"}', "nop.i 0", RETURN)
    assert "nop.m: the MIB; bundle is not full before it" in short[0]
    assert "br.ret: the MII bundle is full before it" in bundled(
        'nop.m 0 {template: "MII"}', "nop.i 0", "nop.i 0", RETURN
    )[0]  # fmt: skip
    last = bundled('br.cloop 0, entry {template: "BBB;"}', "nop.b 0", RETURN)
    assert "br.cloop: slot 0 of a BBB; bundle is B" in last[0] and "that is the last" in last[0]
