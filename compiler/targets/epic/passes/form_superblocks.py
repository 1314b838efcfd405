"""Merge the likely path through several blocks into one machine block with side exits.

    a:  cmp.lt %p, p0 = …            a:  cmp.lt p0, %not = …
        (%p) br.cond b                   (%not) br.cond c      side exit
    c:  …                         ->     ld8 %x = [%y]         (was b)
        br.cond d                        …                     (copy of d)
    b:  ld8 %x = [%y]                c:  …
    d:  …                            d:  …

A trace grows from its first block along the likelier way out of each block, within one loop; a
block of the trace that others reach as well is copied for the trace alone (tail duplication).  The
result has one entry, at its top, so that `schedule_blocks` may move instructions across what were
block borders as far as the dependences of side exits allow it.  Code deep in loops comes first.

Source: W. W. Hwu et al., "The Superblock: An Effective Technique for VLIW and Superscalar
Compilation", The Journal of Supercomputing 7, 1993.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compiler.analyses.code_flow import successors
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Instruction
from compiler.machine_code.loops import machine_loops
from compiler.targets.epic.kernels import is_kernel
from compiler.targets.epic.prediction import likely_way
from compiler.targets.epic.selection.select_control import UNLIKELY
from compiler.targets.epic.straight import Straight, put_together, take_apart, turn_around
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine


@dataclass(frozen=True, slots=True)
class SuperblockOptions:
    length: int = option(120, "Longest superblock, in instructions.")
    copied: int = option(24, "Most instructions that are copied into one superblock.")
    guess: bool = option(True, "Follow the way that runs on where neither way is likelier.")


class EndOfTraceError(Exception):
    """A trace does not grow; the message says why."""


class _Traces:
    """The traces of a function.

    fixed   blocks that stay as they are and where they are: calls, pipelined loops and what is set
            up for them
    heads   merged blocks by their first block; taken: blocks that are in one, and not as a copy
    """

    def __init__(self, function: Function, options: SuperblockOptions):
        self.builder, self.options = Builder(function), options
        self.blocks = take_apart(function)
        self.fixed = frozenset(_fixed(function))
        self.loops = machine_loops(function)
        self.changes = Changes()
        self.merged: dict[str, Straight] = {}
        self.taken: set[str] = set()
        self.entry = function.entry.name
        self.sources: dict[str, set[str]] = {name: set() for name in self.blocks}
        for name in self.loops.depth:
            for target in self.blocks[name].targets:
                self.sources[target].add(name)

    def form(self) -> None:
        """Merge from every block that is in no trace yet, those in the deepest loops first."""
        depth = self.loops.depth
        position = {name: number for number, name in enumerate(self.blocks)}
        for name in sorted(depth, key=lambda n: (-depth[n], position[n])):
            if name not in self.taken and name not in self.fixed:
                self._grow(name)

    def _grow(self, head: str) -> None:
        trace = [head]
        merged = replace(self.blocks[head], code=list(map(_copy, self.blocks[head].code)))
        copied = 0
        self.taken.add(head)
        while True:
            about = merged.code[-1] if merged.code else None
            try:
                following = self._following(trace)
                block = self.blocks[following]
                is_copied = copied > 0 or self.sources[following] != {trace[-1]}
                copied += len(block.code) if is_copied else 0
                self._check_size(len(merged.code) + len(block.code), copied)
                self._lead_to(merged, following)
            except EndOfTraceError as why:
                if about is not None:
                    self.changes.note(f"trace ends: {why}", about)
                break
            if is_copied:
                self.changes.count("instructions copied", len(block.code))
            else:
                self.taken.add(following)
            merged.code += map(_copy, block.code)
            merged.goes_on = block.goes_on
            trace.append(following)
        if len(trace) > 1:
            self.merged[head] = merged
            self.changes.count("superblocks")
            self.changes.count("blocks merged", len(trace))

    def _following(self, trace: list[str]) -> str:
        """The block that a trace grows by."""
        last = self.blocks[trace[-1]]
        if last.goes_on is None:
            raise EndOfTraceError("the function ends")
        way = likely_way(trace[-1], self.blocks, self.loops)
        if way is None and self.options.guess:
            way = last.goes_on
        if way is None:
            raise EndOfTraceError("neither way is likelier")
        if way in trace:
            raise EndOfTraceError("a way back")
        if self.loops.innermost[way] != self.loops.innermost[trace[0]]:
            raise EndOfTraceError("the border of a loop")
        if way in self.loops.by_header or way == self.entry:
            raise EndOfTraceError("the head of a loop")
        if way in self.fixed:
            raise EndOfTraceError("a call or a pipelined loop")
        if way in self.taken and self.sources[way] == {trace[-1]}:
            raise EndOfTraceError("a block of another trace")
        return way

    def _check_size(self, length: int, copied: int) -> None:
        if length > self.options.length:
            raise EndOfTraceError("long")
        if copied > self.options.copied:
            raise EndOfTraceError("much to copy")

    def _lead_to(self, merged: Straight, following: str) -> None:
        """Let control run on into the block that comes next in the trace."""
        leave = merged.exit
        if merged.goes_on == following:
            if leave is not None and leave.labels == (following,):
                merged.code.pop()
            return
        if not turn_around(self.builder, merged.code):
            raise EndOfTraceError("a condition without an opposite")
        self.builder.change(leave, operands=(UNLIKELY, merged.goes_on))

    def layout(self) -> dict[str, Straight]:
        """All blocks that are still reached: where they were, but what a superblock goes on to
        behind it."""
        blocks = self.blocks | self.merged
        reached, pending = {self.entry}, [self.entry]
        while pending:
            for target in blocks[pending.pop()].targets:
                if target not in reached:
                    reached.add(target)
                    pending.append(target)
        behind_fixed = {self.blocks[name].goes_on for name in self.fixed}
        order: dict[str, Straight] = {}
        for start in self.blocks:
            name = start if start in reached else None
            while name is not None and name not in order:
                order[name] = blocks[name]
                following = blocks[name].goes_on
                runs_on = name in self.merged and following not in behind_fixed
                name = following if name in self.fixed or runs_on else None
        return order


def _fixed(function: Function) -> Iterator[str]:
    follow = successors(function)
    for name, block in function.blocks.items():
        before_kernel = any(is_kernel(function.blocks[target]) for target in follow[name])
        if before_kernel or any(_is_fixed(instruction) for instruction in block.instructions):
            yield name


def _is_fixed(instruction: Instruction) -> bool:
    """Whether an instruction is a call, or has to do with registers that rotate."""
    operation = instruction.operation
    if operation.control not in (None, "return") and operation.name != "br.cond":
        return True
    return operation.name.startswith("clrrrb")


def _copy(instruction: Instruction) -> Instruction:
    return replace(instruction, attributes=dict(instruction.attributes))


def run(function: Function, machine: Machine, options: SuperblockOptions) -> Changes:
    traces = _Traces(function, options)
    traces.form()
    if traces.merged:
        put_together(function, traces.layout())
    return traces.changes


PLUGIN = Pass(
    "form_superblocks",
    "Merge the likely path through several blocks into one block with side exits.",
    run,
    forms={"virtual": "virtual"},
    options=SuperblockOptions,
    kinds=("epic",),
)
