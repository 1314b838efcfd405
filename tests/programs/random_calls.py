"""Calls in random programs: functions of random statements that call each other and themselves.

    func @helper1(fuel: i64, given0: f32, place: ptr) -> i8 { … }
    @!i1_0 i8_2 = call.i8 @helper1(2, f32_1, address.4)

A function calls only while it has fuel, and passes on less; in loops it calls nothing, so that a
program ends soon.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from compiler.ir.builder import add_function
from machines.types import I1, I64, PTR, Type

MOST_RUNS = 20  # of a place that calls
FUEL = 2


@dataclass(frozen=True)
class Callee:
    """A function that may be called; its first parameter is fuel."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type | None


class CallStatements:
    """Adds functions to the program of a generator, and calls of them where it is told to.

    fuel  what a call passes on: a variable in a function that is called itself
    """

    def __init__(self, generator: Any, callees: list[Callee], fuel: str | int = FUEL):
        self.generator, self.callees, self.fuel = generator, callees, fuel

    @classmethod
    def with_functions(cls, generator: Any) -> CallStatements:
        """One to three functions, each of which may call those before it and itself."""
        callees: list[Callee] = []
        for number in range(generator.random.randrange(1, 4)):
            callees.append(_write(generator, f"helper{number}", callees))
        return cls(generator, callees)

    def statement(self) -> None:
        generator, builder = self.generator, self.generator.builder
        callee = generator.random.choice(self.callees)
        values = [self.fuel, *(self._argument(t) for _, t in callee.parameters[1:])]
        if callee.result is None:
            builder.emit("call", callee.name, *values, guard=generator.guard())
            return
        pool = generator.pools[callee.result][: generator.options.variables]
        name, result = f"call.{callee.result}", generator.random.choice(pool)
        builder.emit(name, callee.name, *values, result=result, guard=generator.guard())

    def _argument(self, type: Type):
        generator = self.generator
        if type is not PTR:
            return generator.value(type)
        name = generator.random.choice(list(generator.places))
        if name not in generator.module.buffers:
            return name
        return generator.builder.emit("address.ptr", name, result=generator.temporary(PTR))

    def with_fuel(self) -> None:
        """A call, if there is fuel left."""
        builder = self.generator.builder
        then, join = builder.fresh_block("then"), builder.fresh_block("join")
        builder.branch(builder.emit("gt_s.i64", "fuel", 0), then, join)
        builder.block(then)
        self.fuel = builder.emit("sub.i64", "fuel", 1)
        self.statement()
        builder.jump(join)
        builder.block(join)


def _write(main: Any, name: str, before: list[Callee]) -> Callee:
    """A function of its own variables, over the program's buffers and a place that is given."""
    random = main.random
    own = type(main)(random, replace(main.options, size=random.randrange(3, 12), loop_budget=6))
    own.module, own.result = main.module, random.choice((None, I1, *main.types))
    scalars = [t for t in (I1, *main.types) if t is not PTR]
    kinds = [random.choice(scalars) for _ in range(random.randrange(5))]
    parameters = [("fuel", I64), *((f"given{n}", kind) for n, kind in enumerate(kinds))]
    own.places = {n: size for n, size in main.places.items() if n in main.module.buffers}
    if own.places and own.chance(0.5):
        parameters.append(("place", PTR))
        own.places["place"] = min(main.places.values())
    callee = Callee(name, tuple(parameters), own.result)
    own.builder = add_function(main.module, name, parameters, own.result)
    own.builder.block("entry")
    own.pools = {t: [f"{t}_{n}" for n in range(own.options.variables)] for t in (I1, *own.types)}
    own.initial_values([one for one in parameters if one[0] != "place"])
    while own.left > 0:
        own.statement(depth=1, runs=1)
    callees = [*before, callee] if own.options.recursion else before
    if callees and own.chance(0.7):
        CallStatements(own, callees).with_fuel()
    own.return_()
    own.lay_out()
    own.builder.forget_unused_types()
    return callee
