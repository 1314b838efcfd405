"""YAML files as trees that can be damaged and written again, keys given twice included.

tree = read(text); damage(tree, draw, words); text = write(tree)
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import yaml

EXTREMES = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "31",
    "33",
    "64",
    "255",
    "1000",
    "4096",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999",
    "1e18",
    "1e308",
    "1e-308",
    "1e999",
    ".inf",
    "-.inf",
    ".nan",
    "0x7fffffff",
    "0.5",
    "-0.0",
    "1e3",
    "null",
    "true",
    "false",
    "''",
    "[]",
    "{}",
    "~",
    "x",
    "default",
]
"""What may stand in place of any value."""

_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_PLAIN = re.compile(r"[\w.+][\w.+*/%() <>=^|-]*|-?\.?\d[\w.+-]*|-\.inf")


@dataclass
class Scalar:
    """A text; `quoted` as it stands in the file."""

    text: str
    quoted: bool = False


@dataclass
class List:
    """A list."""

    items: list[Tree]


@dataclass
class Pairs:
    """Pairs of key and value, in order; a key may stand there twice."""

    pairs: list[tuple[str, Tree]]


Tree = Scalar | List | Pairs
Place = tuple[Pairs | List, int]
"""A holder, and the number of one of its children."""


def read(text: str) -> Tree:
    """The tree of a YAML document."""
    return _from_node(yaml.compose(text, Loader=yaml.SafeLoader))


def _from_node(node: yaml.Node) -> Tree:
    if isinstance(node, yaml.ScalarNode):
        return Scalar(node.value, node.style is not None)
    if isinstance(node, yaml.SequenceNode):
        return List([_from_node(child) for child in node.value])
    return Pairs([(key.value, _from_node(value)) for key, value in node.value])


def write(tree: Tree) -> str:
    """A YAML text: a line a key, everything deeper within braces and brackets."""
    if not isinstance(tree, Pairs) or not tree.pairs:
        return _flow(tree) + "\n"
    return "".join(f"{_key(key)}: {_flow(value)}\n" for key, value in tree.pairs)


def _flow(tree: Tree) -> str:
    if isinstance(tree, Pairs):
        return "{" + ", ".join(f"{_key(key)}: {_flow(value)}" for key, value in tree.pairs) + "}"
    if isinstance(tree, List):
        return "[" + ", ".join(map(_flow, tree.items)) + "]"
    if not tree.quoted and (tree.text in EXTREMES or _PLAIN.fullmatch(tree.text)):
        return tree.text
    return json.dumps(tree.text)


def _key(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def places(tree: Tree) -> Iterator[Place]:
    """Every value but the root, from above."""
    for number, child in enumerate(children(tree)):
        yield tree, number
        yield from places(child)


def children(tree: Tree) -> list[Tree]:
    """What a tree holds."""
    if isinstance(tree, Pairs):
        return [value for _, value in tree.pairs]
    return tree.items if isinstance(tree, List) else []


def put(place: Place, tree: Tree) -> None:
    """Put a tree where another stands."""
    holder, number = place
    if isinstance(holder, Pairs):
        holder.pairs[number] = (holder.pairs[number][0], tree)
    else:
        holder.items[number] = tree


def get(place: Place) -> Tree:
    """What stands at a place."""
    return children(place[0])[place[1]]


def damage(tree: Tree, draw: Random, words: Sequence[str] = ()) -> None:
    """Change one value or the structure; `words` are keys and values that mean something."""
    found = list(places(tree))
    if not found:
        return
    scalars = [place for place in found if isinstance(get(place), Scalar)]
    place = draw.choice(scalars if scalars and draw.random() < 0.7 else found)
    if isinstance(get(place), Scalar) and draw.random() < 0.75:
        put(place, Scalar(other_scalar(get(place).text, draw, words)))
        return
    holder, number = place
    other = draw.choice(found)
    match draw.randrange(8):
        case 0:
            del _held(holder)[number]
        case 1:
            _held(holder).insert(number, copy.deepcopy(_held(holder)[number]))
        case 2:
            one, two = copy.deepcopy(get(place)), copy.deepcopy(get(other))
            put(place, two)
            put(other, one)
        case 3:
            put(place, copy.deepcopy(get(other)))
        case 4:
            _rename(holder, number, draw, found, words)
        case 5:
            new = copy.deepcopy(get(other))
            held = (draw.choice(words or ["x"]), new) if isinstance(holder, Pairs) else new
            _held(holder).insert(draw.randrange(len(_held(holder)) + 1), held)
        case 6:
            draw.shuffle(_held(holder))
        case _:
            put(place, draw.choice([List, _alone])([get(place)]))


def _alone(items: list[Tree]) -> Tree:
    return Pairs([("value", items[0])])


def _held(holder: Pairs | List) -> list:
    return holder.pairs if isinstance(holder, Pairs) else holder.items


def _rename(
    holder: Pairs | List,
    number: int,
    draw: Random,
    found: list[Place],
    words: Sequence[str],
) -> None:
    """Another key, of those that stand somewhere else."""
    if not isinstance(holder, Pairs):
        return
    known = [key for one, _ in found if isinstance(one, Pairs) for key, _ in one.pairs]
    holder.pairs[number] = (draw.choice([*known, *words]), holder.pairs[number][1])


def other_scalar(text: str, draw: Random, words: Sequence[str] = ()) -> str:
    """A value in place of a value: near, extreme, of another kind, or with another unit."""
    number = _NUMBER.match(text)
    if number is None or draw.random() < 0.2:
        return draw.choice([*EXTREMES, *words, *words])
    value, rest = float(number[0]), text[number.end() :]
    near = [value + 1, value - 1, value * 2, value // 2, value * 1000, -value, value * 3, 0, 1, 2]
    if draw.random() < 0.3:
        new = draw.choice(EXTREMES[:30])
    else:
        chosen = draw.choice(near)
        new = str(int(chosen)) if chosen == int(chosen) else repr(chosen)
    return new + (
        rest if draw.random() < 0.9 else draw.choice([" KiB", " cycles", " ns", "x", " GHz"])
    )
