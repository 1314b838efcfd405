"""Results cached from one process to the next, with all that they depend on.

    with kept_results():                             # the command line does so
        machine = cached("machine", [name, overrides], lambda: read(name, overrides))

A result is found again if nothing has changed that it came from: the key (all that the function is
given), the store that the process is confined to, the text of the software
(`machines.cache.software`), the content of each file that was read meanwhile through
`machines.reading`, and the files of modules that belong to neither simrun, nor a plugin, nor an
installed package.  What is found is unpickled, so it is equal to what was made, and
a copy of its own.

Not kept: what raises, what cannot be pickled, and anything while a plugin is left out, of which the
user is to be told in every run.  Outside of `kept_results` everything is made.  A process of a
caller's own (a script, a notebook, a test) opens `kept_as_a_rule`: there results are kept and found
as long as the process runs what the files say, on disk (`Software.is_what_runs`) and in its memory
(`machines.changed_code`), and unless `nothing_kept` is around.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import cache, cached_property
from typing import Any, TypeVar

from machines import confinement
from machines.cache.entries import Entries
from machines.cache.file_dependencies import (
    MODULE,
    NONE,
    Dependency,
    content_of,
    holds,
    record_all,
    recorded,
)
from machines.cache.software import Software
from machines.changed_code import is_changed
from machines.diagnostics import InputError
from machines.plugins import FAILED

T = TypeVar("T")


class Store:
    """The entries, and the software that they are asked for."""

    @cached_property
    def entries(self) -> Entries | None:
        """None where there is no cache folder; who cannot do without will say so."""
        try:
            return Entries()
        except InputError:
            return None

    @cached_property
    def software(self) -> Software:
        return Software(self.entries)

    def name(self, key: object, packages: Collection[str] | None) -> str:
        """The name of what is kept under a key, of these of simrun's packages.

        What was made where everything may be opened is nothing for a process that is confined.
        """
        return json.dumps([self.software.digest_of(packages), confinement.store(), key])

    def find(self, kind: str, name: str) -> tuple[Any] | tuple[()]:
        """What was kept under a name, if all that it depended on is as it was."""
        content = self.entries.get(kind, name)
        if content is None:
            return ()
        end = content.index(b"\n")
        answers = [tuple(answer) for answer in json.loads(content[:end])]
        if not all(map(holds, answers)):
            return ()
        record_all(answers)
        return (pickle.loads(memoryview(content)[end + 1 :]),)  # nothing large is copied for it

    def keep(self, kind: str, name: str, made: object, answers: Iterable[Dependency]) -> None:
        """Keep something that depends on what files answered, if that may be."""
        if FAILED:
            return
        modules = {content_of(path, MODULE) for path in _modules(self.software)}
        if any(said == NONE for _, _, said in modules):
            return
        try:
            pickled = pickle.dumps(made)
            pickle.loads(pickled)
        except Exception:  # what a plugin makes need not be data
            return
        if self.software.is_what_runs():
            asked = sorted({*answers, *modules})
            self.entries.put(kind, name, json.dumps(asked).encode() + b"\n" + pickled)


_STORE: ContextVar[Store | None] = ContextVar("_STORE")
"""Of who has said whether results are kept: where, None if not."""


@contextmanager
def kept_results(store: Store | None = None) -> Iterator[None]:
    """Results are kept, and those that were kept are found, while this is open; who opens it again
    and again has a `store`, which has read what the software is."""
    token = _STORE.set(store or Store())
    try:
        yield
    finally:
        _STORE.reset(token)


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Everything is made while this is open, also by `kept_as_a_rule` within."""
    token = _STORE.set(None)
    try:
        yield
    finally:
        _STORE.reset(token)


@contextmanager
def kept_as_a_rule() -> Iterator[None]:
    """As `kept_results`, unless somebody around has said whether results are kept, or this process
    is not what the files say."""
    said = _STORE in copy_context()
    store = None if said or is_changed() else _of_this_process()
    with nullcontext() if store is None else kept_results(store):
        yield


@cache
def _of_this_process() -> Store | None:
    """Of what its files say, None if they have changed since it began; a later change is noticed
    by who wants to keep something."""
    store = Store()
    return store if store.software.is_what_runs() else None


def are_kept() -> bool:
    """Whether results are kept here."""
    return _STORE.get(None) is not None


def store_of_results() -> Store | None:
    """Where results are kept, None if none are here, or if there is no folder for them."""
    store = _STORE.get(None)
    return store if store is not None and store.entries is not None else None


def software() -> Software:
    """The software that results are kept of, else that of this process."""
    store = store_of_results()
    return store.software if store is not None else _own_software()


@cache
def _own_software() -> Software:
    return Software()


def cached(
    kind: str, key: object, make: Callable[[], T], packages: Collection[str] | None = None
) -> T:
    """What `make()` gives, made now or kept from before.

    kind      what it is, a word
    key       all that `make` is given, as JSON can write it; files that it reads need not be in
              it, but what they are called, and the folder that this is relative to
    packages  those of simrun's that take part (see `machines.cache.software`), none: all
    """
    store = store_of_results()
    if store is None:
        return make()
    name = store.name(key, packages)
    found = store.find(kind, name)
    if found:
        return found[0]
    with recorded() as asked:
        made = make()
    store.keep(kind, name, made, asked)
    return made


def _modules(software: Software) -> Iterator[str]:
    """Files of the modules in memory that the software's digest says nothing of: plugins may have
    imported them, but for the script that runs."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) if name != "__main__" else None
        if isinstance(path, str):
            path = os.path.abspath(path)
            if not software.has(path):
                yield path
