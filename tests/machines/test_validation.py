"""Findings of typed models point at the words that are wrong."""

from typing import Annotated, Literal

import pytest
from pydantic import Field

from machines.description.schema import Bytes, Cycles, Description, Hertz, Nanoseconds, Rate
from machines.description.strict_yaml import read_yaml
from machines.description.validation import validate
from machines.diagnostics import InputError


class Part(Description):
    size: Bytes = Field(ge=64, description="Capacity.")
    delay: Cycles = Field(ge=0, description="Cycles to wait.")
    policy: Literal["lru", "nru"] = "lru"
    ranks: dict[int, float] = Field({})


class Square(Description):
    shape: Literal["square"]
    side: int


class Circle(Description):
    shape: Literal["circle"]
    radius: float


class Whole(Description):
    name: str
    parts: dict[str, Part] = Field({})
    pair: tuple[int, int] = (0, 0)
    outline: Annotated[Square | Circle, Field(discriminator="shape")] | None = None
    clock: Hertz | None = None
    wait: Nanoseconds | None = None
    rate: Rate | None = None


def findings(text):
    with pytest.raises(InputError) as caught:
        validate(Whole, read_yaml(text, "x.yaml"))
    return caught.value.diagnostics


def test_a_whole_description_is_read():
    whole = validate(
        Whole,
        read_yaml(
            "name: w\nparts: {a: {size: 16 KiB, delay: 3 cycles, ranks: {1: 2}}}\npair: [1, 2]\n"
            "outline: {shape: circle, radius: 2}\nclock: 1.5 GHz\nwait: 0.5 us\nrate: 6.4 GB/s\n",
            "x.yaml",
        ),
    )
    assert whole.parts["a"].size == 16384 and whole.parts["a"].ranks == {1: 2.0}
    assert (whole.clock, whole.wait, whole.rate) == (1_500_000_000, 500.0, 6_400_000_000)
    assert whole.outline.radius == 2.0 and whole.pair == (1, 2)


PART = "name: w\nparts:\n  a: {size: 1 KiB, delay: 0 cycles}\n  b: "


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("nam: w\nname: w\n", "1:1", "unknown key 'nam'", "did you mean 'name'?"),
        ("clock: 1 GHz\n", "1:1", "'name' is missing", None),
        ("name: 5\n", "1:7", "'name': should be a valid string, not 5", None),
        ("name: w\npair: [1]\n", "2:1", "element 2 is missing", None),
        ("name: w\npair: [1, x]\n", "2:11", "should be a valid integer, not 'x'", None),
        ("name: w\npair: [1, '2']\n", "2:11", "should be a valid integer, not '2'", None),
        ("name: w\npair: [1, 2.5]\n", "2:11", "should be a valid integer", None),
        ("name: w\nclock: 1\n", "2:8", "1 has no unit", "write it like '1.0 GHz'"),
        ("name: w\nclock: 1 Gz\n", "2:8", "'Gz' is not a unit", "did you mean 'GHz'?"),
        ("name: w\nclock: fast\n", "2:8", "'fast' is not a quantity", "like '1.0 GHz'"),
        ("name: w\nwait: 3 cycles\n", "2:7", "'cycles' is not a unit of this field", "ns"),
        ("name: w\nclock: 0.5 Hz\n", "2:8", "not a whole number of Hz", None),
        (PART + "{size: 16 KB, delay: 0 cycles}", "4:13", "'KB' is not a unit", "'KiB' (1024"),
        (PART + "{size: 16 B, delay: 0 cycles}", "4:13", "greater than or equal to 64", None),
        (PART + "{size: 1 KiB}", "4:3", "'delay' is missing", "Cycles to wait."),
        (PART + "{size: 1 KiB, delay: 1.5 cycles}", "4:27", "not a whole number", None),
        (PART + "{size: 1 KiB, delay: 1 cycles, policy: fifo}", "4:45", "'lru' or 'nru'", "lru"),
        (PART + "{size: 1 KiB, delay: 1 cycles, polcy: lru}", "4:37", "unknown", "'policy'"),
        (PART + "{size: 1 KiB, delay: 1 cycles, ranks: {x: 1}}", "4:45", "key should be", None),
        (PART + "[1]", "4:3", "'b': ", None),
        ("name: w\noutline: {shape: square, sidee: 1}", "2:26", "unknown", "'side'"),
        ("name: w\noutline: {shape: circle, radius: x}", "2:34", "valid number", None),
        ("- name\n", "1:1", "expected a mapping", None),
        ("name: null\n", "1:7", "should be a valid string, not None", None),
    ],
)
def test_findings(text, place, message, hint):
    found = [f for f in findings(text) if message in f.message]
    assert found, [str(f) for f in findings(text)]
    assert f"{found[0].location.line}:{found[0].location.column}" == place
    assert hint is None or hint in found[0].hint


def test_all_findings_come_at_once_in_source_order():
    found = findings("nme: w\npair: [x, y]\nclock: 1\nparts: {a: {siz: 1}}\n")
    places = [(f.location.line, f.location.column) for f in found]
    assert places == sorted(places) and len(found) == 6


def test_a_misspelt_key_is_not_missing_as_well():
    found = findings("nme: w\npair: [1, 2]\nclock: 1 GHz\n")
    assert not any(f.message == "'name' is missing" for f in found)
    assert [f.hint for f in found if "'nme'" in f.message] == ["did you mean 'name'?"]
