"""The verifier of ptx rows finds every kind of damage, and none in what is right."""

from __future__ import annotations

import pytest

from compiler.ir.module import Block, Function, Instruction
from compiler.targets.simt import TARGET
from compiler.targets.simt.verify import verify
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.instructions import operations
from tests.compiler.code_of_lines import code, findings

HEAD = [
    "%a = mov.b32 1", "%f = mov.b32 2", "%p = mov.pred 1", "%d = mov.b64 3", "%x = mov.b64 4",
]  # fmt: skip
ALLOCATED = ["r2 = mov.b32 5", "r7 = mov.b32 6", "p1 = mov.pred 0"]


def messages(*lines: str, form: str = "virtual", **more: list[str]) -> list[str]:
    """What is found in a function of one block that ends in exit, and `more`."""
    head = HEAD if form == "virtual" else ALLOCATED
    made = code("ptx", form, entry=[*head, *lines, "exit"], **more)
    return findings(made, "teaching_gpu", form)


def test_what_is_right():
    assert (
        messages(
            "%a = add.s32 %a, 5",
            "@!%p %a = add.s32 %f, -1",
            "%x = add.rn.f64 %d, 1.5",
            "%f = ld.shared.b32 %a, -4",
            "bar.sync 15, 0",
        )
        == []
    )
    assert (
        messages(
            "r4 = mov.b32 65535",
            "d4 = mov.b64 7",
            "r6 = mov.b32 r5",  # the upper half of d4
            "p6 = setp.eq.s32 r5, r2",
            "d126 = mov.b64 1",
            "r0 = mov.b32 r127",
            form="allocated",
        )
        == []
    )


@pytest.mark.parametrize(
    "line, message",
    [
        ("%a = add.s32 %a", "it reads 2 operands, not 1"),
        ("add.s32 %a, 1", "it writes 1 operands, not 0"),
        ("%d = add.s32 %a, 1", "'%d' is a register of file b64, not b32"),
        ("%d = add.s64 %a, 1", "'%a' is a register of file b32, not b64"),
        ("%a = add.s32 %p, 1", "'%p' is a register of file pred, not b32"),
        ("%a = add.s32 %b, 1", "'%b' is read here, and nothing has written it before"),
        ("%a = add.s32 b, 1", "there is no register 'b'"),
        ("%a = add.s32 %a, 1.5", "1.5 is no whole number"),
        ("%a = add.s32 %a, 4294967296", "4294967296 does not fit in s32"),
        ("%p = mov.pred 2", "2 does not fit in pred"),
        ("%f = ld.shared.b32 %a, %a", "'%a' is a register, and this is none"),
        ("bar.sync 64, 0", "64 is outside 0 … 63"),
        ("%d = mov.address nothing", "there is no buffer 'nothing'"),
        ("@%a %a = add.s32 %a, 1", "guard '%a' is a register of file b32, not pred"),
        ("bra.uni entry", "it stands inside block 'entry'"),
        ("r5 = mov.b32 1", "'r5' is a register of the machine"),
        ("%a = add.s32 r5, 1", "'r5' is a register of the machine"),
        ("%x = add.s64 %d, d4", "'d4' is a register of the machine"),
        ("@p1 %a = mov.b32 1", "'p1' is a register of the machine"),
    ],
)
def test_damage(line: str, message: str):
    found = messages(line)
    assert len([one for one in found if message in one]) == 1, found


@pytest.mark.parametrize(
    "line, message",
    [
        ("d2 = add.s64 r2, 1", "'r2' is a register of file b32, not b64"),
        ("r3 = add.s32 r9, 1", "'r9' is read here, and nothing has written it before"),
        ("d3 = mov.b64 1", "'d3' does not fit, a pair begins at an even number"),
        ("r128 = mov.b32 1", "the machine has no 'r128'"),
        ("d128 = mov.b64 1", "the machine has no 'd128'"),
        ("p7 = mov.pred 1", "the machine has no 'p7'"),
    ],
)
def test_damage_of_registers_of_the_machine(line: str, message: str):
    [found] = messages(line, form="allocated")
    assert message in found


def test_the_last_register_is_half_of_no_pair_if_it_is_even():
    odd = load_machine("teaching_gpu", ["limits.registers_per_thread=127"]).description
    for register, count in (("d124", 0), ("d126", 1)):
        made = code("ptx", "allocated", entry=[f"{register} = mov.b64 1", "exit"])
        assert len(verify(made, "allocated", odd)) == count


PARAMETER = 'KernelParameter(name: "n", type: {}, offset: {}, bytes: {}, alignment: {})'


def frame_messages(frame: str) -> list[str]:
    text = f"form virtual of ptx\nfunc @k() {{\nframe = {frame}\nentry:\nexit\n}}"
    return findings(parse(text, records=TARGET.records).functions["k"], "teaching_gpu")


