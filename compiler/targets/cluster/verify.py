"""What code of chips of clusters must satisfy; all findings at once.

placed   buffers in scratchpads have addresses, commands the queues that can take them
stream   the same, with waits
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir.facts import is_flat
from compiler.ir.module import Function, Instruction, Module
from compiler.targets.cluster.refusals import refusal
from compiler.targets.cluster.roles import queue_for
from compiler.targets.cluster.scratchpads import named_buffers
from compiler.verify.ir import findings_of
from machines.diagnostics import Diagnostic
from machines.kinds.cluster.code import ADDRESSES
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
        if is_flat(buffer.space):
            continue
        size, address = description.usable(buffer.space), ADDRESSES.of(function).get(name)
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
    refused = refusal(function, instruction, description)
    said = instruction.attributes.get("queue")
    if refused is not None:
        yield refused
    elif row.walk is None:
        if said is not None:
            yield Diagnostic(f"no queue takes '{row}'", location)
    elif said != (queue := queue_for(function, instruction)[0]):
        yield Diagnostic(f"queue '{queue}' takes '{row}' here, not '{said}'", location)
