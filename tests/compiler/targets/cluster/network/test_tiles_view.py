"""View `tiles`: the tile form of a network, and how its products are mapped."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.text_form import parse
from machines.diagnostics import InputError
from sim.explaining import Asked, shown_of

NETWORK = """\
network @main(x: f32[64, 96]) -> (y: f32[64, 48]) {
    w: f32[96, 48] = random(1, 0.5)
    a: f32[64, 48] = nn.matmul(x, w) in "one"
    b: f32[64, 48] = nn.relu(a) in "one"
    c: f32[64, 48] = nn.softmax(b) in "two"
    return y = c
}
"""


def asked(file: Path, machine: str = "mlu370") -> Asked:
    return Asked("tiles", file, machine, (), None, None)


def test_each_layer_says_how_it_is_done(tmp_path: Path):
    file = tmp_path / "network.net"
    file.write_text(NETWORK)
    shown = shown_of(asked(file), "text", {})
    assert "main" in parse(shown.text, "shown.sir").functions
    one, two = shown.content["layers"]
    assert (one["layer"], one["operators"]) == ("one", ["matmul", "relu"])
    assert (two["layer"], two["mapping"]) == ("two", None)
    assert one["buffers"]["wram"] and two["buffers"].keys() == {"nram"}
    chosen, other = one["mapping"]["chosen"], one["mapping"]["next"]
    assert chosen["cycles"] <= other["cycles"]
    assert (chosen["stays"], chosen["served"]) != (other["stays"], other["served"])
    for mapping in (chosen, other):
        engines = dict(mapping["engines"])
        rest, busiest = engines.pop("rest"), max(engines, key=lambda name: engines[name])
        assert busiest == mapping["bound"].lower()
        assert engines[busiest] + rest == mapping["cycles"]
    for line in (
        f"# expected: {chosen['cycles']} cycles, bound by {chosen['bound']}: ",
        f"{other['cycles']} cycles, ",
        other["why"],
    ):
        assert line in shown.text


def test_what_is_no_network_has_no_tiles():
    file = Path("tests/golden/reused_tiles.sir")
    with pytest.raises(InputError, match="is no network: nothing wrote its tiles"):
        shown_of(asked(file, "teaching_chip"), "text", {})
