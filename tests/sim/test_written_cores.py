"""How the text of cores is put together out of rows."""

from __future__ import annotations

import pytest

from machines.instructions import operations
from machines.kept import results, software
from machines.kept.results import kept_results
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
