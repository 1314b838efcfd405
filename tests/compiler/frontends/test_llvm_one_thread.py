"""Atomic accesses of one thread, thread-local variables, fences, and empty inline assembly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from compiler.frontends.llvm import PLUGIN
from machines.diagnostics import InputError
from tests.compiler.frontends.llvm_native import clang, native, needs_clang, ours

MODIFIED = ("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin",
            "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")  # fmt: skip
OF_FLOATS = ("fadd", "fsub", "fmaximum", "fminimum")


def modifying(names: tuple[str, ...], kind: str) -> str:
    """A function that does all of them to one place, and sums up what was there."""
    is_float, lines, total = kind == "double", [], "%a"
    lines.append(f"store atomic {kind} {'2.5' if is_float else 11}, ptr %p release, align 8")
    value = "%x" if is_float else "%b"
    lines.append("%x = sitofp i64 %a to double" if is_float else f"%b = trunc i64 %a to {kind}")
    for k, name in enumerate(names):
        lines.append(f"%o{k} = atomicrmw {name} ptr %p, {kind} {value} seq_cst, align 8")
        convert = f"fptosi double %o{k}" if is_float else f"zext {kind} %o{k}"
        lines += [f"%w{k} = {convert} to i64", f"%m{k} = mul i64 {total}, 31",
                  f"%t{k} = add i64 %m{k}, %w{k}"]  # fmt: skip
        total = f"%t{k}"
    body = "\n  ".join([*lines, 'fence syncscope("singlethread") acq_rel', f"ret i64 {total}"])
    return f"define i64 @f(ptr %p, i64 %a) {{\n  {body}\n}}\n"


@pytest.mark.parametrize("kind", ["i8", "i16", "i32", "double"])
@pytest.mark.parametrize("a", [5, -100, 0])
def test_what_is_modified(kind: str, a: int):
    text = modifying(OF_FLOATS if kind == "double" else MODIFIED, kind)
    given = {"p": np.arange(16, dtype=np.uint8), "a": a}
    expected = native(text, "f", given)
    for way in ("ir", "machine"):
        assert ours(text, "f", given, way, "itanium2") == expected, way


EXCHANGE = """
define i64 @f(ptr %p, i64 %a) {
  %r = cmpxchg weak ptr %p, i64 %a, i64 99 acq_rel monotonic, align 8
  %o = extractvalue { i64, i1 } %r, 0
  %s = extractvalue { i64, i1 } %r, 1
  %z = zext i1 %s to i64
  %v = load atomic i64, ptr %p acquire, align 8
  %t = mul i64 %o, 1000
  %u = add i64 %t, %v
  %w = shl i64 %z, 40
  %x = add i64 %u, %w
  ret i64 %x
}
"""


@pytest.mark.parametrize("a", [7, 8])
def test_what_is_exchanged(a: int):
    given = {"p": np.array([7, 0], np.int64), "a": a}
    assert ours(EXCHANGE, "f", given, "ir", "itanium2") == native(EXCHANGE, "f", given)


OWN = """
@own = internal thread_local(initialexec) global i32 40
declare ptr @llvm.threadlocal.address.p0(ptr)
define i32 @f(i32 %a) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @own)
  %v = load i32, ptr %p
  %w = add i32 %v, %a
  store i32 %w, ptr @own
  %x = load i32, ptr %p
  ret i32 %x
}
"""


def test_variables_of_the_thread():
    assert ours(OWN, "f", {"a": 2}, "ir", "itanium2").value == 42


ASSEMBLY = """
define i64 @f(ptr %p, i64 %a) {
  call void asm sideeffect "", "~{memory}"()
  %x = call i64 asm sideeffect "", "=r,0,~{dirflag},~{fpsr},~{flags}"(i64 %a)
  call void asm sideeffect " ", "r,~{memory}"(ptr %p)
  %y = call { i64, i64 } asm "", "=&r,=r,1,0"(i64 3, i64 %x)
  %b = extractvalue { i64, i64 } %y, 0
  %c = extractvalue { i64, i64 } %y, 1
  call void asm sideeffect "", "=*m,*m"(ptr elementtype(i64) %p, ptr elementtype(i64) %p)
  %d = mul i64 %b, %c
  ret i64 %d
}
"""


def test_assembly_without_instructions():
    given = {"p": np.zeros(1, np.int64), "a": 14}
    assert ours(ASSEMBLY, "f", given, "ir", "itanium2").value == 42


def test_assembly_with_instructions():
    with pytest.raises(InputError, match="inline assembly is not supported"):
        PLUGIN.read(ASSEMBLY.replace('asm "", "=&r', 'asm "nop", "=&r'), "p.ll")


C = """
#include <stdatomic.h>
static _Thread_local long own = 3;
long f(long *p, long n) {
    _Atomic long *shared = (_Atomic long *)p;
    for (long i = 0; i < n; i++) { atomic_fetch_add(shared, i); own ^= atomic_load(shared); }
    long want = 3;
    if (!atomic_compare_exchange_strong(shared, &want, 5)) own += want;
    __asm__ volatile("" : "+r"(own) : : "memory");
    atomic_signal_fence(memory_order_seq_cst);
    return own;
}
"""


@needs_clang
@pytest.mark.parametrize("option", ["-O0", "-O2"])
def test_c(option: str, tmp_path: Path):
    (tmp_path / "p.c").write_text(C)
    ran = ours(clang(tmp_path / "p.c", option), "f", {"p": np.array([2]), "n": 4}, "ir", "itanium2")
    own, shared = 3, 2
    for i in range(4):
        shared += i
        own ^= shared
    assert (ran.value, ran.arrays) == (own + shared, {"p": [shared]})
