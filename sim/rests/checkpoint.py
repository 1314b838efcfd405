"""A run at rest in a file, from which others go on.

    origin = origin_of(request)                        # before it runs
    content = packed(origin, rest, request.memory)     # bytes of a file
    found = unpacked(content, name, other, host)       # for another run, which goes on from there

The file is a line that says what it is, a SHA-256 of the rest, and a zip of numpy arrays and a
JSON text, without pickled objects.  Cores trust what they take up; so nothing is looked at of a
file that is not all that its digest says.  It is taken up only by a run that did the same until
then: the same program on the same machine under the same text of simrun and its plugins, the same
memory at the beginning, and the same steps of the host (`sim.cores.rest`).  What comes later may
differ: later steps, their arguments, limits, what is expected.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from machines.cache.files import open_atomically
from machines.cache.installed import moved
from machines.cache.results import software
from machines.cache.software import SIMULATING
from machines.diagnostics import InputError, input_error
from machines.layout import Memory
from machines.reading import read_bytes
from sim.cores import Request, core_of
from sim.cores.rest import Plain, Rest, Resumed, Stream

FORMAT = 2
"""Of the file."""
BEGINNING = b"simrun run at rest\n"
"""Of the file, whatever its format."""
MOST_BYTES = 1 << 32
"""Of a file."""
_SEAL = hashlib.sha256().digest_size
HEADER, MEMORY, ARRAY = "header", "memory", "array"
"""Entries of the zip; of what is numbered, the name before the number; and the key of a mapping
that stands for an array."""
HINT = "write another by --checkpoint FILE --checkpoint-at STEP"
Count = Annotated[int, Field(ge=0)]
Origin = dict[str, str]
Host = Mapping[int, Iterable[Any]]

PARTS = {
    "simulator": "was written by other text of simrun, or with other plugins",
    "installed": "was written with other packages",
    "model": "is of another timing model",
    "machine": "is of another machine",
    "program": "is of another program",
    "values": "is of a run whose values were computed, or not, unlike this one's",
    "races": "is of a run that looked for races, or did not, unlike this one",
    "trace": "is of a run with a trace, or without, unlike this one",
    "memory": "is of a run with other inputs",
    "arguments": "is of a run with other arguments",
}
"""What an origin says, and what is said of a file that says something else there."""


class NoSuchPast(InputError):
    """A state that was kept is not one of this run."""


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Stream(_Strict):
    stream: Count
    asked: Count
    done: Count
    waits: bool
    arrival: Count
    seen: list[bool | str]
    digest: str


class _State(_Strict):
    cycle: Count
    notes: list[dict[str, Any]]
    streams: list[_Stream]
    given: list[Count]
    machine: Any


class _Header(_Strict):
    format: int
    origin: dict[str, str]
    measured: Any
    state: _State


def origin_of(request: Request) -> Origin:
    """What a run is before it begins, by the names of `PARTS`: digests."""
    placements = [[p.name, p.address, p.size] for p in request.memory.placements.values()]
    arguments = {name: repr(value) for name, value in request.arguments.items()}
    return {
        "simulator": software().text_of(SIMULATING),
        "installed": json.dumps(software().installed),
        "model": str(core_of(request.machine).model),
        "machine": request.machine.content_hash,
        "program": request.program.content_hash,
        "values": str(request.values),
        "races": str(request.races),
        "trace": str(request.on_trace is not None),
        "memory": _digest(json.dumps(placements).encode(), request.memory.bytes),
        "arguments": _digest(json.dumps(sorted(arguments.items())).encode()),
    }


def digest_of(origin: Origin) -> str:
    """Of runs that may have a past in common."""
    return _digest(json.dumps(origin, sort_keys=True).encode())


def packed(origin: Origin, rest: Rest, memory: Memory, measured: Plain = None) -> bytes:
    """A run at rest, of which a region may have begun (its figures until then), as a file's bytes.

    Raises InputError if its kind of machine cannot be kept.
    """
    arrays: dict[str, np.ndarray] = {}
    content = {"format": FORMAT, "origin": origin, "measured": measured, "state": rest.state()}
    header = json.dumps(_without_arrays(content, arrays))
    arrays |= {HEADER: np.frombuffer(header.encode(), np.uint8), MEMORY: memory.bytes}
    file = io.BytesIO()
    # As numpy.savez_compressed does, in half the time: most of a state are zeros.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        for name, array in arrays.items():
            with made.open(f"{name}.npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)
    return file.getvalue()


def write_checkpoint(path: Path, content: bytes) -> None:
    """Raises InputError if the file cannot be written."""
    with open_atomically(path, binary=True) as file:
        file.write(BEGINNING + hashlib.sha256(content).digest() + content)


def read_checkpoint(path: Path) -> bytes:
    """Raises InputError if the file cannot be read, is none, or is not as it was written."""
    if not path.exists():
        raise input_error(f"there is no file {path}", hint=HINT)
    content = read_bytes(path, MOST_BYTES, begins=BEGINNING)
    body = memoryview(content)[len(BEGINNING) + _SEAL :]
    sealed = BEGINNING + hashlib.sha256(body).digest()
    if not content.startswith(sealed):
        raise _damaged(str(path))
    return bytes(body)


@dataclass(frozen=True)
class Found:
    """A run at rest that was kept.

    memory    uint8[bytes]
    measured  figures where a region began, of one that has
    """

    resumed: Resumed
    memory: np.ndarray
    measured: Plain


def unpacked(content: bytes, name: str, request: Request, host: Host) -> Found:
    """What a file has kept, for a run that asks for `request`; nothing changes.

    host  what the request's host does, made anew
    Raises InputError if the content is none of a file or damaged, and NoSuchPast if it is not of
    this run's past.
    """
    header, arrays = _parts(content, name)
    own = origin_of(request)
    for part, message in PARTS.items():
        theirs = header.origin.get(part)
        if theirs != own[part]:
            which = f": {_moved(theirs, own[part])}" if part == "installed" and theirs else ""
            raise NoSuchPast(input_error(f"{name} {message}{which}", hint=HINT).diagnostics)
    state = header.state
    if state.cycle > request.cycle_limit:
        message = f"{name} is of cycle {state.cycle}, behind the limit of {request.cycle_limit}"
        raise NoSuchPast(input_error(message).diagnostics)
    memory, kept = arrays.pop(MEMORY, None), request.memory.bytes
    if memory is None or memory.dtype != kept.dtype or memory.shape != kept.shape:
        raise _damaged(name)
    streams = [one.model_dump() for one in state.streams]
    machine = _with_arrays(name, state.machine, arrays)
    resumed = Resumed(state.cycle, state.notes, streams, state.given, machine)
    if (
        resumed.order_in({number: Stream(number, script) for number, script in host.items()})
        is None
    ):
        message = f"{name} is of another past: what the host does before step {resumed.steps + 1}"
        raise NoSuchPast(input_error(f"{message} is not what it did", hint=HINT).diagnostics)
    return Found(resumed, memory, _with_arrays(name, header.measured, arrays))


def _parts(content: bytes, name: str) -> tuple[_Header, dict[str, np.ndarray]]:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {entry: file[entry] for entry in file.files}
        header = json.loads(arrays.pop(HEADER).tobytes())
        if header["format"] != FORMAT:
            message = f"{name} has format {header['format']!r}, not {FORMAT}"
            raise input_error(message, hint="another version of simrun wrote it")
        return _Header.model_validate(header), arrays
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, MemoryError,
            RecursionError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error,
            ValidationError):  # fmt: skip
        raise _damaged(name) from None


def _moved(theirs: str, own: str) -> str:
    """Which packages moved since a file was written."""
    try:
        return moved(json.loads(theirs), json.loads(own))
    except (ValueError, AttributeError, RecursionError):
        return "nobody knows which"


def _damaged(name: str) -> InputError:
    return input_error(f"{name} holds no run at rest, or is damaged", hint=HINT)


def _without_arrays(tree: Plain, arrays: dict[str, np.ndarray]) -> Plain:
    """The same with a number in each array's place; they are put aside."""
    if isinstance(tree, np.ndarray):
        name = f"{ARRAY}{len(arrays)}"
        arrays[name] = tree
        return {ARRAY: name}
    if isinstance(tree, Mapping):
        return {key: _without_arrays(one, arrays) for key, one in tree.items()}
    if isinstance(tree, list | tuple):
        return [_without_arrays(one, arrays) for one in tree]
    return tree


def _with_arrays(name: str, tree: Plain, arrays: Mapping[str, np.ndarray]) -> Plain:
    if isinstance(tree, dict) and tree.keys() == {ARRAY}:
        if tree[ARRAY] not in arrays:
            raise _damaged(name)
        return arrays[tree[ARRAY]]
    if isinstance(tree, dict):
        return {key: _with_arrays(name, one, arrays) for key, one in tree.items()}
    return [_with_arrays(name, one, arrays) for one in tree] if isinstance(tree, list) else tree


def _digest(*parts: bytes | np.ndarray) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()
