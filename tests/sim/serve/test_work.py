"""What the service opens and says, and that its answers are of files as they were at one time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from machines import confinement
from machines.cache.results import kept_results
from machines.cache.software import Software
from machines.description.load import FOLDER
from machines.reading import read_text
from sim.serve import messages, work
from sim.serve.messages import AskedToCompile, AskedToRun
from tests.opened_files import only_linux
from tests.sim.conftest import KERNEL, WORKLOAD
from tests.sim.serve.conftest import RULES, SECRET, Store

pytestmark = only_linux


def answer(asked: messages.Asked) -> tuple[int, dict]:
    answered = work.work(asked)
    content = json.loads(answered.body)
    assert SECRET not in answered.body.decode()
    return answered.status, content


def run(name: str = "workload.yaml", **more: object) -> tuple[int, dict]:
    return answer(AskedToRun(name=name, **more))


def compiled(name: str, **more: object) -> tuple[int, dict]:
    return answer(AskedToCompile(name=name, **more))


def first(content: dict) -> dict:
    return content["diagnostics"][0]


def test_a_run_is_what_the_command_line_prints(store: Store, simrun):
    status, content = run(text=True)
    printed = simrun("workload.yaml", "--json")
    assert status == 200
    assert content["exit_code"] == printed.code == 0
    assert content["result"] == json.loads(printed.out)
    assert content["text"] == simrun("workload.yaml").out
    assert content["files"].keys() == {"workload.yaml", "tiny.py"}


def test_views_are_what_the_command_line_prints(store: Store, simrun):
    content = compiled("workload.yaml", show=["asm", "chains"])[1]
    for view in ("asm", "chains"):
        words = ("explain", "workload.yaml", "--show", view)
        assert content["views"][view]["text"] == simrun(*words).out
        shown = simrun(*words, "--format", "json").out
        assert content["views"][view]["content"] == json.loads(shown)
    alone = compiled("tiny.py", machine="itanium2")[1]
    assert alone["views"]["asm"]["text"] == simrun("explain", "tiny.py").out


def test_variants_and_outputs_that_are_wrong(store: Store):
    variants = "variants:\n  one: {}\n  two: {expect: {y: {values: [0, 0, 0, 0, 0, 0, 0, 0]}}}\n"
    store.write("workload.yaml", WORKLOAD + variants)
    status, content = run()
    assert (status, content["exit_code"]) == (200, 1)
    assert [one["ok"] for one in content["result"]] == [True, False]
    assert run(variants=["one"])[1]["result"]["ok"]


def test_findings_have_their_places(store: Store):
    store.write("deep/workload.yaml", WORKLOAD.replace("machine: itanium2", "machine: itanium3"))
    store.write("deep/tiny.py", KERNEL)
    status, content = run("deep/workload.yaml")
    assert (status, content["exit_code"]) == (422, 2)
    assert first(content) == {
        "message": "there is no machine 'itanium3'",
        "file": "deep/workload.yaml", "line": 3, "column": 10, "length": 8,
        "source": "machine: itanium3", "hint": "did you mean 'itanium'?",
        "code": "workload",
    }  # fmt: skip


X = "  x: {dtype: f32, shape: [8], range: {}}"
Y = 'y: {equals: "a * x + y"}'
FUNCTION = """from compiler.kernel import f32, function


@function
def double(x: f32) -> f32:
    return x * 1.0 + x
"""
ARRAYS = """workload: double
program: double.py
machine: itanium2
arguments:
  x: {dtype: f32, shape: [8], range: {}}
