"""What concerns one kind of machine alone stays with it: its keys of a workload, its name, and
whatever is broken in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outside.test_outside_kinds import installed, simrun_in

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
