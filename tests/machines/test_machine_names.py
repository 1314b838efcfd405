"""Names that files are called after: of a machine's own, well formed, and taken by nobody else."""

from __future__ import annotations

import pytest

from machines.description.load import FOLDER, load_machine
from machines.diagnostics import InputError, is_name


def _findings(path, *overrides):
    with pytest.raises(InputError) as caught:
        load_machine(path, overrides)
    return [str(finding) for finding in caught.value.diagnostics]


@pytest.fixture
def machine(tmp_path):
    """Writes a machine file and returns its path."""

    def write(text):
        path = tmp_path / "mine.yaml"
        path.write_text(f"extends: itanium2\n{text}")
        return path

    return write


@pytest.mark.parametrize("name", ["a", "itanium2", "9", "_x", "a-b.c_d", "x" * 64])
def test_names(name):
    assert is_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", ".a", "-a", "a/b", "../a", "a b", "ä", "x" * 65])
def test_no_names(name):
    assert not is_name(name)


def test_a_machine_that_extends_another_has_its_own_name(machine):
    (found,) = _findings(machine(""))
    assert ":1:1: error: this machine has no name of its own: 'itanium2' is that of" in found
    assert "name: …" in found


def test_a_base_in_between_may_have_no_name(machine, tmp_path):
    machine("clock: {value: 2 GHz, source: 'assumed: x'}\n")
    top = tmp_path / "top.yaml"
    top.write_text("extends: ./mine.yaml\nname: top\n")
    assert load_machine(top).name == "top"


def test_the_name_is_checked_where_it_stands(machine):
    (found,) = _findings(machine('name: "../../evil"\n'))
    assert ":2:7: error: '../../evil' is no name" in found
    assert "hint: a name is at most 64" in found


def test_the_name_of_a_machine_that_comes_along_is_taken(machine):
    (found,) = _findings(machine("name: itanium2\n"))
    assert ":2:7: error: 'itanium2' is the name of another machine" in found


def test_the_machine_that_has_the_name_may_be_given_by_its_file():
    assert load_machine(FOLDER / "epic3.yaml").name == "epic3"


def test_an_override_may_name_the_machine_but_not_as_another(machine):
    assert load_machine(machine(""), ["name=mine"]).name == "mine"
    (found,) = _findings("itanium2", "name=epic3")
    assert found.startswith("--set:1:6: error: 'epic3' is the name of another machine")
