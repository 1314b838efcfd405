"""A workload: which program runs on which machine with which inputs, and what must come out.

    workload = read_workload("workloads/saxpy/workload.yaml")
    workload = workload_of({"workload": "saxpy", "program": "saxpy.py", …})
    for case in workload.cases(): …

The file is read strictly (see `machines/description/strict_yaml.py`); everything that can be
checked without the program is checked here, and all findings come together.  `variants` run the
same program with other inputs: each names the arguments and expectations it changes.

A mapping from Python is a file that nobody wrote: it has the same keys, and is checked alike.  Its
arrays may be numpy's, and what it names lies in the current folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, create_model, field_validator, model_validator

from machines.confinement import leads_out, outside
from machines.description.python_values import node_of
from machines.description.strict_yaml import Node, read_yaml_file
from machines.description.validation import check
from machines.diagnostics import NAME_RULE, Diagnostic, InputError, is_name, nearest
from sim.bounds import MOST_CYCLES
from sim.forms import Form
from sim.kinds import Section, Steps, generators, sections
from sim.levels import binding_of_program, findings_in, keys_of
from sim.levels import sections as sections_of_levels
from sim.workload.expectations import check_expectation
from sim.workload.given_arguments import recorded, seeded, with_arrays, with_expected_arrays
from sim.workload.inputs import as_lists
from sim.workload.named import hint_for
from sim.workload.nested import check_argument, names_in
from sim.workload.printed import STDOUT, check_text
from sim.workload.region import Region
from sim.workload.values import is_value

DEFAULT = "default"
"""Name of the only case of a workload without variants."""
NEXT_PLACE = 1 << 56
"""Between the seeds of the places at which one argument is random."""
SUFFIXES = (".yaml", ".yml")
"""Of a workload's file."""
PARAMETER = "workload"
"""Where a mapping from Python stands, in messages."""


class Limits(Form):
    """Where a run ends even though the program has not."""

    cycles: int = Field(1_000_000_000, ge=1, le=MOST_CYCLES, description="Simulated cycles.")


class MeasureForm(Form):
    """Which steps of the host the figures of a result are of."""

    after: int = Field(ge=0, description="It begins when so many steps of the host have ended.")
    until: int | None = Field(None, ge=1, description="It ends with this step; else with the run.")

    @model_validator(mode="after")
    def _in_order(self) -> MeasureForm:
        if self.until is not None and self.until <= self.after:
            raise ValueError(f"a region after step {self.after} ends with a later one")
        return self


class Variant(Section):
    """What one variant changes; kinds of machine may add a section."""

    arguments: dict[str, Any] = Field({}, description="Arguments that differ.")
    expect: dict[str, Any] = Field({}, description="Expectations that differ.")
    limits: Limits | None = Field(None, description="Other limits.")
    measure: MeasureForm | None = Field(None, description="Another region.")


class WorkloadForm(Section):
    """The file's keys; kinds of machine may add a section, and levels of code keys."""

    workload: str = Field(min_length=1, description="The workload's name.")
    description: str = Field("", description="One sentence for lists.")
    program: str = Field(min_length=1, description="The program's file, beside the workload.")
    entry: str | None = Field(None, description="The function that runs, if there are several.")
    machine: str = Field(description="A machine's name or file; --machine overrides it.")
    arguments: dict[str, Any] = Field({}, description="The entry's arguments by name.")
    expect: dict[str, Any] = Field(
        {}, description="What must hold at the end, by argument; 'return', 'stdout'."
    )
    passes: Literal["default"] | list[str | dict[str, Any]] = Field(
        "default", description="Compiler passes, in order."
    )
    limits: Limits = Field(Limits(cycles=1_000_000_000), description="Where a run ends.")
    measure: MeasureForm | None = Field(
        None, description="The steps of the host that figures are of; else the whole run."
    )
    variants: dict[str, Variant] = Field({}, description="The same program with other inputs.")

    @field_validator("passes", mode="before")
    @classmethod
    def _default_or_list(cls, passes: object) -> object:
        if passes != "default" and not isinstance(passes, list):
            raise ValueError("'default', or a list of passes: [default, -coalesce_copies]")
        return passes


