"""Workload → machine → compiled program → memory → simulation → checks → Result.

    compiled = compile_workload(read_workload("workloads/saxpy/workload.yaml"))
    result = execute(prepare(compiled, compiled.workload.case()))

The steps are functions of their own, so that tests can put an interpreter in the simulator's place.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from machines.cache.file_dependencies import CONTENT, OWN, Dependency, recorded
from machines.cache.software import COMPILING, is_software
from machines.confinement import leads_out, outside
from machines.description.load import Machine, load_machine, machine_names, machines
from machines.description.results_for_machines import cached_for
from machines.description.watched import Path as FigurePath
from machines.description.watched import disagreements
from machines.diagnostics import InputError, input_error, nearest
from machines.elements import DTYPES, as_elements, as_numbers
from machines.layout import Memory
from machines.program import Declared, Program
from sim.cores import Outcome, Request, core_of, cores
from sim.cores.rest import Rest
from sim.kinds import binding_of, bindings
from sim.levels import function_findings, keys_of, passes_with
from sim.looking_back import looking_back, notes_all
from sim.prepared_case import PreparedCase
from sim.rests.checkpoint import origin_of, packed, read_checkpoint, unpacked
from sim.rests.measured import Measuring
from sim.rests.stops import Keep, Stops
from sim.rests.warm import WarmStates
from sim.results.beside import described
from sim.results.energy import Estimate, check_events
from sim.results.energy_by_line import estimate_for
from sim.results.figures import Figures, figures_of
from sim.results.histograms import Histograms
from sim.results.laws import check_sums
from sim.results.profile import failure_of, fault_of_function, line_costs
from sim.results.result import Result
from sim.results.roofline import Roofline, roofline_of
from sim.results.series import Wanted
from sim.results.vocabulary import Vocabulary, vocabulary_of
from sim.sampling import Sampling
from sim.simulate import simulate
from sim.status import DONE, FAULT
from sim.timeline.recording import Recording
from sim.timeline.span import Happening
from sim.version import release
from sim.workload.comparison import Check, Expected, compare
from sim.workload.printed import compare_text
from sim.workload.schema import Workload
from sim.workload.signature import result_dtype

if TYPE_CHECKING:  # a program that was kept needs no compiler
    from compiler import Compilation
    from compiler.ir.module import Function

Passes = str | list | None
NOTHING = "func @nothing() {\nentry:\n    return\n}\n"


@dataclass(frozen=True)
class Made:
    """What a run needs of a compilation.

    program     what the simulator runs
    entry       name of the compiled function
    functions   what the source says of each function, by name; none for assembly
    """

    program: Program
    entry: str
    functions: Mapping[str, Declared]


@dataclass(frozen=True)
class Compiled:
    """A workload's program for one machine; it serves every case.

    sources      name and SHA-256 of each file that it was compiled from; of files below the
                 workload's folder the path from there
    asked        what of the machine was asked for it: keys that lead to figures
    compilation  what became of the source; None if the program was kept from before
    seconds      that it took to have the program, kept or not
    """

    workload: Workload
    machine: Machine
    made: Made
    passes: str | list
    seconds: float
    sources: tuple[tuple[str, str], ...] = ()
    asked: Sequence[FigurePath] = ()
    compilation: Compilation | None = None

    @property
    def program(self) -> Program:
        return self.made.program

    @property
    def declared(self) -> Declared | None:
        """What the source says of the function that was compiled, None for assembly."""
        return self.made.functions.get(self.made.entry)

    @property
    def signatures(self) -> dict[str, Mapping]:
        """What the source says of each function's parameters, where it says anything."""
        return {name: one.signature or {} for name, one in self.made.functions.items()}

    @property
    def function(self) -> Function | None:
        """The IR function that was compiled, None for assembly; of a program that was kept there is
        no IR."""
        module = self.compilation.module
        return module.functions[self.compilation.entry] if module else None


def check_timing_only(compiled: Compiled) -> None:
    """Raises InputError for a machine, or a program, whose time is not had without values."""
    machine, core = compiled.machine, core_of(compiled.machine)
    if core.needs_values is None:
        others = [name for kind, one in cores().items() if one.needs_values is not None
                  for name in machine_names(kind)]  # fmt: skip
        message = f"{machine.name} computes while it runs: --timing-only leaves nothing out"
        raise input_error(message, hint=f"leave it out, or --machine {' | '.join(others)}")
    findings = list(core.needs_values(compiled.program))
    if findings:
        raise InputError(findings)


