"""`simrun explain --show dependences`: the worked examples in full, the schema, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "golden"
EXACT, INEXACT = str(GOLDEN / "memory_exact.sir"), str(GOLDEN / "memory_inexact.sir")

EXACT_TABLE = """\
line  instruction                      descriptor  defs  uses  records after
   6  tensor.fill.i8 a[0:32], 1   def  a[0,31]           7 9   a[0,31]: {6} kill {}
   7  s2 = tensor.sum.i8 a[0:32]  use  a[0,31]     6           a[0,31]: {6} kill {}
   8  tensor.fill.i8 a[0:16], 2   def  a[0,15]           9 11  a[0,31]: {6} kill {[0,15]}
                                                               a[0,15]: {8} kill {}
   9  s4 = tensor.sum.i8 a[0:32]  use  a[0,31]     6 8         a[0,31]: {6} kill {[0,15]}
                                                               a[0,15]: {8} kill {}
  10  tensor.fill.i8 a[16:32], 3  def  a[16,31]          11    a[0,15]: {8} kill {}
                                                               a[16,31]: {10} kill {}
  11  s6 = tensor.sum.i8 a[0:65]  use  a[0,64]     8 10        a[0,15]: {8} kill {}
                                                               a[16,31]: {10} kill {}
rounds: 1
"""
ANY = "any(a[0,31], a[0,x], b[0,31], b[0,63])"
LINES = {"type": "array", "items": {"type": ["integer", "null"]}}
INTERVALS = {
    "type": "array",
    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
}


def table(**properties: object) -> dict:
    """The schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def listed(schema: dict) -> dict:
    return {"type": "array", "items": schema}


LINE, TEXT = {"type": ["integer", "null"]}, {"type": "string"}
RECORDS = {
    "seed": table(descriptor=TEXT, defs=LINES, kill=INTERVALS, is_kill={"type": "boolean"}),
    "sound": table(descriptor=TEXT, defs=LINES, kills=listed(INTERVALS)),
}


def schema(rules: str, with_records: bool) -> dict:
    found = {
        "rounds": {"type": "integer"},
        "uses": listed(table(line=LINE, descriptor=TEXT, defs=LINES)),
        "definitions": listed(table(line=LINE, descriptor=TEXT, uses=LINES)),
    }
    if with_records:
        found["records"] = listed(table(line=LINE, records=listed(RECORDS[rules])))
    return table(**found)


@pytest.fixture
def explain(simrun):
    def run(path: str, *options: str) -> str:
        ended = simrun("explain", path, "--show", "dependences", *options)
        assert ended.code == 0, ended.err
        return ended.out

    return run


def data(explain, *options: str) -> dict:
    return json.loads(explain(*options, "--format", "json"))


def test_first_worked_example_as_text(explain):
    assert explain(EXACT, "--rules", "seed", "--with-records") == EXACT_TABLE
    assert "records" not in explain(EXACT)


@pytest.mark.parametrize(
    "options", [(), ("--rules", "seed"), ("--rules", "seed", "--variant", "fast")]
)
def test_uses_and_definitions_of_the_worked_examples(explain, options):
    found = data(explain, EXACT, *options)
    assert found["uses"] == [
        {"line": 7, "descriptor": "a[0,31]", "defs": [6]},
        {"line": 9, "descriptor": "a[0,31]", "defs": [6, 8]},
        {"line": 11, "descriptor": "a[0,64]", "defs": [8, 10]},
    ]
    assert found["definitions"] == [
        {"line": 6, "descriptor": "a[0,31]", "uses": [7, 9]},
        {"line": 8, "descriptor": "a[0,15]", "uses": [9, 11]},
        {"line": 10, "descriptor": "a[16,31]", "uses": [11]},
    ]
    found = data(explain, INEXACT, *options)
    assert found["uses"] == [
        {"line": 10, "descriptor": "a[0,x]", "defs": [8, 9]},
        {"line": 13, "descriptor": ANY, "defs": [8, 9, 11, 12]},
    ]
    assert found["definitions"] == [
        {"line": 8, "descriptor": "a[0,31]", "uses": [10, 13]},
        {"line": 9, "descriptor": "a[0,x]", "uses": [10, 13]},
        {"line": 11, "descriptor": ANY, "uses": [13]},
        {"line": 12, "descriptor": "a[0,31]", "uses": [13]},
    ]