@dataclass(frozen=True)
class Case:
    """One run of a workload: a variant's arguments and expectations merged into the workload's.

    `steps` are what the host is to do, each with its node in the file; `section` are the keys that
    belong to kinds of machine, each with the mapping in which it stands, even if they ask for no
    step; `measure` is the region that figures are of; `given` are the arguments that came from
    elsewhere, as the result records them.
    """

    name: str
    arguments: dict[str, Node]
    expect: dict[str, Node]
    cycle_limit: int
    steps: Steps = ()
    section: Mapping[str, Node] = field(default_factory=dict)
    measure: Region | None = None
    given: Mapping[str, Any] = field(default_factory=dict)

    def with_arguments(self, given: Mapping[str, Node]) -> Case:
        """The case with other arguments in place of its own; raises InputError at one that it has
        not."""
        findings = [
            node.finding(f"the workload has no argument '{name}'", nearest(name, self.arguments))
            for name, node in given.items()
            if name not in self.arguments
        ]
        if findings:
            raise InputError(findings)
        arguments = {**self.arguments, **given}
        return replace(self, arguments=arguments, given={**self.given, **recorded(given)})

    def with_seeds(self, seeds: Mapping[str, int]) -> Case:
        """The case with other seeds of random arguments; raises InputError at one that has none.

        An argument that is random at several places has another seed at each.
        """
        given: dict[str, Node] = {}
        findings = []
        for name, seed in seeds.items():
            if name not in self.arguments:
                hint = nearest(name, self.arguments)
                findings.append(Diagnostic(f"there is no argument '{name}'", hint=hint))
                continue
            places = count(seed, NEXT_PLACE)
            given[name] = seeded(self.arguments[name], places)
            if next(places) == seed:
                message = f"argument '{name}' is not random: it has no seed"
                findings.append(self.arguments[name].finding(message))
        if findings:
            raise InputError(findings)
        return self.with_arguments(given)


@dataclass(frozen=True)
class Source:
    """A program's text that is in no file; its name, else that of the workload's program, says by
    its suffix what reads it."""

    name: str | None
    text: str


@dataclass(frozen=True)
class Workload:
    """A checked workload.

    path    its file; None of a mapping from Python
    source  of its program, if that is not to be read from a file
    """

    path: Path | None
    form: WorkloadForm
    tree: Node
    source: Source | None = None

    @property
    def name(self) -> str:
        return self.form.workload

    @property
    def folder(self) -> Path:
        return self.path.parent if self.path is not None else Path()

    @property
    def program(self) -> Path:
        """The program's file, or where it would be."""
        named = self.source.name if self.source is not None else None
        return self.folder / (named or self.form.program)

    def cases(self) -> list[Case]:
        """Every run of the workload, in the file's order."""
        if not self.form.variants:
            return [_case(DEFAULT, self.tree, None, self.form, None)]
        variants = self.tree.value["variants"].value
        return [
            _case(name, self.tree, variants[name], self.form, form)
            for name, form in self.form.variants.items()
        ]

    def case(self, name: str | None = None) -> Case:
        """One case by name; without a name, the first."""
        cases = {case.name: case for case in self.cases()}
        if name is None:
            return next(iter(cases.values()))
        if name not in cases:
            message = f"workload '{self.name}' has no variant '{name}'"
            raise InputError(Diagnostic(message, hint=nearest(name, cases)))
        return cases[name]


def workload_of(content: Mapping[str, Any], source: Source | None = None) -> Workload:
    """A workload from Python, with the text of its program if that is in no file; raises InputError
    with every finding."""
    tree = node_of(content, PARAMETER, arrays=True)
    for holder in (tree, *_children(tree, "variants").values()):
        if isinstance(holder.value, dict):
            holder.value = {
                key: _FROM_PYTHON.get(key, as_lists)(node) for key, node in holder.value.items()
            }
    return _checked(None, tree, source)


_FROM_PYTHON = {"arguments": with_arrays, "expect": with_expected_arrays}
"""What becomes of the numpy arrays in a part of a workload from Python."""


def read_workload(path: str | Path, source: Source | None = None) -> Workload:
    """Read and check a workload, of which the program may have another source; raises InputError
    with every finding."""
    path = Path(path)
    if not path.exists() and (hint := hint_for(path)):
        raise InputError(Diagnostic(f"cannot read {path}: there is no such file", hint=hint))
    if path.is_dir():
        folder, path = path, path / "workload.yaml"
        if not path.exists():
            hint = "name a workload's file or folder, or a program"
            raise InputError(Diagnostic(f"there is no {path.name} in {folder}", hint=hint))
    if path.is_file() and path.suffix not in SUFFIXES:
        hint = f"a workload is a .yaml file; 'simrun explain {path}' shows a program"
        raise InputError(Diagnostic(f"{path} is no workload", hint=hint))
    return _checked(path, read_yaml_file(path), source)


def _checked(path: Path | None, tree: Node, source: Source | None) -> Workload:
    folder = path.parent if path is not None else Path()
    if source is None and _has_keys_of_kinds(tree):
        for one in generators():
            tree = one.part("expanded")(tree, folder)
    form, findings = check(_form_of(tree), tree)
    if isinstance(tree.value, dict):
        variants = tree.value.get("variants")
        program = tree.value.get("program")
        named = program is not None and binding_of_program(str(program.value)) is not None
        holders = [tree]
        if variants is not None and isinstance(variants.value, dict):
            holders += variants.value.values()
        for holder in holders:
            findings += _check_parts(holder, tree, named)
    if form is not None:
        findings += _misnamed(form, tree)
        findings += _check_steps(tree, tree, form)
        for name, changes in form.variants.items():
            findings += _check_steps(tree.value["variants"].value[name], tree, changes)
    if form is not None and source is None:
        findings += _program_findings(form.program, tree, folder)
    if form is not None:
        findings += findings_in(form, tree, folder)
    if findings:
        raise InputError(findings)
    return Workload(path, form, tree, source)


