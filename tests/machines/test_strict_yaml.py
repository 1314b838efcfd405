"""What strict YAML accepts, what it refuses, and where its findings point."""

import math

import pytest

from machines.description.strict_yaml import DEEPEST, MOST_CHARACTERS, read_yaml, read_yaml_file
from machines.diagnostics import InputError


def findings(text):
    with pytest.raises(InputError) as caught:
        read_yaml(text, "x.yaml")
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-0", 0),
        ("+3", 3),
        ("0x1F", 31),
        ("1e9", 1e9),
        (".5", 0.5),
        ("2.", 2.0),
        ("-1.5E-3", -1.5e-3),
        (".inf", math.inf),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("no", "no"),
        ("on", "on"),
        ("yes", "yes"),
        ("True", "True"),
        ("1:30", "1:30"),
        ("12:30:00", "12:30:00"),
        ("2001-01-01", "2001-01-01"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("! 5", "5"),
        ("1.0 GHz", "1.0 GHz"),
    ],
)
def test_plain_scalars_mean_what_they_look_like(text, value):
    read = read_yaml(f"a: {text}\n", "x.yaml").plain()["a"]
    assert read == value and type(read) is type(value)


def test_not_a_number_is_read():
    assert math.isnan(read_yaml(".nan", "x.yaml").plain())


def test_keys_are_always_text():
    assert read_yaml("{0: a, true: b, ~: c, no: d}", "x.yaml").plain() == {
        "0": "a", "true": "b", "~": "c", "no": "d",
    }  # fmt: skip


def test_values_and_keys_know_their_places():
    node = read_yaml("a:\n  bc: [1, 22]\n", "x.yaml")
    inner = node.value["a"].value["bc"]
    assert str(node.value["a"].keys["bc"]) == "x.yaml:2:3"
    assert [str(n.location) for n in inner.value] == ["x.yaml:2:8", "x.yaml:2:11"]
    assert inner.value[1].location.length == 2


def test_an_empty_document_is_null():
    assert read_yaml("", "x.yaml").value is None
    assert read_yaml("# nothing\n", "x.yaml").value is None


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "3:1", "key 'a' is given twice"),
        ("a:\n  b: {c: 1, c: 2}\n", "2:13", "key 'c' is given twice"),
        ("a: &x 1\n", "1:4", "anchor '&x'"),
        ("a: *x\n", "1:4", "alias '*x'"),
        ("a: !!int '3'\n", "1:4", "tag 'tag:yaml.org,2002:int'"),
        ("a: !python/object:os.system x\n", "1:4", "tag '!python/object:os.system'"),
        ("a: !x {b: 1}\n", "1:4", "tag '!x'"),
        ("a: 010\n", "1:4", "starts with a zero"),
        ("a: 1e999\n", "1:4", "too large"),
        (f"a: {'9' * 5000}\n", "1:4", "too large"),
        ("a:\n\tb: 1\n", "2:1", "a tab cannot indent"),
        ("a: b: c\n", "1:5", "mapping values are not allowed"),
        ("a: [1, 2\n", "2:1", "expected ',' or ']'"),
        ("a: 'b\n", "2:1", "found unexpected end of stream"),
        ("a: 1\n b: 2\n", "2:3", "mapping values are not allowed"),
        ("- 1\nb: 2\n", "2:1", "expected <block end>"),
        ("a: @b\n", "1:4", "cannot start any token"),
        ("a: \x01\n", "1:4", "character U+0001"),
        ('a: "\\ud800"\n', "1:4", "surrogate"),
        ("? [a]\n: b\n", "1:3", "a key must be plain text"),
        ("--- a\n--- b\n", "2:1", "a second document"),
        ("%YAML 9.9\n--- a\n", "1:1", "incompatible YAML document"),
    ],
)
def test_what_is_refused_says_where(text, place, words):
    found = findings(text)[0]
    assert f"{found.location.line}:{found.location.column}" == place
    assert words in found.message


def test_all_findings_of_a_file_come_together_in_order():
    found = findings("a: &x 1\na: 2\nb: 010\nc: *x\n")
    assert [f.location.line for f in found] == [1, 2, 3, 4]


def test_a_finding_shows_its_line_with_carets():
    text = str(findings("a: 1\nb: 0077\n")[0])
    assert text.splitlines()[1:3] == ["    b: 0077", "       ^^^^"]


def test_alias_bombs_are_refused_without_being_expanded():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    found = findings("\n".join(lines))
    assert len(found) == 50 and "anchor" in found[0].message


def test_deep_nesting_is_refused():
    found = findings("[" * 100_000)
    assert found[0].location.column == DEEPEST + 2 and "levels deep" in found[0].message
    read_yaml("[" * DEEPEST + "]" * DEEPEST, "x.yaml")


def test_huge_files_are_refused():
    assert "larger than" in findings("#" * (MOST_CHARACTERS + 1))[0].message


def test_skipped_characters_count_in_positions():
    node = read_yaml("a.b=[1, 2]", "--set", skip=4)
    assert node.plain() == [1, 2]
    assert node.value[1].location.column == 9


def test_files_that_cannot_be_read_are_input_errors(tmp_path):
    with pytest.raises(InputError, match=r"cannot read .*: No such file"):
        read_yaml_file(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="cannot read"):
        read_yaml_file(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9\n")
    with pytest.raises(InputError, match=r"not UTF-8 text \(byte 3\)"):
        read_yaml_file(tmp_path / "latin.yaml")
