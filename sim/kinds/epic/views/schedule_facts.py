"""Schedules of loops as plain data: the facts of the views `schedule` and `bundles`.

    ops: adds, shr.u, add, lfetch, xor, ld8   ->   row 0: 1 cycle, no nop
    row: true                                      MII {ld8 M0, shr.u I0, adds I1}
                                                   MMI; {lfetch M1, add M2, xor M3}

A problem file is scheduled (if it is a loop) and its rows are packed here; of a compiled program
the kernels are shown as the code has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from compiler.analyses.dependence_graph import Arc
from compiler.frontends.ia64.written_problems import WrittenProblem, read_problem
from compiler.ir.module import Block, Function, Instruction
from compiler.targets.epic.bundling.automaton import automaton
from compiler.targets.epic.bundling.bundles import (
    SLOTS,
    PackedBundle,
    Syllable,
    bundles_of,
    issue,
    nop,
    syllable_of,
)
from compiler.targets.epic.passes.bundlers import DoesNotFit, find_bundler
from compiler.targets.epic.passes.microschedule import meeting
from compiler.targets.epic.scheduling.modulo import schedule_loop
from compiler.targets.epic.scheduling.problem import (
    GaveUp,
    ImpossibleLoopError,
    arcs_between,
    branch_last,
)
from machines.description.load import Machine
from machines.diagnostics import InputError, input_error
from machines.kinds.epic.fields import Epic

STOP = ";"
"""At the end of a template's name: a stop ends the bundle."""


@dataclass(frozen=True, slots=True)
class ScheduleOptions:
    """How a problem is solved: by which plugins, and which arcs meet in a row (see
    `microschedule`)."""

    bundler: str = "microschedule"
    scheduler: str = "slack"
    reservation: str = "automaton"
    rules: str = "sound"


@dataclass(frozen=True, slots=True)
class SlotFacts:
    """What is in a slot: an operation's name, None for a nop or the second half of a long
    operation; and the port it issues to."""

    op: str | None
    unit: str | None


@dataclass(frozen=True, slots=True)
class BundleFacts:
    """A bundle; `template` names a stop inside, `stop` says whether one ends it."""

    template: str
    slots: list[SlotFacts]
    stop: bool


@dataclass(frozen=True, slots=True)
class OperationFacts:
    """An operation of a row; `text` is its mnemonic, or what the problem's file says, `unit` the
    port it issues to."""

    name: str
    text: str
    stage: int
    unit: str


@dataclass(frozen=True, slots=True)
class RowFacts:
    """A row of a kernel as it is packed."""

    row: int
    cycles: int
    split_issues: int
    nops: int
    bundles: list[BundleFacts]
    operations: list[OperationFacts]


@dataclass(frozen=True, slots=True)
class ScheduleFacts:
    """A loop's schedule.

    name       of the loop's block or the problem's file
    res_mii    with rec_mii, the bounds on ii; None for a row alone, as is ii if it is not given
    least_ii   no smaller one has a schedule, as was proved
    """

    name: str
    res_mii: int | None
    rec_mii: int | None
    least_ii: int | None
    ii: int | None
    stages: int
    rows: list[RowFacts]


@dataclass(frozen=True, slots=True)
class AutomatonFacts:
    """The machine's automaton: states reached, patterns of templates, seconds to build it."""

    states: int
    patterns: int
    seconds: float


def automaton_facts(machine: Machine) -> AutomatonFacts:
    built = automaton(machine.description)
    return AutomatonFacts(built.states, built.patterns, built.build_seconds)


def problem_facts(path: Path, machine: Machine, options: ScheduleOptions) -> ScheduleFacts:
    """Solve a problem file.

    Raises InputError for what is wrong in it, and for a loop that cannot be scheduled.
    """
    written = read_problem(path, machine.description.instructions)
    try:
        if written.stages is not None:
            return _row_alone(written, path.name, machine.description, options)
        return _loop(written, path.name, machine.description, options)
    except ImpossibleLoopError as problem:
        first = problem.operations[0]
        raise InputError(written.finding(first, str(problem), problem.hint)) from None
    except DoesNotFit as problem:
        message = f"no bundle of {machine.name} takes '{written.problem.names[problem.node]}'"
        hint = "give the machine a port and a template for it"
        raise InputError(written.finding(problem.node, message, hint)) from None


