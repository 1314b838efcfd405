"""What pages, docstrings and comments name is there: files, folders, modules and what these have.

A file is looked for beside the page and in every folder above it.  Blocks of code in pages are
examples, which other tests run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("machines", "compiler", "sim", "tests", "workloads")
PAGES = sorted(path for path in ROOT.rglob("*.md") if ".venv" not in path.parts)
SKELETONS = ROOT / "sim" / "skeletons"


def own_files(folder: str) -> Iterator[Path]:
    """The Python files of a folder of the project, without those of packages that users begin."""
    files = (ROOT / folder).rglob("*.py")
    return (path for path in files if path.parent == SKELETONS or SKELETONS not in path.parents)


SOURCES = sorted(path for folder in FOLDERS for path in own_files(folder))
EXAMPLES = {
    "saxpy.py", "sums.py", "core_ia64_0123.py", "meanings_add_0_w32_0123456789abcdef.py",
}  # fmt: skip
"""Names of files that are nobody's: a user's, or one that is made."""
ANY = re.compile(r"\b(K|KIND|FILE|NEW)\b")
"""Stands for some name: `machines.kinds.KIND`."""

FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^[^#\n]*", re.MULTILINE)
"""What is no comment; a string with '#' counts as one, too."""
FILE = re.compile(r"(?<![\w./*\[-])[\w*][\w./*-]*\.py\b(?!\w)")
FOLDER = re.compile(rf"(?<![\w./*-])(?:{'|'.join(FOLDERS)})(?:/[\w*.-]*\w)+")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
MODULE = re.compile(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})(?:[.:][A-Za-z_]\w*)+")


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that are for reading, each with its line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield 1, FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
        return
    yield 1, CODE.sub("", text)
    for node in statements(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                yield node.lineno, docstring


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements, without a walk through their expressions, which are ten times as many."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            pending += getattr(node, part, ())


def named(text: str, page: Path) -> Iterator[tuple[int, str, bool]]:
    """What a text names: where in it, the name, and whether it is there."""
    above = folders_above(page.parent)
    for pattern in (FILE, FOLDER):
        for found in pattern.finditer(text):
            there = any(next(folder.glob(found[0]), None) for folder in above)
            yield found.start(), found[0], there
    for found in MODULE.finditer(text):
        yield found.start(), found[0], is_module_or_of_one(found[0])
    for found in LINK.finditer(text if page.suffix == ".md" else ""):
        yield found.start(), found[1], (page.parent / found[1]).exists()


@cache
def folders_above(folder: Path) -> list[Path]:
    """The folder, and those of ours that it lies in."""
    return [one for one in (folder, *folder.parents) if one.is_relative_to(ROOT)]


def is_module_or_of_one(dotted: str) -> bool:
    """Whether there is such a module, or a module that has such a thing."""
    parts = re.split("[.:]", dotted)
    module = len(parts)
    while (names := names_in("/".join(parts[:module]))) is None:
        module -= 1
    return set(parts[module : module + 2]) <= names


@cache
def names_in(module: str) -> set[str] | None:
    """Every name that a module or a package's own file has, in classes too; None: no module."""
    package, file = ROOT / module, ROOT / f"{module}.py"
    if not package.is_dir() and not file.exists():
        return None
    text = next((f.read_text() for f in (file, package / "__init__.py") if f.exists()), "")
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def wrong(page: Path) -> Iterator[str]:
    for line, text in prose(page):
        for start, name, is_there in named(text, page):
            if not (is_there or name in EXAMPLES or ANY.search(name)):
                at = line + text.count("\n", 0, start)
                yield f"{page.relative_to(ROOT)}:{at}: there is no {name}"


def test_what_is_named_is_there():
    found = dict.fromkeys(one for page in [*PAGES, *SOURCES] for one in wrong(page))
    assert not found, "\n".join(found)


def test_what_is_not_there_is_noticed():
    page = ROOT / "sim" / "page.md"
    text = (
        "`runner.py` `sim/runner.py` `sim.runner.execute` `sim/cores/*/run.py` "
        "`sim.runner:Compiled` [schema](../machines/description/schema.py) "
        "`walker.py` sim/cores/vliw sim.walker sim.runner.walk `sim.views:View.walk` [s](schema.py)"
    )
    missing = {name for _, name, is_there in named(text, page) if not is_there}
    assert missing == {
        "walker.py", "sim/cores/vliw", "sim.walker", "sim.runner.walk", "sim.views:View.walk",
        "schema.py",
    }  # fmt: skip
