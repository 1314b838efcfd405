"""Loops whose number of turns is known, as their turns one behind the other."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, MutableMapping, Sequence

import numpy as np
from onnx import GraphProto

from compiler.frontends.onnx.emitting.call import Call
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value, known

MOST_TURNS = 4096
Scope = MutableMapping[str, Value]
Turn = Callable[[GraphProto, Scope], None]
"""Puts all that a graph names into a scope."""


def _done(graph: GraphProto, scope: Scope, given: Sequence[Value | None], turn: Turn) -> list:
    """The results of one turn."""
    inner: Scope = ChainMap({}, scope)
    for info, value in zip(graph.input, given, strict=True):
        if value is not None:
            inner[info.name] = value
    turn(graph, inner)
    missing = [info.name for info in graph.output if info.name not in inner]
    if missing:
        raise Refusal("malformed", f"nothing in the loop makes '{missing[0]}'")
    return [inner[info.name] for info in graph.output]


def _check_turns(turns: int) -> None:
    if turns > MOST_TURNS:
        raise Refusal("size", f"a loop of {turns} turns; up to {MOST_TURNS} are laid out")


def _stacked(code: Code, parts: Sequence[Value], axis: int, reverse: bool = False) -> Value:
    """One part a turn along a new axis."""
    if not parts:
        raise Refusal("no elements", "the loop has no turn, and gives nothing to be stacked")
    shape = list(parts[0].shape)
    shape.insert(axis, 1)
    parts = parts[::-1] if reverse else parts
    return code.concat([code.reshape(part, shape) for part in parts], axis)


def scan(call: Call, scope: Scope, turn: Turn) -> list[Value]:
    """`Scan`: as many turns as what is scanned is long."""
    code, graph = call.code, call.required("body")
    count = call.required("num_scan_inputs")
    if call.version < 9:
        raise Refusal("version", "Scan of version 8 scans batches")
    if not 0 < count <= len(call.operands):
        raise Refusal("malformed", f"{count} of {len(call.operands)} operands are scanned")
    states, scanned = list(call.all[:-count]), call.all[-count:]
    stacks = len(graph.output) - len(states)
    axes = call.attribute("scan_input_axes") or [0] * count
    axes = [call.axis(axis, x.rank) for axis, x in zip(axes, scanned, strict=True)]
    backwards = call.attribute("scan_input_directions") or [0] * count
    turns = {x.shape[axis] for x, axis in zip(scanned, axes, strict=True)}
    if len(turns) > 1:
        raise Refusal("malformed", f"what is scanned is {sorted(turns)} long")
    (turns,) = turns
    _check_turns(turns)
    parts: list[list[Value]] = [[] for _ in range(stacks)]
    for k in range(turns):
        given = []
        for x, axis, back in zip(scanned, axes, backwards, strict=True):
            one = code.cut(x, axis, turns - 1 - k if back else k, 1)
            given.append(code.reshape(one, [n for i, n in enumerate(x.shape) if i != axis]))
        found = _done(graph, scope, [*states, *given], turn)
        states = found[: len(states)]
        for part, value in zip(parts, found[len(states) :], strict=True):
            part.append(value)
    to = call.attribute("scan_output_axes") or [0] * stacks
    turned = call.attribute("scan_output_directions") or [0] * stacks
    stacked = [
        _stacked(code, part, call.axis(axis, part[0].rank + 1), bool(reverse))
        for part, axis, reverse in zip(parts, to, turned, strict=True)
    ]
    return [*states, *stacked]


def loop(call: Call, scope: Scope, turn: Turn) -> list[Value]:
    """`Loop`: a known number of turns, as long as a condition holds that is known in each."""
    code, graph = call.code, call.required("body")
    most, condition = (_scalar(call, k, what) for k, what in enumerate(("turns", "condition")))
    if most is None and condition is None:
        raise Refusal("control flow", "the loop has no end that is known")
    carried = list(call.all[2:]) if len(call.operands) > 2 else []
    stacks = len(graph.output) - 1 - len(carried)
    parts: list[list[Value]] = [[] for _ in range(stacks)]
    going, k = True if condition is None else bool(condition), 0
    while going and (most is None or k < most):
        _check_turns(k)
        given = [known(np.array(k, np.int64)), known(np.array(going)), *carried]
        again, *found = _done(graph, scope, given, turn)
        if not again.is_known:
            raise Refusal("control flow", "whether it goes on depends on data")
        going = bool(again.array.reshape(()))
        carried = found[: len(carried)]
        for part, value in zip(parts, found[len(carried) :], strict=True):
            part.append(value)
        k += 1
    return [*carried, *(_stacked(code, part, 0) for part in parts)]


def _scalar(call: Call, k: int, what: str) -> int | None:
    found = call.optional(k)
    if found is None:
        return None
    if not found.is_known:
        raise call.unknown(found, f"the {what} must be known, and is data")
    return int(found.array.reshape(()))
