"""Primitives from a file of rules: what they mean, where they are called, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import compiler
from compiler.levels.arrays.interpret import Counter, evaluate
from compiler.levels.arrays.language import read_functions
from compiler.levels.arrays.operations.each import Each
from compiler.levels.arrays.operations.hierarchy import GraphFault
from compiler.levels.arrays.operations.names import named
from compiler.levels.arrays.parsing import parse_graph
from compiler.levels.arrays.printing import print_graph
from compiler.levels.arrays.programs import parse
from compiler.levels.arrays.rule_files import rules_with
from compiler.levels.arrays.rule_reader import parse_rules
from compiler.levels.arrays.vectorize import default_rules, vectorize
from compiler.levels.arrays.verify import verify_graph
from machines.description.load import load_machine
from machines.diagnostics import InputError

ROOT = Path(__file__).parents[4]
PAGE = (ROOT / "compiler" / "levels" / "arrays" / "RULES.md").read_text()
RULES, FUNCTION, RESULT = (part.partition("\n")[2] + "\n"
                           for part in PAGE.split("\n```")[1::2])  # fmt: skip
DIVIDING = """
@primitive
def ratio(a: i64, b: i64) -> i64:
    return a // b
"""


def refused(text: str, old: str = "", new: str = "") -> str:
    """The one message on a file of rules, read and then applied to the page's function."""
    with pytest.raises(InputError) as error:
        base = parse_rules(text.replace(old, new) if old else text, "mine.py")
        base = base.before(default_rules())
        graph = read_functions(FUNCTION, "f.py", base.primitives)
        vectorize(graph, "norm", ["a", "b"], base)
    message = str(error.value)
    assert message.count("error:") == 1 and "hint:" in message, message
    assert message.startswith(("mine.py:", "f.py:")), message
    return message


def test_a_list_of_passes_says_with_which_primitives_a_source_is_read(tmp_path: Path):
    rules, source = tmp_path / "mine.py", tmp_path / "f.py"
    rules.write_text(RULES)
    source.write_text(FUNCTION)
    machine = load_machine("itanium2")
    passes = [{"vectorize": {"over": "a,b", "rules": str(rules)}}, "lower_graph"]
    [function] = compiler.read_functions(source, machine=machine, entry="norm", passes=passes)
    assert function.blocks
    with pytest.raises(InputError, match="hypot2"):
        compiler.read_functions(source, machine=machine, entry="norm", passes=passes[1:])


def test_the_page_runs(tmp_path: Path):
    (tmp_path / "mine.py").write_text(RULES)
    (tmp_path / "f.py").write_text(FUNCTION)
    base = rules_with(str(tmp_path / "mine.py"))
    module = parse(FUNCTION, "f.py", {"rules": str(tmp_path / "mine.py")})
    function = module.functions["norm"].body
    assert evaluate(function.graph, function.symbol, [3.0, 4.0]) == 41.0
    made = vectorize(function.graph, "norm", ["a", "b"], base)
    assert print_graph(made.graph, [made.function]).strip() == RESULT.strip()
    assert evaluate(made.graph, made.function, [[3.0, 0.0], [4.0, 1.0]]) == [41.0, 2.0]
    assert [step.rule for step in made.steps][:2] == ["hypot2_of_lanes", "hypot2_of_lanes"]
    assert verify_graph(made.graph) == []


@pytest.mark.parametrize("rewrites", [True, False])
def test_the_general_rule_applies(rewrites: bool):
    base = parse_rules(RULES.partition("@vectorize")[0], "mine.py").before(default_rules())
    graph = read_functions(FUNCTION, "f.py", base.primitives)
    made = vectorize(graph, "norm", ["a", "b"], base, rewrites)
    assert made.steps[0].rule == "for_every_lane"
    assert evaluate(made.graph, made.function, [[3.0], [4.0]]) == [41.0]


def test_equal_by_name_and_text():
    one, same = (parse_rules("\n" * n + RULES, "r.py").primitives["hypot2"] for n in (0, 3))
    other = parse_rules(RULES.replace("y * y", "y"), "r.py").primitives["hypot2"]
    assert one == same and hash(one) == hash(same) and one != other
    assert one.meaning.location.line + 3 == same.meaning.location.line


def test_text_round_trip():
    primitives = parse_rules(RULES, "mine.py").primitives
    text = print_graph(read_functions(FUNCTION, "f.py", primitives))
    assert print_graph(parse_graph(text, "g.graph", primitives)) == text
    assert named("each.hypot2", primitives) == Each(primitives["hypot2"])
    with pytest.raises(InputError, match=r"g.graph:2:10: error: there is no operation 'hypot2'"):
        parse_graph(text, "g.graph")
    wrong = "func f(x: i64) -> f32 {\n    s1 = hypot2(x)\n    return s1\n}\n"
    with pytest.raises(InputError, match=r"2:10: error: hypot2 takes \(f32, f32\), not \(i64\)"):
        parse_graph(wrong, "g.graph", primitives)


