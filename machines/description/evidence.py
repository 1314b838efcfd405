"""Where a figure comes from: `source: "measured | manual | assumed: text"` in a description.

A key `source` of a mapping gives the source of everything in and below it; `{value:, source:}` of
a single value (of `extends`: for all that is inherited).  Names in square brackets refer to the
table `sources`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from machines.description.strict_yaml import Node
from machines.diagnostics import Diagnostic, nearest

WAYS = ("measured", "manual", "assumed")
COMMAND_LINE = "assumed: command line"

_SOURCE = re.compile(rf"({'|'.join(WAYS)}): \S.*", re.DOTALL)
_CITED = re.compile(r"\[([^\]]+)\]")


def attach(node: Node, inherited: str | None, findings: list[Diagnostic]) -> Node:
    """The same tree without `source` keys and `{value:, source:}` wrappers; every node of it
    carries its source in `evidence`."""
    if isinstance(node.value, list):
        children = [attach(child, inherited, findings) for child in node.value]
        return replace(node, value=children, evidence=inherited)
    if not isinstance(node.value, dict):
        return replace(node, evidence=inherited)
    source = node.value.get("source")
    if source is not None:
        inherited = _checked(source, findings) or inherited
        if set(node.value) == {"value", "source"}:
            return attach(node.value["value"], inherited, findings)
    children = {
        key: attach(child, inherited, findings)
        for key, child in node.value.items()
        if key != "source"
    }
    return replace(node, value=children, evidence=inherited)


def restate(node: Node, evidence: str) -> Node:
    """The same tree with one source for everything: what a variant inherits may be a fact about
    the base only, and an assumption about the variant."""
    if isinstance(node.value, dict):
        children = {key: restate(child, evidence) for key, child in node.value.items()}
        return replace(node, value=children, evidence=evidence)
    return replace(node, evidence=evidence)


def uncited(root: Node) -> Iterator[Diagnostic]:
    """Findings for names in square brackets that the table `sources` lacks."""
    table = root.value.get("sources")
    known = set(table.value) if table and isinstance(table.value, dict) else set()
    reported = set()
    for node in _nodes(root):
        for name in _CITED.findall(node.evidence or ""):
            if name not in known | reported:
                reported.add(name)
                yield node.finding(f"source [{name}] is not in 'sources'", nearest(name, known))


def _checked(source: Node, findings: list[Diagnostic]) -> str | None:
    if isinstance(source.value, str) and _SOURCE.fullmatch(source.value):
        return source.value
    hint = 'write it like "manual: [KAPI]"; the first word is measured, manual or assumed'
    findings.append(source.finding("this does not say how the figure is known", hint))
    return None


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    children = node.value.values() if isinstance(node.value, dict) else node.value
    for child in children if isinstance(node.value, dict | list) else ():
        yield from _nodes(child)
