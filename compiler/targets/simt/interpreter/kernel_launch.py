"""What the blocks of a launch share where a program is interpreted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from compiler.targets.simt.interpreter.generate_python import GeneratedKernel, generate
from compiler.targets.simt.interpreter.tensor_boxes import read_map
from compiler.targets.simt.interpreter.thread_memory import global_bytes, parameter
from machines.instructions import operations
from machines.kinds.simt.fields import Simt
from machines.kinds.simt.program import OPERATION, Kernel, WarpProgram
from machines.layout import Memory
from machines.operations.evaluate import NAMESPACE, OperationFault
from machines.operations.row import Operation
from machines.threads.grid import Grid


class Launch:
    """What the blocks of a launch share.

    spent  rows begun so far, and the number at which the thread that runs gives way, which its
           code looks at where a block of rows begins
    """

    def __init__(
        self,
        program: WarpProgram,
        machine: Simt,
        memory: Memory,
        kernel: Kernel,
        grid: Grid,
        parameters: bytes,
        limit: int,
        number: int,
    ):
        self.program, self.machine, self.kernel, self.grid = program, machine, kernel, grid
        self.generated: GeneratedKernel = generate(program, kernel)
        self.spent, self.limit, self.number = [0, 0], limit, number
        self.everywhere = global_bytes(memory)
        table = operations().family("ptx")
        names = [program.operations[n] for n in program.code[:, OPERATION]]
        self.rows: list[Operation] = [table[name] for name in names]
        space = {
            **NAMESPACE,
            "spent": self.spent,
            "rows": self.rows,
            "Fault": OperationFault,
            "int_from_bytes": int.from_bytes,
            "global_bytes": self.everywhere,
            "parameter": partial(parameter, parameters, False),
            "read_map": partial(read_map, parameters, self.everywhere),
            "signed_parameter": partial(parameter, parameters, True),
        }
        for index, name in self.generated.symbols.items():
            space[name] = memory.address(program.symbols[index])
        exec(self.generated.code, space)
        self.thread: Callable[..., Any] = space["thread"]
