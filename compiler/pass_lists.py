"""What a list of passes means for a kind of machine: which passes, in which order, with which
options.

A workload's `passes` is 'default' or a list.  In a list, 'default' stands for the target's order of
passes; what follows it changes them:

    [default, -move_invariants]                    a pass left out
    [default, {rotate_loops: {limit: 3}}]          a pass with options
    [default, my_pass@after=number_values]         a pass put in, also @before=
    [default, my_pass@after=leave_ssa:2]           after the second of that name

A list without 'default' is the whole order, and has to lead from IR to what the machine runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import compiler.passes
from compiler.ir.module import IR_FORMS
from compiler.levels import passes_of_levels
from compiler.targets import folders_of_targets, target_for, targets
from compiler.transformation import Pass, make_options
from machines.description.load import Machine, machine_names
from machines.diagnostics import Location, input_error, nearest
from machines.levels import NO_OPTIONS, level_of
from machines.plugins import discover

FIRST_FORM = "ir"

PassList = str | Sequence[str | Mapping[str, Any]]
_PUT_IN = re.compile(r"(?P<name>[^@]+)@(?P<side>after|before)=(?P<anchor>[^:]+)(:(?P<nth>\d+))?")


@dataclass(frozen=True)
class Step:
    """A pass with its options."""

    plugin: Pass
    options: Any


@dataclass(frozen=True)
class _Entry:
    """An entry of a list: what is written of one pass.

    side, anchor, nth  of one that is put in: 'after' or 'before' which pass, and which of several
    """

    name: str
    options: Mapping[str, Any]
    leaves_out: bool = False
    side: str | None = None
    anchor: str = ""
    nth: int | None = None


@cache
def all_passes() -> tuple[Pass, ...]:
    """All passes, built in and from plugins (entry-point group `simrun.passes`).  A pass in a
    target's folder is for machines of that kind alone.

    Raises InputError if a kind of machine has two of one name.
    """
    folders = (compiler.passes, *folders_of_targets("passes"))
    return _without_doubles((*discover("passes", folders, Pass).values(), *_of_levels()))


@cache
def _passes_for(kind: str | None) -> tuple[Pass, ...]:
    """Those for one kind of machine, or only those for any; no other target's are imported."""
    folders = folders_of_targets("passes", kind) if kind is not None else ()
    found = (*discover("passes", (compiler.passes, *folders), Pass).values(), *_of_levels())
    return _without_doubles(tuple(p for p in found if not p.kinds or kind in p.kinds))


def _of_levels() -> Iterator[Pass]:
    for some in passes_of_levels().values():
        yield from some


def _without_doubles(found: tuple[Pass, ...]) -> tuple[Pass, ...]:
    for one, other in combinations(found, 2):
        meet = not one.kinds or not other.kinds or set(one.kinds) & set(other.kinds)
        if one.name == other.name and meet:
            message = f"two passes have the name '{one.name}' for one kind of machine"
            raise input_error(message, hint=f"{one.key} and {other.key}: uninstall or rename one")
    return found


def passes(kind: str | None = None) -> dict[str, Pass]:
    """The passes that a kind of machine may have by name; without one, those for any kind."""
    return {p.name: p for p in _passes_for(kind)}


def default_passes(kind: str, form: str = FIRST_FORM) -> tuple[str, ...]:
    """The order of a kind's target, from where the code is in a form for the first time; nothing
    where the form is that of a level which the kind does not lower."""
    if level_of(form) is not None:
        first = lowering(kind, form)
        return (*first, *default_passes(kind, _left(first, form, kind))) if first else ()
    known, now = passes(kind), FIRST_FORM
    order = target_for(kind).passes
    for position, name in enumerate(order):
        if now == form:
            return order[position:]
        now = known[name].forms[now]
    return ()


def lowering(kind: str | None, form: str) -> tuple[str, ...]:
    """Names of the passes that lead from a level's form to IR, or to what else a kind's target goes
    on from; nothing if the kind does not lower the level.  Without a kind, the level's own."""
    lowers = target_for(kind).lowers if kind is not None else {}
    level = level_of(form)
    if form in lowers or level is None:
        return lowers.get(form, ())
    own = tuple(p.name for p in passes_of_levels().get(form, ()))
    end = _left(own, form, kind)
    if level_of(end) is not None and end != form:
        rest = lowering(kind, end)
        return (*own, *rest) if rest else ()
    return own if kind is None or kind in level.kinds else ()


def _left(names: Sequence[str], form: str, kind: str | None) -> str:
    """The form in which passes, one after the other, leave code of a form."""
    known = passes(kind)
    for name in names:
        form = known[name].forms.get(form, form) if name in known else form
    return form


