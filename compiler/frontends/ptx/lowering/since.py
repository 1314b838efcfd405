"""The first targets of instructions that not all targets have, as ptxas says them.

A line that `.target sm_80` does not have is refused, though the machine may have it: ptxas refuses
the file.  What stands in no rule is of all targets from sm_70 on, or says so where it is lowered.
"""

from __future__ import annotations

import re
from functools import cache

from compiler.frontends.ptx.findings import Refused
from compiler.frontends.ptx.reading.tree import Operation

_WORDS = (
    (70, r"w?mma\..*"),
    (72, r"wmma\..*\.[su]8\b.*"),
    (75, r"wmma\..*\.([su]4|b1)\b.*"),
    (80, r"wmma\..*\.(bf16|tf32|f64)\b.*|wmma\.mma\.and\..*"),
    (75, r"(ld|mov)matrix\..*|mma\..*\.m(8n8k(16|32|128)|16n8k8)\..*"),
    (72, r"cvt\.pack\..*"),
    (75, r"cvt\.pack\..*\b[us][24]\..*"),
    (75, r"(ex2|tanh)\..*f16(x2)?|tanh\.approx\.f32"),
    (80, r"mma\..*\.(m16n8k(4|16|32|64|128|256)|f64|bf16|tf32|and)\..*"),
    (80, r"redux\..*"),
    (80, r"(fma|neg|abs)\..*bf16(x2)?|fma\..*relu\..*"),
    (80, r"(min|max)\..*f16(x2)?|(min|max)\..*NaN\.f32"),
    (80, r"cvt\..*(\bbf16\.f32|f32\.bf16|f16x2\.f32|tf32\.f32)"),
    (80, r"cvt\..*\brelu\b.*"),
    (80, r"createpolicy\..*|(discard|applypriority)\..*|prefetch\.global\.L2::.*"),
    (80, r".*\.L2::cache_hint\b.*"),
    (86, r"(min|max)\..*(xorsign|abs)\..*"),
    (89, r"mma\..*\.e[45]m[32]\..*"),
    (89, r"cvt\..*\be[45]m[23]x2\b.*"),
    (90, r"wgmma\..*|stmatrix\..*|mma\..*\.m16.*\.f64\..*"),
    (90, r"(add|sub|mul|ex2|tanh|set|setp)\..*\bbf16(x2)?\b.*"),
    (90, r"(add|min|max)\..*[su]16x2|(min|max)\..*relu\..*"),
    (90, r"fma\..*oob\..*"),
    (90, r"cvt\..*\bbf16(?!\.f32|x2).*(?<!\bf32\.bf16)|cvt\..*\bftz\b.*f32\.bf16"),
    (90, r"cvt\..*\b(rn|rz)\b.*tf32\.f32"),
    (90, r"elect\..*|griddepcontrol\..*|setmaxnreg\..*|prefetch\.(\w+\.)?tensormap"),
    (90, r"(mapa|getctarank|barrier\.cluster)\..*"),
    (90, r"fence\.(proxy\.(async|tensormap)|mbarrier_init|.*cluster).*|.*shared::cluster\b.*"),
    (90, r"(atom|red)\..*(\bbf16(x2)?|\bv[248]\b.*)"),
)
"""(compute capability times 10, what lines of it and later ones look like)"""
SINCE = tuple((first, re.compile(form)) for first, form in _WORDS)


@cache
def first_target(text: str) -> int:
    """The first target that has an instruction: 80 of sm_80; 0 if all have it."""
    return max((first for first, form in SINCE if form.fullmatch(text)), default=0)


def too_early(operation: Operation, target: int) -> Refused | None:
    """That a file is for a target that does not have an instruction, if it is."""
    first = first_target(operation.text)
    if not 0 < target < first:
        return None
    message = f"sm_{first} is the first target with '{operation.text}', and this file is for "
    return Refused(f"{message}sm_{target}", f".target sm_{first}")