def needs_values(compiled: Compiled) -> bool:
    """Whether time is not had without values."""
    needs = core_of(compiled.machine).needs_values
    return needs is None or bool(list(needs(compiled.program)))


def check_races(machine: Machine) -> None:
    """Raises InputError for a machine whose runs look for none: there is nothing to leave out."""
    if not core_of(machine).finds_races:
        others = [name for kind, one in cores().items() if one.finds_races
                  for name in machine_names(kind)]  # fmt: skip
        message = f"runs on {machine.name} look for no races: --no-races leaves nothing out"
        raise input_error(message, hint=f"leave it out, or --machine {' | '.join(others)}")


def processors() -> int:
    """Of the host, those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(machine: Machine, threads: int) -> None:
    """Raises InputError for more threads than its core, or the host, has a use for: they wait for
    each other all the time, and longest for those that have no processor."""
    if threads > processors():
        message = f"{threads} threads are more than the {processors()} processors of this host"
        raise input_error(message, hint=f"ask for {processors()} at most")
    if threads > 1 and not core_of(machine).has_threads:
        others = [name for kind, one in cores().items() if one.has_threads
                  for name in machine_names(kind)]  # fmt: skip
        message = f"{machine.name} runs on one thread of the host"
        hint = f"leave threads out, or take another machine: {', '.join(others)}"
        raise input_error(message, hint=hint)


def compile_workload(
    workload: Workload,
    machine: str | Machine | None = None,
    overrides: Sequence[str] = (),
    passes: Passes = None,
    entry: str | None = None,
    print_after: Callable[[str], bool] | None = None,
    only_kept: bool = False,
    alone: bool = False,
) -> Compiled:
    """Load the machine, if only its name is given, and compile the program for it; raises
    InputError.

    `entry` is the function to compile, where it is not the workload's (`alone`: and none beside it,
    though the host launches others); `print_after` says for which passes to keep the code they
    leave.  Without it a program that was kept from before will do (see
    `machines.cache.results`); `only_kept` raises LookupError where there is none.
    """
    is_loaded = isinstance(machine, Machine)
    loaded = machine if is_loaded else machine_of(workload, machine, overrides)
    chosen = passes if passes is not None else workload.form.passes
    form, tree = workload.form, workload.tree
    written = tree.value.get("passes") if passes is None else None
    asked = passes_with(chosen, form, tree, workload.folder)
    chosen = passes_with(chosen, form, tree)
    kernels = [] if alone else list(binding_of(loaded.kind).entries(workload))
    compilations: list[Compilation] = []

    def check_keys(unit: object) -> None:
        findings = list(function_findings(form, tree, unit, entry or form.entry))
        if findings:
            raise InputError(findings)

    def make(machine: Machine) -> Made:
        from compiler import compile

        compilation = compile(
            workload.program,
            machine=machine,
            entry=entry or workload.form.entry,
            kernels=kernels,
            passes=None if asked == "default" else asked,
            source=workload.source.text if workload.source else None,
            print_after=print_after or (lambda name: False),
            passes_location=written.location if written else None,
            when_read=check_keys,
        )
        compilations.append(replace(compilation, machine=loaded))
        functions = compilation.module.functions if compilation.module else {}
        declared = {name: Declared(f.signature, f.returns) for name, f in functions.items()}
        for function in compilation.functions:
            if function.body is not None:
                declared[function.name] = Declared(function.signature, body=function.body)
        return Made(compilation.program, compilation.entry, declared)

    begin = time.perf_counter()
    with recorded() as asked_of_files:
        if print_after is not None:
            made, asked_of_it = make(loaded), []
        else:
            path, file = workload.program, workload.program.absolute()
            key = [str(path), str(file), entry or workload.form.entry, kernels]
            key += [asked, keys_of(form, tree), workload.source and workload.source.text]
            maker = _nothing_kept if only_kept else make
            made, asked_of_it = cached_for(loaded, "program", key, maker, COMPILING)
    return Compiled(
        workload,
        loaded,
        made,
        chosen,
        time.perf_counter() - begin,
        tuple(sorted(_sources(workload, asked_of_files))),
        asked_of_it,
        compilations[0] if compilations else None,
    )


def compile_program(
    path: Path,
    machine: Machine,
    passes: Passes,
    entry: str | None,
    source: str | None,
    print_after: Callable[[str], bool],
) -> Compilation:
    """Compile a program that belongs to no workload; see `compiler.compile`."""
    from compiler import compile

    return compile(
        path,
        machine=machine,
        entry=entry,
        passes=None if passes == "default" else passes,
        source=source,
        print_after=print_after,
    )


def suffix_of(language: str) -> str:
    """The suffix of files that a front end, by its name or by the suffix itself, reads as text;
    raises InputError if there is none."""
    from compiler.frontends import frontends

    texts = {
        name: [s for s in one.suffixes if s not in one.binary_suffixes]
        for name, one in frontends().items()
    }
    known = {suffix: suffix for some in texts.values() for suffix in some}
    known |= {name: some[0] for name, some in texts.items() if some}
    if language not in known:
        raise input_error(f"language: there is no '{language}'", hint=nearest(language, known))
    return known[language]


def _nothing_kept(machine: Machine) -> NoReturn:
    raise LookupError("no program was kept")


def as_it_is_on(machine: Machine, compiled: Compiled) -> Compiled:
    """A program that was compiled for one machine, as it is, on another.

    Raises InputError if it relies on figures in which the two differ.
    """
    from compiler.targets import target_of

    own = compiled.machine
    free = ("name", *target_of(own).pace(own.description))
    found = disagreements(own, machine, compiled.asked, free)
    if found:
        path = ".".join(map(str, found[0]))
        message = f"a program for {own.name} cannot run as it is on a machine with another '{path}'"
        raise input_error(message, hint="compile it for each machine: 'program: recompiled'")
    return replace(compiled, machine=machine)


def _sources(workload: Workload, answers: Iterable[Dependency]) -> Iterator[tuple[str, str]]:
    """Names and digests of what was read, but for files of the software's own."""
    folder = workload.folder.absolute()
    if workload.source is not None:
        digest = hashlib.sha256(workload.source.text.encode()).hexdigest()
        yield workload.program.name, digest
    for asked, path, digest in answers:
        is_read = asked in (CONTENT, OWN)
        if is_read and Path(path).is_relative_to(folder):
            yield str(Path(path).relative_to(folder)), digest
        elif is_read and not is_software(path):
            yield Path(path).name, digest