def check_lowered(
    level: str,
    of: str,
    machine: Machine,
    wanted: PassList,
    location: Location | None = None,
    source: str = "",
) -> None:
    """Raises InputError if passes begin with 'default', and the machine has no such order for code
    of a level, of which `of` is."""
    if level_of(level) is None or lowering(machine.kind, level):
        return
    if any(_read_entry(entry, None).name == "default" for entry in _entries(wanted)):
        kinds = [kind for kind in targets() if lowering(kind, level)]
        message = f"{machine.name} runs no code of level '{level}', of which {of} is"
        others = ", ".join(name for kind in kinds for name in machine_names(kind))
        hint = f"choose another with --machine: {others}" if others else "no kind lowers it"
        raise input_error(message, location, source=source, hint=hint, code="program")


def forms(kind: str) -> tuple[str, ...]:
    """The forms that the order of a kind's target leads through."""
    known, now, found = passes(kind), FIRST_FORM, [FIRST_FORM]
    for name in target_for(kind).passes:
        now = known[name].forms[now]
        found.append(now)
    return tuple(dict.fromkeys(found))


def optimizations(kind: str) -> tuple[str, ...]:
    """Names of the default passes that may be left out: those that keep the code in SSA form."""
    known = passes(kind)
    names = (name for name in default_passes(kind) if known[name].forms == {"ssa": "ssa"})
    return tuple(dict.fromkeys(names))


def make_steps(
    kind: str,
    wanted: PassList = "default",
    location: Location | None = None,
    form: str = FIRST_FORM,
) -> list[Step]:
    """The steps that a pass list means for a kind of machine and code in a form.

    Raises InputError for unknown passes and options, passes for other kinds of machine, and an
    order that cannot work.
    """
    default = default_passes(kind, form)
    steps = _read_list(wanted, default, kind, location)
    form = _form_after(steps, location, form, default)
    last = target_for(kind).last_form
    if form != last:
        raise input_error(
            f"the passes leave the code in form '{form}', but the machine runs '{last}'",
            location,
            hint="the default order is " + ", ".join(default_passes(kind)),
        )
    return steps


def options_of_levels(wanted: PassList | None) -> Mapping[str, Any]:
    """The options that a list gives to passes that lead on from levels: what reads the source wants
    them, too."""
    written = [entry for entry in _entries(wanted or "default") if isinstance(entry, Mapping)]
    if not written:
        return NO_OPTIONS
    own, found = {p.name for p in all_passes() if any(map(level_of, p.forms))}, {}
    for name, options in (pair for entry in written for pair in entry.items()):
        if name in own and isinstance(options, Mapping):
            found |= options
    return found


def make_neutral_steps(
    wanted: PassList, kind: str | None = None, form: str = FIRST_FORM
) -> list[Step]:
    """The steps of a list of passes that leave IR, which runs nowhere yet; 'default' stands for
    those before selection in the order of a kind of machine, if one is given.

    Raises InputError as `make_steps` does, and for a pass of a machine's code.
    """
    neutral = {p.name for p in all_passes() if _is_neutral(p)}
    others = {p.name for p in all_passes()} - neutral
    for name in (_read_entry(entry, None).name for entry in _entries(wanted)):
        if name in others:
            message = f"pass '{name}' works on a machine's code, and this is IR"
            raise input_error(message, hint="--show asm or --show passes show what it does")
        if name == "default" and kind is None:
            message = "'default' is the order of a kind of machine, and none is named"
            raise input_error(message, hint="--machine itanium2, or write the passes")
    default = default_passes(kind, form) if kind else lowering(None, form)
    default = [name for name in default if name in neutral]
    steps = _read_list(wanted, default, kind, None)
    _form_after(steps, None, form, default)
    return steps


def _is_neutral(plugin: Pass) -> bool:
    if any(level_of(form) is not None for form in plugin.forms):
        return True
    return plugin.forms.get("ir", plugin.forms.get("ssa")) in IR_FORMS


def _entries(wanted: PassList) -> list[str | Mapping[str, Any]]:
    return [wanted] if isinstance(wanted, str) else list(wanted)


def _read_list(
    wanted: PassList, default: Sequence[str], kind: str | None, location: Location | None
) -> list[Step]:
    """The steps of a list in which 'default' stands for some passes, whatever their forms."""
    names: list[str] = []
    given: dict[str, dict[str, Any]] = {}
    changing_default = False
    for entry in (_read_entry(entry, location) for entry in _entries(wanted)):
        if entry.name == "default" and not entry.leaves_out and entry.side is None:
            names, changing_default = [*names, *default], True
            continue
        if entry.leaves_out:
            _must_be_there(entry.name, names, changing_default, kind, location)
            names = [other for other in names if other != entry.name]
            continue
        if entry.side is not None:
            names.insert(_position(entry, names, changing_default, kind, location), entry.name)
        elif changing_default:
            _must_be_there(entry.name, names, changing_default, kind, location)
            if not entry.options:
                hint = f"give it options, '{entry.name}: {{option: value}}', or leave it out"
                message = f"pass '{entry.name}' is in 'default' already"
                raise input_error(message, location, hint=hint)
        else:
            names.append(entry.name)
        if entry.options:
            given.setdefault(entry.name, {}).update(entry.options)
    for name in given:
        if name not in names:
            message = f"pass '{name}' has options, but is left out"
            raise input_error(message, location, hint=f"leave out the options, or '-{name}'")
    plugins = [_pass_named(name, kind, location) for name in names]
    return [Step(p, make_options(p, given.get(p.name, {}), location)) for p in plugins]


