"""Results kept from one process to the next: what a function gave, and all that it hung on.

    with kept_results():                             # the command line does so
        machine = recall("machine", [name, overrides], lambda: read(name, overrides))

A result is found again if nothing has changed that it came from: the key (all that the function is
given), the text of the software (`machines.kept.software`), the content of each file that was read
meanwhile through `machines.reading`, and the files of modules that belong to neither simrun, nor a
plugin, nor an installed package.  What is found is unpickled, so it is equal to what was made, and
a copy of its own.

Not kept: what raises, what cannot be pickled, and anything while a plugin is left out, of which the
user is to be told in every run.  Outside of `kept_results` everything is made: a process that may
have changed code in memory (a notebook, a test) neither finds nor keeps anything.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import TypeVar

from machines.diagnostics import InputError
from machines.kept.entries import Entries
from machines.kept.questions import NONE, Answer, content_of, holds, note_all, noted
from machines.kept.software import Software
from machines.plugins import FAILED

T = TypeVar("T")


class _Store:
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


_STORE: ContextVar[_Store | None] = ContextVar("_STORE", default=None)


@contextmanager
def kept_results() -> Iterator[None]:
    """Results are kept, and those that were kept are found, while this is open."""
    token = _STORE.set(_Store())
    try:
        yield
    finally:
        _STORE.reset(token)


def are_kept() -> bool:
    """Whether results are kept here."""
    return _STORE.get() is not None


def recall(kind: str, key: object, make: Callable[[], T]) -> T:
    """What `make()` gives, made now or kept from before.

    kind  what it is, a word
    key   all that `make` is given, as JSON can write it; files that it reads need not be in it,
          but what they are called, and the folder that this is relative to
    """
    store = _STORE.get()
    if store is None or store.entries is None:
        return make()
    name = json.dumps([store.software.digest, key])
    content = store.entries.get(kind, name)
    if content is not None:
        written, _, pickled = content.partition(b"\n")
        answers = [tuple(answer) for answer in json.loads(written)]
        if all(map(holds, answers)):
            note_all(answers)
            return pickle.loads(pickled)
    with noted() as asked:
        made = make()
    _keep(store, kind, name, made, asked)
    return made


def _keep(store: _Store, kind: str, name: str, made: object, answers: set[Answer]) -> None:
    if FAILED:
        return
    software = store.software
    modules = {content_of(path) for path in _modules(software)}
    if any(said == NONE for _, _, said in modules):
        return
    try:
        pickled = pickle.dumps(made)
        pickle.loads(pickled)
    except Exception:  # what a plugin makes need not be data
        return
    if software.is_what_runs():
        asked = sorted(answers | modules)
        store.entries.put(kind, name, json.dumps(asked).encode() + b"\n" + pickled)


def _modules(software: Software) -> Iterator[str]:
    """Files of the modules in memory that the software's digest says nothing of."""
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str):
            path = os.path.abspath(path)
            if not software.has(path):
                yield path