def _row_alone(
    written: WrittenProblem, name: str, description: Epic, options: ScheduleOptions
) -> ScheduleFacts:
    row = _pack(written, range(written.problem.size), 0, written.stages, description, options)
    return ScheduleFacts(name, None, None, None, written.ii, max(written.stages) + 1, [row])


def _loop(
    written: WrittenProblem, name: str, description: Epic, options: ScheduleOptions
) -> ScheduleFacts:
    found = schedule_loop(written.problem, description, options.scheduler, options.reservation)
    if isinstance(found, GaveUp):
        raise input_error(f"the loop was not scheduled: {found.reason}")
    stages = [found.stage(n) for n in range(len(found.times))]
    rows = [
        _pack(written, members, row, stages, description, options)
        for row, members in enumerate(found.rows)
    ]
    bounds = found.res_mii, found.rec_mii, found.least_ii
    return ScheduleFacts(name, *bounds, found.ii, found.stages, rows)


def _pack(
    written: WrittenProblem, members: Sequence[int], row: int, stages: Sequence[int],
    description: Epic, options: ScheduleOptions,
) -> RowFacts:  # fmt: skip
    """Pack operations of a problem as a row."""
    problem = written.problem
    if not members:
        return empty_row(row)
    syllables = [problem.syllables[n] for n in members]
    own = [stages[n] for n in members]
    arcs = [
        # What meets by the rules asked for shall meet by the bundler's own too.
        *(
            replace(arc, omega=own[arc.source] - own[arc.target])
            for arc in meeting(arcs_between(problem, members), own, options.rules)
        ),
        *branch_last(problem, members, own),
    ]
    _check_order(written, members, arcs)
    try:
        bundles = find_bundler(options.bundler).pack(syllables, arcs, own, automaton(description))
    except DoesNotFit as misfit:
        raise DoesNotFit(members[misfit.node]) from None
    told = [(problem.names[n], written.texts[n], stages[n]) for n in members]
    return _row_facts(row, bundles, syllables, told, description)


def _check_order(written: WrittenProblem, members: Sequence[int], arcs: Sequence[Arc]) -> None:
    """Raise InputError if the operations of a row wait for each other."""
    sorter: TopologicalSorter[int] = TopologicalSorter()
    for arc in arcs:
        sorter.add(arc.target, arc.source)
    try:
        sorter.prepare()
    except CycleError as error:
        names = [f"'{written.problem.names[members[n]]}'" for n in error.args[1]]
        branch = written.problem.branch
        hint = "leave out an arc, or let it reach another iteration (omega)"
        if branch in [members[n] for n in error.args[1]]:
            hint = f"'{written.problem.names[branch]}' closes the loop, so it comes last; {hint}"
        message = f"no order keeps the arcs of this row: {' before '.join(names)}"
        first = members[error.args[1][0]]
        raise InputError(written.finding(first, message, hint)) from None


def empty_row(row: int) -> RowFacts:
    """A cycle in which nothing issues: there is no code for it, what comes next waits."""
    return RowFacts(row, 1, 0, 0, [], [])


def kernel_facts(functions: Sequence[Function], description: Epic) -> list[ScheduleFacts]:
    """The pipelined loops of bundled functions, as the code has them; the first is the entry."""
    return [
        ScheduleFacts(
            name if function is functions[0] else f"{function.name}:{name}",
            kernel.res_mii,
            kernel.rec_mii,
            kernel.least_ii,
            kernel.ii,
            kernel.stages,
            list(_kernel_rows(block, kernel.ii, description)),
        )
        for function in functions
        for name, block in function.blocks.items()
        for instruction in block.instructions
        if (kernel := instruction.attributes.get("kernel"))
    ]


