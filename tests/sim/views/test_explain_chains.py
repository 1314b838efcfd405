"""`simrun explain --show chains` and `--show ssa`: the worked example in full, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EXAMPLE = str(Path(__file__).parents[2] / "golden" / "chains.sir")

WITH_PHIS = """
    statement                id  name  defs   uses
 1  a1 = const.i32 3          1  a1           5 13 20
 2  b1 = const.i32 4          2  b1           14 21
 3  c1 = const.i32 5          3  c1           6
 4  x1 = add.i32 a1, c1       4  x1           9
                              5  a1    1
                              6  c1    3
 5  p1 = opaque.i1            7  p1           11 18
 6  x2 = phi(x1, x4)          8  x2           16 17
                              9  x1    4
                             10  x4    15 19
 7  @p1 x5 = add.i32 a1, b1  11  p1    7
                             12  x5           17
                             13  a1    1
                             14  b1    2
 8  x3 = phi(x2, x5)         15  x3           10 23
                             16  x2    8
                             17  x5    8 12
 9  @p1 x4 = sub.i32 a1, b1  18  p1    7
                             19  x4           10 23
                             20  a1    1
                             21  b1    2
10  y1 = copy.i32 x4         22  y1
                             23  x4    15 19
"""
WITHOUT_PHIS = """
    statement            id  name  defs     uses
 1  a = const.i32 3       1  a              5 13 20
 2  b = const.i32 4       2  b              14 21
 3  c = const.i32 5       3  c              6
 4  x = add.i32 a, c      4  x              23
                          5  a     1
                          6  c     3
 5  p = opaque.i1         7  p              11 18
 7  @p x = add.i32 a, b  11  p     7
                         12  x              23
                         13  a     1
                         14  b     2
 9  @p x = sub.i32 a, b  18  p     7
                         19  x              23
                         20  a     1
                         21  b     2
10  y = copy.i32 x       22  y
                         23  x     4 12 19
"""
FOLDING = """
    statement                id  name  defs        uses
 4  x1 = add.i32 a1, c1       4  x1                10 23
 7  @p1 x5 = add.i32 a1, b1  12  x5                10 23
 9  @p1 x4 = sub.i32 a1, b1  19  x4                10 23
10  y1 = copy.i32 x4         23  x4    4 12 15 19
"""
SETS = """
effect_prs: a b c x p y
global_prs: a b x p
entry: assigned {}, frontier {}, dominated by nothing
BB1: assigned {a, b, c, x, p}, frontier {}, dominated by entry
BB2: assigned {}, frontier {BB2}, dominated by BB1
BB3: assigned {x}, frontier {BB4}, dominated by BB2
BB4: assigned {x}, frontier {BB2}, dominated by BB2
BB5: assigned {}, frontier {BB2}, dominated by BB4
BB6: assigned {y}, frontier {}, dominated by BB5
predicated: x2 <-> x5
predicated: x3 <-> x4
"""
SSA = """
func @example() {
entry:
    jump BB1
BB1:
    a1 = const.i32 3
    b1 = const.i32 4
    c1 = const.i32 5
    x1 = add.i32 a1, c1
    p1 = opaque.i1
    jump BB2
BB2:
    x2 = phi.i32 [BB1: x1, BB5: x4]
    branch opaque, BB3, BB4
BB3:
    @p1 x5 = add.i32 a1, b1 else x2
    jump BB4
BB4:
    x3 = phi.i32 [BB2: x2, BB3: x5]
    @p1 x4 = sub.i32 a1, b1 else x3
    jump BB5
BB5:
    branch opaque, BB2, BB6
BB6:
    y1 = copy.i32 x4
    return
}
"""
LINES = [6, 7, 8, 9, 9, 9, 10, 12, 12, 12, 15, 15, 15, 15, 17, 17, 17, 18, 18, 18, 18, 23, 23]
"""Of every id the line in the file; a phi has that of its block's label."""
NAMES = ["a1", "b1", "c1", "x1", "a1", "c1", "p1", "x2", "x1", "x4", "p1", "x5", "a1", "b1", "x3",
         "x2", "x5", "p1", "x4", "a1", "b1", "y1", "x4"]  # fmt: skip
UD_WITH_PHIS = {5: [1], 6: [3], 9: [4], 10: [15, 19], 11: [7], 13: [1], 14: [2], 16: [8],
                17: [8, 12], 18: [7], 20: [1], 21: [2], 23: [15, 19]}  # fmt: skip
DU_WITH_PHIS = {1: [5, 13, 20], 2: [14, 21], 3: [6], 4: [9], 7: [11, 18], 8: [16, 17], 12: [17],
                15: [10, 23], 19: [10, 23], 22: []}  # fmt: skip
