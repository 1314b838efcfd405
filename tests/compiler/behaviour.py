"""What can be seen of a run on the IR interpreter, and random programs whose lines have places."""

from __future__ import annotations

from dataclasses import dataclass
from unittest.mock import patch

import compiler.interpret.functions as interpreter
from compiler.ir.module import Function, Module
from compiler.ir.printer import print_module
from compiler.text_form import parse
from tests.programs.random_programs import Options, generate

STEPS = 2_000_000


@dataclass(frozen=True)
class Behaviour:
    """All that a pass over IR must keep; values are compared as they print, so that NaN is NaN.

    fault   its kind, the place of its instruction in the source, its address
    draws   what the run drew for its unknown conditions, in order
    """

    status: str
    value: str
    fault: str
    memory: bytes
    draws: tuple[int, ...]


def behaviour(
    function: Function, module: Module, arguments: dict[str, object], opaque_seed: int = 0
) -> Behaviour:
    """A run of the function, which may take two million steps."""
    draws: list[int] = []

    class Recorded(interpreter.OpaqueStream):
        def draw(self) -> int:
            draws.append(super().draw())
            return draws[-1]

    memory = interpreter.memory_for(module, arguments)
    with patch.object(interpreter, "OpaqueStream", Recorded):
        outcome = interpreter.interpret(
            function, arguments, memory, limit=STEPS, opaque_seed=opaque_seed
        )
    assert outcome.status != "limit"
    fault = outcome.fault and (outcome.fault.kind, outcome.fault.location, outcome.fault.address)
    return Behaviour(
        outcome.status, repr(outcome.value), str(fault), memory.bytes.tobytes(), tuple(draws)
    )


def random_source(seed: int, options: Options) -> tuple[Module, Function, dict[str, object]]:
    """A random program as if read from a file, so that its instructions have places."""
    program = generate(seed, options)
    module = parse(print_module(program.module), "random.sir")
    return module, module.functions[program.function.name], program.arguments
