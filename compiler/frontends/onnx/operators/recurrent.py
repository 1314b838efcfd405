"""Recurrent networks, laid out: one turn for each step of a sequence of known length.

What does not depend on the step before, the product of the input with its weights, is one product
for all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.frontends.onnx.emitting.call import FUNCTIONS_OF, Call, Family
from compiler.frontends.onnx.emitting.code import Code
from compiler.frontends.onnx.emitting.refusal import Refusal
from compiler.frontends.onnx.emitting.values import Value

FAMILY = Family("recurrent")
row = FAMILY.row
MOST_STEPS = 1024
_LENGTHS = "All sequences of full length; with Sigmoid, Tanh and Relu."
_FUNCTIONS = {"sigmoid": "sigmoid", "tanh": "tanh", "relu": "relu"}

State = tuple[Value, ...]
Step = Callable[[Value, State], State]
"""Of the products of one step with the weights of the input, and the state before, the state
after; its first part is what the step gives."""


def _laid_out(call: Call, gates: int, states: int, step_of: Callable[..., Step]) -> list[Value]:
    """Y, and the states after the last step, of one or both directions."""
    code, x, w, r = call.code, call[0], call[1], call[2]
    bias, lengths = call.optional(3), call.known_or_none(4, "the lengths")
    initial = [call.optional(5 + k) for k in range(states)]
    directions = {"forward": [0], "reverse": [1], "bidirectional": [0, 1]}
    name = call.attribute("direction", "forward")
    if name not in directions:
        raise Refusal("malformed", f"direction '{name}' is not known")
    if call.attribute("clip") is not None:
        raise Refusal("form", "attribute 'clip' is not taken")
    hidden = call.attribute("hidden_size", r.shape[-1])
    if call.attribute("layout", 0):
        x = code.transpose(x, (1, 0, 2))
        initial = [None if one is None else code.transpose(one, (1, 0, 2)) for one in initial]
    steps, batch, size = x.shape
    if steps > MOST_STEPS:
        raise Refusal("size", f"{steps} steps; up to {MOST_STEPS} are laid out")
    if lengths is not None and (lengths != steps).any():
        raise Refusal("form", "sequences that are shorter than the others")
    given = call.attribute("activations") or []
    each = len(given) // max(len(directions[name]), 1)
    outputs, last = [], []
    for place, reverse in enumerate(directions[name]):
        functions = [f.lower() for f in given[place * each : (place + 1) * each]]
        weights, recurrence = (_of_direction(code, v, place) for v in (w, r))
        biases = None if bias is None else _of_direction(code, bias, place)
        rows = code.reshape(x, (steps * batch, size))
        products = code.matmul(rows, weights, transposed=True)
        products = code.reshape(products, (steps, batch, gates * hidden))
        state = tuple(
            code.number([[0.0] * hidden] * batch, x)
            if one is None
            else _of_direction(code, one, place)
            for one in initial
        )
        step = step_of(recurrence, biases, functions, hidden, place)
        found: list[Value] = []
        for k in range(steps)[:: -1 if reverse else 1]:
            part = code.reshape(code.cut(products, 0, k, 1), (batch, gates * hidden))
            state = step(part, state)
            found.append(code.reshape(state[0], (1, 1, batch, hidden)))
        outputs.append(code.concat(found[::-1] if reverse else found, 0))
        last.append(state)
    whole = code.concat(outputs, 1)
    ends = [
        code.concat([code.reshape(state[k], (1, batch, hidden)) for state in last], 0)
        for k in range(states)
    ]
    if call.attribute("layout", 0):
        whole = code.transpose(whole, (2, 0, 1, 3))
        ends = [code.transpose(one, (1, 0, 2)) for one in ends]
    return [whole, *ends]


def _of_direction(code: Code, x: Value, place: int) -> Value:
    return code.reshape(code.cut(x, 0, place, 1), x.shape[1:])


def _function(name: str) -> str:
    if name not in _FUNCTIONS:
        raise Refusal("form", f"the activation '{name}'; Sigmoid, Tanh and Relu are taken")
    return _FUNCTIONS[name]


def _gates(code: Code, x: Value, hidden: int, first: int, count: int, axis: int = 1) -> Value:
    """Some of the gates that stand one behind the other along an axis."""
    return code.cut(x, axis, first * hidden, count * hidden)


def _with(code: Code, x: Value, biases: Value | None, first: int, hidden: int, count: int) -> Value:
    if biases is None:
        return x
    return code.add(x, code.cut(biases, 0, first * hidden, count * hidden))


@row("RNN", 22, FUNCTIONS_OF, _LENGTHS)
def simple(call: Call) -> list[Value]:
    code = call.code

    def step_of(
        r: Value, biases: Value | None, functions: Sequence[str], hidden: int, place: int
    ) -> Step:
        function = _function(functions[0] if functions else "tanh")

        def step(products: Value, state: State) -> State:
            found = code.add(products, code.matmul(state[0], r, transposed=True))
            for first in (0, 1):
                found = _with(code, found, biases, first, hidden, 1)
            return (code.unary(function, found),)

        return step

    return _laid_out(call, 1, 1, step_of)


@row("GRU", 22, FUNCTIONS_OF, _LENGTHS)
def gated(call: Call) -> list[Value]:
    """z and r of the input and the state before; h of r times the state, or of the state first."""
    code, linear = call.code, call.attribute("linear_before_reset", 0)

    def step_of(
        r: Value, biases: Value | None, functions: Sequence[str], hidden: int, place: int
    ) -> Step:
        of_gates, of_state = (_function(f) for f in (functions or ("sigmoid", "tanh")))
        inner, outer = _gates(code, r, hidden, 0, 2, 0), _gates(code, r, hidden, 2, 1, 0)

        def step(products: Value, state: State) -> State:
            (before,) = state
            both = code.add(
                _gates(code, products, hidden, 0, 2), code.matmul(before, inner, transposed=True)
            )
            both = _with(code, _with(code, both, biases, 0, hidden, 2), biases, 3, hidden, 2)
            both = code.unary(of_gates, both)
            z, reset = (_gates(code, both, hidden, k, 1) for k in (0, 1))
            new = _with(code, _gates(code, products, hidden, 2, 1), biases, 2, hidden, 1)
            if linear:
                kept = code.matmul(before, outer, transposed=True)
                kept = code.mul(reset, _with(code, kept, biases, 5, hidden, 1))
            else:
                kept = code.matmul(code.mul(reset, before), outer, transposed=True)
                kept = _with(code, kept, biases, 5, hidden, 1)
            new = code.unary(of_state, code.add(new, kept))
            return (code.add(new, code.mul(z, code.sub(before, new))),)

        return step

    return _laid_out(call, 3, 1, step_of)


@row("LSTM", 22, FUNCTIONS_OF, _LENGTHS)
def long_short(call: Call) -> list[Value]:
    """Gates input, output, forget and cell, in that order; peepholes look at the cell."""
    code = call.code
    if call.attribute("input_forget", 0):
        raise Refusal("form", "attribute 'input_forget' is not taken")
    peepholes = call.optional(7)

    def step_of(
        r: Value, biases: Value | None, functions: Sequence[str], hidden: int, place: int
    ) -> Step:
        of_gates, of_cell, of_state = (
            _function(f) for f in (functions or ("sigmoid", "tanh", "tanh"))
        )
        holes = None if peepholes is None else _of_direction(code, peepholes, place)

        def seen(gate: Value, cell: Value, k: int) -> Value:
            if holes is None:
                return gate
            return code.add(gate, code.mul(cell, code.cut(holes, 0, k * hidden, hidden)))

        def step(products: Value, state: State) -> State:
            before, cell = state
            all = code.add(products, code.matmul(before, r, transposed=True))
            all = _with(code, _with(code, all, biases, 0, hidden, 4), biases, 4, hidden, 4)
            i, o, f, c = (_gates(code, all, hidden, k, 1) for k in range(4))
            i, f = (code.unary(of_gates, seen(g, cell, k)) for g, k in ((i, 0), (f, 2)))
            cell = code.add(code.mul(f, cell), code.mul(i, code.unary(of_cell, c)))
            o = code.unary(of_gates, seen(o, cell, 1))
            return code.mul(o, code.unary(of_state, cell)), cell

        return step

    return _laid_out(call, 4, 2, step_of)
