"""Say in the code how long each row of a SIMT machine is kept back, where the hardware goes by it.

    mul.lo.s32 r1, r4, r5         stall 4
    add.s32 r1, r1, r0            stall 1 wait 0

How is the target's: see `compiler/targets/simt/control_bits.py`.  A machine with a scoreboard finds
out itself, and its code is left as it is.
"""

from __future__ import annotations

from compiler.ir.module import Function
from compiler.targets.simt.control_bits import set_control_bits
from compiler.transformation import Changes, NoOptions, Pass
from machines.description.load import Machine


def run(function: Function, machine: Machine, options: NoOptions) -> Changes:
    if machine.description.dependences.kind != "control_bits":
        return Changes()
    waiting = set_control_bits(function, machine.description)
    function.version += 1
    return Changes({"rows that wait for counters": waiting})


PLUGIN = Pass(
    "set_control_bits",
    "Stall counts and dependence counters, for SIMT machines that go by control bits.",
    run,
    forms={"allocated": "scheduled"},
    kinds=("simt",),
)
