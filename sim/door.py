"""What a Python caller does: run, look into a run, compile, load machines, study.

Everything may be named by its file, or given as Python values that say what such a file says.
Both are checked alike, and all that is wrong is an InputError that names the parameter or the key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from machines.cache.results import kept_as_a_rule
from machines.description.load import Machine
from machines.description.load import load_machine as read_machine
from machines.diagnostics import input_error, nearest
from sim import options
from sim.interruption import Interrupted
from sim.kinds import that_compile
from sim.levels import runs_alone
from sim.prepared_case import PreparedCase, prepare
from sim.results.result import Result
from sim.results.series import wanted_of
from sim.results.vocabulary import vocabulary_of
from sim.runner import (
    check_races,
    check_threads,
    check_timing_only,
    compile_program,
    compile_workload,
    execute,
    request_of,
    suffix_of,
)
from sim.status import INTERRUPTED
from sim.stepping import Session
from sim.timeline.recording import Recording
from sim.timeline.span import Happening
from sim.timeline.window import TraceWindow
from sim.traced import check_traceable, trace_writer, traced
from sim.without_workload import compile_alone, judged
from sim.workload.given_arguments import as_arguments
from sim.workload.schema import SUFFIXES, Source, Workload, read_workload, workload_of

if TYPE_CHECKING:
    from sim.runner import Compilation
    from sim.studies.study_result import StudyResult

GivenMachine = str | os.PathLike[str] | Mapping[str, Any] | Machine
"""A machine by its name or file, as what such a file says, or as `load_machine` gave it."""
GivenFile = str | os.PathLike[str] | Mapping[str, Any]
"""A workload or a study by its file, or as what such a file says."""
GivenTrace = str | os.PathLike[str] | Callable[[Happening], object]
"""Where what happens when is to go: a file, or what is called with it."""
Progress = Callable[[int], None]


@kept_as_a_rule()
def load_machine(machine: GivenMachine, overrides: options.Overrides = ()) -> Machine:
    """A machine, checked: `.description` has its figures, `.fields()` what each of them means.

    machine    its name, its file, or a mapping with what such a file says, sources of figures
               included: {"extends": "itanium2", "name": "mine", "source": "assumed: …", …}, where
               files are those of the current folder.  Or a machine that is to be changed
    overrides  changes: "memory.l1d.size=32KiB", a list of such, or a mapping

    Raises InputError with every finding.
    """
    return read_machine(options.machine(machine), options.overrides(overrides))


@kept_as_a_rule()
def compile(
    program: GivenFile | None = None,
    *,
    machine: GivenMachine | None = None,
    overrides: options.Overrides = (),
    passes: options.Passes = None,
    entry: str | None = None,
    source: str | None = None,
    language: str | None = None,
    keep: str | Sequence[str] = (),
) -> Compilation:
    """Compile a program, or that of a workload; nothing runs.

    program    a program's file; or a workload, by its `.yaml` file, its folder, or as a mapping
    machine    what it is compiled for, unless that is the workload's own
    overrides  changes of the machine, as `load_machine` takes them
    passes     as `run` takes them
    entry      the function, if there are several
    source     the text of the program, which is in no file
    language   what it is written in: a front end ("python") or a suffix (".sir"), if `program` does
               not say that by its suffix
    keep       passes of which the code that they leave is kept, or "all"

    Gives what became of it: `.program` in the form of the machine's kind, `.listing` as assembly,
    `.entry`, `.report.steps` (of each pass what it did, the form after it, the seconds it took, and
    the code, `.printed`, if that was kept), `.functions` of machine code, `.module` of IR.

    Raises InputError with every finding.
    """
    given = None if machine is None else load_machine(machine, overrides)
    text = _source(source, language)
    chosen, function = options.passes(passes), options.text("entry", entry)
    names = options.names("keep", keep)

    def is_kept(name: str) -> bool:
        return name in names or "all" in names

    if isinstance(program, Mapping) or (program is not None and _is_workload(program)):
        workload = _workload(program, given, text)
        changes = options.overrides(overrides) if given is None else ()
        compiled = compile_workload(workload, given, changes, chosen, function, is_kept)
        assert compiled.compilation is not None  # code was wanted: it was not kept from before
        return _with_kept(compiled.compilation, names)
    name = text.name if text is not None else None
    if program is None and name is None:
        message = "program: expected a path, or a text as 'source' and its 'language'"
        raise input_error(message, hint='compile(source=TEXT, language="python", machine=…)')
    if given is None:
        raise input_error("machine: a program names none", hint='machine="itanium2"')
    path = Path(name) if name is not None else options.path("program", program)
    content = text.text if text is not None else None
    made = compile_program(path, given, chosen, function, content, is_kept)
    return _with_kept(made, names)


@kept_as_a_rule()
def run(
    workload: GivenFile | Callable[..., Any],
    grid: Sequence[int] | int | None = None,
    arguments: Mapping[str, Any] | Sequence[Any] | None = None,
    *,
    machine: GivenMachine | None = None,
    overrides: options.Overrides = (),
    passes: options.Passes = None,
    variant: str | None = None,
    source: str | None = None,
    language: str | None = None,
    trust: bool = False,
    cycle_limit: int | None = None,
    quantum: int | None = None,
    timing_only: bool = False,
    races: bool = True,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Progress | None = None,
    trace: GivenTrace | None = None,
    trace_format: str | None = None,
    trace_window: TraceWindow | None = None,
    dimensions: Mapping[str, int] | None = None,
    tensors: Sequence[str] | None = None,
    against: str | None = None,
    series: str | int | None = None,
    histograms: bool = False,
    page: str | os.PathLike[str] | None = None,
    block: Sequence[int] | int | None = None,
    compiled_with: Mapping[str, Any] | None = None,
) -> Result:
    """Run one case of a workload (the first variant unless one is named), or a kernel.

        sim.run(softmax, (8,), {"x": x, "y": y, "n": 300, "BLOCK": 512}, machine="h200")

    workload     its file or folder; or a mapping with the keys of such a file, in which arrays may
                 be numpy arrays, and whose files are those of the current folder; or a model, a
                 program that needs no workload: its inputs are made up; or a function of a
                 generator (`@triton.jit`, `@cuda.jit`, `@warp.kernel`, `@cute.jit`), compiled here
    grid         of a function: blocks along x, y, z; of Warp's its `dim`; None of CuTe's, which say
                 their launches themselves
    machine      in place of the workload's, as `load_machine` takes it
    overrides    changes of the machine, as `load_machine` takes them
    passes       compiler passes: names, or one text with commas ("default,-move_invariants")
    arguments    in place of the workload's, by name: numbers, lists, numpy arrays, or mappings as
                 in a workload; files are those of the current folder.  Of a function: its own, by
                 name or in order, constants too; the arrays stay as they are, what becomes of them
                 is in the result's `outputs`
    source       the text of the program, which is in no file
    language     what it is written in: a front end ("python") or a suffix (".sir"), if `program` of
                 the workload does not say that by its suffix; then that may be left out
    trust        whether oracles of the workload's own may run (Python code beside it)
    cycle_limit  where the run ends although the program has not
    quantum      cycles between looks at the clock; no result depends on it
    timing_only  compute nothing that time does not depend on, and compare no outputs
    races        end the run where nothing says which of two commands comes first, on a machine
                 whose runs look for that; False saves the time that it takes
    threads      of the host that the core may use, if its kind can; no result depends on it
    checkpoint   a file of `Session.checkpoint` or of `simrun --checkpoint`: go on from there; the
                 result is that of the whole run
    on_progress  called with the cycle now and then
    trace        what happens when: a file, in the format that its name says (".jsonl", ".json");
                 or what is called with each span and instant as it comes (`sim.timeline.span`),
                 such as the `append` of a list.  No result depends on it
    trace_format  in place of what the name says: one of `simrun list traces`
    trace_window  the part of it that is wanted: `sim.TraceWindow(begin=1000, end=2000)`
    dimensions   of a model without a workload: extents that it leaves open
    tensors      of the same: tensors between that are outputs, too, by the model's names
    against      another program that computes the same, whose outputs are expected: "onnxruntime"
    series       counters over time, as `Result.series`: every so many cycles, or with the counters
                 "1000:DRAM_*,L2_*"
    histograms   whether `Result.histograms` has how long loads and stalls take, and the like
    page         a file: the result for the eye, as `--page` writes it, with a timeline if `trace`
                 does not take that
    block        of a function: threads of a block, where its generator asks for them
    compiled_with  of a function: the generator's own options, {"num_warps": 8}

    Raises InputError if anything the user gave is wrong; a simulated fault is a Result.  Ctrl-C
    raises KeyboardInterrupt, so that it ends the caller's loop, too; its `result` is what the run
    had come to.
    """
    is_timed = options.flag("timing_only", timing_only)
    is_file = isinstance(workload, str | os.PathLike | Mapping)
    compilers = None if is_file else that_compile(workload)
    if compilers is None:
        if not (grid is block is compiled_with is None):
            message = "grid, block and compiled_with are those of a function"
            raise input_error(message, hint="a workload says them in 'launch'")
        prepared = _prepared(
            workload, machine, overrides, passes, variant, arguments, source, language, trust,
            dimensions, tensors, not is_timed,
        )  # fmt: skip
    else:
        called = load_machine(machine or compilers.default_machine, overrides)
        make = compilers.part("called")
        described = make(workload, called, grid, arguments, block, compiled_with)
        compiled = compile_workload(described, called, (), options.passes(passes))
        prepared = prepare(compiled, described.case(), options.flag("trust", trust), not is_timed)
    limits = _limits(prepared, cycle_limit, quantum, timing_only, races, threads, on_progress)
    if against is not None:
        prepared = judged(prepared, options.text("against", against))
    resume = _file("checkpoint", checkpoint)
    asked = _over_time(prepared, series, histograms, threads, trace_window)
    tracing = _traced(prepared, trace, trace_format, trace_window, threads, resume)
    drawn = recorded = None
    if page is not None:
        from sim.pages.run_page import RunPage, window_for

        drawn = RunPage(options.path("page", page))
        if trace is None and threads == 1 and resume is None:
            window = None if histograms else window_for(prepared.compiled.machine)
            recorded = drawn.recorder(prepared, window)
            also = recorded.take if recorded is not None else None
            tracing = traced(prepared, None, window=window, also=also)
    with tracing as recording:
        result = execute(prepared, **limits, **asked, recording=recording, resume=resume)
    if drawn is not None:
        drawn.add(prepared, result, recorded)
        drawn.write()
    if result.status == INTERRUPTED:
        raise Interrupted(result)
    return result


@kept_as_a_rule()
def session(
    workload: GivenFile,
    *,
    machine: GivenMachine | None = None,
    overrides: options.Overrides = (),
    passes: options.Passes = None,
    variant: str | None = None,
    arguments: Mapping[str, Any] | None = None,
    source: str | None = None,
    language: str | None = None,
    trust: bool = False,
    cycle_limit: int | None = None,
    quantum: int | None = None,
    timing_only: bool = False,
    races: bool = True,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Progress | None = None,
    dimensions: Mapping[str, int] | None = None,
    tensors: Sequence[str] | None = None,
    trace: GivenTrace | None = None,
    trace_format: str | None = None,
    trace_window: TraceWindow | None = None,
) -> Session:
    """The run that `run` would do, to be let on piece by piece and looked at in between.

    The parameters are those of `run`.

    >>> with sim.session("workloads/saxpy/workload.yaml") as s:  # doctest: +SKIP
    ...     s.advance(1000)
    ...     print(s.view("registers"))
    ...     result = s.finish()

    Raises InputError if anything the user gave is wrong.
    """
    prepared = _prepared(
        workload, machine, overrides, passes, variant, arguments, source, language, trust,
        dimensions, tensors,
    )  # fmt: skip
    limits = _limits(prepared, cycle_limit, quantum, timing_only, races, threads, on_progress)
    resume = _file("checkpoint", checkpoint)
    with ExitStack() as files:
        tracing = _traced(prepared, trace, trace_format, trace_window, threads, resume)
        recording = files.enter_context(tracing)
        request = request_of(prepared, **limits, recording=recording)
        return Session(prepared, request, resume, recording, files.pop_all())


def study(
    study: GivenFile,
    *,
    jobs: int = 1,
    store: str | os.PathLike[str] | None = None,
    trust: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> StudyResult:
    """Run the points of a study that have no result yet, in processes of their own.

    study        its file; or a mapping with the keys of such a file, whose files are those of the
                 current folder
    jobs         how many run at a time
    store        a file in which results are kept and found again; without one that beside the
                 study's file, as on the command line, and none of a mapping
    trust        whether oracles of workloads' own may run
    on_progress  called with how many points have ended, and how many there are

    Works from a notebook and from a script, which needs no `if __name__ == "__main__"`.  What the
    processes run is what simrun's files say, whatever was changed in the memory of this one.

    Raises InputError if anything the user gave is wrong, or if files of simrun or of a plugin have
    changed since this process began; a point that cannot be run is a row that says so.
    """
    from sim.studies.plan import plan_of
    from sim.studies.store import default_store
    from sim.studies.study_file import read_study, study_of
    from sim.studies.study_result import found

    count, trusted = options.count("jobs", jobs), options.flag("trust", trust)
    kept = None if store is None else options.path("store", store)
    watch = options.function("on_progress", on_progress)
    if isinstance(study, Mapping):
        plan = plan_of(study_of(study, Path()), trusted)
    else:
        path = options.path("study", study)
        plan, kept = plan_of(read_study(path), trusted), kept or default_store(path)
    return found(plan, count, kept, watch)


def _prepared(
    workload: GivenFile,
    machine: GivenMachine | None,
    overrides: options.Overrides,
    passes: options.Passes,
    variant: str | None,
    arguments: Mapping[str, Any] | None,
    source: str | None,
    language: str | None,
    trust: bool,
    dimensions: Mapping[str, int] | None = None,
    tensors: Sequence[str] | None = None,
    values: bool = True,
) -> PreparedCase:
    """The case, ready to run."""
    given = None if machine is None else load_machine(machine, overrides)
    text, chosen = _source(source, language), options.passes(passes)
    changes = options.overrides(overrides) if given is None else ()
    compiled = None
    if not isinstance(workload, Mapping) and runs_alone(options.path("workload", workload)):
        path = options.path("workload", workload)
        between = options.names("tensors", tensors if tensors is not None else ())
        compiled = compile_alone(path, given, changes, chosen, dimensions, between)
    elif dimensions is not None:
        hint = "a workload says 'dimensions: {NAME: N}'"
        raise input_error("dimensions: those of a model without a workload", hint=hint)
    elif tensors is not None:
        hint = "a workload says 'tensors: [NAME]'"
        raise input_error("tensors: those of a model without a workload", hint=hint)
    described = compiled.workload if compiled else _workload(workload, given, text)
    others = as_arguments(arguments if arguments is not None else {})
    case = described.case(options.text("variant", variant)).with_arguments(others)
    trusted = options.flag("trust", trust)
    if compiled is None:
        compiled = compile_workload(described, given, changes, chosen)
    return prepare(compiled, case, trusted, values)


def _limits(
    prepared: PreparedCase,
    cycle_limit: int | None,
    quantum: int | None,
    timing_only: bool,
    races: bool,
    threads: int,
    on_progress: Progress | None,
) -> dict[str, Any]:
    """What `execute` and `request_of` are given of a run beside its case."""
    values = not options.flag("timing_only", timing_only)
    if not values:
        check_timing_only(prepared.compiled)
    looks_for_races = options.flag("races", races)
    if not looks_for_races:
        check_races(prepared.compiled.machine)
    of_host = options.count("threads", threads)
    check_threads(prepared.compiled.machine, of_host)
    return {
        "cycle_limit": options.cycles("cycle_limit", cycle_limit),
        "quantum": options.cycles("quantum", quantum),
        "values": values,
        "races": looks_for_races,
        "threads": of_host,
        "on_progress": options.function("on_progress", on_progress),
    }


def _traced(
    prepared: PreparedCase,
    trace: GivenTrace | None,
    trace_format: str | None,
    window: TraceWindow | None,
    threads: int,
    resume: Path | None,
) -> AbstractContextManager[Recording | None]:
    """What takes the run's timeline, if that is wanted."""
    if trace is None:
        for name, given in (("trace_format", trace_format), ("trace_window", window)):
            if given is not None:
                raise input_error(f"{name}: there is no trace")
        return nullcontext()
    if resume is not None:
        raise input_error("a trace would lack what happened before the checkpoint")
    if threads > 1:
        raise input_error("a trace is written by one thread", hint="leave 'threads' out")
    check_traceable(prepared.compiled.machine)
    if window is not None and not isinstance(window, TraceWindow):
        message = f"trace_window: a sim.TraceWindow is wanted, not {type(window).__name__}"
        raise input_error(message, hint="sim.TraceWindow(begin=1000, end=2000)")
    if callable(trace):
        if trace_format is not None:
            raise input_error("trace_format: the trace is no file")
        return traced(prepared, trace, window=window)
    path = options.path("trace", trace)
    writer = trace_writer(path, options.text("trace_format", trace_format))
    return traced(prepared, path, writer, window)


