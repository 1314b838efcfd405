"""Rounding and classes of floats where they are decided: halves, limits, zeros, infinities, NaN."""

from __future__ import annotations

import math

import pytest

from tests.compiler.frontends.llvm_native import native, ours

ROUNDED = ("floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven")
TO_INTEGERS = ("lrint", "lround", "llrint", "llround")
VALUES = (0.0, -0.0, 0.5, -0.5, 0.49999999999999994, 1.5, -1.5, 2.5, -2.5, 0.75, -1e-320, 8388607.5,
          8388609.0, 4503599627370495.5, -4503599627370497.0, 1e300, math.inf, -math.inf,
          math.nan)  # fmt: skip
CLASSES = (3, *(1 << k for k in range(2, 10)), 0x3FF, 0x0F0, 0x108)
SMALL = (5e-324, -5e-324, 2.2250738585072014e-308, 1.4e-45, 1.1754943508222875e-38, -1e-45)


def function(kind: str, lines: list[str], count: int, declared: list[str]) -> str:
    """`%r0 …` of a float %x, each as an i64, joined to one number."""
    total = "0"
    for k in range(count):
        lines += [f"%m{k} = mul i64 {total}, 1000003", f"%t{k} = add i64 %m{k}, %r{k}"]
        total = f"%t{k}"
    body, head = "\n  ".join(lines), "\n".join(declared)
    given = f"%x = {'fptrunc double %y to float' if kind == 'float' else 'freeze double %y'}"
    return f"{head}\ndefine i64 @f(double %y) {{\n  {given}\n  {body}\n  ret i64 {total}\n}}\n"


def rounding(kind: str) -> str:
    short, whole = ("f64", "i64") if kind == "double" else ("f32", "i32")
    lines, declared = [], []
    for k, name in enumerate(ROUNDED):
        declared.append(f"declare {kind} @llvm.{name}.{short}({kind})")
        lines += [f"%v{k} = call {kind} @llvm.{name}.{short}({kind} %x)",
                  f"%b{k} = bitcast {kind} %v{k} to {whole}"]  # fmt: skip
        lines.append(f"%r{k} = {'add' if whole == 'i64' else 'zext'} {whole} %b{k}"
                     f"{', 0' if whole == 'i64' else ' to i64'}")  # fmt: skip
    return function(kind, lines, len(ROUNDED), declared)


def integers(kind: str) -> str:
    short = "f64" if kind == "double" else "f32"
    declared = [f"declare i64 @llvm.{name}.i64.{short}({kind})" for name in TO_INTEGERS]
    lines = [f"%r{k} = call i64 @llvm.{name}.i64.{short}({kind} %x)"
             for k, name in enumerate(TO_INTEGERS)]  # fmt: skip
    return function(kind, lines, len(TO_INTEGERS), declared)


def classes(kind: str) -> str:
    short, lines = "f64" if kind == "double" else "f32", []
    for k, mask in enumerate(CLASSES):
        lines += [f"%c{k} = call i1 @llvm.is.fpclass.{short}({kind} %x, i32 {mask})",
                  f"%r{k} = zext i1 %c{k} to i64"]  # fmt: skip
    return function(
        kind, lines, len(CLASSES), [f"declare i1 @llvm.is.fpclass.{short}({kind}, i32)"]
    )


@pytest.mark.parametrize("kind", ["double", "float"])
@pytest.mark.parametrize("text", [rounding, integers, classes])
def test_where_it_is_decided(kind: str, text):
    made = text(kind)
    for value in (*VALUES, *(SMALL if text is classes else ())):
        if text is integers and not abs(value) < 1e15:
            continue  # what does not fit is open
        if text is rounding and math.isnan(value):
            continue  # nobody sees the bits of a NaN
        given = {"y": value}
        expected = native(made, "f", given).value
        assert (value, ours(made, "f", given, "ir", "itanium2").value) == (value, expected)
