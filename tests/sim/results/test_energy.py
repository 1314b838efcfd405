"""Estimates of energy and area worked out by hand; what is not known is said, not made up."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import sim
from machines.description.load import load_machine
from machines.description.schema import Estimates
from machines.diagnostics import InputError
from machines.kinds import kinds
from sim.results.energy import STATIC, Amount, estimate_of
from sim.results.energy_by_line import estimate_for
from sim.results.energy_text import text_of
from sim.results.figures import figures_of as figures_of_run
from sim.results.vocabulary import vocabulary_of
from sim.studies.figures import figures_of
from tests.sim.cluster.chip_runs import run as run_chip
from tests.sim.cluster.test_layers import ONE_CORE, TWO_LAYERS

ROOT = Path(__file__).parents[3]
TABLE = Estimates.model_validate(
    {
        "node": "45 nm",
        "events": {
            "adds": {"energy": "2 pJ", "within": 2.0},
            "bytes": {"energy": "0.5 pJ", "within": 1.0},
            "roots": {"energy": "1 nJ", "within": 3.0},
        },
        "areas": {"core": {"area": "1.5 mm2", "count": 4, "within": 2.0},
                  "cache": {"area": "250000 um2", "within": 1.0}},
        "static": {"power": "2 mW", "within": 4.0},
    }
)  # fmt: skip


def test_an_estimate_by_hand():
    """10 sums and 100 bytes in 50 ns: 20 and 50 pJ; 2 mW are 100 pJ."""
    found = estimate_of({"adds": 10, "bytes": 100, "roots": 0, "jumps": 3}, TABLE, 50e-9)
    assert list(found.events) == [STATIC, "bytes", "adds"]
    assert TABLE.events["roots"].energy == 1000
    assert found.events["adds"] == Amount(20.0, 10.0, 40.0)
    assert found.events[STATIC].value == pytest.approx(100)
    total = found.total
    assert (total.value, total.least, total.most) == pytest.approx((170, 10 + 50 + 25, 490))
    assert found.unknown == {"jumps": 3}
    assert found.delay_product == pytest.approx(170e-12 * 50e-9)
    assert found.area == Amount(6.25, 3.25, 12.25)


def test_nothing_known_is_nothing_estimated():
    bare = Estimates.model_validate({"node": "none", "events": {}})
    found = estimate_of({"adds": 10}, bare, 1.0)
    assert found.total.value == 0 and found.unknown == {"adds": 10}
    assert "area" not in str(found.to_dict())


def machine(base: str, energy: dict):
    """A machine with figures of energy."""
    return {
        "extends": base, "name": "warm", "title": "With figures of energy",
        "source": "assumed: round", "energy": {"node": "none", **energy},
    }  # fmt: skip


def pj(energy: float, within: float = 2.0) -> dict:
    return {"energy": f"{energy} pJ", "within": within}


GPU = {
    "events": {"f32": pj(2), "DRAM": pj(10), "warp instruction": pj(5), "lane instruction": pj(1)}
}


def test_a_gpu_by_event_and_line():
    plain = sim.run(ROOT / "workloads/gpu/strided", machine="teaching_gpu")
    found = sim.run(ROOT / "workloads/gpu/strided", machine=machine("teaching_gpu", GPU))
    assert plain.energy is None and "energy" not in plain.to_dict()
    assert found.cycles == plain.cycles and found.counters == plain.counters
    events, counters = found.energy.events, found.counters
    moved = counters["DRAM_BYTES_READ"] + counters["DRAM_BYTES_WRITTEN"]
    assert events["DRAM"].value == 10 * moved
    assert events["warp instruction"].value == 5 * counters["WARP_INSTRUCTIONS"]
    assert events["lane instruction"].value == counters["THREAD_INSTRUCTIONS"]
    assert {"integer", "L1", "L2"} <= found.energy.unknown.keys()
    # Source lines have what belongs to instructions: all but DRAM.
    by_line = {line: energy for _, line, energy in found.energy.lines}
    assert sum(by_line.values()) == pytest.approx(found.energy.total.value - 10 * moved)
    for line in found.lines:
        operations = 5 * line.executed + line.columns["active_lanes"]
        assert by_line[line.line] >= operations
    figures = figures_of(found.to_dict())
    assert figures["energy"] == pytest.approx(found.energy.total.value * 1e-12)
    assert figures["edp"] == pytest.approx(figures["energy"] * found.seconds)
    text = text_of(found)
    assert "not in it, as no figure is known" in text and "estimated area" not in text
    assert "nothing is estimated" in text_of(plain)


def test_layers_have_what_they_computed_and_moved():
    """Each copies 256 bytes of whole lines; the first does two operations on 64, the second one."""
    add = "    tensor.add.f32 b[0:64], a[0:64], a[0:64] {layer: 0}\n"
    assert add in TWO_LAYERS
    done = run_chip(TWO_LAYERS.replace(add, 2 * add), overrides=ONE_CORE).outcome
    table = Estimates.model_validate(
        {"node": "none", "events": {"vector f32": pj(3), "DRAM": pj(10), "iodma": pj(0.5)}}
    )
    vocabulary = vocabulary_of("cluster")
    figures = figures_of_run(done, vocabulary, with_energy=True)
    program = SimpleNamespace(locations=[])
    found = estimate_for(figures, vocabulary.energy, table, 10**9, program, Path())
    moved = 256 * 10 + 256 * 0.5
    assert dict(found.layers) == {
        "first": moved + 128 * 3, "second": moved + 64 * 3, "third": moved, "rest": 0, "launch": 0,
    }  # fmt: skip
    assert sum(dict(found.layers).values()) == found.total.value
    assert {**found.unknown} == {"ports": 3 * 256}


def test_epic_instructions_by_line():
    energy = {"events": {"instruction": pj(7), "L1D": pj(1)}, "static": {"power": "1 W",
              "within": 2.0}}  # fmt: skip
    found = sim.run(ROOT / "workloads/hand_tuned/strlen", machine=machine("itanium2", energy))
    retired = found.counters["IA64_INST_RETIRED"]
    assert found.energy.events["instruction"].value == 7 * retired
    assert found.energy.events[STATIC].value == pytest.approx(found.cycles * 1000)  # 1 ns at 1 W
    assert sum(e for *_, e in found.energy.lines) == pytest.approx(7 * retired)


def test_a_misspelt_event_is_refused_before_the_run():
    with pytest.raises(InputError) as refused:
        sim.run(ROOT / "workloads/gpu/strided",
                machine=machine("teaching_gpu", {"events": {"f33": pj(1)}}))  # fmt: skip
    assert "'f33' is no event that takes energy" in str(refused.value)
    assert "did you mean 'f32'" in str(refused.value)


@pytest.mark.parametrize(
    "change, said",
    [
        ("energy={node: x, events: {f32: {energy: 2, within: 1.0}}}", "write it like '3.7 pJ'"),
        ("energy={node: x, events: {f32: {energy: 2 W, within: 1.0}}}", "'W' is not a unit"),
        ("energy={node: x, events: {f32: {energy: 2 pJ, within: 0.5}}}", "greater than or equal"),
        ("energy={node: x, events: {f32: {energy: 2 pJ}}}", "'within' is missing"),
    ],
)
def test_figures_that_cannot_be(change: str, said: str):
    with pytest.raises(InputError) as refused:
        load_machine("teaching_gpu", [change])
    assert said in str(refused.value)


def test_figures_need_a_source():
    bare = machine("teaching_gpu", GPU)
    del bare["source"]
    with pytest.raises(InputError, match="says not where the figure comes from"):
        load_machine(bare)


@pytest.mark.parametrize("kind", kinds())
def test_events_are_named(kind: str):
    known = vocabulary_of(kind).energy
    assert len({*known.names()}) == len(known.names())


def test_the_table_of_the_v100():
    """Eight bits of 3.92 pJ; figures of 45 nm times 12 / 45, to two digits."""
    events = load_machine("v100").description.energy.events
    assert events["DRAM"].energy == pytest.approx(8 * 3.92, rel=0.01)
    scaled = {"f32": (0.9 + 3.7) / 2, "f16": (0.4 + 1.1) / 2, "L1": 2 * 20 / 8, "L2": 100 / 8}
    for name, energy in scaled.items():
        assert events[name].energy == pytest.approx(energy * 12 / 45, rel=0.03), name
    assert np.all([one.within > 1 for one in events.values()])
