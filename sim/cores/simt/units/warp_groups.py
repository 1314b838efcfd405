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
    LEFT="Which operand describes the left matrix in shared memory; -1: none does.",
    RIGHT="The same of the right one.",
    LEFT_TURNED="Whether it is transposed.",
    RIGHT_TURNED="The same of the right one.",
    COLUMNS="Of the result.",
)
OF_WARP = warps.columns(
    DONE="When the last product of the warp is done.",
    GROUPS="Groups so far.",
    DONE_0="From here on, of the last KEPT groups: when they are done.",
    **{f"DONE_{k}": "The same of another." for k in range(1, 8)},
    TIME_0=(8, "From here on, of the same groups: the time of the block when they ended."),
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
    left, right, columns = row.group.left, row.group.right, row.group.columns
    into[PRODUCT.LEFT] = -1 if left is None else row.position(left)
    into[PRODUCT.RIGHT], into[PRODUCT.COLUMNS] = row.position(right), columns
    into[PRODUCT.LEFT_TURNED], into[PRODUCT.RIGHT_TURNED] = map(instruction.value, row.group.turned)
    bytes_read = ROW_BYTES * ((0 if left is None else 16) + columns // 4)
    into[PRODUCT.PATH] = -(-bytes_read // PATH_BYTES)


UNIT = Unit("warp_groups", (PRODUCTS, KINDS), kind_of, decode_own=decode)
