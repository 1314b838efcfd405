"""What each pass makes of a small program: golden files that are read, and updated on request."""

from __future__ import annotations

import pytest

from compiler.pass_lists import all_passes
from tests.compiler.passes.golden_files import FOLDER, Golden, golden_files, read, result

pytestmark = pytest.mark.quick

FILES = golden_files()


@pytest.mark.parametrize("golden", FILES, ids=lambda g: f"{g.pass_name}-{g.path.stem}")
def test_a_pass_makes_what_the_file_says(golden: Golden, request: pytest.FixtureRequest):
    now = result(golden)
    if request.config.getoption("--update-golden"):
        golden.path.write_text(golden.given + now, encoding="utf-8")
    assert golden.given + now == golden.path.read_text(encoding="utf-8")


def test_every_pass_has_one():
    held = {(g.pass_name, g.machine.kind) for g in FILES}
    names = {name for name, _ in held}
    for plugin in all_passes():
        if plugin.kinds:
            assert any((plugin.name, kind) in held for kind in plugin.kinds), plugin.key
        else:
            assert plugin.name in names, plugin.key


def test_every_file_has_an_effect():
    """Else a pass that does nothing would pass."""
    for golden in golden_files():  # also those that were just written
        program = "".join(line for line in golden.given.splitlines(True) if line[0] != "#")
        assert golden.expected and program.strip() not in golden.expected, golden.path


def test_a_wrong_result_is_found(tmp_path):
    path = tmp_path / FILES[0].pass_name / FILES[0].path.name
    path.parent.mkdir()
    path.write_text(FILES[0].path.read_text() + "nothing of the kind\n")
    assert result(read(path)) != read(path).expected
    assert FOLDER.is_dir()
