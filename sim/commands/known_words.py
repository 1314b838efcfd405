"""The words that may stand at a place of a command, each with a sentence: what a shell offers.

A function of these is given the command as far as it is written (its context), and what stands of
the word; it may give words that do not begin so.  Whatever is wrong with what is written is told by
the command itself: here it only leads to fewer words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from machines.diagnostics import InputError

if TYPE_CHECKING:
    from sim.workload.schema import Workload

Words = Iterator[tuple[str, str]]
Known = Callable[[click.Context, str], Words]
DEFAULT_MACHINE = "itanium2"
"""Whose fields and passes are offered where no machine can be known yet."""


def machine_words(ctx: click.Context, word: str) -> Words:
    """Names of machines."""
    from machines.description.load import machine_names

    yield from ((name, "a machine") for name in machine_names())


def field_words(ctx: click.Context, word: str) -> Words:
    """Fields that may be set, up to the `=`, with their values now."""
    for path, sentence in path_words(ctx, word):
        yield f"{path}=", sentence


def path_words(ctx: click.Context, word: str) -> Words:
    """Paths of fields of the machine that is meant."""
    from machines.description.load import load_machine
    from sim.results.shown import shown_value

    try:
        fields = load_machine(_machine(ctx)).fields()
    except InputError:
        return
    for field in fields:
        if field.path not in ("kind", "name"):
            value = f"{shown_value(field.value)} {field.unit or ''}".rstrip()
            yield field.path, f"{_cut(value)}: {field.sentence}"


def pass_words(ctx: click.Context, word: str) -> Words:
    """Lists of passes that go on with one more: a name, `-NAME`, `NAME@after=NAME`."""
    from compiler.pass_lists import passes
    from machines.description.load import load_machine

    try:
        known = passes(load_machine(_machine(ctx)).kind)
    except InputError:
        return
    written, comma, last = word.rpartition(",")
    if last.startswith("-"):
        before = "-"
    elif "@" in last:
        before, _, _ = last.partition("=")
        before += "="
    else:
        before = ""
        yield f"{written}{comma}default", "The order of the machine."
    for name, plugin in known.items():
        yield f"{written}{comma}{before}{name}", plugin.sentence


def view_words(ctx: click.Context, word: str) -> Words:
    """Views of `explain`."""
    from sim.views import views

    yield from ((view.name, view.sentence) for view in views())


def report_words(ctx: click.Context, word: str) -> Words:
    """Reports."""
    from sim.reports.output import reports

    yield from ((report.name, report.sentence) for report in reports().values())


def trace_words(ctx: click.Context, word: str) -> Words:
    """Formats of traces."""
    from sim.timeline.writing import trace_writers

    yield from ((writer.name, writer.sentence) for writer in trace_writers().values())


def variant_words(ctx: click.Context, word: str) -> Words:
    """Variants of the workload that is named."""
    if workload := _workload(ctx):
        yield from ((case.name, "a variant") for case in workload.cases())


def argument_words(ctx: click.Context, word: str) -> Words:
    """Arguments of the workload that is named, up to the `=`."""
    if workload := _workload(ctx):
        yield from ((f"{name}=", "an argument") for name in workload.form.arguments)


def metric_words(ctx: click.Context, word: str) -> Words:
    """Cycles, counters and reasons."""
    from sim.results.vocabulary import vocabularies

    yield "cycles", "Cycles of the core clock."
    for kind, vocabulary in vocabularies().items():
        for one in (*vocabulary.counters, *vocabulary.reasons):
            yield one.name, f"{kind}: {one.sentence}"


def mistake_words(ctx: click.Context, word: str) -> Words:
    """Codes of messages."""
    from machines.mistakes import mistakes

    yield from ((one.code, one.sentence) for one in mistakes().values())


def skeleton_words(ctx: click.Context, word: str) -> Words:
    """What `simrun new` makes."""
    from sim.skeletons import SKELETONS

    yield from ((one.what, one.sentence) for one in SKELETONS.values())


def _machine(ctx: click.Context) -> str:
    """The machine that a command is about: `--machine`, the one it shows, the workload's own."""
    if given := _given(ctx, "machine"):
        return given
    if "name" in ctx.params or "b" in ctx.params:  # of `machines`
        return _given(ctx, "b", "a", "name") or DEFAULT_MACHINE
    workload = _workload(ctx)
    return workload.form.machine if workload else DEFAULT_MACHINE


def _workload(ctx: click.Context) -> Workload | None:
    """The workload of a command, if it names one that can be read."""
    from sim.workload.schema import read_workload

    given = _given(ctx, "workload", "path", "file")
    try:
        return read_workload(Path(given)) if given else None
    except (InputError, OSError):
        return None


def _given(ctx: click.Context, *names: str) -> str | None:
    """What the first of these parameters has that the command has.  click leaves words alone that
    stand before an option without its value, which is the one that is asked for."""
    for name in names:
        if value := ctx.params.get(name):
            return str(value)
    words = {one.name for one in ctx.command.params if isinstance(one, click.Argument)}
    return ctx.args[-1] if ctx.args and words & {*names} else None


def _cut(value: str) -> str:
    return value if len(value) <= 30 else f"{value[:29]}…"
