"""What the copies of a chip's host leave undone.

A host that copies some of its arrays to the device copies all that kernels read of it: the others
are not there (`sim.cores.cluster.arrays_of_host`, which a run looks at).  One that copies some back
copies all back that are expected: what is not copied the host never sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic
from machines.kinds.cluster.program import Interval, Kernel
from machines.operations.row import Label
from sim.kinds.cluster.plan import Planned


def arrays_of_host(planned: Iterable[Planned], arrays: Iterable[str]) -> tuple[str, ...]:
    """The arrays that are not in DRAM before a copy has brought them: if the host brings any, all
    of them."""
    brings = any(step.kernel is None and step.form.to == "device" for step in planned)
    return tuple(sorted(arrays)) if brings else ()


def copy_findings(
    streams: Mapping[int, Sequence[Planned]], expect: Mapping[str, Node]
) -> Iterator[Diagnostic]:
    """Arrays that are expected, and that no copy brings to the host as kernels have left them."""
    back = {
        step.form.transfer
        for steps in streams.values()
        for step in steps
        if step.kernel is None and step.form.to == "host"
    }
    for name, node in expect.items():
        if not back or name == "return":
            continue
        hint = f"{{copy: {name}, to: host}} behind the launch that writes it"
        if name not in back:
            yield node.finding(f"'{name}' is expected, and no copy brings it to the host", hint)
            continue
        for steps in streams.values():
            kernel = _writes_behind(steps, name)
            if kernel is not None:
                message = f"'{name}' is expected, and '{kernel}' writes it behind its last copy"
                yield node.finding(message, hint)


def _writes_behind(steps: Sequence[Planned], name: str) -> str | None:
    """The kernel that writes an array behind the last copy of it to the host in a stream."""
    kernel = None
    is_copied = False
    for step in steps:
        if step.kernel is None:
            if step.form.transfer == name and step.form.to == "host":
                kernel, is_copied = None, True
        elif name in written(step.kernel):
            kernel = step.kernel.name
    return kernel if is_copied else None


def written(kernel: Kernel) -> set[str]:
    """The buffers that commands of a kernel write."""
    return {
        value.buffer
        for code in kernel.codes
        for instruction in code.code
        for operand, value in zip(
            (o for o in instruction.row.reads if not isinstance(o.kind, Label)),
            instruction.operands,
            strict=False,
        )
        if isinstance(value, Interval) and operand.kind.access == "store"
    }