def execute(
    prepared: PreparedCase,
    *,
    cycle_limit: int | None = None,
    quantum: int | None = None,
    values: bool = True,
    races: bool = True,
    threads: int = 1,
    on_progress: Callable[[int], None] | None = None,
    recording: Recording | None = None,
    keep: Keep | None = None,
    resume: Path | None = None,
    warm: int | None = None,
    series: Wanted | None = None,
    histograms: bool = False,
) -> Result:
    """Simulate, compare the outputs, and gather the result.

    recording  takes the run's timeline
    keep    where its state is to be written, and after which step
    resume  a file that has a state to go on from
    warm    the step of the host behind which runs of the same past go on from one state
    series  counters that are wanted over time; `histograms` of what happens, that are declared
    """
    request = request_of(
        prepared, cycle_limit, quantum, values, threads, on_progress, recording, races
    )
    request, stops = stopping(prepared, request, keep, resume, warm=warm)
    request, last = looking_back(prepared, request)
    vocabulary = vocabulary_of(request.machine.kind)
    taking = Histograms(vocabulary.histograms) if histograms else None
    if taking is not None:
        request = replace(request, on_trace=_both(request.on_trace, taking.take))
    begin = time.perf_counter()
    sampling = Sampling(series) if series is not None else None
    outcome = simulate(request) if sampling is None else sampling.simulate(request)
    seconds = time.perf_counter() - begin
    if last is not None:
        last.tell(outcome)
    result = result_of(prepared, request, outcome, seconds, stops, recording)
    result.series = sampling.series if sampling is not None else None
    result.histograms = taking.found() if taking is not None else None
    return result


def _both(
    first: Callable[[Iterable[Happening]], None] | None,
    second: Callable[[Iterable[Happening]], None],
) -> Callable[[Iterable[Happening]], None]:
    """What hands on what happens to both."""
    if first is None:
        return second

    def take(happened: Iterable[Happening]) -> None:
        some = list(happened)
        first(some)
        second(some)

    return take


