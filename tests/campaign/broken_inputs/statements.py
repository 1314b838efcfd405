"""Programs as statements and words of known classes, and how they are damaged.

    draw a statement or a word of it; give it a neighbour of its own class, or change the structure

A word becomes another of its class (a register for a register, an operation for an operation), so
that most damaged programs are still read to their end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from tests.campaign.broken_inputs.languages import TYPES, Language

NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "31",
    "32",
    "33",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "4095",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0x7fffffffffffffff",
    "0xffffffff",
    "1.5",
    "1e30",
    "1e999",
    "99999999999999999999",
]


def damage(text: str, language: Language, draw: Random, others: Sequence[str] = ()) -> str:
    """The text with one to three statements or words changed; `others` lend statements."""
    lines = text.split("\n")
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        code = [k for k, line in enumerate(lines) if _is_code(line, language)]
        if not code:
            return text
        if draw.random() > language.structure:
            _change_word(lines, code, language, draw)
        else:
            _change_structure(lines, code, language, draw, others)
    return "\n".join(lines)


def _is_code(line: str, language: Language) -> bool:
    return bool(line.strip()) and not line.strip().startswith(language.comment)


def _change_word(lines: list[str], code: list[int], language: Language, draw: Random) -> None:
    """One word becomes another of its class, goes, comes twice, or changes places."""
    number = draw.choice(code)
    words = language.split(lines[number])
    named = [k for k, (kind, _) in enumerate(words) if kind]
    k = draw.choice([k for k in named if words[k][0] != "mark"] or named)
    kind, old = words[k]
    alike = [j for j in named if words[j][0] == kind and j != k]
    match draw.randrange(16):
        case 0 if alike:
            j = draw.choice(alike)
            words[k], words[j] = words[j], words[k]
        case 1:
            words[k] = ("", draw.choice(["", old + old, old + " " + old, old[:-1]]))
        case 2:
            words[k] = ("", draw.choice(NUMBERS))
        case 3 if "." in old:
            parts = old.split(".")
            parts[-1] = draw.choice([*TYPES, "s32", "u64", "b16", "sat", "x", ""])
            words[k] = (kind, ".".join(parts))
        case _:
            words[k] = (kind, _other(kind, old, number, lines, code, language, draw))
    lines[number] = "".join(word for _, word in words)


def _other(
    kind: str,
    old: str,
    at: int,
    lines: list[str],
    code: list[int],
    language: Language,
    draw: Random,
) -> str:
    """Another word of a class: of the file, or one that the language knows."""
    if kind == "number" and draw.random() < 0.7:
        near = [str(int(old) + step) for step in (1, -1, 8)] if old.isdigit() else []
        return draw.choice([*NUMBERS, *near * 8])
    known = language.vocabulary.get(kind, ())
    if known and draw.random() < 0.4:
        return draw.choice(known)
    near = draw.sample(code, min(len(code), 25))
    found = [(k, word) for k in near for other, word in language.split(lines[k]) if other == kind]
    own = language.kin(lines[at], old)
    kin = [word for k, word in found if language.kin(lines[k], word) == own and word != old]
    if kin and draw.random() < 0.9:
        return draw.choice(kin)
    return draw.choice([word for _, word in found] or [old])


def _change_structure(
    lines: list[str], code: list[int], language: Language, draw: Random, others: Sequence[str]
) -> None:
    """Statements go, come twice, change places, are moved, or come from another program."""
    plain = [k for k in code if not re.match(language.frame, lines[k].strip())]
    code = plain if plain and draw.random() < 0.9 else code
    k, j = draw.choice(code), draw.choice(code)
    match draw.randrange(6):
        case 0:
            del lines[k]
        case 1:
            lines.insert(k, lines[k])
        case 2:
            lines[k], lines[j] = lines[j], lines[k]
        case 3:
            lines.insert(j, lines.pop(k))
        case 4 if others:
            lines.insert(k, draw.choice(draw.choice(others).split("\n")))
        case _:
            del lines[k : k + draw.choice((1, 2, 2, 3, 10))]