def _kernel_rows(block: Block, ii: int, description: Epic) -> Iterator[RowFacts]:
    """The rows of a kernel; a bundle that two of them share stands with the first."""
    bundles = list(bundles_of(block))
    instructions = [instruction for bundle in bundles for instruction in bundle]
    position = {id(instruction): number for number, instruction in enumerate(instructions)}
    packed = [_as_packed(b, [position[id(i)] for i in b], description) for b in bundles]
    issued = issue(packed, [syllable_of(i.operation) for i in instructions], description)
    nodes = [i.attributes.get("node") for i in instructions]
    names = [
        None if node is None else f"{node} {instruction.operation}"
        for node, instruction in zip(nodes, instructions, strict=True)
    ]
    begins = list(_rows_of_bundles(bundles))
    for row in range(ii):
        members = [
            number
            for number, instruction in enumerate(instructions)
            if nodes[number] is not None and instruction.attributes["cycle"] == row
        ]
        if not members:
            yield empty_row(row)
            continue
        operations = [
            OperationFacts(
                names[k],
                str(instructions[k].operation),
                instructions[k].attributes["stage"],
                issued.ports[k],
            )
            for k in members
        ]
        own = [bundle for bundle, first in zip(packed, begins, strict=True) if first == row]
        filled = [k for bundle in own for k in bundle.filling if k is not None]
        cycles = len({issued.groups[k] for k in members})
        facts = [_bundle_facts(bundle, names, issued.ports) for bundle in own]
        nops = sum(nodes[k] is None for k in filled)
        yield RowFacts(row, cycles, cycles - 1, nops, facts, operations)


def _rows_of_bundles(bundles: list[list[Instruction]]) -> Iterator[int]:
    """The row that each bundle begins with; one of nops is of the next row."""
    rows: list[int | None] = [
        next((i.attributes["cycle"] for i in bundle if "node" in i.attributes), None)
        for bundle in bundles
    ]
    for position, row in enumerate(rows):
        yield row if row is not None else next(r for r in rows[position:] if r is not None)


def _as_packed(
    code: list[Instruction], numbers: list[int | None], description: Epic
) -> PackedBundle:
    name = code[0].attributes["template"]
    template = description.templates[name]
    given = iter(numbers)
    filling = tuple(None if kind == "X" else next(given) for kind in template.slots)
    return PackedBundle(name, template.slots, filling, template.stops)


def _row_facts(
    row: int, bundles: Sequence[PackedBundle], syllables: Sequence[Syllable],
    told: Sequence[tuple[str, str, int]], description: Epic,
) -> RowFacts:  # fmt: skip
    """Issue a row's bundles as the machine does; `told`: name, text, stage of its operations."""
    whole, all_syllables = _with_nops(bundles, syllables)
    issued = issue(whole, all_syllables, description)

    operations = [OperationFacts(*facts, issued.ports[k]) for k, facts in enumerate(told)]
    names: list[str | None] = [operation.name for operation in operations]
    names += [None] * (len(all_syllables) - len(names))
    facts = [_bundle_facts(bundle, names, issued.ports) for bundle in whole]
    nops = len(all_syllables) - len(syllables)
    return RowFacts(row, issued.cycles, issued.cycles - 1, nops, facts, operations)


def _bundle_facts(
    bundle: PackedBundle, names: Sequence[str | None], ports: Mapping[int, str]
) -> BundleFacts:
    """A bundle whose nops have numbers, but no names."""
    slots = [
        SlotFacts(None, None) if number is None else SlotFacts(names[number], ports[number])
        for number in bundle.filling
    ]
    return BundleFacts(bundle.template.removesuffix(STOP), slots, SLOTS - 1 in bundle.stops)


def _with_nops(
    bundles: Sequence[PackedBundle], syllables: Sequence[Syllable]
) -> tuple[list[PackedBundle], list[Syllable]]:
    """The same bundles with nops as operations that have numbers, since they take ports too."""
    every = list(syllables)
    whole = []
    for bundle in bundles:
        filling = list(bundle.filling)
        for slot, kind in enumerate(bundle.slots):
            if filling[slot] is None and kind != "X":
                filling[slot] = len(every)
                every.append(syllable_of(nop(kind)))
        whole.append(replace(bundle, filling=tuple(filling)))
    return whole, every
