"""Waits, fences and barriers taken out of kernels that Triton compiled, one at a time: what PTX
says nothing of is reported then, as a fault or an error that names two lines.

'right' are those that are not needed: a barrier where nobody has read yet, one of two in a row, one
between words of one warp; and one between stores and loads of threads, which go on in order.
"""

from __future__ import annotations

import re

import pytest

import sim
from machines.diagnostics import InputError
from machines.kinds.simt.copy_faults import RACES
from tests.corpus import test_measured_triton as measured
from tests.corpus.test_measured_triton import JUDGES, files

KEEPS_ORDER = re.compile(
    r"\s*(?:cp\.async\.wait_group|wgmma\.wait_group|wgmma\.fence|fence\.proxy|bar\.sync)\b"
)
EXPECTED = {
    "matmul_f16_512": "right copy copy refused product product refused copy product right",
    "matmul_e4m3_512": "right copy right store store refused refused right copy right right",
    "attention_512_8": "store copy store refused refused refused product refused copy right right",
}
IN_EVERY_RUN = "matmul_f16_512"


def without(name: str, number: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """What comes of a kernel without a line."""
    lines = files()[f"{name}.ptx"].decode().splitlines()
    lines[number] = ""
    changed = files() | {f"{name}.ptx": "\n".join(lines).encode()}
    monkeypatch.setattr(measured, "files", lambda: changed)
    results, real = [], sim.run

    def run(*given, **named):
        results.append(real(*given, **named))
        return results[-1]

    monkeypatch.setattr(sim, "run", run)
    try:
        got, expected, apart = JUDGES[name.partition("_")[0]](name)
    except InputError:
        return "refused"
    except AssertionError:
        fault = results[-1].to_dict()["fault"]
        assert fault["kind"] in RACES and len(set(re.findall(r"k\.ptx:\d+", str(fault)))) == 2
        return fault["kind"].split()[-1]
    return "right" if abs(got - expected).max() <= apart else "wrong"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == IN_EVERY_RUN else pytest.mark.campaign)
        for name in EXPECTED
    ],
)
def test_what_is_missing_is_found(name: str, monkeypatch: pytest.MonkeyPatch):
    text = files()[f"{name}.ptx"].decode().splitlines()
    places = [k for k, line in enumerate(text) if KEEPS_ORDER.match(line)]
    found = [without(name, number, monkeypatch) for number in places]
    assert found == EXPECTED[name].split()
