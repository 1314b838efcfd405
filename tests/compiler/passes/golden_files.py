"""Golden files: what a pass makes of a small program, as text that people read.

    # Equal computations are made once.
    # machine: itanium2
    # options: {limit: 4}
    func @f(a: i64) -> i64 { … }
    === after
    func @f(a: i64) -> i64 { … }
    === remarks
    4: add.i64: computed before

Each lies in `tests/compiler/passes/golden`, in the folder of its pass;
`pytest tests/compiler/passes/test_golden.py --update-golden` writes what passes make now.

Of passes over code of a level the program is a graph or a network, and the file ends in `.graph` or
`.net`.

To begin one with code in the form that a pass takes, from a program in IR that goes through the
passes before it (NAME@after=OTHER: where one stands that is not in the default order):

    python -m tests.compiler.passes.golden_files number_values itanium2 in.sir "One idea." > FILE
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from compiler.ir.copy import copy_function
from compiler.ir.module import IR_FORMS, Module
from compiler.ir.printer import print_module
from compiler.levels import findings_in, text_in
from compiler.pass_lists import make_steps, passes
from compiler.targets import target_of
from compiler.text_form import parse
from compiler.transformation import Changes, make_options
from compiler.verify.ir import findings_of
from machines.description.load import Machine, load_machine
from machines.levels import level_of

FOLDER = Path(__file__).with_name("golden")
LEVELS = {".graph": "arrays", ".net": "network"}
"""The level of a program, by the end of its file."""
AFTER, REMARKS = "=== after\n", "=== remarks\n"
_SETTING = re.compile(r"^# (machine|options): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Golden:
    """A golden file: what stands above `=== after`, and what stands below."""

    path: Path
    given: str
    expected: str

    @property
    def pass_name(self) -> str:
        return self.path.parent.name

    @property
    def settings(self) -> dict[str, str]:
        return dict(_SETTING.findall(self.given))

    @property
    def machine(self) -> Machine:
        """A name, and overrides behind it."""
        return machine_of(self.settings.get("machine", "itanium2"))


def machine_of(text: str) -> Machine:
    """'h200 dependences.kind=control_bits': a machine with overrides."""
    name, *overrides = text.split()
    return load_machine(name, overrides)


def golden_files() -> list[Golden]:
    """All of them, by pass and idea."""
    paths = (path for suffix in (".sir", *LEVELS) for path in FOLDER.glob(f"*/*{suffix}"))
    return [read(path) for path in sorted(paths)]


def read(path: Path) -> Golden:
    given, found, expected = path.read_text(encoding="utf-8").partition(AFTER)
    return Golden(path, given, found + expected)


def result(golden: Golden) -> str:
    """What the pass makes of the program now, as it stands below `=== after`."""
    machine = golden.machine
    plugin = passes(machine.kind)[golden.pass_name]
    options = yaml.safe_load(golden.settings.get("options", "{}"))
    if (level := LEVELS.get(golden.path.suffix)) is not None:
        module = level_of(level).function("parse")(golden.given, golden.path.name)
    else:
        module = parse(golden.given, golden.path.name, target_of(machine).records)
    _verify(module, machine)
    changes: list[Changes] = []
    for function in module.functions.values():
        changes.append(plugin.run(function, machine, make_options(plugin, options)))
    _now_in(module, plugin.forms.get(module.form, module.form), machine)
    _verify(module, machine)
    remarks = sorted(
        (
            remark.location.line if remark.location else 0,
            f"{remark.operation}: {remark.what}",
            remark.why,
        )
        for one in changes
        for remark in one.remarks
    )
    told = [f"{line}: {what}{', ' if why else ''}{why}\n" for line, what, why in remarks]
    counts = [f"{one}\n" for one in changes if one.counts]
    return AFTER + _text(module) + REMARKS + "".join(counts) + "".join(told)


def _text(module: Module) -> str:
    if (level := level_of(module.form)) is None:
        return print_module(module)
    return "\n".join(text_in(level, function) for function in module.functions.values())


def _now_in(module: Module, form: str, machine: Machine) -> None:
    """The module's code has come to be in a form, of IR or of the machine's code."""
    is_ours = form in IR_FORMS or level_of(form) is not None
    module.form, module.family = form, "ir" if is_ours else machine.family


def _verify(module: Module, machine: Machine) -> None:
    """What stands in a golden file is code that its form allows, before and after."""
    if (level := level_of(module.form)) is not None:
        assert not [f for one in module.functions.values() for f in findings_in(level, one)]
    elif module.form in IR_FORMS:
        assert not findings_of(module)
    else:
        for function in module.functions.values():
            assert not [*target_of(machine).verify(function, module.form, machine.description)]


def begun(wanted: str, machine_name: str, source: str, idea: str, nth: int = 1) -> str:
    """A golden file whose program is what the passes before a pass make of a source; of several
    places where the pass stands, the `nth` at which it does something.

    wanted  the pass, with `@after=OTHER` if it is not in the default order
    """
    machine, name = machine_of(machine_name), wanted.partition("@")[0]
    steps = make_steps(machine.kind, ["default", wanted] if "@" in wanted else "default")
    if name not in [step.plugin.name for step in steps]:
        raise SystemExit(f"'{name}' is not in the default order: say {name}@after=OTHER")
    module, form = parse(source), "ir"
    for step in steps:
        plugin = step.plugin
        if plugin.name == name:
            before = print_module(module)
            trial = Module(
                {n: copy_function(f) for n, f in module.functions.items()}, module.buffers
            )
            for function in trial.functions.values():
                plugin.run(function, machine, step.options)
            trial.form, trial.family = module.form, module.family
            nth -= print_module(trial) != before
            if nth == 0:
                head = f"# {idea}\n# machine: {machine_name}\n"
                return head + before
        for function in module.functions.values():
            plugin.run(function, machine, step.options)
        form = plugin.forms[form]
        _now_in(module, "ir" if form == "ssa" else form, machine)
    raise SystemExit(f"'{name}' does nothing to it")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Begin a golden file.")
    parser.add_argument("wanted", metavar="pass")
    parser.add_argument("machine")
    parser.add_argument("source", type=Path)
    parser.add_argument("idea")
    parser.add_argument("--nth", type=int, default=1)
    given = parser.parse_args()
    source = given.source.read_text(encoding="utf-8")
    print(begun(given.wanted, given.machine, source, given.idea, given.nth), end="")
