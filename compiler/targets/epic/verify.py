"""What code of EPIC machines must satisfy in each form; all findings at once.

allocated   registers are the machine's
scheduled   every instruction has its row, and the machine can issue each row in one cycle
bundled     whole bundles of templates that the machine has, and each syllable finds a port

The kernel of a pipelined loop has its rows in every form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby, zip_longest

from compiler.ir.module import Block, Function, Instruction
from compiler.ir.reading.attribute_text import print_value
from compiler.targets.epic.bundling.bundles import SLOTS, bundles_of, syllable_of
from compiler.targets.epic.calling import Convention
from compiler.targets.epic.kernels import PipelinedLoop, is_kernel, rotating_registers
from compiler.targets.epic.registers.operands import (
    CONSTANT,
    KIND_OF_FILE,
    OUTPUT,
    PREFIX,
    RETURN_ADDRESS,
    copies_onto_itself,
    file_of_type,
    reads,
)
from compiler.targets.epic.scheduling.reservation import reservation
from compiler.verify.machine_code import CodeRules, RegisterFile, code_findings
from machines.diagnostics import Diagnostic, nearest
from machines.instructions.ia64_frame import REGION_UNIT
from machines.instructions.ia64_operands import GLOBAL_POINTER
from machines.kinds.epic.code import ROTATING
from machines.kinds.epic.dispersal import BundleView, NeverIssues, disperse
from machines.kinds.epic.fields import Epic
from machines.types import Type

VIRTUAL = "virtual"
LOOP_BRANCHES = ("br.ctop", "br.wtop")
"""That turn a kernel."""
ATTRIBUTES = {
    "access": int, "ordered": bool, "fresh": bool, "spill_slot": int, "returns": str,
    "passes": tuple, "clobbers": tuple, "cycle": int, "node": int, "stage": int, "after": tuple,
    "kernel": PipelinedLoop, "template": str,
}  # fmt: skip


def verify(function: Function, form: str, description: Epic) -> list[Diagnostic]:
    """The findings in a function of a form, which is one from 'virtual' to 'bundled'.

    Raises NeverIssues for bundles that the machine has and cannot issue: no pass could do better.
    """
    findings = code_findings(function, _rules(function, form, description))
    for _, instruction in function.instructions():
        findings += _own_findings(instruction)
    findings += _rotation_findings(function, description)
    blocks = function.blocks.values()
    if not findings:
        for block in blocks:
            findings += _kernel_findings(block, function, form)
    if not findings and form != "bundled":
        for block in blocks:
            if form == "scheduled" or is_kernel(block):
                findings += _row_findings(block, description)
    if not findings and form == "bundled":
        for block in blocks:
            findings += _bundle_findings(block, description)
    return findings


def _rules(function: Function, form: str, description: Epic) -> CodeRules:
    files = description.registers
    pointer = files["general"].stack_pointer
    given = {RETURN_ADDRESS, f"r{GLOBAL_POINTER}", *Convention(description).arguments(function)}
    given |= set() if pointer is None else {f"r{pointer}"}
    for file, prefix in PREFIX.items():
        rotating = rotating_registers(function, description, file)
        given.update(f"{prefix}{number}" for number in rotating)
    return CodeRules(
        description.instructions,
        {PREFIX[name]: RegisterFile(KIND_OF_FILE[name], f.count) for name, f in files.items()},
        _file_of,
        virtual=form == VIRTUAL,
        aliases={OUTPUT: PREFIX["general"]} if form == VIRTUAL else {},
        given=given,
        reads=lambda i: (name for name, _ in reads(i) if _is_register(name)),
        writes=partial(_writes, results=_results(description)),
        attributes=ATTRIBUTES,
        names=("returns", "passes", "clobbers"),
    )


def _results(description: Epic) -> frozenset[str]:
    """The registers in which functions return their results."""
    return frozenset(
        f"{PREFIX[name]}{file.result}"
        for name, file in description.registers.items()
        if file.result is not None
    )


def _writes(instruction: Instruction, results: frozenset[str]) -> list[str]:
    """The registers in which an instruction leaves a value; of what a callee may change that is
    its result."""
    changed = instruction.attributes.get("clobbers", ())
    return [*instruction.results, *results.intersection(changed)]


def _file_of(t: Type) -> str:
    return KIND_OF_FILE[file_of_type(t)]


def _is_register(name: str) -> bool:
    """Not one of the resources, as 'ar.lc' and 'pr' are."""
    return name[0] == "%" or name[1:].isdigit()


def _own_findings(instruction: Instruction) -> Iterator[Diagnostic]:
    operation, location = instruction.operation, instruction.location
    if instruction.guard is not None and instruction.guard.negated:
        hint = "guard it with the complement, which the compare writes too"
        yield Diagnostic(f"{operation}: a guard cannot be negated", location, hint=hint)
    if copies_onto_itself(instruction):
        message = f"{operation}: '{instruction.results[0]}' is copied onto itself"
        yield Diagnostic(message, location, hint="leave it out")
    for name in instruction.results:
        if name in CONSTANT and name != f"{PREFIX['predicate']}0":
            message = f"{operation}: '{name}' never changes and cannot be written"
            yield Diagnostic(message, location)


# ── kernels of pipelined loops ───────────────────────────────────────────────────────────────


def _rotation_findings(function: Function, description: Epic) -> Iterator[Diagnostic]:
    most = description.largest_frame
    rotating = ROTATING.of(function)
    if rotating not in range(0, most + 1, REGION_UNIT):
        message = f"'rotating' cannot be {rotating} in function '{function.name}'"
        hint = f"it is a multiple of {REGION_UNIT} from 0 to {most}: general registers that rotate"
        yield Diagnostic(message, function.location, hint=hint)


def _kernel_findings(block: Block, function: Function, form: str) -> Iterator[Diagnostic]:
    code = [i for i in block.instructions if not (form == "bundled" and _fills(i))]
    has_schedule = [i for i in code if "kernel" in i.attributes]
    if not has_schedule:
        return
    branch = code[-1]
    if any(instruction is not branch for instruction in has_schedule):
        message = f"{has_schedule[0].operation}: it is not the last instruction of a kernel"
        hint = "attribute 'kernel' is of the branch at the end of a pipelined loop"
        yield Diagnostic(message, has_schedule[0].location, hint=hint)
    elif branch.operation.name not in LOOP_BRANCHES or branch.labels != (block.name,):
        message = f"{branch.operation}: it does not lead back to kernel '{block.name}'"
        hint = f"a kernel is one block, and ends with {' or '.join(LOOP_BRANCHES)} to itself"
        yield Diagnostic(message, branch.location, hint=hint)
    elif block is function.entry:
        message = f"function '{function.name}' begins with kernel '{block.name}'"
        yield Diagnostic(message, block.location, hint="a block before it sets up the loop")
    else:
        yield from _place_findings(code, branch.attributes["kernel"])


def _fills(instruction: Instruction) -> bool:
    """Whether it only fills a slot of a bundle."""
    return "nop" in instruction.operation.flags and "node" not in instruction.attributes


def _place_findings(code: list[Instruction], loop: PipelinedLoop) -> Iterator[Diagnostic]:
    """Every instruction of a kernel has a number of its own, and its place in the schedule."""
    rows: dict[int, int] = {}  # of the instructions before
    for instruction in code:
        cycle, stage, node = map(instruction.attributes.get, ("cycle", "stage", "node"))
        in_row = [number for number, row in rows.items() if row == cycle]
        after = instruction.attributes.get("after", ())
        unknown = [number for number in after if number not in in_row]
        is_last, hint = instruction is code[-1], None
        if instruction.operation.control and not is_last:
            message, hint = "it stands inside a kernel", "a kernel is left at its end only"
        elif cycle is None or (cycle != loop.ii - 1 if is_last else not 0 <= cycle < loop.ii):
            message = f"its row is {cycle}, and the kernel's ii {loop.ii}"
            hint = "rows are 0 to ii - 1, and the branch stands in the last"
        elif stage is None or not 0 <= stage < loop.stages:
            message = f"its stage is {stage}, and the kernel has {loop.stages}"
            hint = "stages are counted from 0: {stage: 0}"
        elif node is None:
            message = "it has no number in the kernel"
            hint = "it is any that no other instruction of the kernel has: {node: 0}"
        elif node in rows:
            message = f"another instruction of the kernel has number {node}, too"
        elif unknown:
            message = f"nothing before it in row {cycle} has number {print_value(unknown[0])}"
            hint = "'after' names instructions of the row that stand in earlier slots"
        else:
            rows[node] = cycle
            continue
        yield Diagnostic(f"{instruction.operation}: {message}", instruction.location, hint=hint)
        return


# ── rows ─────────────────────────────────────────────────────────────────────────────────────


def _row_findings(block: Block, description: Epic) -> Iterator[Diagnostic]:
    last = 0
    for instruction in block.instructions:
        cycle = instruction.attributes.get("cycle")
        if type(cycle) is not int or cycle < last:
            message = f"{instruction.operation}: its row is {cycle!r}, behind row {last}"
            hint = "rows are numbers that do not go down within a block: {cycle: 3}"
            yield Diagnostic(message, instruction.location, hint=hint)
            return
        last = cycle
    fits = reservation("ports", description)
    for cycle, row in groupby(block.instructions, key=lambda i: i.attributes["cycle"]):
        code = list(row)
        if not fits([syllable_of(i.operation) for i in code]):
            message = f"no cycle of the machine takes the {len(code)} instructions of row {cycle}"
            yield Diagnostic(message, code[0].location, hint="give some of them a later row")


# ── bundles ──────────────────────────────────────────────────────────────────────────────────


def _bundle_findings(block: Block, description: Epic) -> Iterator[Diagnostic]:
    bundles = list(bundles_of(block))
    for code, following in zip_longest(bundles, bundles[1:]):
        first = code[0]
        name = first.attributes.get("template")
        template = description.templates.get(name)
        if name is None:
            hint = 'the first of a bundle says its template: {template: "MII"}'
            yield Diagnostic(f"{first.operation}: it is in no bundle", first.location, hint=hint)
        elif template is None:
            message = f"{first.operation}: the machine has no template {name!r}"
            hint = nearest(str(name), description.templates)
            yield Diagnostic(message, first.location, hint=hint)
        else:
            after = following[0] if following else None
            yield from _slot_findings(code, after, name, template.slots, description)


def _slot_findings(
    code: list[Instruction],
    after: Instruction | None,
    name: str,
    slots: tuple[str, ...],
    description: Epic,
) -> Iterator[Diagnostic]:
    """Every instruction has a slot that takes it, every slot an instruction, and a port; `after`
    begins the next bundle of the block."""
    classes: list[str | None] = []
    for instruction in code:
        slot, operation = len(classes), instruction.operation
        if slot >= SLOTS:
            message = f"{operation}: the {name} bundle is full before it"
            hint = "begin another bundle here, with its template"
            yield Diagnostic(message, instruction.location, hint=hint)
            return
        if not syllable_of(operation).fits(slots[slot], slot):
            wanted = "the last" if "last_slot" in operation.flags else operation.slot_kind
            message = f"{operation}: slot {slot} of a {name} bundle is {slots[slot]}"
            hint = f"it takes a slot that is {wanted}"
            yield Diagnostic(message, instruction.location, hint=hint)
            return
        classes += [operation.scheduling_class, *([None] if operation.slot_kind == "LX" else [])]
    if len(classes) < SLOTS:
        beside, side = (after, "before") if after else (code[-1], "behind")
        message = f"{beside.operation}: the {name} bundle is not full {side} it"
        hint = f"slot {len(classes)} is {slots[len(classes)]}: put a nop into it"
        yield Diagnostic(message, beside.location, hint=hint)
        return
    view, slot = BundleView(name, tuple(classes)), 0
    for instruction in code:
        try:
            disperse(description, (view,), slot)
        except NeverIssues as error:
            raise error.at(instruction.location) from None
        slot += 2 if instruction.operation.slot_kind == "LX" else 1