def test_records_of_the_second_worked_example(explain):
    def record(descriptor: str, defs: list[int], is_kill: bool) -> dict:
        return {"descriptor": descriptor, "defs": defs, "kill": [], "is_kill": is_kill}

    md1, md2, md4 = ("a[0,31]", "a[0,x]", "b[0,63]")
    ir1 = [record(md1, [8], False)]
    ir2 = [record(md1, [8], True), record(md2, [9], False)]
    ir4 = [*ir2, record(md4, [11], False)]
    ir5 = [record(md1, [8, 12], True), *ir4[1:]]
    found = data(explain, INEXACT, "--rules", "seed", "--with-records")
    assert found["records"] == [
        {"line": line, "records": records}
        for line, records in zip(range(8, 14), [ir1, ir2, ir2, ir4, ir5, ir5], strict=True)
    ]


def test_records_of_sound(explain):
    found = data(explain, EXACT, "--with-records")["records"]
    assert found[2] == {
        "line": 8,
        "records": [
            {"descriptor": "a[0,31]", "defs": [6], "kills": [[[0, 15]]]},
            {"descriptor": "a[0,15]", "defs": [8], "kills": [[]]},
        ],
    }
    text = explain(INEXACT, "--with-records")
    assert "  a[0,31]: 8 kill {}, 11 kill {}, 12 kill {}\n" in text


@pytest.mark.parametrize("path", [EXACT, INEXACT, str(ROOT / "workloads" / "saxpy")])
@pytest.mark.parametrize("rules", ["seed", "sound"])
@pytest.mark.parametrize("with_records", [False, True])
def test_schema(explain, path, rules, with_records):
    options = ["--with-records"] if with_records else []
    jsonschema.validate(
        data(explain, path, "--rules", rules, *options), schema(rules, with_records)
    )


def test_graph(explain):
    assert explain(EXACT, "--format", "dot").splitlines()[2:] == [
        '    "1" [label="6: tensor.fill.i8 a[0:32], 1"];',
        '    "2" [label="7: s2 = tensor.sum.i8 a[0:32]"];',
        '    "3" [label="8: tensor.fill.i8 a[0:16], 2"];',
        '    "4" [label="9: s4 = tensor.sum.i8 a[0:32]"];',
        '    "5" [label="10: tensor.fill.i8 a[16:32], 3"];',
        '    "6" [label="11: s6 = tensor.sum.i8 a[0:65]"];',
        '    "1" -> "2" [label="a[0,31]"];',
        '    "1" -> "4" [label="a[0,31]"];',
        '    "3" -> "4" [label="a[0,31]"];',
        '    "3" -> "6" [label="a[0,64]"];',
        '    "5" -> "6" [label="a[0,64]"];',
        "}",
    ]


def test_rounds_depend_on_the_order_and_nothing_else_does(explain, tmp_path):
    source = tmp_path / "loop.sir"
    source.write_text(
        "a: i8[8] in global\nfunc @f() {\nb:\n    tensor.fill.i8 a[0:8], 0\n    jump c\nc:\n"
        "    s = tensor.sum.i8 a[0:8]\n    tensor.fill.i8 a[0:4], 0\n    jump d\nd:\n"
        "    branch opaque, c, e\ne:\n    t = tensor.sum.i8 a[0:8]\n    return\n}\n"
    )
    found = {
        order: data(explain, str(source), "--rules", "seed", "--order", order)
        for order in ("reverse_postorder", "preorder", "inorder", "postorder")
    }
    assert {order: one.pop("rounds") for order, one in found.items()} == {
        "reverse_postorder": 1, "preorder": 1, "inorder": 2, "postorder": 2
    }  # fmt: skip
    assert all(one == found["reverse_postorder"] for one in found.values())
    text = explain(str(source), "--order", "postorder")
    assert text.endswith("rounds: 3\n")


@pytest.mark.parametrize(
    "options, message",
    [
        (("--rules", "safe"), "--rules cannot be 'safe'"),
        (("--variant", "fast"), "variant 'fast' belongs to the rules 'seed'"),
        (("--order", "preorders"), "did you mean 'preorder'?"),
        (("--with-phis",), "--show dependences --format text takes no --with-phis"),
        (("--with-records", "--format", "dot"), "--format dot takes no --with-records"),
    ],
)
def test_refusals(simrun, options, message):
    ended = simrun("explain", EXACT, "--show", "dependences", *options)
    assert ended.code == 2 and message in ended.err and not ended.out
