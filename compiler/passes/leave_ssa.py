"""Turn phis and tied values into copies, of which hardly any is left.

    entry: jump loop                           entry: i = copy.i64 0
    loop:  i1 = phi [entry: 0, loop: i2]              jump loop
           i2 = add.i64 i1, 1             ->   loop:  i = add.i64 i, 1
           c = lt_s.i64 i2, n                         c = lt_s.i64 i, n
           branch c, loop, done                       branch c, loop, done

    @p x5 = add.i64 a1, b1 else x2        ->   @p x = add.i64 a, b

Parallel copies isolate every phi and every tie (`compiler.analyses.ssa.isolation`), which is right
whatever passes have done to the names.  Variables that copies relate get one name where that
disturbs nothing, and their copies are gone (`compiler.analyses.ssa.shared_names`).  Those that are
left are done one by one (`compiler.rewriting.parallel_copies`).  The whole is the method of
Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, *Revisiting Out-of-SSA Translation for
Correctness, Code Quality, and Efficiency*, 2009, without splitting edges.  A function without phis
and ties stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from compiler.analyses.ssa.interference import interference, relations
from compiler.analyses.ssa.isolation import Copy, Isolation, isolation, on_the_way, own_reads
from compiler.analyses.ssa.shared_names import shared_names
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Function, Instruction, Value
from compiler.rewriting.parallel_copies import in_sequence
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine
from machines.diagnostics import Location
from machines.instructions import operations


def leave(function: Function) -> Changes:
    """Bring a function into variable form."""
    changes = Changes()
    phis = sum(instruction.is_phi for _, instruction in function.instructions())
    ties = sum(len(instruction.otherwise) for _, instruction in function.instructions())
    if phis or ties:
        forget_unneeded(function)
        isolated = isolation(function)
        related = relations(function, isolated)
        names = shared_names(function, related, interference(function, isolated, related))
        changes.count("phis replaced", phis)
        changes.count("tied values replaced", ties)
        _Rewriting(function, isolated, names, changes).run()
    return changes


def forget_unneeded(function: Function) -> None:
    """Remove phis and ties whose values nothing needs but phis and ties that go as well."""
    joined: dict[Value, tuple[Value, ...]] = {}
    pending: list[Value] = []
    for _, instruction in function.instructions():
        if instruction.is_phi:
            joined[instruction.results[0]] = instruction.values
        else:
            pending += own_reads(instruction)
            for result, value in zip(instruction.results, instruction.otherwise, strict=False):
                joined[result] = (value,)
    needed: set[Value] = set()
    while pending:
        name = pending.pop()
        if name not in needed:
            needed.add(name)
            pending += joined.get(name, ())

    builder = Builder(function)
    for block in function.blocks.values():
        kept = [i for i in block.instructions if not i.is_phi or i.results[0] in needed]
        for instruction in kept:
            if instruction.otherwise and needed.isdisjoint(instruction.results):
                builder.change(instruction, otherwise=())
        builder.set_instructions(block, kept)
    builder.forget_unused_types()


class _Rewriting:
    """Writes the copies that are left, and the new names, into a function."""

    def __init__(
        self, function: Function, isolated: Isolation, names: dict[str, str], changes: Changes
    ):
        self.function, self.isolated, self.names = function, isolated, names
        self.builder, self.changes = Builder(function), changes

    def run(self) -> None:
        for name in list(self.function.types):
            self.builder.declare(self.new(name), self.function.types[name])
        for phi in [i for _, i in self.function.instructions() if i.is_phi]:
            self.builder.declare(self.names[on_the_way(phi)], phi.operation.writes[0].kind)
        for block in self.function.blocks.values():
            self.builder.set_instructions(block, list(self.code(block)))
        self.builder.forget_unused_types()

    def new(self, name: str) -> str:
        """Blocks that nothing reaches may read what nothing assigns, which keeps its name."""
        return self.names.get(name, name)

    def code(self, block: Block) -> Iterator[Instruction]:
        yield from self.copies(self.isolated.at_head.get(block.name, ()))
        for instruction in block.instructions:
            if instruction.is_phi:
                continue
            yield from self.copies(self.isolated.before.get(instruction, ()))
            if instruction is block.terminator:
                yield from self.copies(self.isolated.at_end.get(block.name, ()))
            self.rename(instruction)
            if _copies_to_itself(instruction):
                self.changes.count("copies removed")
            else:
                yield instruction

    def rename(self, instruction: Instruction) -> None:
        guard = instruction.guard
        self.builder.change(
            instruction,
            results=tuple(map(self.new, instruction.results)),
            operands=instruction.operands_with(self.new),
            guard=guard and replace(guard, name=self.new(guard.name)),
            otherwise=(),
        )

    def copies(self, group: Iterable[Copy]) -> Iterator[Instruction]:
        """Those of parallel copies that are left, one by one."""
        wanted: dict[str, Value] = {}
        locations: dict[str, Location | None] = {}
        for copy in group:
            result, source = self.names[copy.result], copy.source
            if isinstance(source, str):
                source = self.new(source)
            wanted[result] = source  # several of one name have one value
            locations[result] = copy.cause.location
        types = self.function.types

        def temporary(name: str) -> str:
            locations[new := self.builder.fresh(name, types[name])] = locations[name]
            return new

        for result, source in in_sequence(wanted, temporary):
            row = operations()["ir", f"copy.{types[result]}"]
            yield Instruction(row, (result,), (source,), location=locations[result])
            self.changes.count("copies inserted")


def _copies_to_itself(instruction: Instruction) -> bool:
    is_copy = instruction.operation.name.startswith("copy.")
    return is_copy and instruction.operands == instruction.results


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    return leave(function)


PLUGIN = Pass(
    "leave_ssa",
    "Turn phis and tied values into copies, and give related variables one name.",
    run,
    forms={"ssa": "ir", "ir": "ir"},
)
