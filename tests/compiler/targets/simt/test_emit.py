"""Programs of rows: which there are, in what order, and what stands in their columns."""

from __future__ import annotations

import pytest

from compiler.ir.module import Block, Buffer, Function, Guard, Instruction, Module
from compiler.targets.simt import TARGET
from machines.description.load import load_machine
from machines.instructions import operations
from machines.kinds.simt.program import FIRST_OPERAND, GUARD, NOWHERE, OPERATION
from machines.types import F32
from machines.vocabulary.numbers import bits_from_f64

TABLE = operations().family("ptx")


@pytest.fixture(scope="module")
def description():
    return load_machine("teaching_gpu").description


def row(name: str, results=(), operands=(), guard=None) -> Instruction:
    return Instruction(TABLE[name], tuple(results), tuple(operands), guard)


def function(name: str, **blocks: list[Instruction]) -> Function:
    return Function(name, blocks={block: Block(block, code) for block, code in blocks.items()})


def emitted(*functions: Function, description, module: Module | None = None):
    return TARGET.emit(functions, module or Module(), description)


def names_of(program) -> list[str]:
    return [program.operations[n] for n in program.code[:, OPERATION]]


STEP = row("add.s32", ["r0"], ["r0", 1])


def test_a_jump_to_the_next_block_and_a_branch_around_it(description):
    program = emitted(
        function(
            "k",
            head=[row("bra", [], ["p0", "body", "done"])],
            body=[STEP, row("bra.uni", [], ["done"])],
            done=[row("exit")],
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
            head=[STEP, row("bra", [], ["p1", "head", "done"])],
            done=[row("exit")],
        ),
        description=description,
    )
    assert program.code[1, GUARD] == 2 and program.code[1, FIRST_OPERAND] == 0


def test_a_branch_of_which_no_way_follows_takes_two_rows(description):
    program = emitted(
        function(
            "k",
            head=[row("bra", [], ["p0", "there", "far"])],
            here=[row("exit")],
            there=[STEP, row("bra.uni", [], ["here"])],
            far=[row("exit")],
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
            head=[row("bra", [], ["p0", "far", "far"])],
            here=[row("bra", [], [0, "far", "here"])],
            far=[row("exit")],
        ),
        description=description,
    )
    assert names_of(program) == ["bra.uni", "bra.uni", "exit"]
    assert program.code[:2, FIRST_OPERAND].tolist() == [2, 1]


def test_where_threads_meet_and_where_markers_stand(description):
    kernel = function(
        "k",
        head=[row("bra", [], ["p0", "body", "done"])],
        body=[row("bra.uni", [], ["done"])],
        done=[row("exit")],
    )
    kernel.blocks["head"].reconverge = "done"
    kernel.blocks["body"].marker = True  # has no row: the marker stands before the next
    program = emitted(kernel, description=description)
    assert program.reconverge.tolist() == [1, NOWHERE]
    assert program.markers.tolist() == [0, 1]


def test_constants_are_bits_and_each_stands_once(description):
    program = emitted(
        function(
            "k",
            entry=[
                row("add.s32", ["r0"], ["r0", -1]),
                row("fma.rn.f32", ["r1"], ["r0", 1.0, -1.0]),
                row("add.rn.f64", ["d2"], [1.0, 1.0]),
                row("mov.b32", ["r0"], [0x3F80_0000], Guard("p2", negated=True)),
                row("exit"),
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
    code = {"entry": [STEP, row("bra.uni", [], ["last"])], "last": [row("exit")]}
    other = {"entry": [row("mov.address", ["d0"], ["table"]), row("exit")]}
    module = Module(buffers={"table": Buffer("table", F32, 4), "s": Buffer("s", F32, 4, "shared")})
    program = emitted(
        function("one", **code), function("two", **other), description=description, module=module
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
                row("add.s32", ["%x"], ["%y", 1]),
                row("cvt.s64.s32", ["%w"], ["%x"]),
                row("add.s32", ["%z"], ["%x", "%y"]),
                row("exit"),
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
            row("setp.lt.s32", ["p0"], ["r0", 5]),
            row("bra", [], ["p0", "body", "done"]),
        ],
        body=[
            row("ld.global.b32", ["r1"], ["d2", 8]),
            row("fma.rn.f32", ["r1"], ["r1", 2.0, "r0"], Guard("p1")),
            row("bra.uni", [], ["done"]),
        ],
        done=[row("exit")],
    )
    kernel.blocks["head"].reconverge = "done"
    kernel.blocks["done"].marker = True
    text = TARGET.listing(emitted(kernel, description=description), description)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines == [
        ".kernel k 4 registers, 2 predicates",
        "head:",
        "0 setp.lt.s32 p0, r0, 5",
        "1 @!p0 bra done // meet at done",
        "body:",
        "2 ld.global.b32 r1, [d2+8]",
        "3 @p1 fma.rn.f32 r1, r1, 2.0, r0",
        "done:",
        "4 exit // marker",
    ]
