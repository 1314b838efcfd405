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
from typing import Any

from sim.serve import messages
from tests.campaign.broken_inputs.requests import answered, broken
from tests.campaign.seeds import campaign
from tests.opened_files import only_linux
from tests.sim.serve.conftest import SECRET, store  # noqa: F401  the fixture

pytestmark = only_linux


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
    assert 2 < _all(store, range(16)) < 16


@campaign(2000, 0, 30_000)
def test_campaign(seeds: range, store: Any):  # noqa: F811
    _all(store, seeds)
