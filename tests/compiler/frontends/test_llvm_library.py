"""What of the C library is more than calls: addresses of its functions, streams, its lines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from compiler.frontends.llvm.library import OPERATIONS, source_of
from compiler.frontends.llvm.lowering.lower_calls import KNOWN
from tests.campaign.seeds import short_form
from tests.compiler.frontends.llvm_native import CLANG, clang, native, needs_clang, ours

KINDS = {
    "abs": "i32 (i32)", "labs": "i64 (i64)", "llabs": "i64 (i64)", "sqrt": "double (double)",
    "floor": "double (double)", "lround": "i64 (double)", "fmin": "double (double, double)",
    "fma": "double (double, double, double)", "memset": "ptr (ptr, i32, i64)",
    "memcpy": "ptr (ptr, ptr, i64)", "memmove": "ptr (ptr, ptr, i64)",
}  # fmt: skip
VALUES = {"i32": ("-7",), "i64": ("-9", "8"), "double": ("2.25", "-1.5", "0.75"),
          "ptr": ("%p", "%q")}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_the_address_of_a_function_that_is_an_operation(name: str):
    result, _, kinds = KINDS[name].rstrip(")").partition(" (")
    types = kinds.split(", ")
    given = ", ".join(f"{t} {VALUES[t][types[:k].count(t)]}" for k, t in enumerate(types))
    given = given.replace("i64 -9", "i64 8") if "ptr" in kinds else given
    value = {"double": "fptosi double %r to i64", "i32": "sext i32 %r to i64",
             "i64": "add i64 %r, 0", "ptr": "load i64, ptr %r, align 1"}[result]  # fmt: skip
    text = (
        f"@held = global ptr @{name}\ndeclare {result} @{name}({kinds})\n"
        "define i64 @f(ptr %p) {\n  %q = getelementptr i8, ptr %p, i64 3\n"
        f"  %c = load ptr, ptr @held\n  %r = call {result} %c({given})\n"
        f"  %v = {value}\n  ret i64 %v\n}}\n"
    )
    arguments = {"p": np.arange(16, dtype=np.uint8)}
    assert ours(text, "f", arguments, "ir", "itanium2") == native(text, "f", arguments)


def test_every_operation_of_the_c_library_has_code():
    known = {name for name in KNOWN if not name.startswith("llvm.")}
    assert known - {"__assert_fail"} == set(OPERATIONS)


def test_where_functions_of_the_library_begin():
    heads = {"printf": "int printf(", "__udivti3": "wide __udivti3(", "sinf": "double sin(",
             "quotient.3": "static wide quotient("}  # fmt: skip
    for name, line in heads.items():
        found = source_of(name)
        file = Path("compiler/frontends/llvm") / Path(found.file).name
        assert file.read_text().splitlines()[found.line - 1].startswith(line)
    assert source_of("nothing") is None


PUTCHAR = r"""
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static int (*const by)(const void *, const void *, size_t) = memcmp;
int main(void) {
    putchar('a'); putc('b', stdout); fputc('\n', stdout);
    fputs("text\n", stdout); fprintf(stdout, "%d %s\n", 42, "is it");
    fprintf(stderr, "not this %d\n", 3); fputs("nor this\n", stderr);
    fwrite("four\nfive", 1, 5, stdout);
    fflush(stdout);
    return by("x", "y", 1) < 0 ? getchar() : 5;
}
"""


@needs_clang
@pytest.mark.parametrize("option", short_form(["-O1", "-O0"], 1))
def test_streams(option: str, tmp_path: Path):
    """At -O1 glibc's putchar is an inline function, which writes to `stdout`."""
    (tmp_path / "p.c").write_text(PUTCHAR)
    (tmp_path / "p.ll").write_text(clang(tmp_path / "p.c", option))
    result = sim.run(
        {"workload": "p", "description": "Prints.", "program": str(tmp_path / "p.ll"),
         "machine": "itanium2", "entry": "main",
         "expect": {"return": -1, "stdout": "ab\ntext\n42 is it\nfour\n"}}
    )  # fmt: skip
    assert result.ok, result.checks
    files = {line.file for line in result.lines}
    assert "<C library>/libc.c" in files and CLANG is not None
    assert not any("ModuleID" in line.text for line in result.lines)