def _misnamed(form: WorkloadForm, tree: Node) -> Iterator[Diagnostic]:
    """Findings in the names of the workload and its variants, which files are called after."""
    if not is_name(form.workload):
        yield tree.value["workload"].finding(f"{form.workload!r} is no name", NAME_RULE)
    for name in form.variants:
        if not is_name(name):
            yield tree.value["variants"].finding(f"{name!r} is no name", NAME_RULE, key=name)


def _check_parts(holder: Node, tree: Node, names_outputs: bool) -> list[Diagnostic]:
    """Findings in the arguments and expectations of the workload or of one variant; of a program
    that names its outputs it is known later what can be expected."""
    findings: list[Diagnostic] = []
    for node in _children(holder, "arguments").values():
        findings += [] if is_value(node) else check_argument(node)
    arguments = {**_children(tree, "arguments"), **_children(holder, "arguments")}
    known = {name: node for name, node in arguments.items() if not is_value(node)}
    names = {part for name, node in known.items() for part in names_in(name, node)}
    for name, node in _children(holder, "expect").items():
        if name == STDOUT and name not in known:
            findings += check_text(node)
            continue
        if not names_outputs and name not in known and name.partition(".")[0] != "return":
            hint = nearest(name, [*known, "return", STDOUT])
            expect = holder.value["expect"]
            findings.append(expect.finding(f"there is no argument '{name}'", hint, key=name))
        findings += check_expectation(node, names)
    return findings


def _children(holder: Node, key: str) -> dict[str, Node]:
    node = holder.value.get(key) if isinstance(holder.value, dict) else None
    return node.value if node is not None and isinstance(node.value, dict) else {}


def _case(
    name: str, tree: Node, variant: Node | None, form: WorkloadForm, changes: Variant | None
) -> Case:
    parts = {key: dict(_children(tree, key)) for key in ("arguments", "expect")}
    if variant is not None:
        for key, part in parts.items():
            part.update(_children(variant, key))
    limits = (changes.limits if changes else None) or form.limits
    steps: Steps = ()
    holders = [tree]
    if variant is not None and changes is not None:
        steps = changes.steps(variant)
        holders.append(variant)
    steps = steps or form.steps(tree)
    common = {*WorkloadForm.model_fields, *keys_of(form, tree)}
    section = {key: holder for holder in holders for key in holder.value if key not in common}
    measured = (changes.measure if changes else None) or form.measure
    region = Region(measured.after, measured.until) if measured is not None else None
    return Case(name, parts["arguments"], parts["expect"], limits.cycles, steps, section, region)


def _check_steps(holder: Node, tree: Node, form: Section) -> Iterator[Diagnostic]:
    """Findings in what the host is to do, in the workload or in one variant."""
    arguments = {**_children(tree, "arguments"), **_children(holder, "arguments")}
    yield from form.step_findings(holder, arguments)


def _has_keys_of_kinds(tree: Node) -> bool:
    """Whether a workload has keys that not every one has."""
    common = {*WorkloadForm.model_fields, *Variant.model_fields}
    return isinstance(tree.value, dict) and not tree.value.keys() <= common


def _form_of(tree: Node) -> type[WorkloadForm]:
    """The file's keys with those of kinds of machine and of levels, if it has keys that are not
    ours."""
    holders = [tree, *_children(tree, "variants").values()]
    written = {key for holder in holders if isinstance(holder.value, dict) for key in holder.value}
    common = {*WorkloadForm.model_fields, *Variant.model_fields}
    if written <= common:
        return WorkloadForm
    of_kinds = tuple(sections(common))
    taken = dict.fromkeys(common, "every workload")
    for section in of_kinds:
        taken |= dict.fromkeys(section.model_fields, "a kind of machine")
    return _form_with(of_kinds, tuple(sections_of_levels(taken)))


@cache
def _form_with(
    of_kinds: tuple[type[Section], ...], of_levels: tuple[type[Form], ...]
) -> type[WorkloadForm]:
    variant = create_model("Variant", __base__=(*of_kinds, Variant))
    field = WorkloadForm.model_fields["variants"]
    variants = (dict[str, variant], Field({}, description=field.description))
    bases = (*of_kinds, *of_levels, WorkloadForm)
    return create_model("WorkloadForm", __base__=bases, variants=variants)


def _program_findings(program: str, tree: Node, folder: Path) -> Iterator[Diagnostic]:
    """A finding where there is no such program, or where it may not be opened."""
    if leads_out(program, folder):
        yield tree.value["program"].finding(outside(program))
    elif not (folder / program).exists():
        message = f"there is no program {program} beside the workload"
        yield tree.value["program"].finding(message, _programs_beside(folder))


def _programs_beside(folder: Path) -> str | None:
    if not folder.is_dir():
        return None
    found = sorted(p.name for p in folder.iterdir() if p.is_file() and p.suffix != ".yaml")
    return f"files there: {', '.join(found[:8])}" if found else None
