"""The verifier of EPIC machine code, form by form."""

from __future__ import annotations

import pytest

from compiler.targets.epic import TARGET
from compiler.targets.epic.verify import verify
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.kinds.epic.code import ROTATING
from tests.compiler.code_of_lines import code, findings

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
        ("@%p %y = adds 0, %y", "'%y' is copied onto itself"),
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


def test_a_port_takes_each_syllable_of_a_bundle():
    lines = ['nop.m 0 {template: "MIB;"}', "r14 = mov.from_branch b0", RETURN]
    made = code("ia64", "bundled", entry=lines)
    assert verify(made, "bundled", load_machine("itanium2").description) == []
    other = load_machine("itanium2", ["dispersal.ordered_slots.I=[I1, I0]"])
    message = "<text>:5:1: error: no port takes class 'move_from_branch' from slot 1"
    with pytest.raises(InputError, match=message):
        verify(made, "bundled", other.description)


@pytest.mark.parametrize(
    "attribute",
    [
        "access", "ordered", "fresh", "spill_slot", "returns", "passes", "clobbers", "cycle",
        "node", "stage", "after", "kernel", "template",
    ],
)  # fmt: skip
def test_attributes_hold_what_passes_take_them_for(attribute: str):
    [found] = messages(f"%y = adds 1, %x {{{attribute}: none}}")
    assert f"adds: attribute '{attribute}' is none" in found


def test_as_many_registers_rotate_as_a_frame_has():
    made = code("ia64", entry=[RETURN])
    for right in (0, 8, 96):
        ROTATING.say(made, right)
        assert findings(made, "itanium2") == []
    for wrong in (9, -8, 104, 999999):
        ROTATING.say(made, wrong)
        [found] = findings(made, "itanium2")
        assert f"<text>:2:7: error: 'rotating' cannot be {wrong}" in found


LOOP = "PipelinedLoop(ii: 3, stages: 2, res_mii: 1, rec_mii: 3, least_ii: 3)"
KERNEL = {
    "virtual": f"""\
form virtual of ia64
func @k() {{
    rotating = 8
entry:
    clrrrb
    mov.to_pr_rot 65536
    mov.to_ar.ec.imm 2
    mov.to_ar.lc.imm 7
loop:
    @p17 r34 = adds 1, r34 {{cycle: 0, stage: 1, node: 4}}
    @p16 r32 = adds 1, r35 {{cycle: 2, stage: 0, node: 1}}
    @p16 r36 = adds 1, r37 {{cycle: 2, stage: 0, node: 2, after: (1)}}
    br.ctop 2, loop {{cycle: 2, stage: 0, node: 3, after: (1, 2), kernel: {LOOP}}}
done:
    br.ret 0, b0
}}
""",
    "bundled": f"""\
form bundled of ia64
func @k() {{
    rotating = 8
entry:
    nop.m 0 {{template: "MII;"}}
    mov.to_pr_rot 65536
    mov.to_ar.lc.imm 7
    nop.m 0 {{template: "MII;"}}
    mov.to_ar.ec.imm 2
    nop.i 0
    nop.b 0 {{template: "BBB;"}}
    nop.b 0
    clrrrb
loop:
    nop.m 0 {{template: "MII;"}}
    @p17 r34 = adds 1, r34 {{cycle: 0, stage: 1, node: 4}}
    nop.i 0
    @p16 r32 = adds 1, r35 {{cycle: 2, stage: 0, node: 1, template: "MIB;"}}
    @p16 r36 = adds 1, r37 {{cycle: 2, stage: 0, node: 2, after: (1)}}
    br.ctop 2, loop {{cycle: 2, stage: 0, node: 3, after: (1, 2), kernel: {LOOP}}}
done:
    nop.m 0 {{template: "MIB;"}}
    nop.i 0
    br.ret 0, b0
}}
""",
}
KERNEL["allocated"] = KERNEL["virtual"].replace("virtual", "allocated")
KERNEL["scheduled"] = (
    KERNEL["allocated"]
    .replace("allocated", "scheduled")
    .replace("clrrrb", "clrrrb {cycle: 0}")
    .replace("65536", "65536 {cycle: 0}")
    .replace("ec.imm 2", "ec.imm 2 {cycle: 1}")
    .replace("lc.imm 7", "lc.imm 7 {cycle: 2}")
    .replace("b0", "b0 {cycle: 0}")
)


