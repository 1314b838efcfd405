"""No figure of a machine was chosen by a benchmark that is held out.

If this fails, the benchmark's class is `chosen_by` from now on: `benchmarks.yaml` of its folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import machines
from machines.description.strict_yaml import Node, read_yaml_file
from sim.validation.benchmarks import read_suite
from workloads.validation import measure

FOLDER = Path(measure.__file__).parent
FILES = sorted(Path(machines.__file__).parent.glob("*.yaml"))
TAGS = ("!replace",)
OURS = re.compile(r"\[(?:OWN|PROBES)\]")
"""What sources say of figures that our benchmarks gave."""


def sources(node: Node) -> Iterator[str]:
    """The sources of all figures."""
    if isinstance(node.value, list):
        for child in node.value:
            yield from sources(child)
    if isinstance(node.value, dict):
        for key, child in node.value.items():
            if key == "source" and isinstance(child.value, str):
                yield child.value
            yield from sources(child)


def held_out() -> set[str]:
    suites = [read_suite(FOLDER / name) for name in ("", "kernels", "probes")]
    return {
        one.name for suite in suites for one in suite.benchmarks if one.form.class_ != "chosen_by"
    }


def named(text: str, names: set[str]) -> set[str]:
    """Those of the benchmarks that a source names, if it speaks of ours."""
    return set(re.findall(r"\w+", text)) & names if OURS.search(text) else set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_source_names_one_that_is_held_out(file: Path):
    names = held_out()
    found = {
        text: one for text in sources(read_yaml_file(file, TAGS)) if (one := named(text, names))
    }
    assert not found


def test_a_source_is_read_word_by_word():
    names = {"box19", "tree"}
    assert named("measured: [PROBES], box33 and box19, 9 loads", names) == {"box19"}
    assert named("measured: [PROBES], box190 of a trees", names) == set()
    assert named("manual: a tree of adders", names) == set()
