"""What the LLVM front end makes of names, signs, places, memory and the forms a file may have."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest

from compiler import frontends, read_functions
from compiler.frontends.llvm import PLUGIN
from compiler.frontends.llvm.library import HERE, NAMES
from compiler.frontends.llvm.reading.lexer import tokenize
from compiler.frontends.llvm.reading.terms import Terms
from compiler.frontends.llvm.reading.types import offset_of, size_of
from compiler.interpret.functions import interpret, memory_for
from compiler.ir.module import Module
from compiler.ir.printer import print_module
from compiler.text_form import parse
from compiler.verify.ir import verify
from machines.description.load import Machine
from machines.types import F64, I32, PTR
from tests.compiler.frontends.llvm_native import CLANG, PROGRAMS, needs_clang

ROOT = Path(__file__).parents[3]


def read(text: str) -> Module:
    module = PLUGIN.read(text, "file.ll")
    verify(module)
    return module


def value(text: str, name: str = "f", **arguments: object) -> int | float | None:
    module = read(text)
    outcome = interpret(module.functions[name], arguments, memory_for(module, arguments))
    assert outcome.status == "done"
    return outcome.value


def test_the_plugin_reads_both_suffixes():
    assert frontends()["llvm"].suffixes == (".ll", ".bc")


def test_bitcode_is_read_as_the_text_is(tmp_path: Path, itanium2: Machine):
    text = (PROGRAMS / "crc32.ll").read_text(encoding="utf-8")
    path = tmp_path / "crc32.bc"
    with llvm.create_context() as context, llvm.parse_assembly(text, context) as module:
        path.write_bytes(module.as_bitcode())
    [found] = read_functions(path, machine=itanium2)
    expected = PLUGIN.read(text, "crc32.ll").functions["crc32"]
    assert print_module(Module({"crc32": found}, found.buffers)) == print_module(
        Module({"crc32": expected}, expected.buffers)
    )


def test_typed_pointers_of_older_files():
    text = (
        "define i32 @f(i32* noalias %p, i64 %i) {\n"
        "  %q = getelementptr inbounds i32, i32* %p, i64 %i\n"
        "  %v = load i32, i32* %q, align 4\n  ret i32 %v\n}\n"
    )
    assert value(text, p=np.array([3, 4, 5], np.int32), i=1) == 4
    function = read(text).functions["f"]
    assert (function.parameters[0], function.noalias) == (("p", PTR), {"p"})


def test_modules_print_and_read_back():
    for path in sorted(PROGRAMS.glob("*.ll")):
        module = PLUGIN.read(path.read_text(encoding="utf-8"), str(path))
        printed = print_module(module)
        assert print_module(parse(printed, "again.sir")) == printed
        assert print_module(PLUGIN.read(path.read_text(encoding="utf-8"), str(path))) == printed


def test_names():
    """Reserved words, numbers, quotes, and a parameter with the name of a variable."""
    text = (
        '@n = global i32 5\n@"two words" = global i32 6\n'
        "define i32 @f(i32 %in, i32 %n, i32 %0) {\n"
        '  %a = load i32, ptr @n\n  %b = load i32, ptr @"two words"\n'
        '  %"x y" = add i32 %a, %b\n  %2 = add i32 %"x y", %n\n  %func = add i32 %2, %in\n'
        "  %3 = add i32 %func, %0\n  ret i32 %3\n}\n"
    )
    module = read(text)
    function = module.functions["f"]
    assert [name for name, _ in function.parameters] == ["in_", "n", "arg2"]
    assert list(module.buffers) == ["n.1", "two_words"]
    assert {"x_y", "v.2", "func_"} <= function.types.keys()
    assert value(text, in_=10, n=20, arg2=30) == 71


def test_signs_and_entry():
    text = (
        "define zeroext i8 @f(i1 zeroext %p, i8 zeroext %a, i16 signext %b, i32 %c) {\n"
        "  ret i8 %a\n}\n"
    )
    module = read(text)
    function = module.functions["f"]
    assert {k: str(v) for k, v in function.signature.items()} == {"p": "boolean", "a": "u8"}
    assert (str(function.returns), module.entry) == ("u8", "f")


def test_the_entry_is_what_nothing_calls():
    text = (
        "define i32 @helper(i32 %a) noinline optnone {\n  ret i32 %a\n}\n"
        "define i32 @main() {\n  %v = call i32 @helper(i32 9)\n  ret i32 %v\n}\n"
    )
    module = read(text)
    assert (module.entry, list(module.functions)) == ("main", ["helper", "main"])
    assert not module.functions["main"].callees
    assert value(text, "main") == 9


def test_places_are_lines_of_the_file():
    """Also of what is inlined, and after a switch over several lines and comments."""
    text = """; a comment
