"""Random programs and every IR operation: compiled code does what the IR says."""

from __future__ import annotations

import itertools

import pytest

from compiler.ir.builder import Builder, add_function, canonical
from compiler.ir.module import Guard, Module
from machines.instructions import operations
from machines.types import F32, F64, I1, I8, I16, I32, I64, PTR
from tests.campaign.seeds import cut, short_form
from tests.compiler.both_ways import build, differences, run_ir, run_program
from tests.programs.random_programs import Options, generate

INTEGERS = (0, 1, -1, 2, 3, 7, 63, 64, 77, -128, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 10**15)
FLOATS = (
    0.0, -0.0, 1.0, -1.5, 3.0, 0.1, 1e-310, -5e-324, 1e300, -1e308, 2.0**31, -(2.0**31) - 1,
    2.0**63, -(2.0**63), 2.0**64, 1e19, 255.5, -0.75, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
POINTERS = (0, 1, 4096, 2**62)
TESTED_ELSEWHERE = {
    "phi",
    "jump",
    "branch",
    "return",
    "load",
    "store",
    "opaque",
    "address",
    "call",
    "call_through",
    "const",
    "tensor",
}


ROWS = [
    pytest.param(row, id=name)
    for name, row in operations().family("ir").items()
    if row.writes and not row.is_of_many and name.split(".")[0] not in TESTED_ELSEWHERE
]
"""IR rows that compute one value from values."""


def values_of(kind) -> tuple:
    if kind is I1:
        return (0, 1)
    if kind is PTR:
        return POINTERS
    return FLOATS if kind.is_float else INTEGERS


def differences_of(module: Module, machine, arguments: dict) -> list[str]:
    (function,) = module.functions.values()
    expected = run_ir(function, module, arguments)
    return differences(expected, run_program(build(function, module, machine), arguments))


@pytest.mark.parametrize("row", ROWS)
def test_every_operation_on_edge_values(row, itanium2):
    """The result for every combination (a spread of them for three operands) is returned bit by
    bit; a fault is one too."""
    kinds = [operand.kind for operand in row.reads]
    combinations = list(itertools.product(*(values_of(kind) for kind in kinds)))
    step = max(len(combinations) // 20, 1)
    module = Module()
    parameters = [(operand.name, operand.kind) for operand in row.reads]
    builder = add_function(module, "f", parameters, row.writes[0].kind)
    builder.block("entry")
    builder.return_(builder.emit(row, *(name for name, _ in parameters)))
    function = module.functions["f"]
    program = build(function, module, itanium2)
    for values in combinations[::step]:
        arguments = {
            name: canonical(value, kind)
            for (name, kind), value in zip(parameters, values, strict=True)
        }
        expected = run_ir(function, module, arguments)
        assert differences(expected, run_program(program, arguments)) == [], arguments


@pytest.mark.parametrize("kind", (I1, I8, I16, I32, I64, F32, F64), ids=str)
def test_every_constant(kind, itanium2):
    for value in values_of(kind):
        module = Module()
        builder = add_function(module, "f", (), kind)
        builder.block("entry")
        builder.return_(builder.emit(f"const.{kind}", value))
        assert differences_of(module, itanium2, {}) == [], value


@pytest.mark.parametrize("parts", cut(1, 9))
@pytest.mark.parametrize(
    "number, row", [pytest.param(n, *row.values, id=row.id) for n, row in enumerate(ROWS)]
)
def test_every_operation_with_literals_under_a_guard(number, row, parts, itanium2):
    """`@p x = op literal, variable`: literals, guard true and false; in every run a third of
    them in one place, for each row others."""
    kinds = [operand.kind for operand in row.reads]
    for part in parts:
        place = (number + part) % len(kinds)
        kind = kinds[place]
        literals = values_of(kind)[:: max(len(values_of(kind)) // 5, 1)]
        for value in literals[(number + part // len(kinds)) % min(len(literals), 3) :: 3]:
            module = Module()
            parameters = [("p", I1), *((o.name, o.kind) for o in row.reads if o.kind is not None)]
            names = _distinct(parameters)
            builder = add_function(module, "f", names, row.writes[0].kind)
            builder.block("entry")
            operands = [name for name, _ in names[1:]]
            operands[place] = value
            _guarded(builder, row, operands)
            program = build(module.functions["f"], module, itanium2)
            for guard in (0, 1):
                arguments = {"p": guard} | _samples(names[1:])
                expected = run_ir(module.functions["f"], module, arguments)
                assert differences(expected, run_program(program, arguments)) == [], (
                    operands, arguments
                )  # fmt: skip


def _samples(parameters: list) -> dict[str, int | float]:
    return {
        name: 1 if kind is I1 else float(sample) if kind.is_float else sample
        for (name, kind), sample in zip(parameters, (3, 5, 2), strict=False)
    }


def _distinct(parameters: list) -> list:
    """Parameters with names that differ from the guard's."""
    return [parameters[0], *((f"v_{name}", kind) for name, kind in parameters[1:])]


def _guarded(builder: Builder, row, operands) -> None:
    kind = row.writes[0].kind
    first = 1 if kind is I1 or kind is PTR else 9
    x = builder.emit(f"copy.{kind}", float(first) if kind in (F32, F64) else first, result="x")
    builder.emit(row, *operands, result=x, guard=Guard("p"))
    builder.return_(x)


OPTIONS = (
    Options(),
    Options(faults=True),
    Options(unassigned=True),
    Options(size=15, faults=True, unassigned=True),
    Options(size=80),
)


@pytest.mark.parametrize("seed", short_form(range(150), 2))
def test_random_programs(seed, itanium2):
    program = generate(seed, OPTIONS[seed % len(OPTIONS)])
    expected = run_ir(program.function, program.module, program.arguments)
    got = run_program(build(program.function, program.module, itanium2), program.arguments)
    assert differences(expected, got) == []


@pytest.mark.parametrize("seed", short_form(range(40), 2))
def test_random_programs_in_next_to_no_registers(seed, cramped):
    program = generate(seed, Options(size=20, faults=seed % 4 == 0))
    expected = run_ir(program.function, program.module, program.arguments)
    got = run_program(build(program.function, program.module, cramped), program.arguments)
    assert differences(expected, got) == []