UD = {5: [1], 6: [3], 11: [7], 13: [1], 14: [2], 18: [7], 20: [1], 21: [2], 23: [4, 12, 19]}
DU = {1: [5, 13, 20], 2: [14, 21], 3: [6], 4: [23], 7: [11, 18], 12: [23], 19: [23], 22: []}


def rows(ud: dict[int, list[int]], du: dict[int, list[int]], versions: bool) -> list[dict]:
    """The list that `--format json` has to print."""
    kinds = dict.fromkeys(du, "def") | dict.fromkeys(ud, "use") | {11: "guard", 18: "guard"}
    return [
        {
            "id": number,
            "line": LINES[number - 1],
            "variable": NAMES[number - 1][0],
            "name": NAMES[number - 1] if versions else NAMES[number - 1][0],
            "kind": kinds[number],
            "defs": ud.get(number, []),
            "uses": du.get(number, []),
        }
        for number in sorted(kinds)
    ]


@pytest.fixture
def explain(simrun):
    """The output of a view of a program."""

    def run(program: str, *words: str) -> str:
        ended = simrun("explain", program, "--show", *words)
        assert (ended.code, ended.err) == (0, "")
        return ended.out

    return run


def test_the_example_with_phis(explain):
    assert explain(EXAMPLE, "chains", "--with-phis") == WITH_PHIS[1:]
    found = explain(EXAMPLE, "chains", "--with-phis", "--format", "json")
    assert json.loads(found) == rows(UD_WITH_PHIS, DU_WITH_PHIS, versions=True)


def test_the_example_without_phis(explain):
    assert explain(EXAMPLE, "chains") == WITHOUT_PHIS[1:]
    found = json.loads(explain(EXAMPLE, "chains", "--format", "json"))
    assert found == rows(UD, DU, versions=False)
    assert list(found[0]) == ["id", "line", "variable", "name", "kind", "defs", "uses"]


def test_the_step_between(explain):
    text = explain(EXAMPLE, "chains", "--explain")
    assert [part in text for part in (WITH_PHIS, FOLDING, WITHOUT_PHIS)] == [True] * 3
    found = json.loads(explain(EXAMPLE, "chains", "--explain", "--format", "json"))
    assert [(row["id"], row["defs"], row["uses"]) for row in found] == [
        (4, [], [10, 23]),
        (12, [], [10, 23]),
        (19, [], [10, 23]),
        (23, [4, 12, 15, 19], []),
    ]


def test_the_sets(explain):
    assert explain(EXAMPLE, "chains", "--with-sets") == WITHOUT_PHIS[1:] + SETS
    commented = "".join(f"# {line}\n" for line in SETS.split("\n")[1:-1])
    assert explain(EXAMPLE, "ssa", "--with-sets") == SSA[1:] + commented


def test_ssa_form_can_be_read_again(explain, tmp_path):
    text = explain(EXAMPLE, "ssa", "--with-sets")
    path = tmp_path / "again.sir"
    path.write_text(text)
    assert explain(str(path), "ssa") == SSA[1:]


def test_everything_that_leads_to_ssa_form(explain):
    found = json.loads(explain(EXAMPLE, "ssa", "--format", "json"))
    blocks = {block["name"]: block for block in found.pop("blocks")}
    names = {name["name"]: name for name in found.pop("names")}
    assert found == {
        "function": "example",
        "text": SSA[1:],
        "effect_prs": ["a", "b", "c", "x", "p", "y"],
        "global_prs": ["a", "b", "x", "p"],
        "predicated": [{"name": "x5", "previous": "x2"}, {"name": "x4", "previous": "x3"}],
        "used_before_definition": [],
    }
    assert {name: block["dominator"] for name, block in blocks.items()} == {
        "entry": None, "BB1": "entry", "BB2": "BB1", "BB3": "BB2", "BB4": "BB2", "BB5": "BB4",
        "BB6": "BB5",
    }  # fmt: skip
    assert {name: block["children"] for name, block in blocks.items()} == {
        "entry": ["BB1"], "BB1": ["BB2"], "BB2": ["BB3", "BB4"], "BB3": [], "BB4": ["BB5"],
        "BB5": ["BB6"], "BB6": [],
    }  # fmt: skip
    assert {name: block["frontier"] for name, block in blocks.items()} == {
        "entry": [], "BB1": [], "BB2": ["BB2"], "BB3": ["BB4"], "BB4": ["BB2"], "BB5": ["BB2"],
        "BB6": [],
    }  # fmt: skip
    assert {name: block["assigned"] for name, block in blocks.items()} == {
        "entry": [], "BB1": ["a", "b", "c", "x", "p"], "BB2": [], "BB3": ["x"], "BB4": ["x"],
        "BB5": [], "BB6": ["y"],
    }  # fmt: skip
    assert {name: block["phis"] for name, block in blocks.items() if block["phis"]} == {
        "BB2": [phi("x2", BB1="x1", BB5="x4")],
        "BB4": [phi("x3", BB2="x2", BB3="x5")],
    }
    assert blocks["BB4"]["statements"] == ["x3 = phi(x2, x5)", "@p1 x4 = sub.i32 a1, b1"]
    assert (blocks["BB4"]["line"], blocks["BB4"]["reached"]) == (17, True)
    assert {name: (n["variable"], n["definition"], n["uses"]) for name, n in names.items()} == {
        "a1": ("a", 1, [5, 13, 20]), "b1": ("b", 2, [14, 21]), "c1": ("c", 3, [6]),
        "x1": ("x", 4, [9]), "p1": ("p", 7, [11, 18]), "x2": ("x", 8, [16]),
        "x5": ("x", 12, [17]), "x3": ("x", 15, []), "x4": ("x", 19, [10, 23]), "y1": ("y", 22, []),
    }  # fmt: skip


