"""Random programs in SSA form whose names do not fit together any more, to leave SSA form from.

Between construction and leaving, copies and literals are propagated: the variables of a phi then
live longer than the phi expects, and real copies are needed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from compiler.analyses.control_flow import control_flow
from compiler.analyses.loops import loops
from compiler.ir.builder import Builder
from compiler.ir.module import Function, Guard, Instruction, Value
from compiler.passes.construct_ssa import construct
from compiler.passes.leave_ssa import leave
from compiler.transformation import Changes
from compiler.verify.ir import findings_of
from machines.types import I1
from tests.compiler.behaviour import behaviour, random_source
from tests.programs.random_programs import Options

_PLAIN = re.compile(r"(i1|i8|i16|i32|i64|f32|f64|ptr)_\d+")


def options(seed: int) -> Options:
    """Every third program may fault, every second draws, some read unassigned variables."""
    return Options(
        size=8 + seed % 40,
        variables=2 + seed % 3,
        faults=seed % 3 == 0,
        opaque=seed % 2 == 0,
        unassigned=seed % 5 == 0,
    )


def sprinkle_copies(function: Function, random: Random) -> None:
    """Insert copies between the program's plain variables, some of them guarded."""
    plain = [name for name in function.types if _PLAIN.fullmatch(name)]
    guards = [name for name in plain if function.types[name] is I1]
    builder = Builder(function)
    for block in function.blocks.values():
        for place in range(len(block.instructions) - 1, -1, -1):
            if not plain or random.random() < 0.8:
                continue
            result = random.choice(plain)
            type = function.types[result]
            source = random.choice([name for name in plain if function.types[name] is type])
            guard = Guard(random.choice(guards)) if guards and random.random() < 0.3 else None
            builder.at(block, place)
            builder.emit(f"copy.{type}", source, result=result, guard=guard)


def propagate(function: Function, random: Random, chance: float) -> None:
    """Read the sources of copies instead of the copies, in some places."""
    source: dict[str, Value] = {}
    literal: dict[str, Value] = {}
    for _, instruction in function.instructions():
        row = instruction.operation.name.split(".")[0]
        if instruction.guard is None and row in ("copy", "const"):
            (value,), (result,) = instruction.operands, instruction.results
            (source if isinstance(value, str) else literal)[result] = value

    def old(name: str) -> str:
        while name in source and random.random() < chance:
            name = source[name]
        return name

    def joined(value: Value) -> Value:
        found = old(value) if isinstance(value, str) else value
        return literal.get(found, found) if random.random() < chance else found

    builder = Builder(function)
    for _, instruction in function.instructions():
        change = {"otherwise": tuple(map(joined, instruction.otherwise))}
        change["operands"] = instruction.operands_with(joined if instruction.is_phi else old)
        if instruction.guard:
            change["guard"] = replace(instruction.guard, name=old(instruction.guard.name))
        builder.change(instruction, **change)


def remove_copies_to_nobody(function: Function) -> None:
    """Remove copies and constants that nothing reads, which gives their names' phis room."""
    read = {name for _, i in function.instructions() for name in i.variables_read}
    builder = Builder(function)

    def is_needed(i: Instruction) -> bool:
        row = i.operation.name.split(".")[0]
        return row not in ("copy", "const") or not read.isdisjoint(i.results)

    for block in function.blocks.values():
        builder.set_instructions(block, [i for i in block.instructions if is_needed(i)])


def check(seed: int) -> Changes:
    """There and back with copy propagation in between; what leaving did."""
    random = Random(seed)
    module, function, arguments = random_source(seed, options(seed))
    sprinkle_copies(function, random)
    expected = behaviour(function, module, arguments)
    construct(function)
    propagate(function, random, random.choice((0.3, 0.8, 1)))
    remove_copies_to_nobody(function)
    assert findings_of(module) == []
    assert behaviour(function, module, arguments) == expected
    changes = leave(function)
    assert findings_of(module) == []
    assert not any(i.is_phi or i.otherwise for _, i in function.instructions())
    assert behaviour(function, module, arguments) == expected
    return changes


def check_round_trip(seed: int) -> None:
    """There and back; only where variables are read unassigned may the code get slower."""
    module, function, arguments = random_source(seed, options(seed))
    expected, before = behaviour(function, module, arguments), weight(function)
    construct(function)
    leave(function)
    assert findings_of(module) == []
    assert behaviour(function, module, arguments) == expected
    assert weight(function) <= before or options(seed).unassigned


def weight(function: Function) -> int:
    """Its reached instructions, each ten times for every loop around it."""
    depth = loops(function).depth
    blocks = [block.name for block, _ in function.instructions()]
    return sum(10 ** depth[name] for name in blocks if name in depth)


def instructions_reached(function: Function) -> int:
    reached = control_flow(function).reverse_postorder
    return sum(len(function.blocks[name].instructions) for name in reached)
