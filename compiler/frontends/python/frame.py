"""The state of lowering: one function being written, and a frame for each kernel inlined in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from compiler.ir.builder import Builder
from compiler.ir.module import Value as Operand
from compiler.python_syntax.errors import Source
from compiler.python_syntax.tree import Array, Kernel, Logic, Shared, Value
from machines.diagnostics import Location, input_error

MOST_INLINED = 2000
"""Calls inlined into one function; kernels that call each other twice at every level multiply."""


@dataclass
class Frame:
    """One kernel while it is lowered: the entry, or a call inlined into another frame.

    names       variables -> IR variables; a parameter that is never assigned may be a literal
    arrays      array parameters -> their addresses
    dimensions  (array, axis) -> size, for those that indexing needs
    shared      operands of chained comparisons that have been computed
    current     what the element of an augmented assignment held
    loops       (block of `continue`, block of `break`) of each enclosing loop
    leave       the block after an inlined call; None in the entry kernel, which returns
    wanted      the variable the caller wants the result in, if it says
    value       what the inlined kernel returned
    """

    kernel: Kernel
    names: dict[str, Operand] = field(default_factory=dict)
    arrays: dict[str, Operand] = field(default_factory=dict)
    dimensions: dict[tuple[str, int], Operand] = field(default_factory=dict)
    shared: dict[Shared, Operand] = field(default_factory=dict)
    current: Operand | None = None
    loops: list[tuple[str, str]] = field(default_factory=list)
    leave: str | None = None
    wanted: str | None = None
    value: Operand | None = None

    def variable(self, code: Lowering, name: str) -> Operand:
        """The IR variable of a scalar; inlined kernels have their own, `kernel.name.1`."""
        if name not in self.names:
            hint = f"{self.kernel.name}.{name}"
            self.names[name] = code.builder.fresh(hint, self.kernel.variables[name].type)
        return self.names[name]

    def early_result(self, code: Lowering) -> str:
        """The variable that several returns of an inlined kernel write."""
        if self.wanted is None:
            hint = f"{self.kernel.name}.result"
            self.wanted = code.builder.fresh(hint, self.kernel.result.type)
        return self.wanted

    def base(self, code: Lowering, array: Array) -> Operand:
        """The address of an array."""
        return self.arrays[array.name] if array.buffer is None else code.buffer(array.buffer)


@dataclass
class Lowering:
    """One IR function being written.

    source   the kernel file
    inline   lowers a call: (code, frame, call, result) -> value
    bases    buffers -> the variable with their address, set at the head of the function
    targets  blocks that something jumps to
    inlined  how many calls have been inlined
    """

    source: Source
    builder: Builder
    kernels: dict[str, Kernel]
    inline: Callable[[Lowering, Frame, Value, str | None], Operand | None]
    bases: dict[str, str] = field(default_factory=dict)
    targets: set[str] = field(default_factory=set)
    inlined: int = 0

    def emit(
        self, row: str, *operands: Operand, result: str | None = None, location: Location
    ) -> Operand:
        """Emit an instruction; returns its result."""
        return self.builder.emit(row, *operands, result=result, location=location)

    def arithmetic(self, name: str, a: Operand, b: Operand, location: Location) -> Operand:
        """`a + b` or `a * b` as i64, for addresses: literals are folded, powers of two shifted."""
        if isinstance(a, int) and isinstance(b, int):
            return a + b if name == "add" else a * b
        if isinstance(a, int):
            a, b = b, a
        if isinstance(b, int) and b == (1 if name == "mul" else 0):
            return a
        if name == "mul" and isinstance(b, int) and b > 0 and b & (b - 1) == 0:
            return self.emit("shl.i64", a, b.bit_length() - 1, location=location)
        return self.emit(f"{name}.i64", a, b, location=location)

    def buffer(self, name: str) -> str:
        """The variable that holds a buffer's address."""
        if name not in self.bases:
            here, entry = self.builder.current, self.builder.function.entry
            self.builder.at(entry, len(self.bases))
            location = self.builder.function.location
            self.bases[name] = self.builder.emit("address.ptr", name, location=location)
            self.builder.at(here)
        return self.bases[name]

    def count_inlined(self, location: Location) -> None:
        """Note one more call that is inlined; raises InputError if they are too many."""
        self.inlined += 1
        if self.inlined > MOST_INLINED:
            raise input_error(
                f"more than {MOST_INLINED} calls are inlined into {self.builder.function.name}",
                location,
                source=self.source.text,
                hint="call from a loop instead of from many places",
            )

    # Blocks

    def jump(self, to: str, at: Value | Location) -> None:
        """End the block, unless it has ended already."""
        if not self.builder.is_terminated:
            self.targets.add(to)
            self.builder.emit("jump", to, location=_location(at))

    def branch(self, test: Operand, then: str, otherwise: str, at: Value | Location) -> None:
        """End the block with a choice."""
        if isinstance(test, int):
            self.jump(then if test else otherwise, at)
            return
        self.targets |= {then, otherwise}
        self.builder.emit("branch", test, then, otherwise, location=_location(at))

    def arrive(self, name: str) -> None:
        """Go on in the block `name`, or in the present one if nothing else leads there."""
        if name in self.targets:
            if not self.builder.is_terminated:
                self.builder.jump(name)
            self.builder.block(name)
        elif self.builder.is_terminated:
            self.builder.block(name)  # unreachable: taken away at the end

    def forget_shared(self, frame: Frame, chain: Logic) -> None:
        """Compute the middle operands of a chained comparison anew: a loop may test it again."""
        for term in chain.terms:
            for part in (getattr(term, "a", None), getattr(term, "b", None)):
                inner = part
                while inner is not None:
                    frame.shared.pop(inner, None)
                    inner = getattr(inner, "a", None)


def _location(at: Value | Location) -> Location:
    return at if isinstance(at, Location) else at.location
