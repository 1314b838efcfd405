"""What a program prints: in the report, in JSON, and expected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sim
from machines.diagnostics import InputError
from sim.results.sections import sections

C_TEXT = r"""
@hello = constant [14 x i8] c"%d of %s\0Aend\0A\00"
@what = constant [5 x i8] c"four\00"
declare i32 @printf(ptr, ...)
define i32 @main(i32 %n) {
  %r = call i32 (ptr, ...) @printf(ptr @hello, i32 %n, ptr @what)
  ret i32 %r
}
"""
TWO_LINES = b"3 of four\nend\n"
FIXED = f"""
stdout_text: i8[{len(TWO_LINES)}] in global = {[*TWO_LINES]}
stdout_length: i64[1] in global = [{len(TWO_LINES)}]

func @main(n: i64) {{
entry:
    return
}}
"""
BUFFERS = """
stdout_text: i8[8] in global = [72, 105, 10, 0, 0, 0, 0, 0]
stdout_length: i64[1] in global

func @main(n: i64) {
entry:
    p = address.ptr stdout_length
    store.i64 p, n
    return
}
"""
SILENT = "func @main(n: i64) -> i64 {\nentry:\n    return n\n}\n"


def run(folder: Path, text: str = C_TEXT, suffix: str = "ll", n: int = 3, **expect) -> sim.Result:
    (folder / f"p.{suffix}").write_text(text)
    return sim.run(
        {"workload": "p", "description": "Prints.", "program": str(folder / f"p.{suffix}"),
         "machine": "itanium2", "arguments": {"n": n}, "expect": expect}
    )  # fmt: skip


def test_it_is_in_the_result_the_report_and_the_json(tmp_path: Path):
    result = run(tmp_path, stdout="3 of four\nend\n")
    assert result.ok and str(result.checks[0]) == "stdout: 2 of 2 lines as given"
    assert json.loads(result.to_json())["stdout"] == "3 of four\nend\n"
    [shown] = [section for section in sections(result) if section.title == "printed"]
    assert [row[0] for row in shown.rows] == ["3 of four", "end"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4 of four\nend\n", r"line 1 is '3 of four\n', expected '4 of four\n' by given; 1 of 2"),
        ("3 of four\n", r"line 2 is 'end\n', expected no such line by given; 1 of 2 lines differ"),
        ("3 of four\nend\n\n", r"line 3 is missing, expected '\n' by given; 1 of 3 lines differ"),
        ("3 of four\nend", r"line 2 is 'end\n', expected 'end' by given"),
        ("", r"line 1 is '3 of four\n', expected no such line by given; 2 of 2 lines differ"),
    ],
)
def test_another_text(text: str, said: str, tmp_path: Path):
    result = run(tmp_path, FIXED, "sir", stdout=text)
    assert result.exit_code == 1 and f"stdout: {said}" in str(result.checks[0])


def test_a_file_holds_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wanted.txt").write_text("3 of four\nend\n")
    assert run(tmp_path, FIXED, "sir", stdout={"file": "wanted.txt"}).ok
    (tmp_path / "wanted.txt").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"no UTF-8 text"):
        run(tmp_path, FIXED, "sir", stdout={"file": "wanted.txt"})
    with pytest.raises(InputError, match="looked up beside the workload"):
        run(tmp_path, FIXED, "sir", stdout={"file": "other.txt"})


@pytest.mark.parametrize("given", [3, ["a"], {"equals": "n"}, {"file": 3}])
def test_what_is_no_text(given: object, tmp_path: Path):
    with pytest.raises(InputError, match="text"):
        run(tmp_path, FIXED, "sir", stdout=given)


def test_any_program_with_these_buffers_prints(tmp_path: Path):
    assert run(tmp_path, BUFFERS, "sir", stdout="Hi\n").printed.text == "Hi\n"
    long = run(tmp_path, BUFFERS, "sir", 11, stdout="Hi\n\0\0\0\0\0")
    assert long.printed.lost == 3 and "3 bytes that are not kept" in str(long.checks[0])
    assert json.loads(long.to_json())["stdout_lost"] == 3


def test_a_program_that_does_not_print(tmp_path: Path):
    assert run(tmp_path, SILENT, "sir").printed is None
    assert "stdout" not in run(tmp_path, SILENT, "sir").to_dict()
    with pytest.raises(InputError, match="the program prints nothing"):
        run(tmp_path, SILENT, "sir", stdout="")
