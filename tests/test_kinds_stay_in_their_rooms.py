"""No file names a kind of machine but those of the kind, and none a level of code but those of the
level and targets that lower it: the next one comes in by the same doors.

A kind's rooms are its packages under `machines/kinds`, `compiler/targets`, `sim/kinds` and
`sim/cores`, and the files of languages and instructions that only its machines have; a level's are
those under `machines/levels`, `compiler/levels` and `sim/levels`, and the front end of its text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from machines.kinds import kinds
from machines.levels import levels
from tests.test_pages_name_files import own_files

ROOT = Path(__file__).parent.parent
LANGUAGES = {"epic": "ia64", "simt": "ptx"}
"""What only machines of a kind execute: front ends and instructions of that name."""
WORDS = re.compile(r"warp|bundle|template|launch|subcore|sm\b", re.IGNORECASE)
"""Words of one kind, by which a file could tell that it has one of its machines."""
TEXTS_OF_LEVELS = {"arrays": ("graph",), "network": ("net", "onnx")}
"""Front ends that only read functions of a level."""
WORDS_OF_LEVELS = {
    "arrays": re.compile(
        r"(?<!no-)(?<!slp-)vectorize|lower_graph|graph_?(program|function|form)", re.I
    ),
    "network": re.compile(
        r"\bnn\.|fuse_layers|cancel_transposes|network_?(builder|function)", re.I
    ),
}
"""What a level's passes, keys and classes are called."""
OF_MACHINES = {"machine", "description", "program", "result", "outcome", "loaded", "compilation"}


def rooms(kind: str) -> tuple[str, ...]:
    """What the paths of a kind's own files begin with."""
    language = LANGUAGES.get(kind, kind)
    return (
        f"machines/kinds/{kind}/",
        f"machines/instructions/{language}_",
        f"compiler/targets/{kind}/",
        f"compiler/frontends/{language}/",
        f"sim/kinds/{kind}/",
        f"sim/cores/{kind}/",
    )


def generic_files() -> list[Path]:
    own = tuple(room for kind in kinds() for room in rooms(kind))
    files = (path for part in ("machines", "compiler", "sim") for path in own_files(part))
    return [path for path in files if not str(path.relative_to(ROOT)).startswith(own)]


def nodes_of(text: str) -> list[ast.AST]:
    """Everything in a program."""
    return list(ast.walk(ast.parse(text)))


def names_a_kind(nodes: list[ast.AST]) -> Iterator[str]:
    """Where a file names a kind: in an import, in a text that it computes with, by a class."""
    word = re.compile(rf"\b({'|'.join(kinds())})\b", re.IGNORECASE)
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and word.search(node.module or ""):
            yield f"{node.lineno}: imports {node.module}"
        elif isinstance(node, ast.Import) and any(word.search(a.name) for a in node.names):
            yield f"{node.lineno}: imports {', '.join(a.name for a in node.names)}"
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        ):
            if word.search(node.value) or node.value in LANGUAGES.values():
                yield f"{node.lineno}: {node.value!r}"
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if word.fullmatch(name):
                yield f"{node.lineno}: {name}"


def asks_for_a_kind(nodes: list[ast.AST]) -> Iterator[str]:
    """Where what a file does depends on a word of one kind, asked of a machine or its program."""
    for node in nodes:
        tests = [getattr(node, "test", None), getattr(node, "subject", None)]
        tests += [*getattr(node, "ifs", ()), node if isinstance(node, ast.Compare) else None]
        for test in filter(None, tests):
            for part in ast.walk(test):
                asked = ""
                if isinstance(part, ast.Attribute) and _root(part) in OF_MACHINES:
                    asked = part.attr
                elif isinstance(part, ast.Call) and _root(part.func) in ("hasattr", "getattr"):
                    asked = " ".join(str(a.value) for a in part.args if isinstance(a, ast.Constant))
                if WORDS.search(asked):
                    yield f"{part.lineno}: tests for '{asked}'"