def stopping(
    prepared: PreparedCase,
    request: Request,
    keep: Keep | None = None,
    resume: Path | None = None,
    can_pause: bool = False,
    warm: int | None = None,
) -> tuple[Request, Stops]:
    """The request with what is wanted where the run is at rest; it may go on from a file.

    warm  the step from whose end the run goes on, if one of the same past has been kept; else it is
          kept there
    Raises InputError if it cannot go on from the file.
    """
    vocabulary = vocabulary_of(request.machine.kind)
    region = prepared.case.measure
    with_energy = request.machine.description.energy is not None
    measuring = Measuring(region, vocabulary, with_energy=with_energy) if region else None
    stops = Stops(measuring, keep)
    found = None
    if keep is not None or can_pause or warm is not None:
        origin = origin_of(request)

        def pack(rest: Rest) -> bytes:
            begun = stops.measuring.at_begin() if stops.measuring is not None else None
            return packed(origin, rest, request.memory, begun)

        stops.pack = pack
    if resume is not None:
        found = unpacked(read_checkpoint(resume), str(resume), request, prepared.host())
    elif warm is not None:
        states = WarmStates(request, warm, region, prepared.host)
        found = states.find()
        stops.warm = states if found is None else None
    if found is not None:
        if stops.measuring is not None:
            stops.measuring.restore(found.measured, found.resumed.steps)
        request.memory.bytes[...] = found.memory
        request = replace(request, resumed=found.resumed)
    if stops.is_idle and not can_pause:
        return request, stops
    return replace(request, on_rest=stops), stops


def request_of(
    prepared: PreparedCase,
    cycle_limit: int | None = None,
    quantum: int | None = None,
    values: bool = True,
    threads: int = 1,
    on_progress: Callable[[int], None] | None = None,
    recording: Recording | None = None,
    races: bool = True,
) -> Request:
    """What a case asks of the core, which changes the memory; without a limit it is the case's.

    Of a case with a host each action says its arguments, and nothing else does: so a state that was
    kept cannot depend on one that only later actions say.
    """
    check_events(prepared.compiled.machine, vocabulary_of(prepared.compiled.machine.kind).energy)
    host = prepared.host()
    return Request(
        prepared.program,
        prepared.compiled.machine,
        prepared.memory,
        {} if host else prepared.arguments,
        host,
        cycle_limit=prepared.case.cycle_limit if cycle_limit is None else cycle_limit,
        quantum=quantum,
        threads=threads,
        values=values,
        races=races,
        on_progress=on_progress,
        on_trace=recording.take if recording is not None else None,
        trace_window=recording.window if recording is not None else None,
    )


def result_of(
    prepared: PreparedCase,
    request: Request,
    outcome: Outcome,
    seconds: float,
    stops: Stops,
    recording: Recording | None = None,
) -> Result:
    """Compare the outputs, and gather the result of a run that took so many seconds.

    Raises LawBroken if the run's timeline does not add up to its figures.
    """
    stops.check(outcome)
    if recording is not None:
        recording.cycles = outcome.cycles
    if recording is not None and notes_all(request):
        vocabulary = vocabulary_of(request.machine.kind)
        check_sums(vocabulary, recording.summary, outcome.statistics)
    case, compiled, values = prepared.case, prepared.compiled, request.values
    workload, status = compiled.workload, outcome.status
    fault = failure_of(outcome, workload.folder, request.cycle_limit)
    ended = prepared.fault() if status == DONE and values else None
    if ended is not None:
        status = FAULT
        fault = fault_of_function(*ended, outcome.cycles, workload.folder)
    is_whole = status == DONE and values
    outputs = prepared.outputs(is_whole)
    if prepared.call is None:
        returned = _returned(outcome.value, result_dtype(prepared.program, compiled.declared))
    elif prepared.call.gives_number and is_whole:
        returned = outputs.pop("return").item()
    else:
        returned = None
    checks = _check(prepared.expected, outputs, returned) if is_whole else []
    printed = prepared.printed() if values else None
    if is_whole and prepared.text is not None:
        checks.append(compare_text(prepared.text, printed))
    vocabulary, table = vocabulary_of(compiled.machine.kind), compiled.machine.description.energy
    region = None
    if stops.measuring is not None:
        figures, region = stops.measuring.figures(outcome)
    else:
        figures = figures_of(outcome, vocabulary, with_energy=table is not None)
    texts = {str(workload.program): workload.source.text} if workload.source else {}
    return Result(
        workload=workload.name,
        variant=case.name,
        machine=compiled.machine.name,
        kind=compiled.machine.kind,
        clock=compiled.machine.description.clock,
        status=status,
        cycles=figures.cycles,
        counters=figures.counters,
        breakdown=figures.breakdown,
        returned=returned,
        outputs=outputs,
        checks=checks,
        lines=line_costs(figures, prepared.program, workload.folder, texts),
        layers=list(figures.layers),
        roofline=_roofline(figures, compiled.machine, vocabulary),
        energy=_energy(figures, prepared, vocabulary),
        fault=fault,
        provenance=_provenance(prepared, request),
        host={
            "workload": str(workload.path.resolve()) if workload.path else None,
            "machine": compiled.machine.file,
            "compile_seconds": compiled.seconds,
            "simulate_seconds": seconds,
            **({"kept": stops.has_kept} if stops.keep is not None else {}),
        },
        steps=[dict(step) for step in outcome.steps],
        region=region,
        printed=printed,
        described=compiled.machine,
        timeline=recording.summary if recording is not None else None,
        figures=figures,
    )


