"""`simrun new`: what it makes is clean and passes its own test, by the doors of any package."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.skeletons import FOLDER, SKELETONS
from tests.outside.test_outside_kinds import Run, simrun_in

ROOT = Path(__file__).parents[3]
PACKAGES = [one.what for one in SKELETONS.values() if one.is_package]
RUN_TESTS = """
import pytest
raise SystemExit(int(pytest.main(["-q", "-p", "no:cacheprovider", {0!r}])))
"""


def note_as_installed(package: Path, site: Path) -> None:
    """Leave what an installer leaves of a package that stays where it is."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    about = site / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    groups = project["entry-points"].items()
    points = (f"[{g}]\n" + "".join(f"{k} = {v}\n" for k, v in ps.items()) for g, ps in groups)
    (about / "entry_points.txt").write_text("\n".join(points))
    (site / project["name"]).symlink_to(package / project["name"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Run]]:
    """A folder in which all of them are, and commands where the packages are installed."""
    folder = tmp_path_factory.mktemp("new")
    with simrun_in(folder) as simrun:
        for what in SKELETONS:
            told = simrun("new", what, f"my_{what}", "--into", "work").stdout
            assert f"made work/my_{what}; next:\n" in told and f"pytest my_{what}\n" in told
            assert (f"pip install -e my_{what}\n" in told) == (what in PACKAGES)
    for what in PACKAGES:
        note_as_installed(folder / "work" / f"my_{what}", folder)
    with simrun_in(folder) as simrun:
        yield folder, simrun


@pytest.mark.parametrize("what", SKELETONS)
def test_its_own_test_passes(what: str, made: tuple[Path, Run]):
    """Of a package where it is installed, of others where none is."""
    folder, simrun = made
    program = RUN_TESTS.format(str(folder / "work" / f"my_{what}"))
    if what in PACKAGES:
        told = simrun("-c", program).stdout
    else:
        with simrun_in(folder / "work") as without_packages:
            told = without_packages("-c", program).stdout
    assert " passed" in told and "skipped" not in told


def test_doors_know_them(made: tuple[Path, Run]):
    _, simrun = made
    plugins = simrun("list", "plugins").stdout
    assert not any(line.startswith("failed ") for line in plugins.splitlines())
    for what in PACKAGES:
        assert f"my_{what}" in plugins


def test_lint_finds_nothing(made: tuple[Path, Run]):
    folder, _ = made
    ruff = [sys.executable, "-m", "ruff"]
    if subprocess.run([*ruff, "--version"], capture_output=True).returncode:
        pytest.skip("there is no ruff")
    settings = ["--no-cache", "--config", ROOT / "pyproject.toml", folder / "work"]
    for command in (["check"], ["format", "--check"]):
        ended = subprocess.run([*ruff, *command, *settings], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout


def test_no_word_that_stands_for_another_is_left(made: tuple[Path, Run]):
    folder, _ = made
    endings = {".py", ".yaml", ".toml", ".sir", ".json", ".my_level", ".my_frontend"}
    files = [path for path in (folder / "work").rglob("*") if path.suffix in endings]
    assert len(files) > 40
    for path in files:
        assert "the_" not in path.name
        text = path.read_text()
        assert not any(word in text for word in ("the_name", "TheName", "the_base")), path


def test_without_pytest_it_is_to_be_installed(simrun, tmp_path: Path, monkeypatch):
    """A plain environment has none."""
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda n: None if n == "pytest" else find(n))
    told = simrun("new", "machine", "mine", "--into", str(tmp_path)).out
    assert "\n    pip install pytest\n    pytest mine\n" in told


def test_a_schema_of_the_kind_that_is_extended(simrun, tmp_path: Path):
    simrun("new", "machine", "wide", "--machine", "h200", "--into", str(tmp_path))
    assert "warp" in (tmp_path / "wide" / "wide.schema.json").read_text()
    first = (tmp_path / "wide" / "wide.yaml").read_text().partition("\n")[0]
    assert first == "# yaml-language-server: $schema=wide.schema.json"
    shown = simrun("machines", "show", str(tmp_path / "wide" / "wide.yaml"), "--only", "clock")
    assert "1.234 GHz" in shown.out or "1234" in shown.out


@pytest.mark.parametrize(
    "words, said",
    [
        (["gadget", "mine"], "there is no skeleton of a 'gadget'"),
        (["kinds", "mine"], "did you mean 'kind'?"),
        (["pass", "my-pass"], "a pass cannot be called 'my-pass'"),
        (["pass", "class"], "a pass cannot be called 'class'"),
        (["report", "Mine"], "a report cannot be called 'Mine'"),
        (["machine", "../x"], "'../x' is no name"),
        (["machine", "h200"], "there is a machine 'h200' already"),
        (["pass", "bundle"], "there is a pass 'bundle' already"),
        (["kind", "numpy"], "there is a package 'numpy' already"),
        (["pass", "mine", "--machine", "h200"], "a pass begins from no machine"),
        (["machine", "mine", "--machine", "h20"], "h20"),
        (["workload", "there"], "is there already"),
    ],
)
def test_what_cannot_be_made_is_said(words, said, simrun, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    ended = simrun("new", *words)
    assert ended.code == 2 and said in ended.err and "hint: " in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_every_folder_is_one_of_them():
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == set(SKELETONS)


@pytest.mark.campaign
@pytest.mark.parametrize("what", PACKAGES)
def test_pip_installs_it(what: str, simrun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """In an environment that has what this one has, and nothing else of the package."""
    monkeypatch.chdir(tmp_path)
    simrun("new", what, "mine")
    venv.create(tmp_path / "environment", with_pip=False)
    python = tmp_path / "environment" / "bin" / "python"
    (site,) = (tmp_path / "environment" / "lib").glob("*/site-packages")
    here = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    (site / "here.pth").write_text("\n".join(here))
    for words in (["pip", "install", "-q", "--no-deps", "-e", "mine"], ["pytest", "-q", "mine"]):
        ended = subprocess.run([python, "-m", *words], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
