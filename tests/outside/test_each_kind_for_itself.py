"""What concerns one kind of machine alone stays with it: its keys of a workload, its name, and
whatever is broken in it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from machines.kinds import Kind
from sim.commands.parts_of_kinds import what_parts_are
from tests.outside.test_outside_kinds import ROOT, installed, simrun_in

pytestmark = pytest.mark.quick


def with_a_key_of_duo(folder: Path, key: str = "queue_depth: int", base: str = "Section") -> None:
    """Give `duo` a section of the workload, which asks for no step."""
    with (folder / "duo" / "binding.py").open("a") as file:
        file.write(
            "\nfrom sim.kinds import Section\n\n\n"
            f"class Host({base}):\n    {key} = 1\n\n\n"
            "BINDING = Binding(bind, Host)\n"
        )


@pytest.mark.parametrize("in_variant", [False, True])
def test_a_key_that_asks_for_no_step_is_refused_elsewhere(in_variant: bool, tmp_path: Path):
    folder = installed(tmp_path / "key")
    with_a_key_of_duo(folder)
    path = folder / "workloads" / "dot" / "workload.yaml"
    more = "variants:\n  deep:\n    queue_depth: 4\n" if in_variant else "queue_depth: 4\n"
    path.write_text(path.read_text() + more)
    line = len(path.read_text().splitlines())
    tiles = folder / "workloads" / "tiles" / "workload.yaml"
    tiles.write_text(tiles.read_text() + "queue_depth: 4\n")
    with simrun_in(folder) as simrun:
        refused = simrun("workloads/dot/workload.yaml", code=2).stderr
        simrun("workloads/tiles/workload.yaml")
    column = 5 if in_variant else 1
    assert f"dot/workload.yaml:{line}:{column}: error: scalar5 has no host that takes" in refused
    assert "'queue_depth'" in refused and "--machine duo\n" in refused


@pytest.mark.parametrize("key", ["launches: []", "launches: null", "launch: null"])
def test_a_key_that_says_nothing_is_refused_elsewhere(key: str, tmp_path: Path):
    folder = installed(tmp_path / "key")
    path = folder / "workloads" / "dot" / "workload.yaml"
    path.write_text(path.read_text() + f"{key}\n")
    with simrun_in(folder) as simrun:
        refused = simrun("workloads/dot/workload.yaml", code=2).stderr
    assert f"scalar5 has no host that takes '{key.split(':')[0]}'" in refused
    assert refused.count("error:") == 1


def test_a_section_of_another_class_is_its_kinds_own_fault(tmp_path: Path):
    folder = installed(tmp_path / "key")
    with_a_key_of_duo(folder, base="dict")
    path = folder / "workloads" / "dot" / "workload.yaml"
    path.write_text(path.read_text() + "queue_depth: 4\n")
    with simrun_in(folder) as simrun:
        refused = simrun("workloads/dot/workload.yaml", code=2).stderr
    assert "unknown key 'queue_depth'" in refused
    assert "duo.binding:BINDING is left out" in refused and "not a class under Section" in refused


def test_no_override_makes_a_machine_one_of_another_kind(tmp_path: Path):
    with simrun_in(installed(tmp_path / "kinds")) as simrun:
        for words, kind in {
            ("workloads/dot/workload.yaml", "--set", "kind=epic"): "scalar5",
            ("machines", "show", "scalar5", "--set", "kind=epic"): "scalar5",
            ("machines", "show", "itanium2", "--set", "kind=duo"): "epic",
        }.items():
            refused = simrun(*words, code=2).stderr
            assert f"--set:1:6: error: this machine is of kind '{kind}', which no" in refused
            assert refused.count("error:") == 1


PARTS = tuple(what_parts_are())


def test_every_part_of_a_kind_is_looked_at():
    assert tuple(field.name for field in fields(Kind) if field.name != "name") == PARTS


@pytest.mark.parametrize("part", PARTS)
def test_what_is_broken_in_a_kind_is_named_and_stops_no_other(part: str, tmp_path: Path):
    folder = installed(tmp_path / "damaged")
    if part == "rules":
        with (folder / "duo" / "fields.py").open("a") as file:
            file.write("\nRULES = 7\n")
    else:
        (folder / "duo" / f"{part}.py").write_text("raise ValueError('on purpose')\n")
    program = str(ROOT / "workloads" / "saxpy" / "workload.yaml")
    can_be_read = part not in ("fields", "rules")
    said = f"machine kind 'duo' has no usable {part}: duo."
    with simrun_in(folder) as simrun:
        listed = simrun("list", "machines").stdout
        traced = simrun(program, "--machine", "itanium2", "--trace", "t", code=2).stderr
        doctor = simrun("doctor", code=2).stdout
        plugins = simrun("list", "plugins").stdout
    assert "scalar5" in listed and ("duo" in listed) == can_be_read
    assert "itanium2, a machine of kind 'epic', leaves no trace" in traced
    assert f"failed: {said}" in doctor
    assert "core, binding" in doctor  # of the other kinds
    assert said in plugins and f" scalar5.{part} " in plugins and f" duo.{part} " not in plugins


def test_the_cores_of_other_kinds_are_compiled(tmp_path: Path):
    folder = installed(tmp_path / "damaged")
    (folder / "duo" / "core.py").write_text("raise ValueError('on purpose')\n")
    code = "from sim.runner import kinds_of_machines; print(*kinds_of_machines())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    words = [sys.executable, "-c", code]
    ended = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["epic", "scalar5", "simt"]


def test_a_view_of_another_kind_is_refused_before_anything_is_compiled(tmp_path: Path):
    with simrun_in(installed(tmp_path / "kinds")) as simrun:
        words = ("explain", "workloads/tiles/workload.yaml", "--show", "queues")
        refused = simrun(*words, "--machine", "epic3", code=2).stderr
    assert "--show queues shows nothing of epic3, a machine of kind 'epic'" in refused
    assert refused.count("error:") == 1
