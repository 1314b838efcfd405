"""Translates an IR function into a Python generator that runs one thread of a grid.

    func @k() {                               def run(depth, thread):
    BB1:                                          …
        t = tid.x                                 v0 = thread.tid_x
        p = eq.i32 t, 0                ->         v1 = 1 if v0 == (0) else 0
        q = vote_any p                            v2 = yield ('k', 'BB1', 2), (v1,)
        barrier                                   yield ('k', 'BB1', 3), ()
        return                                    return 'done', None

It stops where threads meet, with the point and what this thread brings, and is sent what it gets
from the others.  Steps are counted in `clock`, which all threads of a grid share.
"""

from __future__ import annotations

from compiler.analyses.cache import cached_by_version
from compiler.interpret.generate_python import MOST_CALLS, GeneratedFunction, Generator
from compiler.ir.module import Function, Instruction
from machines.diagnostics import input_error

Point = tuple[str, str, int]
"""A point of the program: function, block and index of an instruction."""


@cached_by_version
def translate_thread(function: Function) -> GeneratedFunction:
    """Translate a verified function; `bind` gives `run(depth, thread, *arguments)`, a generator."""
    return _ThreadGenerator(function, observed=False).generate()


class _ThreadGenerator(Generator):
    def head(self, parameters: list[str]) -> None:
        self.line(0, f"def run({', '.join(['depth', 'thread', *parameters])}):")
        self.line(1, "if False: yield")

    def count(self, depth: int, count: int) -> None:
        self.line(depth, f"clock[0] += {count}")
        self.line(depth, "if clock[0] > clock[1]:")
        self.line(depth + 1, f"clock[0] -= {count}")
        self.line(depth + 1, "return 'limit', None")

    def of_threads(self, depth: int, instruction: Instruction) -> None:
        if not instruction.operation.is_convergent:
            self.scalar(depth, instruction)
            return
        results = "".join(f"{self.variables[name]} = " for name in instruction.results)
        brought = "".join(f"{self.value(value)}, " for value in instruction.operands)
        point = (self.function.name, *self.point)
        self.line(depth, f"{results}yield {point!r}, ({brought})")

    def scalar(self, depth: int, instruction: Instruction) -> None:
        if instruction.operation.name != "fence":  # threads see each other's memory at once
            super().scalar(depth, instruction)

    def access(self, kind: str, size: int, arguments: str) -> str:
        return super().access(kind, size, f"thread, {arguments}")

    def call(self, depth: int, instruction: Instruction) -> None:
        callee, *arguments = instruction.operands
        given = "".join(f", {self.value(value)}" for value in arguments)
        point = (self.function.name, *self.point)
        if instruction.operation.calls_through:
            message = "threads call no functions through pointers"
            raise input_error(message, instruction.location, hint="call the function by its name")
        self.line(depth, f"if depth >= {MOST_CALLS}: raise Fault('calls too deep')")
        self.line(depth, f"thread.calls.append({point!r})")
        run = f"callees[{callee!r}](depth + 1, thread{given})"
        self.line(depth, f"status, returned = yield from {run}")
        self.line(depth, "thread.calls.pop()")
        self.line(depth, "if status != 'done': return status, None")
        for name in instruction.results:
            self.line(depth, f"{self.variables[name]} = returned")

    def tensor(self, depth: int, instruction: Instruction) -> None:
        message = f"'{instruction.operation}' cannot run in a grid of threads"
        hint = "write loops over scalars"
        raise input_error(message, instruction.location, hint=hint)

    def leave(self, depth: int, value: str) -> None:
        self.line(depth, f"return 'done', {value}")

    def implicit(self, name: str) -> str:
        return super().implicit(name) if name == "opaque" else f"thread.{name}"
