"""Selection for SIMT machines: what becomes of single operations, and what is refused."""

from __future__ import annotations

import pytest

from compiler.ir.printer import print_instruction
from compiler.targets.simt import TARGET
from compiler.targets.simt.selection.select import select_function
from compiler.targets.simt.selection.selector import RULES
from compiler.text_form import parse
from machines.description.load import load_machine
from machines.diagnostics import InputError
from machines.instructions import operations

ROWS = operations().family("ir")
HEAD = "tile: f32[64] in shared\nmine: i32[4] in local\ntable: f32[8] in constant\n"


@pytest.fixture(scope="module")
def description():
    return load_machine("teaching_gpu").description


def selected(parameters: str, text: str, description) -> list[str]:
    """The rows of straight code, without those that load parameters."""
    source = f"{HEAD}func @f({parameters}) {{\nentry:\n{text}\n    return\n}}"
    function = parse(source, "f.sir").functions["f"]
    select_function(function, description)
    assert TARGET.verify(function, "virtual", description) == []
    rows = [print_instruction(i) for i in function.entry.instructions[:-1]]
    return [row for row in rows if "ld.param" not in row]


def test_every_operation_of_a_thread_has_a_rule():
    missing = {name for name in ROWS if name not in RULES}
    special = {
        name
        for name, row in ROWS.items()
        if not row.flags.isdisjoint({"phi", "cores"}) or row.walk or row.calls
    }
    assert missing == special


@pytest.mark.parametrize(
    ("parameters", "line", "expected"),
    [
        ("a: i32", "x = add.i32 a, 5", ["%x = add.s32 %a, 5"]),
        ("a: i64", "x = mul.i64 a, a", ["%x = mul.lo.s64 %a, %a"]),
        ("a: i32", "x = shr_u.i32 a, 40", ["%x = shr.u32 %a, 40"]),
        ("a: i64, b: i64", "x = shl.i64 a, b",
         ["%1 = min.u64 %b, 64", "%2 = cvt.u32.u64 %1", "%x = shl.b64 %a, %2"]),
        ("a: i32", "x = trunc.i32.i8 a", ["%x = cvt.s32.s8 %a"]),
        ("a: i32", "x = sext.i32.i64 a", ["%x = cvt.s64.s32 %a"]),
        ("a: i32", "x = div_u.i32 a, 3", ["%x = div.u32 %a, 3"]),
        ("a: i32, b: i32", "x = div_s.i32 a, b",
         ["%1 = setp.eq.s32 %b, 0", "@%1 trap.division", "%x = div.s32 %a, %b"]),
        ("a: f32, b: f32", "x = div.f32 a, b", ["%x = div.rn.f32 %a, %b"]),
        ("a: f32, b: f32", "x = ne.f32 a, b", ["%x = setp.neu.f32 %a, %b"]),
        ("a: f64", "x = int_s.f64.i32 a", ["%x = cvt.rzi.s32.f64 %a"]),
        ("a: f64", "x = int_s.f64.i64 a",
         ["%1 = setp.eq.f64 %a, %a", "%2 = cvt.rzi.s64.f64 %a", "%x = selp.b64 %2, 0, %1"]),
        ("a: i32, b: i32", "p = lt_u.i32 a, b\n x = select.i32 p, a, 1",
         ["%p = setp.lt.u32 %a, %b", "%x = selp.b32 %a, 1, %p"]),
        ("p: ptr", "x = load.f32 p", ["%x = ld.global.b32 %p, 0"]),
        ("p: ptr", "x = load.ptr p\n y = load.i8 x",
         ["%x = ld.global.b64 %p, 0", "%y = ld.generic.s8 %x, 0"]),
        ("i: i64", "p = address.ptr tile\n q = add.ptr p, i\n x = load.f32 q",
         ["%p = mov.b32 0", "%1 = cvt.u32.u64 %i", "%q = add.s32 %p, %1",
          "%x = ld.shared.b32 %q, 0"]),
        ("i: i32", "p = address.ptr mine\n store.i32 p, i",
         ["%p = mov.b32 0", "st.local.b32 %p, 0, %i"]),
        ("", "p = address.ptr table\n x = load.f32 p",
         ["%p = mov.address table", "%x = ld.const.b32 %p, 0"]),
        ("p: ptr", "x = atomic_max_s.i32 p, 4", ["%x = atom.global.max.s32 %p, 0, 4"]),
        ("p: ptr, a: f32", "x = atomic_add.f32 p, a", ["%x = atom.global.add.f32 %p, 0, %a"]),
        ("", "barrier", ["bar.sync 0, 0"]),
        ("", "x = tid.y", ["%x = mov.tid.y"]),
        ("", "x = warpsize", ["%x = mov.b32 32"]),
        ("a: f32", "x = shuffle_xor.f32 a, 16",
         ["%1, %2 = shfl.sync.bfly.b32 %a, 16, 31, -1", "%x = mov.b32 %1"]),
    ],
)  # fmt: skip
def test_what_becomes_of_an_operation(parameters, line, expected, description):
    assert selected(parameters, f"    {line}", description) == expected


