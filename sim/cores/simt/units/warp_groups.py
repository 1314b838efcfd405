"""Products of matrices by groups of four warps, which go on meanwhile (wgmma).

A product is computed when it issues.  Its registers are there when the scoreboard says so: nobody
reads them before he has waited, which the front end of PTX sees to.  A product of n columns holds
its pipe n / 8 times as long as one of eight, and is done half of that later; what it reads in
shared memory goes through the path of the SM, a quarter of the right matrix by each warp.
"""

from __future__ import annotations

from machines.operations.row import Operation
from sim.cores.simt.tables import code, warps
from sim.cores.simt.unit import STEP, Instruction, Unit, kinds
from sim.cores.simt.units.pipes import USE

PRODUCT = code.columns(
    PATH="For how many cycles its operands occupy the path to shared memory.",
    COUNT="Of a wait: how many groups need not be done.",
)
OF_WARP = warps.columns(
    DONE="When the last product of the warp is done.",
    GROUPS="Groups so far.",
    DONE_0="From here on, of the last KEPT groups: when they are done.",
    **{f"DONE_{k}": "The same of another." for k in range(1, 8)},
)
KEPT = 8
PRODUCTS = kinds(STEP.ACCESSES, MULTIPLY="Multiplies matrices.")
KINDS = kinds(
    STEP.CONTROLS,
    FENCE="Nothing: what issues before is done before.",
    COMMIT="The products so far are a group.",
    WAIT="Waits for groups.",
)
BY_DEED = {
    "multiply": PRODUCTS.MULTIPLY, "fence": KINDS.FENCE, "commit": KINDS.COMMIT, "wait": KINDS.WAIT,
}  # fmt: skip
ROW_BYTES = 32
PATH_BYTES = 128
"""Of a cycle."""


def kind_of(row: Operation) -> int | None:
    return BY_DEED[row.group.does] if row.group else None


def decode(instruction: Instruction) -> None:
    into, row = instruction.into, instruction.row
    if row.group.does == "wait":
        into[PRODUCT.COUNT] = instruction.value(row.group.count)
    if row.group.does != "multiply":
        return
    parts = row.group.columns // 8
    into[USE.INTERVAL] *= parts
    into[USE.LATENCY] += into[USE.INTERVAL] // 2
    in_shared = [f for f in row.combines.fragments if f.name == "left" and len(f.operands) == 1]
    bytes_read = ROW_BYTES * (16 * len(in_shared) + row.group.columns // 4)
    into[PRODUCT.PATH] = -(-bytes_read // PATH_BYTES)


UNIT = Unit("warp_groups", (PRODUCTS, KINDS), kind_of, decode_own=decode)
