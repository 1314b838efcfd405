"""Graphs in the language of Graphviz: `--format dot`."""

from __future__ import annotations

from collections.abc import Iterable


def digraph(
    name: str, nodes: Iterable[tuple[str, str]], edges: Iterable[tuple[str, str, str]]
) -> str:
    """A graph of boxes: (node, label) and (from, to, label)."""
    lines = [f"digraph {_quoted(name)} {{", '    node [shape=box, fontname="monospace"];']
    lines += [f"    {_quoted(node)} [label={_quoted(label)}];" for node, label in nodes]
    for source, target, label in edges:
        text = f" [label={_quoted(label)}]" if label else ""
        lines.append(f"    {_quoted(source)} -> {_quoted(target)}{text};")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    """Newlines end a line that stands at the left."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    return f'"{escaped}"'
