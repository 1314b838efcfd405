"""Which unit an instruction goes to, by its kind: written out of what the units say.

access(state, memory, sm, subcore, warp, pc, executing, cycle, kind)    (fault, lane) of the
    first lane that may not do it, whose address is in `addresses` then
compute(state, warp, pc, executing, cycle, kind)
control(state, groups, memory, sm, warp, pc, executing, cycle, kind, until)    (events of
    `reconvergence`, the cycle from which the warp may go on, the reason, whether the group
    simply goes on at the next pc); `until`: the cycle that the latency of its class says
"""

from __future__ import annotations

from importlib import import_module

from sim.cores.jit import inlined
from sim.cores.simt.unit import STEP, STEP_BITS
from sim.cores.simt.units import UNITS


def _chooser(function: str, step: int, arguments: str):
    """Calls a function of this name of the unit that executes a kind: the kinds of a unit in a step
    follow each other, and the units' too."""
    numbers = {unit.name: [kind for kind in unit.executes if kind >> STEP_BITS == step]
               for unit in UNITS}  # fmt: skip
    lasts = {name: kinds[-1] for name, kinds in numbers.items() if kinds}
    lines = [f"def {function}({arguments}):"]
    for name, last in sorted(lasts.items(), key=lambda one: one[1]):
        lines += [f"    if kind <= {last}:", f"        return {name}({arguments})"]
    lines[-2:] = [lines[-1][4:]]  # there is no kind behind the last
    space = {name: getattr(import_module(f"sim.cores.simt.cycle.{name}"), function)
             for name in lasts}  # fmt: skip
    exec("\n".join(lines), space)
    return inlined(space[function])


access = _chooser(
    "access", STEP.ACCESSES, "state, memory, sm, subcore, warp, pc, executing, cycle, kind"
)
compute = _chooser("compute", STEP.COMPUTES, "state, warp, pc, executing, cycle, kind")
control = _chooser(
    "control",
    STEP.CONTROLS,
    "state, groups, memory, sm, warp, pc, executing, cycle, kind, until",
)