vectorize: {over: [x]%s}
passes: %s
"""

OTHER_MACHINE = """extends: {}/machine.yaml
name: other
source: "assumed: a test"
clock: 3 GHz
"""

OUTSIDE = {
    "program": ("program: tiny.py", "program: {}/tiny.py", 2),
    "input": (X, "  x: {{dtype: f32, file: {}/x.npy}}", 7),
    "expectation": (Y, "y: {{file: {}/x.npy}}", 10),
    "machine": ("machine: itanium2", "machine: {}/machine.yaml", 3),
}


WAYS = ["../outside", "{outside}", "link", "deep/../../outside", "twice", "../outside/../store",
        "link/../store", "../store", "{store}"]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", OUTSIDE)
def test_what_a_workload_names_outside_is_refused_with_its_place(store: Store, what: str, way: str):
    (store.folder / "deep").mkdir()
    (store.folder / "link").symlink_to("../outside")
    (store.folder / "twice").symlink_to("link")
    if way == "{store}" and what in ("input", "expectation"):
        pytest.skip("of arrays a workload may name files of its store in full")
    way = way.format(outside=store.outside, store=store.folder)
    old, new, line = OUTSIDE[what]
    store.write("workload.yaml", WORKLOAD.replace(old, new.format(way)))
    status, content = run()
    assert status == 422
    assert "leads out of the store" in first(content)["message"]
    assert (first(content)["file"], first(content)["line"]) == ("workload.yaml", line)
    assert store.watched.opened() == set()
    old_folder = store.outside.rename(store.outside.with_name("gone"))
    assert run() == (status, content)  # nobody is told what there is outside
    old_folder.rename(store.outside)


@pytest.mark.parametrize("name", ["tiny.py", "workload.yaml"])
def test_links_of_files_lead_out_too(store: Store, name: str):
    (store.folder / name).unlink()
    (store.folder / name).symlink_to(store.outside / name)
    assert "leads out of the store" in first(run()[1])["message"]
    assert compiled(name, machine="itanium2")[0] == 422
    assert store.watched.opened() == set()


def test_links_within_the_store_are_files(store: Store):
    store.write("shared/tiny.py", KERNEL)
    (store.folder / "tiny.py").unlink()
    (store.folder / "tiny.py").symlink_to("shared/tiny.py")
    (store.folder / "all").symlink_to(".")
    assert run()[1]["exit_code"] == run("all/workload.yaml")[1]["exit_code"] == 0


@pytest.mark.parametrize(
    "name", ["../outside/workload.yaml", "{outside}/workload.yaml", "/etc/passwd", "..", "/",
             "a/../..", "a\0b", "%2e%2e/outside/workload.yaml",
             "{store}/workload.yaml", "x" * 900, "../store/workload.yaml",
             "a/../../store/workload.yaml", "../outside/../store/workload.yaml",
             "out/../workload.yaml", "out/../../store/tiny.py",
             "nothing.yaml", "workload.yaml/", "workload.yaml/x", "~", "fifo.py"],
)  # fmt: skip
def test_names_that_are_none_in_the_store(store: Store, name: str):
    (store.folder / "a").mkdir()
    os.mkfifo(store.folder / "fifo.py")
    (store.folder / "out").symlink_to("../outside")
    name = name.format(outside=store.outside, store=store.folder)
    for status, content in (run(name), compiled(name, machine="itanium2")):
        assert (status, content["exit_code"]) == (422, 2)
        assert str(store.folder) not in first(content)["message"].replace(name, "")
    assert store.watched.opened() == set()
    said, old_folder = run(name), store.outside.rename(store.outside.with_name("gone"))
    assert run(name) == said  # whatever there is outside
    old_folder.rename(store.outside)


def test_files_that_cannot_be_read_are_told_so(store: Store):
    """And no change of the store is seen in them."""
    os.mkfifo(store.folder / "fifo.npy")
    with (store.folder / "huge.py").open("wb") as file:
        file.truncate(1 << 40)
    for name in ("fifo.npy", "huge.py"):
        content = run(arguments=[f"x={{dtype: f32, file: {name}}}"])[1]
        assert "cannot read" in first(content)["message"]
    store.write("workload.yaml", WORKLOAD.replace("tiny.py", "huge.py"))
    assert "larger than 16 MiB" in first(run()[1])["message"]
    (store.folder / "fifo.npy").unlink()


def test_bases_of_machines_are_of_the_store(store: Store):
    text = (
        "extends: ../outside/machine.yaml\nname: other\nsource: 'assumed: a test'\nclock: 3 GHz\n"
    )
    store.write("other.yaml", text)
    content = run(machine="other.yaml")[1]
    assert (first(content)["file"], first(content)["line"]) == ("other.yaml", 1)
    content = run(machine="../outside/machine.yaml")[1]
    assert "leads out" in first(content)["message"]
    assert store.watched.opened() == set()
    store.write("machine.yaml", (store.outside / "machine.yaml").read_text())
    store.watched.opened()
    assert run(machine="machine.yaml")[1]["result"]["clock_hz"] == 2_000_000_000


def test_rules_are_of_the_store(store: Store):
    store.write("double.py", FUNCTION)
    named = ARRAYS % (", rules: ../outside/rules.py", "default")
    store.write("double.yaml", named)
    content = run("double.yaml")[1]
    assert (first(content)["file"], first(content)["line"]) == ("double.yaml", 6)
    in_passes = ARRAYS % ("", "[default, {vectorize: {rules: ../outside/rules.py}}]")
    store.write("double.yaml", in_passes)
    assert "leads out" in first(run("double.yaml")[1])["message"]
    assert store.watched.opened() == set()
    store.write("rules.py", RULES)
    store.write("double.yaml", named.replace("../outside/", ""))
    assert run("double.yaml")[1]["exit_code"] == 0


def test_arguments_name_files_of_the_store(store: Store):
    refused = run(arguments=["x={dtype: f32, file: ../outside/x.npy}"])[1]
    assert "leads out" in first(refused)["message"]
    assert store.watched.opened() == set()
    os.link(store.outside / "x.npy", store.folder / "x.npy")
    content = run(arguments=["x={dtype: f32, file: x.npy}"])[1]
    assert content["exit_code"] == 0
    assert content["result"]["provenance"]["arguments"]["x"]["file"] == "x.npy"


def test_no_python_of_a_workload_runs(store: Store):
    makes = f"open({str(store.folder / 'made')!r}, 'w')\n"
    store.write("own.py", f"{makes}def same(y):\n    return y\n")
    store.write("workload.yaml", WORKLOAD.replace(Y, 'y: {oracle: "own.py:same"}'))
    content = run()[1]
    assert (first(content)["line"], first(content)["hint"]) == (10, "a service runs none")
    store.write("workload.yaml", WORKLOAD)
    store.write("tiny.py", makes + KERNEL)
    assert run()[0] == 422
    assert not (store.folder / "made").exists()


def test_no_other_compiler_runs(store: Store):
    store.write("tiny.c", "int main(void) { return 0; }\n")
    store.write("workload.yaml", WORKLOAD.replace("tiny.py", "tiny.c"))
    content = run()[1]
    assert "no front end reads '.c' files" in first(content)["message"]


def test_files_that_debug_information_names_are_not_read(store: Store):
    """A compiler's output says where its source was: shown are lines of what is in the store."""
    program = Path(__file__).parents[2] / "compiler/frontends/llvm/crc32.ll"
    text = program.read_text()
    assert 'filename: "crc32.c"' in text
    lines = "".join(f"{SECRET} {number}\n" for number in range(100))
    (store.outside / "crc32.c").write_text(lines)
    store.watched.opened()
    workload = program.with_name("crc32.yaml").read_text()
    store.write("crc32.yaml", workload)
    for way in ("../outside/crc32.c", str(store.outside / "crc32.c")):
        store.write("crc32.ll", text.replace('filename: "crc32.c"', f'filename: "{way}"'))
        content = run("crc32.yaml")[1]
        assert content["exit_code"] == 0
        assert {line["text"] for line in content["result"]["lines"]} == {""}
    assert store.watched.opened() == set()
    store.write("crc32.c", lines.replace(SECRET, "shown"))
    store.write("crc32.ll", text)
    content = run("crc32.yaml")[1]
    assert any("shown" in line["text"] for line in content["result"]["lines"])


