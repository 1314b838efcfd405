"""Computed gotos, functions that never return, and variable arguments of other targets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from compiler.frontends.llvm import PLUGIN
from machines.diagnostics import InputError
from tests.compiler.frontends.llvm_native import clang, native, needs_clang, ours

GOTO = """
@table = internal constant [3 x ptr] [
  ptr blockaddress(@f, %one), ptr blockaddress(@f, %2), ptr blockaddress(@f, %"the end")]
define i64 @f(ptr %code, i64 %a) {
  br label %next
next:
  %x = phi i64 [ %a, %0 ], [ %y, %one ], [ %z, %2 ]
  %i = phi i64 [ 0, %0 ], [ %j, %one ], [ %k, %2 ]
  %at = getelementptr i8, ptr %code, i64 %i
  %op = load i8, ptr %at
  %n = zext i8 %op to i64
  %q = getelementptr ptr, ptr @table, i64 %n
  %to = load ptr, ptr %q
  indirectbr ptr %to, [label %one, label %2, label %"the end"]
one:
  %y = add i64 %x, 7
  %j = add i64 %i, 1
  br label %next
2:
  %z = mul i64 %x, 3
  %k = add i64 %i, 1
  br label %next
"the end":
  %l = phi i64 [ %x, %next ]
  ret i64 %l
}
"""


@pytest.mark.parametrize("code", [[2], [0, 1, 2], [1, 1, 0, 0, 1, 2]])
def test_a_computed_goto(code: list[int]):
    given = {"code": np.array(code, np.uint8), "a": 5}
    expected = native(GOTO, "f", given)
    for way in ("ir", "machine"):
        assert ours(GOTO, "f", given, way, "itanium2") == expected, way


C_GOTO = """
long f(const unsigned char *code, long x) {
    static const int from[] = {&&inc - &&inc, &&twice - &&inc, &&end - &&inc};
    goto *(&&inc + from[*code++]);
inc: x++; goto *(&&inc + from[*code++]);
twice: x *= 2; goto *(&&inc + from[*code++]);
end: return x;
}
"""


@needs_clang
@pytest.mark.parametrize("option", ["-O0", "-O2"])
def test_a_computed_goto_in_c(option: str, tmp_path: Path):
    (tmp_path / "p.c").write_text(C_GOTO)
    given = {"code": np.array([0, 1, 1, 0, 2], np.uint8), "x": 5}
    text = clang(tmp_path / "p.c", option)
    assert ours(text, "f", given, "ir", "itanium2").value == 25


PANIC = """
declare void @panic(ptr) cold noreturn
declare void @other(ptr) #0
define i64 @f(i64 %a) {
  %c = icmp sgt i64 %a, 9
  br i1 %c, label %bad, label %good
bad:
  call void @panic(ptr null)
  call void @other(ptr null)
  unreachable
good:
  ret i64 %a
}
attributes #0 = { nounwind noreturn }
"""


def test_functions_that_never_return():
    assert ours(PANIC, "f", {"a": 3}, "ir", "itanium2").value == 3
    with pytest.raises(AssertionError, match="fault"):
        ours(PANIC, "f", {"a": 10}, "ir", "itanium2")
    with pytest.raises(InputError, match="'panic' is called"):
        PLUGIN.read(PANIC.replace("cold noreturn", "cold"), "p.ll")


ARGUMENTS = """
#include <stdarg.h>
double total(int count, ...) {
    va_list all, again;
    va_start(all, count);
    va_copy(again, all);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += i % 3 == 0 ? va_arg(all, int) : i % 3 == 1 ? va_arg(all, double) : va_arg(all, long);
    for (int i = 0; i < count; i++)
        sum += i % 3 == 0 ? va_arg(again, int) : i % 3 == 1 ? va_arg(again, double) : va_arg(again, long);
    va_end(again);
    va_end(all);
    return sum;
}
double f(int a, double x, long b) {
    return total(12, a, x, b, a + 1, x + 1, b + 1, a + 2, x + 2, b + 2, a + 3, x + 3, b + 3);
}
"""  # noqa: E501
TARGETS = ("x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "arm64-apple-macosx14",
           "x86_64-windows-msvc", "loongarch64-linux-gnu")  # fmt: skip


@needs_clang
@pytest.mark.parametrize("target", TARGETS)
def test_variable_arguments_of_targets(target: str, tmp_path: Path):
    (tmp_path / "p.c").write_text(ARGUMENTS)
    for option in ("-O0", "-O1"):
        text = clang(tmp_path / "p.c", option, f"--target={target}", "-ffreestanding")
        given = {"a": -3, "x": 0.5, "b": 1 << 33}
        if "windows" in target:
            given["b"] = 1 << 20
        ran = ours(text, "f", given, "ir", "itanium2")
        assert ran.value == 2 * (4 * (-3 + 0.5 + given["b"]) + 3 * 6), (target, option)


VPRINTF = """
target triple = "aarch64-unknown-linux-gnu"
declare i32 @vprintf(ptr, ptr)
define i32 @f(ptr %text, ptr %arguments) {
  %r = call i32 @vprintf(ptr %text, ptr %arguments)
  ret i32 %r
}
"""


def test_what_is_given_as_a_list_of_another_target():
    with pytest.raises(InputError, match="'vprintf' is called, which this file does not define"):
        PLUGIN.read(VPRINTF, "p.ll")
    assert PLUGIN.read(VPRINTF.replace("aarch64", "x86_64"), "p.ll").functions


def test_variable_arguments_of_a_target_that_is_not_known():
    text = (
        'target triple = "mips64el-linux"\ndeclare void @llvm.va_start.p0(ptr)\n'
        "define void @f(ptr %p, ...) {\n  call void @llvm.va_start.p0(ptr %p)\n  ret void\n}\n"
    )
    with pytest.raises(InputError, match="variable arguments of the target 'mips64el"):
        PLUGIN.read(text, "p.ll")
