"""Where a kernel's variables lie: parameters, shared and local memory, its own and its callees'.

.shared .align 4 .b8 tile[4224];  .shared .f64 dd;   ->   tile at 0, dd at 4224
.extern .shared .align 16 .b8 dynamic[];             ->   behind them, at a multiple of 16
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from compiler.frontends.ptx.lowering.parameters import uses_of, walk
from compiler.frontends.ptx.reading.tree import Constant, Operation, Routine, Tree, Variable
from compiler.frontends.ptx.types import element_type
from machines.kinds.simt.program import KernelFrame, KernelParameter
from machines.types import PTR

BARRIERS = 16
REDUCTION_WORD = 4
"""Bytes of shared memory in which `bar.red` counts, for each barrier."""


@dataclass
class Layout:
    """Offsets of variables by identity, and the frame they make.

    copies          where in local memory parameters lie whose address is taken, by name
    reduction_words offset of the words that bar.red counts in, one for each barrier
    """

    frame: KernelFrame
    offsets: dict[int, int] = field(default_factory=dict)
    inputs: dict[str, int] = field(default_factory=dict)
    reduction_words: int = 0

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
    layout = Layout(
        KernelFrame(
            most_threads=kernel.most_threads,
            exact_block=kernel.exact_block,
            exact_cluster=kernel.exact_cluster,
            most_cluster=kernel.most_cluster,
            wants_cluster=kernel.wants_cluster,
        )
    )
    _parameters(layout, kernel)
    bodies = [kernel, *called]
    named = {name for routine in bodies for name in uses_of(routine.body.statements)}
    shared = [v for v in tree.variables.values() if v.space == "shared" and v.name in named]
    for routine in bodies:
        for variable in _variables(routine):
            if variable.space == "shared":
                shared.append(variable)
            elif variable.space == "local":
                layout.offsets[id(variable)] = layout.local(variable.bytes, variable.alignment)
    local = [v for v in tree.variables.values() if v.space == "local" and v.name in named]
    for variable in local:
        layout.offsets[id(variable)] = layout.local(variable.bytes, variable.alignment)
    _shared(layout, shared, max(_counting_barriers(routine) for routine in bodies))
    return layout


def _variables(routine: Routine) -> Iterator[Variable]:
    return (s for s in walk(routine.body.statements) if isinstance(s, Variable))


def _counting_barriers(routine: Routine) -> int:
    """One more than the highest number of a barrier that a routine has a `bar.red` of."""
    numbers = [-1]
    for statement in walk(routine.body.statements):
        if isinstance(statement, Operation) and "red" in statement.parts:
            constants = [o.value for o in statement.operands if isinstance(o, Constant)][:1]
            is_barrier = statement.opcode in ("bar", "barrier") and constants
            numbers += [n for n in constants if is_barrier and n in range(BARRIERS)]
    return max(numbers) + 1


def _parameters(layout: Layout, kernel: Routine) -> None:
    offset = 0
    for variable in kernel.parameters:
        offset = aligned(offset, variable.alignment)
        kind = element_type(variable.type) if variable.count is None else None
        kind = PTR if variable.pointer else kind
        layout.frame.parameters.append(
            KernelParameter(
                variable.name, kind, offset, variable.bytes, variable.alignment,
                signed=variable.type.kind == "s", room=variable.room,
            )
        )  # fmt: skip
        layout.inputs[variable.name] = offset
        offset += variable.bytes
        frame = layout.frame
        frame.dynamic_alignment = max(frame.dynamic_alignment, variable.room)


def _shared(layout: Layout, variables: list[Variable], barriers: int) -> None:
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
    if barriers:
        size = REDUCTION_WORD * barriers
        layout.reduction_words = aligned(frame.shared, REDUCTION_WORD)
        frame.shared_names.append(("bar.red", layout.reduction_words, size))
        frame.shared = layout.reduction_words + size
    for variable in dynamic:
        layout.offsets[id(variable)] = aligned(frame.shared, frame.dynamic_alignment)