@pytest.fixture
def keeping(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is made is kept, even if files of simrun have just been edited."""
    monkeypatch.setattr(Software, "is_what_runs", lambda software: True)
    with kept_results():
        yield


@pytest.mark.parametrize("whose", ["a user's", "simrun's"])
def test_what_was_kept_for_others_is_not_used(
    store: Store, keeping: None, monkeypatch: pytest.MonkeyPatch, whose: str
):
    """The command line may run what leads out, even to simrun's own files, and keeps what it
    made."""
    folder = store.outside if whose == "a user's" else FOLDER
    base = "machine.yaml" if whose == "a user's" else "itanium2.yaml"
    store.write("other.yaml", OTHER_MACHINE.format(folder).replace("machine.yaml", base))
    monkeypatch.setattr(confinement, "_store", None)
    assert run(machine="other.yaml")[1]["result"]["clock_hz"] == 3_000_000_000
    monkeypatch.setattr(confinement, "_store", store.folder.resolve())
    store.watched.opened()
    assert "leads out" in first(run(machine="other.yaml")[1])["message"]
    assert store.watched.opened() == set()


@pytest.mark.parametrize("name", ["tiny.py", "machine.yaml"])
def test_what_was_kept_is_no_way_out(store: Store, keeping: None, name: str):
    """A file of which something was kept becomes a link to one with the same content."""
    store.write("machine.yaml", (store.outside / "machine.yaml").read_text())
    (store.outside / "tiny.py").write_text(KERNEL)
    for _ in range(2):
        assert run(machine="machine.yaml")[1]["exit_code"] == 0
    (store.folder / name).unlink()
    (store.folder / name).symlink_to(f"../outside/{name}")
    store.watched.opened()
    assert "leads out" in first(run(machine="machine.yaml")[1])["message"]
    assert store.watched.opened() == set()


def test_a_link_that_is_put_there_meanwhile_leads_nowhere(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    """Between the look at where a path leads and the opening."""
    store.write("deep/file", "mine")
    (store.outside / "file").write_text(SECRET)
    store.watched.opened()
    found = confinement._below_store(Path("deep/file"))
    (store.folder / "deep/file").unlink()
    (store.folder / "deep").rmdir()
    (store.folder / "deep").symlink_to("../outside")
    monkeypatch.setattr(confinement, "_below_store", lambda path: found)
    with pytest.raises(Exception, match="cannot read deep/file"):
        read_text("deep/file", most=100)
    assert store.watched.opened() <= {""}


def test_files_edited_between_two_requests(store: Store, keeping: None):
    before = run(text=True)[1]
    store.write("tiny.py", KERNEL.replace("a * x[i] + y[i]", "a * x[i] - y[i]"))
    wrong = run(text=True)[1]
    assert (before["exit_code"], wrong["exit_code"]) == (0, 1)
    store.write("workload.yaml", WORKLOAD.replace("a * x + y", "a * x - y"))
    after = run(text=True)[1]
    assert after["exit_code"] == 0
    assert after["files"] != wrong["files"] != before["files"]
    store.write("tiny.py", KERNEL)
    store.write("workload.yaml", WORKLOAD)
    assert run(text=True)[1] == before


def test_files_edited_while_something_is_made_of_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    """What is answered is of one state of the store, or nothing is."""
    edits = [KERNEL.replace("a * x[i] + y[i]", "a * x[i] - y[i]")]
    made = work.compile_workload

    def compile_while_edited(*given, **named):
        compiled = made(*given, **named)
        if edits:
            store.write("tiny.py", edits.pop())
        return compiled

    monkeypatch.setattr(work, "compile_workload", compile_while_edited)
    status, content = run()
    assert (status, content["exit_code"]) == (200, 1)  # of what the file says now
    assert "- y[i]" in str(content["result"]["lines"])
    edits += [f"# {number}\n{KERNEL}" for number in range(5)]
    status, content = run()
    assert (status, content["exit_code"]) == (409, 2)
    assert "changed again and again" in first(content)["message"]


def test_mistakes_of_ours_are_told_apart(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
):
    def fails(*given, **named):
        raise KeyError("ours")

    monkeypatch.setattr(work, "execute", fails)
    status, content = run()
    assert (status, content["exit_code"]) == (500, 70)
    assert work.work(AskedToRun(name="workload.yaml")).is_spent
    assert "Traceback" not in json.dumps(content)
    assert "Traceback" in capsys.readouterr().err


def test_answers_are_bounded(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(messages, "MOST_ANSWERED", 100)
    status, content = run()
    assert (status, first(content)["hint"]) == (422, "ask for less")
