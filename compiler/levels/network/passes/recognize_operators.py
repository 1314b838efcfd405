"""Operators that are written out become one:

m = nn.reduce_max(x) {axes: (1)}
k = nn.reshape(m) {shape: (4, 1)}
d = nn.sub(x, k)
e = nn.exp(d)                          ->    y = nn.softmax(x)
t = nn.reduce_sum(e) {axes: (1)}
r = nn.reshape(t) {shape: (4, 1)}
y = nn.div(e, r)

softmax, log_softmax, layer_norm and rms_norm along the last axis, gelu and silu.  What they were
written as is read by nobody else.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from compiler.ir.module import Function
from compiler.levels.network.checking import applied
from compiler.levels.network.editing import edit, note, remove
from compiler.levels.network.matching import Found, Matcher, NoMatch
from compiler.levels.network.network import Network, Node, Unfit
from compiler.levels.network.operators import OPERATORS
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine | None, options: NoOptions) -> Changes:
    return edit(function, recognize)


def recognize(network: Network, changes: Changes) -> None:
    """Replace what is found, beginning with what is largest: from the end."""
    readers, outputs = network.readers(), set(network.outputs.values())
    producer = network.producer()
    gone: set[Node] = set()
    for root in reversed(list(network.nodes)):
        found = None if root in gone else _found(network, producer, root)
        if found is None or gone & {*found.nodes}:
            continue
        inside = {*found.nodes}
        between = [name for node in found.nodes[1:] for name in node.results]
        if any(name in outputs or not inside.issuperset(readers[name]) for name in between):
            continue
        if _replace(network, root, found):
            note(changes, "recognized", root)
            gone.update(found.nodes[1:])
    remove(network, gone)


def _found(network: Network, producer: dict[str, Node], root: Node) -> Found | None:
    for pattern in PATTERNS.get(root.operator.name, ()):
        try:
            return pattern(Matcher(network, producer, root))
        except NoMatch:
            continue
    return None


def _replace(network: Network, root: Node, found: Found) -> bool:
    operator = OPERATORS[found.operator]
    types = [network.types[name] for name in found.operands]
    try:
        attributes, results = applied(operator, types, found.attributes)
    except Unfit:  # there is no such row of this type
        return False
    if results[0] != network.types[root.results[0]]:
        return False
    root.operator, root.operands, root.attributes = operator, found.operands, attributes
    return True


# Rows ----------------------------------------------------------------------------------------


def _exponentials(match: Matcher, total: str) -> tuple[str, str, str]:
    """Of the sum of exponentials of rows: x, x less its maximum, and the exponentials."""
    powers = match.of_rows(total, "reduce_sum")
    apart = match.made(powers, "exp").operands[0]
    x, most = match.made(apart, "sub").operands
    match.require(match.of_rows(most, "reduce_max") == x)
    return x, apart, powers


def softmax(match: Matcher) -> Found:
    """exp(x - max) / sum(exp(x - max))."""
    above, below = match.root.operands
    x, _, powers = _exponentials(match, below)
    match.require(powers == above)
    return Found("softmax", (x,), tuple(match.nodes))


def log_softmax(match: Matcher) -> Found:
    """(x - max) - log(sum(exp(x - max)))."""
    left, right = match.root.operands
    x, apart, _ = _exponentials(match, match.made(right, "log").operands[0])
    match.require(apart == left)
    return Found("log_softmax", (x,), tuple(match.nodes))


def _standardized(match: Matcher, tensor: str) -> tuple[str, float]:
    """What is divided by the root of its mean square, and what is added to that."""
    node = match.made(tensor, "div", "mul")
    pattern = _over_root if node.operator.name == "div" else _times_inverse
    both = node.operands, node.operands[::-1]
    return match.first(pattern, *both[: 1 if node.operator.name == "div" else 2])


def _over_root(match: Matcher, x: str, root: str) -> tuple[str, float]:
    return x, _mean_square(match, match.made(root, "sqrt").operands[0], x)


def _times_inverse(match: Matcher, x: str, root: str) -> tuple[str, float]:
    inverse = match.made(root, "rsqrt", "recip")
    below = inverse.operands[0]
    if inverse.operator.name == "recip":
        below = match.made(below, "sqrt").operands[0]
    return x, _mean_square(match, below, x)


def _mean_square(match: Matcher, tensor: str, x: str) -> float:
    """mean(x**2) + epsilon."""
    mean, epsilon = match.with_number(match.made(tensor, "add"))
    square = match.made(match.mean_of_rows(mean), "square", "mul", "pow")
    match.require(square.operands[0] == x)
    if square.operator.name == "mul":
        match.require(square.operands[1] == x)
    elif square.operator.name == "pow":
        match.require(match.number(square.operands[1]) == 2)
    return epsilon


def _normed(match: Matcher, product: Node) -> tuple[str, str, float]:
    """Of a product: what is standardized, the row it is multiplied by, epsilon."""

    def scaled(match: Matcher, tensor: str, scale: str) -> tuple[str, str, float]:
        x, epsilon = _standardized(match, tensor)
        return x, match.row(scale, match.network.types[x].shape[-1]), epsilon

    return match.first(scaled, product.operands, product.operands[::-1])


def _centered(match: Matcher, tensor: str) -> str:
    """Of x - mean(x) the x."""
    x, mean = match.made(tensor, "sub").operands
    match.require(match.mean_of_rows(mean) == x)
    return x


def layer_norm(match: Matcher) -> Found:
    """(x - mean) / sqrt(mean((x - mean)**2) + epsilon) * scale + shift."""

    def shifted(match: Matcher, product: str, shift: str) -> Found:
        apart, scale, epsilon = _normed(match, match.made(product, "mul"))
        x = _centered(match, apart)
        match.row(shift, match.network.types[x].shape[-1])
        return Found("layer_norm", (x, scale, shift), tuple(match.nodes), {"epsilon": epsilon})

    return match.first(shifted, match.root.operands, match.root.operands[::-1])


def layer_norm_alone(match: Matcher) -> Found:
    """The same without a shift."""
    apart, scale, epsilon = _normed(match, match.root)
    x = _centered(match, apart)
    return Found("layer_norm", (x, scale), tuple(match.nodes), {"epsilon": epsilon})


def rms_norm(match: Matcher) -> Found:
    """x / sqrt(mean(x**2) + epsilon) * scale."""
    x, scale, epsilon = _normed(match, match.root)
    return Found("rms_norm", (x, scale), tuple(match.nodes), {"epsilon": epsilon})


# Functions of one number ---------------------------------------------------------------------


def silu(match: Matcher) -> Found:
    """x * sigmoid(x)."""

    def times(match: Matcher, x: str, factor: str) -> Found:
        match.require(match.made(factor, "sigmoid").operands[0] == x)
        return Found("silu", (x,), tuple(match.nodes))

    return match.first(times, match.root.operands, match.root.operands[::-1])


def gelu(match: Matcher) -> Found:
    """x / 2 * (1 + erf(x / root of 2)), the three factors in any order."""
    factors = _factors(match, match.root)
    halves = [name for name in factors if _is_number(match, name, 0.5)]
    match.require(len(factors) == 3 and len(halves) == 1)
    factors.remove(halves[0])
    return match.first(_of_error_function, factors, factors[::-1])


def _of_error_function(match: Matcher, x: str, factor: str) -> Found:
    """x * (1 + erf(x / root of 2))."""
    error, one = match.with_number(match.made(factor, "add"))
    inside = match.made(match.made(error, "erf").operands[0], "div", "mul")
    if inside.operator.name == "div":
        scaled, number = inside.operands[0], match.number(inside.operands[1])
    else:
        scaled, factor_inside = match.with_number(inside)
        number = 1 / factor_inside if factor_inside else 0.0
    match.require(one == 1 and scaled == x and abs(number - math.sqrt(2.0)) < 4e-3)
    return Found("gelu", (x,), tuple(match.nodes))


def _factors(match: Matcher, node: Node) -> list[str]:
    """What is multiplied: the operands of a product, of which one may be a product."""
    found: list[str] = []
    for name in node.operands:
        try:
            found += match.made(name, "mul").operands if node is match.root else [name]
        except NoMatch:
            found.append(name)
    return found


def _is_number(match: Matcher, tensor: str, number: float) -> bool:
    try:
        return match.number(tensor) == number
    except NoMatch:
        return False


PATTERNS: dict[str, tuple[Callable[[Matcher], Found], ...]] = {
    "div": (softmax,),
    "sub": (log_softmax,),
    "add": (layer_norm,),
    "mul": (layer_norm_alone, rms_norm, gelu, silu),
}
"""By the operator of the last node, those that are looked for first before the others."""

PLUGIN = Pass(
    "recognize_operators",
    "Replace operators that are written out: softmax, norms, gelu, silu.",
    run,
    forms={"network": "network"},
)
