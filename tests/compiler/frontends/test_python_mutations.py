"""Damaged kernel files end in findings or in a module that verifies, never in another error."""

from __future__ import annotations

import io
import random
import tokenize
from collections import Counter
from pathlib import Path

import pytest

import workloads
from compiler.frontends.python import PLUGIN
from compiler.verify.ir import verify
from machines.diagnostics import InputError
from tests.campaign.seeds import short_form

SOURCES = [
    path
    for path in sorted(Path(workloads.__path__[0]).glob("*/*.py"))
    if "@kernel" in path.read_text(encoding="utf-8")
]
WORDS = {
    tokenize.NAME: "n i x True None i64 u8 f32 f64 and or not if in min abs len sqrt range SIZE",
    tokenize.OP: "+ - * / // % ** << >> & | < == != = += , : ( ) [ ] . ~ -",
    tokenize.NUMBER: "0 1 2.5 300 65 -1 1e400 4294967296",
}
"""What a token of each kind may become, besides another one of the file."""


def damage(text: str, generator: random.Random) -> str:
    """The text with one or two tokens replaced by others of their kind, or by anything."""
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.string.strip()]
    lines = text.split("\n")
    for _ in range(generator.randint(1, 2)):
        token = generator.choice(tokens)
        if token.start[0] != token.end[0]:
            continue
        alike = [other.string for other in tokens if other.type == token.type]
        kind = WORDS.get(token.type, "").split()
        if generator.random() < 0.1:
            alike = [other.string for other in tokens] + ["", token.string * 2]
        new = generator.choice(alike + kind)
        row, (start, end) = token.start[0] - 1, (token.start[1], token.end[1])
        if lines[row][start:end] == token.string:
            lines[row] = lines[row][:start] + new + lines[row][end:]
    return "\n".join(lines)


@pytest.mark.parametrize("count", short_form([100, 600], 1))
def test_damaged_files(count: int):
    generator = random.Random(7)
    texts = [path.read_text(encoding="utf-8") for path in SOURCES]
    outcomes = Counter()
    for _ in range(count):
        damaged = damage(generator.choice(texts), generator)
        try:
            verify(PLUGIN.read(damaged, "damaged.py"))
            outcomes["compiled"] += 1
        except InputError as error:
            assert all(finding.location for finding in error.diagnostics), damaged
            parsed = not str(error).partition("error: ")[2].startswith("not Python")
            outcomes["refused" if parsed else "not Python"] += 1
    least = min(outcomes[kind] for kind in ("compiled", "refused", "not Python"))
    assert least > count / 25, outcomes
