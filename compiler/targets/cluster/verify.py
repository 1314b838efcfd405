"""What code of chips of clusters must satisfy; all findings at once.

placed   buffers in scratchpads have addresses, commands the queues that can take them
stream   the same, with waits
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.memory_spaces import FLAT
from compiler.ir.module import AnyOf, Function, Instruction, Module
from compiler.ir.verify import findings_of
from compiler.targets.cluster.roles import queue_for
from compiler.targets.cluster.scratchpads import named_buffers
from machines.diagnostics import Diagnostic
from machines.instructions.cluster_control import MEETINGS, WAITS
from machines.kinds.cluster.fields import Cluster


def verify(function: Function, form: str, description: Cluster) -> list[Diagnostic]:
    """The findings in a function of form 'placed' or 'stream'."""
    findings = findings_of(Module({function.name: function}, dict(function.buffers)))
    if not findings:
        findings += _buffer_findings(function, description)
        for _, instruction in function.instructions():
            findings += _instruction_findings(function, instruction, description)
    return findings


def _buffer_findings(function: Function, description: Cluster) -> Iterator[Diagnostic]:
    for name in sorted(named_buffers([function])):
        buffer = function.buffers[name]
        if buffer.space in FLAT:
            continue
        size, address = description.usable(buffer.space), function.addresses.get(name)
        if address is None:
            yield Diagnostic(f"'{name}' has no address in {buffer.space}", buffer.location)
        elif address % description.alignment(buffer.space):
            alignment = description.alignment(buffer.space)
            message = f"'{name}' stands at {address}, no multiple of {alignment}"
            yield Diagnostic(message, buffer.location)
        elif not 0 <= address <= size - buffer.size:
            message = f"'{name}' is not inside the {size} bytes of {buffer.space}"
            yield Diagnostic(message, buffer.location)


def _instruction_findings(
    function: Function, instruction: Instruction, description: Cluster
) -> Iterator[Diagnostic]:
    row, location = instruction.operation, instruction.location
    if row.walk is None:
        if "queue" in instruction.attributes:
            yield Diagnostic(f"no queue takes '{row}'", location)
        if row.name in WAITS or row.name in MEETINGS:
            number = instruction.operands[0]
            if not isinstance(number, int) or number < 0:
                yield Diagnostic(f"'{row}' wants a number, not '{number}'", location)
        elif row.access is not None or row.calls or "threads" in row.flags:
            hint = "tensor operations work on memory, and scalars stand in registers"
            yield Diagnostic(f"no core of this machine executes '{row}'", location, hint=hint)
        return
    if any(isinstance(interval, AnyOf) for _, interval in instruction.intervals):
        yield Diagnostic("which of several intervals is meant must be known", location)
        return
    said = instruction.attributes.get("queue")
    queue, why = queue_for(function, instruction, description)
    if queue is None:
        yield Diagnostic(f"no queue takes '{row}' here: {why}", location)
    elif said != queue:
        yield Diagnostic(f"queue '{queue}' takes '{row}' here, not '{said}'", location)
