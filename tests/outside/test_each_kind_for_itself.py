"""What concerns one kind of machine alone stays with it: its keys of a workload, its name, and
whatever is broken in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from machines.kinds import Kind
from sim.commands.parts_of_kinds import what_parts_are
from tests.campaign.seeds import short_form
from tests.outside.test_outside_kinds import KINDS, ROOT, installed, simrun_in


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


@pytest.mark.parametrize("part", short_form(PARTS, 5))
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
        simrun(program, "--machine", "itanium2", "--trace", "t.jsonl")
        doctor = simrun("doctor", code=2).stdout
        plugins = simrun("list", "plugins").stdout
    assert "scalar5" in listed and ("duo" in listed) == can_be_read
    assert (folder / "t.jsonl").stat().st_size
    assert f"failed: {said}" in doctor
    assert "core, binding" in doctor  # of the other kinds
    other = (
        "epic" if part in ("code", "state_views", "snippets") else "scalar5"
    )  # which leaves them out
    assert said in plugins and f" {other}.{part} " in plugins and f" duo.{part} " not in plugins


def test_the_cores_of_other_kinds_are_compiled(tmp_path: Path):
    folder = installed(tmp_path / "damaged")
    (folder / "duo" / "core.py").write_text("raise ValueError('on purpose')\n")
    code = "from sim.runner import kinds_of_machines; print(*kinds_of_machines())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    words = [sys.executable, "-c", code]
    ended = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["cluster", "epic", "scalar5", "simt"]


def test_a_view_of_another_kind_is_refused_before_anything_is_compiled(tmp_path: Path):
    with simrun_in(installed(tmp_path / "kinds")) as simrun:
        words = ("explain", "workloads/tiles/workload.yaml", "--show", "queues")
        refused = simrun(*words, "--machine", "epic3", code=2).stderr
    assert "--show queues shows nothing of epic3, a machine of kind 'epic'" in refused
    assert refused.count("error:") == 1


@pytest.mark.parametrize("part", ["target", "binding", "vocabulary"])
def test_a_part_that_cannot_be_used_is_its_kinds_own_fault(part: str, tmp_path: Path):
    folder = installed(tmp_path / "damaged")
    (folder / "duo" / f"{part}.py").write_text("raise ValueError('on purpose')\n")
    launches = ROOT / "workloads" / "gpu" / "saxpy" / "workload.yaml"
    with simrun_in(folder) as simrun:
        assert ".kernel" in simrun("explain", str(launches), "--show", "asm").stdout
        assert json.loads(simrun("workloads/dot/workload.yaml", "--json").stdout)["ok"]
        assert "scalar5" in simrun("list", "counters").stdout
        assert f"has no usable {part}: duo.{part}" in simrun("list", "plugins").stdout
        refused = simrun("workloads/tiles/workload.yaml", code=2)
    assert "error: machine kind 'duo' has no usable " in refused.stderr


@pytest.mark.parametrize(
    "kinds, key, owner",
    [(KINDS, "commands", "machine kind 'scalar5'"), (("duo",), "expect", "every workload")],
)
def test_a_key_of_a_workload_belongs_to_one(
    kinds: tuple[str, ...], key: str, owner: str, tmp_path: Path
):
    folder = installed(tmp_path / "twice")
    for kind in kinds:
        with (folder / kind / "binding.py").open("a") as file:
            file.write(
                "\nfrom sim.kinds import Section\n\n\n"
                f"class Host(Section):\n    {key}: list[str] = []\n\n\n"
                "BINDING = Binding(bind, Host)\n"
            )
    path = folder / "workloads" / "dot" / "workload.yaml"
    path.write_text(path.read_text() + "commands: [begin]\n")
    with simrun_in(folder) as simrun:
        ended = simrun("workloads/dot/workload.yaml", code=2)
    assert f"machine kind 'duo' cannot have '{key}' of a workload to itself" in ended.stderr
    assert f"it belongs to {owner}:" in ended.stderr


@pytest.mark.parametrize(
    "name, kinds, code",
    [
        ("bundle", [()], 2), ("bundle", [("scalar5", "epic")], 2), ("bundle", [("duo",)], 0),
        ("x", [(), ("duo",)], 2), ("x", [("duo",), ()], 2), ("x", [("duo",), ("scalar5",)], 0),
    ],
)  # fmt: skip
def test_two_passes_of_one_name_are_refused_where_they_meet(
    name: str, kinds: list[tuple[str, ...]], code: int, tmp_path: Path
):
    folder = installed(tmp_path / "namesakes")
    lines = [f"P{n} = replace(bundle, name={name!r}, kinds={one})" for n, one in enumerate(kinds)]
    (folder / "namesakes.py").write_text(
        "from dataclasses import replace\n"
        "from compiler.targets.epic.passes.bundle import PLUGIN as bundle\n" + "\n".join(lines)
    )
    points = "".join(f"p{n} = namesakes:P{n}\n" for n in range(len(kinds)))
    (entry_points,) = folder.glob("*.dist-info/entry_points.txt")
    entry_points.write_text(f"{entry_points.read_text()}\n[simrun.passes]\n{points}")
    with simrun_in(folder) as simrun:
        ended = simrun("list", "passes", code=code)
    assert (f"two passes have the name '{name}'" in ended.stderr) == bool(code)