def kernel_findings(form: str, text: str) -> list[str]:
    return findings(parse(text, records=TARGET.records).functions["k"], "itanium2", form)


@pytest.mark.parametrize("form", KERNEL)
def test_kernels_that_are_right(form: str):
    assert kernel_findings(form, KERNEL[form]) == []


@pytest.mark.parametrize("form", KERNEL)
@pytest.mark.parametrize(
    "right, wrong, message",
    [
        ("stage: 1, node: 4", "stage: 1", "adds: it has no number in the kernel"),
        ("node: 2", "node: 4", "adds: another instruction of the kernel has number 4"),
        ("stage: 1, node: 4", "node: 4", "adds: its stage is None, and the kernel has 2"),
        ("stage: 1", "stage: 2", "adds: its stage is 2, and the kernel has 2"),
        ("stage: 1", "stage: -1", "adds: its stage is -1, and the kernel has 2"),
        ("cycle: 0, stage: 1", "stage: 1", "adds: its row is None, and the kernel's ii 3"),
        ("cycle: 0, stage: 1", "cycle: 3, stage: 1", "adds: its row is 3, and the kernel's ii 3"),
        ("cycle: 0, stage: 1", "cycle: -1, stage: 1", "adds: its row is -1, and"),
        ("ii: 3, stages", "ii: 4, stages", "br.ctop: its row is 2, and the kernel's ii 4"),
        ("after: (1)", "after: (9,)", "adds: nothing before it in row 2 has number 9"),
        ("after: (1)", "after: (4,)", "adds: nothing before it in row 2 has number 4"),
        ("after: (1)", "after: (2,)", "adds: nothing before it in row 2 has number 2"),
        ("after: (1)", 'after: ("x", none)', 'adds: nothing before it in row 2 has number "x"'),
        ("after: (1)", "after: ({},)", "adds: nothing before it in row 2 has number {}"),
        ("after: (1, 2)", "after: (1, 77)", "br.ctop: nothing before it in row 2 has number 77"),
        ("2, loop {", "2, done {", "br.ctop: it does not lead back to kernel 'loop'"),
        ("br.ctop 2, loop", "br.cond 2, loop", "br.cond: it does not lead back to kernel 'loop'"),
        ("node: 2", f"node: 2, kernel: {LOOP}", "adds: it is not the last instruction of a kernel"),
    ],
)
def test_damaged_kernels(form: str, right: str, wrong: str, message: str):
    text = KERNEL[form]
    line = text[: text.index(right)].count("\n") + 1
    [found] = kernel_findings(form, text.replace(right, wrong))
    assert found.startswith(f"<text>:{line}:5: error: {message}")


def test_what_is_no_kernel():
    text = KERNEL["virtual"]
    lead = text[text.index("entry:") : text.index("loop:")]
    [found] = kernel_findings("virtual", text.replace(lead, ""))
    assert "<text>:4:1: error: function 'k' begins with kernel 'loop'" in found
    call = "@p16 br.cond 0, done {cycle: 2, stage: 0, node: 2, after: (1)}"
    adds = "@p16 r36 = adds 1, r37 {cycle: 2, stage: 0, node: 2, after: (1)}"
    [found] = kernel_findings("virtual", text.replace(adds, call))
    assert "<text>:12:5: error: br.cond: it stands inside a kernel" in found
    back = text.replace("cycle: 0, stage: 1, node: 4", "cycle: 1, stage: 1, node: 4")
    back = back.replace("cycle: 2, stage: 0, node: 1", "cycle: 0, stage: 0, node: 1")
    back = back.replace(", after: (1)", "").replace("after: (1, 2)", "after: (2)")
    [found] = kernel_findings("virtual", back)
    assert "its row is 0, behind row 1" in found
    [found] = kernel_findings("virtual", text.replace("ii: 3", "ii: 0"))
    assert "<text>:10:5: error: adds: its row is 0, and the kernel's ii 0" in found
    wide = "".join(
        f"    r{14 + k} = adds 1, r12 {{cycle: 0, stage: 0, node: {k + 5}}}\n" for k in range(7)
    )
    [found] = kernel_findings("virtual", text.replace("loop:\n", f"loop:\n{wide}"))
    assert "no cycle of the machine takes the 8 instructions of row 0" in found
