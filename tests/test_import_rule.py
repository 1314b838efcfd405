"""Who may import whom: machines nobody, compiler machines, of sim only the runner, the commands and
what `explain` shows the compiler; no circles, neither of files nor of folders."""

from __future__ import annotations

import ast
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from tests.test_pages_name_files import own_files, statements

ROOT = Path(__file__).parent.parent
OURS = ("machines", "compiler", "sim")
ASK_THE_COMPILER = (
    "sim/runner.py",
    "sim/commands/*.py",
    "sim/pages/gathered.py",
    "sim/explaining.py",
    "sim/views/*.py",
    "sim/kinds/*/views/*.py",
    "sim/levels/*/views.py",
)
"""The files of `sim` that may."""


@cache
def _imports(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What a file imports, anywhere in it, for types alone too: modules, each with what is taken
    from it."""
    found = []
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.module, tuple(alias.name for alias in node.names)))
    return tuple(found)


def _imported(path: Path) -> set[str]:
    """The packages of ours that a file imports."""
    return {module.split(".")[0] for module, _ in _imports(path)} & set(OURS)


def _allowed(path: str) -> set[str]:
    package = path.split("/")[0]
    if package == "machines":
        return {"machines"}
    if package == "compiler":
        return {"machines", "compiler"}
    return {"machines", "sim"} | ({"compiler"} if _may_ask(path) else set())


def _may_ask(path: str) -> bool:
    return any(fnmatch(path, pattern) for pattern in ASK_THE_COMPILER)


FILES = sorted(str(path.relative_to(ROOT)) for package in OURS for path in own_files(package))


def test_every_file_imports_only_what_it_may():
    too_much = {path: _imported(ROOT / path) - _allowed(path) for path in FILES}
    assert len(FILES) > 400
    assert {path: packages for path, packages in too_much.items() if packages} == {}


def test_the_files_that_may_ask_the_compiler_do_so():
    """Else the list above would hide a rule that no longer says anything."""
    for pattern in ASK_THE_COMPILER:
        assert any("compiler" in _imported(path) for path in ROOT.glob(pattern))


def _modules() -> dict[str, Path]:
    paths = (path for part in (*OURS, "tests/programs") for path in own_files(part))
    dotted = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}


def _modules_imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of ours that a file imports."""
    found = set()
    for module, taken in _imports(path):
        names = {f"{module}.{name}" for name in taken}
        found |= {name if name in known else module for name in names} or {module}
    return found & set(known)


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next, and the last the first; empty if there are none."""
    done: set[str] = set()

    def walk(module: str, way: list[str]) -> list[str]:
        if module in way:
            return way[way.index(module) :]
        if module in done:
            return []
        for other in sorted(imports[module] - {module}):
            if found := walk(other, [*way, module]):
                return found
        done.add(module)
        return []

    return next((found for module in sorted(imports) if (found := walk(module, []))), [])


def test_there_are_no_import_circles():
    known = _modules()
    assert circle({name: _modules_imported(path, known) for name, path in known.items()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


DOORS = {
    *("machines/kinds", "machines/levels", "compiler/frontends", "compiler/levels"),
    *("compiler/targets", "sim/cores", "sim/kinds", "sim/levels"),
}
"""Folders through which packages come in, a folder each: those are folders of their own."""


def folder_of(file: str) -> str:
    """The folder of a file: two levels deep, three behind a door; at the top the file itself.

    >>> [folder_of(f) for f in ("sim/results/line.py", "sim/cores/epic/run.py", "sim/cli.py")]
    ['sim/results', 'sim/cores/epic', 'sim/cli.py']
    """
    *folders, _ = file.split("/")
    if len(folders) < 2:
        return file
    return "/".join(folders[: 3 if "/".join(folders[:2]) in DOORS else 2])


def test_there_are_no_circles_of_folders():
    known = {n: p for n, p in _modules().items() if not n.startswith("tests.")}
    folders = {name: folder_of(str(p.relative_to(ROOT))) for name, p in known.items()}
    imports: dict[str, set[str]] = {folder: set() for folder in folders.values()}
    for name, path in known.items():
        imports[folders[name]] |= {folders[n] for n in _modules_imported(path, known)}
    assert len(imports) > 80
    assert circle(imports) == []