@pytest.mark.parametrize(
    "frame",
    [
        "KernelFrame(local: 4294967296, shared: 49152, dynamic_alignment: 16, most_threads: 1024)",
        *(
            f"KernelFrame(parameters: [{PARAMETER.format(*given)}])"
            for given in (("i64", 8, 8, 1), ("ptr", 0, 4, 4), ("none", 0, 1 << 28, 16))
        ),
    ],
)
def test_frames_that_are_right(frame: str):
    assert frame_messages(frame) == []


@pytest.mark.parametrize(
    "frame, message",
    [
        ("5", "the frame of a kernel is a KernelFrame, not 5"),
        ("KernelFrame(local: -1)", "'local' of a frame cannot be -1"),
        ("KernelFrame(local: 4294967297)", "'local' of a frame cannot be 4294967297"),
        ("KernelFrame(shared: -1)", "'shared' of a frame cannot be -1"),
        ("KernelFrame(dynamic_alignment: -8)", "'dynamic_alignment' of a frame cannot be -8"),
        ("KernelFrame(most_threads: -1)", "'most_threads' of a frame cannot be -1"),
        *(
            (f"KernelFrame(parameters: [{PARAMETER.format(*given)}])", f"parameter 'n' {message}")
            for *given, message in (
                ("i64", 0, 0, 1, "cannot have 0 bytes"),
                ("i64", 0, -8, 1, "cannot have -8 bytes"),
                ("f64", 0, 4, 1, "cannot have 4 bytes"),
                ("ptr", 0, 2, 1, "cannot have 2 bytes"),
                ("none", 0, 0, 1, "cannot have 0 bytes"),
                ("none", 0, 10**20, 1, "cannot have 100000000000000000000 bytes"),
                ("i32", -4, 4, 1, "cannot be at offset -4"),
                ("i32", (1 << 28) - 3, 4, 1, "cannot be at offset 268435453"),
                ("none", 0, 4, 0, "cannot be aligned to 0 bytes"),
            )
        ),
    ],
)
def test_frames_that_no_kernel_has(frame: str, message: str):
    [found] = frame_messages(frame)
    assert message in found


@pytest.mark.parametrize("form, right", [("virtual", "%q"), ("allocated", "d4")])
def test_only_registers_are_without_a_value(form: str, right: str):
    made = code("ptx", form, entry=["exit"])
    made.valueless = (right,)
    assert findings(made, "teaching_gpu", form) == []
    for wrong in ("%q", "d4", "dx", ""):
        if wrong != right:
            made.valueless = (wrong,)
            [found] = findings(made, "teaching_gpu", form)
            assert f"'valueless' names '{wrong}'" in found


def test_registers_are_allocated_before_the_form_that_says_so():
    [found] = messages("r3 = add.s32 %a, 1", form="allocated")
    assert "'%a' is a virtual register" in found


def test_what_no_text_says():
    def found(instruction: Instruction) -> str:
        made = code("ptx", entry=[*HEAD, "exit"])
        made.entry.instructions.insert(-1, instruction)
        return findings(made, "teaching_gpu")[0]

    table = operations()
    other = Instruction(table["ir", "add.i32"], ("%a",), ("%a", 1))
    assert "it is of family 'ir', not 'ptx'" in found(other)
    assert "3 cannot be written" in found(Instruction(table["ptx", "mov.b32"], (3,), (1,)))
    unknown = Instruction(table["ptx", "mov.b32"], ("%new",), (1,))
    assert "register '%new' has no type" in found(unknown)


def test_blocks():
    assert "block 'b' has no terminator" in messages(b=["%a = add.s32 %a, 1"])[0]
    [found] = messages(b=["bra.uni entri"])
    assert "there is no block 'entri'" in found and "did you mean 'entry'?" in found
    assert "it takes no guard" in messages(b=["@%p exit"])[0]
    assert "function 'k' has no block" in findings(Function("k"), "teaching_gpu")[0]
    empty = Function("k", blocks={"b": Block("b")})
    assert "block 'b' has no terminator" in findings(empty, "teaching_gpu")[0]


def test_what_only_some_ways_write_may_be_read():
    loop = ["%y = add.s32 %z, 1", "%z = mov.b32 2", "bra %p, loop, out"]
    made = code("ptx", entry=["%p = mov.pred 1", "bra.uni loop"], loop=loop, out=["exit"])
    assert findings(made, "teaching_gpu") == []
    entry, one = ["%p = mov.pred 1", "bra %p, one, two"], ["%z = mov.b32 2", "exit"]
    made = code("ptx", entry=entry, one=one, two=["%y = add.s32 %z, 1", "exit"])
    [found] = findings(made, "teaching_gpu")
    assert "'%z' is read here" in found
    made.valueless = ("%z",)
    assert findings(made, "teaching_gpu") == []
