"""Where a kernel's variables lie: parameters, shared and local memory, its own and its callees'.

.shared .align 4 .b8 tile[4224];  .shared .f64 dd;   ->   tile at 0, dd at 4224
.extern .shared .align 16 .b8 dynamic[];             ->   behind them, at a multiple of 16
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.frontends.ptx_text.parameters import uses_of, walk
from compiler.frontends.ptx_text.tree import Operation, Routine, Tree, Variable
from compiler.frontends.ptx_text.types import element_type
from machines.types import I64, PTR
from machines.warp_program import KernelFrame, KernelParameter

REDUCTION_WORD = 4
"""Bytes of shared memory in which `bar.red` counts."""


@dataclass
class Layout:
    """Offsets of variables by identity, and the frame they make.

    copies          where in local memory parameters lie whose address is taken, by name
    reduction_word  offset of the word that bar.red counts in
    """

    frame: KernelFrame
    offsets: dict[int, int] = field(default_factory=dict)
    inputs: dict[str, int] = field(default_factory=dict)
    reduction_word: int = 0

    def local(self, size: int, alignment: int) -> int:
        """The offset of so many more bytes of local memory."""
        offset = aligned(self.frame.local, alignment)
        self.frame.local = offset + size
        return offset


def aligned(offset: int, alignment: int) -> int:
    """The next multiple.

    >>> aligned(13, 8)
    16
    """
    return -(-offset // alignment) * alignment


def lay_out(kernel: Routine, called: list[Routine], tree: Tree) -> Layout:
    """The layout of a kernel and of the functions that it calls, directly or not."""
    layout = Layout(KernelFrame(most_threads=kernel.most_threads))
    _parameters(layout, kernel)
    bodies = [kernel, *called]
    named = {name for routine in bodies for name in uses_of(routine.body.statements)}
    shared = [v for v in tree.variables if v.space == "shared" and v.name in named]
    for routine in bodies:
        for variable in _variables(routine):
            if variable.space == "shared":
                shared.append(variable)
            elif variable.space == "local":
                layout.offsets[id(variable)] = layout.local(variable.bytes, variable.alignment)
    local = [v for v in tree.variables if v.space == "local" and v.name in named]
    for variable in local:
        layout.offsets[id(variable)] = layout.local(variable.bytes, variable.alignment)
    _shared(layout, shared, any(_counts(routine) for routine in bodies))
    return layout


def _variables(routine: Routine) -> Iterator[Variable]:
    return (s for s in walk(routine.body.statements) if isinstance(s, Variable))


def _counts(routine: Routine) -> bool:
    """Whether a routine has a `bar.red`."""
    return any(
        isinstance(s, Operation) and s.opcode in ("bar", "barrier") and "red" in s.parts
        for s in walk(routine.body.statements)
    )


def _parameters(layout: Layout, kernel: Routine) -> None:
    offset = 0
    for variable in kernel.parameters:
        offset = aligned(offset, variable.alignment)
        kind = None
        if variable.count is None:
            kind = element_type(variable.type)
            kind = PTR if kind is I64 and variable.type.kind != "s" else kind
        parameter = KernelParameter(variable.name, kind, offset, variable.bytes)
        layout.frame.parameters.append(parameter)
        layout.inputs[variable.name] = offset
        offset += variable.bytes


def _shared(layout: Layout, variables: list[Variable], counts: bool) -> None:
    frame, dynamic = layout.frame, []
    for variable in variables:
        if variable.external and not variable.count:
            dynamic.append(variable)
            frame.dynamic_alignment = max(frame.dynamic_alignment, variable.alignment)
            continue
        offset = aligned(frame.shared, variable.alignment)
        layout.offsets[id(variable)] = offset
        frame.shared_names.append((variable.name, offset, variable.bytes))
        frame.shared = offset + variable.bytes
    if counts:
        layout.reduction_word = aligned(frame.shared, REDUCTION_WORD)
        frame.shared_names.append(("bar.red", layout.reduction_word, REDUCTION_WORD))
        frame.shared = layout.reduction_word + REDUCTION_WORD
    for variable in dynamic:
        layout.offsets[id(variable)] = aligned(frame.shared, frame.dynamic_alignment)