def machine_of(
    workload: Workload, machine: str | None, overrides: Sequence[str], is_kept: bool = True
) -> Machine:
    """The machine of that name or file; without one, that which the workload names: one of
    simrun's, or a file beside the workload."""
    if machine is not None:
        return load_machine(machine, overrides, is_kept)
    name, node = workload.form.machine, workload.tree.value["machine"]
    if name.endswith((".yaml", ".yml")) or "/" in name:
        if leads_out(name, workload.folder):
            raise InputError(node.finding(outside(name)))
        name = str(workload.folder / name)
    elif name not in machine_names():
        hint = nearest(name, machine_names())
        raise InputError(node.finding(f"there is no machine '{name}'", hint))
    return load_machine(name, overrides, is_kept)


def _energy(figures: Figures, prepared: PreparedCase, vocabulary: Vocabulary) -> Estimate | None:
    description, folder = prepared.compiled.machine.description, prepared.compiled.workload.folder
    table, known = description.energy, vocabulary.energy
    if table is None or known is None:
        return None
    return estimate_for(figures, known, table, description.clock, prepared.program, folder)


def _roofline(figures: Figures, machine: Machine, vocabulary: Vocabulary) -> Roofline | None:
    roofs, description = vocabulary.roofline, machine.description
    if roofs is None:
        return None
    return roofline_of(figures.work, roofs.peaks(description), figures.cycles, description.clock)


def _returned(value: int | float | None, dtype: str | None) -> int | float | None:
    """The returned value in the type the program declares (u32 is not negative)."""
    if value is None or dtype not in DTYPES:
        return value
    return as_numbers(as_elements(value, dtype)).item()


def _check(
    expected: dict[str, Expected], outputs: dict[str, np.ndarray], returned: int | float | None
) -> list[Check]:
    return [
        compare(e, outputs[name] if name in outputs else as_elements(returned, e.dtype))
        for name, e in expected.items()
    ]


def _provenance(prepared: PreparedCase, request: Request) -> dict:
    compiled = prepared.compiled
    return {
        **({} if request.values else {"timing_only": True}),
        **({} if request.races else {"races": False}),
        "simrun": release(),
        "model": core_of(compiled.machine).model,
        "machine": compiled.machine.content_hash,
        "overrides": list(compiled.machine.overrides),
        **described(compiled.machine),
        "arguments": dict(prepared.case.given),
        "program": prepared.program.content_hash,
        "passes": compiled.passes,
    }


def kinds_of_machines() -> list[str]:
    """The kinds of the machines that there are, of which programs can be compiled and run."""
    from compiler.targets import targets

    usable = targets().keys() & cores().keys() & bindings().keys()
    return sorted(usable & {machine.kind for machine in machines().values()})


def warm_up(kind: str) -> float:
    """Run a program that does nothing on every machine of a kind, so that its core is compiled;
    seconds."""
    from compiler import compile

    begin = time.perf_counter()
    for machine in map(load_machine, machine_names(kind)):
        nothing = compile("nothing.sir", machine=machine, source=NOTHING)
        steps = binding_of(kind).nothing(nothing.program)
        request = Request(nothing.program, machine, Memory([]), {}, steps, cycle_limit=10**6)
        simulate(request)
    return time.perf_counter() - begin
