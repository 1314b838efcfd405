"""Whose mistake an exception is: the plugin that was at work, the part that it is, and its line.

    blame = blamed(error)              # None: no plugin was at work
    str(blame)                         # "pass 'fold' of package theirs 1.0"

Nothing is noted while plugins work: what an exception has come through says it.  The innermost of
its frames that lies in a package with plugins is the line; a plugin is found by the functions that
it consists of, which are on the way to that line.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache, partial
from importlib.metadata import packages_distributions
from types import (
    CellType,
    CodeType,
    FrameType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any

from machines.plugins import KNOWN, Known, points_of

OWN = ("machines", "compiler", "sim", "workloads")
WORDS = {
    "frontends": "front end",
    "kinds": "machine kind",
    "operations": "operations",
    "passes": "pass",
}
"""What one of a group is called, where that is not the group's name without its 's'."""
MOST_NAMED = 3
"""Plugins of a module that are named where any of them may be meant."""
_MOST_OBJECTS = 5_000
"""That a plugin is looked through for functions."""


class BrokenByPlugin(RuntimeError):
    """What a plugin gave is not what one of its kind gives.

    plugin  it, or the function of it that was called
    detail  what a report of the mistake shows beside the message
    """

    def __init__(self, message: str, plugin: Any, detail: str = ""):
        super().__init__(message, detail)  # by which it is made again: the plugin stays behind
        self.message, self.plugin, self.detail = message, plugin, detail

    def __reduce__(self) -> tuple:
        return type(self), (self.message, None, self.detail), vars(self) | {"plugin": None}

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Blame:
    """A plugin at work.

    part     what of a package it is, as messages say it: "pass 'fold'"
    package  the package's name and version
    place    'file:line, in function'
    text     of that line
    """

    part: str
    package: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.part} of package {self.package}"


def told(error: BaseException) -> str:
    """What people are told of a mistake, which simrun or a plugin made."""
    name = type(error).__name__
    said = str(error) if isinstance(error, BrokenByPlugin) else f"{name}: {error}"
    blame = blamed(error)
    if blame is None:
        return f"simrun made a mistake: {said}"
    shown = f"\n    {blame.text}" if blame.text else ""
    return f"{blame} made a mistake: {said}\n    {blame.place}{shown}"


def note_blame(error: BaseException) -> None:
    """Keep with an exception who is to blame, before it goes to another process."""
    error.__dict__["blame"] = blamed(error)


def blamed(error: BaseException) -> Blame | None:
    """Whose mistake it is; None if it is simrun's."""
    if (noted := error.__dict__.get("blame")) is not None:
        return noted
    packages = _packages()
    frames = [(f, n) for f, n in _frames(error) if _top(f) in packages]
    if isinstance(error, BrokenByPlugin) and (blame := _of_result(error, packages)) is not None:
        return blame
    if not frames:
        return None
    frame, line = frames[-1]
    codes = [frame.f_code for frame, _ in reversed(frames)]
    part = _part(codes, frame.f_globals["__name__"])
    code = frame.f_code
    text = linecache.getline(code.co_filename, line).strip()
    place = f"{code.co_filename}:{line}, in {code.co_qualname}"
    return Blame(part, packages[_top(frame)], place, text)


def _of_result(error: BrokenByPlugin, packages: Mapping[str, str]) -> Blame | None:
    """Of what a plugin gave, which was looked at when it had ended: where the plugin begins."""
    for code in _codes_of(error.plugin):
        module = inspect.getmodule(code)
        name = module.__name__ if module else ""
        if name.partition(".")[0] in packages:
            place = f"{code.co_filename}:{code.co_firstlineno}, in {code.co_qualname}"
            package = packages[name.partition(".")[0]]
            return Blame(_part([code], name), package, place, "")
    return None


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    """From the outermost to the innermost, each with its line."""
    step = error.__traceback__
    while step is not None:
        yield step.tb_frame, step.tb_lineno
        step = step.tb_next


def _top(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


@cache
def _packages() -> dict[str, str]:
    """Packages that have plugins, with their versions, by the modules that they bring."""
    found = {}
    brought = packages_distributions()
    for point in points_of():
        if point.dist is None:
            continue
        said = f"{point.dist.name} {point.dist.version}"
        modules = [name for name, some in brought.items() if point.dist.name in some]
        found |= dict.fromkeys([point.module.partition(".")[0], *modules], said)
    return {name: said for name, said in found.items() if name not in OWN}


def _part(codes: list[CodeType], module: str) -> str:
    """Which plugin is at work: one that has one of these functions, innermost first; else those of
    the module."""
    having: dict[CodeType, dict[str, None]] = {}
    for known in KNOWN:
        for code in _codes_of(known.plugin):
            having.setdefault(code, {})[_name(known)] = None
    for code in codes:
        if code in having:
            return " or ".join(having[code])
    points = [p for p in points_of() if p.module == module or module.startswith(p.module + ".")]
    named = dict.fromkeys(f"{_word(p.group.removeprefix('simrun.'))} '{p.name}'" for p in points)
    return " or ".join(named) if 0 < len(named) <= MOST_NAMED else f"module {module}"


def _name(known: Known) -> str:
    return f"{_word(known.group)} '{known.name}'" if known.group else known.name


def _word(group: str) -> str:
    return WORDS.get(group, group.removesuffix("s"))


def _codes_of(plugin: Any) -> Iterator[CodeType]:
    """The code of all functions that an object consists of: its fields, their elements, the methods
    of its class, what a wrapper wraps.  Nothing of it is called."""
    pending, seen = [plugin], set()
    while pending and len(seen) < _MOST_OBJECTS:
        one = pending.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, FunctionType):
            yield one.__code__
        pending += _inside(one)


def _inside(one: Any) -> Iterator[Any]:
    """What an object consists of that may be, or have, functions of a plugin."""
    if isinstance(one, FunctionType):
        yield from vars(one).values()  # what it wraps
        yield from (cell.cell_contents for cell in one.__closure__ or () if _is_filled(cell))
    elif isinstance(one, staticmethod | classmethod | MethodType):
        yield one.__func__
    elif isinstance(one, property):
        yield one.fget
    elif isinstance(one, partial):
        yield one.func
    elif isinstance(one, dict | MappingProxyType):
        yield from one.values()
    elif isinstance(one, tuple | list | set | frozenset):
        yield from one
    elif isinstance(one, type):
        bases = [base for base in one.__mro__ if base.__module__.partition(".")[0] in _packages()]
        yield from (value for base in bases for value in vars(base).values())
    elif not isinstance(one, ModuleType):
        yield from _fields(one).values()
        yield type(one)


def _fields(one: Any) -> dict[str, Any]:
    slots = [name for name in getattr(type(one), "__slots__", ()) if name in type(one).__dict__]
    held = {name: getattr(one, name, None) for name in slots if is_dataclass(one)}
    return {**held, **getattr(one, "__dict__", {})}


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
