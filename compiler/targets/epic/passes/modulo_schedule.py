"""Overlap the iterations of innermost loops (software pipelining).

    loop:  ldfd %x = [%p]                   loop.set_up:  ar.lc, ar.ec, p16 …
           ldfd %y = [%q]                   loop:  (p16) ldfd f32 = [%p], 8     one iteration of
           fma %s = %x, %y, %s         ->          (p16) ldfd f40 = [%q], 8     the loop begins
           adds %p = 8, %p  …                      (p22) fma f50 = f38, f46, f54  every 4 cycles,
           (%t) br.cond loop                       br.ctop loop                 seven in flight

A modulo schedule (`compiler.targets.epic.scheduling`) says when each operation of an iteration
issues, if one iteration begins every II cycles; rotating registers keep the values of iterations
apart; predicates turn on one stage after the other while the pipeline fills, and off while it
drains, so that the kernel is all the code there is (Rau, Schlansker, Tirumalai, *Code generation
schema for modulo scheduled loops*, MICRO-25, 1992).  Where registers run short II is raised.

A loop stays as it is where the list schedule of its body is as good (`pipelining.gain`), or where
the search for a schedule has become long (`scheduling.effort`).  A scheduled loop faults if
and only if the loop does, but the iterations before the one that faults may be half done, and those
after it begun.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from compiler.ir.builder import Builder
from compiler.ir.module import Function
from compiler.targets.epic.pipelining.gain import (
    LIKELY_COUNTED,
    LIKELY_WHILE,
    Weighing,
    list_cycles,
    summary,
)
from compiler.targets.epic.pipelining.kernel import Kernel, loop_branch, write_kernel
from compiler.targets.epic.pipelining.kernel_registers import (
    TooFewRegistersError,
    check_still_registers,
    kernel_registers,
)
from compiler.targets.epic.pipelining.loop_body import (
    LoopBody,
    NotPipelinedError,
    Surroundings,
    innermost_loops,
    known_count,
    read_loop,
    surroundings,
)
from compiler.targets.epic.pipelining.loop_values import loop_values
from compiler.targets.epic.pipelining.pointers import give_own_pointers
from compiler.targets.epic.pipelining.problem import late_loads, loop_problem
from compiler.targets.epic.pipelining.stage_predicates import guard_iterations
from compiler.targets.epic.scheduling.effort import Effort
from compiler.targets.epic.scheduling.load_slack import with_early_loads, with_load_slack
from compiler.targets.epic.scheduling.modulo import SPENT, LoopSchedules
from compiler.targets.epic.scheduling.problem import GaveUp, LoopSchedule, Problem
from compiler.targets.epic.scheduling.reservation import reservation as reservation_named
from compiler.transformation import Changes, Pass, option
from machines.description.load import Machine
from machines.kinds.epic.fields import Epic
from machines.types import I64

SLACK_ITERATIONS = 10
"""Iterations of a loop of known length for each stage that load slack adds, at least."""


@dataclass(frozen=True, slots=True)
class ModuloOptions:
    scheduler: str = option("slack", "Which algorithm schedules loops.")
    reservation: str = option("automaton", "What says which operations issue in one cycle.")
    stages: int = option(40, "Most stages of a loop: iterations in flight.")
    general_registers: int = option(64, "Most general registers that rotate.")
    operations: int = option(200, "Longest body that is scheduled.")
    effort: int = option(400, "Steps of the search for a schedule, for each operation of a body.")
    load_slack: bool = option(True, "Expect loads to be late, where that costs no cycle.")
    always: bool = option(False, "Pipeline loops that gain nothing by it, too.")


def pipeline(function: Function, description: Epic, options: ModuloOptions) -> Changes:
    """Pipeline the innermost loops of a function."""
    changes, places = Changes(), {name: [name] for name in function.blocks}
    around = surroundings(function)
    schedules = LoopSchedules(description, options.scheduler, options.reservation)
    for block, blocks in list(innermost_loops(function)):
        about = block.instructions[-1]
        try:
            loop = read_loop(function, block, blocks, around)
            about = loop.branch
            kernel = _kernel(function, loop, around, schedules, description, options)
        except NotPipelinedError as why:
            changes.note(f"not pipelined: {why.reason}", about, why.detail)
            continue
        places[block.name] = write_kernel(function, kernel, around)
        changes.note("loops pipelined", about, summary(kernel.schedule))
    if len(function.blocks) > len(places):
        Builder(function).order(chain.from_iterable(places.values()))
    return changes


def _kernel(
    function: Function,
    loop: LoopBody,
    around: Surroundings,
    schedules: LoopSchedules,
    description: Epic,
    options: ModuloOptions,
) -> Kernel:
    """The schedule and the registers of a loop; raises NotPipelinedError."""
    if len(loop.code) > options.operations:
        raise NotPipelinedError("long body", f"{len(loop.code)} operations")
    fresh = partial(Builder(function).fresh, type=I64)
    pointers = give_own_pointers(loop.code, fresh)
    loop = replace(loop, code=pointers.code)
    values = loop_values(loop)
    guarded = guard_iterations(values, fresh)
    nodes = [*guarded.nodes, loop_branch(loop, values.condition)]
    check_still_registers(nodes, description, options.general_registers)
    problem = loop_problem(nodes, values.condition, function.loop_distances, description)
    count = known_count(around, loop)
    too_few = "predicate"  # what the stages take
    late = late_loads(nodes, description) if options.load_slack else {}
    for schedule in _schedules(problem, late, loop, count, schedules, description, options):
        try:
            registers = kernel_registers(
                nodes,
                list(values.final.values()),
                values.condition,
                schedule,
                description,
                options.general_registers,
            )
        except TooFewRegistersError as error:
            too_few = error.file
            continue
        return Kernel(
            loop, values, nodes, pointers.copies, guarded.numbers, schedule, registers, count
        )
    raise NotPipelinedError(f"too few {too_few} registers rotate")


def _schedules(
    problem: Problem,
    late: Mapping[int, int],
    loop: LoopBody,
    count: int | None,
    schedules: LoopSchedules,
    description: Epic,
    options: ModuloOptions,
) -> Iterator[LoopSchedule]:
    """Schedules with a growing II, as long as they gain something; of one II the one
    with slack for late loads first, which is what is weighed.

    Raises NotPipelinedError if not even the first does.
    """
    weighing = None if options.always else _weighing(loop, count, description, options)
    slack = with_load_slack(problem, late)
    fits = reservation_named(options.reservation, description)
    effort = Effort(options.effort * problem.size)
    first = 1
    while True:
        schedule = wanted = schedules.schedule(
            problem, first, weighing and weighing.most_ii, effort
        )
        if late and not isinstance(schedule, GaveUp):
            relaxed = schedules.schedule(slack, schedule.ii, schedule.ii, effort)
            if _is_cheap(relaxed, schedule, count, options):
                wanted = replace(relaxed, least_ii=schedule.least_ii)
        if why := _why_not(wanted, weighing, count):
            if first == 1:
                raise NotPipelinedError(*why)
            return
        if wanted is not schedule:
            yield with_early_loads(wanted, late, fits)
            yield wanted
        if schedule.stages <= options.stages:
            yield schedule
        first = schedule.ii + 1


def _weighing(
    loop: LoopBody, count: int | None, description: Epic, options: ModuloOptions
) -> Weighing:
    fits = reservation_named(options.reservation, description)
    likely = LIKELY_WHILE if loop.counter is None else LIKELY_COUNTED
    alone = list_cycles(loop.block.instructions, description, fits)
    return Weighing(likely if count is None else count, alone)


def _why_not(
    schedule: LoopSchedule | GaveUp, weighing: Weighing | None, count: int | None
) -> tuple[str, str] | None:
    """Reason and detail, if a schedule is not there or gains nothing."""
    found = "" if isinstance(schedule, GaveUp) else f"; {summary(schedule)}"
    if weighing is None:
        return (schedule.reason, "") if isinstance(schedule, GaveUp) else None
    known = "likely" if count is None else "known"
    alone = f"{weighing.alone} cycles each, {weighing.count} iterations {known}{found}"
    if isinstance(schedule, GaveUp) and schedule.reason == SPENT:
        return SPENT, alone
    if isinstance(schedule, GaveUp) or not weighing.is_worth_it(schedule.ii, schedule.stages):
        return "the list schedule is as good", alone
    return None


def _is_cheap(
    relaxed: LoopSchedule | GaveUp,
    schedule: LoopSchedule,
    count: int | None,
    options: ModuloOptions,
) -> bool:
    """Whether more stages cost little beside the loop, as far as its length is known."""
    if isinstance(relaxed, GaveUp) or relaxed.stages > options.stages:
        return False
    more = relaxed.stages - schedule.stages
    return count is None or SLACK_ITERATIONS * more <= count


def run(function: Function, machine: Machine, options: ModuloOptions) -> Changes:
    return pipeline(function, machine.description, options)


PLUGIN = Pass(
    "modulo_schedule",
    "Overlap the iterations of innermost loops (software pipelining).",
    run,
    forms={"virtual": "virtual"},
    options=ModuloOptions,
    kinds=("epic",),
)
