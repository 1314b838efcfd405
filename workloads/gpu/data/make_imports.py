"""The graph of imports in Python's standard library, as the workloads `bfs` and `spmv` read it.

    python make_imports.py      # writes imports_rows.npy, imports_columns.npy, transitions.npy

Vertices are the modules of the library (tests included) in alphabetical order; an edge joins two of
which one imports the other, at any depth of its code.  rows[v] … rows[v + 1] delimit the neighbours
of v in columns, in ascending order; vertices without neighbours are left out.

transitions[k] is one over the number of neighbours of columns[k]: the values of the matrix that
takes probabilities of being at the vertices to those after a step of a random walk.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent


def modules(root: Path) -> dict[str, Path]:
    """The library's modules by name, packages by that of the folder."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if "site-packages" in parts or "__pycache__" in parts:
            continue
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, path: Path) -> Iterator[str]:
    """Names that a module's import statements may mean, longest first for each."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return  # files of the test suite that are broken on purpose
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                around = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*around, *([base] if base else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def edges(library: dict[str, Path]) -> set[tuple[str, str]]:
    """Pairs of modules, each in order of names."""
    found = set()
    for name, path in library.items():
        for meant in imports(name, path):
            while meant and meant not in library:
                meant = meant.rpartition(".")[0]
            if meant and meant != name:
                found.add((min(name, meant), max(name, meant)))
    return found


def main() -> None:
    joined = edges(modules(Path(sysconfig.get_path("stdlib"))))
    names = sorted({name for pair in joined for name in pair})
    number = {name: k for k, name in enumerate(names)}
    neighbours = [[] for _ in names]
    for a, b in sorted(joined):
        neighbours[number[a]].append(number[b])
        neighbours[number[b]].append(number[a])
    rows = np.cumsum([0, *map(len, neighbours)]).astype(np.int32)
    columns = np.concatenate([sorted(around) for around in neighbours]).astype(np.int32)
    np.save(FOLDER / "imports_rows.npy", rows)
    np.save(FOLDER / "imports_columns.npy", columns)
    np.save(FOLDER / "transitions.npy", (1 / np.diff(rows)[columns]).astype(np.float32))
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"Python {version}: {len(names)} vertices, {len(columns)} neighbours;")
    print(f"most neighbours: {np.diff(rows).max()}; 'os' is vertex {number['os']}")


if __name__ == "__main__":
    main()
