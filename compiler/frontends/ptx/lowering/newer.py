"""Forms of instructions that only newer targets have, of which a part is known here.

Without this list a line that is right for sm_100 would be called wrong.
"""

from __future__ import annotations

import re

from compiler.frontends.ptx.findings import Refused, unsupported
from compiler.frontends.ptx.reading.tree import Operation

_NEWER = (
    (re.compile(r"(min|max)(\.ftz)?(\.NaN)?(\.abs)?\.f32"), 4, "sm_100"),
    (re.compile(r"redux\.sync\.(min|max)(\.abs)?(\.NaN)?\.f32"), 3, "sm_100a"),
)
"""(instruction, its operands, the first target that has it)."""


def newer(operation: Operation) -> Refused | None:
    """That an instruction is one of a newer target, if it is."""
    for form, operands, target in _NEWER:
        if form.fullmatch(operation.text) and len(operation.operands) == operands:
            what = f"'{operation.text}' of {operands} operands, which {target} has,"
            return unsupported(f"{what} is not supported", "compile for sm_90")
    return None