def _over_time(
    prepared: PreparedCase,
    series: str | int | None,
    histograms: bool,
    threads: int,
    window: TraceWindow | None,
) -> dict[str, Any]:
    """What `execute` is asked for of counters over time and of histograms."""
    machine, wanted = prepared.compiled.machine, None
    if series is not None:
        is_count = isinstance(series, int) and not isinstance(series, bool)
        if not is_count and not isinstance(series, str):
            message = f"series: expected a number of cycles or a text, found {series!r}"
            raise input_error(message, hint='series=1000, or "1000:DRAM_*"')
        wanted = wanted_of(series, vocabulary_of(machine.kind))
    if options.flag("histograms", histograms):
        check_traceable(machine)
        if threads > 1 or window is not None:
            message = "histograms: they are made by one thread, of the whole run"
            raise input_error(message, hint="leave 'threads' and 'trace_window' out")
    return {"series": wanted, "histograms": bool(histograms)}


def _file(parameter: str, given: str | os.PathLike[str] | None) -> Path | None:
    return None if given is None else options.path(parameter, given)


def _workload(given: GivenFile, machine: Machine | None, source: Source | None) -> Workload:
    """The workload; a mapping may leave out what the call says."""
    if not isinstance(given, Mapping):
        return read_workload(options.path("workload", given), source)
    said = {"machine": machine.name} if machine is not None else {}
    said |= {"program": source.name} if source is not None and source.name else {}
    return workload_of({**said, **given}, source)


def _with_kept(compilation: Compilation, names: Sequence[str]) -> Compilation:
    """The same; raises InputError if a pass whose code is wanted did not run."""
    ran = {step.name for step in compilation.report.steps}
    for name in names:
        if name != "all" and name not in ran:
            raise input_error(f"keep: no pass '{name}' ran", hint=nearest(name, ran))
    return compilation


def _is_workload(program: str | os.PathLike[str]) -> bool:
    path = options.path("program", program)
    return path.is_dir() or path.suffix in SUFFIXES


def _source(text: str | None, language: str | None) -> Source | None:
    """A program's text; it has a name if its language is said."""
    written, spoken = options.text("source", text), options.text("language", language)
    if written is None and spoken is not None:
        raise input_error("language: there is no 'source' that could be written in it")
    if written is None:
        return None
    return Source(None if spoken is None else f"source{suffix_of(spoken)}", written)
