"""Put the code of short functions, and of those called from one place, in place of their calls.

    entry: x = call.i64 @twice(a)         entry:          twice.n.1 = copy.i64 a
           return x                                       jump twice.entry.1
                                   ->     twice.entry.1:  twice.m.1 = add.i64 twice.n.1, twice.n.1
    func @twice(n: i64) -> i64 {                          x = copy.i64 twice.m.1
    entry: m = add.i64 n, n                               jump entry.after.1
           return m                       entry.after.1:  return x
    }

Functions that may call themselves stay.  A variable that the callee may read before it assigns it
is 0 whenever it is called.  For functions in variable form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from compiler.analyses.liveness import liveness
from compiler.ir.builder import Builder
from compiler.ir.copy import copy_function
from compiler.ir.module import Block, Function, Guard, Instruction, Value
from compiler.passes.leave_ssa import leave
from compiler.targets import target_of
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.operations.row import Label


@dataclass(frozen=True, slots=True)
class InlineOptions:
    limit: int = option(30, "Most instructions of a function that is inlined everywhere.")
    single_limit: int = option(500, "The same of a function that one call names.")
    growth: int = option(5000, "Most instructions of a function that others are inlined into.")


def inline(function: Function, options: InlineOptions) -> Changes:
    """Inline what is called, and what that calls: block by block, the copied ones where they are
    put."""
    changes, builder, known = Changes(), Builder(function), _Callees(function.functions)
    size = _size(function)
    layout: list[str] = []
    pending = list(reversed(function.blocks))
    while pending:
        layout.append(pending.pop())
        block = function.blocks[layout[-1]]
        for call in [i for i in block.instructions if _names_a_function(i)]:
            callee = function.functions[str(call.operands[0])]
            why_not = known.why_not(function, size, callee, options)
            if why_not is not None:
                changes.note("call left", call, why_not)
                continue
            size -= len(block.instructions)
            inside = _Splice(builder, block, call, callee).run()
            size += sum(len(function.blocks[name].instructions) for name in (block.name, *inside))
            changes.note("call inlined", call, f"@{callee.name} has {_size(callee)} instructions")
            pending += reversed(inside)
            break  # what stood behind the call is in a block inside now
    if layout != list(function.blocks):
        builder.order(layout)
    return changes


def _names_a_function(instruction: Instruction) -> bool:
    return instruction.operation.calls and not instruction.operation.calls_through


class _Callees:
    """What is known of the functions of a module, as they were read."""

    def __init__(self, functions: Mapping[str, Function]):
        self._functions = functions
        self._reach_themselves: dict[str, bool] = {}

    @cached_property
    def _calls(self) -> Counter[str]:
        """How many calls in the module name each function."""
        return Counter(
            str(instruction.operands[0])
            for function in self._functions.values()
            for _, instruction in function.instructions()
            if _names_a_function(instruction)
        )

    def why_not(
        self, function: Function, size: int, callee: Function, options: InlineOptions
    ) -> str | None:
        """Why a function stays a call in another one, which is `size` instructions long by now;
        None if it need not."""
        name, own = callee.name, _size(callee)
        if name not in self._reach_themselves:
            self._reach_themselves[name] = _reaches_itself(callee)
        if name == function.name or self._reach_themselves[name]:
            return f"@{name} may call itself"
        if own > (options.single_limit if self._calls[name] == 1 else options.limit):
            return f"@{name} has {own} instructions"
        if size + own > options.growth:
            return f"@{function.name} is long enough"
        return None


def _size(function: Function) -> int:
    return sum(len(block.instructions) for block in function.blocks.values())


def _reaches_itself(function: Function) -> bool:
    seen: set[str] = set()
    pending = list(function.callees)
    while pending:
        name = pending.pop()
        if name == function.name:
            return True
        if name not in seen:
            seen.add(name)
            pending += function.functions[name].callees
    return False


class _Splice:
    """Puts a copy of the callee between what stands before a call and what stands behind it."""

    def __init__(self, builder: Builder, block: Block, call: Instruction, callee: Function):
        self.builder, self.block, self.call = builder, block, call
        self.function = builder.function
        self.callee = copy_function(callee)
        leave(self.callee)
        builder.location = call.location
        hint = self.callee.name
        self.names = {
            name: self.builder.fresh(f"{hint}.{name}", t) for name, t in self.callee.types.items()
        }
        self.labels: dict[str, str] = {}
        for name in self.callee.blocks:
            self.labels[name] = self.builder.fresh_block(f"{hint}.{name}")
            self.builder.block(self.labels[name])
        self.after = self.builder.block(self.builder.fresh_block(f"{block.name}.after"))
        self.inside = [*self.labels.values(), self.after.name]

    def run(self) -> list[str]:
        """The blocks that belong behind that of the call, in their order."""
        code = self.block.instructions
        index = next(k for k, i in enumerate(code) if i is self.call)
        self.builder.set_instructions(self.after, code[index + 1 :])
        self.builder.set_instructions(self.block, code[:index])
        self._enter()
        for name, label in self.labels.items():
            self.builder.at(self.function.blocks[label])
            for instruction in self.callee.blocks[name].instructions:
                self._copy(instruction)
        return self.inside

    def _enter(self) -> None:
        """Set the parameters, and 0 where the callee may read before it assigns."""
        builder, entry = self.builder, self.callee.entry.name
        guard = self.call.guard
        builder.at(self.block)
        if guard is not None:
            first = builder.block(builder.fresh_block(f"{self.callee.name}.call"))
            self.inside.insert(0, first.name)
            builder.at(self.block)
            ways = (self.after, first) if guard.negated else (first, self.after)
            builder.branch(guard.name, *ways)
            builder.at(first)
        parameters = dict(self.callee.parameters)
        given = zip(parameters.items(), self.call.operands[1:], strict=True)
        for (name, t), value in given:
            builder.emit(f"copy.{t}", value, result=self.names[name])
        for name in liveness(self.callee).live_in[entry]:
            if name not in parameters:
                t = self.callee.types[name]
                builder.emit(f"copy.{t}", 0, result=self.names[name])
        builder.jump(self.labels[entry])

    def _copy(self, instruction: Instruction) -> None:
        if instruction.operation.control == "return":
            for result, value in zip(self.call.results, instruction.operands, strict=False):
                t = self.function.types[result]
                self.builder.emit(f"copy.{t}", self._renamed(value), result=result)
            self.builder.jump(self.after)
            return
        kinds = [operand.kind for operand in instruction.operation.reads]
        operands = tuple(
            self.labels[str(value)] if k < len(kinds) and isinstance(kinds[k], Label) else value
            for k, value in enumerate(instruction.operands_with(self._renamed))
        )
        guard = instruction.guard
        self.builder.insert(
            replace(
                instruction,
                results=tuple(map(self.names.__getitem__, instruction.results)),
                operands=operands,
                guard=guard and Guard(self.names[guard.name], guard.negated),
                attributes=dict(instruction.attributes),
            )
        )

    def _renamed(self, value: Value) -> Value:
        return self.names[value] if isinstance(value, str) else value


WHATEVER_THE_SIZE = InlineOptions(1 << 30, 1 << 30, growth=1 << 18)
"""Of machines that have no calls."""


def run(function: Function, machine: Machine | None, options: InlineOptions) -> Changes:
    has_calls = machine is None or target_of(machine).calls
    return inline(function, options if has_calls else WHATEVER_THE_SIZE)


PLUGIN = Pass(
    "inline_calls",
    "Put short functions, and those called from one place, in place of their calls.",
    run,
    options=InlineOptions,
)