define i32 @g(i32 %a) {
  %v = udiv i32 7, %a
  ret i32 %v
}

define i32 @f(i32 %a) {
entry:
  switch i32 %a, label %other [
    i32 5, label %five
    i32 9, label %five
  ]

; another
five:  ; here
  ret i32 1

other:
  %w = call i32 @g(i32 %a)
  %x = urem i32 100, %w
  ret i32 %x
}
"""
    function = read(text).functions["f"]
    lines = {i.operation.name: i.location.line for _, i in function.instructions()}
    assert (lines["div_u.i32"], lines["rem_u.i32"]) == (3, 20)


def test_places_are_lines_of_the_c_file():
    module = PLUGIN.read((PROGRAMS / "crc32.ll").read_text(), str(PROGRAMS / "crc32.ll"))
    function = module.functions["crc32"]
    source = (PROGRAMS / "crc32.c").read_text().splitlines()
    shifts = [i.location for _, i in function.instructions() if i.operation.name == "shr_u.i32"]
    assert {Path(place.file) for place in shifts} == {PROGRAMS / "crc32.c"}
    assert all(">>" in source[place.line - 1] for place in shifts)
    assert {k: str(v) for k, v in function.signature.items()} == {"data": "u8[]", "n": "i64"}
    assert str(function.returns) == "u32"


@pytest.mark.parametrize("alignment, loads", [(8, 1), (4, 2), (2, 4), (1, 8)])
def test_an_access_is_made_of_what_is_aligned(alignment: int, loads: int):
    text = (
        "define double @f(ptr %p, double %x) {\n"
        f"  %v = load double, ptr %p, align {alignment}\n"
        f"  store double %x, ptr %p, align {alignment}\n  ret double %v\n}}\n"
    )
    function = read(text).functions["f"]
    names = [i.operation.name.split(".")[0] for _, i in function.instructions()]
    assert (names.count("load"), names.count("store")) == (loads, loads)
    data = np.array([2.5])
    assert value(text, p=data, x=1.0) == 2.5


@pytest.mark.parametrize("size", [0, 1, 8, 9, 64, 65, 200])
@pytest.mark.parametrize("shift", [0, 3, 16])
def test_memmove_both_ways(size: int, shift: int):
    for source, target in ((0, shift), (shift, 0)):
        for constant in (True, False):
            length = str(size) if constant else "%n"
            text = (
                "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n"
                "define void @f(ptr %p, i64 %n) {\n"
                f"  %s = getelementptr i8, ptr %p, i64 {source}\n"
                f"  %t = getelementptr i8, ptr %p, i64 {target}\n"
                f"  call void @llvm.memmove.p0.p0.i64(ptr %t, ptr %s, i64 {length}, i1 false)\n"
                "  ret void\n}\n"
            )
            module = read(text)
            data = np.arange(256, dtype=np.uint8)
            memory = memory_for(module, {"p": data})
            interpret(module.functions["f"], {"p": data, "n": size}, memory)
            data[target : target + size] = data[source : source + size].copy()
            assert memory.view("p").tolist() == data.tolist()


def test_unreachable_faults():
    module = read("define i32 @f() {\n  unreachable\n}\n")
    outcome = interpret(module.functions["f"], {}, memory_for(module, {}))
    assert (outcome.fault.kind, outcome.fault.address) == ("out of bounds", 0)


def test_undefined_values_are_zero():
    text = (
        "define double @f(i1 %p) {\n  %a = freeze i32 undef\n  %b = add i32 %a, 3\n"
        "  %c = sitofp i32 %b to double\n  %d = select i1 %p, double poison, double %c\n"
        "  ret double %d\n}\n"
    )
    assert (value(text, p=0), value(text, p=1)) == (3.0, 0.0)


@pytest.mark.parametrize(
    "type", ["{ i8, i32, i16 }", "<{ i8, i32, i16 }>", "{ i8, [3 x { i16, double }], ptr, i1 }"]
)
def test_layout_is_llvms(type: str):
    found = Terms(type, {}).type()
    text = f'target datalayout = "e-i64:64"\n@x = global {type} zeroinitializer\n'
    places = range(len(found.fields))
    with (
        llvm.create_context() as context,
        llvm.parse_assembly(text, context) as module,
        llvm.create_target_data("e-i64:64") as data,
    ):
        theirs = module.get_global_variable("x").global_value_type
        assert size_of(found) == data.get_abi_size(theirs)
        offsets = [data.get_element_offset(theirs, k) for k in places]
    assert [offset_of(found, k) for k in places] == offsets


def test_terms_read_what_llvm_prints():
    operand = Terms("ptr noundef nonnull align 8 dereferenceable(32) %x", {}).operand()
    assert (operand.type, operand.alignment) == (PTR, 8)
    assert Terms("double 0x3FF8000000000000", {}).operand().value == 1.5
    assert Terms("[2 x i32] [i32 -1, i32 2]", {}).operand().type.element is I32
    assert Terms("double -1.5e-03", {}).operand().type is F64
    assert [t.text for t in tokenize('%"a b" = add i32 %c, 1 ; note')] == [
        "a b", "=", "add", "i32", "c", ",", "1"
    ]  # fmt: skip


# The page


def page() -> str:
    return (ROOT / "compiler" / "frontends" / "LLVM.md").read_text(encoding="utf-8")


def test_the_workload_of_the_page_is_the_committed_one():
    [shown] = re.findall(r"```yaml\n(.*?)```", page(), re.DOTALL)
    assert shown == (PROGRAMS / "crc32.yaml").read_text(encoding="utf-8")


def commands_of_the_page() -> list[str]:
    return re.findall(r"```bash\n(.*?)```", page(), re.DOTALL)


@needs_clang
def test_the_commands_of_the_page_make_the_committed_file(tmp_path: Path):
    commands = commands_of_the_page()[0].replace("-o crc32.ll", f"-o {tmp_path}/crc32.ll")
    subprocess.run(["bash", "-e", "-c", commands], cwd=ROOT, check=True)
    made, kept = (
        re.sub(r'checksum: "\w+"|producer: "[^"]*"|!"[^"]*clang[^"]*"|filename: "/[^"]*"', "", text)
        for text in ((tmp_path / "crc32.ll").read_text(), (PROGRAMS / "crc32.ll").read_text())
    )
    assert made == kept


@pytest.mark.skipif(CLANG != "clang-16", reason="other versions of clang print other text")
def test_the_committed_libraries_are_those_that_are_made(tmp_path: Path):
    commands = commands_of_the_page()[1].replace("> $name.ll", f"> {tmp_path}/$name.ll")
    folder = ROOT / "compiler" / "frontends" / "llvm"
    subprocess.run(["bash", "-e", "-c", commands], cwd=folder, check=True)
    for made in (HERE / f"{name}.ll" for name in NAMES):
        assert (tmp_path / made.name).read_text() == (folder / made.name).read_text()


ATTRIBUTES = """
define i32 @f(i32 %a, ptr %p) #0 {
  %q = tail call noalias ptr @g(ptr %p, i32 %a) #1
  %v = load i32, ptr %q
  ret i32 %v
}
define ptr @g(ptr returned nocapture readonly align 4 dereferenceable(4) %p, i32 %n) #1 {
  ret ptr %p
}
attributes #0 = { noinline nounwind optnone uwtable(sync) "frame-pointer"="all" "odd{}"="}" }
attributes #1 = { mustprogress allockind("alloc,uninitialized") allocsize(1) noinline
  memory(argmem: readwrite, inaccessiblemem: read) alignstack=16 "alloc-family"="malloc"
  vscale_range(1,2) }
"""


def test_attributes_of_every_form():
    """Those in brackets hold texts, commas and colons; those that keep calls go."""
    module = read(ATTRIBUTES.replace("noinline\n ", "noinline"))
    assert module.functions["f"].callees == ()
