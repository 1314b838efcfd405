"""Translates a function into a Python generator that runs one core of a chip.

    func @f() {                                  def run(depth, core):
    entry:                                           …
        k = core_id                                  v0 = core.core_id
        tensor.fill.f32 a[0:k], 0.0      ->          yield ('entry', 1), (0, v0, 0.0)
        sync_cluster 0                               yield ('entry', 2), (0,)
        return                                       return 'done', None

It stops at commands, waits and barriers, with the point and the scalars of the operands, and is
sent the result, if there is one.
"""

from __future__ import annotations

from compiler.analyses.cache import cached_by_version
from compiler.interpret.generate_python import GeneratedFunction, Generator
from compiler.interpret.tensors import tensor_arguments
from compiler.ir.module import Function, Instruction
from machines.diagnostics import input_error

Point = tuple[str, int]
"""A block, and the index of an instruction."""


@cached_by_version
def translate_core(function: Function) -> GeneratedFunction:
    """Translate a function without calls; `bind` gives `run(depth, core, *arguments)`."""
    return _CoreGenerator(function, observed=False).generate()


class _CoreGenerator(Generator):
    def head(self, parameters: list[str]) -> None:
        self.line(0, f"def run({', '.join(['depth', 'core', *parameters])}):")
        self.line(1, "if False: yield")

    def count(self, depth: int, count: int) -> None:
        self.line(depth, f"clock[0] += {count}")
        self.line(depth, "if clock[0] > clock[1]: return 'limit', None")

    def of_threads(self, depth: int, instruction: Instruction) -> None:
        row = instruction.operation
        if row.walk is not None:
            self.stop(depth, instruction, [*tensor_arguments(instruction)])
        elif row.is_convergent:
            self.stop(depth, instruction, [*instruction.operands])
        else:
            self.scalar(depth, instruction)

    def tensor(self, depth: int, instruction: Instruction) -> None:
        self.of_threads(depth, instruction)

    def stop(self, depth: int, instruction: Instruction, scalars: list) -> None:
        results = "".join(f"{self.variables[name]} = " for name in instruction.results)
        given = "".join(f"{self.value(value)}, " for value in scalars)
        self.line(depth, f"{results}yield {self.point!r}, ({given})")

    def call(self, depth: int, instruction: Instruction) -> None:
        message = "cores call no functions"
        raise input_error(message, instruction.location, hint="calls are inlined before")

    def leave(self, depth: int, value: str) -> None:
        self.line(depth, f"return 'done', {value}")

    def implicit(self, name: str) -> str:
        return super().implicit(name) if name == "opaque" else f"core.{name}"
