"""Two machines field by field."""

from __future__ import annotations

from pathlib import Path

import pytest

from machines.description.field_differences import FieldDifference, machine_differences
from machines.description.load import load_machine

pytestmark = pytest.mark.quick


def _found(a: str, b: str, *overrides: str) -> dict[str, FieldDifference]:
    differences = machine_differences(load_machine(a), load_machine(b, overrides))
    return {field.one.path: field for field in differences.fields}


def test_every_field_that_differs_and_no_other():
    a, b = load_machine("a100"), load_machine("h200")
    held = [{field.path: field.value for field in machine.fields()} for machine in (a, b)]
    absent = object()  # another thing than a part that a machine says it has not
    expected = {
        path
        for path in {**held[0], **held[1]}
        if held[0].get(path, absent) != held[1].get(path, absent)
    }
    assert {*_found("a100", "h200")} == expected and len(expected) > 20
    assert _found("a100", "a100") == {}


def test_values_and_who_has_none():
    found = _found("epic3", "itanium2", "memory.l2.accesses=6")
    assert "memory.l2.accesses" not in found  # without the override 4
    fetch = {"path": "branches.fetch_bytes", "unit": "bytes", "a": 64, "b": 32}
    assert found["branches.fetch_bytes"].to_dict() == fetch
    assert found["ports.M4.accepts"].b is None
    assert list(found)[-1] == "title" and found["title"].is_for_people


def test_a_field_that_is_none_is_another_thing_than_none(tmp_path: Path):
    path = tmp_path / "flat.yaml"
    path.write_text("extends: itanium2\nname: flat\nmemory: {l3: null}\n")
    found = _found("itanium2", str(path))
    assert found["memory.l3"].to_dict() == {"path": "memory.l3", "unit": None, "b": None}
    assert "b" not in found["memory.l3.size"].to_dict()


def test_what_neither_machine_reads_is_known():
    """The reuse cache of a register file without banks; one of the machines has banks."""
    found = _found("teaching_gpu", "h200")["register_file.reuse_cache"]
    assert found.a.unread and not found.b.unread and not found.without_effect
    found = _found("teaching_gpu", "h200", "register_file.banks=0")["register_file.reuse_cache"]
    assert found.a.unread and found.b.unread and found.without_effect


def test_of_other_kinds_only_what_all_kinds_have():
    found = _found("itanium2", "mlu370")
    assert [path for path in found if "." not in path] == [
        "kind", "name", "clock", "title", "modelled", "left_out"
    ]  # fmt: skip


def test_the_order_of_fields_is_a_difference_of_its_own(tmp_path: Path):
    """The machines have other content hashes, and no field differs."""
    for folder, ports in (("first", "XY"), ("second", "YX")):
        some = "".join(f"  {port}0: {{accepts: [nop_f]}}\n" for port in ports)
        path = tmp_path / folder / "one.yaml"
        path.parent.mkdir()
        path.write_text(f"extends: itanium2\nname: one\nsource: 'assumed: t'\nports:\n{some}")
    paths = [str(tmp_path / folder / "one.yaml") for folder in ("first", "second")]
    found = machine_differences(*map(load_machine, paths))
    assert (found.fields, found.only_order) == ([], True)
    assert not machine_differences(found.a, found.a).only_order
