"""Which memory the pointers of a kernel point into.

    tile: f32[64] in shared

    p = address.ptr tile        p: shared
    q = add.ptr p, i            q: shared
    r = select.ptr c, q, a      r: generic, if `a` is an argument of the kernel: those are global

What is added to an address of a space is taken to lead to no other one: every access whose space is
known is checked against that space alone, and faults outside of it.
"""

from __future__ import annotations

from compiler.ir.module import Function, Instruction
from machines.types import PTR

WINDOWED = ("shared", "local")
"""Spaces whose addresses are offsets in 32 bits."""
GENERIC = "generic"


class PointerSpaces:
    """The least solution over all assignments of each variable."""

    def __init__(self, function: Function):
        self._spaces = {name: "global" for name, t in function.parameters if t is PTR}
        self._buffers = function.buffers
        pointers = [
            i for _, i in function.instructions() if i.results and i.operation.writes[0].kind is PTR
        ]
        changed = True
        while changed:
            changed = False
            for instruction in pointers:
                name = instruction.results[0]
                known = self._spaces.get(name)
                joined = _join(known, self._given(instruction))
                changed |= joined != known
                if joined is not None:
                    self._spaces[name] = joined

    def of(self, name: str) -> str:
        """'global', 'shared', 'local', 'constant' or 'generic'."""
        return self._spaces.get(name, GENERIC)

    def _given(self, instruction: Instruction) -> str | None:
        """The space of what an instruction gives; None if nothing is known of it yet."""
        name, operands = instruction.operation.name, instruction.operands
        if name == "address.ptr":
            return self._buffers[str(operands[0])].space
        sources = {"add.ptr": operands[:1], "copy.ptr": operands[:1], "select.ptr": operands[1:]}
        given = None
        for value in sources.get(name, (0,)):
            is_name = isinstance(value, str)
            given = _join(given, self._spaces.get(value) if is_name else GENERIC)
        return given


def _join(a: str | None, b: str | None) -> str | None:
    if a is None or b is None or a == b:
        return b if a is None else a
    return "global" if {a, b} == {"global", "constant"} else GENERIC
