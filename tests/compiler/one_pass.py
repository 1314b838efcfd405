"""One pass over one hand-written function, shown as text."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir.module import Function
from compiler.ir.printer import print_function
from compiler.pass_lists import passes
from compiler.text_form import parse
from compiler.transformation import Changes, make_options
from compiler.verify.ir import findings_of
from machines.description.load import load_machine

MACHINE = load_machine("itanium2")


def apply(name: str, function: Function, **options) -> Changes:
    """Run the pass of this name."""
    plugin = passes("epic")[name]
    return plugin.run(function, MACHINE, make_options(plugin, options))


@dataclass(frozen=True)
class After:
    """The lines of the function's body after a pass, and what the pass says."""

    lines: list[str]
    changes: Changes

    def __contains__(self, line: str) -> bool:
        return line in self.lines

    @property
    def remarks(self) -> list[tuple[str, str]]:
        return [(remark.what, remark.why) for remark in self.changes.remarks]


def after(name: str, text: str, **options) -> After:
    """The only function of a text after a pass; the result must be well-formed."""
    module = parse(text, "test.sir")
    (function,) = module.functions.values()
    changes = apply(name, function, **options)
    assert [str(finding) for finding in findings_of(module)] == []
    return After(body(function), changes)


def body(function: Function) -> list[str]:
    return [line.strip() for line in print_function(function).strip().splitlines()[1:-1]]