def test_faults_and_counts_as_its_meaning():
    primitives = parse_rules(RULES + DIVIDING, "mine.py").primitives
    assert primitives["ratio"].may_fault and Each(primitives["ratio"]).may_fault
    assert not primitives["hypot2"].may_fault
    text = "@function\ndef f(a: i64, b: i64) -> i64:\n    return ratio(a, b)\n"
    graph = read_functions(text, "f.py", primitives)
    counter = Counter()
    assert evaluate(graph, graph.functions["f"], [7, 2], counter) == 3
    inner = Counter()
    meaning = primitives["ratio"].meaning
    evaluate(meaning.graph, meaning.function, [7, 2], inner)
    assert counter == inner and inner.operations > 0
    with pytest.raises(GraphFault, match="division by zero"):
        evaluate(graph, graph.functions["f"], [7, 0])
    made = vectorize(graph, "f", ["a"])
    assert evaluate(made.graph, made.function, [[], 0]) == []
    assert evaluate(made.graph, made.function, [[7, 9], 2]) == [3, 4]


def test_one_may_call_one_above_and_take_arrays():
    text = RULES + (
        "@primitive\ndef energy(xs: f32[:]) -> f32:\n    return sum([hypot2(x, 1.0) for x in xs])\n"
    )
    primitives = parse_rules(text, "mine.py").primitives
    source = "@function\ndef f(xs: f32[:]) -> f32:\n    return energy(xs)\n"
    graph = read_functions(source, "f.py", primitives)
    made = vectorize(graph, "f", ["xs"])
    assert evaluate(made.graph, made.function, [[[1.0], [], [2.0, 0.0]]]) == [2.0, 0.0, 6.0]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("return x * x + y", "return hypot2(x, y) + y", "recursion is not in the language"),
        ("hypot2(x: f32", "add(x: f32", "'add' is an operation already"),
        ("hypot2(x: f32", "gather(x: f32", "'gather' is an operation already"),
        ("hypot2(x: f32", "each(x: f32", "'each' is an operation already"),
        ("def hypot2(x: f32", "def é(x: f32", "cannot be called"),
        ("@vectorize", "@primitive\ndef hypot2(x: f32) -> f32:\n    return x\n\n\n@vectorize",
         "there is a primitive 'hypot2' already"),
        ("x * x + y * y", "x * x + z", "mine.py:4:"),
        ("x: f32, y: f32", "x, y: f32", "parameter 'x' has no type"),
        ("return each(x, y)", "return replicate(x, length(x))", "has type f32[:][:], not f32[:]"),
        ("return each(x, y)", "return each(x)", "hypot2 takes (f32, f32), not (f32)"),
        ("return each(x, y)", "return inner(x)", "'hypot2_of_lanes' is not one for 'hypot2'"),
        ("return each(x, y)", "return ech(x, y)", "there is no operation 'ech'"),
        ("@vectorize(hypot2(x, y))", "@vectorize(hypot2(x))", "hypot2 takes 2 arguments, not 1"),
        ("@vectorize(hypot2(x, y))", "@vectorize(hypot(x, y))", "there is no operation 'hypot'"),
        ("@vectorize(hypot2(x, y))", "@vectorize(hypot2(x, 0.0))", "is for all arguments"),
        ("@rewrite(hypot2(x, 0.0))", "@rewrite(hypt2(x, 0.0))", "there is no operation 'hypt2'"),
        ("return x * x\n", "return z * x\n", "the pattern has no 'z'"),
        ("return x * x\n", "return length(x)\n", "makes i64 of f32[:]"),
        ("return x * x\n", "return hypot2(x + 1.0, 0.0)\n", "does not come to an end"),
        ("return x * x\n", "return item(x)\n", "there is no operation 'item'"),
    ],
)  # fmt: skip
def test_one_message(old: str, new: str, said: str):
    assert old in RULES
    assert said in refused(RULES, old, new)


def test_a_function_of_the_name_of_a_primitive():
    primitives = parse_rules(RULES, "mine.py").primitives
    text = "@function\ndef hypot2(x: f32) -> f32:\n    return x\n"
    with pytest.raises(InputError, match=r"f.py:2:1: error: 'hypot2' is a primitive, declared at"):
        read_functions(text, "f.py", primitives)


def test_two_files_that_differ():
    one, other = parse_rules(RULES, "a.py"), parse_rules(RULES.replace("y * y", "y"), "b.py")
    assert one.before(parse_rules(RULES, "c.py")).primitives == one.primitives
    with pytest.raises(InputError, match=r"a.py:2:.*'hypot2' already, at b.py:2:"):
        one.before(other)


def test_of_a_package_by_its_entry_point(tmp_path: Path):
    about = tmp_path / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    points = "good = theirs:GOOD\nbad = theirs:BAD\n"
    (about / "entry_points.txt").write_text(f"[simrun.rules]\n{points}")
    (tmp_path / "theirs.py").write_text(
        "from pathlib import Path\nHERE = Path(__file__).parent\n"
        "GOOD, BAD = HERE / 'good.txt', HERE / 'bad.txt'\n"
    )
    (tmp_path / "good.txt").write_text(RULES)
    (tmp_path / "bad.txt").write_text("@rewrite(nothing(x))\ndef r(x):\n    return x\n")
    (tmp_path / "f.py").write_text(FUNCTION)
    ended = subprocess.run(
        [sys.executable, "-m", "sim", "explain", str(tmp_path / "f.py"), "--show", "vectorized"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == RESULT.strip()
    assert "bad.txt:1:10: there is no operation 'nothing'" in ended.stderr
    assert "Traceback" not in ended.stderr