def test_what_may_be_shared_or_global_is_generic(description):
    text = "t = address.ptr tile\n q = select.ptr c, t, p\n x = load.f32 q"
    rows = selected("c: i1, p: ptr", text, description)
    assert rows[-2:] == ["%q = selp.b64 %2, %p, %c", "%x = ld.generic.b32 %q, 0"]
    assert "%2 = add.s64 %1, 123145302310912" in rows  # 0x7000_0000_0000


def test_a_guard_stands_on_what_writes_and_not_on_temporaries(description):
    text = "    p = lt_s.i32 a, 0\n    @!p x = trunc.i64.i8 b"
    assert selected("a: i32, b: i64", text, description) == [
        "%p = setp.lt.s32 %a, 0",
        "%1 = cvt.u32.u64 %b",
        "@!%p %x = cvt.s32.s8 %1",
    ]


def test_parameters_stand_at_multiples_of_their_size(description):
    function = parse("func @f(a: i8, b: i64, c: i32, d: i1) {\nentry:\n    return\n}").functions[
        "f"
    ]
    select_function(function, description)
    assert [(p.name, p.offset, p.bytes) for p in function.frame.parameters] == [
        ("a", 0, 1), ("b", 8, 8), ("c", 16, 4), ("d", 20, 1),
    ]  # fmt: skip


def test_a_variable_that_may_be_read_before_it_is_assigned_is_zero(description):
    source = """
    func @f(p: ptr, c: i1) {
    entry:
        branch c, set, use
    set:
        x = const.i32 4
        jump use
    use:
        store.i32 p, x
        return
    }
    """
    function = parse(source).functions["f"]
    select_function(function, description)
    assert print_instruction(function.entry.instructions[0]) == "%x = mov.b32 0"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("func @f() -> i32 {\nentry:\n    return 1\n}", "returns a value"),
        ("func @f() {\nentry:\n    p = opaque.i1\n    return\n}", "opaque condition"),
        ("func @f() {\nentry:\n    call @f()\n    return\n}", "this one of @f was not"),
    ],
)
def test_what_a_kernel_may_not_do(source, message, description):
    function = parse(source, "f.sir").functions["f"]
    with pytest.raises(InputError, match=message) as error:
        select_function(function, description)
    assert error.value.diagnostics[0].location is not None


def test_lanes_beyond_those_that_rows_tell_apart(description):
    wide = description.model_copy(update={"warp_width": 64})
    for line in ("x = shuffle_up.i32 a, 1", "p = lt_s.i32 a, 0\n    x = ballot p"):
        function = parse(f"func @f(a: i32) {{\nentry:\n    {line}\n    return\n}}").functions["f"]
        with pytest.raises(InputError, match="32 lanes apart, and a warp has 64"):
            select_function(function, wide)


@pytest.mark.parametrize("space", ["dram", "sram", "nram", "wram"])
def test_memories_of_other_machines_are_refused(space: str, description):
    code = "entry:\n    p = address.ptr x\n    store.i64 p, 3\n    return\n"
    module = parse(f"x: i64[4] in {space}\nfunc @f() {{\n{code}}}\n", "f.sir")
    with pytest.raises(InputError, match=f"it has no {space}, where 'x' stands"):
        select_function(module.functions["f"], description)