def _read_entry(entry: Any, location: Location | None) -> _Entry:
    """An entry: 'name', '-name', 'name@after=other', or {name: {option: value}}."""
    if isinstance(entry, str) and entry.strip("- "):
        if entry.startswith("-"):
            return _Entry(entry[1:].strip(), {}, leaves_out=True)
        return _read_name(entry, {}, location)
    if isinstance(entry, Mapping) and len(entry) == 1:
        name, options = next(iter(entry.items()))
        written = options is None or isinstance(options, Mapping)
        if written and not str(name).startswith("-"):
            return _read_name(str(name), dict(options or {}), location)
    hint = "write a name, -name, name@after=other, or name: {option: value}"
    raise input_error(f"{entry!r} is not a pass", location, hint=hint)


def _read_name(text: str, options: Mapping[str, Any], location: Location | None) -> _Entry:
    if "@" not in text:
        return _Entry(text, options)
    read = _PUT_IN.fullmatch(text)
    if read is None:
        hint = "write name@after=other or name@before=other; other:2 is the second of that name"
        raise input_error(f"'{text}' does not say where the pass stands", location, hint=hint)
    nth = int(read["nth"]) if read["nth"] else None
    return _Entry(read["name"], options, side=read["side"], anchor=read["anchor"], nth=nth)


def _position(
    entry: _Entry,
    names: list[str],
    changing_default: bool,
    kind: str | None,
    location: Location | None,
) -> int:
    """Where in the list a pass is put in."""
    _must_be_there(entry.anchor, names, changing_default, kind, location)
    positions = [position for position, name in enumerate(names) if name == entry.anchor]
    if entry.nth is None and len(positions) > 1:
        message = f"'{entry.anchor}' stands {len(positions)} times: which one is meant is not clear"
        hint = f"{entry.name}@{entry.side}={entry.anchor}:1, … :{len(positions)}"
        raise input_error(message, location, hint=hint)
    if entry.nth is not None and not 1 <= entry.nth <= len(positions):
        message = f"'{entry.anchor}' stands {len(positions)} times, so there is no {entry.nth}"
        raise input_error(message, location, hint=f"{entry.anchor}:1 is the first")
    return positions[(entry.nth or 1) - 1] + (entry.side == "after")


def _must_be_there(
    name: str,
    names: list[str],
    changing_default: bool,
    kind: str | None,
    location: Location | None,
) -> None:
    if name in names:
        return
    known = passes(kind)
    if not changing_default:
        message, hint = f"'{name}' is named, and it is not there", "begin with 'default'"
    else:
        message = f"pass '{name}' is not among the default passes"
        hint = f"{', '.join(names)}; one more says where it stands: NAME@after=PASS"
    raise input_error(message, location, hint=hint if name in known else nearest(name, known))


def _pass_named(name: str, kind: str | None, location: Location | None) -> Pass:
    """The pass of that name for a kind; raises InputError if there is none."""
    known = passes(kind)
    if name in known:
        return known[name]
    of = sorted({k for plugin in all_passes() if plugin.name == name for k in plugin.kinds})
    if of:
        message = f"pass '{name}' is for machines of kind {' or '.join(map(repr, of))}"
        raise input_error(message, location, hint=f"this one is of kind '{kind}'")
    raise input_error(f"there is no pass '{name}'", location, hint=nearest(name, known))


def _form_after(
    steps: list[Step], location: Location | None, form: str, default: Sequence[str]
) -> str:
    """The form of the code after steps; raises InputError if one cannot stand where it does."""
    for step in steps:
        if form not in step.plugin.forms:
            accepted = " or ".join(f"'{f}'" for f in step.plugin.forms)
            raise input_error(
                f"pass '{step.plugin.name}' cannot stand there: it takes form {accepted}, "
                f"and the code is in form '{form}'",
                location,
                hint=_order_hint(step.plugin, form, default),
            )
        form = step.plugin.forms[form]
    return form


def _order_hint(plugin: Pass, form: str, default: Sequence[str]) -> str | None:
    """How code gets into a form that a pass takes."""
    if default:
        return "the default order is " + ", ".join(default)
    before = [name for name, other in passes().items() if other.forms.get(form) in plugin.forms]
    return f"{' or '.join(before)} before it leads there" if before else None