def _root(node: ast.AST) -> str:
    """The first name of a.b.c."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def test_common_files_know_no_kind_and_no_level():
    assert set(WORDS_OF_LEVELS) == set(levels())
    rooms = tuple(room for level in levels() for room in rooms_of_level(level))
    files = {str(path.relative_to(ROOT)): path for path in generic_files()}
    of_no_level = [name for name in files if not name.startswith(rooms)]
    assert len(files) > len(of_no_level) > 250
    found: dict[str, list[str]] = {}
    for name, path in files.items():
        nodes = nodes_of(path.read_text(encoding="utf-8"))
        found[name] = [*names_a_kind(nodes), *asks_for_a_kind(nodes)]
        if name in of_no_level:
            found[name] += [where for level in levels() for where in names_a_level(nodes, level)]
    assert {name: where for name, where in found.items() if where} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from machines.kinds.epic.fields import Epic",
        "import sim.cores.simt.state",
        "if machine.kind == 'epic': pass",
        "hint = f'{name} is for simt machines'",
        "x = Simt()",
        "if machine.description.warp_width > 8: pass",
        "y = 1 if hasattr(description, 'templates') else 0",
        "while program.bundles: pass",
        "if result.launches: pass",
        "x = [a for a in b if machine.warps]",
        "match machine.bundles:\n    case 1: pass",
        "match row.family:\n    case 'ia64': pass",
        "x = row.family in ('ir', 'ptx')",
        "x = program.bundles > 3",
    ],
)
def test_it_would_be_found(text: str):
    assert [*names_a_kind(nodes_of(text)), *asks_for_a_kind(nodes_of(text))]


def test_every_kind_has_rooms():
    for kind in kinds():
        for room in rooms(kind)[:1] + rooms(kind)[2:3] + rooms(kind)[4:]:
            assert any((ROOT / room).glob("*.py")), room


def rooms_of_level(level: str) -> tuple[str, ...]:
    """What the paths of a level's own files begin with."""
    return (
        f"machines/levels/{level}/",
        f"compiler/levels/{level}/",
        f"sim/levels/{level}/",
        *(f"compiler/frontends/{text}/" for text in TEXTS_OF_LEVELS.get(level, (level,))),
    )


def names_a_level(nodes: list[ast.AST], level: str) -> Iterator[str]:
    """Where a file names a level: in an import, by its name as a text, by what only it has."""
    module = re.compile(rf"\blevels\.{level}\b")
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.ImportFrom) and (
            module.search(node.module or "")
            or ((node.module or "").endswith("levels") and level in {a.name for a in node.names})
        ):
            yield f"{line}: imports {node.module}"
        elif isinstance(node, ast.Import) and any(module.search(a.name) for a in node.names):
            yield f"{line}: imports {', '.join(a.name for a in node.names)}"
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        ):
            text = node.value
            if text == level or module.search(text) or WORDS_OF_LEVELS[level].search(text):
                yield f"{line}: {text!r}"
        elif isinstance(node, ast.Name | ast.Attribute | ast.FunctionDef | ast.ClassDef):
            name = getattr(node, "id", None) or getattr(node, "attr", None) or node.name
            if WORDS_OF_LEVELS[level].search(name):
                yield f"{line}: {name}"


@pytest.mark.parametrize(
    "text",
    [
        "from compiler.levels.arrays import programs",
        "from machines.levels import arrays",
        "import compiler.levels.arrays.table",
        "if module.form == 'arrays': pass",
        "PASSES = ('vectorize', 'lower_graph')",
        "if form == GRAPH_FORM: pass",
        "x = form.vectorize",
        "part = 'sim.levels.arrays.binding:BINDING'",
    ],
)
def test_a_level_would_be_found(text: str):
    assert [*names_a_level(nodes_of(text), "arrays")]


def test_every_level_has_rooms():
    for level in levels():
        for room in rooms_of_level(level):
            assert any((ROOT / room).glob("*.py")), room
