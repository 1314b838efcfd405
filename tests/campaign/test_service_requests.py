"""Requests to the service, of which a part is damaged: each is answered, and by no mistake of ours.

A worker answers in this process, confined to a small store: a request is JSON whose keys, values
and bytes are others than they should be.  What comes back is JSON again; it has a result, or says
what is wrong; it says nothing of where the store is, and opens nothing in the folder beside it.

    pytest -m campaign tests/campaign/test_service_requests.py
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from machines.diagnostics import InputError
from sim.serve import messages
from sim.serve.work import work
from tests.campaign.seeds import campaign
from tests.opened_files import only_linux
from tests.sim.serve.conftest import SECRET, store  # noqa: F401  the fixture

pytestmark = only_linux

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


def check_with(folder: Any) -> Callable[[int], bool]:
    """A check of a seed against a store; whether there was a result."""
    with suppress(FileExistsError):
        (folder.folder / "link").symlink_to("../outside")

    def check(seed: int) -> bool:
        kind, body = broken(seed)
        status, said = answered(kind, body)
        content = json.loads(said)
        assert status in (messages.DONE, messages.REFUSED), (status, said[:300])
        assert content["exit_code"] in (0, 1, 2, 3), said[:300]
        text = said.decode()
        assert SECRET not in text
        assert str(folder.folder.parent) not in text or str(folder.folder.parent) in body.decode(
            "utf-8", "replace"
        )
        if status == messages.REFUSED:
            assert all(finding["message"] for finding in content["diagnostics"])
            assert content["diagnostics"], body
        assert folder.watched.opened() == set(), body
        return status == messages.DONE

    return check


def _all(folder: Any, seeds: range) -> int:
    check, done, wrong = check_with(folder), 0, {}
    for seed in seeds:
        try:
            done += check(seed)
        except Exception as error:
            wrong[seed] = f"{type(error).__name__}: {str(error)[:300]}"
    assert not wrong, wrong
    return done


def test_a_few_requests(store: Any):  # noqa: F811
    assert 20 < _all(store, range(80)) < 70


@campaign(2000, 0, 30_000)
def test_campaign(seeds: range, store: Any):  # noqa: F811
    _all(store, seeds)
