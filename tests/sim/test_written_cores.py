"""How the text of cores is put together out of rows."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from machines.cache import results, software
from machines.cache.results import kept_results
from machines.instructions import operations
from sim.cores.epic import write_core as epic
from sim.cores.simt import lanes, write_core
from sim.cores.written import distinct, filled, search


@pytest.mark.parametrize("count", [1, 2, 3, 8, 29, 100])
@pytest.mark.parametrize("scale", [1, 7])
def test_a_search_finds_every_case(count: int, scale: int):
    texts = [(f"found = {k}", f"again = {k}") for k in range(count)]
    first = 5
    code = compile("\n".join(search("case", texts, first, scale)), "search", "exec")
    for case in range(first * scale, (first + count) * scale):
        space = {"case": case}
        exec(code, space)
        assert space["found"] == space["again"] == case // scale - first


def test_rows_of_one_text_share_a_case():
    rows = [operations().family("ia64")[name] for name in ("add", "sub", "cmp.eq", "cmp.eq.unc")]
    texts, cases = distinct(rows, lambda row: row.meaning.splitlines())
    assert cases == {"add": 0, "sub": 1, "cmp.eq": 2, "cmp.eq.unc": 2}
    assert [row.meaning for row in rows[:3]] == ["\n".join(text) for text in texts]


def test_lines_take_the_place_of_a_mark():
    text = "if a:\n    # HERE: what comes\n    b = 1\n"
    assert filled(text, "HERE", ["x = 1", "y = 2"]) == "if a:\n    x = 1\n    y = 2\n    b = 1\n"
    for wrong in ("b = 1\n", text + text):
        with pytest.raises(ValueError, match="unpack"):
            filled(wrong, "HERE", ["x = 1"])


def test_where_cases_are_is_kept(monkeypatch, tmp_path):
    """What has code and was asked for before is found without a text of any row."""
    monkeypatch.setattr(software, "STARTED", 4e9)  # long after any file changed
    monkeypatch.setattr(results, "_modules", lambda known: [])  # those of other tests
    monkeypatch.setattr(results, "FAILED", {})
    names = ["add.s32", "fma.rn.f32"]
    there = write_core.meanings("ptx", names, 32)
    monkeypatch.setenv("SIMRUN_CACHE", str(tmp_path))
    with kept_results():
        write_core.groups.cache_clear()
        assert write_core.meanings("ptx", names, 32) == there
        write_core.groups.cache_clear()
        monkeypatch.delattr(lanes, "case_lines")
        assert write_core.meanings("ptx", names, 32) == there


BESIDE_CODE = {
    "machines.diagnostics", "machines.elements", "machines.instructions.ptx_operands",
    "machines.cache.compile_times", "machines.cache.entries",
    "machines.cache.results", "machines.kinds.epic.fields", "machines.kinds.simt.classes",
    "machines.kinds.simt.fields", "machines.operations.row", "sim.timeline.declared",
    "machines.later", "machines.program", "machines.types", "sim.results.vocabulary",
}  # fmt: skip
"""What listed files import for Python's own use: nothing of it gets into compiled code."""
LISTS = {"simt": write_core.CORE, "meanings": write_core.MEANINGS, "epic": epic.JITTED}


def imported_by(name: str) -> Iterator[str]:
    """The project's modules that a module imports."""
    text = Path(importlib.util.find_spec(name).origin).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith(("machines", "sim")):
            for one in node.names:
                inner = f"{node.module}.{one.name}"
                is_package = importlib.util.find_spec(node.module).submodule_search_locations
                yield inner if is_package and importlib.util.find_spec(inner) else node.module


@pytest.mark.parametrize("listed", LISTS.values(), ids=list(LISTS))
def test_kept_code_hangs_on_all_files_that_it_is_made_of(listed):
    """Else it would be found again after one of them has changed."""
    imported = {name for file in listed for name in imported_by(file)}
    assert imported - BESIDE_CODE - {*listed} == set()
