"""Requests to the service of which a part is damaged, and what a worker of it answers.

kind, body = broken(17); status, said = answered(kind, body)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from machines import confinement
from machines.diagnostics import InputError
from sim.serve import messages
from sim.serve.work import work

BODY = "body"
"""The file with a request's bytes, beside those of the store."""

REQUESTS = (
    ("run", {"name": "workload.yaml"}),
    ("run", {"name": "workload.yaml", "machine": "epic3", "set": ["memory.l2.latency=8 cycles"],
             "passes": "default,-modulo_schedule", "arguments": ["a=1.5"],
             "cycle_limit": 3000, "timing_only": False, "text": True}),
    ("run", {"name": ".", "variants": [], "arguments": ["x={dtype: f32, shape: [8], value: 2}"]}),
    ("compile", {"name": "tiny.py", "machine": "itanium2", "show": ["asm"]}),
    ("compile", {"name": "workload.yaml", "entry": "saxpy", "passes": "default"}),
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1 << 70, 1.5, 1e308, "", "x", "..", "../outside/workload.yaml", "/", "~",
    "../outside/../store/workload.yaml", "link/../workload.yaml", "a\0b", "\ud800", "x" * 1100, [],
    [[]], {}, {"file": "x"}, ["n"], ["n=1", "n=2"], ["=", "a="], ["asm"] * 9, "memory.l2=",
    "x={dtype: f32, file: ../outside/x.npy}", ["x={dtype: f32, file: /etc/passwd}"],
    "extends=../outside/machine.yaml", "default,vectorize@rules=../outside/rules.py",
    "workload.yaml/..", "./././tiny.py",
)  # fmt: skip


def broken(seed: int) -> tuple[str, bytes]:
    """A request's kind and its body."""
    draw = Random(seed)
    kind, whole = draw.choice(REQUESTS)
    kind = kind if draw.random() < 0.95 else draw.choice(["run", "compile"])
    asked = json.loads(json.dumps(whole))
    for _ in range(draw.choice([0, 0, 1, 1, 2])):
        key = draw.choice([*asked, *messages.REQUESTS[kind].model_fields, "other"])
        match draw.randrange(4):
            case 0:
                asked.pop(key, None)
            case 1 | 2:
                asked[key] = draw.choice(ODD)
            case _:
                values = asked.get(key)
                odd = draw.choice(ODD)
                asked[key] = [*values, odd] if isinstance(values, list) else [values, odd]
    body = json.dumps(asked).encode()
    if draw.random() < 0.15:
        at = draw.randrange(len(body))
        body = body[:at] + bytes([draw.randrange(256)]) + body[at + draw.randrange(3) :]
    return kind, body


def answered(kind: str, body: bytes) -> tuple[int, bytes]:
    """As `sim.serve.application` does: HTTP's number and the body."""
    try:
        asked = messages.read_request(kind, body)
    except InputError as error:
        return messages.REFUSED, messages.written(messages.refused(error.diagnostics))
    found = work(asked)
    return found.status, found.body


@contextmanager
def confined(folder: Path) -> Iterator[None]:
    """While the context lasts this process opens nothing outside of a folder."""
    confinement._store = folder.resolve()
    try:
        yield
    finally:
        confinement._store = None
