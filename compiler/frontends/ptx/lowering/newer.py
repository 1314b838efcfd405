"""Forms of instructions that only newer targets have, of which a part may be known here.

Without this list a line that is right for sm_100 would be called wrong.  The targets are the first
ones for which ptxas 13.0 takes the form.
"""

from __future__ import annotations

import re

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.reading.tree import Operation

_NEWER = tuple(
    (re.compile(form), operands, target)
    for form, operands, target in (
        (r"(min|max)(\.ftz)?(\.NaN)?(\.xorsign)?(\.abs)?\.f32", 4, "sm_100"),
        (r"redux\.sync\.(min|max)(\.abs)?(\.NaN)?\.f32", 3, "sm_100a"),
        (r"(add|sub|mul|fma)(\.r[nzmp])?(\.ftz)?\.f32x2", None, "sm_100"),
        (r"(add|sub|fma)(\.r[nzmp])?(\.sat)?\.f32\.b?f16", None, "sm_100"),
        (r"(ld|st)\..*\.v(8\.[bufs]32|4\.[bufs]64)", None, "sm_100"),
        (r"st\.(bulk|async\.mmio)\..*", None, "sm_100"),
        (r"cvt\..*(e2m1x[24]|e2m3x[24]|e3m2x[24]|ue8m0x2).*", None, "sm_100a"),
        (r"cvt\.rs\..*", None, "sm_100a"),
        (r"(ld|st)matrix\..*\.(m8n16|m16n16|m16n8)\..*", None, "sm_100a"),
        (r"mma\..*\.(kind::\w+|block_scale).*", None, "sm_120a"),
        (r"clusterlaunchcontrol\..*", None, "sm_100"),
        (r"tcgen05\..*", None, "sm_100a"),
    )
)
"""(instruction, its operands if they tell it, the first target that has it)."""


def newer(operation: Operation) -> Refused | None:
    """That an instruction is one of a newer target, if it is."""
    for form, operands, target in _NEWER:
        if form.fullmatch(operation.text) and operands in (None, len(operation.operands)):
            of = "" if operands is None else f" of {operands} operands"
            what = f"'{operation.text}'{of}, which {target} has,"
            return unsupported(f"{what} is not supported", "compile for sm_90")
    return None
