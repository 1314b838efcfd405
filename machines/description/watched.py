"""What of a machine is asked while something is made of it.

    watched, asked = watch(machine)
    compile("saxpy.py", machine=watched)
    asked                               # {("memory", "l1d", "latency"), …}
    answers(machine, asked) == answers(other, asked)    # then `other` gets the same program

A watched machine is one in every respect (types, methods, derived values), but its fields are
filled in as they are asked for.  What is asked is noted with the keys that lead to it: a figure,
whole; a mapping of descriptions by the keys it has; of a description within, whether it is there.
Who looks at a description as a whole (copies it, writes it out) asks all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from machines.description.load import Machine
from machines.description.schema import Description

Path = tuple[str | int, ...]
"""Keys and positions that lead from the top to what is asked."""

_SOURCE = "_source"
"""Where a watched object has what it stands for: (object, path, the set of what is asked)."""
_TREE, _FILE = ("tree",), ("file",)
"""Of a machine beside its description: what of it no path of a description leads to."""


def watch(machine: Machine) -> tuple[Machine, set[Path]]:
    """The machine, watched, and the set that fills with what it is asked."""
    asked: set[Path] = set()
    watched = object.__new__(_WatchedMachine)
    watched.__dict__[_SOURCE] = (machine, (), asked)
    watched.__dict__["description"] = _watched(machine.description, (), asked)
    return watched, asked


def answers(machine: Machine, paths: Iterable[Path]) -> str:
    """What a machine answers at these paths, as JSON."""
    return json.dumps([_answer(machine, tuple(path)) for path in paths])


def disagreements(
    machine: Machine, other: Machine, paths: Iterable[Path], free: Iterable[str] = ()
) -> list[Path]:
    """The paths at which another machine answers otherwise, but for those that are free: paths, or
    beginnings of paths."""
    free = [one.split(".") for one in free]
    return [
        path
        for path in map(tuple, paths)
        if not any([str(key) for key in path[: len(keys)]] == keys for keys in free)
        and _answer(machine, path) != _answer(other, path)
    ]


def _answer(machine: Machine, path: Path) -> Any:
    if path == _FILE:
        return machine.file
    if path == _TREE:
        return [machine.file, machine.content_hash, repr(machine.tree)]
    found: Any = machine.description
    for key in path:
        if isinstance(found, Description):
            found = getattr(found, key, None)
        elif isinstance(found, dict):
            found = found.get(key)
        else:
            found = found[key] if isinstance(found, tuple | list) and key < len(found) else None
    return _told(found)


def _told(value: Any) -> Any:
    """A value as it answers a question: of descriptions only what they are of."""
    match value:
        case Description():
            return ["is", _plain_type(value).__qualname__]
        case dict():
            return {str(key): _told(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_told(inner) for inner in value]
        case set() | frozenset():
            return sorted(map(repr, value))
        case bool() | int() | float() | str() | None:
            return value
    return repr(value)


class _WatchedMachine(Machine):
    """A machine whose description is watched."""

    def __getattr__(self, name: str) -> Any:
        if name not in ("tree", "file"):
            raise AttributeError(f"a machine has no {name!r}")
        machine, _, asked = self.__dict__[_SOURCE]
        asked.add(_TREE if name == "tree" else _FILE)
        self.__dict__[name] = found = getattr(machine, name)
        return found

    @property
    def content_hash(self) -> str:
        machine, _, _ = self.__dict__[_SOURCE]
        _ask_all(self.description)
        return machine.content_hash

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a watched machine is for as long as something is made of it")


class _Watched:
    """What a watched description does otherwise; mixed into the model of the watched one."""

    def __getattr__(self, name: str) -> Any:
        source, path, asked = self.__dict__[_SOURCE]
        if name not in type(source).model_fields:
            raise AttributeError(f"{type(source).__name__!r} has no attribute {name!r}")
        value = getattr(source, name)
        asked.add((*path, name))
        self.__dict__[name] = found = _watched(value, (*path, name), asked)
        return found

    def __iter__(self) -> Any:
        _ask_all(self)
        return iter(self.__dict__[_SOURCE][0])

    def __repr_args__(self) -> Any:
        _ask_all(self)
        return self.__dict__[_SOURCE][0].__repr_args__()

    def model_dump(self, **options: Any) -> dict[str, Any]:
        _ask_all(self)
        return self.__dict__[_SOURCE][0].model_dump(**options)

    def model_dump_json(self, **options: Any) -> str:
        _ask_all(self)
        return self.__dict__[_SOURCE][0].model_dump_json(**options)

    def model_copy(self, **options: Any) -> Description:
        _ask_all(self)
        return self.__dict__[_SOURCE][0].model_copy(**options)

    def __copy__(self) -> Description:
        return self.model_copy()

    def __deepcopy__(self, memo: Any = None) -> Description:
        return self.model_copy(deep=True)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """What is kept or sent is the description itself."""
        _ask_all(self)
        return _itself, (self.__dict__[_SOURCE][0],)


def _itself(description: Description) -> Description:
    return description


def _watched(value: Any, path: Path, asked: set[Path]) -> Any:
    """A value in which every description is watched."""
    match value:
        case Description():
            watched = object.__new__(_model(type(value)))
            object.__setattr__(watched, "__dict__", {_SOURCE: (value, path, asked)})
            for slot in ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"):
                object.__setattr__(watched, slot, getattr(value, slot))
            return watched
        case dict() if _holds_descriptions(value.values()):
            return {key: _watched(inner, (*path, key), asked) for key, inner in value.items()}
        case tuple() if _holds_descriptions(value):
            return tuple(_watched(inner, (*path, k), asked) for k, inner in enumerate(value))
        case list() if _holds_descriptions(value):
            return [_watched(inner, (*path, k), asked) for k, inner in enumerate(value)]
    return value


def _holds_descriptions(values: Iterable[Any]) -> bool:
    return any(
        isinstance(value, Description)
        or (isinstance(value, dict) and _holds_descriptions(value.values()))
        or (isinstance(value, list | tuple) and _holds_descriptions(value))
        for value in values
    )


@cache
def _model(model: type[Description]) -> type[Description]:
    """The model of watched descriptions of a model."""
    return type(model.__name__, (_Watched, model), {"__module__": model.__module__})


def _plain_type(value: Description) -> type:
    return type(value.__dict__[_SOURCE][0]) if isinstance(value, _Watched) else type(value)


def _ask_all(value: Any) -> None:
    """Ask every field of a description, and of those within."""
    match value:
        case Description():
            for name in _plain_type(value).model_fields:
                _ask_all(getattr(value, name))
        case dict():
            for inner in value.values():
                _ask_all(inner)
        case list() | tuple():
            for inner in value:
                _ask_all(inner)
