"""Programs of rows: which there are, in what order, and what stands in their columns."""

from __future__ import annotations

import pytest

from compiler.ir.module import Buffer, Function, Module
from compiler.targets.simt import TARGET
from compiler.targets.simt.emit import _side_by_side
from machines.description.load import load_machine
from machines.kinds.simt.code import MARKER, RECONVERGE
from machines.kinds.simt.program import COLUMNS, FIRST_OPERAND, GUARD, NOWHERE, OPERATION
from machines.types import F32
from machines.vocabulary.numbers import bits_from_f64
from tests.compiler.code_of_lines import code


@pytest.fixture(scope="module")
def description():
    return load_machine("teaching_gpu").description


def function(name: str, **blocks: list[str]) -> Function:
    made = code("ptx", "allocated", **blocks)
    made.name = name
    return made


def emitted(*functions: Function, description, module: Module | None = None):
    return TARGET.emit(functions, module or Module(), description)


def names_of(program) -> list[str]:
    return [program.operations[n] for n in program.code[:, OPERATION]]


STEP = "r0 = add.s32 r0, 1"


def test_a_jump_to_the_next_block_and_a_branch_around_it(description):
    program = emitted(
        function(
            "k",
            head=["bra p0, body, done"],
            body=[STEP, "bra.uni done"],
            done=["exit"],
        ),
        description=description,
    )
    assert names_of(program) == ["bra", "add.s32", "exit"]
    assert program.code[0, GUARD] == -1 and program.code[0, FIRST_OPERAND] == 2
    assert program.labels == {0: "head", 1: "body", 2: "done"}
    assert program.blocks.tolist() == [1, 1, 1]


def test_a_branch_backward_is_taken_when_its_predicate_is_true(description):
    program = emitted(
        function(
            "k",
            head=[STEP, "bra p1, head, done"],
            done=["exit"],
        ),
        description=description,
    )
    assert program.code[1, GUARD] == 2 and program.code[1, FIRST_OPERAND] == 0


def test_a_branch_of_which_no_way_follows_takes_two_rows(description):
    program = emitted(
        function(
            "k",
            head=["bra p0, there, far"],
            here=["exit"],
            there=[STEP, "bra.uni here"],
            far=["exit"],
        ),
        description=description,
    )
    assert names_of(program) == ["bra", "bra.uni", "exit", "add.s32", "bra.uni", "exit"]
    assert program.code[:2, FIRST_OPERAND].tolist() == [3, 5]
    assert program.blocks.tolist() == [1, 0, 1, 1, 0, 1]


def test_a_branch_with_one_way_or_a_constant_is_a_jump(description):
    program = emitted(
        function(
            "k",
            head=["bra p0, far, far"],
            here=["bra 0, far, here"],
            far=["exit"],
        ),
        description=description,
    )
    assert names_of(program) == ["bra.uni", "bra.uni", "exit"]
    assert program.code[:2, FIRST_OPERAND].tolist() == [2, 1]


def test_where_threads_meet_and_where_markers_stand(description):
    kernel = function(
        "k",
        head=["bra p0, body, done"],
        body=["bra.uni done"],
        done=["exit"],
    )
    RECONVERGE.say(kernel.blocks["head"], "done")
    MARKER.say(kernel.blocks["body"], True)  # has no row: the marker stands before the next
    program = emitted(kernel, description=description)
    assert program.reconverge.tolist() == [1, NOWHERE]
    assert program.markers.tolist() == [0, 1]


def test_constants_are_bits_and_each_stands_once(description):
    program = emitted(
        function(
            "k",
            entry=[
                "r0 = add.s32 r0, -1",
                f"r1 = fma.rn.f32 r0, 1.0, {-1.0}",
                "d2 = add.rn.f64 1.0, 1.0",
                "@!p2 r0 = mov.b32 1065353216",
                "exit",
            ],
        ),
        description=description,
    )
    assert program.constants.tolist() == [
        0xFFFF_FFFF, 0x3F80_0000, 0xBF80_0000, bits_from_f64(1.0),
    ]  # fmt: skip
    assert program.code[0, FIRST_OPERAND : FIRST_OPERAND + 3].tolist() == [0, 0, -1]
    assert program.code[1, FIRST_OPERAND : FIRST_OPERAND + 4].tolist() == [1, 0, -2, -3]
    assert program.code[3, GUARD] == -3
    kernel = program.kernels["k"]
    assert (kernel.registers, kernel.predicates) == (4, 3)


def test_several_kernels_stand_one_behind_the_other(description):
    first = {"entry": [STEP, "bra.uni last"], "last": ["exit"]}
    other = {"entry": ["d0 = mov.address table", "exit"]}
    module = Module(buffers={"table": Buffer("table", F32, 4), "s": Buffer("s", F32, 4, "shared")})
    program = emitted(
        function("one", **first), function("two", **other), description=description, module=module
    )
    assert program.entry == program.name == "one"
    assert [(k.first, k.end) for k in program.kernels.values()] == [(0, 2), (2, 4)]
    assert program.labels == {0: "entry", 1: "last", 2: "two"}
    assert program.symbols == ["table"] and [b.name for b in program.buffers] == ["table"]


def test_virtual_registers_are_numbered_as_they_appear(description):
    program = emitted(
        function(
            "k",
            entry=[
                "%x = add.s32 %y, 1",
                "%w = cvt.s64.s32 %x",
                "%z = add.s32 %x, %y",
                "exit",
            ],
        ),
        description=description,
    )
    assert program.code[1, FIRST_OPERAND : FIRST_OPERAND + 2].tolist() == [2, 0]
    assert program.kernels["k"].registers == 5


def test_the_listing_reads_like_ptx(description):
    kernel = function(
        "k",
        head=[
            "p0 = setp.lt.s32 r0, 5",
            "bra p0, body, done",
        ],
        body=[
            "r1 = ld.global.b32 d2, 8",
            "@p1 r1 = fma.rn.f32 r1, 2.0, r0",
            "bra.uni done",
        ],
        done=["exit"],
    )
    RECONVERGE.say(kernel.blocks["head"], "done")
    MARKER.say(kernel.blocks["done"], True)
    listing = TARGET.listing(emitted(kernel, description=description), description)
    lines = [" ".join(line.text.split()) for line in listing]
    assert lines == [
        ".kernel k 4 registers, 2 predicates",
        "head:",
        "0 setp.lt.s32 p0, r0, 5 // <text>:4",
        "1 @!p0 bra done // meet at done · <text>:5",
        "body:",
        "2 ld.global.b32 r1, [d2+8] // <text>:7",
        "3 @p1 fma.rn.f32 r1, r1, 2.0, r0 // <text>:8",
        "done:",
        "4 exit // marker · <text>:11",
    ]


def test_a_row_may_have_as_many_operands_as_it_likes():
    """m16n8k16 has fourteen."""
    code = _side_by_side([[1] * COLUMNS, [2] * (COLUMNS + 6)])
    assert code.shape == (2, COLUMNS + 6)
    assert code[0].tolist() == [1] * COLUMNS + [0] * 6