def phi(name: str, **operands: str) -> dict:
    joined = [{"source": block, "name": value} for block, value in operands.items()]
    return {"variable": name[0], "name": name, "operands": joined}


def test_graphs(explain):
    graph = explain(EXAMPLE, "ssa", "--format", "dot")
    assert '"BB4" [label="BB4:\\lx3 = phi(x2, x5)\\l@p1 x4 = sub.i32 a1, b1\\l"];' in graph
    assert graph.count(" -> ") == 8
    graph = explain(EXAMPLE, "chains", "--format", "dot")
    assert '"7" [label="7: @p x = add.i32 a, b"];' in graph and '"7" -> "10" [label="x"];' in graph
    assert graph.count(" -> ") == 11
    graph = explain(EXAMPLE, "chains", "--format", "dot", "--with-phis")
    assert '"8" -> "10" [label="x4"];' in graph and '"4" -> "10"' not in graph


TENSORS = """
a: f32[16] in global
func @other() {
b:
    return
}
func @tensors(n: i64) {
entry:
    tensor.fill.f32 a[0:n], y
    branch p, entry, end
end:
    tensor.relu.f32 a[0:m], a[0:n]
    m = const.i64 4
    p = const.i1 1
    y = const.f32 1.0
    return
}
"""


def test_uses_before_definition_in_a_program_that_no_machine_runs(explain, tmp_path):
    path = tmp_path / "tensors.sir"
    path.write_text(TENSORS)
    program = (str(path), "chains", "--entry", "tensors")
    reports = (
        "line 9: 'y' (id 3) is used before definition: entry\n"
        "line 10: 'p' is used before definition: entry\n"
        "line 12: 'm' (id 4) is used before definition: entry -> end\n"
    )
    assert explain(*program).endswith("\n\n" + reports)
    assert "# " + reports.replace("\n", "\n# ")[:-2] in explain(program[0], "ssa", *program[2:])
    found = json.loads(explain(program[0], "ssa", *program[2:], "--format", "json"))
    assert found["used_before_definition"] == [
        {"id": 3, "line": 9, "variable": "y", "path": ["entry"]},
        {"id": None, "line": 10, "variable": "p", "path": ["entry"]},
        {"id": 4, "line": 12, "variable": "m", "path": ["entry", "end"]},
    ]


def test_a_workload_and_a_kernel(tiny: Path, explain):
    assert explain("workload.yaml", "chains") == explain("tiny.py", "chains")
    assert "i2 = phi(i1, i3)" in explain("workload.yaml", "chains", "--with-phis")


@pytest.mark.parametrize(
    "words, message",
    [
        ("chains --format dot --with-sets", "--show chains --format dot takes no --with-sets"),
        ("chains --format json --with-sets", "--show chains --format json takes no --with-sets"),
        ("chains --with-phis --explain", "--with-phis and --explain exclude each other"),
        ("ssa --with-phis", "--show ssa --format text takes no --with-phis"),
        ("ssa --format json --with-sets", "--show ssa --format json takes no --with-sets"),
        ("ssa --machine epic3", "--show ssa takes no --machine"),
        ("chains --set memory.l1d.size=1KiB", "--show chains takes no --set"),
        ("chains --passes default", "the order of a kind of machine, and none is named"),
        ("ir --format dot", "the view 'ir' has no dot"),
        ("asm --explain", "--show asm --format text takes no --explain"),
        ("chain", "there is no view 'chain'"),
        ("chains --entry examples", "has no function 'examples'"),
    ],
)
def test_refusals(simrun, words: str, message: str):
    ended = simrun("explain", EXAMPLE, "--show", *words.split())
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err and "hint:" in ended.err
    assert ended.err.count("error:") == 1


def test_assembly_has_no_chains(simrun):
    path = next(iter((Path(__file__).parents[1] / "epic" / "hand_worked").glob("*.s")))
    ended = simrun("explain", str(path), "--show", "chains")
    assert ended.code == 2 and "an assembly program has no IR" in ended.err
