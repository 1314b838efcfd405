"""`simrun explain --show queues`: what each core executes, and which queue takes which command."""

from __future__ import annotations

from typing import Any

from sim.views import COMPILED, Shown, View


def show(compilation: Any) -> Shown:
    """The code of each role, and where buffers stand."""
    content = {
        "kernels": [
            {
                "name": kernel.name,
                "buffers": [
                    {"name": b.name, "space": b.space, "address": b.address, "bytes": b.size}
                    for b in kernel.scratchpads
                ],
                "codes": {
                    code.role: [{"queue": i.queue, "instruction": str(i)} for i in code.code]
                    for code in kernel.codes
                },
            }
            for kernel in compilation.program.kernels
        ]
    }
    return Shown(compilation.listing, content)


VIEW = View(
    "queues",
    "What cores execute, which queue takes each command, and where buffers stand.",
    COMPILED,
    show,
)
