"""What every module must satisfy; all findings at once.

A function with a phi or a tied use (`else x2`) is in SSA form and must keep its rules; every other
function is in variable form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from compiler.analyses.assignment import uncertain_reads
from compiler.analyses.control_flow import control_flow
from compiler.ir.builder import canonical
from compiler.ir.facts import companions, function_notes, is_flat
from compiler.ir.literals import literal_range
from compiler.ir.module import Block, Function, Instruction, Interval, Module, Value
from compiler.verify.tensors import Finding, interval_findings, kind_findings, size_findings
from machines.diagnostics import Diagnostic, InputError, Location, diagnostic, nearest
from machines.layout import MOST_BYTES
from machines.operations.row import Label, OperandKind, Region, Symbol
from machines.types import I1, I64, IN_MEMORY, PTR, Type, scalar_type


def verify(module: Module) -> None:
    """Raises InputError with every finding, in source order."""
    findings = [*findings_of(module), *_beside_findings(module)]
    if findings:
        raise InputError(findings)


def findings_of(module: Module, untyped: Iterable[str] = ()) -> list[Diagnostic]:
    """All findings; `untyped` names variables whose definitions could not be read."""
    findings = list(_buffer_findings(module))
    for function in module.functions.values():
        checker = _Checker(module, function, frozenset(untyped))
        checker.check()
        findings += checker.findings
    return findings


def _beside_findings(module: Module) -> Iterator[Diagnostic]:
    """What runs beside a function is there, and runs beside no other: it shares its buffers."""
    hosts: dict[str, str] = {}
    for function in module.functions.values():
        for name in companions(function):
            if name not in module.functions:
                message = f"there is no function '@{name}' to run beside @{function.name}"
                hint = nearest(name, module.functions)
                yield diagnostic(message, function.location, source=module.source, hint=hint)
            elif hosts.setdefault(name, function.name) != function.name:
                message = f"@{name} runs beside @{hosts[name]} already, not beside @{function.name}"
                hint = "give each a function of its own"
                yield diagnostic(message, function.location, source=module.source, hint=hint)


def _buffer_findings(module: Module) -> Iterator[Diagnostic]:
    total = 0
    for buffer in module.buffers.values():
        if buffer.data is not None and len(buffer.data) != buffer.size:
            message = (
                f"buffer '{buffer.name}' has {len(buffer.data)} bytes of data, not {buffer.size}"
            )
            yield diagnostic(message, buffer.location, source=module.source)
        if buffer.data is not None and not is_flat(buffer.space):
            message = f"a buffer in {buffer.space} has no values to begin with"
            hint = "let the kernel write its elements"
            yield diagnostic(message, buffer.location, source=module.source, hint=hint)
        total += buffer.size
        if total > MOST_BYTES >= total - buffer.size:
            message = (
                f"with '{buffer.name}' the program's buffers are larger than {MOST_BYTES >> 30} GiB"
            )
            hint = "make it smaller: no machine has so much memory"
            yield diagnostic(message, buffer.location, source=module.source, hint=hint)


class _Checker:
    def __init__(self, module: Module, function: Function, untyped: frozenset[str]):
        self.module, self.function, self.untyped = module, function, untyped
        self.findings: list[Diagnostic] = []
        self.lines = (module.source or "").splitlines()

    def check(self) -> None:
        function = self.function
        for name, type in function.parameters:
            if type in IN_MEMORY:
                self.report(
                    f"parameter '{name}' of @{function.name} is {type}, and there are no scalars "
                    "of that type",
                    function.locations.get(name) or function.location,
                    f"write {name}: {scalar_type(type)}; a buffer may hold {type}",
                )
            if type is PTR and name in self.module.buffers:
                self.report(
                    f"parameter '{name}' of @{function.name} has the name of a buffer",
                    function.location,
                    "rename one of them: both would stand in memory under that name",
                )
        for name in function.notes:
            if not function_notes()[name].in_ir:
                message = f"'{name}' is said of machine code, and this is IR"
                self.report(message, function.location, f"leave '{name}' out: passes say it")
        if not function.blocks:
            self.report(f"function '{function.name}' has no block", function.location)
            return
        for block in function.blocks.values():
            self.terminators(block)
        for _, instruction in function.instructions():
            self.results(instruction)
            self.operands(instruction)
            self.guard(instruction)
        if not self.findings and (reason := _ssa_reason(function)):
            self.ssa(reason)

    # Reporting

    def report(self, message: str, location: Location | None, hint: str | None = None) -> None:
        found = diagnostic(message, location, source=self.module.source, hint=hint)
        self.findings.append(found)

    def report_all(self, instruction: Instruction, findings: Iterable[Finding]) -> None:
        for message, words, hint in findings:
            self.report(message, self.location(instruction, words), hint)

    def location(self, instruction: Instruction, word: object) -> Location | None:
        """Where `word` stands in the instruction's line, or where the instruction stands."""
        location = instruction.location
        if location is None or not 0 < location.line <= len(self.lines):
            return location
        line = self.lines[location.line - 1]
        stands_before = (*instruction.results, instruction.guard and instruction.guard.name)
        after = 0 if word in stands_before else line.find("=", location.column - 1)
        parts = re.findall(r"[\w.$]+|\S", str(word))
        spaced = r"\s*".join(map(re.escape, parts))
        pattern = rf"(?<![\w.$]){spaced}(?![\w.$])"
        match = re.compile(pattern).search(line, max(after, location.column - 1))
        if not match:
            return location
        return Location(location.file, location.line, match.start() + 1, len(match.group()))

    # Structure

    def terminators(self, block: Block) -> None:
        if not block.instructions or not block.terminator.operation.is_terminator:
            last = block.instructions[-1].location if block.instructions else block.location
            self.report(
                f"block '{block.name}' has no terminator",
                last,
                "end it with jump, branch or return",
            )
        for instruction in block.instructions[:-1]:
            if instruction.operation.is_terminator:
                name = instruction.operation.name
                message = f"'{name}' is not the last instruction of block '{block.name}'"
                self.report(message, instruction.location, "begin a new block after it")

    def results(self, instruction: Instruction) -> None:
        writes = instruction.operation.writes
        if len(instruction.results) != len(writes):
            self.report(
                f"{instruction.operation} writes {_count(len(writes), 'result')}, "
                f"not {len(instruction.results)}",
                instruction.location,
                _signature(instruction),
            )
        for operand, name in zip(writes, instruction.results, strict=False):
            known = self.function.types.get(name)
            if known is not None and known is not operand.kind:
                message = f"'{name}' is {known}, but {instruction.operation} gives {operand.kind}"
                hint = "a variable has one type in the whole function: use another name"
                self.report(message, self.location(instruction, name), hint)

    def guard(self, instruction: Instruction) -> None:
        guard, row = instruction.guard, instruction.operation
        if instruction.otherwise and guard is None:
            message = "'else' without a guard"
            self.report(message, instruction.location, "begin with '@p' or '@!p'")
        if guard is None:
            return
        if row.is_terminator or instruction.is_phi:
            message = f"'{row}' cannot have a guard"
            hint = "branch on the guard instead" if row.is_terminator else None
            self.report(message, instruction.location, hint)
        self.value(instruction, guard.name, I1, "the guard")
        if instruction.otherwise and len(instruction.otherwise) != len(row.writes):
            count = _count(len(row.writes), "result")
            values = _count(len(instruction.otherwise), "value")
            hint = "'else' says what a result is if the guard stops it: one value for each"
            self.report(f"{values} after 'else' for {count}", instruction.location, hint)
        for operand, value in zip(row.writes, instruction.otherwise, strict=False):
            self.value(instruction, value, operand.kind, "the value after 'else'")

    def operands(self, instruction: Instruction) -> None:
        row = instruction.operation
        if instruction.is_phi:
            labels, values = instruction.operands[::2], instruction.operands[1::2]
            for label in labels:
                self.value(instruction, label, Label(), "")
            for value in values:
                self.value(instruction, value, row.writes[0].kind, f"an operand of {row}")
            return
        if row.control == "return":
            self.returned(instruction)
            return
        if row.calls:
            self.called(instruction)
            return
        already = len(self.findings)
        if len(instruction.operands) != len(row.reads):
            self.report(
                f"{row} takes {_count(len(row.reads), 'operand')}, not {len(instruction.operands)}",
                instruction.location,
                _signature(instruction),
            )
        for operand, value in zip(row.reads, instruction.operands, strict=False):
            if "literal" in row.flags and isinstance(value, str):
                message = f"{row} takes a number, not '{value}'"
                hint = f"use {row.name.replace('const', 'copy')} for a variable"
                self.report(message, self.location(instruction, value), hint)
            else:
                meaning = f"operand '{operand.name}' of {row}"
                self.value(instruction, value, operand.kind, meaning)
        if row.walk and len(self.findings) == already:
            self.report_all(instruction, size_findings(instruction))

    def returned(self, instruction: Instruction) -> None:
        result = self.function.result
        expected = 0 if result is None else 1
        if len(instruction.operands) != expected:
            wanted = f"a value of type {result}" if result else "nothing"
            message = (
                f"@{self.function.name} returns {wanted}, not {len(instruction.operands)} values"
            )
            hint = (
                f"'return x' with x: {result}" if result else "write '-> TYPE' after its parameters"
            )
            self.report(message, instruction.location, hint)
        elif result is not None:
            self.value(instruction, instruction.operands[0], result, "the returned value")

    def called(self, instruction: Instruction) -> None:
        name, *arguments = instruction.operands
        known = self.function.functions
        callee = known.get(name)
        if callee is None:
            message, hint = f"there is no function '@{name}'", nearest(str(name), known)
            self.report(message, self.location(instruction, name), hint)
            return
        head = ", ".join(f"{parameter}: {t}" for parameter, t in callee.parameters)
        hint = f"func @{name}({head})" + (f" -> {callee.result}" if callee.result else "")
        if instruction.operation.calls_through:
            if not arguments:
                hint = f"write '{instruction.operation} @{name}(p)': p points to the function"
                self.report("a call through no pointer", instruction.location, hint)
                return
            self.value(instruction, arguments.pop(0), PTR, "the pointer that is called through")
        if len(arguments) != len(callee.parameters):
            wanted = _count(len(callee.parameters), "argument")
            message = f"@{name} takes {wanted}, not {len(arguments)}"
            self.report(message, instruction.location, hint)
        given = instruction.operation.writes
        if callee.result is not (given[0].kind if given else None):
            base = instruction.operation.name.split(".")[0]
            result = f"{base}.{callee.result}" if callee.result else base
            message = f"@{name} returns {callee.result or 'nothing'}: write '{result}'"
            self.report(message, instruction.location, hint)
        for (parameter, kind), value in zip(callee.parameters, arguments, strict=False):
            self.value(instruction, value, kind, f"argument '{parameter}' of @{name}")

    def value(
        self, instruction: Instruction, value: Value, kind: OperandKind, meaning: str
    ) -> None:
        """One operand against its kind."""
        buffers = self.module.buffers
        if isinstance(kind, Region) and isinstance(value, Interval):
            self.report_all(instruction, interval_findings(value, kind, meaning, buffers))
            for name in value.variables:
                self.variable(instruction, name, I64, f"a bound of {value}")
        elif isinstance(kind, Region) or isinstance(value, Interval):
            self.report_all(instruction, kind_findings(value, kind, meaning, buffers))
        elif isinstance(kind, (Label, Symbol)):
            what, known = (
                ("block", self.function.blocks) if isinstance(kind, Label) else ("buffer", buffers)
            )
            if value not in known:
                message, hint = f"there is no {what} '{value}'", nearest(str(value), known)
                self.report(message, self.location(instruction, value), hint)
        elif isinstance(value, str):
            self.variable(instruction, value, kind, meaning)
        elif kind.is_float != isinstance(value, float) or not is_canonical(value, kind):
            message = f"{value} is no {kind}, which {meaning} must be"
            self.report(message, self.location(instruction, value))

    def variable(self, instruction: Instruction, name: str, kind: Type, meaning: str) -> None:
        types = self.function.types
        if types.get(name) is kind or name in self.untyped:
            return
        location = self.location(instruction, name)
        if name not in types:
            own = [
                known for known in types if not known.startswith("$")
            ]  # as the reader names what it computes
            self.report(f"'{name}' is never assigned", location, nearest(name, own))
        else:
            self.report(f"'{name}' is {types[name]}, but {meaning} must be {kind}", location)

    # SSA form

    def ssa(self, reason: Instruction) -> None:
        function, flow = self.function, control_flow(self.function)
        why = f"the function is in SSA form because of '{reason.operation}'"
        if reason.location:
            why += f" at {reason.location}"
        self.assigned_once(why)
        for block in function.blocks.values():
            seen_other = False
            for instruction in block.instructions:
                if instruction.guard and instruction.results and not instruction.otherwise:
                    message = f"the guarded '{instruction.operation}' needs 'else' and a value"
                    self.report(message, instruction.location, why)
                if not instruction.is_phi:
                    seen_other = True
                    continue
                if seen_other:
                    message = "a phi stands before every other instruction of its block"
                    self.report(message, instruction.location)
                self.phi(block, instruction, flow.predecessors[block.name])
        if not self.findings:
            self.dominance()

    def assigned_once(self, why: str) -> None:
        times = Counter(name for name, _ in self.function.parameters)
        for _, instruction in self.function.instructions():
            for name in instruction.results:
                times[name] += 1
                if times[name] == 2:
                    message = f"'{name}' is assigned more than once"
                    self.report(message, self.location(instruction, name), why)

    def phi(self, block: Block, instruction: Instruction, predecessors: tuple[str, ...]) -> None:
        labels = instruction.operands[::2]
        if block is self.function.entry:
            self.report("the entry block cannot have a phi", instruction.location)
        for label, times in Counter(labels).items():
            if label not in predecessors:
                message = f"'{label}' does not go to '{block.name}'"
                hint = f"predecessors: {', '.join(predecessors) or 'none'}"
                self.report(message, self.location(instruction, label), hint)
            elif times > 1:
                message = f"'{label}' appears {times} times"
                self.report(message, self.location(instruction, label))
        missing = [name for name in predecessors if name not in labels]
        if missing:
            message = f"the phi has no value for {', '.join(missing)}"
            self.report(message, instruction.location)

    def dominance(self) -> None:
        for _, instruction, names in uncertain_reads(self.function):
            for name in names:
                self.report(
                    f"'{name}' is not assigned on every path to this use",
                    self.location(instruction, name),
                    "in SSA form a definition dominates its uses: join the paths with a phi",
                )


def _ssa_reason(function: Function) -> Instruction | None:
    """The first instruction that only SSA form has."""
    for _, instruction in function.instructions():
        if instruction.is_phi or instruction.otherwise:
            return instruction
    return None


def is_canonical(value: int | float, kind: Type) -> bool:
    """Whether a literal is written as the IR holds it."""
    if kind is PTR or kind is I1:
        lowest, highest = literal_range(kind)
        return lowest <= value <= highest
    held = canonical(value, kind)
    return held == value or (held != held and value != value)


def _signature(instruction: Instruction) -> str:
    row = instruction.operation
    results = ", ".join(o.name for o in row.writes)
    operands = ", ".join(f"{o.name}: {_kind(o.kind)}" for o in row.reads)
    return f"write '{results + ' = ' if results else ''}{row} {operands}'"


def _kind(kind: OperandKind) -> str:
    return {Label: "block", Symbol: "buffer"}.get(type(kind), str(kind))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
